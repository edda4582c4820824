"""A user's own files on names: a thesaurus and an authority file, and what they change."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import assume, given, settings, strategies as st

import kg
from kg.authority import read_authority
from kg.concepts import FORMS, Merge, Naming, name_concepts
from kg.errors import InputError
from kg.names import Definition, Names
from kg.readers.files import from_text
from kg.thesaurus import parse, read_thesaurus
from kg.vocabulary import NOTHING, Vocabulary, joined

TURTLE = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
<http://x.test/1> skos:prefLabel "fern network"@en, "Farnnetz"@de ;
    skos:altLabel "net of ferns" ; skos:exactMatch <http://wd.test/Q1> .
<http://x.test/2> xl:prefLabel <http://x.test/l2> .
<http://x.test/l2> xl:literalForm "ridge walk"@en .
"""
SKOS = {
    "a.ttl": TURTLE,
    "a.nt": '<http://x.test/1> <http://www.w3.org/2004/02/skos/core#prefLabel> "fern network" .',
    "a.rdf": """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
        xmlns:skos="http://www.w3.org/2004/02/skos/core#"><skos:Concept rdf:about="http://x.test/1">
        <skos:prefLabel>fern network</skos:prefLabel></skos:Concept></rdf:RDF>""",
    "a.jsonld": json.dumps(
        {
            "@id": "http://x.test/1",
            "http://www.w3.org/2004/02/skos/core#prefLabel": "fern network",
        }
    ),
}


def thesaurus(*lines: str) -> Vocabulary:
    return parse(from_text("\n".join(lines), "my.txt"))


def named(*names: str, said: Vocabulary = NOTHING, authority: Vocabulary = NOTHING) -> Naming:
    forms = table([("p1", name) for name in names])
    return name_concepts(forms, Names([], thesaurus=said, authority=authority))


def table(names: Iterable[tuple[str, str]]) -> pa.Table:
    """Return the names of some papers, each the method of an abstract."""
    said = {"kind": "method", "score": 0.9, "field": "abstract"}
    rows = [{"paper": paper, "text": name, **said} for paper, name in names]
    return pa.Table.from_pylist(rows, schema=FORMS)


def merges_of(naming: Naming) -> list[Merge]:
    return [Merge(**row) for row in naming.merges.to_pylist()]


@pytest.mark.parametrize("mark", ["\t", ",", ";"])
def test_a_thesaurus_has_two_columns_with_or_without_a_heading(mark: str) -> None:
    line = mark.join(("convnet", "convolutional neural network"))
    for lines in ((mark.join(("label", "replace by")), line), (line,)):
        assert thesaurus(*lines).merged == (("convnet", "convolutional neural network"),)


def test_a_name_is_replaced_in_all_its_spellings_and_the_replacement_is_shown() -> None:
    naming = named("Fern-Nets", "fern net", "frond graph", said=thesaurus("Fern nets\tFrond Graph"))
    assert [(c.label, c.aliases) for c in naming.concepts] == [
        ("Frond Graph", ("Fern-Nets", "fern net", "frond graph"))
    ]
    assert {m.rule for m in merges_of(naming) if m.form != "frond graph"} == {"thesaurus"}


def test_a_replacement_is_followed_to_its_end_and_a_circle_replaces_nothing() -> None:
    assert len(named("a1", "b1", "c1", said=thesaurus("a1\tb1", "b1\tc1")).concepts) == 1
    assert len(named("a1", "b1", said=thesaurus("a1\tb1", "b1\ta1")).concepts) == 2


def test_the_thesaurus_is_heard_before_a_paper_and_before_the_curated_list() -> None:
    names = Names([Definition("p", "GNN", "gated net")], thesaurus=thesaurus("GNN\tGraph Net"))
    assert names.decide("GNNs", "p").rule == "thesaurus"
    assert names.key("GNNs", "p") == names.key("graph net", "q")


def test_no_replacement_leaves_a_term_out_and_says_so() -> None:
    naming = named("this paper", "fern", said=thesaurus("This Papers\t"))
    assert [c.label for c in naming.concepts] == ["fern"]
    assert ("this paper", "", "left out") in {
        (m.form, m.concept, m.rule) for m in merges_of(naming)
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("GNN", "graph neural network"),
        ("large-scale language model", "large language model"),
        ("large language model", "large-scale language model"),
        ("Fern", "fern"),
        ("fern", "Fern"),
        ("ferns", "fern"),
    ],
)
def test_a_thesaurus_forbids_a_merge(one: str, other: str) -> None:
    assert len(named(one, other).concepts) == 1
    naming = named(one, other, said=thesaurus(f"{one}\t!{other}"))
    assert len({c.id for c in naming.concepts}) == 2
    assert all(c.abbreviations == () for c in naming.concepts)


