"""Positions of nodes: communities as islands, linked nodes close, no disc on another.

1. Each community, and each component that has none, is laid out by itself (`exports.spread`).
2. The islands are packed as discs, each near those that it has edges to.
3. Each is turned so that its edges to others become short.
4. Components of a few nodes stand in a ring around the rest.

The same graph gives the same bytes in whatever order its nodes and edges come: they are
sorted first, the seed is fixed, and positions are rounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from exports.packing import Numbers, Points, coast, pack
from exports.rosettes import Indices
from exports.spread import spread

RADIUS = 10.0
"""Radius of a node's disc where the caller gives none."""

DECIMALS = 2
_GAP = 11.0  # between two discs
_SHORE = 38.0  # from an island's outermost disc to the next island, half of it on each side
_TINY = 3  # nodes of a component that stands in the ring

Node = TypeVar("Node")


@dataclass(frozen=True, slots=True)
class Island(Generic[Node]):
    """A disc that holds the nodes of one community, or of a component that has none.

    Args:
        x: Centre.
        y: Centre, downwards.
        radius: Of the disc, margin included.
        nodes: Its nodes, by name or by number, sorted.
    """

    x: float
    y: float
    radius: float
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Layout(Generic[Node]):
    """Where everything stands.

    Args:
        positions: x and y of each node, in the order in which they were given, ``(n, 2)``.
        islands: The large ones, those of most nodes first; tiny components are in none.
    """

    positions: Points
    islands: tuple[Island[Node], ...]


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph of numbered nodes; the same numbers are laid out the same.

    Args:
        radii: Of the nodes' discs, ``(n,)``.
        communities: Number of each node's community, from 0; -1 where it has none, ``(n,)``.
        ends: Nodes of the edges, ``(m, 2)``; parallel ones count together.
        weights: Above 0, ``(m,)``.
    """

    radii: Numbers
    communities: Indices
    ends: Indices
    weights: Numbers

    def __len__(self) -> int:
        return len(self.radii)


@dataclass(frozen=True, slots=True)
class _Islands:
    """A graph in groups, those of most nodes first.

    Args:
        radii: Of the nodes, margin included, ``(n,)``.
        pairs: Edges once each, the smaller number first, ``(m, 2)``.
        weights: Of the edges, ``(m,)``.
        groups: Nodes of each group, the large ones first.
        large: How many groups are no tiny components.
        home: Number of each node's group, ``(n,)``.
    """

    radii: Numbers
    pairs: Indices
    weights: Numbers
    groups: list[Indices]
    large: int
    home: Indices


def layout(
    nodes: Sequence[str],
    edges: Iterable[tuple[str, str, float]],
    communities: Mapping[str, int] | None = None,
    *,
    radii: Mapping[str, float] | None = None,
) -> Points:
    """Return x and y of each node, ``(n, 2)``, rounded to two decimals.

    Args:
        nodes: Names, each once.
        edges: Two names and a weight above 0; parallel edges count together.
        communities: Number of a node's community; a node may have none.
        radii: Radius of a node's disc, `RADIUS` for those without.

    Raises:
        KeyError: If an edge names a node that is not in ``nodes``.

    Example:
        >>> layout(["a", "b"], [("a", "b", 1.0)]).shape
        (2, 2)
    """
    return arrange(nodes, edges, communities, radii=radii).positions


def arrange(
    nodes: Sequence[str],
    edges: Iterable[tuple[str, str, float]],
    communities: Mapping[str, int] | None = None,
    *,
    radii: Mapping[str, float] | None = None,
) -> Layout[str]:
    """Return the positions as `layout` does, and the islands in which they lie."""
    known, sizes = communities or {}, radii or {}
    names = sorted(set(nodes))
    place = {name: number for number, name in enumerate(names)}
    homes = {home: number for number, home in enumerate(sorted(set(known.values())))}
    rows = [(place[source], place[target], weight) for source, target, weight in edges]
    graph = Graph(
        np.array([sizes.get(name, RADIUS) for name in names], dtype=np.float64),
        np.array([homes[known[name]] if name in known else -1 for name in names], dtype=np.int64),
        np.array([row[:2] for row in rows], dtype=np.int64).reshape(-1, 2),
        np.array([row[2] for row in rows], dtype=np.float64),
    )
    settled = settle(graph)
    islands = (
        Island(i.x, i.y, i.radius, tuple(names[node] for node in i.nodes)) for i in settled.islands
    )
    return Layout(settled.positions[[place[name] for name in nodes]], tuple(islands))


def settle(graph: Graph) -> Layout[int]:
    """Return the positions of numbered nodes, and the islands in which they lie."""
    if not len(graph):
        return Layout(np.zeros((0, 2)), ())
    islands = _grouped(graph)
    positions = np.zeros((len(graph), 2))
    for group, pairs, weights in _within(islands):
        positions[group] = spread(pairs, weights, islands.radii[group])
    reach = np.array([_reach(islands, positions, group) for group in islands.groups])
    centres = pack(reach[: islands.large], _traffic(islands))
    _turn(islands, positions, centres)
    ring = coast(reach[islands.large :], centres, reach[: islands.large])
    positions += np.concatenate([centres, ring])[islands.home]
    given = positions.round(DECIMALS) + 0.0  # no negative zero
    return Layout(given, tuple(_discs(islands, centres, reach)))


def _grouped(graph: Graph) -> _Islands:
    """Return the islands and the tiny components, those of most nodes first."""
    count = len(graph)
    pairs, weights = _once(graph)
    matrix = coo_array((weights, (pairs[:, 0], pairs[:, 1])), (count, count))
    component = connected_components(matrix, directed=False)[1]
    tiny = np.bincount(component)[component] <= _TINY
    alone = tiny | (graph.communities < 0)
    label = np.where(alone, 2 * component, 2 * graph.communities + 1)
    _, first, inverse, sizes = np.unique(
        label, return_index=True, return_inverse=True, return_counts=True
    )
    small = tiny[first] & ~tiny.all()  # where all are tiny, they are the islands
    order = np.lexsort((first, -sizes, small))
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    home = rank[inverse]
    groups = np.split(np.argsort(home, kind="stable"), np.cumsum(sizes[order])[:-1])
    large = int(len(small) - small.sum())
    return _Islands(graph.radii + _GAP / 2, pairs, weights, groups, large, home)


def _once(graph: Graph) -> tuple[Indices, Numbers]:
    """Return the edges once each, without loops, and the sum of their weights."""
    ends = np.sort(graph.ends, axis=1)
    key = ends[:, 0] * len(graph) + ends[:, 1]
    order = np.lexsort((graph.weights, key))
    order = order[ends[order, 0] != ends[order, 1]]
    keys, starts = np.unique(key[order], return_index=True)
    total = np.add.reduceat(graph.weights[order], starts) if len(starts) else np.zeros(0)
    return np.stack(np.divmod(keys, len(graph)), axis=1), total


def _within(islands: _Islands) -> Iterator[tuple[Indices, Indices, Numbers]]:
    """Yield each group with its pairs, their nodes numbered from 0, and weights."""
    place = np.empty(len(islands.home), dtype=np.int64)
    for group in islands.groups:
        place[group] = np.arange(len(group))
    homes = islands.home[islands.pairs]
    inside = np.flatnonzero(homes[:, 0] == homes[:, 1])
    inside = inside[np.argsort(homes[inside, 0], kind="stable")]
    stops = np.searchsorted(homes[inside, 0], np.arange(1, len(islands.groups)))
    for group, rows in zip(islands.groups, np.split(inside, stops), strict=True):
        yield group, place[islands.pairs[rows]], islands.weights[rows]


def _reach(islands: _Islands, positions: Points, group: Indices) -> float:
    """Return the radius of the disc around 0 that holds a group, with its shore."""
    far = np.hypot(positions[group, 0], positions[group, 1]) + islands.radii[group]
    return float(far.max()) + _SHORE / 2


def _traffic(islands: _Islands) -> Numbers:
    """Return the weight of the edges between each two large groups, ``(g, g)``."""
    count = islands.large
    one, other = islands.home[islands.pairs].T
    apart = (one < count) & (other < count) & (one != other)
    rows = one[apart] * count + other[apart]
    traffic = np.bincount(rows, islands.weights[apart], count * count).reshape(count, count)
    return (traffic + traffic.T).astype(np.float64)


def _turn(islands: _Islands, positions: Points, centres: Points, sweeps: int = 3) -> None:
    """Turn or mirror each large group so that its edges to other groups become short."""
    home = islands.home
    local = positions[:, 0] + 1j * positions[:, 1]
    middle = (centres[:, 0] + 1j * centres[:, 1])[np.minimum(home, islands.large - 1)]
    ends = np.concatenate([islands.pairs, islands.pairs[:, ::-1]])
    out = np.flatnonzero(home[ends[:, 0]] != home[ends[:, 1]])
    out = out[np.argsort(home[ends[out, 0]], kind="stable")]
    weights = np.concatenate([islands.weights, islands.weights])[out]
    inner, outer = ends[out].T
    stops = np.searchsorted(home[inner], np.arange(1, len(islands.groups)))
    rows = np.split(np.arange(len(out)), stops)
    for _ in range(sweeps):
        for group, edges in zip(islands.groups, rows, strict=True):
            if len(edges):
                near, far = inner[edges], outer[edges]
                goal = weights[edges] * (local[far] + middle[far] - middle[near])
                straight = np.sum(goal * local[near].conj())
                mirrored = np.sum(goal * local[near])
                kept = abs(straight) >= abs(mirrored)
                best, form = (straight, local[group]) if kept else (mirrored, local[group].conj())
                local[group] = form * np.exp(1j * np.angle(best))
    positions[:] = np.stack([local.real, local.imag], axis=1)


def _discs(islands: _Islands, centres: Points, reach: Numbers) -> Iterator[Island[int]]:
    for group, (x, y), radius in zip(islands.groups, centres.round(DECIMALS), reach, strict=False):
        nodes = tuple(group.tolist())
        yield Island(float(x), float(y), round(float(radius), DECIMALS), nodes)
