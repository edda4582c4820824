"""The records that writers read are the same from tables and from networkx."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import networkx as nx
import pyarrow as pa
import pytest

from exports.view import (
    ConceptRecord,
    EvidenceRecord,
    GraphView,
    LinkRecord,
    PaperRecord,
    RunRecord,
    TableView,
)
from kg import tables

RUN = {
    "schema": 1,
    "version": "0.1.0",
    "base_iri": "https://example.org/kg/",
    "title": "Two papers",
    "configuration": "c0ffee",
    "extractors": [{"name": "keywords", "version": "2"}],
    "inputs": [{"name": "two.bib", "sha256": "ab12"}],
    "counts": {"papers": 2},
    "options": {},
}
ROWS: dict[str, list[dict[str, Any]]] = {
    "papers": [
        {"id": "p1", "label": "Ferns", "title": "Ferns", "authors": ["Ada Ohm"], "year": 2023},
        {"id": "p2", "label": "p2", "code_urls": ["https://code.example/x"]},
    ],
    "concepts": [
        {"id": "fern net", "label": "FernNet", "kind": "method", "broader": ["net"], "papers": 1},
        {"id": "net", "label": "net", "kind": "keyword", "aliases": ["nets"]},
    ],
    "edges": [
        {
            "paper": "p1",
            "concept": "fern net",
            "role": "proposes",
            "field": "abstract",
            "start": 3,
            "end": 10,
            "quote": "FernNet",
            "sentence": "We FernNet.",
            "sentence_start": 0,
            "confidence": 0.5,
            "extractor": "keywords",
            "version": "2",
            "mentions": 1,
        }
    ],
    "related": [
        {"source": "p1", "target": "p2", "weight": 1.5, "shared": 1.0, "similarity": 0.5,
         "concepts": ["net"]}
    ],
    "communities": [{"paper": "p2", "community": 4, "label": "nets"}],
}  # fmt: skip
EVIDENCE = EvidenceRecord(
    "p1", "fern net", "proposes", "abstract", 3, 10, "FernNet", "We FernNet.", 0, 0.5,
    "keywords", "2",
)  # fmt: skip


@pytest.fixture
def made() -> dict[str, pa.Table]:
    rows: Mapping[str, Any] = {**ROWS, "mentions": [{**ROWS["edges"][0], "kind": "method"}]}
    return {name: tables.to_table(name, rows.get(name, [])) for name in tables.SCHEMAS}


@pytest.fixture
def folder(tmp_path: Path, made: dict[str, pa.Table]) -> Path:
    for name, table in made.items():
        tables.write(tmp_path, name, table)
    (tmp_path / "run.json").write_text(json.dumps(RUN), encoding="utf-8")
    return tmp_path


def test_a_folder_is_read_as_records(folder: Path) -> None:
    view = TableView(folder)
    assert list(view.papers()) == [
        PaperRecord("p1", "Ferns", title="Ferns", authors=("Ada Ohm",), year=2023),
        PaperRecord("p2", "p2", code_urls=("https://code.example/x",), community=4,
                    community_label="nets"),
    ]  # fmt: skip
    assert list(view.concepts()) == [
        ConceptRecord("fern net", "FernNet", "method", broader=("net",), papers=1),
        ConceptRecord("net", "net", "keyword", aliases=("nets",)),
    ]
    assert list(view.edges()) == list(view.mentions()) == [EVIDENCE]
    assert list(view.links()) == [LinkRecord("p1", "p2", 1.5, 1.0, 0.5, ("net",))]
    assert view.run() == RunRecord(
        "https://example.org/kg/", "0.1.0", "c0ffee", (("keywords", "2"),), (("two.bib", "ab12"),),
        "Two papers",
    )  # fmt: skip


def test_tables_in_memory_are_read_as_those_of_a_folder(
    folder: Path, made: dict[str, pa.Table]
) -> None:
    stored, held = TableView(folder), TableView(made, RUN)
    for name in ("papers", "concepts", "edges", "mentions", "links"):
        assert list(getattr(stored, name)()) == list(getattr(held, name)())
    assert stored.run() == held.run()


def test_tables_in_memory_need_their_run(made: dict[str, pa.Table]) -> None:
    with pytest.raises(TypeError, match=r"run\.json"):
        TableView(made).run()


def test_communities_may_be_missing(folder: Path) -> None:
    (folder / "communities.parquet").unlink()
    assert {paper.community for paper in TableView(folder).papers()} == {None}


def test_a_view_is_read_as_often_as_one_likes(folder: Path) -> None:
    view = TableView(folder)
    assert list(view.papers()) == list(view.papers())


@pytest.fixture
def graph() -> nx.MultiDiGraph:
    graph = nx.MultiDiGraph()
    edge = ROWS["edges"][0]
    for row in reversed(ROWS["papers"]):
        graph.add_node(row["id"], type="paper", **row)
    for row in reversed(ROWS["concepts"]):
        graph.add_node(f"concept:{row['id']}", type="concept", **row)
    graph.add_edge("p1", "concept:fern net", key="proposes", type="role", **edge)
    graph.add_edge("concept:fern net", "concept:net", key="broader", type="broader")
    graph.add_edge("p1", "p2", key="related", type="related", **ROWS["related"][0])
    return graph


def test_networkx_gives_the_same_records_as_tables(graph: nx.MultiDiGraph, folder: Path) -> None:
    run = TableView(folder).run()
    view, stored = GraphView(graph, run), TableView(folder)
    (folder / "communities.parquet").unlink()
    for name in ("papers", "concepts", "edges", "mentions", "links"):
        assert list(getattr(view, name)()) == list(getattr(stored, name)())
    assert view.run() == run


def test_two_roles_of_one_concept_are_two_records(graph: nx.MultiDiGraph) -> None:
    graph.add_edge("p1", "concept:fern net", key="uses", type="role", role="uses")
    view = GraphView(graph, RunRecord("https://example.org/kg/"))
    assert [edge.role for edge in view.edges()] == ["proposes", "uses"]


def test_a_graph_made_by_hand_needs_no_more_than_types() -> None:
    graph = nx.MultiDiGraph()
    graph.add_node("p", type="paper", title=None)
    graph.add_node("concept:c", type="concept", broader=["gone"])
    graph.add_node("stray")
    graph.add_edge("p", "concept:c", key="uses", type="role")
    graph.add_edge("p", "stray", key="x")
    view = GraphView(graph, RunRecord("https://example.org/kg/"))
    assert list(view.papers()) == [PaperRecord("p", "p")]
    assert list(view.concepts()) == [ConceptRecord("c", "", "")]
    assert [(edge.concept, edge.role, edge.quote) for edge in view.edges()] == [("c", "uses", "")]


def test_a_subgraph_names_no_concept_that_it_lacks(graph: nx.MultiDiGraph) -> None:
    graph.remove_node("concept:net")
    view = GraphView(graph, RunRecord("https://example.org/kg/"))
    assert [concept.broader for concept in view.concepts()] == [()]
    assert [link.concepts for link in view.links()] == [()]
