"""Asking a graph from Python: names are forgiving, answers are objects, errors suggest."""

from __future__ import annotations

import json
from pathlib import Path

import networkx as nx
import pytest

import kg
from kg.errors import OptionError, QueryError, UnknownNameError

PAPERS = [
    {
        "id": "p1",
        "title": "RidgeWalk: Walking Ridges",
        "authors": ["Jos\u00e9 N\u00fa\u00f1ez", "Ada Roe"],
        "year": 2020,
        "venue": "GraphConf",
        "abstract": "We propose RidgeWalk, a sampler for graphs, trained on Reddit with Adam.",
    },
    {
        "id": "p2",
        "title": "On Samplers",
        "authors": ["Ada Roe"],
        "year": 2022,
        "venue": "GraphConf",
        "abstract": "RidgeWalk is compared with GraphSAGE and deep GraphSAGE on Reddit.",
    },
    {
        "id": "p3",
        "title": "Protein Folding",
        "year": None,
        "abstract": "Protein folding is studied with AlphaFold, and no graph is used.",
    },
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory, words) -> kg.KnowledgeGraph:
    folder = tmp_path_factory.mktemp("graph")
    path = folder / "papers.jsonl"
    path.write_text("\n".join(map(json.dumps, PAPERS)), encoding="utf-8")
    names = ["RidgeWalk", "GraphSAGE", "deep GraphSAGE", "Adam", "AlphaFold"]
    return kg.build(path, folder / "atlas", using=[words(method=names, dataset=["Reddit"])])


def ids(papers: list[kg.Paper]) -> list[str]:
    return [paper.id for paper in papers]


def test_without_conditions_all_papers_are_given(graph: kg.KnowledgeGraph) -> None:
    assert ids(graph.papers()) == ["p1", "p2", "p3"]


def test_papers_are_found_by_what_they_do_with_a_concept(graph: kg.KnowledgeGraph) -> None:
    assert ids(graph.papers(proposes="RidgeWalk")) == ["p1"]
    assert ids(graph.papers(about="Reddit")) == ["p1", "p2"]
    assert ids(graph.papers(proposes="RidgeWalk", about="AlphaFold")) == []


def test_narrower_concepts_count_when_asked(graph: kg.KnowledgeGraph) -> None:
    assert graph.concept("deep GraphSAGE").broader == (graph.concept("GraphSAGE").id,)
    edges = {edge.concept for edge in graph.edges(paper="p2")}
    assert graph.concept("deep GraphSAGE").id in edges


@pytest.mark.parametrize("name", ["ridgewalk", "Ridge-Walk", "RIDGEWALK", "RidgeWalks"])
def test_case_hyphen_and_plural_of_a_name_do_not_matter(graph, name: str) -> None:
    assert graph.concept(name).label == "RidgeWalk"


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ({"author": "nunez"}, ["p1"]),
        ({"author": "Roe"}, ["p1", "p2"]),
        ({"venue": "graphconf"}, ["p1", "p2"]),
        ({"year": 2020}, ["p1"]),
        ({"year": (2020, 2022)}, ["p1", "p2"]),
        ({"year": range(2020, 2022)}, ["p1"]),
        ({"text": "FOLDING"}, ["p3"]),
        ({"author": "Roe", "year": 2022}, ["p2"]),
    ],
)
def test_papers_are_found_by_author_venue_year_and_text(graph, condition, found) -> None:
    assert ids(graph.papers(**condition)) == found


def test_an_unknown_name_is_an_error_with_suggestions(graph: kg.KnowledgeGraph) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'RidgeWalk'"):
        graph.papers(uses="RigdeWalk")
    with pytest.raises(KeyError):
        graph.related("p99")


def test_a_paper_is_found_by_title(graph: kg.KnowledgeGraph) -> None:
    assert graph.paper("on samplers").id == "p2"


def test_related_papers_come_in_order_for_any_number(graph: kg.KnowledgeGraph) -> None:
    (first, *rest) = graph.related("p1", n=10**6)
    assert first.paper.id == "p2"
    assert {concept.label for concept in first.concepts} == {"RidgeWalk", "Reddit"}
    assert first.weight >= first.shared > 0
    assert 0 <= first.similarity <= 1
    assert [r.weight for r in rest] == sorted((r.weight for r in rest), reverse=True)
    assert graph.related("p1", n=0) == []
    assert graph.related(graph.paper("p1"), n=1) == [first]


def test_evidence_is_every_place_with_its_sentence(graph: kg.KnowledgeGraph) -> None:
    places = graph.evidence("p1", "RidgeWalk")
    assert {place.field for place in places} == {"title", "abstract"}
    for place in places:
        text = getattr(graph.paper("p1"), place.field)
        assert text[place.start : place.end] == place.quote == "RidgeWalk"
        end = place.sentence_start + len(place.sentence)
        assert text[place.sentence_start : end] == place.sentence


def test_networkx_holds_plain_json_values(graph: kg.KnowledgeGraph) -> None:
    assert isinstance(graph.nx, nx.MultiDiGraph)
    assert graph.nx.nodes["p1"]["type"] == "paper"
    assert graph.nx.nodes["concept:reddit"]["kind"] == "dataset"
    assert graph.nx.has_edge("p1", "concept:ridgewalk", key="proposes")
    json.dumps(nx.node_link_data(graph.nx), allow_nan=False)


def test_sparql_answers_and_refuses(graph: kg.KnowledgeGraph) -> None:
    sparql = "SELECT ?p WHERE { ?p <https://w3id.org/paperkg/ontology#proposes> ?c }"
    assert len(graph.sparql(sparql)) == 1
    assert graph.sparql("ASK { ?s ?p 'SERVICE' }").rows == (("false",),)
    for refused in (
        "DELETE WHERE { ?s ?p ?o }",
        "SELECT * WHERE { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
        "LOAD <http://127.0.0.1:9/>",
        "SELECT nonsense",
    ):
        with pytest.raises(QueryError):
            graph.sparql(refused)


def test_a_format_is_told_by_its_suffix(graph: kg.KnowledgeGraph, tmp_path: Path) -> None:
    assert graph.write(tmp_path / "graph.nt").read_text(encoding="utf-8").endswith(" .\n")
    with pytest.raises(UnknownNameError, match="no format named 'docx'"):
        graph.write(tmp_path / "graph.docx")
    with pytest.raises(OptionError, match="option"):
        graph.write(tmp_path / "graph.csv", evidence="full")


def test_a_frame_needs_pandas_and_says_so(graph: kg.KnowledgeGraph) -> None:
    with pytest.raises(UnknownNameError, match=r"no table named 'edge'.*'edges'"):
        graph.to_frame("edge")


def test_the_face_is_what_it_lists() -> None:
    assert sorted(kg.__all__) == kg.__all__
    for name in kg.__all__:
        assert getattr(kg, name).__doc__
