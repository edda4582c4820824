"""Links between papers: shared concepts and the similarity of abstracts, said apart.

    weight = shared + SIMILARITY_WEIGHT * similarity

``shared`` sums, over the concepts of both papers, the concept's idf times how much each
paper has to do with it (its role and confidence). A concept also counts, damped, for the
broader ones: "one-shot federated learning" meets "federated learning".

RARITY and SIMILARITY_WEIGHT were chosen with the help of 2,000 abstracts of machine learning:
papers whose authors chose a common rare keyword, which the graph was not shown, should be near.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import starmap
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from kg.hierarchy import with_broader
from kg.model import Concept, Evidence, Link
from kg.nearest import nearest

ROLE_WEIGHTS = {
    "proposes": 1.0,
    "studies": 1.0,
    "uses": 0.8,
    "evaluates_on": 0.7,
    "compares_with": 0.6,
    "mentions": 0.5,
}
BROADER_DAMPING = 0.5
RARITY = 1.5  # power of the idf: what few papers share tells more than the idf alone says
SIMILARITY_WEIGHT = 6.0
SIMILARITY_FLOOR = 0.2  # from here on, papers without a shared concept are linked too
FREQUENCY_CAP = 1000  # a concept of more papers proposes no candidates, though it counts in scores
CANDIDATES = 128  # papers of most shared concepts that are scored in full
NAMED = 5  # shared concepts that a link names

_BLOCK = 512  # papers whose candidates are scored at a time
_PAIRS = 1 << 16  # links whose shared concepts are named at a time

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Score:
    """How one paper relates to another; ``index`` is the other's place among the papers."""

    index: int
    weight: float
    shared: float
    similarity: float


