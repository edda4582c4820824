"""RDF that every store loads: valid, the same triples in each format, the same bytes again."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import warnings
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import quote_plus

import networkx as nx
import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given, settings, strategies as st
from rdflib.compare import isomorphic

from exports import WRITERS, OptionError, OrderError
from exports.iris import Iris, outside, segment
from exports.literals import decimal, tagged
from exports.rdf import SYNTAXES, iter_quads, to_rdf, to_text
from exports.view import EvidenceRecord, GraphView, RunRecord
from exports.vocabulary import PREFIXES, ontology, shapes

BASE = "https://example.org/kg/"
RUN = RunRecord(
    BASE,
    version="0.1.0",
    configuration="c0ffee",
    extractors=(("entities", "3"), ("keywords", "2")),
    inputs=(("ferns.bib", "ab12"),),
    title="Ferns",
)
FORMATS = {
    "ttl": ox.RdfFormat.TURTLE,
    "nt": ox.RdfFormat.N_TRIPLES,
    "nq": ox.RdfFormat.N_QUADS,
    "trig": ox.RdfFormat.TRIG,
    "jsonld": ox.RdfFormat.JSON_LD,
}
RDFLIB_FORMATS = {"ttl": "turtle", "nt": "nt", "nq": "nquads", "trig": "trig", "jsonld": "json-ld"}
LEVELS = ("none", "assertion", "full")

TITLE = 'FernNet: Growing "Small" Graphs'
ABSTRACT = "We propose FernNet (FN), a sampler. We evaluate FernNet on LeafBench with accuracy."


def evidence(quote: str, field: str = "abstract", text: str = ABSTRACT, **more: Any) -> Any:
    """Return the attributes of a role edge whose quote stands in the text."""
    start = text.index(quote)
    begins = [0, *(match.end() for match in re.finditer(r"\. ", text))]
    sentence_start = max(place for place in begins if place <= start)
    sentence = re.split(r"(?<=\.) ", text[sentence_start:])[0]
    return {
        "type": "role", "field": field, "start": start, "end": start + len(quote),
        "quote": quote, "sentence": sentence, "sentence_start": sentence_start,
        "confidence": 0.93, "extractor": "entities", "version": "3", **more,
    }  # fmt: skip


def ferns() -> nx.MultiDiGraph:
    graph = nx.MultiDiGraph()
    graph.add_node(
        "10.1000/fern<1>", type="paper", label=TITLE, title=TITLE, abstract=ABSTRACT, year=2024,
        authors=["Íñigo Ruiz", "B. Author"], venue="Conference on Leaves", doi="10.1000/fern<1>",
        url="https://example.com/fern", code_urls=["https://code.example/fern", "http://a b"],
        keywords=["ferns"], language="en", also_known_as=["fern2024"],
    )  # fmt: skip
    graph.add_node(
        "p2", type="paper", label="Les fougères", title="Les fougères", language="fr",
        abstract="Un texte.", authors=["B. Author"], code_urls=["https://code.example/fern"],
    )  # fmt: skip
    graph.add_node("p3", type="paper", label="An untitled paper")
    concepts = [
        ("fernnet", "FernNet", "method", ["FN"], ["graph sampling"], []),
        ("graph sampling", "graph sampling", "task", [], [], ["http://www.wikidata.org/entity/Q1"]),
        ("leafbench", "LeafBench", "dataset", [], [], ["javascript:alert(1)"]),
        ("accuracy", "accuracy", "metric", [], [], []),
        ("c++", "C++", "language", [], [], []),
    ]
    for key, label, kind, short, broader, same in concepts:
        graph.add_node(
            f"concept:{key}", type="concept", id=key, label=label, kind=kind, aliases=[label],
            abbreviations=short, broader=broader, same_as=same, papers=1,
        )  # fmt: skip
    roles = [
        ("10.1000/fern<1>", "fernnet", "proposes", evidence("FernNet", "title", TITLE)),
        ("10.1000/fern<1>", "leafbench", "evaluates_on", evidence("LeafBench")),
        ("10.1000/fern<1>", "accuracy", "measures", evidence("accuracy", confidence=1.0)),
        ("p2", "leafbench", "uses", evidence("texte", text="Un texte.", extractor="other")),
        ("p2", "c++", "mentions", {"type": "role"}),
    ]
    for paper, concept, role, data in roles:
        graph.add_edge(paper, f"concept:{concept}", key=role, role=role, **data)
    graph.add_edge(
        "10.1000/fern<1>", "p2", key="related", type="related", weight=1.35, shared=1.0,
        similarity=0.35, concepts=["leafbench"],
    )  # fmt: skip
    return graph


class FernView(GraphView):
    """The graph, with one place more than the edges have."""

    def mentions(self) -> Any:
        found = evidence("FernNet", role="proposes", paper="10.1000/fern<1>", concept="fernnet")
        found.pop("type")
        yield EvidenceRecord(**found)
        yield from super().mentions()


@pytest.fixture
def view() -> FernView:
    return FernView(ferns(), RUN)


def triples(view: GraphView, evidence: str = "assertion") -> set[ox.Triple]:
    return {quad.triple for quad in iter_quads(view, evidence=evidence)}


def parse(path: Path, syntax: str) -> list[ox.Quad]:
    """Read a file with the strict parser, which refuses what is not valid."""
    return list(ox.parse(path=path, format=FORMATS[syntax]))


def read_with_rdflib(path: Path, syntax: str) -> rdflib.Graph:
    graph = rdflib.Graph()
    with warnings.catch_warnings():  # rdflib warns of its own use of its own names
        warnings.simplefilter("ignore", DeprecationWarning)
        dataset = rdflib.Dataset(default_union=True)
        dataset.parse(path, format=RDFLIB_FORMATS[syntax])
        for triple in dataset.triples((None, None, None)):
            graph.add(triple)
    return graph


def cell(value: str, datatype: str) -> str:
    """Return a value of a row; of a decimal, which stores write as they like, the number."""
    return str(Decimal(value).normalize()) if datatype == PREFIXES["xsd"] + "decimal" else value


def ask(view: GraphView, query: str, evidence: str = "assertion") -> list[tuple[str, ...]]:
    """Return the rows of a query, which rdflib and Oxigraph must give alike."""
    prefixes = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())
    store = ox.Store()
    store.extend(iter_quads(view, evidence=evidence))
    solutions = store.query(prefixes + query, use_default_graph_as_union=True)
    assert isinstance(solutions, ox.QuerySolutions)
    mine = [
        tuple(
            cell(v.value, v.datatype.value if isinstance(v, ox.Literal) else "") if v else ""
            for v in solution
        )
        for solution in solutions
    ]
    theirs = [
        tuple("" if v is None else cell(str(v), str(getattr(v, "datatype", ""))) for v in row)
        for row in to_rdf(view, evidence=evidence).query(prefixes + query)
    ]
    assert sorted(mine) == sorted(theirs)
    return mine


# Formats


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
        "from test_rdf import FernView, RUN, SYNTAXES, ferns, to_text\n"
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


# The model


def test_a_paper_has_its_roles_as_direct_properties(view: FernView) -> None:
    rows = ask(
        view, "SELECT ?role ?c WHERE { ?p dcterms:issued ?y ; ?role ?c . ?c a skos:Concept }"
    )
    kgo, concept = PREFIXES["kgo"], f"{BASE}concept/"
    assert set(rows) == {
        (f"{kgo}proposes", f"{concept}fernnet"),
        (f"{kgo}evaluatesOn", f"{concept}leafbench"),
        (f"{kgo}mentions", f"{concept}accuracy"),  # "measures" has no property of its own
    }


def test_an_unknown_role_and_kind_are_kept_in_words(view: FernView) -> None:
    assert ask(view, "SELECT ?r WHERE { ?a kgo:roleAsWritten ?r }") == [("measures",)]
    assert ask(view, "SELECT ?k WHERE { ?c a skos:Concept ; kgo:kind ?k }") == [("language",)]


def test_authors_keep_their_order(view: FernView) -> None:
    rows = ask(
        view,
        """SELECT ?n ?name WHERE { ?p dcterms:issued ?y ; kgo:hasAuthorship ?a .
           ?a kgo:ordinal ?n ; kgo:agent/foaf:name ?name ; kgo:nameAsWritten ?name }""",
    )
    assert sorted(rows) == [("1", "Íñigo Ruiz"), ("2", "B. Author")]


def test_texts_have_the_language_of_the_paper(view: FernView) -> None:
    rows = ask(view, "SELECT ?t (LANG(?t) AS ?l) WHERE { ?p schema:keywords|dcterms:title ?t }")
    assert {(TITLE, "en"), ("Les fougères", "fr"), ("Conference on Leaves", "")} <= set(rows)


def test_a_name_is_a_label_once(view: FernView) -> None:
    rows = ask(view, "SELECT ?a WHERE { ?c skos:prefLabel ?l ; skos:altLabel ?a }")
    assert rows == [("FN",)]


def test_addresses_that_are_no_iris_stay_literals(view: FernView) -> None:
    rows = ask(view, "SELECT ?u WHERE { ?x kgo:urlAsWritten ?u }")
    assert sorted(rows) == [("http://a b",), ("javascript:alert(1)",)]
    assert ask(view, "SELECT ?c WHERE { ?p dcterms:issued ?y ; schema:sameAs ?c }") == [
        ("https://doi.org/10.1000/fern%3C1%3E",)
    ]


def test_an_edge_without_evidence_is_not_asserted(view: FernView) -> None:
    assert len(ask(view, "SELECT ?p WHERE { ?p kgo:mentions|kgo:uses ?c }")) == 3
    assert ask(view, f"SELECT ?a WHERE {{ ?a rdf:object <{BASE}concept/c%2B%2B> }}") == []


def test_an_extractor_that_the_run_does_not_list_is_described(view: FernView) -> None:
    rows = ask(view, "SELECT ?n WHERE { ?run prov:wasAssociatedWith/schema:name ?n }")
    assert sorted(rows) == [("entities",), ("keywords",), ("other",)]


def test_a_link_says_its_two_signals_apart(view: FernView) -> None:
    rows = ask(
        view,
        """SELECT ?w ?s ?v ?n ?l WHERE { ?link a kgo:PaperLink ; kgo:weight ?w ;
           kgo:sharedWeight ?s ; kgo:similarity ?v ; kgo:sharedConceptCount ?n ;
           kgo:sharedConcept/skos:prefLabel ?l }""",
    )
    assert rows == [("1.35", "1", "0.35", "1", "LeafBench")]


@pytest.mark.parametrize("level", LEVELS)
def test_the_data_set_counts_itself_right(view: FernView, level: str) -> None:
    quads = list(iter_quads(view, evidence=level))
    whole = f"<{BASE}dataset>"
    rows = ask(
        view, f"SELECT ?n ?s WHERE {{ {whole} void:triples ?n ; void:distinctSubjects ?s }}", level
    )
    assert rows == [(str(len(quads)), str(len({quad.subject for quad in quads})))]
    for layer, count in ask(
        view, f"SELECT ?g ?n WHERE {{ {whole} void:subset ?g . ?g void:triples ?n }}", level
    ):
        assert int(count) == sum(quad.graph_name.value == layer for quad in quads)
    counted = ask(
        view,
        f"""SELECT ?n WHERE {{ {whole} void:classPartition ?c .
            ?c void:class schema:ScholarlyArticle ; void:entities ?n }}""",
        level,
    )
    assert counted == [("3",)]


def test_every_term_of_ours_is_in_the_ontology(view: FernView) -> None:
    declared = {quad.subject.value for quad in ox.parse(ontology(), format=ox.RdfFormat.TURTLE)}
    used = {
        term.value
        for triple in triples(view, "full")
        for term in (triple.predicate, triple.object)
        if isinstance(term, ox.NamedNode) and term.value.startswith(PREFIXES["kgo"])
    } - {PREFIXES["kgo"]}
    assert len(used) > 20
    assert used <= declared


def test_no_clock_is_read(view: FernView, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert "dateTime" not in to_text(view, "nt", evidence="full")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert '"1970-01-02T00:00:00Z"' in to_text(view, "nt")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    with pytest.raises(OptionError, match="SOURCE_DATE_EPOCH"):
        to_text(view, "nt")


# Evidence


def test_a_quote_is_what_stands_between_begin_and_end(view: FernView) -> None:
    texts = {"title": TITLE, "abstract": ABSTRACT}
    rows = ask(
        view,
        """SELECT ?f ?q ?s ?b ?e WHERE { ?a rdf:subject/dcterms:issued ?y ; kgo:field ?f ;
           kgo:quote ?q ; kgo:sentence ?s ; kgo:begin ?b ; kgo:end ?e }""",
    )
    assert len(rows) == 3
    for field, quote, sentence, begin, end in rows:
        assert texts[field][int(begin) : int(end)] == quote
        assert quote in sentence


def test_full_evidence_holds_all_places_in_their_texts(view: FernView) -> None:
    rows = ask(
        view,
        """SELECT ?q ?b ?e ?text ?s WHERE { ?a rdf:predicate kgo:proposes ; prov:wasDerivedFrom ?m .
           ?m nif:anchorOf ?q ; nif:beginIndex ?b ; nif:endIndex ?e ;
              nif:referenceContext/nif:isString ?text ; nif:sentence/nif:anchorOf ?s ;
              itsrdf:taIdentRef/skos:prefLabel "FernNet"@en }""",
        "full",
    )
    assert {row[3] for row in rows} == {TITLE, ABSTRACT}
    for quote, begin, end, text, sentence in rows:
        assert text[int(begin) : int(end)] == quote == "FernNet"
        assert quote in sentence


def test_without_evidence_nothing_is_quoted(view: FernView) -> None:
    text = to_text(view, "nt", evidence="none")
    assert "quote" not in text
    assert "Assertion" not in text


def test_offsets_count_in_the_text_as_it_is_written() -> None:
    graph = nx.MultiDiGraph()
    text = "A\x00 b\x0bad\ud835 text. We use BERT."
    graph.add_node("p", type="paper", abstract=text)
    graph.add_node("concept:bert", type="concept", label="BERT", kind="method")
    graph.add_edge("p", "concept:bert", key="uses", role="uses", **evidence("BERT", text=text))
    row = "?a kgo:quote ?q ; kgo:begin ?b ; kgo:end ?e ; rdf:subject/dcterms:abstract ?t"
    [(quote, begin, end, written)] = ask(
        GraphView(graph, RUN), f"SELECT ?q ?b ?e ?t WHERE {{{row}}}"
    )
    assert written == "A bad text. We use BERT."
    assert written[int(begin) : int(end)] == quote


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("abstracts", "whole", "sentences"),
    [("full", True, True), ("evidence", False, True), ("none", False, False)],
)
def test_abstracts_are_published_as_far_as_allowed(
    view: FernView, level: str, abstracts: str, whole: bool, sentences: bool
) -> None:
    text = to_text(view, "nt", evidence=level, abstracts=abstracts)
    assert (ABSTRACT in text) == whole
    assert ("We evaluate FernNet on LeafBench" in text) == (
        whole or (sentences and level != "none")
    )
    assert ("LeafBench" in text) is True


def test_evidence_out_of_order_is_refused() -> None:
    class Reversed(GraphView):
        def edges(self) -> Any:
            return iter(list(super().edges())[::-1])

    with pytest.raises(OrderError, match="out of order"):
        to_text(Reversed(ferns(), RUN), "nt")


# Shapes: the constraints that matter most, asked as queries that must find nothing.

ROLE = "kgo:proposes|kgo:uses|kgo:evaluatesOn|kgo:comparesWith|kgo:studies|kgo:mentions"
BROKEN = {
    "paper without a label": "?x a schema:ScholarlyArticle . MINUS { ?x rdfs:label ?l }",
    "two titles": "?x a schema:ScholarlyArticle ; dcterms:title ?a, ?b . FILTER(?a != ?b)",
    "empty title": '?x dcterms:title ?t . FILTER(STR(?t) = "")',
    "year of another type": "?x dcterms:issued ?y . FILTER(DATATYPE(?y) != xsd:gYear)",
    "role to no concept": f"?x {ROLE} ?c . MINUS {{ ?c a skos:Concept }}",
    "concept without a label": "?x a skos:Concept . MINUS { ?x skos:prefLabel ?l }",
    "two labels": "?x skos:prefLabel ?a, ?b . FILTER(?a != ?b)",
    "concept in no scheme": "?x a skos:Concept . MINUS { ?x skos:inScheme ?s }",
    "label as other label": "?x skos:prefLabel ?l ; skos:altLabel ?l",
    "broader than no concept": "?x skos:broader ?c . MINUS { ?c a skos:Concept }",
    "assertion without subject": "?x a kgo:Assertion . "
    "MINUS { ?x rdf:subject/rdf:type schema:ScholarlyArticle }",
    "assertion of no role": "?x rdf:predicate ?p . FILTER(?p NOT IN (kgo:proposes, kgo:uses,"
    " kgo:evaluatesOn, kgo:comparesWith, kgo:studies, kgo:mentions))",
    "assertion without its triple": "?x rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o ."
    " MINUS { ?s ?p ?o }",
    "assertion without a source": "?x a kgo:Assertion . MINUS { ?x kgo:quote ?q ; kgo:begin ?b ;"
    " kgo:end ?e ; kgo:field ?f ; kgo:confidence ?c ; prov:wasGeneratedBy/rdf:type prov:Activity ;"
    " prov:wasAttributedTo/rdf:type prov:SoftwareAgent }",
    "confidence outside 0..1": "?x kgo:confidence ?c . FILTER(?c < 0 || ?c > 1)",
    "end before begin": "?x kgo:begin|nif:beginIndex ?b ; kgo:end|nif:endIndex ?e ."
    " FILTER(?e <= ?b)",
    "phrase without a text": "?x a nif:Phrase . MINUS {"
    " ?x nif:referenceContext/rdf:type nif:Context ; nif:anchorOf ?a ;"
    " itsrdf:taIdentRef/rdf:type skos:Concept }",
    "authorship of nobody": "?x a kgo:Authorship . MINUS { ?x kgo:agent/rdf:type foaf:Person ;"
    " kgo:ordinal ?n ; kgo:nameAsWritten ?w }",
    "link of no papers": "?x a kgo:PaperLink . MINUS {"
    " ?x kgo:source/rdf:type schema:ScholarlyArticle ; kgo:weight ?w ;"
    " kgo:target/rdf:type schema:ScholarlyArticle ; kgo:similarity ?s }",
}  # fmt: skip


@pytest.mark.parametrize("level", LEVELS)
def test_the_graph_keeps_the_shapes(view: FernView, level: str) -> None:
    prefixes = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())
    store = ox.Store()
    store.extend(iter_quads(view, evidence=level))
    broken = {
        name: str(found)
        for name, pattern in BROKEN.items()
        for found in store.query(
            f"{prefixes} SELECT ?x WHERE {{ {pattern} }}",
            use_default_graph_as_union=True,
        )
    }
    assert broken == {}


@pytest.mark.parametrize("text", [ontology(), shapes()], ids=["ontology", "shapes"])
def test_the_shipped_turtle_is_valid(text: str) -> None:
    ours = set(ox.parse(text, format=ox.RdfFormat.TURTLE))
    assert len(ours) == len(rdflib.Graph().parse(data=text, format="turtle"))


@pytest.mark.parametrize("name", ["ontology", "shapes"])
def test_ontology_and_shapes_are_written_as_shipped(
    view: FernView, tmp_path: Path, name: str
) -> None:
    WRITERS[name](view, tmp_path / f"{name}.ttl")
    expected = {"ontology": ontology, "shapes": shapes}[name]()
    assert (tmp_path / f"{name}.ttl").read_text(encoding="utf-8") == expected


# Questions, answered alike by rdflib and Oxigraph.


def test_papers_that_use_or_evaluate_on_a_data_set(view: FernView) -> None:
    rows = ask(
        view,
        """SELECT DISTINCT ?title WHERE { ?d skos:prefLabel|skos:altLabel "LeafBench"@en .
           ?paper kgo:uses|kgo:evaluatesOn ?d ; dcterms:title ?title } ORDER BY ?paper""",
    )
    assert rows == [(TITLE,), ("Les fougères",)]


def test_concepts_shared_by_two_papers(view: FernView) -> None:
    query = (
        f"SELECT DISTINCT ?l WHERE {{ <{BASE}paper/p2> {ROLE} ?c ."
        f" <{BASE}paper/10.1000%2Ffern%3C1%3E> {ROLE} ?c . ?c skos:prefLabel ?l }}"
    )
    assert ask(view, query) == [("LeafBench",)]


def test_pairs_of_papers_by_shared_concepts(view: FernView) -> None:
    query = (
        f"SELECT ?a ?b (COUNT(DISTINCT ?c) AS ?n) WHERE {{ ?a {ROLE} ?c . ?b {ROLE} ?c ."
        " FILTER(STR(?a) < STR(?b)) } GROUP BY ?a ?b ORDER BY DESC(?n) LIMIT 10"
    )
    assert ask(view, query) == [(f"{BASE}paper/10.1000%2Ffern%3C1%3E", f"{BASE}paper/p2", "1")]


def test_why_a_statement_holds(view: FernView) -> None:
    rows = ask(
        view,
        """SELECT ?conf ?quote ?tool ?version WHERE { ?a rdf:predicate kgo:proposes ;
           kgo:confidence ?conf ; kgo:quote ?quote ; prov:wasAttributedTo ?x .
           ?x schema:name ?tool ; schema:softwareVersion ?version }""",
    )
    assert rows == [("0.93", "FernNet", "entities", "3")]


def test_methods_proposed_with_confidence(view: FernView) -> None:
    rows = ask(
        view,
        """SELECT ?label ?abbr ?year WHERE { ?p kgo:proposes ?m ; dcterms:issued ?year .
           ?m a kgo:Method ; skos:prefLabel ?label . OPTIONAL { ?m kgo:abbreviation ?abbr }
           ?a rdf:subject ?p ; rdf:predicate kgo:proposes ; rdf:object ?m ; kgo:confidence ?c .
           FILTER(?c >= 0.9) }""",
    )
    assert rows == [("FernNet", "FN", "2024")]


def test_methods_that_occur_with_a_data_set(view: FernView) -> None:
    rows = ask(
        view,
        """SELECT ?label (COUNT(DISTINCT ?p) AS ?n) WHERE {
           ?p kgo:evaluatesOn/skos:prefLabel "LeafBench"@en .
           ?p kgo:uses|kgo:proposes|kgo:comparesWith ?m . ?m a kgo:Method ; skos:prefLabel ?label }
           GROUP BY ?label ORDER BY DESC(?n) ?label""",
    )
    assert rows == [("FernNet", "1")]


# IRIs and literals


def test_names_that_look_alike_stay_apart() -> None:
    names = [
        "deep net", 'x"y', "F#", "F++", "F", "12.5%", "a[b]", "x#y#z", "α-GAN", "x/y", "x y", "x+y",
        "x%20y", "", ".", "..", "%2E", "f", "x\ud800", "x\ud801", "é", "e\u0301",
        "l" * 151, "l" * 152, "sha256:00",
    ]  # fmt: skip
    nodes = [Iris(BASE).of("concept", name) for name in names]
    assert len({node.value for node in nodes}) == len(names)
    for node in nodes:
        assert ox.NamedNode(node.value.removeprefix(BASE).join([BASE, ""]))
        assert node.value.isascii()
        assert "/" not in node.value.removeprefix(f"{BASE}concept/")


@given(st.lists(st.text(st.characters(), max_size=60), min_size=2, max_size=2, unique=True))
def test_distinct_keys_have_distinct_segments(keys: list[str]) -> None:
    one, other = map(segment, keys)
    assert one != other
    assert len(one) <= 150
    assert one not in ("", ".", "..")


def test_a_segment_is_the_quoted_key() -> None:
    assert segment("a b/c") == quote_plus("a b/c", safe="") == "a+b%2Fc"


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/a%20b?c=d#e", "http://example.org", "https://example.org/é",
        "HTTPS://Example.org/",
    ],
)  # fmt: skip
def test_addresses_of_the_web_become_nodes(url: str) -> None:
    assert outside(url) == ox.NamedNode(url)


@pytest.mark.parametrize(
    "url",
    [
        "", "example.org", "ftp://example.org/", "javascript:alert(1)", "mailto:a@example.org",
        "http://", "http:///x", "http://a b/", "http://a/%zz", "http://a/%4", "http://a/#b#c",
        "http://a/<x>", 'http://a/"x"', "http://a/{x}", "http://a/x|y", "http://a/x\\y", "http://a/x^y",
        "http://a/`x`", "http://a/x\ny", "http://a/\u202ex", "http://a/\ud800", "http://[::1", "http://a:b/",
        " http://a/",
    ],
)  # fmt: skip
def test_what_is_no_address_of_the_web_stays_text(url: str) -> None:
    assert outside(url) is None


def test_an_address_within_the_graph_is_not_taken_for_code() -> None:
    graph = ferns()
    graph.nodes["p2"]["code_urls"] = [f"{BASE}concept/fernnet"]
    view = GraphView(graph, RUN)
    assert ask(view, "SELECT ?c WHERE { ?c a skos:Concept, schema:SoftwareSourceCode }") == []
    quads = list(iter_quads(view))
    assert len({quad.triple for quad in quads}) == len(quads)


@pytest.mark.parametrize(
    "base",
    ["https://example.org/kg/", "http://example.org/kg#", "urn:example:kg/", "urn:example:kg#"],
)
def test_a_base_may_be_web_or_urn(base: str) -> None:
    view = FernView(ferns(), RunRecord(base))
    for syntax in SYNTAXES:
        text = to_text(view, syntax, evidence="full")
        assert list(ox.parse(text, format=FORMATS[syntax]))


@pytest.mark.parametrize(
    "base",
    ["", "kg/", "/kg/", "https://example.org/kg", "ftp://example.org/", "https://a b/", "file:///x/",
     "https://example.org/#a/", "https://example.org/%zz/", "javascript:/", "https://#", "urn:/",
     "urn:kg/"],
)  # fmt: skip
def test_a_base_that_cannot_name_data_is_refused(base: str) -> None:
    with pytest.raises(OptionError, match="base IRI"):
        to_text(GraphView(ferns(), RunRecord(base)), "ttl")


def test_decimals_are_canonical() -> None:
    values = [0.0, -0.0, 1, 0.93, 1 / 3, 1e-9, 12345.678, float("nan"), float("inf"), -0.5]
    written = [decimal(value).value for value in values]
    assert written == [
        "0.0", "0.0", "1.0", "0.93", "0.333333", "0.0", "12345.678", "0.0", "0.0", "-0.5",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "tag"),
    [("", "en"), ("en", "en"), ("fr", "fr"), ("zh-Hans", "zh-hans"), ("pt_BR", "pt-br"),
     ("klingon!", None), ("a1", None), ("en-x", None)],
)  # fmt: skip
def test_a_language_that_is_no_tag_is_left_away(language: str, tag: str | None) -> None:
    assert tagged("text", language).language == tag


def test_options_are_checked(view: FernView) -> None:
    with pytest.raises(OptionError, match="none, assertion, full"):
        to_text(view, "ttl", evidence="some")
    with pytest.raises(OptionError, match="full, evidence, none"):
        to_text(view, "ttl", abstracts="some")
    with pytest.raises(OptionError, match="ttl, nt, nq, trig, jsonld"):
        to_text(view, "rdfxml")


# Anything goes in, valid RDF comes out.

HOSTILE = st.one_of(
    st.text(st.characters(), max_size=30),
    st.sampled_from(
        [
            '"""', "\\", "\n\r\t", "a\x0bb\x00c\ud835d", "\u202eevil", "\ufffe\uffff", "</script>",
            '"@en . } ; DROP ALL', "javascript:alert(1)", "http://a b", "http://a/%zz", "http://a#b#c",
            "https://example.org/ok", "{{x}}", "_:b", "<x>", "en", "fr", "😀" * 40,
        ]
    ),
)  # fmt: skip


