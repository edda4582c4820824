"""Papers that bridge two communities: strongly linked to their own, and to another.

A paper's place between communities is its participation coefficient (R. Guimerà &
L. A. N. Amaral 2005, "Functional cartography of complex metabolic networks"): 0 where all its
links stay in one community, near 1 where they go evenly to many. That alone would favour papers
that belong nowhere; so they are ranked by the weaker of the two sides that a bridge stands on.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from kg.model import Concept, Link, Paper, Related
from kg.neighbours import share
from kg.query import Catalog
from kg.ties import telling


@dataclass(frozen=True, slots=True, repr=False)
class Bridge:
    """A paper between two communities.

    Args:
        paper: The paper.
        home: Name of its own community.
        other: Name of the other to which it is linked most.
        strength: Weight of its links into the one or into the other, whichever is less.
        participation: Its participation coefficient over all communities, 0..1.
        links: The papers of the other community to which it is linked, the nearest first.
        concepts: What these links share, the most telling first: in many of them, rare elsewhere.
    """

    paper: Paper
    home: str
    other: str
    strength: float
    participation: float
    links: tuple[Related, ...]
    concepts: tuple[Concept, ...]

    def __repr__(self) -> str:
        name = self.paper.title or self.paper.id
        return f"Bridge({name!r}, {self.home!r} to {self.other!r}, strength={self.strength})"


def find_bridges(catalog: Catalog, n: int) -> list[Bridge]:
    """Return the ``n`` papers that link their community most strongly to another one.

    Args:
        catalog: The graph's records, with links and communities.
        n: How many at most.
    """
    found = []
    for paper, home in catalog.communities.items():
        weights = _weights(catalog, paper)
        away = sorted((-weight, number) for number, weight in weights.items() if number != home)
        if away and weights[home]:
            other = away[0][1]
            strength = round(min(weights[home], weights[other]), 6)
            found.append((-strength, paper, other, weights))
    best = sorted(found, key=lambda item: item[:2])[: max(n, 0)]
    return [
        _bridge(catalog, paper, other, -weaker, _participation(weights))
        for weaker, paper, other, weights in best
    ]


def _weights(catalog: Catalog, paper: str) -> dict[int, float]:
    """Return the weight of a paper's links into each community."""
    weights: dict[int, float] = defaultdict(float)
    for link in catalog.links_of_paper.get(paper, ()):
        weights[catalog.communities[_partner(link, paper)]] += link.weight
    return weights


def _participation(weights: Mapping[int, float]) -> float:
    total = sum(weights.values())
    return round(1 - sum((weight / total) ** 2 for weight in weights.values()), 6)


def _bridge(
    catalog: Catalog, paper: str, other: int, strength: float, participation: float
) -> Bridge:
    across = [
        link
        for link in catalog.links_of_paper[paper]
        if catalog.communities[_partner(link, paper)] == other
    ]
    return Bridge(
        catalog.papers[paper],
        catalog.community_names[catalog.communities[paper]],
        catalog.community_names[other],
        strength,
        participation,
        tuple(_related(catalog, paper, link) for link in across),
        _telling(catalog, across),
    )


def _telling(catalog: Catalog, links: Iterable[Link]) -> tuple[Concept, ...]:
    """Return the concepts that links share, by how many share them times how rare they are."""
    counts = Counter(concept for link in links for concept in link.concepts)
    weights = {concept: count * telling(catalog, concept) for concept, count in counts.items()}
    ranked = sorted(weights, key=lambda concept: (-round(weights[concept], 6), concept))
    return tuple(catalog.concepts[concept] for concept in ranked)


def _related(catalog: Catalog, paper: str, link: Link) -> Related:
    partner = _partner(link, paper)
    because = tuple(share(catalog, concept, paper, partner) for concept in link.concepts)
    return Related(catalog.papers[partner], link.weight, link.shared, link.similarity, because)


def _partner(link: Link, paper: str) -> str:
    return link.target if link.source == paper else link.source
