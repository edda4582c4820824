"""Anything goes in, valid RDF comes out."""

from __future__ import annotations

import networkx as nx
import pyoxigraph as ox
import rdflib
from ferns import (
    FORMATS,
    LEVELS,
    RUN,
)
from hypothesis import given, settings, strategies as st

from exports.rdf import SYNTAXES, iter_quads, to_text
from exports.view import GraphView
from exports.vocabulary import PREFIXES

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


def test_a_megabyte_of_anything_comes_through_every_writer() -> None:
    part = "a\"\\\n\r\t\x0b\x00\ud835\u202e😀<&>\ufffe'@en . "
    text = part * (1_000_000 // len(part))
    graph = nx.MultiDiGraph()
    graph.add_node("p", type="paper", title=text, abstract=text, authors=[text])
    graph.add_node("concept:c", type="concept", label=text, kind=text)
    graph.add_edge("p", "concept:c", key="uses", type="role", role="uses", field="abstract",
                   start=0, end=len(part), quote=part, sentence=part)  # fmt: skip
    view = GraphView(graph, RUN)
    expected = {quad.triple for quad in iter_quads(view)}
    for syntax in SYNTAXES:
        read = ox.parse(to_text(view, syntax), format=FORMATS[syntax])
        assert {quad.triple for quad in read} == expected
