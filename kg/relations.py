"""Between concepts: which ones papers name together more often than chance has it.

Normalised pointwise mutual information (G. Bouma, 2009), over papers: 1 where two concepts
only ever come together, 0 where they do so as often as by chance. It favours what is rare, so
pairs are ranked by it times the discount of P. Pantel & D. Lin (2002), near 0 for few papers.
Pairs of which one is the more general are left out, as `Concept.broader` already says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from operator import itemgetter

import numpy as np
import numpy.typing as npt
from scipy import sparse

from kg.hierarchy import with_broader
from kg.model import Concept, Evidence, Relation

MIN_TOGETHER = 3
"""Papers that must name both; two may be one group's habit."""

MIN_NPMI = 0.1
"""Concepts that come together little more than by chance are not related."""

Floats = npt.NDArray[np.float64]

_BLOCK = 1024  # concepts whose partners are counted at a time


def relate_concepts(
    papers: int, edges: Iterable[Evidence], concepts: Iterable[Concept], k: int = 10
) -> list[Relation]:
    """Return the pairs that are among the ``k`` closest of either concept, sorted.

    Time and memory grow with the pairs that papers hold, not with the square of the corpus.

    Args:
        papers: How many papers the corpus has.
        edges: One a paper and concept, in any order.
        concepts: The concepts, with their broader ones.
        k: Partners of a concept at most; of frequent partners of others it may have more.

    Example:
        >>> edges = [Evidence(p, c, "uses", "abstract", 0, 1, c, c, 0, 1.0, "e", "1")
        ...          for p in "pqr" for c in "xy"]
        >>> relate_concepts(9, edges, [Concept("x", "x", "task"), Concept("y", "y", "task")])
        [Relation(concept='x', other='y', papers=3, npmi=1.0, weight=0.5625)]
    """
    broader = {concept.id: concept.broader for concept in concepts}
    names, incidence = _incidence(edges)
    best: set[Relation] = set()
    for one, partners in groupby(_pairs(incidence, papers), key=itemgetter(0)):
        found = (
            Relation(*sorted((names[one], names[other])), *numbers)
            for _, other, *numbers in partners
        )
        best.update(islice((r for r in found if not _one_is_broader(r, broader)), k))
    return sorted(best, key=lambda relation: (relation.concept, relation.other))


def _incidence(edges: Iterable[Evidence]) -> tuple[list[str], sparse.csc_matrix]:
    """Return the concepts of enough papers, and papers x concepts: who names what."""
    pairs = sorted({(edge.paper, edge.concept) for edge in edges})
    papers = {paper: i for i, paper in enumerate(dict.fromkeys(paper for paper, _ in pairs))}
    counts: dict[str, int] = {}
    for _, concept in pairs:
        counts[concept] = counts.get(concept, 0) + 1
    names = sorted(concept for concept, count in counts.items() if count >= MIN_TOGETHER)
    column = {concept: i for i, concept in enumerate(names)}
    cells = [(papers[paper], column[concept]) for paper, concept in pairs if concept in column]
    rows, columns = np.array(cells, dtype=np.intp).reshape(-1, 2).T
    ones = np.ones(len(cells), dtype=np.float64)
    return names, sparse.csc_matrix((ones, (rows, columns)), shape=(len(papers), len(names)))


def _pairs(
    incidence: sparse.csc_matrix, papers: int
) -> Iterator[tuple[int, int, int, float, float]]:
    """Yield one concept, another, papers of both, npmi, weight: by the one, the closest first."""
    frequency = np.asarray(incidence.sum(axis=0)).ravel()
    for start in range(0, len(frequency), _BLOCK):
        block = (incidence[:, start : start + _BLOCK].T @ incidence).tocoo()
        one, other, together = block.row + start, block.col, block.data
        enough = (together >= MIN_TOGETHER) & (one != other)
        one, other, together = one[enough], other[enough], together[enough]
        npmi = _npmi(together, frequency[one], frequency[other], papers)
        weight = _discounted(npmi, together, np.minimum(frequency[one], frequency[other]))
        for i in np.lexsort((other, -weight, one)):
            if npmi[i] >= MIN_NPMI:
                yield int(one[i]), int(other[i]), int(together[i]), float(npmi[i]), float(weight[i])


def _npmi(together: Floats, one: Floats, other: Floats, papers: int) -> Floats:
    """Return the normalised information of each pair, -1..1, rounded to six decimals."""
    joint = together / papers
    information = np.log(joint * papers**2 / (one * other))
    npmi = np.zeros(len(joint))
    np.divide(information, -np.log(joint), out=npmi, where=joint < 1)  # in all papers: by chance
    return np.round(npmi, 6)


def _discounted(npmi: Floats, together: Floats, rarer: Floats) -> Floats:
    """Return each pair's weight: less the fewer papers name both, or the rarer of the two."""
    weights: Floats = npmi * together / (together + 1) * rarer / (rarer + 1)
    return np.round(weights, 6)


def _one_is_broader(relation: Relation, broader: Mapping[str, Sequence[str]]) -> bool:
    pair = relation.concept, relation.other
    return any(
        above == other
        for one, other in (pair, pair[::-1])
        for above, _ in with_broader(one, broader)
    )
