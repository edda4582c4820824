"""Columns of strings as numbers, so that many rows are sorted, grouped and counted at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Codes = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class Coded(NamedTuple):
    """A column of strings: ``values[code]`` of each row's code.

    Args:
        codes: One a row, shape (n,); they sort as the strings do.
        values: The distinct strings, sorted.
    """

    codes: Codes
    values: list[str]

    def column(self) -> pa.DictionaryArray:
        """Return the column as Arrow has it; a code below 0 is null."""
        codes = pa.array(self.codes, pa.int32(), mask=self.codes < 0)
        return pa.DictionaryArray.from_arrays(codes, pa.array(self.values, pa.string()))


def whole(column: pa.ChunkedArray) -> pa.Array:
    """Return a column as one array; a copy only if it has several parts."""
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def coded(column: pa.ChunkedArray) -> Coded:
    """Return a column of strings as numbers.

    Args:
        column: Strings, also as a dictionary; no nulls.

    Example:
        >>> coded(pa.chunked_array([["b", "a", "b"]])).codes.tolist()
        [1, 0, 1]
    """
    rows = whole(column.dictionary_encode().unify_dictionaries())
    order = pc.array_sort_indices(rows.dictionary)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order.to_numpy()] = np.arange(len(order))
    return Coded(rank[rows.indices.to_numpy()], rows.dictionary.take(order).to_pylist())


def places_in(column: Coded, known: Sequence[str]) -> Codes:
    """Return where each value stands among some known ones; behind them all where it does not.

    Example:
        >>> places_in(coded(pa.chunked_array([["b", "a", "x"]])), ["b", "a"]).tolist()
        [0, 1, 2]
    """
    place = {value: i for i, value in enumerate(known)}
    return np.array([place.get(value, len(known)) for value in column.values], int)[column.codes]


def starts(*columns: npt.NDArray[Any]) -> Flags:
    """Tell which rows begin a group: in which one of the sorted columns differs from before.

    Example:
        >>> starts(np.array([1, 1, 1, 2]), np.array([5, 5, 6, 6])).tolist()
        [True, False, True, True]
    """
    first = np.ones(len(columns[0]), dtype=np.bool_)
    first[1:] = False
    for column in columns:
        first[1:] |= column[1:] != column[:-1]
    return first
