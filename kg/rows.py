"""The rows of a table as records by id, made when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import pyarrow as pa

T = TypeVar("T")

_BLOCK = 64  # rows that are made at a time


class Rows(Mapping[str, T]):
    """Records by id, in the order of the table.

    Args:
        table: A table with a column ``id``.
        make: Makes a record of a row.

    Example:
        >>> rows = Rows(pa.table({"id": ["a", "b"], "n": [1, 2]}), lambda row: row["n"])
        >>> rows["b"], list(rows)
        (2, ['a', 'b'])
    """

    def __init__(self, table: pa.Table, make: Callable[[Mapping[str, Any]], T]) -> None:
        self._table, self._make = table, make
        self._places = {name: place for place, name in enumerate(table["id"].to_pylist())}
        self._made: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._made:
            start = self._places[name] // _BLOCK * _BLOCK
            rows = self._table.slice(start, _BLOCK).to_pylist()
            self._made.update((row["id"], self._make(row)) for row in rows)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
