"""Small graphs that broke other tools, with their neighbours: what must come out of each."""

from __future__ import annotations

import datetime
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import kg
from exports import WRITERS
from exports.networks import sanitise, to_gexf
from exports.values import plain
from exports.view import GraphView, RunRecord
from extractors import AbbreviationExtractor, Extraction, Mention, Text
from kg import tables
from kg.names import Names

RUN = RunRecord("https://example.org/kg/")
Case = Mapping[str, Any]


@pytest.fixture(scope="session")
def cases(shared: Path) -> dict[str, Case]:
    """The cases of graphs that lie beside the checkout, by id."""
    path = shared / "cases.jsonl"
    if not path.is_file():
        pytest.skip("needs the collected cases, which are not part of the repository")
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {row["id"]: row for row in rows if row["area"] == "graph"}


class LongestNames:
    """Finds given names wherever they stand, of two that begin at one place the longer."""

    name, version = "names", "1"

    def __init__(self, kinds: Mapping[str, str]) -> None:
        self._kinds = kinds
        longest = sorted(kinds, key=len, reverse=True)
        self._names = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)")

    def extract(self, texts: Iterable[Text]) -> Iterator[Extraction]:
        for text in texts:
            found = self._names.finditer(text.abstract)
            yield Extraction(
                tuple(
                    Mention("abstract", m.start(), m.end(), self._kinds[m[0]], m[0], 0.9)
                    for m in found
                )
            )


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., kg.KnowledgeGraph]:
    """Build a graph of abstracts by id, in which names of methods and data sets are known."""

    def build(
        abstracts: Mapping[str, str],
        methods: Iterable[str],
        folder: str = "atlas",
        datasets: Iterable[str] = (),
    ) -> kg.KnowledgeGraph:
        rows = ({"id": key, "abstract": text} for key, text in abstracts.items())
        path = tmp_path / "papers.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        kinds = dict.fromkeys(methods, "method") | dict.fromkeys(datasets, "dataset")
        using = [LongestNames(kinds), AbbreviationExtractor()]
        return kg.build(path, tmp_path / folder, using=using)

    return build


def forms_of(graph: kg.KnowledgeGraph) -> set[str]:
    """All names as written that stand for a concept."""
    return set(graph.tables["merges"]["form"].to_pylist())


# All spellings of one idea are one concept.


@pytest.mark.shared
def test_the_case_of_many_spellings(cases: dict[str, Case], build: Any) -> None:
    case = cases["G01"]
    said = dict(case["input"]["mentions"])
    abstracts = {paper: f"Here {name} are used." for paper, name in said.items()}
    for short, long in case["input"]["abbreviations"].items():
        abstracts[next(iter(said))] += f" By {long} ({short}) we mean what others mean."
    names = {*said.values(), *case["input"]["abbreviations"].values()}
    graph = build(abstracts, names)
    (concept,) = graph.concepts()
    assert concept.label == case["expected"]["preferred_label"]
    assert set(case["expected"]["aliases"]) <= forms_of(graph) | set(concept.abbreviations)
    assert all(graph.concept(alias) == concept for alias in case["expected"]["aliases"])
    assert len(graph.papers(about=concept.label)) == case["expected"]["paper_degree"]


@pytest.mark.parametrize(
    ("definition", "others"),
    [
        ("moss transport operator (MTO)", ["Moss Transport Operators", "MTOs", "MTO"]),
        ("moss transport operators (MTOs)", ["MTO", "moss-transport operator"]),
        ("MTO (moss transport operator)", ["MTOs", "Moss transport operators"]),
        ("kelp behaviour modelling (KBM)", ["kelp behavior modeling", "KBM"]),
        ("Poincaré fern embedding (PFE)", ["Poincare fern embeddings", "PFE"]),
        ("beta-fern coding (BFC)", ["β-fern coding", "BFC"]),
    ],
)
def test_a_short_form_that_one_paper_defines_gathers_all_spellings(
    build: Any, definition: str, others: list[str]
) -> None:
    abstracts = {"p0": f"Here {definition} is used."}
    abstracts |= {f"p{i}": f"Here {name} is used." for i, name in enumerate(others, 1)}
    defined = re.findall(r"[^()]+(?=[ )])", definition)
    graph = build(abstracts, [*others, *(name.strip() for name in defined)])
    (concept,) = graph.concepts()
    assert len(graph.papers(about=concept.label)) == len(abstracts)
    assert {graph.concept(name) for name in others} == {concept}


