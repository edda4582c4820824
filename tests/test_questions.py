"""The questions of a survey: used with, in common, the path between, central, bridges."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import pairwise
from math import log

import networkx as nx
import pytest
from hypothesis import given, settings, strategies as st

from extractors.mention import ROLES
from kg.answers import Answers
from kg.errors import KGError, UnknownNameError
from kg.graph import KnowledgeGraph
from kg.model import Concept, Evidence, Link, Paper, Source
from kg.paths import Hop, Route
from kg.tables import SCHEMAS, to_table

Said = Mapping[str, Mapping[str, str]]
Shuffle = Callable[[list[dict[str, object]]], None]


def sorted_rows(rows: list[dict[str, object]]) -> None:
    """Leave the rows as they come."""


def graph_of(
    said: Said,
    *,
    kinds: Mapping[str, str] | None = None,
    broader: Mapping[str, Sequence[str]] | None = None,
    links: Sequence[Link] = (),
    communities: Mapping[str, tuple[int, str]] | None = None,
    shuffle: Shuffle = sorted_rows,
) -> KnowledgeGraph:
    """Return a graph by hand: paper -> concept -> role; a concept's kind is method if not said."""
    broader = broader or {}
    general = {above for found in broader.values() for above in found}
    names = sorted({c for named in said.values() for c in named} | {*broader, *general})
    concepts = [
        Concept(n, n.upper(), (kinds or {}).get(n, "method"), broader=tuple(broader.get(n, ())))
        for n in names
    ]
    edges = [evidence(p, c, role) for p, named in said.items() for c, role in named.items()]
    counts = {n: sum(edge.concept == n for edge in edges) for n in names}
    rows = {
        "papers": [paper_row(p) for p in sorted(said)],
        "concepts": [asdict(c) | {"papers": counts[c.id]} for c in concepts],
        "edges": [asdict(edge) | {"mentions": 1} for edge in edges],
        "mentions": [asdict(edge) | {"kind": "method"} for edge in edges],
        "related": [asdict(link) for link in links],
        "communities": [
            {"paper": p, "community": number, "label": label}
            for p, (number, label) in (communities or {}).items()
        ],
        "vectors": [{"paper": p, "vector": [0.0]} for p in sorted(said)],
    }
    shuffle(rows["edges"])
    shuffle(rows["related"])
    return KnowledgeGraph({name: to_table(name, rows.get(name, [])) for name in SCHEMAS}, {})


def evidence(paper: str, concept: str, role: str) -> Evidence:
    sentence = f"{paper} {role} {concept}."
    place = len(sentence) - len(concept) - 1, len(sentence) - 1
    return Evidence(paper, concept, role, "abstract", *place, concept, sentence, 0, 0.9, "me", "1")


def paper_row(name: str) -> dict[str, object]:
    row = asdict(Paper(name, f"Abstract of {name}.", title=f"Title of {name}"))
    source = row.pop("source")
    return row | {"label": row["title"]} | {f"source_{key}": v for key, v in source.items()}


def crowd(concept: str, n: int = 40) -> dict[str, dict[str, str]]:
    """Return many papers that study one concept, each with one of its own."""
    return {f"z{i:02}": {concept: "studies", f"own{i}": "proposes"} for i in range(n)}


def passed(route: Route | None) -> list[str]:
    assert route is not None
    return [node.id for node in route.nodes]


USES: Said = {
    "p1": {"gnn": "uses", "cora": "evaluates_on", "f1": "evaluates_on"},
    "p2": {"gnn": "proposes", "cora": "evaluates_on", "reddit": "mentions"},
    "p3": {"gnn": "mentions", "cora": "uses"},
    "p4": {"gcn": "studies", "zinc": "uses", "gnn": "compares_with"},
    "p5": {"gcn": "studies", "cora": "evaluates_on"},
}
KINDS: Mapping[str, str] = dict.fromkeys(("cora", "reddit", "zinc"), "dataset") | {"f1": "metric"}


@pytest.fixture
def uses() -> KnowledgeGraph:
    return graph_of(USES, kinds=KINDS, broader={"gcn": ["gnn"]})


