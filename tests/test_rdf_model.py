"""What the RDF says of papers, concepts, evidence, links and the data set itself."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pyoxigraph as ox
import pytest
from ferns import (
    ABSTRACT,
    BASE,
    LEVELS,
    RUN,
    TITLE,
    FernView,
    ask,
    evidence,
    ferns,
    triples,
)

from exports import OptionError, OrderError
from exports.rdf import iter_quads, to_text
from exports.view import GraphView
from exports.vocabulary import PREFIXES, ontology


@pytest.fixture
def view() -> FernView:
    return FernView(ferns(), RUN)


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
