"""Links between papers: shared concepts and the similarity of abstracts, said apart.

    weight = shared + SIMILARITY_WEIGHT * similarity

``shared`` sums, over the concepts of both papers, the concept's idf times how much each
paper has to do with it (its role and confidence). A concept also counts, damped, for the
broader ones: "one-shot federated learning" meets "federated learning".

RARITY and SIMILARITY_WEIGHT were chosen with the help of 2,000 abstracts of machine learning:
papers whose authors chose a common rare keyword, which the graph was not shown, should be near.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import starmap
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from kg.incidence import Floats, Places, incidence, weights
from kg.model import Concept
from kg.nearest import nearest
from kg.proposals import Proposals, frequencies, scaled
from kg.tables import SCHEMAS

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
NAMED = 5  # shared concepts that a link names

_BLOCK = 128  # papers whose candidates are scored at a time
_PAIRS = 1 << 16  # links whose shared concepts are named at a time
_MARGIN = 1e-3  # of weights in single precision


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
        edges: One row a paper and concept: columns paper, concept, role, confidence.
        concepts: The concepts, with their broader ones.
        vectors: Unit vectors of the papers' texts, shape (len(papers), d); a zero row where
            a paper has no text.

    Example:
        >>> edges = pa.table({"paper": ["p", "q"], "concept": ["x", "x"],
        ...                   "role": ["uses", "studies"], "confidence": [1.0, 1.0]})
        >>> linker = Linker(["p", "q"], edges, [Concept("x", "x", "method")], np.zeros((2, 1)))
        >>> linker.links(k=1)["concepts"].to_pylist()
        [['x']]
    """

    def __init__(
        self,
        papers: Sequence[str],
        edges: pa.Table,
        concepts: Iterable[Concept],
        vectors: npt.NDArray[np.floating],
    ) -> None:
        self._papers = papers
        self._vectors = np.asarray(vectors, dtype=np.float32)
        broader = dict(sorted((concept.id, concept.broader) for concept in concepts))
        self._concepts = list(broader)
        roles = weights(edges["role"], ROLE_WEIGHTS, ROLE_WEIGHTS["mentions"])
        strengths = roles * edges["confidence"].to_numpy()
        self._features = incidence(edges, papers, broader, strengths, BROADER_DAMPING)
        frequency = np.maximum(frequencies(self._features), 1)
        self._idf = np.log1p(len(papers) / frequency) ** RARITY
        self._weighted = scaled(self._features, self._idf)

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
        concepts, _ = self._named(np.array([a]), np.array([b]), len(self._concepts))
        return tuple(self._concepts[i] for i in concepts)

    def links(self, k: int = 10) -> pa.Table:
        """Return the links that are among the ``k`` strongest of either paper, sorted.

        Returns:
            The table "related" of `kg.tables`.
        """
        near = nearest(self._vectors)
        starts = range(0, len(self._papers), _BLOCK)
        blocks = [self._best(start, near[start : start + _BLOCK], k) for start in starts]
        if not blocks:
            return SCHEMAS["related"].empty_table()
        ones, others, *numbers = map(np.concatenate, zip(*blocks, strict=True))
        low, high = np.minimum(ones, others), np.maximum(ones, others)
        _, first = np.unique(low * len(self._papers) + high, return_index=True)
        low, high = low[first], high[first]
        papers = pa.array(self._papers, pa.string())
        ends = [papers.take(pa.array(end)) for end in (low, high)]
        columns = [*ends, *(column[first] for column in numbers), self._names(low, high)]
        return pa.Table.from_arrays(list(map(pa.array, columns)), schema=SCHEMAS["related"])

    def _best(self, start: int, near: Places, k: int) -> tuple[npt.NDArray[Any], ...]:
        """Return the columns of `_scored` for the ``k`` strongest of each paper of a block.

        Those are looked for among the papers of nearest words and those of most shared concepts.
        """
        rows = np.arange(start, start + len(near))
        others, shared = self._proposals.of(start, start + len(near))
        row, place = np.nonzero(self._promising(rows, others, shared, k))
        ones = np.concatenate([np.repeat(rows, near.shape[1]), rows[row]])
        keys = ones * len(self._papers) + np.concatenate([near.ravel(), others[row, place]])
        one, other = np.divmod(_distinct(keys), len(self._papers))
        columns = self._scored(one[one != other], other[one != other])
        ranks = np.arange(len(columns[0])) - np.searchsorted(columns[0], columns[0])
        return tuple(column[ranks < k] for column in columns)

    def _promising(
        self, rows: Places, others: Places, shared: Floats, k: int
    ) -> npt.NDArray[np.bool_]:
        """Tell which pairs may be among the ``k`` strongest of a row.

        By Cauchy and Schwarz, what two papers share of frequent concepts is at most the product of
        what they have of them.

        Args:
            rows: Papers, shape (m,).
            others: Their proposals, shape (m, n); -1 is none.
            shared: What they share but for frequent concepts.
            k: How many are looked for.
        """
        cosines = np.matmul(self._vectors[others], self._vectors[rows, :, None])[..., 0]
        least = shared + SIMILARITY_WEIGHT * np.maximum(cosines, 0)
        least[(others < 0) | (others == rows[:, None])] = -np.inf
        most = least + self._frequent[rows, None] * self._frequent[others]
        bar = np.partition(least, -min(k, least.shape[1]), axis=1)[:, -k:].min(axis=1)
        promising: npt.NDArray[np.bool_] = np.isfinite(least) & (most > bar[:, None] - _MARGIN)
        return promising

    @cached_property
    def _proposals(self) -> Proposals:
        return Proposals(self._features, self._idf)

    @cached_property
    def _frequent(self) -> Floats:
        """What each paper has of frequent concepts: the length of that part of its features."""
        idf = np.where(self._proposals.frequent, self._idf, 0.0)
        squares = scaled(self._features.power(2), idf).sum(axis=1)
        lengths: Floats = np.sqrt(np.asarray(squares).ravel())
        return lengths

    def _scored(self, rows: Places, others: Places) -> tuple[npt.NDArray[Any], ...]:
        """Return rows, others, weights, shared, similarities of the pairs that are linked.

        They are sorted by row, the strongest first; of the same strength they stay in order.
        """
        product = self._weighted[rows].multiply(self._features[others]).tocoo()
        shared = np.bincount(product.row, product.data, minlength=len(rows))
        # In double precision, so that six decimals are the same whatever adds them up.
        cosine = np.einsum("ij,ij->i", self._vectors[rows], self._vectors[others], dtype=np.float64)
        similarity = np.round(np.clip(cosine, 0.0, 1.0), 6)
        shared = np.round(shared, 6)
        weight = np.round(shared + SIMILARITY_WEIGHT * similarity, 6)
        order = np.lexsort((-weight, rows))
        order = order[((shared > 0) | (similarity >= SIMILARITY_FLOOR))[order]]
        return tuple(column[order] for column in (rows, others, weight, shared, similarity))

    def _names(self, ones: Places, others: Places) -> pa.ListArray:
        """Return the ids of the concepts that each pair shares, the most telling first."""
        ids = pa.array(self._concepts, pa.string())
        found, counts = [ids.slice(0, 0)], [np.zeros(1, np.intp)]
        for start in range(0, len(ones), _PAIRS):
            pairs = slice(start, start + _PAIRS)
            concepts, count = self._named(ones[pairs], others[pairs], NAMED)
            found.append(ids.take(pa.array(concepts)))
            counts.append(count)
        ends = pa.array(np.cumsum(np.concatenate(counts)), pa.int32())
        return pa.ListArray.from_arrays(ends, pa.concat_arrays(found))

    def _named(self, ones: Places, others: Places, most: int) -> tuple[Places, Places]:
        """Return the ``most`` telling concepts that each pair shares, pair by pair, and how many.

        Those of a pair are sorted, the most telling first.
        """
        product = self._weighted[ones].multiply(self._features[others]).tocoo()
        order = np.lexsort((product.col, np.round(-product.data, 6), product.row))
        pair = product.row[order]
        kept = np.arange(len(pair)) - np.searchsorted(pair, pair) < most
        return product.col[order][kept], np.bincount(pair[kept], minlength=len(ones))


def _distinct(keys: Places) -> Places:
    """Return each of the keys once, sorted."""
    ordered = np.sort(keys)
    return ordered[np.diff(ordered, prepend=-1) > 0]
