"""The records that every writer reads, from the tables of a folder or from networkx.

The only file of this package that knows the names of columns and attributes. A view is
read once or many times; each call streams its records anew, sorted by id.

Node keys in networkx: a paper's is its id, a concept's is ``concept:`` and its id; the
edge from a paper to a concept has the role as key.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Protocol, TypeVar

from exports.values import plain

CONCEPT_PREFIX = "concept:"
BATCH_ROWS = 4096

Record = TypeVar("Record")


@dataclass(frozen=True, slots=True)
class PaperRecord:
    """A paper, as a writer sees it; ``label`` is always there, ``title`` may be empty."""

    id: str
    label: str
    title: str = ""
    abstract: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    doi: str = ""
    url: str = ""
    keywords: tuple[str, ...] = ()
    code_urls: tuple[str, ...] = ()
    language: str = ""
    also_known_as: tuple[str, ...] = ()
    community: int | None = None
    community_label: str = ""


@dataclass(frozen=True, slots=True)
class ConceptRecord:
    """A concept with its names; ``papers`` counts the papers that have an edge to it."""

    id: str
    label: str
    kind: str
    aliases: tuple[str, ...] = ()
    abbreviations: tuple[str, ...] = ()
    broader: tuple[str, ...] = ()
    same_as: tuple[str, ...] = ()
    papers: int = 0
    related: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EvidenceRecord:
    """A place in a paper that names a concept; offsets as in the cleaned field."""

    paper: str
    concept: str
    role: str
    field: str
    start: int
    end: int
    quote: str
    sentence: str
    sentence_start: int
    confidence: float
    extractor: str
    version: str


@dataclass(frozen=True, slots=True)
class LinkRecord:
    """A link between two papers, with the concepts that they share."""

    source: str
    target: str
    weight: float
    shared: float
    similarity: float
    concepts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ResultRecord:
    """A number that a paper reports; concepts are ids, empty where a name has none."""

    paper: str
    metric: str
    relation: str
    value: float
    unit: str = ""
    qualifier: str = ""
    dataset: str = ""
    task: str = ""
    method: str = ""
    compared_value: float | None = None
    compared_method: str = ""
    metric_concept: str = ""
    dataset_concept: str = ""
    task_concept: str = ""
    method_concept: str = ""
    compared_concept: str = ""
    field: str = "abstract"
    start: int = 0
    end: int = 0
    quote: str = ""
    sentence: str = ""
    sentence_start: int = 0
    extractor: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """How the graph was made: run.json, as far as writers show it.

    Args:
        base_iri: Base of the data's IRIs, ending in "/" or "#".
        version: Version of the program.
        configuration: Hash of options and models.
        extractors: (name, version) of each.
        inputs: (file name, sha256) of each.
        title: A name for the graph.
    """

    base_iri: str
    version: str = ""
    configuration: str = ""
    extractors: tuple[tuple[str, str], ...] = ()
    inputs: tuple[tuple[str, str], ...] = ()
    title: str = "Paper knowledge graph"


FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(field.name for field in fields(kind))
    for kind in (PaperRecord, ConceptRecord, EvidenceRecord, LinkRecord, ResultRecord, RunRecord)
}
"""Names of the fields of each record, in their order."""

_SEVERAL = {field.name for kind in FIELDS for field in fields(kind) if field.default == ()}


class View(Protocol):
    """A graph as streams of records."""

    def papers(self) -> Iterator[PaperRecord]:
        """Yield the papers, sorted by id."""

    def concepts(self) -> Iterator[ConceptRecord]:
        """Yield the concepts, sorted by id."""

    def edges(self) -> Iterator[EvidenceRecord]:
        """Yield one record a paper and concept, with its best evidence, sorted by paper."""

    def mentions(self) -> Iterator[EvidenceRecord]:
        """Yield one record a place that names a concept, sorted by paper."""

    def links(self) -> Iterator[LinkRecord]:
        """Yield the links between papers, sorted by their two ids."""

    def results(self) -> Iterator[ResultRecord]:
        """Yield the results that papers report, sorted by paper and place."""

    def run(self) -> RunRecord:
        """Return how the graph was made."""


class TableView:
    """The tables of a graph, read batch by batch.

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
        communities = self._communities()
        for batch in self._batches("papers", PaperRecord):
            yield from map(_paper, _with_communities(batch, communities))

    def concepts(self) -> Iterator[ConceptRecord]:
        """Yield the concepts, each with those that papers name together with it."""
        related = self._related_concepts()
        for batch in self._batches("concepts", ConceptRecord):
            for row in batch.to_pylist():
                yield _record(ConceptRecord, {**row, "related": related.get(row["id"])})

    def edges(self) -> Iterator[EvidenceRecord]:
        """Yield one record a paper and concept, with its best evidence."""
        yield from self._records("edges", EvidenceRecord)

    def mentions(self) -> Iterator[EvidenceRecord]:
        """Yield one record a place that names a concept."""
        yield from self._records("mentions", EvidenceRecord)

    def links(self) -> Iterator[LinkRecord]:
        """Yield the links between papers."""
        yield from self._records("related", LinkRecord)

    def results(self) -> Iterator[ResultRecord]:
        """Yield the results that papers report."""
        yield from self._records("results", ResultRecord)

    def run(self) -> RunRecord:
        """Return how the graph was made."""
        stored = self._stored_run() if self._run is None else self._run
        extractors = tuple((item["name"], item["version"]) for item in stored["extractors"])
        inputs = tuple((item["name"], item["sha256"]) for item in stored["inputs"])
        return _record(RunRecord, {**stored, "extractors": extractors, "inputs": inputs})

    def _stored_run(self) -> Any:
        if isinstance(self._tables, Mapping):
            raise TypeError("tables without a folder need the content of run.json")
        return json.loads((self._tables / "run.json").read_text(encoding="utf-8"))

    def _records(self, table: str, kind: type[Record]) -> Iterator[Record]:
        for batch in self._batches(table, kind):
            if any(column.null_count for column in batch.columns):
                yield from (_record(kind, row) for row in batch.to_pylist())
            else:
                yield from _records(kind, batch)

    def _batches(self, table: str, kind: type) -> Iterator[Any]:
        from pyarrow.parquet import ParquetFile

        names = FIELDS[kind]
        if isinstance(self._tables, Mapping):
            whole = self._tables[table]
            columns = [name for name in whole.column_names if name in names]
            yield from whole.select(columns).to_batches(max_chunksize=BATCH_ROWS)
            return
        with ParquetFile(self._tables / f"{table}.parquet") as file:
            columns = [name for name in file.schema_arrow.names if name in names]
            yield from file.iter_batches(batch_size=BATCH_ROWS, columns=columns)

    def _communities(self) -> Any | None:
        return self._optional("communities")

    def _related_concepts(self) -> dict[str, list[str]]:
        table = self._optional("related_concepts")
        found: dict[str, list[str]] = {}
        for row in table.to_pylist() if table is not None else ():
            found.setdefault(row["concept"], []).append(row["other"])
            found.setdefault(row["other"], []).append(row["concept"])
        return {concept: sorted(others) for concept, others in found.items()}

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


def _records(kind: type[Record], batch: Any) -> Iterator[Record]:
    """Yield the records of a batch without nulls, column by column, which is quicker."""
    names = batch.schema.names
    columns = (column.to_pylist() for column in batch.columns)
    several = (map(tuple, c) if c and isinstance(c[0], list) else c for c in columns)
    return (kind(**dict(zip(names, row, strict=True))) for row in zip(*several, strict=True))


def _paper(values: Mapping[str, Any]) -> PaperRecord:
    label = values.get("label") or values.get("title") or values["id"]
    return _record(PaperRecord, {**values, "label": label})


def _with_communities(batch: Any, communities: Any | None) -> Iterator[dict[str, Any]]:
    """Yield the rows of papers, with number and label of their community."""
    if communities is None:
        yield from batch.to_pylist()
        return
    import pyarrow.compute as pc

    places = pc.index_in(batch["id"], value_set=communities["paper"].combine_chunks())
    numbers = communities["community"].take(places).to_pylist()
    labels = communities["label"].take(places).to_pylist()
    for row, number, label in zip(batch.to_pylist(), numbers, labels, strict=True):
        yield {**row, "community": number, "community_label": label}
