"""Positions within an island: neighbours close to each other, the disc filled, none on another.

Leaves stand around the node that bears them; the rest starts from a spectral drawing (Koren,
2005). Then two moves alternate: each node goes towards the mean of its neighbours (Tutte, 1963),
and all go apart until they fill a disc evenly (sliced optimal transport, Rabin et al., 2012).
Sums are those of numpy, not of BLAS, whose last bits depend on the number of threads.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.spatial import cKDTree

from exports.packing import Numbers, Points
from exports.rosettes import Indices, gather

_SEED = 1
_ROUNDS = 30  # of the power iteration behind the spectral drawing
_MOVES = 40  # towards the neighbours and apart again
_SLICES = 40  # directions along which the discs are spread at last
_GOLDEN = np.pi * (np.sqrt(5) - 1) / 2  # between two of these directions
_DENSITY = 0.6  # of an island's area that discs cover, before the last ones are parted
_SLACK = 0.1  # how far two discs may reach into each other
_WATCHED = 6.0  # how far apart two discs may be and still be looked at in each round

_HEIGHTS = np.linspace(-1.0, 1.0, 513)
_BELOW = 0.5 + (_HEIGHTS * np.sqrt(1 - _HEIGHTS**2) + np.arcsin(_HEIGHTS)) / np.pi
"""Which share of a disc's area lies below each of these heights."""


def spread(pairs: Indices, weights: Numbers, radii: Numbers) -> Points:
    """Return positions around 0 at which linked nodes are close and no disc lies on another.

    Args:
        pairs: Edges, each once, ``(m, 2)``.
        weights: Of the edges, ``(m,)``.
        radii: Of the nodes, with the room between them, ``(n,)``.
    """
    rosettes = gather(pairs, radii)
    between = rosettes.disc[pairs]
    core = between[:, 0] != between[:, 1]
    points = _rest(between[core], weights[core], rosettes.radii)
    outward = np.arctan2(points[:, 1], points[:, 0])[rosettes.disc]
    apart = points[rosettes.disc] + turned(rosettes.places, outward)
    return apart - _centre(apart, radii)


def turned(points: Points, angles: Numbers) -> Points:
    """Return each point turned about 0 by its angle."""
    cos, sin = np.cos(angles), np.sin(angles)
    x, y = points.T
    return np.stack([cos * x - sin * y, sin * x + cos * y], axis=1)


def _rest(pairs: Indices, weights: Numbers, radii: Numbers) -> Points:
    """Return positions of discs near those they have edges to, none on another."""
    if len(radii) == 1:
        return np.zeros((1, 2))
    means, degree = _means(pairs, weights, len(radii))
    points = _spectral(means, degree) * 0.5 * _radius(radii)
    for move in range(_MOVES):
        points = _filled(points, radii, range(2 * move, 2 * move + 2))
        points = 0.5 * (points + means @ points)
    return _separate(_filled(points, radii, range(_SLICES)), radii)


def _means(pairs: Indices, weights: Numbers, count: int) -> tuple[csr_array, Numbers]:
    """Return the matrix that takes the mean over each node's neighbours, and their weights.

    A weight counts by its root, so that a heavy edge does not outdo many light ones; a node
    without a neighbour is its own.
    """
    alone = np.setdiff1d(np.arange(count), pairs)
    roots = np.sqrt(weights)
    rows = np.concatenate([pairs[:, 0], pairs[:, 1], alone])
    columns = np.concatenate([pairs[:, 1], pairs[:, 0], alone])
    values = np.concatenate([roots, roots, np.ones(len(alone))])
    degree = np.bincount(rows, values, count).astype(np.float64)
    return csr_array((values / degree[rows], (rows, columns)), (count, count)), degree


def _spectral(means: csr_array, degree: Numbers) -> Points:
    """Return coordinates that change least along the edges, each of mean 0 and deviation 1.

    By power iteration; the third vector is there to let the other two settle sooner.
    """
    vectors = np.random.default_rng(_SEED).standard_normal((len(degree), 3))
    share = degree / degree.sum()
    for turn in range(_ROUNDS):
        vectors = 0.5 * (vectors + means @ vectors)
        if turn % 3 == 2:
            _orthogonalise(vectors, share)
    plane = vectors[:, :2]
    even: Points = (plane - plane.mean(axis=0)) / np.maximum(plane.std(axis=0), 1e-9)
    return even


