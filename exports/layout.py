"""Positions of nodes: communities as islands, forces within each, no disc on another.

1. Each community, and each component that has none, is laid out by itself: leaves stand around
   the node that bears them, and the forces of Fruchterman and Reingold (1991) move the rest,
   where a node repels by its degree as in ForceAtlas2 (Jacomy et al., 2014); in a large one
   each step samples the repulsion (Gove, 2019). Then the nodes fill a disc evenly.
2. The islands are packed as discs, each near those that it has edges to.
3. Each is turned so that its edges to others become short.
4. Components of a few nodes stand in a ring around the rest.

The same graph gives the same bytes in whatever order its nodes and edges come: they are
sorted first, the seed is fixed, and positions are rounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from exports.packing import Numbers, Points, coast, pack
from exports.rosettes import Indices, gather

RADIUS = 10.0
"""Radius of a node's disc where the caller gives none."""

DECIMALS = 2
_GAP = 11.0  # between two discs
_SHORE = 38.0  # from an island's outermost disc to the next island, half of it on each side
_TINY = 3  # nodes of a component that stands in the ring
_SOURCES = 700  # nodes that repel in one step; all of them in an island of this size
_ROWS = 128  # nodes whose repulsion is computed at once, so that it stays in the cache
_SEED = 7
_GRAVITY = 0.1
_DENSITY = 0.6  # of an island's area that discs cover, before the last ones are parted
_SLICES = 40  # directions along which the discs of an island are spread evenly


