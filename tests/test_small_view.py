"""The pyvis page: what it draws, what it says it leaves out, and that it needs nothing else."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from memory_view import SortedView

from exports.errors import OptionError
from exports.offsets import utf16
from exports.selection import choose
from exports.short_labels import short_label
from exports.small_view import to_html, to_network, write_html
from exports.view import ConceptRecord, EvidenceRecord, LinkRecord, PaperRecord


def evidence(paper: PaperRecord, concept: str, role: str, quote: str) -> EvidenceRecord:
    """The first place in the abstract that holds the quote; sentences end in a full stop."""
    start = paper.abstract.index(quote)
    begin = paper.abstract.rfind(". ", 0, start) + 2 if ". " in paper.abstract[:start] else 0
    stop = paper.abstract.find(".", start) + 1 or len(paper.abstract)
    sentence = paper.abstract[begin:stop]
    end = start + len(quote)
    return EvidenceRecord(
        paper.id, concept, role, "abstract", start, end, quote, sentence, begin, 0.9, "words", "1"
    )


def corpus(papers: int, own: int = 3) -> SortedView:
    """Papers of two communities, each with concepts of its own and two that others share."""
    view = SortedView()
    names = {"shared 0": "method", "shared 1": "dataset"}
    for number in range(papers):
        mine = {f"own {number} {nth}": "keyword" for nth in range(own)}
        side = f"shared {number % 2}"
        text = f"We use {side}. We study {', '.join(mine)}."
        paper = PaperRecord(f"p{number:04}", f"Paper {number}", abstract=text, community=number % 2)
        view.paper_records.append(paper)
        view.edge_records.append(evidence(paper, side, "uses", side))
        view.edge_records += [evidence(paper, name, "studies", name) for name in mine]
        names |= mine
    view.concept_records = [ConceptRecord(name, name, kind) for name, kind in names.items()]
    view.link_records = [
        LinkRecord(f"p{n:04}", f"p{n + 2:04}", 1.0, 0.8, 0.2, (f"shared {n % 2}",))
        for n in range(papers - 2)
    ]
    return view


def data_block(page: str) -> str:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert found
    return found[1]


def embedded(page: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(data_block(page))
    return data


def drawn_labels(page: str) -> set[str]:
    return {node["label"] for node in embedded(page)["network"]["nodes"]}


def test_a_small_graph_is_drawn_with_all_its_concepts() -> None:
    page = to_html(corpus(4))
    assert {"Paper 0", "shared 0", "own 3 2"} <= drawn_labels(page)
    assert embedded(page)["notice"] == ""


def test_a_larger_one_is_drawn_with_what_papers_share_and_says_so() -> None:
    view = corpus(60)
    proposed = replace(view.edge_records[1], role="proposes")
    view.edge_records[1] = proposed
    page = to_html(view)
    labels = drawn_labels(page)
    assert {"shared 0", "shared 1", proposed.concept} <= labels
    assert "own 1 0" not in labels
    assert embedded(page)["notice"].startswith("Showing 3 of 182 concepts")


def test_what_is_not_drawn_is_still_found() -> None:
    concepts = embedded(to_html(corpus(60)))["concepts"]
    assert "own 7 1" in {concept["label"] for concept in concepts}


def test_the_number_of_nodes_has_a_limit_and_the_page_says_so() -> None:
    page = to_html(corpus(300), max_nodes=100)
    data = embedded(page)
    assert len(data["network"]["nodes"]) <= 100
    assert data["notice"].startswith("Showing 98 of 300 papers")
    assert "All are in the files" in data["notice"]


def test_the_best_linked_papers_stay() -> None:
    view = corpus(40)
    view.link_records += [LinkRecord("p0000", f"p{n:04}", 1.0, 0.5, 0.5) for n in range(3, 20)]
    kept = {paper.id for paper in choose(view, 10).papers}
    assert "p0000" in kept
    assert len(kept) <= 10


def test_the_same_graph_gives_the_same_bytes_in_any_order() -> None:
    view = corpus(30)
    turned = SortedView(
        view.paper_records[::-1],
        view.concept_records[::-1],
        view.edge_records[::-1],
        view.link_records[::-1],
    )
    assert to_html(turned) == to_html(view)


def test_each_pair_is_one_line_of_its_strongest_role_and_the_panel_has_all() -> None:
    paper = PaperRecord("p", "P", abstract="We propose FernNet. We use FernNet.")
    roles = [evidence(paper, "f", "uses", "FernNet"), evidence(paper, "f", "proposes", "FernNet")]
    data = embedded(to_html(SortedView([paper], [ConceptRecord("f", "FernNet", "method")], roles)))
    assert [edge["width"] for edge in data["network"]["edges"]] == [2.6]
    assert [data["roles"][edge[2]]["verb"] for edge in data["edges"]] == ["proposes", "uses"]


def test_an_abstract_stands_in_the_page_once() -> None:
    page = to_html(corpus(5))
    assert page.count("We study own 1 0, own 1 1, own 1 2.") == 1


def test_a_quote_is_found_in_its_sentence_beyond_the_basic_plane() -> None:
    paper = PaperRecord("p", "P", abstract="Over 𝔽 and 𝔾. We use 𝔽-Net here.")
    view = SortedView(
        [paper], [ConceptRecord("f", "𝔽-Net", "method")], [evidence(paper, "f", "uses", "𝔽-Net")]
    )
    for level in ("full", "evidence"):
        data = embedded(to_html(view, abstracts=level))
        text, *places = data["edges"][0][3:]
        units = data["texts"][text].encode("utf-16-le")
        start, end, first, last = (2 * place for place in places)
        assert units[start:end].decode("utf-16-le") == "We use 𝔽-Net here."
        assert units[first:last].decode("utf-16-le") == "𝔽-Net"


@pytest.mark.parametrize(
    ("label", "authors", "year", "short"),
    [
        ("FernNet: Counting Ferns from Above", ("Ada Ohm",), 2024, "FernNet"),
        ("Counting the Ferns of the Northern Hills", ("Ada Ohm", "B. C."), 2024, "Ohm 2024"),
        ("Counting the Ferns of the Northern Hills", ("van Ohm, Ada",), None, "van Ohm"),
        ("Counting the Ferns of the Northern Hills", (), 2024, "Counting the Ferns of…"),
        ("A Long Subtitle Before a Colon: Ferns", ("Żuk",), 1999, "Żuk 1999"),
        ("Ferns", ("Ada Ohm",), 2024, "Ferns"),
        ("10.1000/fern-and-moss-and-all", ("  ",), None, "10.1000/fern-and-moss-an…"),
    ],
)
def test_a_paper_has_a_short_name_on_the_map(
    label: str, authors: tuple[str, ...], year: int | None, short: str
) -> None:
    assert short_label(PaperRecord("p", label, authors=authors, year=year)) == short


def test_offsets_are_counted_in_utf16_units() -> None:
    assert [utf16("a𝔽b")(offset) for offset in range(4)] == [0, 1, 3, 4]


def test_evidence_that_does_not_fit_its_text_is_still_shown() -> None:
    paper = PaperRecord("p", "P", abstract="Another text.")
    edge = EvidenceRecord(
        "p", "f", "uses", "abstract", 40, 44, "Fern", "We use Fern.", 33, 0.9, "words", "1"
    )
    data = embedded(to_html(SortedView([paper], [ConceptRecord("f", "Fern", "method")], [edge])))
    text, start, end, first, last = data["edges"][0][3:]
    assert data["texts"][text][start:end] == "We use Fern."
    assert data["texts"][text][first:last] == "Fern"


@pytest.mark.parametrize(
    ("level", "whole", "sentence"),
    [("full", True, True), ("evidence", False, True), ("none", False, False)],
)
def test_abstracts_are_shown_as_far_as_one_wishes(level: str, whole: bool, sentence: bool) -> None:
    paper = PaperRecord("p", "P", abstract="Ferns are old. We use FernNet. It is good.")
    edge = evidence(paper, "f", "uses", "FernNet")
    view = SortedView([paper], [ConceptRecord("f", "FernNet", "method")], [edge])
    page = to_html(view, abstracts=level)
    assert ("Ferns are old" in page) is whole
    assert ("We use FernNet." in page) is sentence


def test_another_level_of_abstracts_is_an_error() -> None:
    with pytest.raises(OptionError, match="full, evidence, none"):
        to_html(SortedView(), abstracts="some")


def test_the_page_asks_the_network_for_nothing() -> None:
    page = to_html(corpus(3))
    assert not re.search(r"""(?:src|href|action)\s*=\s*["']?(?:https?:)?//""", page)
    assert "sourceMappingURL" not in page
    assert "@import" not in page
    assert "url(" not in re.search(r"<style>(.*?)</style>", page, re.S)[1]  # type: ignore[index]


