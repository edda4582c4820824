"""RDF that every store loads: valid, the same triples in each format, the same bytes again."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from ferns import (
    BASE,
    FORMATS,
    LEVELS,
    RUN,
    FernView,
    ferns,
    parse,
    read_with_rdflib,
    triples,
)
from rdflib.compare import isomorphic

from exports import WRITERS, OptionError, sorted_lines
from exports.rdf import SYNTAXES, iter_quads, to_rdf, to_text
from exports.view import GraphView
from exports.vocabulary import PREFIXES


@pytest.fixture
def view() -> FernView:
    return FernView(ferns(), RUN)


def test_every_rdf_format_has_a_writer() -> None:
    assert set(SYNTAXES) == set(FORMATS) <= set(WRITERS)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("syntax", SYNTAXES)
def test_a_file_holds_the_triples_of_the_graph(
    view: FernView, tmp_path: Path, syntax: str, level: str
) -> None:
    path = tmp_path / f"graph.{syntax}"
    WRITERS[syntax](view, path, evidence=level)
    read = parse(path, syntax)
    assert {quad.triple for quad in read} == triples(view, level)
    assert len(read) == len(triples(view, level))
    assert isomorphic(read_with_rdflib(path, syntax), to_rdf(view, evidence=level))


@pytest.mark.parametrize("syntax", ["nq", "trig", "jsonld"])
def test_each_layer_is_a_named_graph(view: FernView, tmp_path: Path, syntax: str) -> None:
    path = tmp_path / f"graph.{syntax}"
    WRITERS[syntax](view, path)
    read = parse(path, syntax)
    assert set(read) == set(iter_quads(view))
    layers = ("papers", "concepts", "evidence", "links", "provenance", "dataset")
    assert {quad.graph_name.value for quad in read} == {f"{BASE}graph/{name}" for name in layers}


@pytest.mark.parametrize("level", LEVELS)
def test_no_statement_comes_twice_and_no_node_is_blank(view: FernView, level: str) -> None:
    quads = list(iter_quads(view, evidence=level))
    assert len({quad.triple for quad in quads}) == len(quads)
    terms = {term for quad in quads for term in (quad.subject, quad.object)}
    assert not any(isinstance(term, ox.BlankNode) for term in terms)


@pytest.mark.parametrize("syntax", ["nt", "nq"])
def test_lines_are_sorted_by_their_bytes(view: FernView, syntax: str) -> None:
    lines = to_text(view, syntax).encode().split(b"\n")
    assert lines.pop() == b""
    assert lines == sorted(set(lines))


@pytest.mark.parametrize("syntax", ["nt", "nq"])
def test_lines_that_do_not_fit_into_memory_are_the_same(
    view: FernView, syntax: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = to_text(view, syntax)
    monkeypatch.setattr(sorted_lines, "SORTED_AT_ONCE", 999)
    assert to_text(view, syntax) == whole


@pytest.mark.parametrize("syntax", ["ttl", "nt", "nq", "trig"])
def test_rdf_12_reifies_each_assertion_besides(view: FernView, syntax: str) -> None:
    plain = {quad.triple for quad in iter_quads(view)}
    text = to_text(view, syntax, rdf12=True)
    read = {quad.triple for quad in ox.parse(text, format=FORMATS[syntax])}
    reified = {t for t in read if t.predicate.value == PREFIXES["rdf"] + "reifies"}
    said = {t.object for t in reified}
    assert len(reified) == 4
    assert said <= plain
    uncounted = {t for t in read - reified if not t.predicate.value.startswith(PREFIXES["void"])}
    assert uncounted <= plain
    [total] = [t.object.value for t in read if t.subject.value == f"{BASE}dataset"
               and t.predicate.value == PREFIXES["void"] + "triples"]  # fmt: skip
    assert int(total) == len(read)


def test_json_ld_says_that_it_has_no_rdf_12(view: FernView) -> None:
    with pytest.raises(OptionError, match="ttl, nt, nq or trig"):
        to_text(view, "jsonld", rdf12=True)


def test_turtle_has_one_block_a_subject(view: FernView) -> None:
    heads = re.findall(r"^<[^>]*>", to_text(view, "ttl", evidence="full"), flags=re.MULTILINE)
    assert len(heads) == len(set(heads)) > 20


def test_json_ld_has_its_context_in_the_file(view: FernView) -> None:
    document = json.loads(to_text(view, "jsonld"))
    assert document["@context"] == PREFIXES


def test_text_and_file_are_the_same(view: FernView, tmp_path: Path) -> None:
    for syntax in SYNTAXES:
        WRITERS[syntax](view, tmp_path / syntax)
        assert (tmp_path / syntax).read_text(encoding="utf-8") == to_text(view, syntax)


def test_the_same_bytes_under_another_hash_seed(tmp_path: Path) -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from exports.rdf import SYNTAXES, to_text\n"
        "from ferns import FernView, RUN, ferns\n"
        "view = FernView(ferns(), RUN)\n"
        "for syntax in SYNTAXES: sys.stdout.buffer.write(\n"
        "    to_text(view, syntax, evidence='full').encode())\n"
    )
    made = {
        subprocess.run(
            [sys.executable, "-c", program, str(Path(__file__).parent)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    view = FernView(ferns(), RUN)
    assert made == {"".join(to_text(view, s, evidence="full") for s in SYNTAXES).encode()}


def test_a_failed_export_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    class Failing(GraphView):
        def links(self) -> Any:
            raise RuntimeError("stop")

    path = tmp_path / "graph.ttl"
    path.write_text("before")
    with pytest.raises(RuntimeError, match="stop"):
        WRITERS["ttl"](Failing(ferns(), RUN), path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]