def _orthogonalise(vectors: Points, share: Numbers) -> None:
    """Make the columns orthogonal to each other and to a constant, and of equal length."""
    for column in range(vectors.shape[1]):
        vector = vectors[:, column]
        vector -= np.sum(share * vector)
        for before in range(column):
            vector -= np.sum(share * vector * vectors[:, before]) * vectors[:, before]
        vector /= max(float(np.sqrt(np.sum(share * vector**2))), 1e-9)


def _radius(radii: Numbers) -> float:
    """Return the radius of a large disc that holds all discs."""
    return float(np.sqrt(np.sum(radii**2) / _DENSITY))


def _filled(points: Points, radii: Numbers, slices: range) -> Points:
    """Return the positions moved so that the discs fill a large disc evenly, neighbours kept.

    Sliced optimal transport: along one direction after another the discs take the places that
    an even spread has there, each as much room as its area.
    """
    x, y = (points - points.mean(axis=0)).T
    area = radii**2 / np.sum(radii**2)
    whole = _radius(radii)
    for angle in np.array(slices) * _GOLDEN:
        cos, sin = np.cos(angle), np.sin(angle)
        along = x * cos + y * sin
        order = np.argsort(along, kind="stable")
        share = area[order]
        move = np.empty(len(along))
        move[order] = whole * np.interp(np.cumsum(share) - share / 2, _BELOW, _HEIGHTS)
        move -= along
        x, y = x + 0.5 * move * cos, y + 0.5 * move * sin
    return np.stack([x, y], axis=1)


def _separate(points: Points, radii: Numbers, rounds: int = 300) -> Points:
    """Return the positions moved apart until no two discs overlap by more than `_SLACK`."""
    points, watched_at = points.copy(), None
    for _ in range(rounds):
        if watched_at is None or 2 * _farthest(points - watched_at) > _WATCHED:
            watched_at = points.copy()
            first, second = _close(points, radii)
            wanted = radii[first] + radii[second]
        between = points[second] - points[first]
        distance = np.hypot(between[:, 0], between[:, 1])
        lack = wanted - distance
        if lack.max(initial=0.0) <= _SLACK:
            return points
        between[distance < 1e-9] = (1e-3, 0.0)
        push = 0.51 * np.maximum(lack, 0.0) / np.maximum(distance, 1e-3)
        for axis in (0, 1):
            move = push * between[:, axis]
            points[:, axis] += np.bincount(second, move, len(points))
            points[:, axis] -= np.bincount(first, move, len(points))
    return _stretched(points, radii)


def _close(points: Points, radii: Numbers) -> tuple[Indices, Indices]:
    """Return the pairs of discs that touch or may soon."""
    reach = 2 * float(radii.max()) + _WATCHED
    first, second = cKDTree(points).query_pairs(reach, output_type="ndarray").T
    between = points[second] - points[first]
    near = np.hypot(between[:, 0], between[:, 1]) < radii[first] + radii[second] + _WATCHED
    order = np.lexsort((second[near], first[near]))
    return first[near][order], second[near][order]


def _farthest(points: Points) -> float:
    return float(np.hypot(points[:, 0], points[:, 1]).max())


def _stretched(points: Points, radii: Numbers) -> Points:
    """Return the positions scaled by the least factor that parts all discs."""
    first, second = _close(points, radii)
    between = points[second] - points[first]
    distance = np.hypot(between[:, 0], between[:, 1])
    wanted = radii[first] + radii[second]
    return points * float((wanted / np.maximum(distance, 1e-3)).max(initial=1.0))


def _centre(points: Points, radii: Numbers, steps: int = 200) -> Points:
    """Return the centre of a small disc around all discs (Badoiu and Clarkson, 2003)."""
    centre = points.mean(axis=0)
    for step in range(1, steps):
        between = points - centre
        distance = np.hypot(between[:, 0], between[:, 1]) + radii
        centre = centre + between[int(np.argmax(distance))] / (step + 1)
    return np.asarray(centre)