def test_a_short_form_of_two_meanings_follows_each_paper_and_elsewhere_neither(build: Any) -> None:
    longs = ("moss transport operator", "mean tidal offset")
    abstracts = {
        "a": f"Here {longs[0]} (MTO) is used. Then MTO is dropped.",
        "b": f"Here {longs[1]} (MTO) is used. Then MTO is dropped.",
        "c": "Here MTO is used.",
    }
    graph = build(abstracts, [*longs, "MTO"])
    assert {c.label: [p.id for p in graph.papers(about=c.id)] for c in graph.concepts()} == {
        longs[0]: ["a"],
        longs[1]: ["b"],
        "MTO": ["c"],
    }


# Likeness merges no names.


@pytest.mark.shared
def test_the_case_of_names_that_are_alike(cases: dict[str, Case], build: Any) -> None:
    case = cases["G03"]
    names = case["input"]["names"]
    graph = build({name: f"Here {name} reads all the texts." for name in names}, names)
    assert len(graph.concepts()) == case["expected"]["concepts"]
    assert {concept.label for concept in graph.concepts()} == set(names)


@pytest.mark.parametrize(
    "names",
    [
        ("KelpNet", "SubKelpNet", "KelpNet-XL", "KelpNet2", "KelpNet+", "KelpNext"),
        ("Fern-7B", "Fern-13B", "Fern-7B-Chat", "Fern 2 7B", "Fern 27B"),
        ("Tern-10", "Tern-100", "Tern-1000", "Tern-10.1"),
        ("Moss-v1", "Moss-v1.1", "Moss-v2", "Moss-v11"),
        ("RidgeWalk", "RigdeWalk", "RidgeTalk"),
        ("α-fern", "β-fern", "fern"),
        ("M*", "M#", "M++", "M"),
        ("S", "SS", "SSS"),
    ],
)
def test_names_that_differ_by_a_letter_a_number_or_a_sign_are_as_many_concepts(
    build: Any, names: tuple[str, ...]
) -> None:
    text = "Here we read all the texts, by day and by night, with {}, and report it as number {}."
    graph = build({f"p{i}": text.format(name, i) for i, name in enumerate(names)}, names)
    papers = {concept.label: graph.papers(about=concept.id) for concept in graph.concepts()}
    labels = {name: f"p{i}" for i, name in enumerate(names)}
    for name, paper in labels.items():
        assert paper in {found.id for found in papers[name]}, name
    assert len(papers) == len(names)


@given(
    st.sampled_from(["Kelp", "Fern", "kelp net", "MossNet"]),
    st.sets(st.integers(0, 2000), min_size=2, max_size=4),
    st.sampled_from(["{}-{}", "{}{}", "{} {}", "{}_v{}", "{}-{}B", "{} v{}.1"]),
)
def test_versions_are_never_one_concept(base: str, versions: set[int], pattern: str) -> None:
    keys = {Names([]).key(pattern.format(base, version), "p") for version in versions}
    assert len(keys) == len(versions)


# What goes leaves no trace.


def published(folder: Path) -> dict[str, bytes]:
    names = [*(f"{name}.parquet" for name in tables.SCHEMAS), "graph.ttl"]
    return {name: (folder / name).read_bytes() for name in names}


def assert_whole(graph: kg.KnowledgeGraph) -> None:
    """Every row of every table speaks of papers and concepts that are there, and are named."""
    rows = {name: table.to_pylist() for name, table in graph.tables.items()}
    papers = {row["id"] for row in rows["papers"]}
    concepts = {row["id"]: row["papers"] for row in rows["concepts"]}
    assert concepts == Counter(row["concept"] for row in rows["edges"])
    for name in ("edges", "mentions", "abbreviations", "communities", "vectors", "results"):
        assert {row["paper"] for row in rows[name]} <= papers, name
    for name in ("mentions", "kinds", "merges"):
        assert {row["concept"] for row in rows[name]} - {""} <= set(concepts), name
    for name, ends in (
        ("related", ("source", "target")),
        ("related_concepts", ("concept", "other")),
    ):
        known = papers if name == "related" else set(concepts)
        assert {row[end] for row in rows[name] for end in ends} <= known, name
    assert {above for row in rows["concepts"] for above in row["broader"]} <= set(concepts)
    assert not [node for node in graph.nx if node not in papers and not graph.nx.degree(node)]


