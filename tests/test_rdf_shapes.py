"""The RDF keeps its shapes, and answers the questions of a knowledge engineer."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from ferns import (
    BASE,
    LEVELS,
    ROLE,
    RUN,
    TITLE,
    FernView,
    ask,
    ferns,
)

from exports import WRITERS
from exports.rdf import iter_quads
from exports.vocabulary import PREFIXES, ontology, shapes


@pytest.fixture
def view() -> FernView:
    return FernView(ferns(), RUN)


# Shapes: the constraints that matter most, asked as queries that must find nothing.

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
