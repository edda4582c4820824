"""Between concepts: together more often than by chance, with enough papers, said once."""

from __future__ import annotations

import random
from dataclasses import asdict
from itertools import combinations
from math import log
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from kg.errors import UnknownNameError
from kg.graph import KnowledgeGraph
from kg.model import Concept, Evidence, Relation
from kg.relations import MIN_NPMI, MIN_TOGETHER, relate_concepts
from kg.tables import SCHEMAS, from_records, to_table


def edge(paper: str, concept: str) -> Evidence:
    return Evidence(
        paper, concept, "uses", "abstract", 0, 1, concept, concept, 0, 1.0, "words", "1"
    )


def corpus(*papers: str) -> list[Evidence]:
    """Return the edges of papers that name concepts of one letter each."""
    return [edge(f"p{i}", concept) for i, paper in enumerate(papers) for concept in paper]


def related(
    papers: int, edges: list[Evidence], concepts: list[Concept], k: int = 10
) -> list[Relation]:
    table = from_records("edges", edges, mentions=[1] * len(edges))
    found = relate_concepts(papers, table, concepts, k)
    assert found.schema == SCHEMAS["related_concepts"]
    return [Relation(**row) for row in found.to_pylist()]


def plain(letters: str) -> list[Concept]:
    return [Concept(letter, letter, "method") for letter in letters]


def test_a_pair_says_in_how_many_papers_and_how_much_beyond_chance() -> None:
    (relation,) = related(8, corpus("xy", "xy", "xy", "x"), plain("xy"))
    assert (relation.concept, relation.other, relation.papers) == ("x", "y", 3)
    expected = log((3 / 8) / (4 / 8 * 3 / 8)) / -log(3 / 8)
    assert relation.npmi == pytest.approx(expected, abs=1e-6)


def test_two_papers_are_not_enough() -> None:
    papers = ["xy"] * (MIN_TOGETHER - 1) + ["x", "y"]
    assert related(100, corpus(*papers), plain("xy")) == []


def test_what_every_paper_names_is_close_to_nothing() -> None:
    papers = ["hx"] * 5 + ["h"] * 15
    assert related(20, corpus(*papers), plain("hx")) == []
    assert related(4, corpus(*["xy"] * 4), plain("xy")) == []


def test_a_concept_and_those_above_it_are_not_related() -> None:
    concepts = [Concept("x", "x", "method", broader=("y",)), *plain("z")]
    concepts.append(Concept("y", "y", "method", broader=("z",)))
    assert related(50, corpus(*["xyz"] * 4), concepts) == []


def test_the_closest_stay_and_each_pair_is_said_once() -> None:
    letters = "abcdefgh"
    concepts = plain(letters)
    found = related(100, corpus(*[letters] * 4, *["abx"] * 3), concepts, k=2)
    pairs = [(r.concept, r.other) for r in found]
    assert ("a", "b") in pairs
    assert len(set(pairs)) == len(pairs) <= 2 * len(letters)


def test_a_graph_without_edges_has_no_relations() -> None:
    assert related(0, [], []) == []
    assert related(3, [edge("p", "x")], plain("x")) == []


@given(st.lists(st.text("abcde", max_size=5), max_size=25))
def test_counts_are_those_of_the_papers_and_the_order_does_not_matter(papers: list[str]) -> None:
    edges = corpus(*papers)
    found = related(len(papers), edges, plain("abcde"), k=100)
    random.Random(1).shuffle(edges)
    assert related(len(papers), edges, plain("abcde")[::-1], k=100) == found
    for relation in found:
        both = sum({relation.concept, relation.other} <= set(paper) for paper in papers)
        assert relation.papers == both >= MIN_TOGETHER
        assert MIN_NPMI <= relation.npmi <= 1
    assert {(r.concept, r.other) for r in found} <= set(combinations("abcde", 2))


def test_of_two_that_only_come_together_the_pair_of_more_papers_ranks_first() -> None:
    first, second = related(50, corpus(*["xy"] * 3, *["uv"] * 9), plain("uvxy"))
    assert first.npmi == second.npmi == 1
    assert first.weight > second.weight


@pytest.fixture
def graph() -> KnowledgeGraph:
    concepts = [asdict(concept) | {"papers": 3} for concept in plain("abc")]
    pairs = [
        {"concept": "a", "other": "b", "papers": 3, "npmi": 0.5, "weight": 0.2},
        {"concept": "a", "other": "c", "papers": 4, "npmi": 0.4, "weight": 0.3},
    ]
    rows = {"concepts": concepts, "related_concepts": pairs}
    run = {"base_iri": "https://e.org/", "version": "1", "extractors": [], "inputs": []}
    return KnowledgeGraph({name: to_table(name, rows.get(name, [])) for name in SCHEMAS}, run)


def test_a_graph_is_asked_from_either_side_and_answers_the_closest_first(
    graph: KnowledgeGraph,
) -> None:
    assert [(r.concept.id, r.papers) for r in graph.related_concepts("a")] == [("c", 4), ("b", 3)]
    assert [r.concept.id for r in graph.related_concepts("A", n=1)] == ["c"]
    assert [(r.concept.id, r.npmi) for r in graph.related_concepts("b")] == [("a", 0.5)]
    with pytest.raises(UnknownNameError):
        graph.related_concepts("heraldry")


def test_related_concepts_are_in_networkx_and_in_rdf(graph: KnowledgeGraph, tmp_path: Path) -> None:
    assert graph.nx.nodes["concept:a"]["related"] == ["b", "c"]
    text = graph.write(tmp_path / "graph.nt").read_text(encoding="utf-8")
    said = [line for line in text.splitlines() if "core#related>" in line]
    assert len(said) == 4


def test_a_part_of_a_graph_keeps_only_what_its_concepts_have(graph: KnowledgeGraph) -> None:
    assert graph.subgraph([]).tables["related_concepts"].num_rows == 0