class Linker:
    """Scores pairs of papers.

    Args:
        papers: Ids of the papers, sorted.
        edges: One a paper and concept.
        concepts: The concepts, with their broader ones.
        vectors: Unit vectors of the papers' texts, shape (len(papers), d); a zero row where
            a paper has no text.

    Example:
        >>> edges = [Evidence(p, "x", "uses", "abstract", 0, 1, "x", "x", 0, 1.0, "e", "1")
        ...          for p in ("p", "q")]
        >>> linker = Linker(["p", "q"], edges, [Concept("x", "x", "method")], np.zeros((2, 1)))
        >>> [link.concepts for link in linker.links(k=1)]
        [('x',)]
    """

    def __init__(
        self,
        papers: Sequence[str],
        edges: Iterable[Evidence],
        concepts: Iterable[Concept],
        vectors: npt.NDArray[np.floating],
    ) -> None:
        self._papers = papers
        self._vectors = np.asarray(vectors, dtype=np.float32)
        broader = {concept.id: concept.broader for concept in concepts}
        self._concepts = sorted(broader)
        self._features = _features(papers, self._concepts, edges, broader)
        frequency = np.diff(self._features.tocsc().indptr)
        idf = np.log1p(len(papers) / np.maximum(frequency, 1)) ** RARITY
        self._weighted = self._features @ sparse.diags(idf)
        capped = self._weighted @ sparse.diags((frequency <= FREQUENCY_CAP).astype(float))
        self._capped = sparse.csr_matrix(capped)
        self._capped.eliminate_zeros()

    def scores(self, index: int) -> list[Score]:
        """Return the papers that relate to one paper, the strongest first.

        Args:
            index: The paper's place among the papers.
        """
        others = np.delete(np.arange(len(self._papers)), index)
        columns = self._scored(np.full(len(others), index), others)
        return list(starmap(Score, zip(*(column.tolist() for column in columns[1:]), strict=True)))

    def shared_concepts(self, a: int, b: int) -> tuple[str, ...]:
        """Return the ids of the concepts that two papers share, the most telling first."""
        (found,) = self._named(np.array([a]), np.array([b]), len(self._concepts))
        return found

    def links(self, k: int = 10) -> list[Link]:
        """Return the links that are among the ``k`` strongest of either paper, sorted."""
        near = nearest(self._vectors)
        starts = range(0, len(self._papers), _BLOCK)
        blocks = [self._best(start, near[start : start + _BLOCK], k) for start in starts]
        if not blocks:
            return []
        ones, others, *numbers = map(np.concatenate, zip(*blocks, strict=True))
        pairs = np.sort(np.stack([ones, others], axis=1), axis=1)
        pairs, first = np.unique(pairs, axis=0, return_index=True)
        columns = [column[first].tolist() for column in numbers]
        names = self._named(pairs[:, 0], pairs[:, 1], NAMED)
        return [
            Link(self._papers[a], self._papers[b], weight, shared, similarity, concepts)
            for (a, b), weight, shared, similarity, concepts in zip(
                pairs.tolist(), *columns, names, strict=True
            )
        ]

    @cached_property
    def _by_feature(self) -> sparse.csr_matrix:
        return sparse.csr_matrix(self._capped.T)

    def _best(self, start: int, near: Places, k: int) -> tuple[npt.NDArray[Any], ...]:
        """Return the columns of `_scored` for the ``k`` strongest of each paper of a block."""
        rows, others = self._candidates(start, near)
        columns = self._scored(rows, others)
        ranks = np.arange(len(columns[0])) - np.searchsorted(columns[0], columns[0])
        return tuple(column[ranks < k] for column in columns)

    def _candidates(self, start: int, near: Places) -> tuple[Places, Places]:
        """Return pairs that are worth a full score, those of a paper in a row, each once.

        They are the papers of nearest words and, but for the frequent concepts, most shared ones.
        """
        product = self._capped[start : start + len(near)] @ self._by_feature
        rows = [np.repeat(np.arange(len(near)), near.shape[1])]
        others = [near.ravel()]
        for i in range(len(near)):
            cells = slice(product.indptr[i], product.indptr[i + 1])
            best, shared = product.indices[cells], product.data[cells]
            if len(best) > CANDIDATES:
                best = best[np.argpartition(-shared, CANDIDATES)[:CANDIDATES]]
            rows.append(np.full(len(best), i))
            others.append(best)
        row, other = np.concatenate(rows) + start, np.concatenate(others)
        keys = np.unique(row * len(self._papers) + other)
        row, other = np.divmod(keys, len(self._papers))
        return row[row != other], other[row != other]

    def _scored(self, rows: Places, others: Places) -> tuple[npt.NDArray[Any], ...]:
        """Return rows, others, weights, shared, similarities of the pairs that are linked.

        They are sorted by row, the strongest first.
        """
        product = self._weighted[rows].multiply(self._features[others]).tocoo()
        shared = np.bincount(product.row, product.data, minlength=len(rows))
        # In double precision, so that six decimals are the same whatever adds them up.
        cosine = np.einsum("ij,ij->i", self._vectors[rows], self._vectors[others], dtype=np.float64)
        similarity = np.round(np.clip(cosine, 0.0, 1.0), 6)
        shared = np.round(shared, 6)
        weight = np.round(shared + SIMILARITY_WEIGHT * similarity, 6)
        order = np.lexsort((others, -weight, rows))
        order = order[((shared > 0) | (similarity >= SIMILARITY_FLOOR))[order]]
        return tuple(column[order] for column in (rows, others, weight, shared, similarity))

    def _named(self, ones: Places, others: Places, most: int) -> list[tuple[str, ...]]:
        """Return the ids of the ``most`` telling concepts that each pair shares, at most."""
        found: list[tuple[str, ...]] = []
        for start in range(0, len(ones), _PAIRS):
            some = slice(start, start + _PAIRS)
            product = self._weighted[ones[some]].multiply(self._features[others[some]]).tocoo()
            order = np.lexsort((product.col, np.round(-product.data, 6), product.row))
            columns = product.col[order]
            ends = np.cumsum(np.bincount(product.row, minlength=len(ones[some])))
            found += (
                tuple(self._concepts[i] for i in columns[first : min(first + most, end)])
                for first, end in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True)
            )
        return found


def _features(
    papers: Sequence[str],
    concepts: Sequence[str],
    edges: Iterable[Evidence],
    broader: Mapping[str, Sequence[str]],
) -> sparse.csr_matrix:
    """Return papers x concepts: how much each paper has to do with each concept, 0..1."""
    row_of = {paper: i for i, paper in enumerate(papers)}
    column_of = {concept: i for i, concept in enumerate(concepts)}

    @cache
    def above(concept: str) -> list[tuple[int, float]]:
        found = with_broader(concept, broader)
        return [(column_of[name], BROADER_DAMPING**distance) for name, distance in found]

    cells = (
        (row_of[edge.paper], column, ROLE_WEIGHTS.get(edge.role, 0.5) * edge.confidence * damping)
        for edge in edges
        for column, damping in above(edge.concept)
    )
    found = np.fromiter(cells, dtype=[("row", np.intp), ("column", np.intp), ("value", float)])
    keys, cell = np.unique(found["row"] * len(concepts) + found["column"], return_inverse=True)
    data = np.zeros(len(keys))
    np.maximum.at(data, cell, found["value"])
    places = np.divmod(keys, max(len(concepts), 1))
    return sparse.csr_matrix((data, places), shape=(len(papers), len(concepts)))