def test_a_bad_line_is_told_with_its_place_and_the_others_are_read() -> None:
    said = thesaurus("a1\tb1", "alone", "\tc1", "d1\t!", "e1\t!e1", "a1\tf1", "", "g1\t")
    assert said.merged == (("a1", "b1"),)
    assert said.left_out == ("g1",)
    assert [warning.partition(": ")[0] for warning in said.warnings] == [
        f"my.txt:{line}" for line in (2, 3, 4, 5, 6)
    ]


@settings(deadline=None)
@given(st.text())
def test_any_text_is_read_as_a_thesaurus(text: str) -> None:
    try:
        said = parse(from_text(text))
    except InputError:  # it looks like no text
        return
    named("fern", "C++", said=said)


POOL = st.sampled_from([
    "GNN", "GNNs", "graph neural network", "Gated Net (GNN)", "RL", "reinforcement learning",
    "Fern", "fern", "ferns", "C", "C++", "mAP", "MAP", "convnet", "CNN", "k-NN", "knn", "fern nets",
])  # fmt: skip
PAIRS = st.lists(st.tuples(POOL, POOL), max_size=6).map(tuple)
SAID = st.builds(Vocabulary, PAIRS, st.lists(POOL, max_size=2).map(tuple), PAIRS, PAIRS)
FOUND = st.lists(st.tuples(st.sampled_from(["p1", "p2"]), POOL))
DEFINED = st.lists(st.builds(Definition, st.sampled_from(["p1", "p2"]), POOL, POOL), max_size=5)


@settings(deadline=None)
@given(FOUND, DEFINED, SAID, SAID, st.randoms(use_true_random=False))
def test_whatever_the_files_say_concepts_are_distinct_and_no_order_matters(
    forms, defined, said, listed, rng
) -> None:
    naming = name_concepts(table(forms), Names(defined, thesaurus=said, authority=listed))
    assert len({concept.id for concept in naming.concepts}) == len(naming.concepts)
    assert set(naming.of_forms.tolist()) - {-1} == set(range(len(naming.concepts)))
    assert {m.form for m in merges_of(naming)} == {text for _, text in forms}
    rng.shuffle(forms)
    rng.shuffle(defined)
    assert name_concepts(table(forms), Names(defined, thesaurus=said, authority=listed)) == naming


@settings(deadline=None)
@given(POOL, POOL, DEFINED, PAIRS)
def test_names_that_are_kept_apart_are_never_one(one, other, defined, listed) -> None:
    assume(one != other)
    said = thesaurus(f"{one}\t!{other}")
    names = Names(defined, thesaurus=said, authority=Vocabulary(listed))
    assert names.key(one, "p1") != names.key(other, "p1")


@pytest.mark.parametrize("name", SKOS)
def test_skos_gives_names_and_links_in_every_syntax(name: str, write: Callable[..., Path]) -> None:
    said = read_authority(write(SKOS[name], name))
    naming = named("Fern networks", authority=said)
    assert naming.concepts[0].same_as[-1] == "http://x.test/1"
    assert said.warnings == ()


def test_names_of_one_concept_are_one_and_matches_are_links(write: Callable[..., Path]) -> None:
    naming = named("nets of ferns", "fern network", "ridge walks", authority=read_authority(
        write(TURTLE, "a.ttl")
    ))  # fmt: skip
    assert [(c.id, c.same_as) for c in naming.concepts] == [
        ("fern network", ("http://wd.test/Q1", "http://x.test/1")),
        ("ridge walk", ("http://x.test/2",)),
    ]
    assert {m.rule for m in merges_of(naming)} == {"authority"}


def test_labels_of_other_languages_name_nothing_where_there_is_an_english_one(write) -> None:
    said = read_authority(write(TURTLE, "a.ttl"))
    assert "Farnnetz" not in {name for name, _ in said.merged}


def test_an_authority_file_may_be_a_table(write: Callable[..., Path]) -> None:
    said = read_authority(
        write("label\tiri\nGNN\thttp://wd.test/Q2\nfern net\thttp://wd.test/Q2\n", "a.tsv")
    )
    (concept,) = named("graph neural network", "GNN", "fern nets", authority=said).concepts
    assert (concept.id, concept.same_as) == ("graph neural network", ("http://wd.test/Q2",))


def test_an_authority_name_meets_the_curated_concept_of_that_name(write) -> None:
    said = read_authority(write("frond model\thttp://x.test/9\nGNN\thttp://x.test/9\n", "a.tsv"))
    assert len(named("frond models", "GNN", authority=said).concepts) == 1


def test_a_name_of_two_concepts_merges_neither(write: Callable[..., Path]) -> None:
    said = read_authority(
        write(TURTLE + '<http://x.test/3> skos:prefLabel "frond" ; skos:altLabel "net of ferns" .',
              "a.ttl")
    )  # fmt: skip
    assert len(named("frond", "fern network", "net of ferns", authority=said).concepts) == 3
    assert said.warnings == ("a.ttl: names that stand for more than one concept: 1",)


