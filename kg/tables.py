"""The tables on disk: their schemas, their version, and how they are written.

The tables are the truth of a graph folder; everything else is made from them. Each is
one Parquet file that pandas, DuckDB, Polars and Spark read as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

SCHEMA_VERSION = 1

_LATER = frozenset(["kinds", "merges", "related_concepts"])  # folders of 0.1.0 do without

_STRINGS = pa.list_(pa.string())

_EVIDENCE = [
    ("paper", pa.string()),
    ("concept", pa.string()),
    ("role", pa.string()),
    ("field", pa.string()),
    ("start", pa.int32()),
    ("end", pa.int32()),
    ("quote", pa.string()),
    ("sentence", pa.string()),
    ("sentence_start", pa.int32()),
    ("confidence", pa.float64()),
    ("extractor", pa.string()),
    ("version", pa.string()),
]

SCHEMAS: dict[str, pa.Schema] = {
    "papers": pa.schema(
        [
            ("id", pa.string()),
            ("label", pa.string()),
            ("title", pa.string()),
            ("abstract", pa.string()),
            ("authors", _STRINGS),
            ("year", pa.int32()),
            ("venue", pa.string()),
            ("doi", pa.string()),
            ("url", pa.string()),
            ("keywords", _STRINGS),
            ("code_urls", _STRINGS),
            ("language", pa.string()),
            ("also_known_as", _STRINGS),
            ("source_file", pa.string()),
            ("source_line", pa.int32()),
            ("source_record", pa.string()),
        ]
    ),
    # One row a form, the concept for which it stands, and the rule that says so.
    "merges": pa.schema(
        [
            ("form", pa.string()),
            ("concept", pa.string()),
            ("rule", pa.string()),
            ("via", pa.string()),
            ("support", pa.int32()),
        ]
    ),
    # The kinds that papers say of a concept, where they differ; the heaviest is its kind.
    "kinds": pa.schema(
        [
            ("concept", pa.string()),
            ("kind", pa.string()),
            ("weight", pa.float64()),
            ("papers", pa.int32()),
        ]
    ),
    # One row a place that names a concept.
    "mentions": pa.schema([*_EVIDENCE, ("kind", pa.string())]),
    "abbreviations": pa.schema(
        [
            ("paper", pa.string()),
            ("field", pa.string()),
            ("short_start", pa.int32()),
            ("short_end", pa.int32()),
            ("long_start", pa.int32()),
            ("long_end", pa.int32()),
            ("short", pa.string()),
            ("long", pa.string()),
        ]
    ),
    "concepts": pa.schema(
        [
            ("id", pa.string()),
            ("label", pa.string()),
            ("kind", pa.string()),
            ("aliases", _STRINGS),
            ("abbreviations", _STRINGS),
            ("broader", _STRINGS),
            ("same_as", _STRINGS),
            ("papers", pa.int32()),
        ]
    ),
    # One row a paper and concept, with the best place that shows the role.
    "edges": pa.schema([*_EVIDENCE, ("mentions", pa.int32())]),
    "related": pa.schema(
        [
            ("source", pa.string()),
            ("target", pa.string()),
            ("weight", pa.float64()),
            ("shared", pa.float64()),
            ("similarity", pa.float64()),
            ("concepts", _STRINGS),
        ]
    ),
    # Two concepts that papers name together more often than by chance, the smaller id first.
    "related_concepts": pa.schema(
        [
            ("concept", pa.string()),
            ("other", pa.string()),
            ("papers", pa.int32()),
            ("npmi", pa.float64()),
            ("weight", pa.float64()),
        ]
    ),
    "communities": pa.schema(
        [("paper", pa.string()), ("community", pa.int32()), ("label", pa.string())]
    ),
    # The unit vector of each paper's title and abstract, for similarity.
    "vectors": pa.schema([("paper", pa.string()), ("vector", pa.list_(pa.float32()))]),
    # One row a number that an abstract reports; what it leaves open is "" or null.
    "results": pa.schema(
        [
            ("paper", pa.string()),
            ("metric", pa.string()),
            ("relation", pa.string()),
            ("value", pa.float64()),
            ("unit", pa.string()),
            ("qualifier", pa.string()),
            ("dataset", pa.string()),
            ("task", pa.string()),
            ("method", pa.string()),
            ("compared_value", pa.float64()),
            ("compared_method", pa.string()),
            ("metric_concept", pa.string()),
            ("dataset_concept", pa.string()),
            ("task_concept", pa.string()),
            ("method_concept", pa.string()),
            ("compared_concept", pa.string()),
            ("field", pa.string()),
            ("start", pa.int32()),
            ("end", pa.int32()),
            ("quote", pa.string()),
            ("sentence", pa.string()),
            ("sentence_start", pa.int32()),
            ("extractor", pa.string()),
            ("version", pa.string()),
        ]
    ),
    "skipped": pa.schema(
        [
            ("file", pa.string()),
            ("line", pa.int32()),
            ("record", pa.string()),
            ("reason", pa.string()),
        ]
    ),
}


def to_table(name: str, rows: Iterable[Mapping[str, Any]]) -> pa.Table:
    """Return the rows as the table of that name; a key that is absent is null."""
    return pa.Table.from_pylist(list(rows), schema=SCHEMAS[name])


def from_records(name: str, records: Sequence[object], **columns: Sequence[Any]) -> pa.Table:
    """Return the records as the table of that name, a column an attribute.

    Args:
        name: The table's name.
        records: One a row, in order.
        columns: Values by column, of those that are no attribute of the records.

    Example:
        >>> rows = from_records("kinds", (), concept=["x"], kind=["task"], weight=[1], papers=[1])
        >>> rows["kind"].to_pylist()
        ['task']
    """
    arrays = [
        pa.array(
            columns[field.name]
            if field.name in columns
            else list(map(attrgetter(field.name), records)),
            field.type,
        )
        for field in SCHEMAS[name]
    ]
    return pa.Table.from_arrays(arrays, schema=SCHEMAS[name])


def open_file(folder: Path, name: str) -> pa.Buffer | None:
    """Return the bytes of a table's file; None if the folder is older than the table.

    Raises:
        OSError: If it is missing.
        pa.ArrowException: If it is no Parquet file.
    """
    path = folder / f"{name}.parquet"
    if name in _LATER and not path.exists():
        return None
    file = pa.py_buffer(path.read_bytes())
    pq.read_metadata(pa.BufferReader(file))
    return file


def read(name: str, file: pa.Buffer | None) -> pa.Table:
    """Return the table that a file of `open_file` holds, empty if there is none."""
    if file is None:
        return SCHEMAS[name].empty_table()
    return pq.read_table(pa.BufferReader(file), schema=SCHEMAS[name])


def write(folder: Path, name: str, table: pa.Table) -> None:
    """Write one table under its name, the same bytes for the same rows.

    Args:
        folder: Where it is written.
        name: The table's name.
        table: Its rows; columns of strings may be dictionaries, and there may be more columns.
    """
    schema = SCHEMAS[name]
    plain = table.select(schema.names).cast(schema).combine_chunks()
    pq.write_table(plain, folder / f"{name}.parquet", compression="zstd", store_schema=False)
