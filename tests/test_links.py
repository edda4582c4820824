"""Links between papers: what is shared makes them, hubs do not, and the order never matters."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st
from scipy import sparse

from kg.graph import KnowledgeGraph
from kg.hierarchy import with_broader
from kg.links import SIMILARITY_FLOOR, Linker
from kg.model import Concept, Evidence, Link
from kg.nearest import GROUP, PROBED, nearest
from kg.proposals import CANDIDATES, FREQUENCY_CAP, Proposals
from kg.tables import SCHEMAS, from_records, to_table


def edge(paper: str, concept: str, role: str = "uses", confidence: float = 1.0) -> Evidence:
    return Evidence(
        paper, concept, role, "abstract", 0, 1, concept, concept, 0, confidence, "words", "1"
    )


def concept(name: str, *broader: str) -> Concept:
    return Concept(name, name, "method", broader=broader)


def linker(
    edges: list[Evidence], concepts: list[Concept], vectors: np.ndarray | None = None
) -> Linker:
    papers = sorted({e.paper for e in edges})
    blank = np.zeros((len(papers), 2), dtype=np.float32)
    return Linker(papers, table(edges), concepts, blank if vectors is None else vectors)


def table(edges: Sequence[Evidence]) -> pa.Table:
    return from_records("edges", edges, mentions=[1] * len(edges))


def links_of(linker: Linker, k: int = 10) -> list[Link]:
    rows = linker.links(k).to_pylist()
    return [Link(**row | {"concepts": tuple(row["concepts"])}) for row in rows]


def test_papers_that_share_a_concept_are_linked_and_the_link_names_it() -> None:
    edges = [edge("p", "x"), edge("q", "x"), edge("q", "y"), edge("r", "z")]
    (link,) = links_of(linker(edges, [concept(c) for c in "xyz"]))
    assert (link.source, link.target, link.concepts) == ("p", "q", ("x",))
    assert link.weight == link.shared > 0
    assert link.similarity == 0


def test_a_rare_concept_links_more_than_one_that_everybody_uses() -> None:
    edges = [edge(p, "hub") for p in "pqrstu"] + [edge("p", "rare"), edge("q", "rare")]
    first, second = linker(edges, [concept("hub"), concept("rare")]).scores(0)[:2]
    assert first.index == 1
    assert first.shared > 2 * second.shared


def test_what_a_paper_proposes_counts_more_than_what_it_mentions() -> None:
    def weight(role: str) -> float:
        found = linker([edge("p", "x", role), edge("q", "x", role)], [concept("x")])
        return found.scores(0)[0].shared

    assert weight("proposes") > weight("uses") > weight("mentions")


def test_papers_meet_at_a_broader_concept_less_than_at_the_same_one() -> None:
    edges = [edge("p", "one-shot fl"), edge("q", "fl"), edge("r", "one-shot fl")]
    found = linker(edges, [concept("one-shot fl", "fl"), concept("fl")]).scores(0)
    assert [score.index for score in found] == [2, 1]


def test_a_circle_of_broader_concepts_does_no_harm() -> None:
    edges = [edge("p", "a"), edge("q", "b")]
    assert linker(edges, [concept("a", "b"), concept("b", "a")]).scores(0)


@pytest.mark.parametrize(
    ("cosine", "linked"), [(SIMILARITY_FLOOR + 0.05, True), (SIMILARITY_FLOOR - 0.05, False)]
)
def test_similar_words_alone_link_from_the_floor_on(cosine: float, linked: bool) -> None:
    vectors = np.array([[1, 0], [cosine, (1 - cosine**2) ** 0.5]], dtype=np.float32)
    found = linker([edge("p", "x"), edge("q", "y")], [concept("x"), concept("y")], vectors)
    assert bool(links_of(found)) is linked


def test_a_graph_without_edges_has_no_links() -> None:
    for papers in (["p"], []):
        links = Linker(papers, table([]), [], np.zeros((len(papers), 2), np.float32)).links()
        assert links.equals(SCHEMAS["related"].empty_table())


def test_columns_of_edges_may_be_dictionaries() -> None:
    edges = table([edge(p, c) for p in "pqr" for c in "xy"])
    names = ["paper", "concept", "role", "confidence"]
    parts = [edges.slice(start, 2).to_pydict() for start in (0, 2, 4)]
    text = pa.dictionary(pa.int32(), pa.string())
    schema = pa.schema(zip(names, [text, text, text, pa.float64()], strict=True))
    encoded = pa.concat_tables(
        pa.table({name: part[name] for name in names}, schema=schema) for part in parts
    )
    vectors, concepts = unit_vectors(3, seed=1), [concept("x"), concept("y")]
    plain, other = (Linker(list("pqr"), e, concepts, vectors).links() for e in (edges, encoded))
    assert other.equals(plain)
    assert plain.schema == SCHEMAS["related"]


def test_the_order_of_edges_does_not_matter() -> None:
    rng = random.Random(1)
    edges = [edge(f"p{i:02}", f"c{rng.randrange(8)}") for i in range(30) for _ in range(3)]
    concepts = [concept(f"c{i}") for i in range(8)]
    first = links_of(linker(edges, concepts), k=3)
    rng.shuffle(edges)
    rng.shuffle(concepts)
    assert links_of(linker(edges, concepts), k=3) == first


def test_a_concept_tells_more_the_fewer_papers_share_it_than_its_idf_says() -> None:
    edges = [edge(p, "hub") for p in "pqrstuvw"] + [edge("p", "rare"), edge("q", "rare")]
    rare, hub = linker(edges, [concept("hub"), concept("rare")]).scores(0)[:2]
    assert (rare.shared - hub.shared) / hub.shared > np.log1p(8 / 2) / np.log1p(8 / 8)


def test_a_paper_is_not_linked_to_itself_and_only_once_to_another() -> None:
    edges = [edge(p, c) for p in "pqr" for c in "xy"]
    links = links_of(linker(edges, [concept("x"), concept("y")]))
    assert [(link.source, link.target) for link in links] == [("p", "q"), ("p", "r"), ("q", "r")]


def test_links_are_the_strongest_pairs_of_an_exact_scoring() -> None:
    rng = random.Random(5)
    edges = [edge(f"p{i:03}", f"c{rng.randrange(60)}") for i in range(400) for _ in range(5)]
    vectors = unit_vectors(400, seed=5)
    found = linker(edges, [concept(f"c{i}") for i in range(60)], vectors)
    linked = {frozenset((link.source, link.target)) for link in links_of(found, k=10)}
    exact = {
        frozenset((f"p{i:03}", f"p{score.index:03}"))
        for i in range(400)
        for score in found.scores(i)[:10]
    }
    assert len(linked & exact) / len(exact) > 0.99
    assert linked <= exact


def test_a_concept_of_very_many_papers_counts_though_it_proposes_none() -> None:
    rng = random.Random(7)
    papers = [f"p{i:04}" for i in range(FREQUENCY_CAP + 100)]
    edges = [edge(p, "hub", confidence=rng.random()) for p in papers]
    edges += [edge(p, f"c{rng.randrange(300)}") for p in papers for _ in range(3)]
    found = linker(edges, [concept("hub"), *(concept(f"c{i}") for i in range(300))])
    links = {frozenset((link.source, link.target)): link for link in links_of(found, k=3)}
    for i in range(0, len(papers), 50):
        for score in found.scores(i)[:3]:
            link = links[frozenset((papers[i], papers[score.index]))]
            assert (link.weight, "hub" in link.concepts) == (score.weight, True)


def test_any_machine_proposes_the_same_of_papers_that_share_as_much() -> None:
    """A machine that partitions numbers in another way must choose the same."""
    alike = sparse.csr_matrix(np.ones((CANDIDATES + 200, 1)))
    proposals = Proposals(alike, np.ones(1))
    (others,), _ = proposals.of(7, 8)
    (again,), _ = proposals.of(9, 10)
    ranked = sorted(range(CANDIDATES + 200), key=lambda place: -(place * 0x9E3779B1 % 2**24))
    assert set(others.tolist()) == set(again.tolist()) == set(ranked[:CANDIDATES])


def test_an_edge_to_a_concept_that_is_not_in_the_graph_is_an_error() -> None:
    with pytest.raises(KeyError, match="unknown"):
        linker([edge("p", "x"), edge("q", "lost")], [concept("x")])


def test_as_many_links_as_are_asked_for_may_be_more_than_are_proposed() -> None:
    papers = [f"p{i:03}" for i in range(20)]
    links = links_of(linker([edge(p, "x") for p in papers], [concept("x")]), k=2 * CANDIDATES)
    assert len(links) == len(papers) * (len(papers) - 1) / 2


@given(st.integers(1, 60), st.integers(1, 25), st.integers(0, 9))
def test_the_nearest_are_exact_whatever_the_numbers(count: int, n: int, seed: int) -> None:
    vectors = unit_vectors(count, seed)
    cosines = vectors @ vectors.T
    least = np.sort(cosines, axis=1)[:, -min(n, count)]
    found = nearest(vectors, n)
    assert all(len(set(row)) == min(n, count) for row in found.tolist())
    assert (np.take_along_axis(cosines, found, axis=1) >= least[:, None] - 1e-6).all()


def test_the_nearest_of_few_vectors_are_exact() -> None:
    vectors = unit_vectors(300, seed=1)
    exact = np.argsort(-(vectors @ vectors.T), axis=1)[:, :20]
    assert (np.sort(nearest(vectors, 20)) == np.sort(exact)).all()


def test_the_nearest_of_many_vectors_are_nearly_all_found_without_comparing_all() -> None:
    vectors = unit_vectors(2 * GROUP * PROBED, seed=2)
    sample = range(0, len(vectors), 97)
    exact = np.argsort(-(vectors[sample] @ vectors.T), axis=1)[:, :10]
    found = nearest(vectors, 20)
    hits = sum(len(set(row) & set(found[i])) for i, row in zip(sample, exact, strict=True))
    assert hits / exact.size > 0.9


def test_vectors_that_are_alike_or_zero_have_neighbours_too() -> None:
    vectors = np.zeros((3 * GROUP * PROBED // 2, 4), dtype=np.float32)
    vectors[::2, 0] = 1
    assert nearest(vectors, 20).shape == (len(vectors), 20)
    assert nearest(vectors[:0], 20).shape == (0, 0)


def unit_vectors(count: int, seed: int) -> np.ndarray:
    """Texts on some fifty subjects, as unit vectors."""
    rng = np.random.default_rng(seed)
    subjects = rng.normal(size=(50, 16))
    vectors = subjects[rng.integers(50, size=count)] + 0.5 * rng.normal(size=(count, 16))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def test_related_papers_come_with_the_sentences_of_both() -> None:
    blank = dict.fromkeys(("title", "abstract", "venue", "doi", "url", "language"), "")
    lists = dict.fromkeys(("authors", "keywords", "code_urls", "also_known_as"), ())
    papers = [{"id": p, "label": p, **blank, **lists, "source_file": "f"} for p in "pq"]
    concepts = [concept("fl"), concept("one-shot fl", "fl")]
    said = {"papers": papers, "concepts": [asdict(c) | {"papers": 1} for c in concepts]}
    said["edges"] = [asdict(edge("p", "one-shot fl")), asdict(edge("q", "fl", "studies"))]
    said["vectors"] = [{"paper": p, "vector": [0.0]} for p in "pq"]
    graph = KnowledgeGraph({n: to_table(n, said.get(n, [])) for n in SCHEMAS}, {})
    (related,) = graph.related("p")
    (shared,) = related.because
    assert (related.paper.id, [c.id for c in related.concepts]) == ("q", ["fl"])
    assert (shared.here.paper, shared.here.sentence) == ("p", "one-shot fl")
    assert (shared.there.paper, shared.there.sentence) == ("q", "fl")


@pytest.mark.parametrize(
    ("broader", "expected"),
    [
        ({}, [("a", 0)]),
        ({"a": ["b"], "b": ["c"]}, [("a", 0), ("b", 1), ("c", 2)]),
        ({"a": ["b", "c"], "b": ["c"]}, [("a", 0), ("b", 1), ("c", 1)]),
        ({"a": ["b"], "b": ["a"]}, [("a", 0), ("b", 1)]),
        ({"a": ["a"]}, [("a", 0)]),
    ],
)
def test_more_general_concepts_come_once_with_their_distance(
    broader: dict[str, list[str]], expected: list[tuple[str, int]]
) -> None:
    assert list(with_broader("a", broader)) == expected