@st.composite
def hostile_graphs(draw: st.DrawFn) -> nx.MultiDiGraph:
    graph = nx.MultiDiGraph()
    texts = st.lists(HOSTILE, max_size=3)
    papers = draw(st.lists(HOSTILE, min_size=1, max_size=3, unique=True))
    concepts = draw(st.lists(HOSTILE, min_size=1, max_size=3, unique=True))
    for key in papers:
        words = {name: draw(HOSTILE) for name in
                 ("label", "title", "abstract", "venue", "doi", "url", "language")}  # fmt: skip
        lists = {name: draw(texts) for name in ("authors", "keywords", "code_urls")}
        year = draw(st.none() | st.integers(-10, 99_999))
        graph.add_node(f"p{key}", type="paper", year=year, **words, **lists)
    for key in concepts:
        words = {name: draw(HOSTILE) for name in ("label", "kind")}
        lists = {name: draw(texts) for name in ("aliases", "abbreviations", "same_as")}
        graph.add_node(f"concept:{key}", type="concept", id=key, broader=concepts, **words, **lists)
    for key in papers:
        paper = graph.nodes[f"p{key}"]
        text = paper[draw(st.sampled_from(["title", "abstract"]))]
        start, end = sorted([draw(st.integers(0, len(text))), draw(st.integers(0, len(text)))])
        target, role = draw(st.sampled_from(concepts)), draw(HOSTILE)
        graph.add_edge(
            f"p{key}", f"concept:{target}", key=role, type="role", role=role, start=start, end=end,
            field="title" if text is paper["title"] else "abstract", quote=text[start:end],
            sentence=text, confidence=draw(st.floats()), extractor=draw(HOSTILE),
            version=draw(HOSTILE),
        )  # fmt: skip
    if len(papers) > 1:
        graph.add_edge(
            f"p{papers[0]}", f"p{papers[1]}", key="related", type="related",
            weight=draw(st.floats()), concepts=draw(st.lists(st.sampled_from(concepts))),
        )  # fmt: skip
    return graph


