"""CSV and JSON: the graph for spreadsheets and programs."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from io import TextIOWrapper
from math import isfinite
from pathlib import Path
from typing import Any

from exports.atomic import writing
from exports.published import Published, legal_key
from exports.view import (
    FIELDS,
    ConceptRecord,
    EvidenceRecord,
    LinkRecord,
    PaperRecord,
    ResultRecord,
    RunRecord,
    View,
)

Row = dict[str, Any]
AnyRecord = PaperRecord | ConceptRecord | EvidenceRecord | LinkRecord | ResultRecord

LIST_SEPARATOR = "; "

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_TABLES = {
    "concepts": ("concepts.csv", ConceptRecord),
    "edges": ("edges.csv", EvidenceRecord),
    "links": ("related.csv", LinkRecord),
    "papers": ("papers.csv", PaperRecord),
    "results": ("results.csv", ResultRecord),
}


def to_json(view: View, *, abstracts: str = "full") -> dict[str, Any]:
    """Return the graph as plain values: papers, concepts, edges, links, results and run.

    Args:
        view: The graph.
        abstracts: "full", "evidence" (sentences alone) or "none".
    """
    published = Published(view, abstracts)
    parts: dict[str, Any] = {name: list(_rows(published, name)) for name in _TABLES}
    return {**parts, "run": _run(published.run())}


def write_json(view: View, path: Path, *, abstracts: str = "full") -> None:
    """Write JSON as a stream: keys sorted, one record a line."""
    published = Published(view, abstracts)
    with writing(path) as out:
        out.write(b"{")
        for name in _TABLES:
            out.write(_json(name) + b": [")
            for number, row in enumerate(_rows(published, name)):
                out.write((b",\n" if number else b"\n") + _json(row))
            out.write(b"\n],\n")
        out.write(b'"run": ' + _json(_run(published.run())) + b"}\n")


def write_csv(view: View, path: Path, *, abstracts: str = "full") -> None:
    """Write tables for a spreadsheet; a cell that would be a formula gets an apostrophe.

    Args:
        view: The graph.
        path: A folder, for papers.csv, concepts.csv, edges.csv, related.csv and results.csv;
            or a file that ends in .csv, for the edges with the labels of both ends.
        abstracts: "full", "evidence" (sentences alone) or "none".
    """
    published = Published(view, abstracts)
    if Path(path).suffix.lower() == ".csv":
        _write_table(_labelled(published), _labelled_columns(), Path(path))
        return
    for name, (file, kind) in _TABLES.items():
        _write_table(_rows(published, name), FIELDS[kind], Path(path) / file)


def cell(value: Any) -> Any:
    """Return a value as a cell that no spreadsheet takes for a formula.

    Example:
        >>> cell("=1+1"), cell(-1), cell(["a", "b"])
        ("'=1+1", -1, 'a; b')
    """
    text = LIST_SEPARATOR.join(value) if isinstance(value, list) else value
    return f"'{text}" if isinstance(text, str) and text.startswith(_FORMULA) else text


def plain(value: Any) -> Any:
    """Return a value as JSON has it: lists, legal strings, no infinite number."""
    if isinstance(value, str):
        return legal_key(value)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def to_row(record: AnyRecord) -> Row:
    """Return a record as plain values by name."""
    return {name: plain(value) for name, value in asdict(record).items()}


def _rows(published: Published, name: str) -> Iterator[Row]:
    records: Iterable[AnyRecord] = getattr(published, name)()
    yield from map(to_row, records)


def _run(run: RunRecord) -> Row:
    extractors = [{"name": name, "version": version} for name, version in run.extractors]
    inputs = [{"name": name, "sha256": checksum} for name, checksum in run.inputs]
    return {**asdict(run), "extractors": extractors, "inputs": inputs}


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, allow_nan=False).encode()


def _labelled(published: Published) -> Iterator[Row]:
    """Yield the edges with the labels of their ends; labels alone are kept in memory."""
    papers = {p.id: {"paper_label": p.label, "year": p.year} for p in published.papers()}
    concepts = {c.id: {"concept_label": c.label, "kind": c.kind} for c in published.concepts()}
    for edge in published.edges():
        yield to_row(edge) | papers.get(edge.paper, {}) | concepts.get(edge.concept, {})


def _labelled_columns() -> list[str]:
    ends = ["paper", "paper_label", "year", "role", "concept", "concept_label", "kind"]
    return ends + [name for name in FIELDS[EvidenceRecord] if name not in ends]


def _write_table(rows: Iterable[Row], columns: Sequence[str], path: Path) -> None:
    with writing(path) as out:
        text = TextIOWrapper(out, encoding="utf-8", newline="")
        table = csv.writer(text)
        table.writerow(columns)
        table.writerows([cell(row.get(name)) for name in columns] for row in rows)
        text.flush()
        text.detach()