def test_the_policy_allows_our_scripts_and_styles_by_hash_and_nothing_else() -> None:
    page = to_html(corpus(3))
    policy = html.unescape(re.search(r'Policy" content="([^"]+)"', page)[1])  # type: ignore[index]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for part in re.findall(r"<(?:script|style)>(.*?)</(?:script|style)>", page, re.S):
        digest = base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy


HOSTILE = (
    "</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> & \u2028\u2029 \ud800"
)


def test_no_text_becomes_markup() -> None:
    view = SortedView(
        [PaperRecord(HOSTILE, HOSTILE, HOSTILE, HOSTILE, (HOSTILE,), doi=HOSTILE, url=HOSTILE)],
        [ConceptRecord(HOSTILE, HOSTILE, HOSTILE, (HOSTILE,), (HOSTILE,))],
        [EvidenceRecord(HOSTILE, HOSTILE, HOSTILE, HOSTILE, 0, 3, "</s", HOSTILE, 0, 1, "", "")],
        title=HOSTILE,
    )
    page, plain = to_html(view), to_html(corpus(1))
    for markup in ("<script", "</script", "<img", "<!--"):
        assert page.count(markup) == plain.count(markup)
    assert page.count("</script") == 3
    assert not re.search("[<>&\u2028\u2029]", data_block(page))
    assert embedded(page)["papers"][0]["title"] == HOSTILE.replace("\ud800", "\ufffd")
    page.encode("utf-8")


