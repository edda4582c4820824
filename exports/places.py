"""Where papers and concepts stand on a map, how large they are, and which community they join."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from exports.layout import Graph, Layout, settle
from exports.packing import Numbers, Points
from exports.rows import Indices
from exports.selection import Lines, Part

_LINK = 0.25  # pull of a link between papers, beside that of an edge


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
        nodes: Numbers of its papers and concepts.
    """

    community: int | None
    label: str
    papers: int
    x: float
    y: float
    radius: float
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Places:
    """A map without its drawing; papers come first, then concepts.

    Args:
        radii: Radius of each node, ``(n,)``.
        positions: x and y of each node, ``(n, 2)``.
        territories: The islands that hold several papers, those of most nodes first.
    """

    radii: Numbers
    positions: Points
    territories: tuple[Territory, ...]


def place(part: Part) -> Places:
    """Return where the papers and concepts of a part of a graph stand."""
    papers, pairs, links = len(part.papers), part.pairs, part.links
    known = list(zip(*map(part.papers.column, ("community", "community_label")), strict=True))
    radii = _radii(papers, len(part.concepts), pairs, links)
    ends = [pairs + np.array([0, papers]), np.stack([links.source, links.target], axis=1)]
    pulls = [np.ones(len(pairs)), np.full(len(links), _LINK)]
    homes = _homes([community for community, _ in known], len(part.concepts), pairs)
    layout = settle(Graph(radii, homes, np.concatenate(ends), np.concatenate(pulls)))
    return Places(radii, layout.positions, tuple(_territories(known, layout)))


def _radii(papers: int, concepts: int, pairs: Indices, links: Lines) -> Numbers:
    """Return the radius of each node; a concept's area grows with its papers."""
    spread = np.bincount(pairs[:, 1], minlength=concepts)
    linked = np.bincount(np.concatenate([links.source, links.target]), minlength=papers)
    dots = np.minimum(8 + 0.8 * np.sqrt(linked), 13)
    shapes = np.minimum(4 + 2.2 * np.sqrt(spread), 40)
    return np.concatenate([dots, shapes]).round(1)


def _homes(communities: Sequence[int | None], concepts: int, pairs: Indices) -> Indices:
    """Return each node's community, numbered from 0, -1 without one.

    A concept's is that of most of its papers.
    """
    found = sorted({community for community in communities if community is not None})
    place: dict[int | None, int] = {known: number for number, known in enumerate(found)}
    papers = np.array([place.get(community, -1) for community in communities], dtype=np.int64)
    votes = pairs[papers[pairs[:, 0]] >= 0]
    keys, counts = np.unique(votes[:, 1] * len(place) + papers[votes[:, 0]], return_counts=True)
    concept, home = np.divmod(keys, max(len(place), 1))
    homes = np.full(concepts, -1)
    order = np.lexsort((-home, counts, concept))  # the last of a concept's is its home
    homes[concept[order]] = home[order]
    return np.concatenate([papers, homes])


def _territories(
    known: Sequence[tuple[int | None, str]], layout: Layout[int]
) -> Iterator[Territory]:
    for island in layout.islands:
        votes: Counter[Any] = Counter(known[node] for node in island.nodes if node < len(known))
        if votes.total() > 1:
            number, label = min(votes, key=lambda vote: (-votes[vote], str(vote)))
            yield Territory(
                number, label, votes.total(), island.x, island.y, island.radius, island.nodes
            )
