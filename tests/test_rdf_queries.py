"""Ready queries find what they say, alike in rdflib and Oxigraph; a query only ever reads."""

from __future__ import annotations

import csv
import io
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from importlib.resources import files
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from ferns import BASE, RUN, FernView, ferns
from hypothesis import given, strategies as st

import kg
from exports.errors import OptionError
from exports.iris import Iris
from exports.queries import ready_queries
from exports.rdf import iter_quads, to_rdf
from exports.stores import Answer, QueryRefusedError, answer

PAPER, OTHER = "10.1000/fern<1>", "p2"
RESULT = {
    "metric": "accuracy", "relation": "value", "value": 93.5, "unit": "%", "dataset": "LeafBench",
    "dataset_concept": "leafbench", "method": "FernNet", "start": 0, "end": 4, "quote": "93.5",
    "extractor": "results", "version": "1",
}  # fmt: skip
KG = [sys.executable, "-c", "from kg.cli import main; main()"]


def fern_view() -> FernView:
    graph = ferns()
    graph.nodes[PAPER]["results"] = [RESULT]
    return FernView(graph, RUN)


@pytest.fixture(scope="module")
def store() -> ox.Store:
    store = ox.Store()
    store.extend(iter_quads(fern_view()))
    return store


@pytest.fixture(scope="module")
def graph() -> rdflib.Graph:
    return to_rdf(fern_view())


def normal(value: object) -> str:
    """Return a value of a row; of a number, which stores write as they like, the number."""
    text = "" if value is None else str(value)
    try:
        return str(Decimal(text).normalize())
    except InvalidOperation:
        return text


ANSWERS: dict[str, tuple[dict[str, str], list[tuple[str, ...]]]] = {
    "papers-by-role": (
        {"role": "uses", "concept": "leafbench"},
        [("", "Les fougères", f"{BASE}paper/p2")],
    ),
    "papers-about": (
        {"concept": "graph sampling"},
        [('FernNet: Growing "Small" Graphs', f"{BASE}paper/10.1000%2Ffern%3C1%3E", "1")],
    ),
    "datasets-with-method": ({"method": "fernnet"}, [("LeafBench", "1")]),
    "methods-on-dataset": ({"dataset": "leafbench"}, [("FernNet", "1")]),
    "shared-concepts": (
        {"one": PAPER, "other": OTHER},
        [
            (
                "LeafBench",
                "https://w3id.org/paperkg/ontology#evaluatesOn",
                "https://w3id.org/paperkg/ontology#uses",
            )
        ],
    ),
    "co-occurrence": (
        {"concept": "leafbench"},
        [("C++", "1"), ("FernNet", "1"), ("accuracy", "1")],
    ),
    "evidence": (
        {"paper": PAPER, "concept": "fernnet"},
        [
            (
                "https://w3id.org/paperkg/ontology#proposes",
                "FernNet",
                'FernNet: Growing "Small" Graphs',
                "title",
                "0",
                "7",
                "0.93",
                "entities",
                "3",
            )
        ],
    ),
    "proposals-by-year": ({"kind": "method"}, [("2024", "1", "1")]),
    "papers-without-evidence": ({}, [("An untitled paper", f"{BASE}paper/p3")]),
    "related-papers": (
        {"paper": OTHER},
        [
            (
                "1.35",
                "1.0",
                "0.35",
                'FernNet: Growing "Small" Graphs',
                f"{BASE}paper/10.1000%2Ffern%3C1%3E",
            )
        ],
    ),
    "papers-of-author": (
        {"author": "Íñigo Ruiz"},
        [
            (
                "2024",
                "1",
                'FernNet: Growing "Small" Graphs',
                f"{BASE}paper/10.1000%2Ffern%3C1%3E",
            )
        ],
    ),
    "co-authors": ({"author": "Íñigo Ruiz"}, [("B. Author", "1")]),
    "compared-with": ({"concept": "leafbench"}, []),
    "results-on-dataset": (
        {"dataset": "leafbench"},
        [
            (
                "accuracy",
                "value",
                "93.5",
                "%",
                "FernNet",
                "",
                f"{BASE}paper/10.1000%2Ffern%3C1%3E",
            )
        ],
    ),
    "narrower-concepts": (
        {"concept": "graph sampling"},
        [("FernNet", f"{BASE}concept/fernnet")],
    ),
    "names-of-concept": (
        {"concept": "fernnet"},
        [
            ("http://www.w3.org/2004/02/skos/core#altLabel", "FN"),
            ("http://www.w3.org/2004/02/skos/core#prefLabel", "FernNet"),
            ("https://w3id.org/paperkg/ontology#abbreviation", "FN"),
        ],
    ),
}