def test_an_empty_graph_gives_a_page_that_says_so() -> None:
    page = to_html(SortedView())
    assert "There is nothing to show yet" in page
    assert "<script" not in page


def test_papers_without_concepts_are_drawn_with_their_links() -> None:
    papers = [PaperRecord("a", "A"), PaperRecord("b", "B"), PaperRecord("c", "")]
    data = embedded(to_html(SortedView(papers, link_records=[LinkRecord("a", "b", 1.0, 0.0, 0.9)])))
    assert [edge["hidden"] for edge in data["network"]["edges"]] == [False]
    assert len(data["network"]["nodes"]) == 3


def test_the_title_is_the_graphs_own_or_the_one_given() -> None:
    assert "<h1>Ferns and mosses</h1>" in to_html(corpus(2))
    assert "<h1>Moss &amp; more</h1>" in to_html(corpus(2), title="Moss & more")


def test_the_file_is_utf8_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    view = corpus(2)
    view.title = "Naïve β-ferns 𝔽"
    target = tmp_path / "graph.html"
    target.write_text("old")
    write_html(view, target)
    assert target.read_bytes() == to_html(view).encode("utf-8")
    assert list(tmp_path.iterdir()) == [target]


def test_a_page_that_cannot_be_made_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "graph.html"
    target.write_text("old")
    with pytest.raises(OptionError):
        write_html(corpus(2), target, abstracts="some")
    assert target.read_text() == "old"


def test_the_pyvis_network_has_fixed_places_and_no_physics() -> None:
    network = to_network(corpus(3))
    assert network.options["physics"] == {"enabled": False}
    assert {"x", "y", "size", "shape"} <= network.nodes[0].keys()
    assert network.num_nodes() == 3 + 2 + 9
