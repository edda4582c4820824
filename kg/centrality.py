"""Central concepts: PageRank on the network of papers and concepts.

S. Brin & L. Page (1998), "The anatomy of a large-scale hypertextual web search engine", on the
ties between papers and concepts in both directions, each as strong as the paper's role towards
the concept. A paper divides its say among its concepts, and gives most to what it proposes and
studies; so a word that many papers only mention ("machine learning") is less central than
its count has it.
"""

from __future__ import annotations

from dataclasses import dataclass

import networkx as nx

from kg.model import Concept
from kg.query import Catalog
from kg.ties import strength

_PRECISION = 1e-12  # of a node's rank, below the six figures that are told


@dataclass(frozen=True, slots=True, repr=False)
class Central:
    """A concept and how central it is.

    Args:
        concept: The concept.
        papers: How many papers name it.
        pagerank: Its share of the rank of all concepts, 0..1.
    """

    concept: Concept
    papers: int
    pagerank: float

    def __repr__(self) -> str:
        return f"Central({self.concept.label!r}, papers={self.papers}, pagerank={self.pagerank})"


def rank_concepts(catalog: Catalog) -> list[Central]:
    """Return the concepts that papers name with their PageRank, the most central first.

    Args:
        catalog: The graph's records.
    """
    network = nx.Graph()
    for edge in sorted(catalog.edges, key=lambda e: (e.paper, e.concept)):
        network.add_edge((False, edge.paper), (True, edge.concept), weight=strength(edge))
    ranks = nx.pagerank(network, tol=_PRECISION, max_iter=1000) if network else {}
    concepts = {name: rank for (is_concept, name), rank in ranks.items() if is_concept}
    total = sum(concepts.values())
    found = [
        Central(catalog.concepts[name], catalog.frequency[name], round(rank / total, 6))
        for name, rank in concepts.items()
    ]
    return sorted(found, key=lambda central: (-central.pagerank, central.concept.id))
