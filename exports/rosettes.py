"""Leaves around the node that bears them, as petals: a disc that moves as one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import asin, pi

import numpy as np
import numpy.typing as npt

from exports.packing import Numbers, Points

Indices = npt.NDArray[np.int64]

_ROOM = 6.0  # between a node and its leaves, and between rings of them, beside that of all nodes


@dataclass(frozen=True, slots=True)
class Rosettes:
    """A graph whose leaves stand around their only neighbours.

    Args:
        core: The nodes that are no leaves, ``(c,)``.
        radii: Radius of the disc around each of them and its leaves, ``(c,)``.
        places: Of each node of the graph, from the middle of its disc, ``(n, 2)``.
        disc: Number of the disc in which each node of the graph lies, ``(n,)``.
    """

    core: Indices
    radii: Numbers
    places: Points
    disc: Indices


def gather(pairs: Indices, radii: Numbers) -> Rosettes:
    """Return the discs of a graph's nodes with their leaves.

    Args:
        pairs: Edges, each once, ``(m, 2)``.
        radii: Of the nodes, with the room between them, ``(n,)``.
    """
    bearer = _bearers(pairs, len(radii))
    core = np.flatnonzero(bearer < 0)
    place = np.full(len(radii), -1)
    place[core] = np.arange(len(core))
    leaves = np.flatnonzero(bearer >= 0)
    disc = np.where(bearer >= 0, place[bearer], place)
    places, reach = np.zeros((len(radii), 2)), radii[core].copy()
    order = leaves[np.argsort(disc[leaves], kind="stable")]
    numbers, starts, counts = np.unique(disc[order], return_index=True, return_counts=True)
    for number, start, count in zip(numbers, starts, counts, strict=True):
        node, group = core[number], order[start : start + count]
        middle, petals, reach[number] = _rosette(
            float(radii[node]), float(radii[group].max()), int(count)
        )
        places[node], places[group] = middle, petals
    return Rosettes(core, reach, places, disc)


def _bearers(pairs: Indices, count: int) -> Indices:
    """Return the only neighbour of each leaf, -1 for other nodes."""
    degree = np.bincount(pairs.ravel(), minlength=count)
    bearer = np.full(count, -1)
    for one, other in ((0, 1), (1, 0)):
        leaf = (degree[pairs[:, one]] == 1) & (degree[pairs[:, other]] > 1)
        bearer[pairs[leaf, one]] = pairs[leaf, other]
    return bearer


@lru_cache(maxsize=4096)
def _rosette(radius: float, petal: float, count: int) -> tuple[Points, Points, float]:
    """Return the places of a disc and of equal ones around it, and the radius of the whole."""
    if count == 1:
        whole = radius + petal + _ROOM / 2
        return np.array([radius - whole, 0.0]), np.array([[whole - petal, 0.0]]), whole
    rings: list[Points] = []
    ring, left = radius + petal + _ROOM, count
    while left:
        room = max(int(pi / asin(petal / ring) + 1e-9), 1)
        held = min(left, room)
        angles = 2 * pi * np.arange(held) / held + len(rings)
        rings.append(ring * np.stack([np.cos(angles), np.sin(angles)], axis=1))
        left -= held
        ring += 2 * petal + _ROOM
    return np.zeros(2), np.concatenate(rings), ring - petal - _ROOM
