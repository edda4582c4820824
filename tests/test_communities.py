"""Communities: what is linked belongs together, whatever the order, under a name of its own."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pyarrow as pa
import pytest

from kg.communities import find_communities, name_communities
from kg.model import Concept, Evidence, Link
from kg.tables import SCHEMAS, from_records

HALVES = {"a": 0, "b": 0, "c": 0, "x": 1, "y": 1, "z": 1}


def edge(paper: str, concept: str) -> Evidence:
    return Evidence(
        paper, concept, "uses", "abstract", 0, 1, concept, concept, 0, 1.0, "words", "1"
    )


def table(edges: Sequence[Evidence]) -> pa.Table:
    return from_records("edges", edges, mentions=[1] * len(edges))


def names(
    said: dict[str, str], concepts: list[Concept], communities: dict[str, int]
) -> dict[int, list[str]]:
    """Return names by their parts; ``said`` has the papers of a concept, a letter each."""
    edges = [edge(paper, concept) for concept, papers in said.items() for paper in papers]
    found = name_communities(communities, table(edges), concepts)
    return {number: name.split(" · ") for number, name in found.items()}


def plain(*names: str, kind: str = "method") -> list[Concept]:
    return [Concept(name, name, kind) for name in names]


def test_communities_part_what_is_not_linked_and_number_the_largest_first() -> None:
    links = [Link(a, b, 1.0, 1.0, 0.0) for a, b in ("ab", "bc", "ac", "xy")]
    found = find_communities(list("abcxyz"), from_records("related", links))
    assert found == {"a": 0, "b": 0, "c": 0, "x": 1, "y": 1}


def test_without_links_there_are_no_communities() -> None:
    assert find_communities(["a", "b"], SCHEMAS["related"].empty_table()) == {}


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_papers_and_links_does_not_matter(seed: int) -> None:
    rng = random.Random(0)
    papers = [f"p{i:02}" for i in range(60)]
    links = [
        Link(a, b, 1.0 + rng.random(), 1.0, 0.0)
        for i, a in enumerate(papers)
        for b in papers[i + 1 :]
        if rng.random() < (0.5 if papers.index(b) // 20 == i // 20 else 0.05)
    ]
    first = find_communities(papers, from_records("related", links))
    shuffler = random.Random(seed)
    shuffler.shuffle(papers)
    shuffler.shuffle(links)
    assert find_communities(papers, from_records("related", links)) == first


def test_a_community_is_named_by_what_sets_it_apart() -> None:
    said = {"model": "abcxyz", "graph": "abc", "vision": "xyz"}
    found = names(said, plain(*said), HALVES)
    assert (found[0][0], found[1][0]) == ("graph", "vision")


@pytest.mark.parametrize("kind", ["dataset", "metric"])
def test_what_papers_measure_on_does_not_name_their_field(kind: str) -> None:
    concepts = plain("parsing", "tagging") + plain("Yardstick", kind=kind)
    said = {"Yardstick": "abc", "parsing": "ab", "tagging": "bc"}
    assert "Yardstick" not in names(said, concepts, HALVES)[0]


def test_papers_of_data_sets_alone_are_named_by_them() -> None:
    assert names({"Cora": "abc"}, plain("Cora", kind="dataset"), HALVES)[0] == ["Cora"]


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("large language model", "language model"),
        ("language model", "Language Model training"),
        ("graph neural network", "recurrent neural network"),
    ],
)
def test_a_name_does_not_say_a_thing_twice(first: str, again: str) -> None:
    found = names(
        {first: "abc", again: "abc", "decoding": "ab"}, plain(first, again, "decoding"), HALVES
    )
    assert set(found[0]) in ({first, "decoding"}, {again, "decoding"})


def test_a_concept_and_the_one_above_it_are_not_both_in_a_name() -> None:
    concepts = [Concept("PPO", "PPO", "method", broader=("rl",)), *plain("rl", "driving")]
    found = names({"PPO": "abc", "rl": "abc", "driving": "a"}, concepts, HALVES)
    assert len({"PPO", "rl"} & set(found[0])) == 1


def test_where_each_paper_has_its_own_method_the_one_above_them_all_names_it() -> None:
    narrow = [Concept(n, n, "method", broader=("rl",)) for n in ("PPO", "SAC", "DQN", "TD3")]
    said = {"PPO": "a", "SAC": "b", "DQN": "c", "TD3": "d", "vision": "x"}
    found = names(said, [*narrow, *plain("rl", "vision")], HALVES | {"d": 0})
    assert found[0][0] == "rl"


def test_the_order_of_edges_does_not_change_names() -> None:
    rng = random.Random(2)
    concepts = plain(*(f"c{i}" for i in range(9)))
    edges = [edge(p, f"c{rng.randrange(9)}") for p in HALVES for _ in range(4)]
    first = name_communities(HALVES, table(edges), concepts)
    rng.shuffle(edges)
    rng.shuffle(concepts)
    assert name_communities(HALVES, table(edges), concepts) == first


def test_what_one_paper_says_names_a_community_only_where_nothing_is_shared() -> None:
    said = {"odd": "a", "graph": "abcxyz", "vision": "xyz"}
    assert names(said, plain(*said), HALVES)[0] == ["graph", "odd"]


@pytest.mark.parametrize("kind", ["method", "keyword"])
def test_a_field_names_a_community_before_single_models(kind: str) -> None:
    concepts = [*plain("KelpNet", "GPT-9", kind=kind), *plain("parsing", kind="task")]
    said = {"KelpNet": "abc", "GPT-9": "abc", "parsing": "ab"}
    assert names(said, concepts, HALVES)[0] == ["parsing"]


def test_models_of_no_field_name_their_community() -> None:
    assert names({"KelpNet": "abc"}, plain("KelpNet"), HALVES)[0] == ["KelpNet"]


def test_models_give_way_to_the_field_above_them_all() -> None:
    models = [Concept(n, n, "method", broader=("kelp",)) for n in ("KelpNet", "FernNet")]
    found = names({"KelpNet": "ab", "FernNet": "bc"}, [*models, *plain("kelp")], HALVES)
    assert found[0] == ["kelp"]


@pytest.mark.parametrize("kind", ["dataset", "metric"])
def test_no_name_has_a_method_beside_what_it_is_measured_on(kind: str) -> None:
    concepts = plain("parsing") + plain("Yardstick", kind=kind)
    assert names({"Yardstick": "abc", "parsing": "abc"}, concepts, HALVES)[0] == ["parsing"]


def test_the_second_part_of_a_name_is_for_the_papers_that_the_first_leaves() -> None:
    said = {"graph": "abcd", "arcs": "ab", "vision": "ef"}
    communities = dict.fromkeys("abcdef", 0) | dict.fromkeys("uvwxyz", 1)
    assert names(said, plain(*said), communities)[0] == ["graph", "vision"]


def test_one_concept_is_enough_where_the_next_is_far_weaker() -> None:
    papers = "abcdefghijklmnopqrst"
    communities = dict.fromkeys(papers, 0) | dict.fromkeys("UVWXYZ", 1)
    assert names({"graph": papers, "walks": "ab"}, plain("graph", "walks"), communities)[0] == [
        "graph"
    ]


def test_what_all_papers_say_does_not_name_any_part_of_them() -> None:
    said = {"learning": "abcxyz", "graph": "ab", "vision": "xy"}
    found = names(said, plain(*said), HALVES)
    assert (found[0][0], found[1][0]) == ("graph", "vision")


def test_a_heading_of_somebody_s_list_names_no_community() -> None:
    heading = "Topics of Interest and Applications: Everything on Kelp"
    concepts = [*plain(heading, kind="keyword"), *plain("kelp farming")]
    assert names({heading: "abc", "kelp farming": "ab"}, concepts, HALVES)[0][0] == "kelp farming"


def test_no_two_communities_have_one_name() -> None:
    said = {"graph": "abxy", "walks": "abxy", "vision": "xy"}
    found = names(said, plain(*said), HALVES)
    assert found[0] != found[1]
    alike = names({"graph": "abcxyz"}, plain("graph"), HALVES)
    assert alike == {0: ["graph"], 1: ["graph (2)"]}


def test_a_community_without_concepts_has_no_name() -> None:
    assert names({"vision": "xyz"}, plain("vision"), HALVES)[0] == [""]
