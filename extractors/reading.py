"""What the rules read of one field before they decide: sentences, names, definitions."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from extractors.abbreviations import find_abbreviations
from extractors.matcher import Match, find_names
from extractors.mention import Abbreviation
from extractors.sentences import sentence_spans
from extractors.shapes import Name, find_shapes

_WIDEST = 300  # code points that a definition takes, at most


@dataclass(frozen=True, slots=True)
class Reading:
    """One field of a text with all that was located in it.

    Args:
        field: title or abstract.
        text: The field's text.
        sentences: Spans of its sentences; what never ends is cut at 2,000 characters.
        names: Name-shaped spans.
        curated: Curated names.
        abbreviations: Definitions.
        known_shorts: Short forms, without a plural's s, that it defines for a curated name.
    """

    field: str
    text: str
    sentences: tuple[tuple[int, int], ...]
    names: tuple[Name, ...]
    curated: tuple[Match, ...]
    abbreviations: tuple[Abbreviation, ...]
    known_shorts: frozenset[str]

    def sentence_of(self, start: int, end: int) -> tuple[int, int]:
        """Return the sentence that holds a span, from the first sentence it touches to the last."""
        first = max(0, bisect_right(self.sentences, (start, len(self.text) + 1)) - 1)
        if not self.sentences or self.sentences[first][1] <= start:
            return start, end
        last = first
        while self.sentences[last][1] < end and last + 1 < len(self.sentences):
            last += 1
        return self.sentences[first][0], max(self.sentences[last][1], end)

    def names_in(self, start: int, end: int) -> tuple[Name, ...]:
        """Return the name-shaped spans that lie in a stretch of the text."""
        first = bisect_left(self.names, start, key=lambda name: name.start)
        return (
            tuple(takewhile(lambda name: name.end <= end, self.names[first:]))
            if start < end
            else ()
        )

    def definitions_in(self, start: int, end: int) -> tuple[Abbreviation, ...]:
        """Return the definitions that touch a stretch of the text."""
        first = bisect_left(self.abbreviations, start - _WIDEST, key=_bracket)
        last = bisect_right(self.abbreviations, end + _WIDEST, key=_bracket)
        return tuple(
            pair
            for pair in self.abbreviations[first:last]
            if min(pair.long_start, pair.short_start) < end
            and start < max(pair.long_end, pair.short_end)
        )

    def is_curated(self, start: int, end: int) -> bool:
        """Tell whether a span is a curated name or lies in one."""
        return _lies_in(self.curated, start, end)


@lru_cache(maxsize=64)
def read(text: str, field: str) -> Reading:
    """Return a field's text as the rules read it."""
    curated, abbreviations = find_names(text), find_abbreviations(text, field)
    return Reading(
        field=field,
        text=text,
        sentences=tuple(p for span in sentence_spans(text) for p in _pieces(text, *span)),
        names=find_shapes(text),
        curated=curated,
        abbreviations=abbreviations,
        known_shorts=frozenset(
            pair.short.removesuffix("s")
            for pair in abbreviations
            if _lies_in(curated, pair.long_start, pair.long_end)
        ),
    )


def _lies_in(curated: Sequence[Match], start: int, end: int) -> bool:
    at = bisect_right(curated, start, key=lambda match: match.start) - 1
    return at >= 0 and end <= curated[at].end


def _bracket(pair: Abbreviation) -> int:
    """Return where a definition's bracket is: the order of the definitions."""
    return max(pair.long_start, pair.short_start)


def _pieces(text: str, start: int, end: int, longest: int = 2000) -> Iterator[tuple[int, int]]:
    """Cut a sentence that is none (a table, a list) at blanks, so that no rule reads too far."""
    while end - start > longest:
        cut = text.rfind(" ", start + 1, start + longest)
        cut = cut if cut > start else start + longest
        yield start, cut
        start = cut + (text[cut] == " ")
    if start < end:
        yield start, end
