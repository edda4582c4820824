"""Where papers and concepts stand on a map, how large they are, and which community they join."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from exports.layout import Layout, arrange
from exports.view import LinkRecord, PaperRecord

Pair = tuple[str, str]
"""Ids of a paper and of a concept that it names."""


@dataclass(frozen=True, slots=True)
class Territory:
    """An island that holds several papers.

    Args:
        community: Number of the community of most of its papers.
        label: Name of that community.
        papers: How many papers it holds.
        x: Centre.
        y: Centre, downwards.
        radius: Of the disc.
        nodes: Its papers and concepts, ``p`` or ``c`` and the id.
    """

    community: int | None
    label: str
    papers: int
    x: float
    y: float
    radius: float
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Places:
    """A map without its drawing; nodes are named ``p`` or ``c`` and the id.

    Args:
        radii: Radius of each node, papers first, in the order in which they were given.
        positions: x and y of each node, in the order of ``radii``.
        territories: The islands that hold several papers, those of most nodes first.
    """

    radii: dict[str, float]
    positions: list[tuple[float, float]]
    territories: tuple[Territory, ...]


def place(
    papers: Sequence[PaperRecord],
    concepts: Sequence[str],
    pairs: Sequence[Pair],
    links: Sequence[LinkRecord],
) -> Places:
    """Return where papers and concepts stand.

    Args:
        papers: The papers.
        concepts: Ids of the concepts.
        pairs: Which paper names which concept, each pair once.
        links: Between these papers.
    """
    radii = _radii(papers, concepts, pairs, links)
    layout = arrange(list(radii), _forces(pairs, links), _homes(papers, pairs), radii=radii)
    positions = [(x, y) for x, y in layout.positions.tolist()]
    return Places(radii, positions, tuple(_territories(papers, layout)))


def _radii(
    papers: Sequence[PaperRecord],
    concepts: Sequence[str],
    pairs: Iterable[Pair],
    links: Iterable[LinkRecord],
) -> dict[str, float]:
    """Return the radius of each node; a concept's area grows with its papers."""
    spread = Counter(concept for _, concept in pairs)
    linked = Counter(end for link in links for end in (link.source, link.target))
    radii = {f"p{p.id}": min(8 + 0.8 * linked[p.id] ** 0.5, 13) for p in papers}
    radii |= {f"c{concept}": min(4 + 2.2 * spread[concept] ** 0.5, 40) for concept in concepts}
    return {name: round(radius, 1) for name, radius in radii.items()}


def _forces(pairs: Iterable[Pair], links: Iterable[LinkRecord]) -> Iterator[tuple[str, str, float]]:
    for paper, concept in pairs:
        yield f"p{paper}", f"c{concept}", 1.0
    for link in links:
        yield f"p{link.source}", f"p{link.target}", 0.25


def _homes(papers: Iterable[PaperRecord], pairs: Iterable[Pair]) -> dict[str, int]:
    """Return the community of each node: a concept's is that of most of its papers."""
    homes = {f"p{p.id}": p.community for p in papers if p.community is not None}
    votes: dict[str, Counter[int]] = defaultdict(Counter)
    for paper, concept in pairs:
        if (home := homes.get(f"p{paper}")) is not None:
            votes[f"c{concept}"][home] += 1
    for name, counts in votes.items():
        homes[name] = min(counts, key=lambda home: (-counts[home], home))
    return homes


def _territories(papers: Iterable[PaperRecord], layout: Layout) -> Iterator[Territory]:
    known = {f"p{paper.id}": (paper.community, paper.community_label) for paper in papers}
    for island in layout.islands:
        votes: Counter[Any] = Counter(known[name] for name in island.nodes if name in known)
        if votes.total() > 1:
            number, label = min(votes, key=lambda vote: (-votes[vote], str(vote)))
            yield Territory(
                number, label, votes.total(), island.x, island.y, island.radius, island.nodes
            )
