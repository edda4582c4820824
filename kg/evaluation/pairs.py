"""Abbreviations: pairs of a short and a long form."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from kg.evaluation.counts import Counts, compare
from kg.evaluation.documents import Aligned, Pair


@dataclass(frozen=True, slots=True)
class PairScores:
    """Counts of pairs, and of short forms whatever their long form.

    Args:
        documents: How many were annotated.
        pairs: Same short form as written, same long form in lower case.
        short_forms: Same short form.
    """

    documents: int
    pairs: Counts
    short_forms: Counts


def score_abbreviations(documents: Collection[Aligned]) -> PairScores:
    """Return how well abbreviations were found.

    Args:
        documents: Each annotated with abbreviations.
    """
    pairs = short_forms = Counts()
    for gold, predicted in documents:
        wanted = _normal(gold.abbreviations)
        found = _normal(predicted.abbreviations) - (_normal(gold.neutral_abbreviations) - wanted)
        pairs += compare(found, wanted)
        short_forms += compare({short for short, _ in found}, {short for short, _ in wanted})
    return PairScores(len(documents), pairs, short_forms)


def _normal(pairs: Iterable[Pair] | None) -> set[Pair]:
    return {(short.strip(), " ".join(long.split()).lower()) for short, long in pairs or ()}
