"""What the rank of a candidate depends on: numbers with names, for a linear ranker."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache

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
        signals = (
            _shape(candidate)
            | _counts(candidate)
            | _statistics(candidate.key)
            | _grammar(candidate)
            | _context(candidate.places)
        )
        signals["number of candidates"] = number
        signals["familiar field"] = field
        signals |= {f"{name}, familiar field": field * signals[name] for name in FAMILIAR}
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
    length = len(words)
    spoken = label.lower().split()
    inner = any(map(str.isupper, label[1:]))
    return {
        **{name: float(length == n) for n, name in enumerate(_LENGTHS, 1)},
        **{name: float(label.lower().endswith(ends)) for name, ends in _SUFFIXES.items()},
        "a name": float(length == 1 and inner),
        "capitals inside": float(length > 1 and inner),
        "hyphen": float("-" in label),
        "letters per word": len(candidate.key) / length / 5,
        "word of degree": float(spoken[0] in DEGREES),
        "word of praise": float(any(word in OUTSIDE for word in spoken)),
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
    idfs = [frequencies.idf(word) for word in words]
    firsts, heads = _chosen_ends()
    return {
        "rarity": sum(idfs) / len(idfs),
        "commonest word": min(idfs),
        "rarest word": max(idfs),
        "rarity of first": idfs[0],
        "rarity of head": idfs[-1],
        "chosen by authors": frequencies.preference(key),
        "times chosen": math.log1p(frequencies.in_lists.get(key, 0)),
        "first chosen": _share(firsts[words[0]], words[0]),
        "head chosen": _share(heads[words[-1]], words[-1]),
    }


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
    before = {place.before for place in places}
    after = {place.after for place in places}
    found = {name: float(not words.isdisjoint(before)) for name, words in _BEFORE.items()}
    return found | {name: float(not words.isdisjoint(after)) for name, words in _AFTER.items()}


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