@given(hostile_graphs(), st.sampled_from(LEVELS), st.sampled_from(["full", "evidence", "none"]))
@settings(max_examples=150, deadline=None)
def test_any_graph_is_written_as_valid_rdf(
    graph: nx.MultiDiGraph, level: str, abstracts: str
) -> None:
    view = GraphView(graph, RUN)
    quads = list(iter_quads(view, evidence=level, abstracts=abstracts))
    expected = {quad.triple for quad in quads}
    assert len(expected) == len(quads)
    for syntax in SYNTAXES:
        text = to_text(view, syntax, evidence=level, abstracts=abstracts)
        assert {quad.triple for quad in ox.parse(text, format=FORMATS[syntax])} == expected
        text.encode("utf-8")
    typed = [t for t in expected if t.predicate.value == PREFIXES["rdf"] + "type"]
    for kind, number in (("ScholarlyArticle", "paper"), ("Concept", "concept")):
        nodes = [data for _, data in graph.nodes(data=True) if data["type"] == number]
        assert sum(triple.object.value.endswith(kind) for triple in typed) == len(nodes)


@given(hostile_graphs())
@settings(max_examples=25, deadline=None)
def test_any_graph_is_read_by_rdflib(graph: nx.MultiDiGraph) -> None:
    view = GraphView(graph, RUN)
    lines = to_text(view, "nt", evidence="full")
    read = rdflib.Graph().parse(data=to_text(view, "ttl", evidence="full"), format="turtle")
    assert len(read) == lines.count("\n")