@dataclass(frozen=True, slots=True)
class Island:
    """A disc that holds the nodes of one community, or of a component that has none.

    Args:
        x: Centre.
        y: Centre, downwards.
        radius: Of the disc, margin included.
        nodes: Its nodes, sorted.
    """

    x: float
    y: float
    radius: float
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything stands.

    Args:
        positions: x and y of each node, in the order in which they were given, ``(n, 2)``.
        islands: The large ones, those of most nodes first; tiny components are in none.
    """

    positions: Points
    islands: tuple[Island, ...]


@dataclass(frozen=True, slots=True)
class _Graph:
    """A graph by numbers: sorted names, margins included in the radii, pairs once each."""

    names: list[str]
    radii: Numbers
    pairs: Indices  # (m, 2)
    weights: Numbers  # (m,)


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
) -> Layout:
    """Return the positions as `layout` does, and the islands in which they lie."""
    graph = _numbered(nodes, edges, radii or {})
    if not graph.names:
        return Layout(np.zeros((0, 2)), ())
    large, tiny = _groups(graph, communities or {})
    if not large:
        large, tiny = tiny, []
    positions = np.zeros((len(graph.names), 2))
    for group in (*large, *tiny):
        positions[group] = _spread(*_within(graph, group))
    reach = np.array([_reach(graph, positions, group) for group in large])
    centres = pack(reach, _traffic(graph, large))
    _turn(graph, positions, large, centres)
    for group, centre in zip(large, centres, strict=True):
        positions[group] += centre
    sizes = np.array([_reach(graph, positions, group) for group in tiny])
    for group, place in zip(tiny, coast(sizes, centres, reach), strict=True):
        positions[group] += place
    place = {name: number for number, name in enumerate(graph.names)}
    given = positions[[place[name] for name in nodes]].round(DECIMALS) + 0.0  # no negative zero
    return Layout(given, tuple(_islands(graph, large, centres, reach)))


def _numbered(
    nodes: Sequence[str], edges: Iterable[tuple[str, str, float]], radii: Mapping[str, float]
) -> _Graph:
    names = sorted(set(nodes))
    place = {name: number for number, name in enumerate(names)}
    total: dict[tuple[int, int], list[float]] = {}
    for source, target, weight in edges:
        first, second = sorted((place[source], place[target]))
        if first != second:
            total.setdefault((first, second), []).append(weight)
    pairs = sorted(total)
    return _Graph(
        names,
        np.array([radii.get(name, RADIUS) + _GAP / 2 for name in names]),
        np.array(pairs, dtype=np.int64).reshape(-1, 2),
        np.array([sum(sorted(total[pair])) for pair in pairs], dtype=np.float64),
    )


def _groups(graph: _Graph, communities: Mapping[str, int]) -> tuple[list[Indices], list[Indices]]:
    """Return the islands and the tiny components, those of most nodes first."""
    count = len(graph.names)
    matrix = coo_array((graph.weights, (graph.pairs[:, 0], graph.pairs[:, 1])), (count, count))
    component = connected_components(matrix, directed=False)[1].tolist()
    sizes = np.bincount(component)
    members: dict[tuple[bool, int], list[int]] = {}
    tiny = set()
    for node, name in enumerate(graph.names):
        alone = sizes[component[node]] <= _TINY
        known = communities.get(name)
        key = (True, component[node]) if alone or known is None else (False, known)
        members.setdefault(key, []).append(node)
        if alone:
            tiny.add(key)
    order = sorted(members, key=lambda key: (-len(members[key]), members[key][0]))
    groups = {key: np.array(members[key], dtype=np.int64) for key in order}
    return [groups[k] for k in order if k not in tiny], [groups[k] for k in order if k in tiny]


def _within(graph: _Graph, group: Indices) -> tuple[Indices, Numbers, Numbers]:
    """Return pairs, weights and radii of one group, its nodes numbered from 0."""
    place = np.full(len(graph.names), -1)
    place[group] = np.arange(len(group))
    pairs = place[graph.pairs]
    inside = (pairs >= 0).all(axis=1)
    return pairs[inside], graph.weights[inside], graph.radii[group]


def _spread(pairs: Indices, weights: Numbers, radii: Numbers) -> Points:
    """Return positions around 0 in which the forces rest and no disc lies on another."""
    rosettes = gather(pairs, radii)
    between = rosettes.disc[pairs]
    core = between[:, 0] != between[:, 1]
    points = _rest(between[core], weights[core], rosettes.radii)
    outward = np.arctan2(points[:, 1], points[:, 0])[rosettes.disc]
    apart = points[rosettes.disc] + _turned(rosettes.places, outward)
    return apart - _centre(apart, radii)


def _turned(points: Points, angles: Numbers) -> Points:
    cos, sin = np.cos(angles), np.sin(angles)
    x, y = points.T
    return np.stack([cos * x - sin * y, sin * x + cos * y], axis=1)


def _rest(pairs: Indices, weights: Numbers, radii: Numbers) -> Points:
    """Return positions of discs on which the forces rest, none on another."""
    count = len(radii)
    if count == 1:
        return np.zeros((1, 2))
    random = np.random.default_rng(_SEED)
    degree = np.bincount(pairs.ravel(), minlength=count)
    mass = 1.0 + np.sqrt(degree)
    pull = np.sqrt(weights / weights.max()) if len(weights) else weights
    length = 1.8 * float(radii.mean())
    points = random.uniform(-1.0, 1.0, (count, 2)) * length * np.sqrt(count)
    steps = int(np.clip(50_000 / count, 90, 250))
    for heat in np.linspace(1.0, 0.02, steps) ** 1.5:
        force = _repulsion(points, mass, length, random) - points * _GRAVITY * mass[:, None]
        _attract(force, points, pairs, pull / length)
        stride = np.hypot(force[:, 0], force[:, 1]) + 1e-9
        limit = heat * length * np.sqrt(count) * 0.12
        points += force * (np.minimum(stride, limit) / stride)[:, None]
    return _separate(_filled(points, radii), radii)


def _repulsion(points: Points, mass: Numbers, length: float, random: np.random.Generator) -> Points:
    """Return the force on each node away from the others, or from a sample of them."""
    count = len(points)
    sample = np.arange(count) if count <= _SOURCES else random.choice(count, _SOURCES, False)
    near = points.astype(np.float32)
    sources, pushes = near[sample], mass[sample].astype(np.float32)
    away = np.empty_like(near)
    for first in range(0, count, _ROWS):
        rows = slice(first, first + _ROWS)
        x = near[rows, 0, None] - sources[:, 0]
        y = near[rows, 1, None] - sources[:, 1]
        strength = x * x
        strength += y * y
        strength += np.float32(0.01 * length**2)
        np.divide(pushes, strength, out=strength)
        away[rows, 0] = np.einsum("ij,ij->i", x, strength)
        away[rows, 1] = np.einsum("ij,ij->i", y, strength)
    scale = 0.5 * length**2 * count / len(sample)
    return away * (scale * mass)[:, None]


def _attract(force: Points, points: Points, pairs: Indices, pull: Numbers) -> None:
    """Add to each end of an edge the force towards the other."""
    between = points[pairs[:, 1]] - points[pairs[:, 0]]
    stretch = np.hypot(between[:, 0], between[:, 1])
    drawn = between * (stretch * pull)[:, None]
    _add(force, pairs[:, 0], drawn)
    _add(force, pairs[:, 1], -drawn)


def _add(total: Points, rows: Indices, values: Points) -> None:
    """Add values to rows, some of which come several times."""
    for axis in (0, 1):
        total[:, axis] += np.bincount(rows, values[:, axis], len(total))


def _filled(points: Points, radii: Numbers) -> Points:
    """Return the positions moved so that the discs fill a large disc evenly, neighbours kept.

    Sliced optimal transport (Rabin et al., 2012): along one direction after another the
    discs take the places that an even spread has there, each as much room as its area.
    """
    x, y = (points - points.mean(axis=0)).T
    area = radii**2
    whole = np.sqrt(area.sum() / _DENSITY)
    steps = np.linspace(-1.0, 1.0, 513)
    below = 0.5 + (steps * np.sqrt(1 - steps**2) + np.arcsin(steps)) / np.pi
    for angle in np.arange(_SLICES) * np.pi * (np.sqrt(5) - 1) / 2:
        cos, sin = np.cos(angle), np.sin(angle)
        along = x * cos + y * sin
        order = np.argsort(along, kind="stable")
        share = np.cumsum(area[order]) - area[order] / 2
        move = np.empty(len(along))
        move[order] = whole * np.interp(share / area.sum(), below, steps)
        move -= along
        x, y = x + 0.5 * move * cos, y + 0.5 * move * sin
    return np.stack([x, y], axis=1)


def _centre(points: Points, radii: Numbers, steps: int = 200) -> Points:
    """Return the centre of a small disc around all discs (Badoiu and Clarkson, 2003)."""
    centre = points.mean(axis=0)
    for step in range(1, steps):
        between = points - centre
        distance = np.hypot(between[:, 0], between[:, 1]) + radii
        centre = centre + between[int(np.argmax(distance))] / (step + 1)
    return np.asarray(centre)


def _separate(points: Points, radii: Numbers, rounds: int = 300) -> Points:
    """Return the positions moved apart until no two discs overlap."""
    points = points.copy()
    widest = 2 * float(radii.max())
    for _ in range(rounds):
        pairs = cKDTree(points).query_pairs(widest, output_type="ndarray")
        pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
        first, second = pairs[:, 0], pairs[:, 1]
        between = points[second] - points[first]
        distance = np.hypot(between[:, 0], between[:, 1])
        lack = radii[first] + radii[second] - distance
        close = lack > 1e-6
        if not close.any():
            return points
        first, second, between = first[close], second[close], between[close]
        between[distance[close] < 1e-9] = (1e-3, 0.0)
        unit = between / np.hypot(between[:, 0], between[:, 1])[:, None]
        move = unit * (0.51 * lack[close])[:, None]
        _add(points, first, -move)
        _add(points, second, move)
    return _stretched(points, radii)


def _stretched(points: Points, radii: Numbers) -> Points:
    """Return the positions scaled by the least factor that parts all discs."""
    pairs = cKDTree(points).query_pairs(2 * float(radii.max()), output_type="ndarray")
    distance = np.hypot(*(points[pairs[:, 1]] - points[pairs[:, 0]]).T)
    wanted = radii[pairs[:, 0]] + radii[pairs[:, 1]]
    return points * float((wanted / np.maximum(distance, 1e-3)).max(initial=1.0))


def _reach(graph: _Graph, positions: Points, group: Indices) -> float:
    """Return the radius of the disc around 0 that holds a group, with its shore."""
    far = np.hypot(positions[group, 0], positions[group, 1]) + graph.radii[group]
    return float(far.max()) + _SHORE / 2


def _traffic(graph: _Graph, groups: list[Indices]) -> Numbers:
    """Return the weight of the edges between each two groups, ``(g, g)``."""
    home = np.full(len(graph.names), -1)
    for number, group in enumerate(groups):
        home[group] = number
    ends = home[graph.pairs]
    apart = (ends >= 0).all(axis=1) & (ends[:, 0] != ends[:, 1])
    traffic = np.zeros((len(groups), len(groups)))
    np.add.at(traffic, (ends[apart, 0], ends[apart, 1]), graph.weights[apart])
    both: Numbers = traffic + traffic.T
    return both


def _turn(
    graph: _Graph, positions: Points, groups: list[Indices], centres: Points, sweeps: int = 3
) -> None:
    """Turn or mirror each group so that its edges to other groups become short."""
    home = np.full(len(graph.names), -1)
    offset = np.zeros(len(graph.names), dtype=np.complex128)
    for number, group in enumerate(groups):
        home[group] = number
        offset[group] = complex(*centres[number])
    local = positions[:, 0] + 1j * positions[:, 1]
    ends = np.concatenate([graph.pairs, graph.pairs[:, ::-1]])
    weights = np.concatenate([graph.weights, graph.weights])
    for _ in range(sweeps):
        for number, group in enumerate(groups):
            out = (home[ends[:, 0]] == number) & (home[ends[:, 1]] != number)
            if not out.any():
                continue
            inner, outer = ends[out].T
            goal = weights[out] * (local[outer] + offset[outer] - complex(*centres[number]))
            straight = np.sum(goal * local[inner].conj())
            mirrored = np.sum(goal * local[inner])
            kept = abs(straight) >= abs(mirrored)
            best, form = (straight, local[group]) if kept else (mirrored, local[group].conj())
            local[group] = form * np.exp(1j * np.angle(best))
    positions[:] = np.stack([local.real, local.imag], axis=1)


def _islands(
    graph: _Graph, groups: list[Indices], centres: Points, reach: Numbers
) -> Iterator[Island]:
    for group, (x, y), radius in zip(groups, centres.round(DECIMALS), reach, strict=True):
        names = tuple(graph.names[node] for node in group)
        yield Island(float(x), float(y), round(float(radius), DECIMALS), names)
