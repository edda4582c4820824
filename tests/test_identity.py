"""Identity: raw records become cleaned papers with ids that stay."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given, strategies as st

from kg.identity import code_urls, letters, text_id, to_paper
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


@given(st.text(st.characters(exclude_categories=())) | st.text("aB-_ \ud800ß²ﬁ字"))
def test_letters_are_what_python_calls_so_case_and_form_aside(text: str) -> None:
    folded = unicodedata.normalize("NFKC", text).casefold()
    assert letters(text) == "".join(char for char in folded if char.isalnum())
