"""The records that every writer reads, from the tables of a folder or from networkx.

The only file of this package that knows the names of columns and attributes. A view is
read once or many times; each call streams its records anew, sorted by id.

Node keys in networkx: a paper's is its id, a concept's is ``concept:`` and its id; the
edge from a paper to a concept has the role as key.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

from exports.records import (
    FIELDS,
    STREAMS,
    ConceptRecord,
    EvidenceRecord,
    LinkRecord,
    PaperRecord,
    ResultRecord,
    RunRecord,
    View,
)
from exports.values import plain

__all__ = [
    "BATCH_ROWS",
    "CONCEPT_PREFIX",
    "FIELDS",
    "ConceptRecord",
    "EvidenceRecord",
    "GraphView",
    "LinkRecord",
    "PaperRecord",
    "ResultRecord",
    "RunRecord",
    "TableView",
    "Tabular",
    "View",
    "records",
]

CONCEPT_PREFIX = "concept:"
BATCH_ROWS = 4096

Record = TypeVar("Record")


_SEVERAL = {field.name for kind in FIELDS for field in fields(kind) if field.default == ()}
_TABLES = {"links": "related"}  # the tables that have another name than their stream


@runtime_checkable
class Tabular(Protocol):
    """A view that has its records as Arrow tables."""

    def table(self, stream: str, names: Iterable[str] = ()) -> Any | None:
        """Return a stream of `exports.records.STREAMS` as a table with a column a field.

        Args:
            stream: Its name.
            names: The fields; if none are given, all that there are.
        """


class TableView:
    """The tables of a graph, read batch by batch, or one at once.

    Args:
        tables: The folder that holds them, or the tables themselves by name.
        run: The content of ``run.json``; read from the folder where it is None.

    Example:
        >>> view = TableView(Path("atlas"))  # doctest: +SKIP
        >>> next(view.papers()).label  # doctest: +SKIP
        'Shared-AE'
    """

    def __init__(
        self, tables: str | Path | Mapping[str, Any], run: Mapping[str, Any] | None = None
    ) -> None:
        self._tables = tables if isinstance(tables, Mapping) else Path(tables)
        self._run = run

    def papers(self) -> Iterator[PaperRecord]:
        """Yield the papers, each with its community where the folder knows it."""
        return self._records("papers")

    def concepts(self) -> Iterator[ConceptRecord]:
        """Yield the concepts, each with those that papers name together with it."""
        return self._records("concepts")

    def edges(self) -> Iterator[EvidenceRecord]:
        """Yield one record a paper and concept, with its best evidence."""
        return self._records("edges")

    def mentions(self) -> Iterator[EvidenceRecord]:
        """Yield one record a place that names a concept."""
        return self._records("mentions")

    def links(self) -> Iterator[LinkRecord]:
        """Yield the links between papers."""
        return self._records("links")

    def results(self) -> Iterator[ResultRecord]:
        """Yield the results that papers report."""
        return self._records("results")

    def run(self) -> RunRecord:
        """Return how the graph was made."""
        stored = self._stored_run() if self._run is None else self._run
        extractors = tuple((item["name"], item["version"]) for item in stored["extractors"])
        inputs = tuple((item["name"], item["sha256"]) for item in stored["inputs"])
        return _record(RunRecord, {**stored, "extractors": extractors, "inputs": inputs})

    def table(self, stream: str, names: Iterable[str] = ()) -> Any:
        """Return a stream as one table with a column a field, as `Tabular` says."""
        from pyarrow.parquet import ParquetFile

        name = _TABLES.get(stream, stream)
        wanted = set(names) or {*FIELDS[STREAMS[stream]]}
        if isinstance(self._tables, Mapping):
            whole = self._tables[name]
            found = whole.select([column for column in whole.column_names if column in wanted])
        else:
            with ParquetFile(self._tables / f"{name}.parquet") as file:
                columns = [column for column in file.schema_arrow.names if column in wanted]
                found = file.read(columns=columns)
        return self._joined(stream, wanted)(found)

    def _records(self, stream: str) -> Iterator[Any]:
        kind = STREAMS[stream]
        joined = self._joined(stream, {*FIELDS[kind]})
        for batch in self._batches(_TABLES.get(stream, stream), FIELDS[kind]):
            yield from records(stream, joined(batch))

    def _batches(self, table: str, names: Iterable[str]) -> Iterator[Any]:
        from pyarrow.parquet import ParquetFile

        if isinstance(self._tables, Mapping):
            whole = self._tables[table]
            columns = [name for name in whole.column_names if name in names]
            yield from whole.select(columns).to_batches(max_chunksize=BATCH_ROWS)
            return
        with ParquetFile(self._tables / f"{table}.parquet") as file:
            columns = [name for name in file.schema_arrow.names if name in names]
            yield from file.iter_batches(batch_size=BATCH_ROWS, columns=columns)

    def _joined(self, stream: str, names: Set[str]) -> Callable[[Any], Any]:
        """Return the function that adds the columns that another table holds."""
        if stream == "papers" and "community" in names:
            return partial(_with_communities, communities=self._optional("communities"))
        if stream == "concepts" and "related" in names:
            return partial(_with_related, related=self._related_concepts())
        return lambda rows: rows

    def _related_concepts(self) -> dict[str, list[str]]:
        table = self._optional("related_concepts")
        found: dict[str, list[str]] = {}
        for row in table.to_pylist() if table is not None else ():
            found.setdefault(row["concept"], []).append(row["other"])
            found.setdefault(row["other"], []).append(row["concept"])
        return {concept: sorted(others) for concept, others in found.items()}

    def _stored_run(self) -> Any:
        if isinstance(self._tables, Mapping):
            raise TypeError("tables without a folder need the content of run.json")
        return json.loads((self._tables / "run.json").read_text(encoding="utf-8"))

    def _optional(self, table: str) -> Any | None:
        """Return a table, none where it was not computed."""
        from pyarrow.parquet import read_table

        if isinstance(self._tables, Mapping):
            return self._tables.get(table)
        path = self._tables / f"{table}.parquet"
        return read_table(path) if path.exists() else None


class GraphView:
    """A networkx graph with the attributes that this module's docstring names.

    Args:
        graph: A ``networkx.MultiDiGraph``; unknown nodes and edges are left out.
        run: How it was made.

    Example:
        >>> import networkx as nx
        >>> graph = nx.MultiDiGraph()
        >>> graph.add_node("10.1000/x", type="paper", title="Trees")
        >>> [paper.label for paper in GraphView(graph, RunRecord("https://e.org/")).papers()]
        ['Trees']
    """

    def __init__(self, graph: Any, run: RunRecord) -> None:
        self._graph = graph
        self._run = run

    def papers(self) -> Iterator[PaperRecord]:
        """Yield the papers."""
        for key, data in self._nodes("paper"):
            yield _paper({**data, "id": key})

    def concepts(self) -> Iterator[ConceptRecord]:
        """Yield the concepts; broader and related ones only where the graph holds them."""
        known = self._concept_ids()
        for key, data in self._nodes("concept"):
            for name in ("broader", "related"):
                data[name] = [other for other in data.get(name, ()) if other in known]
            data.setdefault("id", key.removeprefix(CONCEPT_PREFIX))
            yield _record(ConceptRecord, {"label": "", "kind": "", **data, "id": str(data["id"])})

    def edges(self) -> Iterator[EvidenceRecord]:
        """Yield one record a paper, concept and role, with the evidence on the edge."""
        for paper, target, role, data in self._edges("role"):
            ends = {"paper": str(paper), "concept": self._concept_id(target)}
            yield _record(EvidenceRecord, {**_NO_EVIDENCE, "role": role, **data, **ends})

    def mentions(self) -> Iterator[EvidenceRecord]:
        """Yield the edges' evidence: the graph holds one place for each."""
        yield from self.edges()

    def links(self) -> Iterator[LinkRecord]:
        """Yield the links between papers."""
        known = self._concept_ids()
        for source, target, _, data in self._edges("related"):
            shared = [concept for concept in data.get("concepts", ()) if concept in known]
            ends = {"source": str(source), "target": str(target), "concepts": shared}
            yield _record(LinkRecord, {**_NO_WEIGHT, **data, **ends})

    def results(self) -> Iterator[ResultRecord]:
        """Yield the results that stand at the papers; concepts only where the graph has them."""
        known = self._concept_ids()
        for key, data in self._nodes("paper"):
            for row in data.get("results", ()):
                parts = {n: v for n, v in row.items() if not n.endswith("_concept") or v in known}
                yield _record(ResultRecord, {**parts, "paper": key})

    def run(self) -> RunRecord:
        """Return how the graph was made."""
        return self._run

    def _nodes(self, kind: str) -> list[tuple[str, dict[str, Any]]]:
        nodes = self._graph.nodes(data=True)
        found = {str(key): _data(data) for key, data in nodes if data.get("type") == kind}
        return sorted(found.items())

    def _edges(self, kind: str) -> list[tuple[Any, Any, str, dict[str, Any]]]:
        edges = self._graph.edges(keys=True, data=True)
        found = ((a, b, str(k), _data(d)) for a, b, k, d in edges if d.get("type") == kind)
        return sorted(found, key=lambda edge: tuple(map(str, edge[:3])))

    def _concept_ids(self) -> set[str]:
        return {self._concept_id(k) for k, t in self._graph.nodes(data="type") if t == "concept"}

    def _concept_id(self, key: Any) -> str:
        return str(self._graph.nodes[key].get("id", str(key).removeprefix(CONCEPT_PREFIX)))


