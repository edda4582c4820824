"""Key phrases: F1 of the best five, the best ten and all, micro and macro."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from extractors.stems import stem
from kg.evaluation.counts import Counts, Rates, compare, mean, total
from kg.evaluation.documents import Aligned, Document

CUTS: dict[str, int | None] = {"5": 5, "10": 10, "M": None}
"""How many of the phrases count, best first; M is all that were given."""

_WORD = re.compile(r"[^\W_]+(?:\+\+|#)?")


@dataclass(frozen=True, slots=True)
class Ranking:
    """Scores of the phrases up to one cut.

    Args:
        micro: Counts over all documents.
        macro: Mean of the documents' rates.
    """

    micro: Counts
    macro: Rates


@dataclass(frozen=True, slots=True)
class KeyphraseScores:
    """Scores against all phrases of the gold, and against those that its text holds.

    Args:
        documents: How many have a phrase in the gold; others are left out.
        with_present: How many have one that the text holds.
        all: Cut -> scores; the cuts are those of `CUTS`.
        present: The same against the phrases that the text holds.
    """

    documents: int
    with_present: int
    all: Mapping[str, Ranking]
    present: Mapping[str, Ranking]


def stem_phrase(phrase: str) -> str:
    """Return a phrase's lower-case words, stemmed (Porter, 1980), without punctuation.

    Example:
        >>> stem_phrase("Graph-Neural Networks"), stem_phrase("C++ (2nd)")
        ('graph neural network', 'c++ 2nd')
    """
    return " ".join(map(stem, _WORD.findall(phrase.lower())))


def score_keyphrases(documents: Iterable[Aligned]) -> KeyphraseScores:
    """Return how well phrases were found; words are compared by their stems.

    Precision divides by the phrases that were given, up to the cut. Phrases that have the same
    stems are one.

    Args:
        documents: Each annotated with key phrases.
    """
    ranked = [(d, _keys(d), list(_keys(predicted))) for d, predicted in documents]
    of_all = [(found, set(wanted)) for _, wanted, found in ranked if wanted]
    of_present = [
        (found, present) for d, wanted, found in ranked if (present := set(_present(d, wanted)))
    ]
    return KeyphraseScores(len(of_all), len(of_present), _rankings(of_all), _rankings(of_present))


def _keys(document: Document) -> dict[str, None]:
    """Return the stemmed phrases, each once, in their order."""
    return dict.fromkeys(filter(None, map(stem_phrase, document.keyphrases or ())))


def _present(document: Document, phrases: Iterable[str]) -> Iterator[str]:
    text = f" {stem_phrase(document.text)} "
    return (phrase for phrase in phrases if f" {phrase} " in text)


def _rankings(documents: list[tuple[list[str], set[str]]]) -> dict[str, Ranking]:
    rankings = {}
    for name, cut in CUTS.items():
        counts = [compare(set(found[:cut]), wanted) for found, wanted in documents]
        rankings[name] = Ranking(total(counts), mean(c.rates for c in counts))
    return rankings
