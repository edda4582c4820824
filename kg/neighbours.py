"""The papers about a paper, with the concepts and the sentences that make each link."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from kg.hierarchy import with_broader
from kg.links import Linker
from kg.model import Concept, Evidence, Related, Shared
from kg.query import Catalog


@dataclass(frozen=True, slots=True, repr=False)
class Common:
    """A concept that two papers have in common, and what each says of it.

    Args:
        concept: The concept, or the more general one of what each names.
        papers: How many papers of the graph name it or a narrower one.
        here: Where the one paper names it; its role says what the paper does with it.
        there: Where the other does.
    """

    concept: Concept
    papers: int
    here: Evidence
    there: Evidence

    def __repr__(self) -> str:
        roles = f"{self.here.role!r}, {self.there.role!r}"
        return f"Common({self.concept.label!r}, {roles}, papers={self.papers})"


def linker_of(catalog: Catalog, edges: pa.Table, vectors: pa.Table) -> Linker:
    """Return what scores the pairs of a graph's papers.

    Args:
        catalog: The graph's records.
        edges: The table of its edges.
        vectors: The table of the papers' vectors.
    """
    numbers = vectors["vector"].combine_chunks().flatten().to_numpy()
    shape = len(vectors), len(numbers) // max(len(vectors), 1)
    return Linker(list(catalog.papers), edges, catalog.concepts.values(), numbers.reshape(shape))


def find_related(catalog: Catalog, linker: Linker, paper: str, n: int) -> list[Related]:
    """Return the ``n`` papers that relate most to a paper, the strongest first.

    Args:
        catalog: The graph's records.
        linker: What scores its pairs of papers.
        paper: The paper's id.
        n: How many at most.
    """
    ids = list(catalog.papers)
    index = ids.index(paper)
    return [
        Related(
            catalog.papers[ids[score.index]],
            score.weight,
            score.shared,
            score.similarity,
            tuple(
                share(catalog, concept, paper, ids[score.index])
                for concept in linker.shared_concepts(index, score.index)
            ),
        )
        for score in linker.scores(index)[: max(n, 0)]
    ]


def find_common(catalog: Catalog, paper: str, other: str) -> list[Common]:
    """Return the concepts that two papers have in common, the rarest first.

    Two papers also meet in a more general concept of what each names, unless something more
    special that they have in common says as much.

    Args:
        catalog: The graph's records.
        paper: The one paper's id.
        other: The other's.
    """
    here, there = (_named(catalog, which) for which in (paper, other))
    both = {concept: here[concept] + there[concept] for concept in here.keys() & there.keys()}
    implied = {
        above
        for concept, distance in both.items()
        for above, _ in with_broader(concept, catalog.broader)
        if both[above] > distance
    }
    found = [share(catalog, concept, paper, other) for concept in both.keys() - implied]
    common = [Common(s.concept, catalog.reach[s.concept.id], s.here, s.there) for s in found]
    return sorted(common, key=lambda item: (item.papers, item.concept.id))


def share(catalog: Catalog, concept: str, paper: str, other: str) -> Shared:
    """Return a concept that two papers share, with the place where each names it.

    Args:
        catalog: The graph's records.
        concept: The concept's id; each paper names it, or a narrower one.
        paper: The one paper's id.
        other: The other's.
    """
    here, there = (_evidence(catalog, concept, which) for which in (paper, other))
    return Shared(catalog.concepts[concept], here, there)


def _named(catalog: Catalog, paper: str) -> dict[str, int]:
    """Return the concepts that a paper names, and those above, with their least distance."""
    found: dict[str, int] = {}
    for edge in catalog.edges_of_paper.get(paper, ()):
        for concept, distance in with_broader(edge.concept, catalog.broader):
            found[concept] = min(found.get(concept, distance), distance)
    return found


def _evidence(catalog: Catalog, concept: str, paper: str) -> Evidence:
    """Return where a paper names a concept, or else the nearest narrower one."""
    edges = catalog.edges_of_paper[paper]  # the strongest role first
    distances = [dict(with_broader(edge.concept, catalog.broader)).get(concept) for edge in edges]
    found = [(far, i) for i, far in enumerate(distances) if far is not None]
    return edges[min(found)[1]]
