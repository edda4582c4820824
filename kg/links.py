"""Links between papers: shared concepts and the similarity of abstracts, said apart.

    weight = shared + SIMILARITY_WEIGHT * similarity

``shared`` sums, over the concepts of both papers, the concept's idf times how much each
paper has to do with it (its role and confidence). A concept also counts, damped, for the
broader ones: "one-shot federated learning" meets "federated learning".

RARITY and SIMILARITY_WEIGHT were chosen with the help of 2,000 abstracts of machine learning:
papers whose authors chose a common rare keyword, which the graph was not shown, should be near.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from kg.hierarchy import with_broader
from kg.model import Concept, Evidence, Link

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
FREQUENCY_CAP = 500  # a concept of more papers proposes no candidates, though it counts in scores
NAMED = 5  # shared concepts that a link names

Floats = npt.NDArray[np.float64]


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
        self._candidates = sparse.csr_matrix(capped)
        self._candidates.eliminate_zeros()
        self._by_feature = sparse.csr_matrix(self._candidates.T)

    def scores(self, index: int, among: npt.NDArray[np.intp] | None = None) -> list[Score]:
        """Return the papers that relate to one paper, the strongest first.

        Args:
            index: The paper's place among the papers.
            among: Places of the papers to score; all of them by default.
        """
        others = np.arange(len(self._papers)) if among is None else among
        row = self._weighted[index]
        shared = np.round((self._features[others] @ row.T).toarray().ravel(), 6)
        cosine = self._vectors[others] @ self._vectors[index]
        similarity = np.round(np.clip(cosine.astype(float), 0.0, 1.0), 6)
        weight = np.round(shared + SIMILARITY_WEIGHT * similarity, 6)
        linked = (shared > 0) | (similarity >= SIMILARITY_FLOOR)
        order = [i for i in np.lexsort((others, -weight)) if linked[i] and others[i] != index]
        return [
            Score(int(others[i]), float(weight[i]), float(shared[i]), float(similarity[i]))
            for i in order
        ]

    def shared_concepts(self, a: int, b: int) -> tuple[str, ...]:
        """Return the ids of the concepts that two papers share, the most telling first."""
        product = self._weighted[a].multiply(self._features[b]).tocoo()
        found = sorted(
            zip(np.round(-product.data, 6), (self._concepts[i] for i in product.col), strict=True)
        )
        return tuple(concept for _, concept in found)

    def links(self, k: int = 10) -> list[Link]:
        """Return the links that are among the ``k`` strongest of either paper, sorted."""
        best: dict[tuple[int, int], Score] = {}
        for index, among in enumerate(self._candidate_rows()):
            for score in self.scores(index, among)[:k]:
                best[min(index, score.index), max(index, score.index)] = score
        return [
            Link(
                self._papers[a],
                self._papers[b],
                score.weight,
                score.shared,
                score.similarity,
                self.shared_concepts(a, b)[:NAMED],
            )
            for (a, b), score in sorted(best.items())
        ]

    def _candidate_rows(
        self, block: int = 512, nearest: int = 20
    ) -> Iterator[npt.NDArray[np.intp]]:
        """Yield, paper by paper, the places of the papers that are worth a full score."""
        for start in range(0, len(self._papers), block):
            rows = self._candidates[start : start + block] @ self._by_feature
            cosines = self._vectors[start : start + block] @ self._vectors.T
            n = min(nearest, cosines.shape[1])
            near = np.argpartition(-cosines, n - 1, axis=1)[:, :n]
            for i in range(cosines.shape[0]):
                by_concept = rows.indices[rows.indptr[i] : rows.indptr[i + 1]]
                yield np.union1d(by_concept, near[i])


def _features(
    papers: Sequence[str],
    concepts: Sequence[str],
    edges: Iterable[Evidence],
    broader: Mapping[str, Sequence[str]],
) -> sparse.csr_matrix:
    """Return papers x concepts: how much each paper has to do with each concept, 0..1."""
    row_of = {paper: i for i, paper in enumerate(papers)}
    column_of = {concept: i for i, concept in enumerate(concepts)}
    values: dict[tuple[int, int], float] = {}
    for edge in edges:
        strength = ROLE_WEIGHTS.get(edge.role, 0.5) * edge.confidence
        for concept, distance in with_broader(edge.concept, broader):
            cell = row_of[edge.paper], column_of[concept]
            values[cell] = max(values.get(cell, 0.0), strength * BROADER_DAMPING**distance)
    cells = sorted(values)
    rows, columns = (np.array(cells, dtype=np.intp).reshape(-1, 2)).T
    data = np.array([values[cell] for cell in cells])
    return sparse.csr_matrix((data, (rows, columns)), shape=(len(papers), len(concepts)))
