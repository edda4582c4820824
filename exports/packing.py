"""Discs side by side: as close to the middle as they go, tied ones near each other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree

Points = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.float64]

ASPECT = 1.3
"""Width of the whole by its height, as most screens have it."""

_TIE = 0.4  # of the distance to tied discs, beside that to the middle
_RAYS = 720
_TURNS = 90  # of a pack, of which the flattest is taken


def pack(radii: Numbers, ties: Numbers) -> Points:
    """Return centres of discs that do not overlap, ``(n, 2)``, around 0.

    Args:
        radii: Of the discs, ``(n,)``; the largest is placed first.
        ties: How much two discs want to be neighbours, symmetric, ``(n, n)``.
    """
    centres = np.zeros((len(radii), 2))
    placed: list[int] = []
    for disc in np.argsort(-radii, kind="stable"):
        if placed:
            spots = _spots(centres[placed], radii[placed], radii[disc])
            middle = np.average(centres[placed], axis=0, weights=radii[placed] ** 2)
            best = _best(spots - middle, centres[placed] - middle, ties[disc, placed])
            centres[disc] = best + middle
        placed.append(int(disc))
    turned = _turned(centres, radii)
    return turned - _middle(turned, radii)


def _turned(centres: Points, radii: Numbers) -> Points:
    """Return the centres turned so that the smallest screen holds all discs."""
    best, least = centres, np.inf
    for angle in np.linspace(0.0, np.pi, _TURNS, endpoint=False):
        cos, sin = np.cos(angle), np.sin(angle)
        x, y = centres.T
        turned = np.stack([cos * x - sin * y, sin * x + cos * y], axis=1)
        low, high = (turned - radii[:, None]).min(axis=0), (turned + radii[:, None]).max(axis=0)
        width, height = high - low
        size = round(max(width / ASPECT, height), 3)
        if size < least:
            best, least = turned, size
    return best


def _spots(centres: Points, radii: Numbers, radius: float) -> Points:
    """Return the places where a disc touches two placed ones, or one, and covers none."""
    around = radii + radius
    angles = np.linspace(0.0, 2 * np.pi, 24, endpoint=False)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    found = [(centres[:, None] + around[:, None, None] * circle).reshape(-1, 2)]
    if len(centres) > 1:
        near = cKDTree(centres).query_pairs(2 * float(around.max()), output_type="ndarray")
        near = near[np.lexsort((near[:, 1], near[:, 0]))]
        found.extend(_touching(centres[near[:, 0]], centres[near[:, 1]], *around[near].T))
    spots = np.concatenate(found)
    gaps = np.hypot(*(spots[:, None] - centres).transpose(2, 0, 1)) - around
    free: Points = spots[(gaps > -1e-6).all(axis=1)]
    return free


def _touching(first: Points, second: Points, reach: Numbers, other: Numbers) -> Iterator[Points]:
    """Yield the points at two given distances from two centres, one side and the other."""
    between = second - first
    distance = np.hypot(between[:, 0], between[:, 1])
    along = (distance**2 + reach**2 - other**2) / (2 * distance)
    square = reach**2 - along**2
    real = square >= 0
    unit = between[real] / distance[real, None]
    foot = first[real] + unit * along[real, None]
    side = np.stack([-unit[:, 1], unit[:, 0]], axis=1) * np.sqrt(square[real])[:, None]
    yield foot + side
    yield foot - side


def _best(spots: Points, centres: Points, ties: Numbers) -> Points:
    """Return the spot nearest to the middle, 0, and to the centres that a disc is tied to."""
    cost = _distance(spots)
    if ties.any():
        far = np.hypot(*(spots[:, None] - centres).transpose(2, 0, 1))
        cost = cost + _TIE * (far @ ties) / ties.sum()
    best: Points = spots[np.lexsort((spots[:, 1], spots[:, 0], cost.round(3)))[0]]
    return best


def _middle(centres: Points, radii: Numbers) -> Points:
    """Return the middle of the box around the discs."""
    low = (centres - radii[:, None]).min(axis=0)
    high = (centres + radii[:, None]).max(axis=0)
    middle: Points = (low + high) / 2
    return middle


def coast(sizes: Numbers, centres: Points, radii: Numbers) -> Points:
    """Return centres of small discs around a pack, the places nearest to its middle first.

    Args:
        sizes: Radii of the small discs, ``(m,)``.
        centres: Of the pack's discs, ``(n, 2)``.
        radii: Of the pack's discs, ``(n,)``.
    """
    angles = np.linspace(0.0, 2 * np.pi, _RAYS, endpoint=False)
    rays = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    margin = float(sizes.max(initial=0.0))
    shore = np.zeros(_RAYS)
    for centre, radius in zip(centres, radii, strict=True):
        shore = np.maximum(shore, _exits(rays, centre, radius + margin))
    places = np.zeros((len(sizes), 2))
    for number, size in enumerate(sizes):
        best = int(np.argmin(_distance(shore[:, None] * rays).round(3)))
        places[number] = shore[best] * rays[best]
        shore = np.maximum(shore, _exits(rays, places[number], size + margin))
    return places


def _distance(points: Points) -> Numbers:
    """Return the distance from the middle, measured so that a wide rectangle is a ball."""
    x, y = np.abs(points[:, 0]) / ASPECT, np.abs(points[:, 1])
    distance: Numbers = (x**4 + y**4) ** 0.25
    return distance


def _exits(rays: Points, centre: Points, radius: float) -> Numbers:
    """Return how far along each ray from 0 a disc ends, 0 where the ray misses it."""
    along = rays @ centre
    square = along**2 - centre @ centre + radius**2
    ends: Numbers = np.where(square >= 0, along + np.sqrt(np.maximum(square, 0.0)), 0.0)
    return np.maximum(ends, 0.0)
