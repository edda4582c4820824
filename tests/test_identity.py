"""Identity: ids that stay, and duplicates that are one paper whatever their order."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from kg.identity import code_urls, join, text_id, to_paper
from kg.model import Paper, Record, Skipped, Source

LONG = "We propose RidgeWalk, a sampler for graphs that keeps the rare nodes of every graph."
OTHER = "Lantern writes notes for itself, and answers questions on dialogues better than others."


def paper(**fields: Any) -> Paper:
    made = to_paper(Record(Source("a.bib", 1), **{"abstract": LONG} | fields))
    assert isinstance(made, Paper)
    return made


def test_the_id_is_the_doi_else_the_sources_id_else_a_hash() -> None:
    assert paper(doi="10.1/X", identifier="key").id == "10.1/x"
    assert paper(identifier=" key\x07 ").id == "key"
    assert paper().id == text_id(LONG)


def test_the_hash_is_of_letters_and_digits_of_the_raw_text() -> None:
    assert text_id(LONG) == text_id(LONG.upper().replace(" ", "  ").replace(",", ";"))
    assert text_id(LONG) != text_id(OTHER)
    assert text_id(LONG).startswith("sha-")
    assert len(text_id(LONG)) == 20


def test_ids_of_concepts_are_not_taken() -> None:
    assert paper(identifier="concept:gnn").id == "id:concept:gnn"


@pytest.mark.parametrize(
    "raw",
    [
        "10.1234/Ab.C",
        "https://doi.org/10.1234/ab.c",
        "doi:10.1234/AB.C.",
        "dx.doi.org/10.1234/ab.c",
    ],
)
def test_dois_are_bare_and_lower_case(raw: str) -> None:
    assert paper(doi=raw).doi == "10.1234/ab.c"


@pytest.mark.parametrize("raw", ["", "none", "forthcoming", "10.1234"])
def test_what_is_no_doi_is_none(raw: str) -> None:
    assert paper(doi=raw).doi == ""


def test_all_fields_are_cleaned() -> None:
    made = paper(
        abstract=r"We \emph{show} $x^2$.",
        title=r"Schr\"odinger",
        authors=(r"Paul Erd{\H o}s", " "),
        venue=r"R\&D",
        keywords=("graph ", "graph", r"$\beta$-VAE", "None"),
    )
    assert (made.abstract, made.title, made.venue) == ("We show x².", "Schrödinger", "R&D")
    assert (made.authors, made.keywords) == (("Paul Erdős",), ("graph", "β-VAE"))


def test_neither_abstract_nor_title_is_no_paper() -> None:
    source = Source("a.jsonl", 3, "x")
    made = to_paper(Record(source, abstract="[No abstract available]", title="n/a"))
    assert made == Skipped(source, "no abstract and no title")
    assert isinstance(to_paper(Record(source, title="A title")), Paper)


def test_links_to_code() -> None:
    text = "Code (https://github.com/a/b-c.), data at huggingface.co/x/y; see https://e.x/z."
    assert list(code_urls(text)) == ["https://github.com/a/b-c", "https://huggingface.co/x/y"]


def test_the_same_doi_is_one_paper() -> None:
    (one,) = join([paper(doi="10.1/x"), paper(doi="https://doi.org/10.1/X", abstract=OTHER)])
    assert one.id == "10.1/x"


def test_the_same_words_are_one_paper() -> None:
    (one,) = join([paper(identifier="b"), paper(identifier="a", abstract=LONG.upper())])
    assert (one.id, one.also_known_as) == ("a", ("b",))


def test_short_texts_make_no_two_records_one() -> None:
    assert (
        len(
            join(
                [paper(identifier="a", abstract="Reply."), paper(identifier="b", abstract="Reply.")]
            )
        )
        == 2
    )


def test_the_fuller_record_wins_field_by_field() -> None:
    bare = paper(title="A title", year=2020)
    full = paper(doi="10.1/x", venue="ACL", authors=("A B",), title="The title")
    (one,) = join([bare, full])
    assert (one.title, one.year, one.venue, one.id) == ("The title", 2020, "ACL", "10.1/x")
    assert one.also_known_as == (bare.id,)


def test_an_abstract_is_not_lost_to_a_record_without() -> None:
    (one,) = join(
        [paper(doi="10.1/x", abstract="", title="T", venue="ACL", year=2020), paper(doi="10.1/x")]
    )
    assert one.abstract == LONG


def test_one_id_for_two_texts_is_told_apart() -> None:
    papers = [paper(identifier="smith2020"), paper(identifier="smith2020", abstract=OTHER)]
    ids = [p.id for p in join(papers)]
    assert all(len(i) == len("smith2020~") + 8 and i.startswith("smith2020~") for i in ids)
    assert len(set(ids)) == 2
    assert ids == [p.id for p in join(papers[::-1])]


records = st.builds(
    lambda **fields: paper(**fields),
    abstract=st.sampled_from([LONG, LONG.upper(), OTHER, "Reply.", "Answer."]),
    title=st.sampled_from(["", "One", "Two"]),
    doi=st.sampled_from(["", "", "10.1/x", "10.1/y"]),
    identifier=st.sampled_from(["", "a", "b"]),
    year=st.sampled_from([None, 2020, 2021]),
)


@given(st.lists(records, max_size=12), st.randoms(use_true_random=False))
def test_joining_does_not_depend_on_the_order(papers: list[Paper], chance: random.Random) -> None:
    shuffled = chance.sample(papers, len(papers))
    assert join(papers) == join(shuffled)


@given(st.lists(records, max_size=12))
def test_ids_are_sorted_and_unlike(papers: list[Paper]) -> None:
    ids = [p.id for p in join(papers)]
    assert ids == sorted(set(ids))