def test_the_data_sets_of_a_method_come_with_their_papers_and_both_sentences(
    uses: KnowledgeGraph,
) -> None:
    first, second = uses.used_with("GNN", kind="dataset")
    assert (first.concept.id, first.papers) == ("cora", 2)
    assert (second.concept.id, second.papers) == ("zinc", 1)
    assert [use.paper.id for use in first.because] == ["p2", "p1"]  # proposing says more
    use = first.because[1]
    assert (use.here.sentence, use.there.sentence) == ("p1 uses gnn.", "p1 evaluates_on cora.")


def test_it_is_asked_from_either_side_and_for_any_kind(uses: KnowledgeGraph) -> None:
    assert [u.concept.id for u in uses.used_with("cora", kind="method")] == ["gnn", "gcn"]
    assert [u.concept.id for u in uses.used_with("cora", kind="metric")] == ["f1"]
    assert {u.concept.id for u in uses.used_with("gnn")} == {"cora", "zinc", "f1"}


def test_a_mere_mention_is_no_use(uses: KnowledgeGraph) -> None:
    assert uses.used_with("reddit") == []


def test_papers_of_narrower_concepts_count_when_asked(uses: KnowledgeGraph) -> None:
    (first, *_) = uses.used_with("gnn", kind="dataset", narrower=True)
    assert (first.concept.id, first.papers) == ("cora", 3)


def test_a_misspelt_name_or_kind_is_answered_with_suggestions(uses: KnowledgeGraph) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'CORA'"):
        uses.used_with("koora")
    for ask in (uses.central, uses.concepts, lambda kind: uses.used_with("gnn", kind=kind)):
        with pytest.raises(UnknownNameError, match=r"no kind named 'datasets'.*'dataset'"):
            ask("datasets")
    assert uses.concepts("task") == []  # a kind, though this graph has none of it


def test_what_few_papers_name_comes_first_with_both_roles_and_sentences() -> None:
    said = {"a": {"hub": "uses", "rare": "proposes"}, "b": {"rare": "compares_with"}}
    graph = graph_of(crowd("hub") | said | {"b": {**said["b"], "hub": "studies", "x": "uses"}})
    first, second = graph.common("a", "b")
    assert (first.concept.id, first.papers) == ("rare", 2)
    assert (first.here.role, first.there.role) == ("proposes", "compares_with")
    assert (first.here.sentence, first.there.paper) == ("a proposes rare.", "b")
    assert (second.concept.id, second.papers) == ("hub", 42)


def test_papers_meet_in_a_more_general_concept() -> None:
    graph = graph_of({"a": {"gcn": "uses"}, "b": {"gnn": "studies"}}, broader={"gcn": ["gnn"]})
    (met,) = graph.common("a", "b")
    assert (met.concept.id, met.here.concept, met.there.concept) == ("gnn", "gcn", "gnn")


def test_what_follows_from_a_more_special_concept_is_not_said_again() -> None:
    said = {"a": {"gcn": "uses"}, "b": {"gcn": "studies"}}
    above = {"gcn": ["gnn"], "gnn": ["nn"]}
    assert [c.concept.id for c in graph_of(said, broader=above).common("a", "b")] == ["gcn"]
    both = {paper: named | {"gnn": "uses"} for paper, named in said.items()}
    found = graph_of(both, broader=above).common("a", "b")
    assert [c.concept.id for c in found] == ["gcn", "gnn"]


def test_nothing_in_common_is_an_empty_answer() -> None:
    assert graph_of({"a": {"x": "uses"}, "b": {"y": "uses"}, "c": {}}).common("a", "c") == []


def test_a_specific_route_is_taken_around_a_hub() -> None:
    named = {
        "a": {"hub": "studies", "x": "studies"},
        "m": {"x": "uses", "y": "uses"},
        "b": {"y": "studies", "hub": "studies"},
    }
    assert passed(graph_of(crowd("hub") | named).path("a", "b")) == ["a", "x", "m", "y", "b"]


def test_where_only_a_hub_joins_it_is_taken() -> None:
    named = {"a": {"hub": "studies"}, "b": {"hub": "studies"}}
    assert passed(graph_of(crowd("hub") | named).path("a", "b")) == ["a", "hub", "b"]


