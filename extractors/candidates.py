"""Candidates for keywords: the phrases and curated names of a text, with their places."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import NamedTuple

from extractors.gazetteer import generic_terms
from extractors.matcher import find_names
from extractors.mention import Text
from extractors.models import load_frequencies
from extractors.phrases import Phrase, Word, find_phrases
from extractors.sentences import sentence_spans
from extractors.stems import stem_key
from extractors.tagger import tagged_words

FIELDS = ("title", "abstract")
LONGEST_LISTED = 3
"""Words of the longest phrase that is looked up among authors' keywords."""

_LINK = re.compile(r"https?://\S+")


class Place(NamedTuple):
    """Where a phrase stands, and how.

    Args:
        start: Code points before it, counted from the title on.
        sort: How it was found: a sort of `extractors.phrases.Phrase`, "listed" (a keyword of
            some author) or "curated".
        form: The phrase as written.
        before: The word before it in its sentence, lower-case, or nothing.
        after: The word after it.
        tags: The tags of its words.
    """

    start: int
    sort: str
    form: str
    before: str
    after: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A phrase of a text, in all its spellings, with what the text says of it.

    Args:
        key: The stems of its words, the same for all spellings.
        forms: Its spellings, the one to show first.
        places: Where it was found, in order.
        count: Times that its stems stand in the text, also inside other phrases.
        around: Candidates that hold it.
        nested: Times that the most frequent of these was found.
        holds: Candidates that it holds.
        holds_again: Times that one of these, of two words or more, stands elsewhere, at most.
        same_head: Candidates with the same last word, itself included.
        busiest: Times that the most frequent of its words stands in the text.
        in_opening: Whether it stands in the title or, where there is none, the first sentence.
    """

    key: str
    forms: tuple[str, ...]
    places: tuple[Place, ...]
    count: int
    around: int
    nested: int
    holds: int
    holds_again: int
    same_head: int
    busiest: int
    in_opening: bool

    @property
    def label(self) -> str:
        """The spelling to show."""
        return self.forms[0]


def find_candidates(text: Text) -> list[Candidate]:
    """Return the candidates of a text, without generic terms, in the order of their keys."""
    places = _places(text)
    running = f"{text.title}. {text.abstract}" if text.title else text.abstract
    count = cache(partial(_times, f" {stem_key(running)} "))
    opening = sentence_spans(running)[:1]
    holds = {key: [part for part in _parts(key) if part in places] for key in places}
    around: dict[str, list[int]] = defaultdict(list)
    for key, held in holds.items():
        for part in held:
            around[part].append(len(places[key]))
    chosen = sorted(key for key in places if key not in generic_keys())
    heads = Counter(key.rpartition(" ")[2] for key in chosen)
    return [
        Candidate(
            key=key,
            forms=_forms(place.form for place in places[key]),
            places=tuple(sorted(places[key])),
            count=count(key),
            around=len(around[key]),
            nested=max(around[key], default=0),
            holds=len(holds[key]),
            holds_again=max((count(p) - count(key) for p in holds[key] if " " in p), default=0),
            same_head=heads[key.rpartition(" ")[2]],
            busiest=max(map(count, key.split())),
            in_opening=any(p.start < end for p in places[key] for _, end in opening),
        )
        for key in chosen
    ]


def _times(stems: str, key: str) -> int:
    return stems.count(f" {key} ")


def _parts(key: str) -> set[str]:
    """Return the shorter phrases inside a phrase of stems."""
    if " " not in key:
        return set()
    words = key.split()
    return {
        " ".join(words[start:end])
        for start in range(len(words))
        for end in range(start + 1, len(words) + 1)
        if end - start < len(words)
    }


def _places(text: Text) -> dict[str, list[Place]]:
    found: dict[str, list[Place]] = defaultdict(list)
    shift = len(text.title) + 2 if text.title else 0
    for field, offset in zip(FIELDS, (0, shift), strict=True):
        letters = text.field(field)
        links = link_spans(letters)
        words = tagged_words(letters)
        for key, phrase in _phrases(words):
            if not inside(words[phrase.first].start, links):
                found[key].append(_place(letters, words, phrase, offset))
        for match in find_names(letters):
            name = Place(match.start + offset, "curated", letters[match.start : match.end], *_BARE)
            known = found[_stem_key(name.form)]
            if all(place.start != name.start for place in known):
                known.append(name)
    found.pop("", None)
    return found


_BARE: tuple[str, str, tuple[str, ...]] = ("", "", ())


def _place(letters: str, words: Sequence[Word], phrase: Phrase, offset: int) -> Place:
    first, stop, sort = phrase
    start = words[first].start
    return Place(
        start=start + offset,
        sort=sort,
        form=letters[start : words[stop - 1].end],
        before="" if first == 0 or words[first].opens else words[first - 1].lower,
        after="" if stop == len(words) or words[stop].opens else words[stop].lower,
        tags=tuple([word.tag for word in words[first:stop]]),
    )


def _phrases(words: Sequence[Word]) -> Iterator[tuple[str, Phrase]]:
    """Yield the phrases with their keys, and those that authors chose as keywords elsewhere."""
    stems = [_stem_key(word.text) for word in words]
    found = set()
    for phrase in find_phrases(words):
        found.add((phrase.first, phrase.stop))
        yield " ".join(filter(None, stems[phrase.first : phrase.stop])), phrase
    listed, begun = load_frequencies().in_lists, _begun()
    for first, key in enumerate(stems):
        stop = first + 1
        while key in listed or key in begun:
            if key in listed and (first, stop) not in found:
                yield key, Phrase(first, stop, "listed")
            if stop == min(len(words), first + LONGEST_LISTED):
                break
            if words[stop].opens or not stems[stop]:
                break
            key, stop = f"{key} {stems[stop]}", stop + 1


@cache
def _begun() -> frozenset[str]:
    """Return what authors' keywords begin with, by whole words."""
    keys = load_frequencies().in_lists
    return frozenset(key[: blank.start()] for key in keys for blank in re.finditer(" ", key))


_stem_key = lru_cache(maxsize=50_000)(stem_key)


def _forms(found: Iterable[str]) -> tuple[str, ...]:
    """Return the spellings, the most frequent first, the one with fewest capitals on a tie."""
    counts = Counter(found)
    return tuple(sorted(counts, key=lambda f: (-counts[f], sum(map(str.isupper, f)), f)))


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