def test_a_fault_in_skos_costs_its_line_alone(write: Callable[..., Path]) -> None:
    lines = TURTLE + "<http://x y> skos:prefLabel 'a' .\n<http://x.test/4> skos:prefLabel 'frond' ."
    said = read_authority(write(lines, "a.ttl"))
    assert ("frond", "http://x.test/4") in said.same_as
    assert said.warnings[0].startswith("a.ttl:8: ")


@pytest.mark.parametrize(
    "declared",
    [
        '<!ENTITY a "ha"><!ENTITY b "&a;&a;">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % a "ha">',
        f'<!ENTITY a "{"ha" * 200}">',
    ],
)
def test_entities_that_grow_or_read_files_are_refused(declared: str, write) -> None:
    with pytest.raises(InputError, match="entities"):
        read_authority(write(f"<!DOCTYPE x [{declared}]>" + SKOS["a.rdf"], "a.rdf"))


@pytest.mark.parametrize(("name", "text"), [("a.ttl", "[" * 9999), ("a.jsonld", "[" * 9999)])
def test_what_nests_without_end_is_told(name: str, text: str, write: Callable[..., Path]) -> None:
    said = read_authority(write(text, name))
    assert (said.merged, bool(said.warnings)) == ((), True)


def test_entities_that_shorten_iris_are_read(write: Callable[..., Path]) -> None:
    declared = (
        '<?xml version="1.0"?><!-- " --><!DOCTYPE rdf:RDF [ <!ENTITY x "http://x.test/"> ]>\n'
    )
    text = declared + SKOS["a.rdf"].replace("http://x.test/", "&x;")
    assert read_authority(write(text, "a.owl")).same_as == (("fern network", "http://x.test/1"),)


@pytest.mark.parametrize("iri", ["javascript:alert(1)", "", "Q42", "http://a b", "file:///etc"])
def test_what_is_no_iri_of_the_web_is_no_link(iri: str, write: Callable[..., Path]) -> None:
    said = read_authority(write(f"fern\t{iri}\n", "a.tsv"))
    assert (said.same_as, len(said.warnings)) == ((), 1)


def test_an_authority_file_of_no_known_format_names_those_that_are(write) -> None:
    with pytest.raises(InputError, match=r"SKOS as \.ttl"):
        read_authority(write("x", "a.doc"))


def test_a_file_that_is_missing_is_an_error_of_one_line(tmp_path: Path) -> None:
    for read in (read_thesaurus, read_authority):
        with pytest.raises(InputError):
            read(tmp_path / "no.tsv")


def test_of_several_files_the_first_to_speak_is_heard() -> None:
    said = joined([thesaurus("a1\tb1"), thesaurus("a1\tc1")])
    assert named("a1", said=said).concepts[0].label == "b1"


@pytest.fixture
def corpus(write: Callable[..., Path]) -> Path:
    texts = ("We train RidgeWalk on Reddit.", "We train FernWalk on Reddit and AshWalk.")
    lines = (json.dumps({"id": f"p{i}", "abstract": text * 3}) for i, text in enumerate(texts))
    return write("\n".join(lines), "papers.jsonl")


@pytest.fixture
def extractor(words):
    return words(method=["RidgeWalk", "FernWalk", "AshWalk"], dataset=["Reddit"])


def test_a_build_follows_the_files_remembers_them_and_links(corpus, extractor, write, tmp_path):
    mine = write("FernWalk\tRidgeWalk\nAshWalk\t\nodd\n", "mine.txt")
    theirs = write("Reddit\thttp://wd.test/Q5\n", "theirs.tsv")
    plain = kg.build(corpus, tmp_path / "plain", using=[extractor])
    graph = kg.build(
        corpus, tmp_path / "atlas", using=[extractor], thesaurus=[mine], authority=[theirs]
    )
    assert [p.id for p in graph.papers(about="RidgeWalk")] == ["p0", "p1"]
    assert {c.label for c in graph.concepts()} == {"RidgeWalk", "Reddit"}
    assert graph.concept("Reddit").same_as == ("http://wd.test/Q5",)
    assert "exactMatch" in (tmp_path / "atlas" / "graph.ttl").read_text("utf-8")
    assert graph.run["unused_lines"] == [
        "mine.txt:3: there is no second column; end the line with a tab to leave the term out"
    ]
    assert graph.run["configuration"] != plain.run["configuration"]
    again = kg.build(tmp_path / "atlas", tmp_path / "atlas", using=[extractor])
    assert again.tables["concepts"] == graph.tables["concepts"]
    assert [f["name"] for f in again.run["knowledge"]["thesaurus"]] == ["mine.txt"]


def test_a_build_without_the_files_is_what_it_was(corpus, extractor, write, tmp_path) -> None:
    mine = write("FernWalk\tRidgeWalk\n", "mine.txt")
    kg.build(corpus, tmp_path / "a", using=[extractor], thesaurus=[mine])
    after = kg.build(corpus, tmp_path / "a", using=[extractor])
    assert after.tables == kg.build(corpus, tmp_path / "b", using=[extractor]).tables