@pytest.mark.shared
def test_the_case_of_a_paper_that_goes(cases: dict[str, Case], build: Any, tmp_path: Path) -> None:
    case = cases["G05"]
    said, expected = case["input"]["papers"], case["expected"]
    names = {name for found in said.values() for name in found}
    abstracts = {paper: f"We use {' and '.join(found)} today." for paper, found in said.items()}
    build(abstracts, names)
    del abstracts[case["input"]["delete"]]
    graph = build(abstracts, names)
    assert [concept.label for concept in graph.concepts()] == expected["concepts"]
    assert len(graph.papers(about="B")) == expected["weight_B"]
    assert_whole(graph)
    build(abstracts, names, "fresh")
    assert published(tmp_path / "atlas") == published(tmp_path / "fresh")


CORPUS = {
    "defines": "Here moss transport operator (MTO) is used on Kelp50.",
    "defines too": "Here mean tidal offset (MTO) is used. Then MTO is dropped.",
    "needs it": "Here MTO is used in deep KelpNet.",
    "needs it too": "Here MTO and the kelp walk are used, as in KelpNet.",
    "titles": "Moss Transport Operators are used beside KelpNet and Kelp50.",
    "says data": "Kelp50 is one, and Kelp Walks are another.",
    "says little": "Nothing is said of anything here, and nobody minds.",
    "one more": "Deep KelpNet is trained on Kelp50. Deep KelpNet is large.",
}
NAMES = ["moss transport operator", "mean tidal offset", "MTO", "deep KelpNet", "Deep KelpNet",
         "KelpNet", "kelp walk", "Kelp Walks", "Moss Transport Operators"]  # fmt: skip


@pytest.mark.parametrize("gone", CORPUS)
def test_a_graph_without_a_paper_equals_one_that_never_had_it(
    build: Any, tmp_path: Path, gone: str
) -> None:
    """It defined a short form, had the only broader concept, a label's usual spelling…"""
    build(CORPUS, NAMES, datasets=["Kelp50"])
    rest = {key: text for key, text in CORPUS.items() if key != gone}
    assert_whole(build(rest, NAMES, datasets=["Kelp50"]))
    build(rest, NAMES, "fresh", datasets=["Kelp50"])
    assert published(tmp_path / "atlas") == published(tmp_path / "fresh")


def test_the_definition_that_goes_takes_its_meaning_with_it(build: Any) -> None:
    papers = ("defines", "needs it")
    graph = build({key: CORPUS[key] for key in papers}, NAMES)
    assert len(graph.papers(about="moss transport operator")) == 2
    graph = build({"needs it": CORPUS["needs it"]}, NAMES)
    assert {c.label for c in graph.concepts()} == {"MTO", "deep KelpNet"}


def test_a_paper_that_comes_back_restores_every_byte(build: Any, tmp_path: Path) -> None:
    build(CORPUS, NAMES)
    before = published(tmp_path / "atlas")
    build({key: CORPUS[key] for key in list(CORPUS)[3:]}, NAMES)
    build(CORPUS, NAMES)
    assert published(tmp_path / "atlas") == before


def test_a_record_of_a_joined_paper_that_goes_takes_only_its_own_words(build: Any) -> None:
    text = (
        "Here moss transport is used on large meadows, which are mown twice a year, once in early "
        "summer and once in autumn, by hand and without any machine; what is left over is carried "
        "to the coast, where kelp is grown on ropes, and both are weighed each day before noon."
    )
    long = f"{text} KelpNet says so."
    joined = build({"long": long, "short": text}, ["KelpNet", "moss transport"])
    assert (len(joined), len(joined.concepts())) == (1, 2)
    left = build({"short": text}, ["KelpNet", "moss transport"])
    assert [concept.label for concept in left.concepts()] == ["moss transport"]
    assert left.paper("short").also_known_as == ()


@settings(
    max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.sets(st.sampled_from(sorted(CORPUS)), min_size=1), min_size=2, max_size=3))
def test_whatever_comes_and_goes_the_graph_is_that_of_what_is_there(
    build: Any, tmp_path: Path, steps: list[set[str]]
) -> None:
    for step in steps:
        graph = build({key: CORPUS[key] for key in sorted(step)}, NAMES, datasets=["Kelp50"])
        assert_whole(graph)
    build({key: CORPUS[key] for key in sorted(steps[-1])}, NAMES, "fresh", datasets=["Kelp50"])
    assert published(tmp_path / "atlas") == published(tmp_path / "fresh")


# Any attribute is written so that it reads back.


