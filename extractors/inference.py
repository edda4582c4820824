"""How spaCy's networks are run here: products of matrices on one thread, vectors remembered.

The answers are the same to the last bit whatever the number of processes, because none of them
is shared out among threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
from spacy.vectors import Vectors  # type: ignore[import-not-found]  # compiled, no stubs
from thinc.api import NumpyOps, get_current_ops, set_current_ops
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]  # no types

REMEMBERED = 50_000
"""Most words whose vectors are kept: 13 MB."""


class OneThreadOps(NumpyOps):  # type: ignore[misc]  # compiled, no stubs
    """thinc's arithmetic with the products of numpy, which are three times as fast."""

    def gemm(
        self, x: Any, y: Any, out: Any = None, trans1: bool = False, trans2: bool = False
    ) -> Any:
        """Return the product of two matrices, each transposed if it is asked for."""
        left, right = x.T if trans1 else x, y.T if trans2 else y
        with one_thread():
            return np.matmul(left, right, out=out)


@contextmanager
def one_thread() -> Iterator[None]:
    """Let the products of matrices be computed on one thread meanwhile."""
    with _libraries().limit(limits=1, user_api="blas"):
        yield


@contextmanager
def quick_products() -> Iterator[None]:
    """Let the networks that are made or loaded meanwhile compute with `OneThreadOps`."""
    before = get_current_ops()
    set_current_ops(OneThreadOps())
    try:
        yield
    finally:
        set_current_ops(before)


class RememberedVectors(Vectors):  # type: ignore[misc]  # compiled, no stubs
    """Vectors by the letters of a word (floret), each computed once.

    Args:
        given: The vectors to remember; their table is shared.
    """

    def __init__(self, given: Vectors) -> None:
        super().__init__(
            strings=given.strings,
            data=given.data,
            name=given.name,
            mode=given.mode,
            minn=given.minn,
            maxn=given.maxn,
            hash_count=given.hash_count,
            hash_seed=given.hash_seed,
            bow=given.bow,
            eow=given.eow,
            attr=given.attr,
        )
        self._known: dict[int | str, Any] = {}

    def get_batch(self, keys: Iterable[int | str]) -> Any:
        """Return the vectors of words, ``(n, d)``, alone or in a batch the same."""
        return np.array([self._vector(key) for key in keys], dtype=self.data.dtype)

    def _vector(self, key: int | str) -> Any:
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            found = self._known[key] = super().get_batch([key])[0]
        return found


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()