def test_of_equally_rare_concepts_what_papers_propose_joins_better() -> None:
    graph = graph_of({p: {"x": "mentions", "y": "studies"} for p in "ab"} | {"c": {}})
    assert passed(graph.path("a", "b")) == ["a", "y", "b"]


def test_of_equally_rare_concepts_a_metric_joins_less_than_a_method() -> None:
    said = {p: {"m": "uses", "x": "uses"} for p in "ab"} | {"c": {}}
    assert passed(graph_of(said, kinds={"m": "metric"}).path("a", "b")) == ["a", "x", "b"]


def test_each_hop_has_its_sentence() -> None:
    graph = graph_of({"a": {"x": "proposes"}, "b": {"x": "compares_with"}, "c": {}})
    route = graph.path("a", "b")
    assert route is not None
    there, back = route
    assert (there.relation, there.evidence) == ("proposes", evidence("a", "x", "proposes"))
    assert back.evidence is not None
    assert back.evidence.sentence == "b compares_with x."
    assert str(route) == "Title of a –proposes→ X ←compares_with– Title of b"
    assert repr(route).startswith(f"Route({route}, cost=")


def test_broader_concepts_join_without_a_sentence() -> None:
    said = {"a": {"gcn": "studies"}, "b": {"gat": "studies"}, "c": {}}
    graph = graph_of(said, broader={"gcn": ["gnn"], "gat": ["gnn"]})
    route = graph.path("a", "b")
    assert passed(route) == ["a", "gcn", "gnn", "gat", "b"]
    assert route is not None
    assert [hop.relation for hop in route] == ["studies", "broader", "narrower", "studies"]
    assert [hop.evidence is None for hop in route] == [False, True, True, False]


def test_ends_are_papers_or_concepts_by_any_name() -> None:
    graph = graph_of({"a": {"x": "uses"}, "b": {"x": "uses", "y": "uses"}})
    assert passed(graph.path("Title of a", "Y")) == ["a", "x", "b", "y"]
    assert passed(graph.path("X", "y")) == ["x", "b", "y"]
    assert graph.path(graph.paper("a"), graph.concept("y")) == graph.path("a", "y")
    with pytest.raises(UnknownNameError, match="no paper or concept named 'Title of q'"):
        graph.path("a", "Title of q")


def test_from_a_thing_to_itself_there_is_no_hop() -> None:
    route = graph_of({"a": {"x": "uses"}}).path("a", "a")
    assert route
    assert (len(route), route.cost, passed(route)) == (0, 0, ["a"])


def test_where_nothing_joins_there_is_none() -> None:
    graph = graph_of({"a": {"x": "uses"}, "b": {"y": "uses"}, "c": {}})
    assert graph.path("a", "b") is None
    assert graph.path("a", "c") is None


def test_of_paths_that_are_as_good_the_first_in_order_is_taken() -> None:
    graph = graph_of({p: dict.fromkeys(("y", "x", "w"), "uses") for p in ("b", "a", "c")})
    assert passed(graph.path("a", "b")) == ["a", "w", "b"]


@settings(deadline=None, max_examples=60)
@given(
    st.dictionaries(
        st.sampled_from([f"p{i}" for i in range(6)]),
        st.dictionaries(st.sampled_from("uvwxyz"), st.sampled_from(ROLES), max_size=3),
        min_size=2,
    ),
    st.randoms(use_true_random=False),
)
def test_a_path_is_a_chain_of_true_statements_and_no_other_is_cheaper(
    said: dict[str, dict[str, str]], rng: random.Random
) -> None:
    one, *_, other = sorted(said)
    route = graph_of(said).path(one, other)
    assert graph_of(dict(reversed(said.items())), shuffle=rng.shuffle).path(one, other) == route
    named = nx.Graph((p, f"c:{c}") for p, concepts in said.items() for c in concepts)
    named.add_nodes_from(said)
    assert (route is None) == (not nx.has_path(named, one, other))
    if route is None:
        return
    assert (route.source.id, passed(route)[-1]) == (one, other)
    for hop in route:
        assert hop.evidence is not None
        assert said[hop.evidence.paper][hop.evidence.concept] == hop.relation
        assert hop.cost >= 1
    for nodes in nx.all_simple_paths(named, one, other):
        assert route.cost <= cost_of(said, nodes) + 1e-3


