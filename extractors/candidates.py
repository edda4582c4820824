"""Candidates for keywords: the noun phrases and curated names of a text, with their places."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from extractors.gazetteer import entries, generic_terms
from extractors.matcher import find_names
from extractors.mention import Text
from extractors.models import load_pipeline
from extractors.phrases import LONGEST, Phrase, noun_phrases
from extractors.sentences import sentence_spans
from extractors.stems import parts, stem, stem_key

FIELDS = ("title", "abstract")
PIECE = 20_000
"""Code points that are tagged at once; an abstract has a few thousand at most."""

_LINK = re.compile(r"https?://\S+")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A phrase of a text, in all its spellings, with what its rank depends on.

    Args:
        key: The stems of its words, the same for all spellings.
        forms: Its spellings, the one to show first.
        length: Its words.
        count: Times that it stands in the text.
        nested: Times that the most frequent longer phrase around it stands there.
        whole: Whether it is a whole noun phrase somewhere.
        first: Code points before its first place, counted from the title on.
        in_opening: Whether it stands in the title or, where there is none, the first sentence.
        curated: Whether it is a curated name.
    """

    key: str
    forms: tuple[str, ...]
    length: int
    count: int
    nested: int
    whole: bool
    first: int
    in_opening: bool
    curated: bool

    @property
    def label(self) -> str:
        """The spelling to show."""
        return self.forms[0]


def find_candidates(text: Text) -> list[Candidate]:
    """Return the candidates of a text, without generic terms, in the order of their keys."""
    places = _places(text)
    running = f"{text.title}. {text.abstract}" if text.title else text.abstract
    counts, nested = _gram_counts(running), _nested(places)
    opening = sentence_spans(running)[:1]
    return [
        Candidate(
            key=key,
            forms=_forms(form for _, _, form in found),
            length=key.count(" ") + 1,
            count=counts[key],
            nested=nested[key],
            whole=any(whole for _, whole, _ in found),
            first=min(start for start, _, _ in found),
            in_opening=any(start < end for start, _, _ in found for _, end in opening),
            curated=key in _curated_keys(),
        )
        for key, found in sorted(places.items())
        if key not in generic_keys()
    ]


_Place = tuple[int, bool, str]
"""Code points before it from the title on, whether a whole noun phrase, the words."""


def _places(text: Text) -> dict[str, list[_Place]]:
    found: dict[str, list[_Place]] = defaultdict(list)
    shift = len(text.title) + 2 if text.title else 0
    for field, offset in zip(FIELDS, (0, shift), strict=True):
        words = text.field(field)
        links = link_spans(words)
        for phrase in _phrases(words):
            form = words[phrase.start : phrase.end]
            if (key := stem_key(form)) and not inside(phrase.start, links):
                found[key].append((phrase.start + offset, phrase.whole, form))
    return found


def _phrases(words: str) -> Iterator[Phrase]:
    """Yield noun phrases, and the curated names that are none (learning to rank)."""
    spans: set[tuple[int, int]] = set()
    for offset, piece in _pieces(words):
        for phrase in _noun_phrases(piece):
            spans.add((offset + phrase.start, offset + phrase.end))
            yield Phrase(offset + phrase.start, offset + phrase.end, phrase.whole)
    for match in find_names(words):
        if (match.start, match.end) not in spans:
            yield Phrase(match.start, match.end, whole=True)


def _noun_phrases(words: str) -> list[Phrase]:
    nlp = load_pipeline()
    with nlp.memory_zone():
        return noun_phrases(nlp(words))


def _pieces(words: str) -> Iterator[tuple[int, str]]:
    """Yield a text with its offset; a very long one in pieces, which bounds the memory."""
    start = 0
    while len(words) - start > PIECE:
        stop = start + PIECE
        cut = words.rfind(". ", start + 1, stop) + 1 or words.rfind(" ", start + 1, stop) or stop
        cut = cut if cut > start else stop
        yield start, words[start:cut]
        start = cut
    yield start, words[start:]


def _forms(found: Iterator[str]) -> tuple[str, ...]:
    """Return the spellings, the most frequent first, the one with fewest capitals on a tie."""
    counts = Counter(found)
    return tuple(sorted(counts, key=lambda f: (-counts[f], sum(map(str.isupper, f)), f)))


def _gram_counts(words: str) -> Counter[str]:
    stems = [stem(word) for word in parts(words)]
    return Counter(
        " ".join(stems[start : start + length])
        for length in range(1, 2 * LONGEST + 1)
        for start in range(len(stems) - length + 1)
    )


def _nested(places: dict[str, list[_Place]]) -> Counter[str]:
    """Return for each phrase how often the most frequent longer one around it stands."""
    nested: Counter[str] = Counter()
    for key, found in places.items():
        words, count = key.split(), len({start for start, _, _ in found})
        for length in range(1, len(words)):
            for start in range(len(words) - length + 1):
                part = " ".join(words[start : start + length])
                nested[part] = max(nested[part], count)
    return nested


def link_spans(words: str) -> list[tuple[int, int]]:
    """Return the spans of the web addresses of a text, which hold no keyword."""
    return [link.span() for link in _LINK.finditer(words)]


def inside(place: int, spans: Iterable[tuple[int, int]]) -> bool:
    """Tell whether a place lies in one of the half-open spans."""
    return any(start <= place < end for start, end in spans)


@cache
def generic_keys() -> frozenset[str]:
    """Return the keys of the terms that are no concepts when they stand alone."""
    return frozenset(map(stem_key, generic_terms()))


@cache
def _curated_keys() -> frozenset[str]:
    return frozenset(stem_key(name) for entry in entries() for name in entry.names if len(name) > 2)