def read_back(graph: nx.Graph, folder: Path) -> dict[str, nx.Graph]:
    """Write a sanitised graph in both formats and read it again."""
    folder.mkdir(exist_ok=True)
    nx.write_graphml_xml(graph, folder / "graph.graphml")
    (folder / "graph.gexf").write_bytes(to_gexf(graph))
    return {
        "graphml": nx.read_graphml(folder / "graph.graphml"),
        "gexf": nx.read_gexf(folder / "graph.gexf"),
    }


def value_of(written: Any) -> Any:
    """A value of a case; numbers of numpy stand there as they are printed."""
    number = re.fullmatch(r"numpy\.(\w+)\((.+)\)", str(written))
    return getattr(np, number[1])(float(number[2])) if number else written


@pytest.mark.shared
def test_the_case_of_attributes_that_are_no_scalars(cases: dict[str, Case], tmp_path: Path) -> None:
    case = cases["G07"]
    given_ = {name: value_of(v) for name, v in case["input"]["node_attributes"].items()}
    graph = nx.Graph()
    graph.add_node("a", **given_)
    for read in read_back(sanitise(graph), tmp_path).values():
        found = read.nodes["a"]
        assert "year" not in found
        assert found["aliases"] == case["expected"]["aliases"]
        assert json.loads(found["meta"]) == given_["meta"]
        assert found["score"] == pytest.approx(float(given_["score"]))


@pytest.mark.shared
def test_the_case_of_an_attribute_of_two_types(cases: dict[str, Case], tmp_path: Path) -> None:
    case = cases["G09"]
    graph = nx.Graph()
    graph.add_nodes_from(case["input"]["nodes"].items())
    for read in read_back(sanitise(graph), tmp_path).values():
        for node, year in case["expected"]["year"].items():
            assert read.nodes[node].get("year", "absent") == year
        for node, year in case["expected"]["raw_year"].items():
            assert read.nodes[node]["raw_year"] == year
        assert {n: read.nodes[n]["pid"] for n in read} == {
            node: data["pid"] for node, data in case["input"]["nodes"].items()
        }


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (float("nan"), None),
        (float("-inf"), None),
        (np.float64("nan"), None),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (np.str_("moss"), "moss"),
        (np.array([1.5, 2.5]), "[1.5, 2.5]"),
        (np.array([1.5]), "[1.5]"),
        (np.array(1.5), 1.5),
        (np.array([[1], [2]]), "[[1], [2]]"),
        (("kelp", "moss"), '["kelp", "moss"]'),
        ({"moss", "kelp", "fern"}, '["fern", "kelp", "moss"]'),
        (frozenset({3, 1, 2}), "[1, 2, 3]"),
        ({"deep": [np.float32(0.25), None, float("inf")]}, '{"deep": [0.25, null, null]}'),
        ({(1, 2): "pair"}, '{"(1, 2)": "pair"}'),
        ([], "[]"),
        ("", ""),
        (datetime.date(2019, 5, 4), "2019-05-04"),
        (2**70, 2**70),
        ("ä\r\nö", "ä\nö"),
    ],
    ids=repr,
)
def test_a_value_is_written_as_its_nearest_plain_one(
    tmp_path: Path, value: Any, written: Any
) -> None:
    graph = nx.Graph()
    graph.add_node("a", tag=value)
    graph.add_edge("a", "b", tag=value)
    for read in read_back(sanitise(graph), tmp_path).values():
        assert read.nodes["a"].get("tag") == written
        assert read.edges["a", "b"].get("tag") == written


def test_what_moves_aside_takes_no_place_of_another() -> None:
    graph = nx.Graph()
    graph.add_node("a", width=3, raw_width=7)
    graph.add_node("b", width="wide", raw_width="very")
    nodes = dict(sanitise(graph).nodes(data=True))
    assert nodes == {
        "a": {"width": 3, "raw_width": 7},
        "b": {"raw_raw_width": "wide", "raw_raw_raw_width": "very"},
    }


def test_a_number_and_its_digits_are_two_nodes(tmp_path: Path) -> None:
    graph = nx.Graph()
    graph.add_node(1, name="number")
    graph.add_node("1", name="digits")
    graph.add_edge(1, "1")
    for read in read_back(sanitise(graph), tmp_path).values():
        assert sorted(data["name"] for _, data in read.nodes(data=True)) == ["digits", "number"]
        assert read.number_of_edges() == 1


SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**40), 2**40), st.floats(width=32), st.dates(),
    st.floats(width=32).map(np.float32), st.integers(0, 99).map(np.int32), st.text(max_size=8),
    st.sampled_from(["in review", "NaN", "-1", "\x00\x0b", "\ud835", "]]>", " ", "\n"]),
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(
            st.one_of(st.text(max_size=3), st.integers(), st.dates()), inner, max_size=3
        ),
        st.lists(st.floats(width=32), max_size=3).map(np.array),
        st.sets(st.text(max_size=3), max_size=3),
    ),
    max_leaves=6,
)
ATTRIBUTES = st.dictionaries(
    st.sampled_from(
        ["year", "raw_year", "raw_raw_year", "pid", "start", "for", "x y", "<&", "type"]
    ),
    VALUES,
    max_size=5,
)


@settings(max_examples=100, deadline=None)
@given(st.lists(ATTRIBUTES, min_size=1, max_size=4))
def test_any_attributes_read_back_as_they_were_made_to_fit(
    tmp_path_factory: pytest.TempPathFactory, attributes: list[dict[str, Any]]
) -> None:
    graph = nx.path_graph(len(attributes))
    for node, data in enumerate(attributes):
        graph.nodes[node].update(data)
    for one, other in graph.edges:
        graph.edges[one, other].update(attributes[one])
    clean = sanitise(graph)
    assert len(clean) == len(graph)
    for name, read in read_back(clean, tmp_path_factory.mktemp("any")).items():
        for node, data in clean.nodes(data=True):
            found = {key: value for key, value in read.nodes[node].items() if key != "label"}
            assert found == data, name
        assert read.number_of_edges() == clean.number_of_edges()


@given(VALUES)
def test_a_plain_value_is_json(value: Any) -> None:
    assert plain(json.loads(json.dumps(plain(value), allow_nan=False))) == plain(value)


# A graph of somebody else's making, with such attributes, is written in every format.

ODD = {
    "year": [None, float("nan"), "in review", np.int64(1999), "", 0, -5, 10**9, np.float64(2001)],
    "authors": [None, "Åsa Ek", np.array(["Åsa Ek", "Bo Li"]), {"Bo Li"}, ()],
    "keywords": ["moss; kelp", {"moss", "kelp"}, None],
    "title": [None, ""],
    "abstract": [None],
}


def odd_papers() -> Iterator[dict[str, Any]]:
    for name, values in ODD.items():
        yield from ({name: value} for value in values)


def odd_graph() -> nx.MultiDiGraph:
    graph = nx.MultiDiGraph()
    graph.add_node("concept:kelp", type="concept", label="kelp", kind=None, aliases="Kelp")
    for number, data in enumerate(odd_papers()):
        graph.add_node(number, type="paper", **{"title": f"Paper {number}"} | data)
        graph.add_edge(number, "concept:kelp", type="role", role="uses", confidence=np.float32(0.5))
        graph.add_edge(number, 0, type="related", weight=float("nan"), concepts=None)
    return graph


@pytest.mark.parametrize("name", WRITERS)
def test_a_graph_of_odd_attributes_is_written_in_every_format(tmp_path: Path, name: str) -> None:
    graph = odd_graph()
    before = repr(list(graph.nodes(data=True)))
    WRITERS[name](GraphView(graph, RUN), tmp_path / "graph")
    assert repr(list(graph.nodes(data=True))) == before


def test_odd_attributes_become_records_without_what_is_none() -> None:
    papers = {paper.id: paper for paper in GraphView(odd_graph(), RUN).papers()}
    assert len(papers) == sum(map(len, ODD.values()))
    years = [papers[str(i)].year for i in range(len(ODD["year"]))]
    assert years[:4] == [None, None, "in review", 1999]
    people = [papers[str(i)].authors for i in range(len(years), len(years) + len(ODD["authors"]))]
    assert people == [(), ("Åsa Ek",), ("Åsa Ek", "Bo Li"), ("Bo Li",), ()]


def test_a_year_that_is_none_is_no_triple_but_is_kept_beside(tmp_path: Path) -> None:
    view = GraphView(odd_graph(), RUN)
    WRITERS["nt"](view, tmp_path / "graph.nt")
    years = re.findall(r'"([^"]*)"\^\^<[^>]*gYear>', (tmp_path / "graph.nt").read_text("utf-8"))
    assert sorted(years) == ["1999", "2001"]
    WRITERS["gexf"](view, tmp_path / "graph.gexf")
    nodes = nx.read_gexf(tmp_path / "graph.gexf").nodes
    assert (nodes["2"]["raw_year"], nodes["3"]["year"]) == ("in review", 1999)
    assert "year" not in nodes["2"]
