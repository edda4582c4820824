"""Trends: the share of papers that a concept has year by year, and whether it rises or falls.

The test is that of Cochran (1954) and Armitage (1955) for a trend in proportions, in its
conditional form with a continuity correction. Where the years scatter more than chance allows
(other venues, a year of one workshop), the statistic is divided by that dispersion. All
concepts are tested together, so p-values are those of Benjamini & Hochberg (1995).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from kg.model import Evidence

MIN_PAPERS = 8
"""A concept of fewer papers is not tested: three papers of one year are no trend."""

MIN_YEARS = 3
"""Over fewer years nothing is called a trend."""

FALSE_DISCOVERY_RATE = 0.05
"""Of the trends that are told, at most this share is expected to be chance."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Share:
    """What a concept has of one year's papers.

    Args:
        year: The year.
        papers: Papers of the year that name the concept.
        total: All papers of the year.
    """

    year: int
    papers: int
    total: int

    @property
    def share(self) -> float:
        """Part of the year's papers that name the concept, 0..1; 0 in a year without papers."""
        return self.papers / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class Trend:
    """A concept through the years.

    Args:
        concept: The concept's id.
        shares: One a year of the corpus, in order.
        slope: Change of the share in a year, as a part of all papers (0.01: one in a hundred).
        z: The test's statistic, positive where the share rises; 0 where it was not tested.
        q: Chance of such a trend among all that were tested, 0..1; 1 where it was not.
    """

    concept: str
    shares: tuple[Share, ...]
    slope: float
    z: float
    q: float

    @property
    def papers(self) -> int:
        """Papers of a known year that name the concept."""
        return sum(share.papers for share in self.shares)

    @property
    def direction(self) -> str:
        """Which way: "rising", "falling", or "steady" where chance may explain what is seen."""
        if self.q > FALSE_DISCOVERY_RATE:
            return "steady"
        return "rising" if self.z > 0 else "falling"


def find_trends(
    years: Mapping[str, int | None], edges: Iterable[Evidence], since: int | None = None
) -> list[Trend]:
    """Return the trend of every concept, the surest first; those not tested come last.

    Args:
        years: Paper -> year; papers of no known year do not count.
        edges: One a paper and concept, in any order.
        since: First year that counts; the corpus's first if none is given.

    Example:
        >>> years = {f"{y}-{i}": y for y in (2020, 2021, 2022) for i in range(40)}
        >>> edges = [Evidence(p, "x", "uses", "abstract", 0, 1, "x", "x", 0, 1.0, "e", "1")
        ...          for p, y in years.items() if int(p[5:]) < 8 * (y - 2020)]
        >>> [(trend.concept, trend.direction) for trend in find_trends(years, edges)]
        [('x', 'rising')]
    """
    dated = {p: y for p, y in years.items() if y is not None and (since is None or y >= since)}
    named = {(edge.concept, edge.paper) for edge in edges if edge.paper in dated}
    if not named:
        return []
    concepts = sorted({concept for concept, _ in named})
    known = sorted(set(dated.values()))
    counts = _count(concepts, known, ((concept, dated[paper]) for concept, paper in named))
    papers = Counter(dated.values())
    totals = np.array([papers[year] for year in known], dtype=float)
    slopes, z = _test(counts, totals, np.array(known, dtype=float))
    tested = (counts.sum(axis=1) >= MIN_PAPERS) & (len(known) >= MIN_YEARS)
    z[~tested] = 0.0
    q = np.ones(len(concepts))
    q[tested] = _adjusted(2 * ndtr(-np.abs(z[tested])))
    trends = [
        Trend(
            concept,
            tuple(map(Share, known, counts[i].astype(int).tolist(), totals.astype(int).tolist())),
            round(float(slopes[i]), 6),
            round(float(z[i]), 6),
            round(float(q[i]), 6),
        )
        for i, concept in enumerate(concepts)
    ]
    return sorted(trends, key=lambda trend: (trend.q, -abs(trend.z), trend.concept))


def _count(
    concepts: Sequence[str], years: Sequence[int], named: Iterable[tuple[str, int]]
) -> Floats:
    """Return concepts x years: how many papers of a year name a concept."""
    row = {concept: i for i, concept in enumerate(concepts)}
    column = {year: i for i, year in enumerate(years)}
    counts = np.zeros((len(concepts), len(years)))
    places = np.array([(row[concept], column[year]) for concept, year in named], dtype=np.intp)
    np.add.at(counts, tuple(places.T), 1)
    return counts


def _test(counts: Floats, totals: Floats, years: Floats) -> tuple[Floats, Floats]:
    """Return each concept's slope (share a year) and the statistic of its trend.

    Args:
        counts: Papers by concept and year, shape (n, m).
        totals: Papers by year, shape (m,).
        years: The years, shape (m,).
    """
    papers = totals.sum()
    share = counts.sum(axis=1) / papers
    centred = years - (totals @ years) / papers
    spread = totals @ centred**2
    observed = counts @ centred
    slopes = observed / spread if spread else np.zeros(len(counts))
    variance = share * (1 - share) * spread * papers / max(papers - 1, 1)
    corrected = np.sign(observed) * np.maximum(np.abs(observed) - 0.5, 0)
    z = np.divide(corrected, np.sqrt(variance), where=variance > 0, out=np.zeros(len(counts)))
    return slopes, z / np.sqrt(_dispersion(counts, totals, share, slopes[:, None] * centred))


def _dispersion(counts: Floats, totals: Floats, share: Floats, line: Floats) -> Floats:
    """Return how much the years scatter about the line of the trend, 1 as chance has it."""
    expected = np.clip(share[:, None] + line, 0, 1) * totals
    variance = np.maximum((share * (1 - share))[:, None] * totals, 1e-12)
    scatter: Floats = ((counts - expected) ** 2 / variance).sum(axis=1)
    return np.maximum(scatter / max(len(totals) - 2, 1), 1.0)


def _adjusted(p: Floats) -> Floats:
    """Return p-values as Benjamini and Hochberg adjust them for many tests."""
    order = np.argsort(p, kind="stable")
    ranks = np.arange(1, len(p) + 1)
    scaled = np.minimum.accumulate((p[order] * len(p) / ranks)[::-1])[::-1]
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(scaled, 1.0)
    return adjusted
