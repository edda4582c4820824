"""Tables, JSON and network files that their programs read back."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import exports
from exports import WRITERS, OptionError
from exports.files import cell, to_json
from exports.networks import sanitise, to_gexf, to_network
from exports.view import GraphView, RunRecord

RUN = RunRecord(
    "https://example.org/kg/",
    version="0.1.0",
    extractors=(("entities", "3"),),
    inputs=(("mosses.bib", "ab12"),),
)
ABSTRACT = "We use MossNet on two tasks."


def mosses() -> nx.MultiDiGraph:
    graph = nx.MultiDiGraph()
    graph.add_node(
        "p1", type="paper", label="Mosses; a survey", title="Mosses; a survey", abstract=ABSTRACT,
        authors=["Åsa Ek", 'K. "Kay" Li'], year=2021, keywords=["moss, wet"], community=2,
        community_label="mosses",
    )  # fmt: skip
    graph.add_node("p2", type="paper", label="=SUM(A1)", title="=SUM(A1)", year=None)
    graph.add_node("concept:mossnet", type="concept", id="mossnet", label="MossNet", kind="method",
                   broader=["net"], papers=1)  # fmt: skip
    graph.add_node("concept:net", type="concept", id="net", label="net", kind="keyword")
    place = {
        "field": "abstract", "start": 7, "end": 14, "quote": "MossNet", "sentence": ABSTRACT,
        "sentence_start": 0, "confidence": 0.75, "extractor": "entities", "version": "3",
    }  # fmt: skip
    for role in ("proposes", "uses"):
        graph.add_edge("p1", "concept:mossnet", key=role, type="role", role=role, **place)
    graph.add_edge("p1", "p2", key="related", type="related", weight=2.0, shared=1.25,
                   similarity=0.75, concepts=["mossnet"])  # fmt: skip
    return graph


@pytest.fixture
def view() -> GraphView:
    return GraphView(mosses(), RUN)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_graphml(path: Path) -> nx.MultiDiGraph:
    return nx.read_graphml(path, force_multigraph=True)


def read_gexf(path: Path) -> nx.Graph:
    return nx.read_gexf(path)


def write_all(view: GraphView, folder: str | Path) -> None:
    for name in FILES:
        WRITERS[name](view, Path(folder) / f"graph.{name}")


FILES = ("csv", "json", "graphml", "gexf")
READERS = {"graphml": read_graphml, "gexf": read_gexf}


# Writers


def test_importing_the_package_imports_nothing_heavy() -> None:
    program = (
        "import sys, exports\n"
        "heavy = {'rdflib', 'pyoxigraph', 'networkx', 'pyvis', 'pyarrow', 'numpy'}\n"
        "print(heavy & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.strip() == b"set()"


def test_the_face_is_explicit() -> None:
    assert exports.__all__ == sorted(exports.__all__, key=lambda name: (not name.isupper(), name))
    assert all(hasattr(exports, name) for name in exports.__all__)


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_is_written_whole_and_alone(
    view: GraphView, tmp_path: Path, name: str
) -> None:
    path = tmp_path / "new" / f"graph.{name}"
    WRITERS[name](view, path)
    assert path.stat().st_size > 0
    assert [other.name for other in path.parent.iterdir()] == [path.name]


def test_an_option_that_a_format_lacks_is_an_error(view: GraphView, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no option 'evidence'; it knows abstracts"):
        WRITERS["csv"](view, tmp_path / "x.csv", evidence="full")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    ("abstracts", "shown"), [("full", True), ("evidence", True), ("none", False)]
)
def test_abstracts_are_published_as_far_as_allowed(
    view: GraphView, tmp_path: Path, name: str, abstracts: str, shown: bool
) -> None:
    path = tmp_path / f"graph.{name}"
    WRITERS[name](view, path, abstracts=abstracts)
    assert (ABSTRACT in path.read_text(encoding="utf-8")) == shown
    data = to_json(view, abstracts=abstracts)
    assert [paper["abstract"] for paper in data["papers"]] == [
        ABSTRACT if abstracts == "full" else "", ""
    ]  # fmt: skip


def test_the_same_bytes_in_every_process(view: GraphView, tmp_path: Path) -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from test_files import GraphView, RUN, mosses, write_all\n"
        "write_all(GraphView(mosses(), RUN), sys.argv[2])\n"
    )
    for seed in ("1", "2"):
        subprocess.run(
            [sys.executable, "-c", program, str(Path(__file__).parent), str(tmp_path / seed)],
            env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": "C", "PYTHONUTF8": "0"},
            check=True,
        )
    write_all(view, tmp_path / "here")
    made = {
        folder: [(tmp_path / folder / f"graph.{name}").read_bytes() for name in FILES]
        for folder in ("1", "2", "here")
    }
    assert made["1"] == made["2"] == made["here"]


# CSV


def test_a_folder_of_tables(view: GraphView, tmp_path: Path) -> None:
    WRITERS["csv"](view, tmp_path / "tables")
    read = {path.name: rows(path) for path in (tmp_path / "tables").iterdir()}
    assert {name: len(table) for name, table in read.items()} == {
        "papers.csv": 2, "concepts.csv": 2, "edges.csv": 2, "related.csv": 1, "results.csv": 0
    }  # fmt: skip
    paper = read["papers.csv"][0]
    assert (paper["id"], paper["year"], paper["title"]) == ("p1", "2021", "Mosses; a survey")
    assert paper["authors"] == 'Åsa Ek; K. "Kay" Li'
    assert [edge["role"] for edge in read["edges.csv"]] == ["proposes", "uses"]
    assert read["related.csv"][0]["weight"] == "2.0"


def test_one_file_of_edges_with_labels(view: GraphView, tmp_path: Path) -> None:
    WRITERS["csv"](view, tmp_path / "edges.csv")
    first = rows(tmp_path / "edges.csv")[0]
    assert first["paper_label"] == "Mosses; a survey"
    assert (first["concept_label"], first["kind"], first["year"]) == ("MossNet", "method", "2021")
    assert first["sentence"][int(first["start"]) : int(first["end"])] == first["quote"]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\tx", "\rx"])
def test_text_is_never_a_formula(text: str) -> None:
    assert cell(text) == f"'{text}"
    assert cell([text]) == f"'{text}"


@pytest.mark.parametrize("value", [-1, -0.5, "a=b", "", None, "1-2"])
def test_numbers_and_other_text_stay_as_they_are(value: Any) -> None:
    assert cell(value) == value


def test_a_formula_in_a_title_is_disarmed(view: GraphView, tmp_path: Path) -> None:
    WRITERS["csv"](view, tmp_path / "tables")
    assert [row["title"] for row in rows(tmp_path / "tables" / "papers.csv")][1] == "'=SUM(A1)"


# JSON


def test_json_has_all_parts(view: GraphView, tmp_path: Path) -> None:
    WRITERS["json"](view, tmp_path / "graph.json")
    text = (tmp_path / "graph.json").read_text(encoding="utf-8")
    data = json.loads(text)
    assert data == to_json(view)
    assert list(data) == sorted(data) == [
        "concepts", "edges", "links", "papers", "results", "run"
    ]  # fmt: skip
    assert "Åsa" in text
    assert data["papers"][0]["authors"] == ["Åsa Ek", 'K. "Kay" Li']
    assert data["run"]["extractors"] == [{"name": "entities", "version": "3"}]
    assert data["run"]["inputs"] == [{"name": "mosses.bib", "sha256": "ab12"}]


def test_json_of_an_empty_graph(tmp_path: Path) -> None:
    WRITERS["json"](GraphView(nx.MultiDiGraph(), RUN), tmp_path / "graph.json")
    data = json.loads((tmp_path / "graph.json").read_text())
    assert [data[name] for name in ("papers", "concepts", "edges", "links")] == [[], [], [], []]


# GraphML and GEXF


@pytest.mark.parametrize("name", READERS)
def test_a_network_file_reads_back(view: GraphView, tmp_path: Path, name: str) -> None:
    path = tmp_path / f"graph.{name}"
    WRITERS[name](view, path)
    read = READERS[name](path)
    assert set(read) == {"p1", "p2", "concept:mossnet", "concept:net"}
    assert read.nodes["p1"]["year"] == 2021
    assert "year" not in read.nodes["p2"]
    assert read.nodes["p1"]["authors"] == '["Åsa Ek", "K. \\"Kay\\" Li"]'
    assert read.nodes["concept:mossnet"]["kind"] == "method"
    edges = [(source, target, data) for source, target, data in read.edges(data=True)]
    kinds = sorted((source, target, data["type"]) for source, target, data in edges)
    assert kinds == [
        ("concept:mossnet", "concept:net", "broader"),
        ("p1", "concept:mossnet", "role"),
        ("p1", "concept:mossnet", "role"),
        ("p1", "p2", "related"),
    ]
    roles = [data for *_, data in edges if data["type"] == "role"]
    assert sorted(data["role"] for data in roles) == ["proposes", "uses"]
    assert {(data["start"], data["end"], data["quote"]) for data in roles} == {(7, 14, "MossNet")}
    assert [data["weight"] for *_, data in edges if data["type"] == "related"] == [2.0]


@pytest.mark.parametrize("name", READERS)
def test_the_ids_of_edges_are_unique(view: GraphView, tmp_path: Path, name: str) -> None:
    WRITERS[name](view, tmp_path / "graph.xml")
    text = (tmp_path / "graph.xml").read_text(encoding="utf-8")
    ids = re.findall(r'<edge [^>]*?\bid="([^"]*)"', text)
    assert len(ids) == len(set(ids)) == 4


def test_gexf_has_no_date(view: GraphView) -> None:
    assert b"lastmodified" not in to_gexf(to_network(view))


def test_what_the_formats_cannot_hold_is_made_to_fit() -> None:
    graph = nx.Graph()
    values = {"venue": None, "spots": ["kelp", "moss"], "depth": {"m": 4}, "wet": np.float32(0.25)}
    graph.add_node("a", **values, odd=float("nan"), text="x\x0by\x00z\ud835")
    before = dict(graph.nodes["a"])
    clean = sanitise(graph)
    assert clean.nodes["a"] == {
        "spots": '["kelp", "moss"]',
        "depth": '{"m": 4}',
        "wet": 0.25,
        "text": "xyz",
    }
    assert graph.nodes["a"] == before


@pytest.mark.parametrize("name", READERS)
def test_an_attribute_of_two_types_is_parted(tmp_path: Path, name: str) -> None:
    graph = nx.Graph()
    graph.add_node("moss", year=1998, pid=31, size=1, flag=True)
    graph.add_node("kelp", year="to appear", pid=32, size=1.5, flag="no")
    clean = sanitise(graph)
    path = tmp_path / "graph"
    if name == "gexf":
        path.write_bytes(to_gexf(clean))
    else:
        nx.write_graphml_xml(clean, path)
    read = nx.read_gexf(path) if name == "gexf" else nx.read_graphml(path)
    one, other = dict(read.nodes["moss"]), dict(read.nodes["kelp"])
    assert (one["year"], one["pid"], one["size"]) == (1998, 31, 1.0)
    assert (other["raw_year"], other["pid"], other["size"]) == ("to appear", 32, 1.5)
    assert "year" not in other
    assert "raw_year" not in one


# Anything goes in, readable files come out.

HOSTILE = st.one_of(
    st.text(st.characters(), max_size=20),
    st.sampled_from(["\x0b\x00", "\ud835", "=cmd|' /C calc'!A0", '"', "\r", "\r\n", "\n", ",",
                     "]]>", "<a>&amp;", "\u202e", "\ufffe", "'", "\u2028"]),
)  # fmt: skip


@st.composite
def hostile_graphs(draw: st.DrawFn) -> nx.MultiDiGraph:
    graph = nx.MultiDiGraph()
    texts = st.lists(HOSTILE, max_size=2)
    papers = draw(st.lists(HOSTILE, min_size=1, max_size=3, unique=True))
    concepts = draw(st.lists(HOSTILE, min_size=1, max_size=3, unique=True))
    for key in papers:
        graph.add_node(
            f"p{key}", type="paper", title=draw(HOSTILE), abstract=draw(HOSTILE),
            authors=draw(texts), year=draw(st.none() | st.integers(0, 3000)),
        )  # fmt: skip
    for key in concepts:
        graph.add_node(f"concept:{key}", type="concept", id=key, label=draw(HOSTILE),
                       aliases=draw(texts), broader=concepts)  # fmt: skip
    for key in papers:
        role = draw(HOSTILE)
        graph.add_edge(
            f"p{key}", f"concept:{draw(st.sampled_from(concepts))}", key=role, type="role",
            role=role, quote=draw(HOSTILE), confidence=draw(st.floats()),
        )  # fmt: skip
    return graph


@given(hostile_graphs())
@settings(max_examples=60, deadline=None)
def test_any_graph_is_written_so_that_it_reads_back(
    tmp_path_factory: pytest.TempPathFactory, graph: nx.MultiDiGraph
) -> None:
    folder = tmp_path_factory.mktemp("files")
    view = GraphView(graph, RUN)
    for name in ("graphml", "gexf", "json", "csv"):
        WRITERS[name](view, folder / (name if name == "csv" else f"graph.{name}"))
    for name, read in READERS.items():
        network = read(folder / f"graph.{name}")
        assert len(network) == len(graph)
        assert set(network) == set(to_network(view))
        labels = {data["label"] for key, data in network.nodes(data=True)}
        assert labels == {data["label"] for _, data in to_network(view).nodes(data=True)}
    assert json.loads((folder / "graph.json").read_bytes()) == to_json(view)
    tables = {path.stem: rows(path) for path in (folder / "csv").iterdir()}
    assert len(tables["papers"]) + len(tables["concepts"]) == len(graph)
    ids = [row["id"] for row in tables["papers"]]
    assert len(set(ids)) == len(ids)
    cells = [value for table in tables.values() for row in table for value in row.values()]
    assert not any(value.startswith(("=", "+", "@", "\t", "\r")) for value in cells)
