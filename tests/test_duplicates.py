"""Duplicates: versions of one paper are joined, what is only alike is not, in any order."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, strategies as st

from kg.duplicates import RULES, fingerprint, join
from kg.duplicates.candidates import candidates
from kg.duplicates.rules import rule_of
from kg.duplicates.traits import Traits, shingles
from kg.identity import text_id, to_paper
from kg.model import Paper, Record, Source

LONG = (
    "We propose RidgeWalk, a sampler for graphs that keeps the rare nodes of every graph. It "
    "walks along ridges of the degree distribution and turns back where the graph is flat. On "
    "six graphs it needs half of the samples of a random walk, and loses no rare node."
)
REVISED = LONG.replace("six graphs", "eleven large graphs").replace("half of", "a third of")
OTHER = (
    "Lantern writes notes for itself, and answers questions on long dialogues better than a "
    "reader without notes. We ask how many notes pay, and find that a handful is enough."
)
TITLE = "RidgeWalk: Sampling Rare Nodes of Large Graphs"
PEOPLE = ("Ada Lovelace", "Émilie du Châtelet")


def paper(**fields: Any) -> Paper:
    given = {"abstract": LONG, "title": TITLE, "authors": PEOPLE, "year": 2020} | fields
    made = to_paper(Record(Source("a.bib", 1), **given))
    assert isinstance(made, Paper)
    return made


def bare(**fields: Any) -> Paper:
    return paper(**({"title": "", "authors": (), "year": None} | fields))


def rules(*papers: Paper) -> list[str]:
    """Return the rules by which the papers were joined."""
    kept, joined = join(papers)
    assert len(kept) + len(joined) == len(papers)
    return [item.rule for item in joined]


def test_the_same_doi_is_one_paper() -> None:
    papers = [bare(doi="10.1/x"), bare(doi="https://doi.org/10.1/X", abstract=OTHER)]
    ((one,), (joined,)) = join(papers)
    assert one.id == "10.1/x"
    assert (joined.paper, joined.record, joined.rule) == ("10.1/x", "10.1/x", "doi")


def test_a_doi_given_by_mistake_joins_nothing() -> None:
    book = "10.1/book"
    chapter = paper(doi=book, title="Notes of Lanterns", authors=("Grace Hopper",), abstract=OTHER)
    kept, joined = join([paper(doi=book), chapter])
    assert not joined
    assert all(item.id.startswith("10.1/book~") for item in kept)


def test_the_same_words_are_one_paper() -> None:
    ((one,), _) = join([bare(identifier="b"), bare(identifier="a", abstract=LONG.upper())])
    assert (one.id, one.also_known_as) == ("a", ("b",))


def test_short_texts_make_no_two_records_one() -> None:
    assert not rules(
        bare(identifier="a", abstract="Reply."), bare(identifier="b", abstract="Reply.")
    )


@pytest.mark.parametrize(
    ("rule", "version"),
    [
        ("title", {"abstract": REVISED}),
        ("title", {"abstract": ""}),
        ("title", {"title": TITLE.upper().replace("-", " ") + "."}),
        ("title", {"title": f"[RETRACTED] {TITLE}"}),
        ("title", {"title": f"{TITLE} (Extended Abstract)", "year": 2021}),
        ("title", {"authors": (), "abstract": REVISED}),
        ("title", {"authors": ("Anonymous",), "abstract": REVISED}),
        ("title", {"authors": ("E. du Chatelet",), "year": 2021}),
        ("title", {"doi": "10.48550/arXiv.2001.00001", "year": 2019, "abstract": REVISED}),
        ("title", {"doi": "10.1/workshop"}),
        ("abstract", {"title": "RidgeWalk: How to Sample the Rare Nodes of Large Graphs"}),
        ("abstract", {"title": "Sampling Large Graphs along Ridges", "authors": ()}),
        ("abstract", {"title": "Withdrawn"}),
        ("abstract", {"title": ""}),
    ],
)
def test_versions_of_one_paper(rule: str, version: dict[str, Any]) -> None:
    assert rules(paper(doi="10.1/x"), paper(identifier="v", **version)) == [rule]


def test_the_number_at_arxiv_joins_versions_under_new_titles() -> None:
    first = paper(doi="10.48550/arXiv.2001.00001", title="Walks", year=2020)
    last = paper(identifier="arxiv:2001.00001v3", title="On Ridges", abstract=OTHER, year=2024)
    assert rules(first, last) == ["identifier"]


@pytest.mark.parametrize(
    "other",
    [
        {"authors": ("Grace Hopper",)},
        {"year": 2027, "abstract": OTHER},
        {"doi": "10.1/journal", "abstract": OTHER},
        {"title": "Lantern: Notes on Dialogues"},
        {"title": f"Erratum to: {TITLE}"},
        {"title": f"Reply to {TITLE}"},
        {"title": f"{TITLE}, Part A"},
        {"title": TITLE.replace("Large", "Small") + ", Part II"},
        {"title": f"{TITLE}++", "abstract": OTHER},
    ],
)
def test_papers_that_are_only_alike(other: dict[str, Any]) -> None:
    assert not rules(paper(doi="10.1/x"), paper(identifier="o", **other))


@pytest.mark.parametrize("title", ["Introduction", "Reply", "A Summary", "Overview of the Task"])
def test_titles_that_many_papers_have(title: str) -> None:
    one, other = paper(title=title, identifier="a"), paper(title=title, identifier="b")
    assert rules(one, other) == ["title"]
    assert not rules(one, paper(title=title, identifier="c", abstract=OTHER))
    assert not rules(one, paper(title=title, identifier="c", abstract=""))


def test_the_reports_of_two_years_are_two_papers() -> None:
    def report(year: int, abstract: str) -> Paper:
        title = f"Findings of the {year} Shared Task on Walks"
        venue = f"Proceedings of the {year - 2000}th Workshop on Walks"
        return paper(title=title, year=year, venue=venue, abstract=abstract)

    assert not rules(report(2020, LONG), report(2021, REVISED))


def test_one_volume_does_not_print_a_paper_twice() -> None:
    course = paper(title="Ridge Walking Course", venue="Proc. of Walks 2020", identifier="1")
    tool = paper(title="Ridge Walking Tool Box", venue="Proc. of Walks 2020", identifier="2")
    assert not rules(course, tool)


def test_a_chain_does_not_join_what_differs() -> None:
    """The record without authors is like both; the two papers share title and abstract only."""
    ada, grace = paper(identifier="a"), paper(identifier="g", authors=("Grace Hopper",))
    between = paper(identifier="m", authors=())
    kept, joined = join([ada, between, grace])
    assert len(kept) == 2
    assert {item.record for item in joined} == {"m"}


def test_a_chain_of_versions_is_followed() -> None:
    first = paper(identifier="1", abstract=LONG, title="Walks on Graphs that Keep Rare Nodes")
    second = paper(identifier="2", abstract=LONG)
    third = paper(identifier="3", abstract=OTHER, doi="10.48550/arXiv.2001.00001")
    assert sorted(rules(first, second, third)) == ["abstract", "title"]


def test_the_fuller_record_wins_field_by_field() -> None:
    full = paper(doi="10.1/x", venue="ACL", authors=("A B",), title="The title of a walk")
    thin = bare(title="A title", year=2020)
    ((one,), _) = join([thin, full])
    assert (one.title, one.year, one.venue, one.id) == (
        "The title of a walk",
        2020,
        "ACL",
        "10.1/x",
    )
    assert one.also_known_as == (thin.id,)


def test_an_abstract_is_not_lost_to_a_record_without() -> None:
    ((one,), _) = join([paper(doi="10.1/x", abstract="", venue="ACL"), bare(doi="10.1/x")])
    assert one.abstract == LONG


def test_the_id_is_that_of_the_first_kind_and_the_smallest() -> None:
    versions = [paper(identifier="b"), paper(doi="10.48550/arXiv.1"), paper(doi="10.1/x"), bare()]
    ((one,), _) = join(versions)
    assert (one.id, one.doi) == ("10.1/x", "10.1/x")
    assert one.also_known_as == ("10.48550/arxiv.1", "b", text_id(LONG))


def test_one_id_for_two_texts_is_told_apart() -> None:
    papers = [bare(identifier="smith2020"), bare(identifier="smith2020", abstract=OTHER)]
    kept, joined = join(papers)
    ids = [item.id for item in kept]
    assert not joined
    assert all(len(i) == len("smith2020~") + 8 and i.startswith("smith2020~") for i in ids)
    assert len(set(ids)) == 2
    assert join(papers[::-1])[0] == kept


def test_many_records_under_one_abstract_stay_the_papers_that_they_are() -> None:
    letters = "bcdfghklmnprstvwxz"
    stems = [f"{a}o{b}i{c}" for a in letters for b in letters for c in "mnr"]
    titles = [f"{stem}ness with {stem}ation" for stem in stems]
    papers = [paper(title=title, authors=(), identifier=title) for title in titles * 2]
    _, joined = join(papers)
    assert len(joined) == len(titles)
    assert {item.rule for item in joined} == {"identifier"}


records = st.builds(
    lambda **fields: paper(**fields),
    abstract=st.sampled_from([LONG, LONG.upper(), REVISED, OTHER, "Reply.", "Answer.", "句子。"]),
    title=st.sampled_from(["", TITLE, TITLE.lower(), "Notes on Long Dialogues", "Reply"]),
    authors=st.sampled_from([(), PEOPLE, ("Grace Hopper",), ("李 白",)]),
    doi=st.sampled_from(["", "", "10.1/x", "10.1/y", "10.48550/arXiv.2001.00001"]),
    identifier=st.sampled_from(["", "a", "b"]),
    year=st.sampled_from([None, 2020, 2021, 2028]),
)


@given(st.lists(records, max_size=12), st.randoms(use_true_random=False))
def test_joining_does_not_depend_on_the_order(papers: list[Paper], chance: random.Random) -> None:
    assert join(papers) == join(chance.sample(papers, len(papers)))


def worth_comparing(one: Traits, other: Traits) -> bool:
    """Return whether two records have a key in common, told without any index."""
    keys = ("doi", "arxiv", "id", "title", "text")
    same = any(getattr(one, key) and getattr(one, key) == getattr(other, key) for key in keys)
    return same or bool({*one.shingles[:8].tolist()} & {*other.shingles[:8].tolist()})


@given(st.lists(records, max_size=9))
def test_the_search_loses_no_pair_that_a_rule_joins(papers: list[Paper]) -> None:
    traits = [Traits(paper, fingerprint(paper)) for paper in papers]
    every = {
        (one, other)
        for one, other in combinations(range(len(traits)), 2)
        if worth_comparing(traits[one], traits[other])
    }
    found = candidates(traits)
    assert len(set(found)) == len(found)
    assert set(found) <= every
    assert not any(rule_of(traits[one], traits[other]) for one, other in every - set(found))


def test_papers_that_have_no_author_in_common_are_not_compared_for_their_words() -> None:
    strangers = [paper(authors=(f"Author {name}",), identifier=name) for name in ("Abe", "Bea")]
    assert not candidates([Traits(each, fingerprint(each)) for each in strangers])


@given(st.lists(records, max_size=12))
def test_fingerprints_that_are_known_change_nothing(papers: list[Paper]) -> None:
    assert join(papers, [fingerprint(paper) for paper in papers]) == join(papers)


@given(st.lists(st.text("aßÉ9_字", min_size=1, max_size=3), max_size=9))
def test_shingles_are_of_words_whatever_stands_between_them(words: list[str]) -> None:
    plain = shingles(" ".join(words))
    assert (
        plain.tolist() == shingles("—".join(words)).tolist() == shingles("- ".join(words)).tolist()
    )
    assert plain.tolist() == sorted({*plain.tolist()})


@given(st.lists(records, max_size=12))
def test_ids_are_sorted_and_unlike_and_every_record_is_accounted_for(papers: list[Paper]) -> None:
    kept, joined = join(papers)
    ids = [item.id for item in kept]
    assert ids == sorted(set(ids))
    assert len(kept) + len(joined) == len(papers)
    assert {item.paper for item in joined} <= set(ids)
    assert {item.rule for item in joined} <= set(RULES)


@given(st.lists(records, max_size=12))
def test_joining_again_changes_no_text(papers: list[Paper]) -> None:
    kept, _ = join(papers)
    assert {item.abstract for item in join(kept)[0]} <= {item.abstract for item in kept}
