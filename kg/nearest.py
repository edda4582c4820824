"""Nearest vectors among many, without comparing every pair.

The vectors are grouped around centres (k-means: S. Lloyd, 1982), and each group is compared with
the groups around it, as in the inverted file of J. Sivic & A. Zisserman (2003). A group has about
as many members whatever the number of vectors, so that time grows with that number, not with its
square; up to `PROBED` groups all pairs are compared.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy import sparse
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]  # no types

GROUP = 512  # vectors of a group, on average
PROBED = 24  # groups that each group is compared with, itself included
_ROUNDS = 4  # of k-means; centres move little after that
_BLOCK = 128  # vectors that are compared at a time: their cosines stay in the cache
_STACK = 16  # cosines of which at first only the largest is looked at

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.intp]


def nearest(vectors: Floats, n: int = 20) -> Places:
    """Return the places of (nearly) the ``n`` most similar vectors of each, itself among them.

    Args:
        vectors: Unit vectors or zero rows, shape (m, d).
        n: How many; all if there are fewer.

    Returns:
        Shape (m, min(n, m)), in no order.

    Example:
        >>> vectors = np.array([[1, 0], [0, 1], [0.8, 0.6]], dtype=np.float32)
        >>> sorted(map(sorted, nearest(vectors, 2).tolist()))
        [[0, 2], [0, 2], [1, 2]]
    """
    n = min(n, len(vectors))
    found = np.zeros((len(vectors), n), dtype=np.intp)
    with threadpool_limits(1, user_api="blas"):  # products this small are slower on more threads
        for members, others in _neighbourhoods(vectors, least=n):
            among = vectors[others].T
            room = np.empty((_BLOCK, len(others)), dtype=vectors.dtype)
            for start in range(0, len(members), _BLOCK):
                some = members[start : start + _BLOCK]
                cosines = np.matmul(vectors[some], among, out=room[: len(some)])
                found[some] = others[_largest(cosines, n)]
    return found


def _largest(values: Floats, n: int) -> Places:
    """Return the places of the ``n`` largest values of each row, in no order.

    The values are dealt into stacks: the largest are in the ``n`` stacks whose largest are so.

    Args:
        values: Shape (m, d).
        n: 1..d.
    """
    height = min(_STACK, values.shape[1] // n)
    width = values.shape[1] // height
    stacks = values[:, : height * width].reshape(len(values), height, width)
    best = np.argpartition(-stacks.max(axis=1), n - 1, axis=1)[:, :n]
    inside = best[:, None, :] + width * np.arange(height)[:, None]
    left = np.tile(np.arange(height * width, values.shape[1]), (len(values), 1))
    places = np.concatenate([inside.reshape(len(values), -1), left], axis=1)
    order = np.argpartition(-np.take_along_axis(values, places, axis=1), n - 1, axis=1)[:, :n]
    return np.take_along_axis(places, order, axis=1)


def _neighbourhoods(vectors: Floats, least: int) -> Iterator[tuple[Places, Places]]:
    """Yield the members of each group, and those of the groups around it, ``least`` or more."""
    groups = _groups(vectors)
    centres = np.stack([vectors[group].mean(axis=0) for group in groups]) if groups else vectors
    closeness = centres @ centres.T
    for members, row in zip(groups, closeness, strict=True):
        near = np.argsort(-row, kind="stable")
        sizes = np.cumsum([len(groups[i]) for i in near])
        enough = max(PROBED, int(np.searchsorted(sizes, least)) + 1)
        yield members, np.sort(np.concatenate([groups[i] for i in near[:enough]]))


def _groups(vectors: Floats) -> list[Places]:
    """Return the places of the vectors of each group that is not empty."""
    count = -(-len(vectors) // GROUP)
    centres = vectors[np.linspace(0, len(vectors) - 1, count).astype(np.intp)]
    nearest_centre = np.zeros(len(vectors), dtype=np.intp)
    for _ in range(_ROUNDS if count > PROBED else 0):
        nearest_centre = _nearest_centres(vectors, centres)
        sums = _sums(vectors, nearest_centre, count)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        centres = np.where(lengths > 0, sums / np.maximum(lengths, 1e-12), centres)
    order = np.argsort(nearest_centre, kind="stable")
    groups = np.split(order, np.cumsum(np.bincount(nearest_centre, minlength=count))[:-1])
    return [group for group in groups if len(group)]


def _nearest_centres(vectors: Floats, centres: Floats, block: int = 4096) -> Places:
    blocks = (vectors[start : start + block] for start in range(0, len(vectors), block))
    return np.concatenate([np.argmax(some @ centres.T, axis=1) for some in blocks])


def _sums(vectors: Floats, groups: Places, count: int) -> Floats:
    """Return the sum of the vectors of each group."""
    cells = np.ones(len(vectors), dtype=np.float32), (groups, np.arange(len(vectors)))
    sums: Floats = sparse.csr_matrix(cells, shape=(count, len(vectors))) @ vectors
    return sums