def test_every_ready_query_is_answered_here() -> None:
    assert {*ANSWERS, "counts"} == set(ready_queries())
    assert len(ready_queries()) >= 12


@pytest.mark.parametrize("name", ANSWERS)
def test_a_ready_query_finds_what_it_says(name: str, store: ox.Store) -> None:
    values, rows = ANSWERS[name]
    ready = ready_queries()[name]
    found = answer(store, ready.text, ready.bindings(Iris(BASE), values))
    assert [tuple(map(normal, row)) for row in found] == [tuple(map(normal, row)) for row in rows]
    assert not set(found.variables) & set(ready.parameters)


@pytest.mark.parametrize("name", ANSWERS)
def test_rdflib_answers_a_ready_query_alike(
    name: str, store: ox.Store, graph: rdflib.Graph
) -> None:
    ready = ready_queries()[name]
    bindings = ready.bindings(Iris(BASE), ANSWERS[name][0])
    mine = answer(store, ready.text, bindings)
    bound = {key: rdflib.URIRef(node.value) for key, node in bindings.items()}
    theirs = graph.query(ready.text, initBindings=bound)
    assert [tuple(map(normal, row)) for row in mine] == [
        tuple(normal(row[variable]) for variable in mine.variables) for row in theirs
    ]


def test_the_data_set_counts_its_classes(store: ox.Store, graph: rdflib.Graph) -> None:
    text = ready_queries()["counts"].text
    rows = dict(answer(store, text))
    assert rows["https://schema.org/ScholarlyArticle"] == "3"
    assert rows == {str(kind): str(count) for kind, count in graph.query(text)}


@pytest.mark.parametrize("name", ready_queries())
def test_a_ready_query_is_whole_without_prefixes_of_ours(name: str) -> None:
    ox.Store().query(ready_queries()[name].text)


def test_a_value_that_looks_like_sparql_is_a_name_and_nothing_else(store: ox.Store) -> None:
    ready = ready_queries()["co-authors"]
    hostile = "x> ?p ?o } ; DROP ALL # \n \ud800"
    assert len(answer(store, ready.text, ready.bindings(Iris(BASE), {"author": hostile}))) == 0
    assert len(store) == len(set(iter_quads(fern_view())))


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("papers-by-role", {"role": "uses"}, "concept is missing"),
        ("papers-by-role", {"role": "like", "concept": "x"}, "proposes, uses, evaluates_on"),
        ("proposals-by-year", {"kind": "x"}, "method, dataset, task"),
        ("counts", {"x": "y"}, "no parameter"),
    ],
)
def test_parameters_are_checked(name: str, values: dict[str, str], said: str) -> None:
    with pytest.raises(OptionError, match=said):
        ready_queries()[name].bindings(Iris(BASE), values)


# Reading only


@pytest.fixture
def listener() -> Iterator[tuple[int, threading.Event]]:
    """A port of this machine, and what says whether somebody came."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        visited = threading.Event()

        def wait() -> None:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            visited.set()
            connection.close()

        thread = threading.Thread(target=wait, daemon=True)
        thread.start()
        yield server.getsockname()[1], visited
        server.shutdown(socket.SHUT_RDWR)
        thread.join(5)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { SERVICE <URL> { ?s ?p ?o } }",
        "SELECT * { service silent<URL>{ ?s ?p ?o } }",
        "SELECT * { BIND(dcterms:a\\# AS ?x) SERVICE <URL> { ?s ?q ?o } }",
        "SELECT * { BIND(dcterms:a\\' AS ?x) SERVICE SILENT <URL> { ?s ?q 'b' } }",
        "SELECT * { # a comment\r SERVICE <URL> { ?s ?p ?o } }",
        "SELECT * { VALUES ?e { <URL> } SERVICE ?e { ?s ?p ?o } }",
        "SELECT * { FILTER(1<2)SERVICE<URL>{ ?s ?p ?o } }",
        "SELECT * { FILTER('\\'' = '')SERVICE <URL> { ?s ?p ?o } }",
        'SELECT * { FILTER("""a"b""" = \'\') SERVICE <URL> { ?s ?p ?o } }',
        "SELECT * { \\u0053ERVICE <URL> { ?s ?p ?o } }",
        "CONSTRUCT { ?s ?p ?o } WHERE { SERVICE <URL> { ?s ?p ?o } }",
        "LOAD <URL>",
        "LOAD SILENT <URL> INTO GRAPH <urn:g:x>",
    ],
)
def test_no_query_opens_a_connection(
    query: str, store: ox.Store, listener: tuple[int, threading.Event]
) -> None:
    port, visited = listener
    with pytest.raises(QueryRefusedError):
        answer(store, query.replace("URL", f"http://127.0.0.1:{port}/sparql"))
    assert not visited.wait(0.1)


