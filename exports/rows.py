"""The records of a stream by columns: of a table as it stands, or of records that came one by one.

A page of many thousand papers is made of columns and numbers; a record is made only of what a
page shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from exports.view import Tabular, View, records

Indices = npt.NDArray[np.int64]


class Rows(Protocol):
    """Records of one stream, read column by column."""

    def __len__(self) -> int:
        """Return how many there are."""

    def column(self, name: str) -> list[Any]:
        """Return a field of all records."""

    def distinct(self, name: str) -> list[str]:
        """Return the values that a field of strings has, sorted."""

    def codes(self, name: str, keys: Sequence[str]) -> Indices:
        """Return the place of a field's value among the keys, -1 for others, ``(n,)``."""

    def listed(self, name: str, keys: Sequence[str]) -> tuple[Indices, Indices]:
        """Return the place among the keys of each value in a field of lists, and its record.

        Values that are no key are left out.
        """

    def take(self, places: Indices) -> Rows:
        """Return some of the records."""

    def records(self) -> list[Any]:
        """Return them as records."""


def rows(view: View, stream: str, names: Sequence[str] = ()) -> Rows:
    """Return a stream of a view by columns.

    Args:
        view: The graph.
        stream: One of `exports.records.STREAMS`.
        names: The fields that are asked for; if none are given, all.
    """
    table = view.table(stream, names) if isinstance(view, Tabular) else None
    if table is None:
        return _RecordRows(list(getattr(view, stream)()))
    return _TableRows(stream, table)


class _RecordRows:
    """Records that a view yields one by one."""

    def __init__(self, found: list[Any]) -> None:
        self._found = found

    def __len__(self) -> int:
        return len(self._found)

    def column(self, name: str) -> list[Any]:
        return list(map(attrgetter(name), self._found))

    def distinct(self, name: str) -> list[str]:
        return sorted(set(self.column(name)))

    def codes(self, name: str, keys: Sequence[str]) -> Indices:
        place = {key: number for number, key in enumerate(keys)}
        return np.array([place.get(value, -1) for value in self.column(name)], dtype=np.int64)

    def listed(self, name: str, keys: Sequence[str]) -> tuple[Indices, Indices]:
        place = {key: number for number, key in enumerate(keys)}
        found = [
            (place[value], record)
            for record, values in enumerate(self.column(name))
            for value in values
            if value in place
        ]
        codes, owners = np.array(found, dtype=np.int64).reshape(-1, 2).T
        return codes, owners

    def take(self, places: Indices) -> Rows:
        return _RecordRows([self._found[place] for place in places.tolist()])

    def records(self) -> list[Any]:
        return self._found


class _TableRows:
    """The rows of a table, a column a field."""

    def __init__(self, stream: str, table: Any) -> None:
        self._stream = stream
        self._table = table

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def column(self, name: str) -> list[Any]:
        found: list[Any] = self._table[name].to_pylist()
        return found

    def distinct(self, name: str) -> list[str]:
        return sorted(self._table[name].unique().to_pylist())

    def codes(self, name: str, keys: Sequence[str]) -> Indices:
        return _codes(self._table[name], keys)

    def listed(self, name: str, keys: Sequence[str]) -> tuple[Indices, Indices]:
        import pyarrow.compute as pc

        lists = self._table[name].combine_chunks()
        codes = _codes(pc.list_flatten(lists), keys)
        owners = pc.list_parent_indices(lists).to_numpy(zero_copy_only=False)
        return codes[codes >= 0], owners[codes >= 0].astype(np.int64)

    def take(self, places: Indices) -> Rows:
        if len(places) and (np.diff(places) == 1).all():
            return _TableRows(self._stream, self._table.slice(places[0], len(places)))
        return _TableRows(self._stream, self._table.take(places))

    def records(self) -> list[Any]:
        return list(records(self._stream, self._table))


def _codes(values: Any, keys: Sequence[str]) -> Indices:
    """Return the place of each value of a column of strings among the keys, -1 for others."""
    import pyarrow as pa
    import pyarrow.compute as pc

    places = pc.fill_null(pc.index_in(values, value_set=pa.array(keys, values.type)), -1)
    return np.asarray(places.to_numpy(zero_copy_only=False)).astype(np.int64)
