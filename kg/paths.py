"""The most convincing path between two papers, two concepts, or one of each.

A path goes from a paper to a concept by what the paper says of it, on to another paper that
names it, or to a concept more general or more special. A hop costs the inverse of its
strength, the usual distance in a network of ties (M. E. J. Newman 2001, "Scientific
collaboration networks. II"), and the path of least cost is Dijkstra's (1959):

    strength = (role weight * confidence, or BROADER_DAMPING) * what the concept tells

What it tells is its idf, 1 where a single paper names it, near 0 where all do, and half of that
for a metric; so a path goes through what is special to both ends, not through what all name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import networkx as nx

from kg.links import BROADER_DAMPING
from kg.model import Concept, Evidence, Paper
from kg.query import Catalog
from kg.ties import strength, telling

_WEAKEST = 1e-6  # of a hop, so that every one has a cost

_Node = tuple[bool, str]  # whether it is a concept; its id


@dataclass(frozen=True, slots=True, repr=False)
class Hop:
    """One step of a path.

    Args:
        source: The paper or concept where it begins.
        target: The paper or concept where it ends.
        relation: A role, where one of them is a paper; else "broader" where the target is the
            more general concept, "narrower" where it is the more special.
        evidence: Where the paper says so; None between concepts.
        cost: The inverse of the hop's strength, 1 and more.
    """

    source: Paper | Concept
    target: Paper | Concept
    relation: str
    evidence: Evidence | None
    cost: float

    @property
    def arrow(self) -> str:
        """The relation, with an arrow that leads from the paper to the concept."""
        from_concept_to_paper = isinstance(self.target, Paper)
        return f"←{self.relation}–" if from_concept_to_paper else f"–{self.relation}→"

    def __str__(self) -> str:
        return f"{name_of(self.source)} {self.arrow} {name_of(self.target)}"

    def __repr__(self) -> str:
        return f"Hop({self})"


@dataclass(frozen=True, slots=True, repr=False)
class Route:
    """A path between two papers or concepts.

    Args:
        source: Where it begins.
        target: Where it ends.
        hops: Its steps in order; none where both ends are the same.
    """

    source: Paper | Concept
    target: Paper | Concept
    hops: tuple[Hop, ...]

    @property
    def cost(self) -> float:
        """Sum of the costs of its hops: the less, the more convincing."""
        return round(sum(hop.cost for hop in self.hops), 6)

    @property
    def nodes(self) -> tuple[Paper | Concept, ...]:
        """The papers and concepts that it passes, both ends included."""
        return (self.source, *(hop.target for hop in self.hops))

    def __len__(self) -> int:
        return len(self.hops)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Hop]:
        return iter(self.hops)

    def __str__(self) -> str:
        steps = (f" {hop.arrow} {name_of(hop.target)}" for hop in self.hops)
        return name_of(self.source) + "".join(steps)

    def __repr__(self) -> str:
        return f"Route({self}, cost={self.cost:.2f})"


class PathFinder:
    """Finds paths in the network of papers and concepts.

    Args:
        catalog: The graph's records.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._network = _network(catalog)

    def find(self, source: Paper | Concept, target: Paper | Concept) -> Route | None:
        """Return the path of least cost between two papers or concepts; None if none joins them.

        Args:
            source: Where it begins.
            target: Where it ends.
        """
        try:
            nodes = nx.dijkstra_path(self._network, _node(source), _node(target), weight="cost")
        except nx.NetworkXNoPath:
            return None
        return Route(source, target, tuple(self._hops(nodes)))

    def _hops(self, nodes: Sequence[_Node]) -> Iterator[Hop]:
        for one, other in pairwise(nodes):
            tie = self._network.edges[one, other]
            evidence, cost = tie["evidence"], tie["cost"]
            up = "broader" if tie["above"] == other else "narrower"
            relation = evidence.role if evidence else up
            yield Hop(self._record(one), self._record(other), relation, evidence, cost)

    def _record(self, node: _Node) -> Paper | Concept:
        is_concept, name = node
        return self._catalog.concepts[name] if is_concept else self._catalog.papers[name]


def name_of(node: Paper | Concept) -> str:
    """Return what a paper or a concept is called: title or label, else the paper's id."""
    return node.label if isinstance(node, Concept) else node.title or node.id


def _node(record: Paper | Concept) -> _Node:
    return isinstance(record, Concept), record.id


def _network(catalog: Catalog) -> nx.Graph:
    """Return papers and concepts, joined by roles and by broader, each with its cost.

    Nodes and ties come sorted, as of paths of equal cost the first is taken.
    """
    network = nx.Graph()
    network.add_nodes_from((False, paper) for paper in sorted(catalog.papers))
    network.add_nodes_from((True, concept) for concept in sorted(catalog.concepts))
    for edge in sorted(catalog.edges, key=lambda e: (e.paper, e.concept)):
        ends = (False, edge.paper), (True, edge.concept)
        cost = _cost(strength(edge) * telling(catalog, edge.concept))
        network.add_edge(*ends, cost=cost, evidence=edge, above=None)
    for concept in sorted(catalog.concepts):
        for above in catalog.broader[concept]:
            ends = (True, concept), (True, above)
            cost = _cost(BROADER_DAMPING * telling(catalog, above))
            network.add_edge(*ends, cost=cost, evidence=None, above=ends[1])
    return network


def _cost(strength: float) -> float:
    return round(1 / max(strength, _WEAKEST), 6)
