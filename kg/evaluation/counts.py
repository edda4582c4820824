"""Counts of right, found and wanted things, and the rates that follow from them."""

from __future__ import annotations

from collections.abc import Iterable, Set as AbstractSet
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rates:
    """Precision, recall and F1, each 0..1."""

    precision: float = 0.0
    recall: float = 0.0
    f1: float = 0.0


@dataclass(frozen=True, slots=True)
class Counts:
    """How many were found, how many are in the gold, how many of the found are right.

    Example:
        >>> Counts(right=2, found=4, wanted=2).rates
        Rates(precision=0.5, recall=1.0, f1=0.6666666666666666)
    """

    right: int = 0
    found: int = 0
    wanted: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.right + other.right, self.found + other.found, self.wanted + other.wanted
        )

    @property
    def rates(self) -> Rates:
        """Return the rates; what cannot be divided is 0."""
        precision = self.right / self.found if self.found else 0.0
        recall = self.right / self.wanted if self.wanted else 0.0
        both = precision + recall
        return Rates(precision, recall, 2 * precision * recall / both if both else 0.0)


def compare(found: AbstractSet[object], wanted: AbstractSet[object]) -> Counts:
    """Return the counts of two sets."""
    return Counts(len(found & wanted), len(found), len(wanted))


def total(counts: Iterable[Counts]) -> Counts:
    """Return the pooled counts, whose rates are the micro average."""
    return sum(counts, Counts())


def mean(rates: Iterable[Rates]) -> Rates:
    """Return the mean of each rate, which is the macro average; zeros for none."""
    listed = list(rates)
    n = len(listed) or 1
    return Rates(
        sum(r.precision for r in listed) / n,
        sum(r.recall for r in listed) / n,
        sum(r.f1 for r in listed) / n,
    )
