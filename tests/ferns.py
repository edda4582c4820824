"""A small graph about ferns, and how to ask and read its RDF: for the tests about RDF."""

from __future__ import annotations

import re
import warnings
from decimal import Decimal
from pathlib import Path
from typing import Any

import networkx as nx
import pyoxigraph as ox
import rdflib

from exports.rdf import iter_quads, to_rdf
from exports.view import EvidenceRecord, GraphView, RunRecord
from exports.vocabulary import PREFIXES

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
ROLE = "kgo:proposes|kgo:uses|kgo:evaluatesOn|kgo:comparesWith|kgo:studies|kgo:mentions"
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
