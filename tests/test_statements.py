"""From extractions to statements: what makes a node, an edge, its role and its evidence."""

from __future__ import annotations

from extractors.mention import Extraction, Mention
from kg.concepts import Definition
from kg.model import Paper
from kg.statements import LEAST_KEYWORD, Finding, find, state

TEXT = "We propose RidgeWalk for graph sampling. RidgeWalk (RW) is trained on Reddit."
PAPER = Paper("p", TEXT)


def mention(words: str, kind: str = "method", score: float = 0.9, start: int = 0) -> Mention:
    begin = TEXT.index(words, start)
    return Mention("abstract", begin, begin + len(words), kind, words, score)


def found(*mentions: Mention, extractor: str = "one") -> list[Finding]:
    return find(PAPER, {(extractor, "1"): Extraction(mentions)})


def test_an_edge_has_the_strongest_role_and_the_sentence_that_shows_it() -> None:
    said = state(found(mention("RidgeWalk"), mention("RidgeWalk", start=20)), [])
    (edge,) = said.edges
    assert (edge.role, edge.quote, edge.start) == ("proposes", "RidgeWalk", 11)
    assert edge.sentence == "We propose RidgeWalk for graph sampling."
    assert said.counts == {("p", edge.concept): 2}


def test_short_and_long_form_are_one_concept() -> None:
    said = state(found(mention("RidgeWalk"), mention("RW")), [Definition("p", "RW", "RidgeWalk")])
    assert [(c.label, c.abbreviations) for c in said.concepts] == [("RidgeWalk", ("RW",))]


def test_two_extractors_that_find_the_same_place_make_one_mention_of_the_kind_that_says_more() -> (
    None
):
    findings = find(
        PAPER,
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
    unsure = mention("graph sampling", "keyword", LEAST_KEYWORD - 0.01)
    sure = mention("graph sampling", "keyword", LEAST_KEYWORD)
    assert found(unsure) == []
    assert [f.mention.text for f in found(sure)] == ["graph sampling"]


def test_the_order_of_papers_and_findings_changes_nothing() -> None:
    findings = found(mention("RidgeWalk"), mention("Reddit", "dataset"), mention("RW"))
    assert state(findings[::-1], []) == state(findings, [])