def cost_of(said: Said, nodes: Sequence[str]) -> float:
    """Return the cost of a path, counted anew: hop by hop, 1 / (role · confidence · rarity)."""
    weights = dict(zip(ROLES, (1.0, 0.8, 0.7, 0.6, 1.0, 0.5), strict=True))
    total = 0.0
    for ends in pairwise(nodes):
        concept, paper = sorted(ends, key=lambda end: not end.startswith("c:"))
        name, papers = concept[2:], len(said) + 1
        frequency = sum(name in concepts for concepts in said.values())
        total += 1 / (weights[said[paper][name]] * 0.9 * log(papers / frequency) / log(papers))
    return total


def test_what_papers_study_is_more_central_than_what_as_many_mention() -> None:
    graph = graph_of({f"p{i}": {"word": "mentions", "topic": "studies"} for i in range(9)})
    first, second = graph.central()
    assert [(c.concept.id, c.papers) for c in (first, second)] == [("topic", 9), ("word", 9)]
    assert first.pagerank > second.pagerank
    assert first.pagerank + second.pagerank == pytest.approx(1)


def test_a_kind_and_a_number_choose_among_them() -> None:
    graph = graph_of(crowd("hub"), kinds={"own3": "task", "own4": "task"})
    assert [c.concept.id for c in graph.central(n=1)] == ["hub"]
    assert [c.concept.id for c in graph.central("task")] == ["own3", "own4"]
    assert graph.central(n=0) == []
    assert repr(graph.central(n=1)).startswith("[Central('HUB', papers=40, pagerank=0.")


def test_a_graph_without_statements_has_none() -> None:
    assert graph_of({"a": {}}).central() == []


COMMUNITIES: Mapping[str, tuple[int, str]] = {
    **dict.fromkeys(("a", "b", "m"), (0, "trees · forests")),
    **dict.fromkeys(("x", "y"), (1, "seas")),
    "u": (2, ""),
}
LINKS = (
    Link("a", "b", 9.0, 9.0, 0.0, ("t",)),
    Link("a", "m", 2.0, 2.0, 0.0, ("t",)),
    Link("b", "m", 1.0, 1.0, 0.0, ("t",)),
    Link("m", "x", 1.5, 1.0, 0.1, ("s", "w")),
    Link("m", "y", 0.5, 0.5, 0.0, ("s",)),
    Link("m", "u", 1.0, 0.0, 0.9),
    Link("x", "y", 9.0, 9.0, 0.0, ("s",)),
)
SPOKEN: Said = {
    "a": {"t": "uses"},
    "b": {"t": "uses"},
    "m": {"t": "studies", "s": "uses", "w": "uses"},
    "x": {"s": "uses", "w": "mentions"},
    "y": {"s": "studies"},
    "u": {},
}


def test_a_bridge_names_its_communities_its_links_and_its_concepts() -> None:
    graph = graph_of(SPOKEN, links=LINKS, communities=COMMUNITIES)
    (first, *others) = graph.bridges()
    assert (first.paper.id, first.home, first.other) == ("m", "trees · forests", "seas")
    assert first.strength == 2.0  # of 3 at home and 2 away
    assert first.participation == pytest.approx(1 - (9 + 4 + 1) / 36, abs=1e-6)
    assert [(link.paper.id, link.weight) for link in first.links] == [("x", 1.5), ("y", 0.5)]
    shared = first.links[0].because[0]
    assert (shared.here.sentence, shared.there.sentence) == ("m uses s.", "x uses s.")
    assert [concept.id for concept in first.concepts] == ["s", "w"]
    assert [bridge.paper.id for bridge in others] == ["x", "y"]
    assert graph.bridges(n=1) == [first]
    assert graph.bridges(n=0) == []


def test_a_paper_without_links_at_home_bridges_nothing() -> None:
    graph = graph_of(SPOKEN, links=LINKS, communities=COMMUNITIES)
    assert "u" not in {bridge.paper.id for bridge in graph.bridges()}