def _data(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Return attributes as JSON has them, without what is null; a name alone is one of several."""
    found = {name: value for name, value in plain(attributes).items() if value is not None}
    if isinstance(year := found.get("year"), float) and year.is_integer():  # as pandas has it
        found["year"] = int(year)
    alone = [name for name in _SEVERAL & found.keys() if isinstance(found[name], str)]
    return found | {name: [found[name]] for name in alone}


_NO_EVIDENCE: dict[str, Any] = {
    **dict.fromkeys(("field", "quote", "sentence", "extractor", "version"), ""),
    **dict.fromkeys(("start", "end", "sentence_start"), 0),
    "confidence": 0.0,
}
_NO_WEIGHT: dict[str, Any] = {"weight": 0.0, "shared": 0.0, "similarity": 0.0}


def _record(kind: type[Record], values: Mapping[str, Any]) -> Record:
    """Return the record; lists become tuples, and what is null keeps the default."""
    known = {
        name: tuple(value) if isinstance(value, list) else value
        for name in FIELDS[kind]
        if (value := values.get(name)) is not None
    }
    return kind(**known)


def records(stream: str, rows: Any) -> Iterator[Any]:
    """Yield the records of a table or a batch of one, as a view of that stream does.

    Args:
        stream: One of `exports.records.STREAMS`.
        rows: A pyarrow table or record batch, a column a field.
    """
    kind = STREAMS[stream]
    batches = rows.to_batches(max_chunksize=BATCH_ROWS) if hasattr(rows, "to_batches") else [rows]
    for batch in batches:
        if stream == "papers":
            yield from map(_paper, batch.to_pylist())
        elif any(column.null_count for column in batch.columns):
            yield from (_record(kind, row) for row in batch.to_pylist())
        else:
            yield from _columns(kind, batch)


def _columns(kind: type[Record], batch: Any) -> Iterator[Record]:
    """Yield the records of a batch without nulls, column by column, which is quicker."""
    names = batch.schema.names
    columns = (column.to_pylist() for column in batch.columns)
    several = (map(tuple, c) if c and isinstance(c[0], list) else c for c in columns)
    return (kind(**dict(zip(names, row, strict=True))) for row in zip(*several, strict=True))


def _paper(values: Mapping[str, Any]) -> PaperRecord:
    label = values.get("label") or values.get("title") or values["id"]
    return _record(PaperRecord, {**values, "label": label})


def _with_communities(rows: Any, communities: Any | None) -> Any:
    """Return papers with number and label of their community, null and "" without one."""
    import pyarrow as pa
    import pyarrow.compute as pc

    numbers, labels = pa.nulls(len(rows), pa.int32()), pa.array([""] * len(rows), pa.string())
    if communities is not None:
        places = pc.index_in(rows["id"], value_set=communities["paper"].combine_chunks())
        numbers = pc.take(communities["community"].combine_chunks(), places)
        labels = pc.fill_null(pc.take(communities["label"].combine_chunks(), places), "")
    return rows.append_column("community", numbers).append_column("community_label", labels)


def _with_related(rows: Any, related: Mapping[str, list[str]]) -> Any:
    """Return concepts with the ids of those that papers name together with them."""
    import pyarrow as pa

    others = [related.get(concept, []) for concept in rows["id"].to_pylist()]
    return rows.append_column("related", pa.array(others, pa.list_(pa.string())))
