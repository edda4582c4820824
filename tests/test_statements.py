"""From extractions to statements: what makes a node, an edge, its role and its evidence."""

from __future__ import annotations

import re
from dataclasses import asdict

import pyarrow as pa
import pytest

from extractors.mention import Extraction, Mention, Text
from kg.findings import LEAST_KEYWORD, Finding, find
from kg.names import Definition
from kg.statements import Statements, state

TEXT = "We propose RidgeWalk for graph sampling. RidgeWalk (RW) is trained on Reddit."


def mention(words: str, kind: str = "method", score: float = 0.9, start: int = 0) -> Mention:
    begin = TEXT.index(words, start)
    return Mention("abstract", begin, begin + len(words), kind, words, score)


def found(*mentions: Mention, extractor: str = "one") -> list[Finding]:
    return find(Text(TEXT), {(extractor, "1"): Extraction(mentions)})


def said_by(findings: list[Finding], *definitions: Definition) -> Statements:
    rows = [
        {"paper": "p", **asdict(finding.mention)}
        | {name: getattr(finding, name) for name in Finding.__slots__ if name != "mention"}
        for finding in findings
    ]
    return state(pa.Table.from_pylist(rows), definitions)


def test_an_edge_has_the_strongest_role_and_the_sentence_that_shows_it() -> None:
    (edge,) = said_by(found(mention("RidgeWalk"), mention("RidgeWalk", start=20))).edges.to_pylist()
    assert (edge["role"], edge["quote"], edge["start"]) == ("proposes", "RidgeWalk", 11)
    sentence = TEXT[edge["sentence_start"] : edge["sentence_end"]]
    assert sentence == "We propose RidgeWalk for graph sampling."
    assert (edge["concept"], edge["mentions"]) == ("ridgewalk", 2)


def test_short_and_long_form_are_one_concept() -> None:
    said = said_by(found(mention("RidgeWalk"), mention("RW")), Definition("p", "RW", "RidgeWalk"))
    assert [(c.label, c.abbreviations) for c in said.concepts] == [("RidgeWalk", ("RW",))]


def test_two_extractors_that_find_the_same_place_make_one_mention_of_the_kind_that_says_more() -> (
    None
):
    findings = find(
        Text(TEXT),
        {
            ("a", "1"): Extraction((mention("Reddit", "keyword", 1.0),)),
            ("b", "1"): Extraction((mention("Reddit", "dataset", 0.5),)),
        },
    )
    assert [(f.mention.kind, f.extractor) for f in findings] == [("dataset", "b")]


def test_a_keyword_inside_a_name_is_no_mention_of_its_own() -> None:
    findings = found(mention("graph sampling", "task"), mention("graph", "keyword"))
    assert [f.mention.text for f in findings] == ["graph sampling"]


def test_a_keyword_that_is_hardly_one_makes_no_node() -> None:
    text = Text(TEXT, "Graph sampling")
    for score, kept in ((LEAST_KEYWORD - 0.01, False), (LEAST_KEYWORD, True)):
        keyword = Mention("title", 0, 14, "keyword", "Graph sampling", score)
        assert bool(find(text, {("e", "1"): Extraction((keyword,))})) is kept


@pytest.mark.parametrize(
    ("title", "abstract", "score", "kept"),
    [
        ("", "We see fern beds.", 0.5, False),
        ("", "We see fern beds.", 0.7, True),
        ("", "We see fern beds. A fern bed is green.", 0.5, True),
        ("Fern beds", "We see fern beds.", 0.5, True),
    ],
)
def test_a_keyword_said_once_and_new_to_authors_must_be_sure(
    title: str, abstract: str, score: float, kept: bool
) -> None:
    places = [
        Mention(field, m.start(), m.end(), "keyword", m[0], score)
        for field, words in (("title", title), ("abstract", abstract))
        for m in re.finditer("fern beds?", words, re.IGNORECASE)
    ]
    findings = find(Text(abstract, title), {("e", "1"): Extraction(tuple(places))})
    assert bool(findings) is kept


def test_of_two_forms_of_a_word_one_makes_a_node() -> None:
    abstract = "Mossy beds are mossier. Interpretable beds need interpretability, interpretability."
    keywords = [
        Mention("abstract", m.start(), m.end(), "keyword", m[0], 0.5 if m[0][0] == "I" else 0.7)
        for m in re.finditer("[Ii]nterpretab\\w+", abstract)
    ]
    findings = find(Text(abstract), {("e", "1"): Extraction(tuple(keywords))})
    assert {f.mention.text for f in findings} == {"interpretability"}


def test_the_order_of_papers_and_findings_changes_nothing() -> None:
    findings = found(mention("RidgeWalk"), mention("Reddit", "dataset"), mention("RW"))
    assert said_by(findings[::-1]) == said_by(findings)


@pytest.mark.parametrize(
    ("abstract", "keyword", "name", "kept"),
    [
        ("Vanilla FooNet approaches fail.", "Vanilla FooNet approaches", "FooNet", False),
        ("FooNet-based systems fail.", "FooNet-based systems", "FooNet", False),
        ("Sparse FooNet fails.", "Sparse FooNet", "FooNet", True),
        ("Vanilla approaches fail. FooNet too.", "Vanilla approaches", "FooNet", True),
    ],
)
def test_a_keyword_that_says_no_more_than_a_name_is_left_out(
    abstract: str, keyword: str, name: str, kept: bool
) -> None:
    mentions = tuple(
        Mention(
            "abstract", abstract.index(words), abstract.index(words) + len(words), kind, words, 0.9
        )
        for words, kind in ((keyword, "keyword"), (name, "method"))
    )
    found = find(Text(abstract), {("e", "1"): Extraction(mentions)})
    assert (keyword in {f.mention.text for f in found}) is kept
