"""Entities: exact spans, overlapping spans, and the set of names in each document."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from kg.evaluation.counts import Counts, compare
from kg.evaluation.documents import Aligned, Document, Entity
from kg.evaluation.phrases import stem_phrase

Table = dict[str, Counts]


@dataclass(frozen=True, slots=True)
class SpanScores:
    """Counts by label, the most frequent label of the gold first; `total` gives the micro average.

    Args:
        documents: How many were annotated.
        exact: Same start, end and label.
        overlap: A shared character and the same label; one-to-one, as many as can be matched.
        names: Per document the set of (stemmed lower-case words, label).
        ignored: Predictions left out because they lie on spans that the gold ignores.
        outside: Predictions left out because the text ends before they do.
    """

    documents: int
    exact: Mapping[str, Counts]
    overlap: Mapping[str, Counts]
    names: Mapping[str, Counts]
    ignored: int = 0
    outside: int = 0


def score_spans(documents: Collection[Aligned]) -> SpanScores:
    """Return how well entities were found.

    Args:
        documents: Each annotated with entities.
    """
    exact: Table = defaultdict(Counts)
    overlap: Table = defaultdict(Counts)
    names: Table = defaultdict(Counts)
    ignored = outside = 0
    for gold, predicted in documents:
        inside = within(gold, predicted)
        kept = not_ignored(gold, inside)
        outside += len(set(predicted.spans)) - len(inside)
        ignored += len(_places(inside)) - len(_places(kept))
        for label in {span.label for span in (*gold.spans, *kept)}:
            found = _places(span for span in kept if span.label == label)
            wanted = _places(span for span in gold.spans if span.label == label)
            exact[label] += compare(found, wanted)
            overlap[label] += Counts(matched(found, wanted), len(found), len(wanted))
            names[label] += compare(_names(gold, found), _names(gold, wanted))
    order = sorted(exact, key=lambda label: (-exact[label].wanted, label))
    return SpanScores(
        documents=len(documents),
        exact={label: exact[label] for label in order},
        overlap={label: overlap[label] for label in order},
        names={label: names[label] for label in order},
        ignored=ignored,
        outside=outside,
    )


def within(gold: Document, predicted: Document) -> set[Entity]:
    """Return the predicted spans that the gold's text holds."""
    end = len(gold.text)
    return {span for span in predicted.spans if 0 <= span.start < span.end <= end}


def not_ignored(gold: Document, spans: set[Entity]) -> set[Entity]:
    """Return the spans that lie on no ignored span, or on a span of the gold besides."""
    return {
        span
        for span in spans
        if not any(map(span.overlaps, gold.ignored)) or any(map(span.overlaps, gold.spans))
    }


def matched(found: Iterable[Entity], wanted: Iterable[Entity]) -> int:
    """Return how many pairs of overlapping spans there are at most, each span in one of them.

    Example:
        >>> matched([Entity(0, 9, "X")], [Entity(0, 3, "X"), Entity(5, 9, "X")])
        1
    """
    rows = np.array(sorted((s.start, s.end) for s in found), dtype=np.int64).reshape(-1, 1, 2)
    columns = np.array(sorted((s.start, s.end) for s in wanted), dtype=np.int64).reshape(1, -1, 2)
    shared = (rows[..., 0] < columns[..., 1]) & (columns[..., 0] < rows[..., 1])
    if not shared.any():
        return 0
    partners = maximum_bipartite_matching(csr_array(shared), perm_type="column")
    return int(np.count_nonzero(partners >= 0))


def _places(spans: Iterable[Entity]) -> set[Entity]:
    """Return the spans without what is not compared here, each once."""
    return {Entity(span.start, span.end, span.label) for span in spans}


def _names(document: Document, spans: Iterable[Entity]) -> set[str]:
    return {stem_phrase(document.words(span)) for span in spans}