@given(st.lists(st.sampled_from([
    "SERVICE <http://127.0.0.1:9/> { ?s ?p ?o }", "'", '"', "#", "\\", "\n", "\r", "<", ">", " ",
    "?s ?p ?o .", "dcterms:a", "'''", '"""', "FILTER(1<2)", "{", "}",
]), max_size=12))  # fmt: skip
def test_what_oxigraph_reads_as_service_is_always_refused(parts: list[str]) -> None:
    query = f"SELECT * {{ {''.join(parts)} }}"
    try:
        found = answer(ox.Store(), query)
    except QueryRefusedError as error:
        assert "HTTP" not in str(error)
        assert "port" not in str(error)
    else:
        assert isinstance(found, Answer)


@pytest.mark.parametrize(
    "update",
    [
        "INSERT DATA { <urn:a:a> <urn:a:b> <urn:a:c> }",
        "DELETE WHERE { ?s ?p ?o }",
        "PREFIX a: <urn:a:> INSERT DATA { a:a a:b a:c }",
        "BASE <urn:a:> CLEAR ALL",
        "# first\nDROP ALL",
        "WITH <urn:g:x> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
    ],
)
def test_an_update_is_refused_and_changes_nothing(update: str, store: ox.Store) -> None:
    before = len(store)
    with pytest.raises(QueryRefusedError, match="updates are refused"):
        answer(store, update)
    assert len(store) == before


def test_a_faulty_query_is_answered_in_one_short_line(store: ox.Store) -> None:
    with pytest.raises(QueryRefusedError) as refused:
        answer(store, "SELECT ?x {\n ?x")
    assert "2:" in str(refused.value)
    assert len(str(refused.value)) < 250
    assert "\n" not in str(refused.value)


def test_prefixes_need_no_declaration_and_may_be_declared_otherwise(store: ox.Store) -> None:
    assert answer(store, "ASK { ?s a skos:Concept }").rows == (("true",),)
    other = "PREFIX skos: <urn:x:> ASK { ?s a skos:Concept }"
    assert answer(store, other).rows == (("false",),)


# The command


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("queries") / "atlas"
    with (files("kg") / "data" / "sample.bib").open("rb") as sample:
        (folder.parent / "sample.bib").write_bytes(sample.read())
    kg.build(folder.parent / "sample.bib", folder)
    return folder


def run(*args: str | Path) -> subprocess.CompletedProcess[str]:
    command = [*KG, "query", *map(str, args)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False, timeout=120)


def test_the_examples_are_listed_without_a_graph() -> None:
    listed = json.loads(run("--example", "--json").stdout)
    assert [item["name"] for item in listed] == list(ready_queries())
    assert all(item["finds"] and item["sparql"] for item in listed)
    assert "papers-without-evidence" in run("--example").stdout


def test_an_example_takes_any_name_of_a_concept(atlas: Path) -> None:
    said = ("--example", "papers-by-role", "--set", "role=proposes", "--set")
    done = run(atlas, *said, "concept=TernSAGE", "--json")
    [found] = json.loads(done.stdout)
    assert found["year"] == "2018"
    wrong = run(atlas, *said, "concept=TernSAEG")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (1, 1)
    assert "did you mean 'TernSAGE'" in wrong.stderr


def test_an_answer_is_a_table_csv_or_json(atlas: Path) -> None:
    query = "SELECT ('=1+1' AS ?text) (-1.5 AS ?number) (?no AS ?nothing) {}"
    rows = list(csv.reader(io.StringIO(run(atlas, query, "--csv").stdout)))
    assert rows == [["text", "number", "nothing"], ["'=1+1", "-1.5", ""]]
    assert json.loads(run(atlas, query, "--json").stdout) == [
        {"text": "=1+1", "number": "-1.5", "nothing": None}
    ]
    assert "=1+1" in run(atlas, query).stdout
    assert run(atlas, query, "--csv", "--json").returncode == 2


def test_an_unknown_example_is_answered_with_suggestions(atlas: Path) -> None:
    done = run(atlas, "--example", "paper-by-role")
    assert done.returncode == 1
    assert "did you mean 'papers-by-role'" in done.stderr


def test_a_query_of_many_prefixes_is_read_at_once(store: ox.Store) -> None:
    prefixes = "".join(f"PREFIX p{n}:   <https://example.org/{n}/>  \n\n" for n in range(500))
    began = time.process_time()
    assert answer(store, f"{prefixes} ASK {{ ?s a skos:Concept }}").rows == (("true",),)
    with pytest.raises(QueryRefusedError, match="updates are refused"):
        answer(store, f"{prefixes} CLEAR ALL")
    assert time.process_time() - began < 1
