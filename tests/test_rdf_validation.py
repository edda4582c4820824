"""What we write keeps the shapes, and whatever is broken on purpose is found."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pyoxigraph as ox
import pytest
from ferns import ABSTRACT, BASE, LEVELS, RUN, FernView, ferns
from hypothesis import given, settings, strategies as st

from exports.errors import ExportError, OptionError
from exports.rdf import SYNTAXES, to_text
from exports.validation import load_file, load_view, violations
from exports.view import GraphView
from exports.vocabulary import PREFIXES, shapes

pytest.importorskip("pyshacl", reason="needs the extra shacl")

KG = [sys.executable, "-c", "from kg.cli import main; main()"]
PAPER = f"{BASE}paper/10.1000%2Ffern%3C1%3E"
PLACE = ABSTRACT.index("accuracy")
RESULT = {
    "metric": "accuracy", "relation": "value", "value": 93.5, "dataset": "LeafBench",
    "dataset_concept": "leafbench", "start": PLACE, "end": PLACE + 8, "quote": "accuracy",
    "extractor": "results", "version": "1",
}  # fmt: skip


def fern_view() -> FernView:
    graph = ferns()
    graph.nodes["10.1000/fern<1>"]["results"] = [RESULT]
    return FernView(graph, RUN)


@pytest.mark.parametrize("level", LEVELS)
def test_what_we_write_is_as_it_should_be(level: str) -> None:
    assert violations(load_view(fern_view(), evidence=level)) == []


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_a_file_of_any_format_is_as_it_should_be(syntax: str, tmp_path: Path) -> None:
    path = tmp_path / f"graph.{syntax}"
    path.write_text(to_text(fern_view(), syntax), encoding="utf-8")
    assert violations(load_file(path)) == []


def test_rdf_12_is_checked_too(tmp_path: Path) -> None:
    path = tmp_path / "graph.nq"
    path.write_text(to_text(fern_view(), "nq", rdf12=True), encoding="utf-8")
    assert violations(load_file(path)) == []


TEXT = st.text(st.characters(), min_size=1, max_size=20)


@given(label=TEXT, kind=TEXT, role=TEXT, title=TEXT, name=TEXT)
@settings(max_examples=15, deadline=None)
def test_whatever_people_write_keeps_the_shapes(
    label: str, kind: str, role: str, title: str, name: str
) -> None:
    graph = nx.MultiDiGraph()
    graph.add_node("p", type="paper", title=title, abstract=title, authors=[name], venue=name)
    graph.add_node("concept:c", type="concept", label=label, kind=kind, aliases=[label, name],
                   abbreviations=[label], same_as=[name], broader=["c"])  # fmt: skip
    place = {"field": "title", "start": 0, "end": len(title), "quote": title, "sentence": title}
    graph.add_edge("p", "concept:c", key=role, type="role", role=role, confidence=2.0,
                   extractor=name, version=name, **place)  # fmt: skip
    assert violations(load_view(GraphView(graph, RUN), evidence="full")) == []


# Each fault: a triple that goes, a triple that comes, and words of the rule that finds it.

X = "<urn:x:x>"
A = "rdf:type"
FAULTS = {
    "a paper without a label": (f"<{PAPER}> rdfs:label ?o", "", "one label"),
    "a paper with two titles": ("", f'<{PAPER}> dcterms:title "Other"', "at most one title"),
    "a paper with two abstracts": ("", f'<{PAPER}> dcterms:abstract "Other"', "one abstract"),
    "a year that is a string": (
        f"<{PAPER}> dcterms:issued ?o", f'<{PAPER}> dcterms:issued "2024"', "an xsd:gYear",
    ),
    "a paper without an identifier": (
        f"<{PAPER}> dcterms:identifier ?o", "", "has an identifier",
    ),
    "a venue that is a string": ("", f'<{PAPER}> dcterms:isPartOf "Leaves"', "venue is an IRI"),
    "an author who is nobody": ("", f"<{PAPER}> dcterms:creator {X}", "a foaf:Person"),
    "a role to no concept": ("", f"<{PAPER}> kgo:uses {X}", "has a role towards"),
    "a place in the order of 0": ("?s kgo:ordinal 1", "?s kgo:ordinal 0", "place in the order"),
    "a concept without a name": (
        f"<{BASE}concept/leafbench> skos:prefLabel ?o", "", "a preferred label",
    ),
    "a concept with two names": (
        "", f'<{BASE}concept/leafbench> skos:prefLabel "Other"@en', "a preferred label",
    ),
    "a name twice": (
        "", f'<{BASE}concept/leafbench> skos:altLabel "LeafBench"@en', "the preferred one",
    ),
    "a concept in no scheme": (
        f"<{BASE}concept/leafbench> skos:inScheme ?o", "", "in a skos:ConceptScheme",
    ),
    "broader than nothing": (
        "", f"<{BASE}concept/leafbench> skos:broader {X}", "broader is a skos:Concept",
    ),
    "related and broader": (
        "", f"<{BASE}concept/fernnet> skos:related <{BASE}concept/graph+sampling>", "not a broader",
    ),
    "related and broader by two steps": (
        "",
        f"<{BASE}concept/graph+sampling> skos:broader <{BASE}concept/accuracy> ."
        f" <{BASE}concept/fernnet> skos:related <{BASE}concept/accuracy>",
        "S27",
    ),
    "broader in a circle": (
        "",
        f"<{BASE}concept/graph+sampling> skos:broader <{BASE}concept/accuracy> ."
        f" <{BASE}concept/accuracy> skos:broader <{BASE}concept/graph+sampling>",
        "never narrower too",
    ),
    "an assertion about nobody": ("?s a kgo:Assertion ; rdf:subject ?o", "", "about one paper"),
    "an assertion of another role": (
        "?s rdf:predicate kgo:proposes", "?s rdf:predicate kgo:likes", "one of the six",
    ),
    "an assertion without its triple": (f"<{PAPER}> kgo:proposes ?o", "", "in the graph itself"),
    "a confidence of 7": (
        "?s kgo:confidence 0.93", "?s kgo:confidence 7.0", "of 0 to 1",
    ),
    "an end before the begin": ("?s kgo:end 7", "?s kgo:end 0", "before its end"),
    "a quote that does not stand there": (
        '?s kgo:quote "FernNet"', '?s kgo:quote "FernNes"', "between begin and end",
    ),
    "an empty quote": ('?s kgo:quote "LeafBench"', '?s kgo:quote ""', "one quote, not empty"),
    "an extractor that is unknown": (
        "?x rdf:type prov:SoftwareAgent", "", "an extractor that is described",
    ),
    "a run that is unknown": ("?x rdf:type prov:Activity", "", "a run that is described"),
    "a phrase of other words": (
        '?s rdf:type nif:Phrase ; nif:anchorOf "accuracy"',
        '?s rdf:type nif:Phrase ; nif:anchorOf "precision"',
        "stands in the text",
    ),
    "a phrase in no text": (
        '?s nif:anchorOf "accuracy" ; nif:referenceContext ?o', "", "in one text",
    ),
    "a link to itself": (
        "?s kgo:target ?o", f"?s kgo:target <{PAPER}>", "not its target",
    ),
    "a link without a weight": ("?s kgo:weight ?o", "", "one weight"),
    "a result without a value": ("?s kgo:value ?o", "", "one value"),
    "a result of another relation": (
        '?s kgo:relation "value"', '?s kgo:relation "nice"', "better, worse",
    ),
    "a count that is wrong": (
        "?s a dcat:Dataset ; void:triples ?o", "?s void:triples 5", "as many triples",
    ),
    "a subject that is blank": (
        "", "_:b a skos:Concept ; skos:prefLabel \"b\" ; skos:inScheme ?scheme", "IRI",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str) -> None:
    gone, come, rule = FAULTS[fault]
    store = ox.Store()
    for quad in load_view(fern_view(), evidence="full"):
        store.add(ox.Quad(*quad.triple))
    prefixes = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())
    scheme = f"BIND(<{BASE}scheme> AS ?scheme)"
    lost = gone.split(" ; ")
    last = lost[-1] if len(lost) == 1 else f"?s {lost[-1]}"
    before = len(store)
    store.update(
        f"{prefixes} DELETE {{ {last if gone else ''} }} INSERT {{ {come} }}"
        f" WHERE {{ {gone} {'.' if gone else ''} {scheme} }}"
    )
    assert len(store) != before or come
    found = violations(store)
    assert any(rule in violation.rule for violation in found), found


def test_every_rule_of_the_shapes_has_words_of_ours() -> None:
    shacl = "http://www.w3.org/ns/shacl#"
    read = list(ox.parse(shapes(), format=ox.RdfFormat.TURTLE))
    rules = {quad.object for quad in read if quad.predicate.value == f"{shacl}property"}
    worded = {quad.subject for quad in read if quad.predicate.value == f"{shacl}message"}
    assert rules
    assert rules <= worded


# Files and the command


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("graph.ttl", "<a> <b> .", "is not valid Turtle"),
        ("graph.nt", "nothing", "is not valid N-Triples"),
        ("graph.docx", "", "no suffix of RDF"),
    ],
)
def test_what_is_no_rdf_is_said(name: str, content: str, said: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(OptionError, match=said):
        load_file(tmp_path / name)


def test_a_file_that_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="cannot read"):
        load_file(tmp_path / "graph.ttl")


def run(*args: str | Path) -> subprocess.CompletedProcess[str]:
    command = [*KG, "validate", *map(str, args)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=120)


def test_the_command_reports_in_words_and_by_its_exit_code(tmp_path: Path) -> None:
    text = to_text(fern_view(), "ttl")
    (tmp_path / "good.ttl").write_text(text, encoding="utf-8")
    done = run(tmp_path / "good.ttl")
    assert (done.returncode, done.stderr) == (0, "")
    assert "all as they should be" in done.stdout
    broken = text.replace('"2024"^^xsd:gYear', '"2024"').replace(
        "confidence 0.93", "confidence 7.0"
    )
    (tmp_path / "bad.ttl").write_text(broken, encoding="utf-8")
    done = run(tmp_path / "bad.ttl")
    assert done.returncode == 1
    assert "a paper has at most one year, an xsd:gYear" in done.stdout
    assert "of 0 to 1" in done.stdout
    assert PAPER in done.stdout
    listed = json.loads(run(tmp_path / "bad.ttl", "--json").stdout)
    assert {"rule", "focus", "value"} == set(listed[0])
    assert PAPER in {item["focus"] for item in listed}


def test_the_command_explains_what_it_cannot_read(tmp_path: Path) -> None:
    (tmp_path / "graph.ttl").write_text("@prefix")
    for path in (tmp_path / "graph.ttl", tmp_path / "missing.ttl", tmp_path):
        done = run(path)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
