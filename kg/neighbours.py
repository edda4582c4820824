"""The papers about a paper, with the concepts and the sentences that make each link."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from kg.hierarchy import with_broader
from kg.links import Linker
from kg.model import Evidence, Related, Shared
from kg.query import Catalog


def linker_of(catalog: Catalog, vectors: pa.Table) -> Linker:
    """Return what scores the pairs of a graph's papers.

    Args:
        catalog: The graph's records.
        vectors: The table of the papers' vectors.
    """
    rows = np.array(vectors["vector"].to_pylist(), dtype=np.float32)
    return Linker(
        list(catalog.papers),
        catalog.edges,
        catalog.concepts.values(),
        rows.reshape(len(catalog.papers), -1),
    )


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
                _shared(catalog, concept, paper, ids[score.index])
                for concept in linker.shared_concepts(index, score.index)
            ),
        )
        for score in linker.scores(index)[: max(n, 0)]
    ]


def _shared(catalog: Catalog, concept: str, paper: str, other: str) -> Shared:
    here, there = (_evidence(catalog, concept, which) for which in (paper, other))
    return Shared(catalog.concepts[concept], here, there)


def _evidence(catalog: Catalog, concept: str, paper: str) -> Evidence:
    """Return where a paper names a concept, or else the nearest narrower one."""
    edges = catalog.edges_of_paper[paper]  # the strongest role first
    distances = [dict(with_broader(edge.concept, catalog.broader)).get(concept) for edge in edges]
    found = [(far, i) for i, far in enumerate(distances) if far is not None]
    return edges[min(found)[1]]
