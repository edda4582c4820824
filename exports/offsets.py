"""Places in a text, for programs that count in UTF-16 code units, as JavaScript does."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from itertools import accumulate, pairwise
from typing import TypeVar

Concept = TypeVar("Concept", int, str)
Span = tuple[int, int, Concept]
"""First character, the one after the last, and the concept that is named there."""


def utf16(text: str) -> Callable[[int], int]:
    """Return the function from an offset in code points to one in UTF-16 code units.

    Example:
        >>> utf16("𝔽 is a field")(2)
        3
    """
    if text.isascii() or len(text.encode("utf-16-le", "surrogatepass")) == 2 * len(text):
        return int
    units = [0, *accumulate(1 + (character > "\uffff") for character in text)]
    return units.__getitem__


def disjoint(spans: Iterable[Span[Concept]]) -> list[Span[Concept]]:
    """Return spans of which none overlaps another, the longest kept, sorted by start.

    Example:
        >>> disjoint([(0, 5, "graph"), (0, 20, "graph neural network")])
        [(0, 20, 'graph neural network')]
    """
    in_order = sorted(spans)
    if all(one[1] <= other[0] for one, other in pairwise(in_order)):
        return in_order
    kept: list[Span[Concept]] = []
    for span in sorted(in_order, key=lambda s: s[0] - s[1]):
        start, end, _ = span
        place = bisect_left(kept, span)
        after_last = place == 0 or kept[place - 1][1] <= start
        before_next = place == len(kept) or end <= kept[place][0]
        if after_last and before_next:
            kept.insert(place, span)
    return kept
