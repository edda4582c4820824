"""A sentence with its numbers, metrics and names folded to one character each.

"FooNet reaches an accuracy of 93% on SQuAD" becomes "P reaches an M of Q on D", so that the
patterns of `extractors.result_cues` speak of grammar alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from extractors.mention import Mention
from extractors.result_cues import (
    FOLDED,
    GENERIC_HEAD,
    METRIC,
    METRIC_NAME,
    MODIFIER,
    NUMBER,
    QUALIFIERS,
    QUANTITY,
    RANGE,
    TASK,
    UNITS,
)

_YEAR = re.compile(r"(?:19|20)\d\d")
_PRIVATE = re.compile(f"[{QUANTITY}-{TASK}]")


@dataclass(frozen=True, slots=True)
class Item:
    """A span of the text that is folded to one character of the skeleton."""

    char: str
    start: int
    end: int
    text: str = ""
    value: float = 0.0
    unit: str = ""
    qualifier: str = ""


@dataclass(slots=True)
class Skeleton:
    """A sentence with its items folded; an item is found by its place in ``text``."""

    text: str
    items: dict[int, Item]
    used: set[int] = field(default_factory=set)

    def within(self, span: tuple[int, int], char: str) -> list[int]:
        """Return the places of the items of one sort in a span of the skeleton."""
        return [at for at in range(*span) if self.text[at] == char]


def fold(text: str, start: int, end: int, mentions: Iterable[Mention]) -> Skeleton:
    """Return the skeleton of the sentence that stands in a stretch of a text.

    Args:
        text: One field of a text.
        start: First code point of the sentence.
        end: Code point after its last.
        mentions: The field's data sets, tasks, methods and metrics.

    Example:
        >>> fold("An accuracy of 93%.", 0, 19, ()).text == f"An {METRIC} of {QUANTITY}."
        True
    """
    pieces: list[str] = []
    items: dict[int, Item] = {}
    length, at = 0, start
    for item in sorted(_items(text, start, end, mentions), key=lambda i: i.start):
        between = _PRIVATE.sub(" ", text[at : item.start])
        pieces += [between, item.char]
        length += len(between)
        items[length] = item
        length, at = length + 1, item.end
    pieces.append(_PRIVATE.sub(" ", text[at:end]))
    skeleton = "".join(pieces).replace("\n", " ").replace("\u00a0", " ")
    return Skeleton(skeleton, items)


def _items(text: str, start: int, end: int, mentions: Iterable[Mention]) -> list[Item]:
    """Return what is folded: metrics first, then the longer names, then the numbers left."""
    inside = [m for m in mentions if start <= m.start and m.end <= end]
    names = [m for m in inside if m.kind in FOLDED]
    metrics = [
        Item(METRIC, *span, text[slice(*span)])
        for span in _metric_spans(text, start, end, inside)
        if not any(m.start <= span[0] and span[1] < m.end for m in names)
    ]
    items = metrics
    for m in names:
        item = Item(FOLDED[m.kind], m.start, m.end, m.text)
        items = items if _overlaps(item, items) else [*items, item]
    return [*items, *_quantities(text, start, end, items)]


def _metric_spans(
    text: str, start: int, end: int, mentions: Iterable[Mention]
) -> list[tuple[int, int]]:
    spans = {m.span() for m in METRIC_NAME.finditer(text, start, end)}
    spans = {s for s in spans if not GENERIC_HEAD.fullmatch(text[slice(*s)])}
    spans |= {(m.start, m.end) for m in mentions if m.kind == "metric"}
    kept: list[tuple[int, int]] = []
    for left, right in sorted(spans, key=lambda s: (s[0], -s[1])):
        if kept and (left < kept[-1][1] or text[kept[-1][1] : left] == " "):
            kept[-1] = kept[-1][0], max(right, kept[-1][1])
            continue
        before = MODIFIER.search(text, max(start, kept[-1][1] if kept else 0, left - 60), left)
        kept.append((before.start() if before and _whole(text, before.start()) else left, right))
    return kept


def _whole(text: str, at: int) -> bool:
    return at == 0 or not (text[at - 1].isalnum() or text[at - 1] in "-@/")


def _overlaps(item: Item, others: Iterable[Item]) -> bool:
    return any(item.start < other.end and other.start < item.end for other in others)


def _quantities(text: str, start: int, end: int, taken: Sequence[Item]) -> Iterator[Item]:
    at = start
    while found := NUMBER.search(text, at, end):
        at = found.end()
        number = Item("", found.start("value"), found.end("value"))
        if _overlaps(number, taken):
            continue
        item = _quantity(found)
        yield replace(item, start=number.start, end=number.end) if _overlaps(item, taken) else item


def _quantity(found: re.Match[str]) -> Item:
    unit = next((u for i, u in enumerate(UNITS) if found[f"u{i}"]), "")
    qualifier = next((q for i, q in enumerate(QUALIFIERS) if found[f"q{i}"]), "")
    signed = found["sign"] is not None
    year = not unit and _YEAR.fullmatch(found["value"])
    return Item(
        RANGE if found["range"] or signed or year else QUANTITY,
        found.start("qualifier") if found["qualifier"] else found.start("value"),
        found.end(),
        found["value"],
        float(found["value"].replace(",", "")),
        unit,
        qualifier,
    )