def test_a_community_without_a_name_has_its_number() -> None:
    links = [replace(link, weight=5.0) if link.target == "u" else link for link in LINKS]
    graph = graph_of(SPOKEN, links=links, communities=COMMUNITIES)
    assert graph.bridges()[0].other == "community 2"


def test_a_single_community_has_none() -> None:
    alone = dict.fromkeys(SPOKEN, (0, "all"))
    assert graph_of(SPOKEN, links=LINKS, communities=alone).bridges() == []
    assert graph_of(SPOKEN).bridges() == []


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_tables_changes_no_answer(seed: int) -> None:
    said, links = SPOKEN, LINKS
    shuffle = random.Random(seed).shuffle
    first, second = (
        graph_of(said, links=links, communities=COMMUNITIES, shuffle=how)
        for how in (sorted_rows, shuffle)
    )
    for ask in (
        lambda graph: graph.used_with("s"),
        lambda graph: graph.common("m", "x"),
        lambda graph: graph.path("a", "y"),
        lambda graph: graph.central(),
        lambda graph: graph.bridges(),
    ):
        assert ask(first) == ask(second)


@pytest.fixture
def graph() -> KnowledgeGraph:
    said, links = SPOKEN, LINKS
    return graph_of(said, links=links, communities=COMMUNITIES)


def test_they_are_lists_and_so_are_parts_of_them(graph: KnowledgeGraph) -> None:
    papers = graph.papers()
    assert papers == list(papers)
    assert isinstance(papers[:2], Answers)
    assert papers[-1].id == "y"
    assert repr(graph.used_with("s")[:1]) == "[UsedWith('T', papers=1)]"
    assert repr(graph.central(n=3)).count("\n") == 2


def test_a_record_has_plain_values(graph: KnowledgeGraph) -> None:
    (record, *_) = graph.bridges().to_records()
    assert (record["paper"], record["paper_title"]) == ("m", "Title of m")
    assert record["concepts"] == ["S", "W"]
    assert record["links"][0]["because"][0]["here"] == "m uses s."
    (record, *_) = graph.common("m", "x").to_records()
    assert (record["here"], record["here_role"]) == ("m uses w.", "uses")
    (record, *_) = graph.used_with("s").to_records()
    assert (record["concept"], record["papers"]) == ("T", 1)
    (record, *_) = Answers([Paper("p", "", source=Source("in.bib", 3))]).to_records()
    assert record["source"] == "in.bib:3"


@pytest.mark.parametrize(
    "ask",
    [
        KnowledgeGraph.papers,
        KnowledgeGraph.concepts,
        KnowledgeGraph.edges,
        KnowledgeGraph.results,
        KnowledgeGraph.trends,
        KnowledgeGraph.central,
        KnowledgeGraph.bridges,
        lambda graph: graph.related("m"),
        lambda graph: graph.related_concepts("s"),
        lambda graph: graph.evidence("m", "s"),
        lambda graph: graph.common("m", "x"),
        lambda graph: graph.used_with("s"),
    ],
)
def test_every_question_that_lists_gives_them(graph: KnowledgeGraph, ask) -> None:
    found = ask(graph)
    assert isinstance(found, Answers)
    assert len(found.to_records()) == len(found)


def test_a_frame_without_pandas_is_an_error_with_the_remedy(
    graph: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    for ask in (graph.papers().to_frame, graph.to_frame):
        with pytest.raises(KGError, match="pip install pandas"):
            ask()


def test_a_frame_has_a_row_an_answer(graph: KnowledgeGraph) -> None:
    pytest.importorskip("pandas", reason="pandas is not part of the environment")
    frame = graph.central().to_frame()
    assert list(frame.columns) == ["concept", "papers", "pagerank"]
    assert len(frame) == len(graph.central())


def test_a_hop_is_read_from_the_paper_to_the_concept() -> None:
    paper, concept = Paper("p", ""), Concept("x", "X", "task")
    said = evidence("p", "x", "uses")
    assert repr(Hop(paper, concept, "uses", said, 1.0)) == "Hop(p –uses→ X)"
    assert repr(Hop(concept, paper, "uses", said, 1.0)) == "Hop(X ←uses– p)"
