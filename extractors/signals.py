"""What the rank of a candidate depends on: numbers with names, for a linear ranker."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache

from extractors.candidates import Candidate, Place, generic_keys
from extractors.gazetteer import entries
from extractors.models import load_frequencies
from extractors.phrases import DEGREES, OUTSIDE
from extractors.stems import stem_key

FAMILIAR = (
    *("one word", "two words", "frequency", "lateness", "rarity of head", "rarest word"),
    *("chosen by authors", "head chosen", "curated"),
)
"""Signals whose weight also depends on how familiar the field is."""

_FAMILIAR = tuple((name, f"{name}, familiar field") for name in FAMILIAR)
_LENGTHS = ("one word", "two words", "three words", "four words")
_SUFFIXES = {
    "named after a quality": ("ness", "ity", "ities", "ance", "ence", "ment", "ments"),
    "named after an act": ("tion", "tions", "sion", "sions", "ing"),
}


def text_signals(candidates: Sequence[Candidate]) -> list[dict[str, float]]:
    """Return the signals of the candidates of one text, all but the similarity.

    Args:
        candidates: All candidates of a text.
    """
    field = _familiarity(candidates)
    number = math.log((len(candidates) + 1) / 55)
    found = []
    for candidate in candidates:
        signals = {
            **_shape(candidate),
            **_counts(candidate),
            **_statistics(candidate.key),
            **_grammar(candidate),
            **_context(candidate.places),
            "number of candidates": number,
            "familiar field": field,
        }
        for name, familiar in _FAMILIAR:
            signals[familiar] = field * signals[name]
        found.append(signals)
    return found


def _familiarity(candidates: Sequence[Candidate]) -> float:
    """Return how well the document frequencies know the field of a text, 0..1.

    A fifth of the phrases of two or three words is known in other sciences, a half in
    machine learning.
    """
    phrases = [c.key for c in candidates if 1 <= c.key.count(" ") <= 2]
    known = sum(key in load_frequencies().in_documents for key in phrases)
    share = known / len(phrases) if phrases else 0.0
    return min(1.0, max(0.0, (share - 0.2) / 0.35))


def _shape(candidate: Candidate) -> dict[str, float]:
    label, words = candidate.label, candidate.key.split()
    length, lowered = len(words), label.lower()
    spoken = lowered.split()
    inner = any(map(str.isupper, label[1:]))
    return {
        **{name: float(length == n) for n, name in enumerate(_LENGTHS, 1)},
        **{name: float(lowered.endswith(ends)) for name, ends in _SUFFIXES.items()},
        "a name": float(length == 1 and inner),
        "capitals inside": float(length > 1 and inner),
        "hyphen": float("-" in label),
        "letters per word": len(candidate.key) / length / 5,
        "word of degree": float(spoken[0] in DEGREES),
        "word of praise": float(not OUTSIDE.isdisjoint(spoken)),
        "curated": float(candidate.key in _curated_keys()),
        "generic head": float(words[-1] in generic_keys()),
    }


def _counts(candidate: Candidate) -> dict[str, float]:
    whole = sum(place.sort == "noun" for place in candidate.places)
    one_word, first = " " not in candidate.key, candidate.places[0].start
    frequency = math.log1p(candidate.count)
    return {
        "whole phrase": float(whole > 0),
        "whole phrase again": math.log1p(max(0, whole - 1)),
        "share of whole": whole / len(candidate.places),
        "frequency": frequency,
        "frequency of one word": frequency * one_word,
        "frequency alone": math.log1p(max(0, candidate.count - candidate.nested)),
        "inside longer phrases": math.log1p(candidate.nested),
        "longer phrases": math.log1p(candidate.around),
        "shorter phrases": math.log1p(candidate.holds),
        "shorter phrases again": math.log1p(max(0, candidate.holds_again)),
        "phrases with its head": math.log(candidate.same_head),
        "busiest word": math.log(max(1, candidate.busiest)),
        "words stand once": float(candidate.busiest == 1),
        "lateness": math.log1p(first),
        "in the opening": float(candidate.in_opening),
    }


def _statistics(key: str) -> dict[str, float]:
    frequencies, words = load_frequencies(), key.split()
    rarities = [_rarity(word) for word in words]
    return {
        "rarity": sum(rarities) / len(rarities),
        "commonest word": min(rarities),
        "rarest word": max(rarities),
        "rarity of first": rarities[0],
        "rarity of head": rarities[-1],
        "chosen by authors": frequencies.preference(key),
        "times chosen": math.log1p(frequencies.in_lists.get(key, 0)),
        "first chosen": _first_chosen(words[0]),
        "head chosen": _head_chosen(words[-1]),
    }


@lru_cache(maxsize=20_000)
def _rarity(word: str) -> float:
    return load_frequencies().idf(word)


@lru_cache(maxsize=20_000)
def _first_chosen(word: str) -> float:
    return _share(_chosen_ends()[0][word], word)


@lru_cache(maxsize=20_000)
def _head_chosen(word: str) -> float:
    return _share(_chosen_ends()[1][word], word)


def _share(chosen: int, word: str) -> float:
    return math.log((chosen + 0.5) / (load_frequencies().in_documents.get(word, 0) + 20))


def _grammar(candidate: Candidate) -> dict[str, float]:
    sorts = {place.sort for place in candidate.places}
    tags = next((place.tags for place in candidate.places if place.tags), ("",))
    several = len(tags) > 1
    return {
        **{sort: float(sort in sorts) for sort in ("led", "of", "gerund")},
        "listed": float(sorts == {"listed"}),
        "adjective": float(several and tags[0] == "JJ"),
        "adverb": float(tags[0] == "RB"),
        "gerund first": float(several and tags[0] == "VBG"),
        "gerund last": float(several and tags[-1] == "VBG"),
        "nouns before": sum(tag.startswith("NN") for tag in tags[:-1]) / len(tags),
        "proper nouns": sum(tag.startswith("NNP") for tag in tags) / len(tags),
        "number": float("CD" in tags),
    }


_BEFORE: Mapping[str, frozenset[str]] = {
    "after the": frozenset(("the", "this", "these", "our", "that")),
    "after a": frozenset(("a", "an")),
    "after of": frozenset(("of", "for")),
    "after and": frozenset(("and", ",", "or")),
    "after by": frozenset(("by", "with", "using", "via", "on")),
    "after a bracket": frozenset(("(",)),
    "opens a sentence": frozenset(("",)),
}
_AFTER: Mapping[str, frozenset[str]] = {
    "before a bracket": frozenset(("(",)),
    "before and": frozenset(("and", ",", "or")),
    "before a full stop": frozenset((".",)),
}


def _context(places: Sequence[Place]) -> dict[str, float]:
    found = dict.fromkeys((*_BEFORE, *_AFTER), 0.0)
    for before in {place.before for place in places}:
        found.update(_TOLD_BEFORE.get(before, {}))
    for after in {place.after for place in places}:
        found.update(_TOLD_AFTER.get(after, {}))
    return found


def _told(signals: Mapping[str, frozenset[str]]) -> dict[str, dict[str, float]]:
    """Return by word the signals that it sets."""
    return {
        word: {name: 1.0 for name, words in signals.items() if word in words}
        for word in frozenset().union(*signals.values())
    }


_TOLD_BEFORE, _TOLD_AFTER = _told(_BEFORE), _told(_AFTER)


@cache
def _chosen_ends() -> tuple[Counter[str], Counter[str]]:
    """Return how often each word begins, and how often it ends, a keyword of authors."""
    return _chosen(lambda key: key.partition(" ")[0]), _chosen(lambda key: key.rpartition(" ")[2])


def _chosen(end: Callable[[str], str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for key, lists in load_frequencies().in_lists.items():
        counts[end(key)] += lists
    return counts


@cache
def _curated_keys() -> frozenset[str]:
    return frozenset(stem_key(name) for entry in entries() for name in entry.names if len(name) > 2)
