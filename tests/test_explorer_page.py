"""What stands in the explorer's file: the same bytes, inert data, places that fit their texts."""

from __future__ import annotations

import hashlib
import json
import random
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings, strategies as st
from memory_view import MemoryView

from exports.errors import OptionError
from exports.explorer import to_html, write_html
from exports.explorer_data import BLOCK, web_address
from exports.notebook import display
from exports.short_labels import short_labels
from exports.view import (
    ConceptRecord,
    EvidenceRecord,
    GraphView,
    LinkRecord,
    PaperRecord,
    ResultRecord,
    RunRecord,
    TableView,
)
from kg import tables


def evidence(paper: PaperRecord, concept: str, role: str, quote: str) -> EvidenceRecord:
    """The first place in the abstract that holds the quote; sentences end in a full stop."""
    start = paper.abstract.index(quote)
    begin = paper.abstract.rfind(". ", 0, start) + 2 if ". " in paper.abstract[:start] else 0
    stop = paper.abstract.find(".", start) + 1 or len(paper.abstract)
    place = ("abstract", start, start + len(quote), quote, paper.abstract[begin:stop], begin)
    return EvidenceRecord(paper.id, concept, role, *place, 0.87, "words", "1")


def corpus(papers: int, own: int = 2) -> MemoryView:
    """Papers of two communities, each with concepts of its own and one that others share."""
    view = MemoryView()
    names = {"shared 0": "method", "shared 1": "dataset"}
    for number in range(papers):
        mine = {f"own {number} {nth}": "keyword" for nth in range(own)}
        side = f"shared {number % 2}"
        text = f"𝔽erns are {number} years old. We use {side}. We study {', '.join(mine)}."
        paper = PaperRecord(
            f"p{number:04}", f"Paper {number}", f"Paper {number}", abstract=text, year=2020,
            community=number % 2, community_label=f"side {number % 2}",
        )  # fmt: skip
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


def unpack(packed: str) -> Any:
    return json.loads(zlib.decompress(b64decode(packed), -zlib.MAX_WBITS).decode("utf-8"))


def sliced(text: str, start: int, length: int) -> str:
    """A part of a text, counted in UTF-16 code units."""
    return text.encode("utf-16-le")[2 * start : 2 * (start + length)].decode("utf-16-le")


class Page(HTMLParser):
    """A page as a browser reads it: its elements, and the data that its scripts unpack."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {"script": [], "style": [], "title": [], "h1": []}
        self._open: list[str] = []
        self.feed(text)
        self.close()
        plain = [json.loads(text) for text in self.data_blocks]
        self.head = plain[0]
        self.body = unpack(self.head["body"])
        self.blocks = [unpack(block) for block in plain[1:]]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._open.append(tag)
        if tag in self.texts:
            self.texts[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        for tag in self._open[-2:]:
            if tag in self.texts:
                self.texts[tag][-1] += data

    @property
    def data_blocks(self) -> list[str]:
        return self.texts["script"][:-1]

    def column(self, name: str) -> list[Any]:
        return [row for block in self.blocks for row in block[name]]

    @property
    def ids(self) -> list[str]:
        found: list[str] = self.body["papers"]["id"]
        return found

    def label(self, node: int) -> str:
        labels = self.body["papers"]["label"] + self.body["concepts"]["label"]
        return str(labels[node])

    def supported(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield paper, concept, sentence and quote of each edge that has evidence."""
        seen: dict[int, int] = {}
        texts, titles = self.column("t"), self.body["papers"]["title"]
        numbers, keywords = self.column("e"), self.column("k")
        edges = self.body["edges"]
        for paper, concept in zip(edges["paper"], edges["concept"], strict=True):
            at = seen.get(paper, 0)
            seen[paper] = at + 6
            source, first, length, start, size, _ = numbers[paper][at : at + 6]
            if source < 0:
                continue
            text = titles[paper] if source == 0 else texts[paper]
            sentence = keywords[paper][first] if source == 2 else sliced(text, first, length)
            yield self.ids[paper], self.label(concept), sentence, sliced(sentence, start, size)

    def marked(self) -> Iterator[tuple[str, str]]:
        """Yield concept and words of each mark."""
        for text, numbers in zip(self.column("t"), self.column("m"), strict=True):
            end = 0
            for place in range(0, len(numbers), 3):
                node, gap, length = numbers[place : place + 3]
                assert gap >= 0, "marks overlap"
                assert length > 0
                yield self.label(node), sliced(text, end + gap, length)
                end += gap + length

    def strings(self) -> str:
        return json.dumps([self.head, self.body, self.blocks], ensure_ascii=False)


def test_the_same_graph_in_any_order_is_the_same_page() -> None:
    view = corpus(30)
    expected = to_html(view)
    pick = random.Random(1)
    for records in (view.paper_records, view.concept_records, view.edge_records):
        pick.shuffle(records)
    pick.shuffle(view.link_records)
    assert to_html(view) == expected


def test_the_page_holds_the_whole_graph() -> None:
    page = Page(to_html(corpus(5)))
    assert page.head["counts"] == {"papers": 5, "concepts": 12, "edges": 15, "links": 3}
    assert page.head["notice"] == ""
    assert page.ids == [f"p{n:04}" for n in range(5)]
    assert [kind["name"] for kind in page.head["kinds"]] == [
        "paper", "method", "dataset", "keyword",
    ]  # fmt: skip
    assert [role["name"] for role in page.head["roles"]] == ["uses", "studies"]
    assert {c["label"] for c in page.body["communities"]} == {"side 0", "side 1"}
    nodes = len(page.ids) + len(page.body["concepts"]["label"])
    for name in ("x", "y", "radius", "community"):
        assert len(page.body[name]) == nodes


def test_edges_stand_by_paper_the_strongest_role_first() -> None:
    page = Page(to_html(corpus(5)))
    keys = list(zip(page.body["edges"]["paper"], page.body["edges"]["role"], strict=True))
    assert keys == sorted(keys)


def test_every_edge_leads_to_the_sentence_that_supports_it() -> None:
    page = Page(to_html(corpus(9)))
    found = list(page.supported())
    assert len(found) == 27
    for _, concept, sentence, quote in found:
        assert quote == concept
        assert sentence.startswith("We ")
        assert sentence.endswith(".")
    assert [concept for concept, words in page.marked() if concept == words] == [
        concept for concept, _ in page.marked()
    ]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.text(st.sampled_from("ab 𝔽🌿é漢\u0301"), min_size=1, max_size=6), min_size=3, max_size=9
    ),
    st.data(),
)
def test_places_fit_their_text_whatever_its_characters(
    words: list[str], data: st.DataObject
) -> None:
    text = "".join(words)
    cut = data.draw(st.tuples(*[st.integers(0, len(text))] * 4).map(sorted))
    begin, start, end, stop = cut
    paper = PaperRecord("p", "P", "P", abstract=text)
    edge = EvidenceRecord(
        "p", "c", "uses", "abstract", start, end, text[start:end], text[begin:stop], begin,
        0.5, "", "",
    )  # fmt: skip
    view = MemoryView([paper], [ConceptRecord("c", "C", "method")], [edge])
    page = Page(to_html(view))
    expected = [("p", "C", text[begin:stop], text[start:end])] if begin < stop else []
    assert list(page.supported()) == expected
    assert list(page.marked()) == ([("C", text[start:end])] if start < end else [])


def test_evidence_in_titles_and_keywords_is_found_there() -> None:
    paper = PaperRecord(
        "p", "P", "𝔽ern counting with GNNs", abstract="Nothing.", keywords=("moss", "old 🌿 ferns")
    )
    said = "moss; old 🌿 ferns"
    edges = [
        EvidenceRecord("p", "gnn", "uses", "title", 20, 24, "GNNs", paper.title, 0, 1, "", ""),
        EvidenceRecord("p", "fern", "mentions", "keywords", 12, 17, "ferns", said, 0, 1, "", ""),
    ]
    concepts = [ConceptRecord("gnn", "GNN", "method"), ConceptRecord("fern", "fern", "keyword")]
    page = Page(to_html(MemoryView([paper], concepts, edges)))
    assert list(page.supported()) == [
        ("p", "GNN", paper.title, "GNNs"),
        ("p", "fern", "old 🌿 ferns", "ferns"),
    ]


def test_a_sentence_that_stands_elsewhere_is_found_and_a_strange_one_is_left_out() -> None:
    paper = PaperRecord("p", "P", "P", abstract="Old ferns. We use moss.")
    moved = evidence(paper, "moss", "uses", "moss")
    moved = replace(moved, sentence_start=3, start=7, end=11)
    strange = replace(moved, concept="fern", sentence="Never said.", quote="said")
    concepts = [ConceptRecord("fern", "fern", "keyword"), ConceptRecord("moss", "moss", "keyword")]
    page = Page(to_html(MemoryView([paper], concepts, [moved, strange])))
    assert list(page.supported()) == [("p", "moss", "We use moss.", "moss")]


def test_a_role_of_each_edge_stays_where_a_paper_has_two_towards_one_concept() -> None:
    paper = PaperRecord("p", "P", "P", abstract="We propose X. We use X.")
    edges = [evidence(paper, "x", role, "X") for role in ("uses", "proposes")]
    page = Page(to_html(MemoryView([paper], [ConceptRecord("x", "X", "method")], edges)))
    assert [page.head["roles"][role]["name"] for role in page.body["edges"]["role"]] == [
        "proposes", "uses",
    ]  # fmt: skip


def test_texts_of_many_papers_come_in_blocks_in_their_order() -> None:
    page = Page(to_html(corpus(BLOCK + 3)))
    assert [len(block["t"]) for block in page.blocks] == [BLOCK, 3]
    assert [text.split()[2] for text in page.column("t")] == [str(n) for n in range(BLOCK + 3)]


def test_links_say_which_concepts_they_share() -> None:
    page = Page(to_html(corpus(6)))
    shared = [[page.label(node) for node in link] for row in page.column("l") for link in row]
    assert len(shared) == len(page.body["links"]["source"]) == 4
    assert shared == [[f"shared {n % 2}"] for n in page.body["links"]["source"]]


def test_results_lead_to_their_sentence_and_their_concepts() -> None:
    view = corpus(2)
    paper = view.paper_records[0]
    sentence = "We use shared 0."
    begin = paper.abstract.index(sentence)
    place = {"sentence": sentence, "sentence_start": begin, "start": begin, "end": begin + 2}
    view.result_records = [
        ResultRecord(paper.id, "F1", "value", 93.5, "%", metric_concept="shared 0", **place),  # type: ignore[arg-type]
        ResultRecord(paper.id, "F1", "better", 2.0, metric_concept="elsewhere"),
    ]
    page = Page(to_html(view))
    without_place, placed = page.column("r")[0]
    start, end = placed["start"], placed["end"]
    assert sliced(page.column("t")[0], start, end - start) == sentence
    assert page.label(placed["nodes"]["metric"]) == "shared 0"
    assert (without_place["start"], without_place["nodes"]) == (-1, {})


HOSTILE = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!--<script>",
    "]]>\u2028\u2029",
    "\ud800 half \udc00",
    "&lt;b&gt; {{ title }} {% raw %}",
    "javascript:alert(1)",
    "__proto__",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_data_and_nothing_else(text: str) -> None:
    paper = PaperRecord(
        text, text, text, abstract=f"{text}. We use {text}.", authors=(text,), venue=text,
        doi=text, url=text, keywords=(text,), code_urls=(text,), community=0, community_label=text,
    )  # fmt: skip
    edge = replace(evidence(paper, text, text, text), role=text)
    concept = ConceptRecord(text, text, text, aliases=(text,), abbreviations=(text,))
    other = replace(paper, id=f"{text}2")
    link = LinkRecord(text, other.id, 1, 1, 1, (text,))
    view = MemoryView([paper, other], [concept], [edge], [link], title=text)
    written = to_html(view)
    page, plain = Page(written), Page(to_html(replace(view, title="Ferns")))
    assert written.encode("utf-8")
    for block in page.data_blocks:
        assert not re.search("[<>&\u2028\u2029]", block)
    assert [tag for tag, _ in page.tags] == [tag for tag, _ in plain.tags]
    assert page.texts["script"][-1] == plain.texts["script"][-1]
    shown = re.sub("[\ud800-\udfff]", "", text)
    assert page.texts["title"] == [shown]
    assert page.body["people"] == [shown]
    assert page.body["papers"]["url"] == page.body["papers"]["doi"] == ["", ""]
    assert page.body["papers"]["code"] == [[], []]


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://example.org/a?b=c#d", True),
        ("http://10.0.0.1:80/", True),
        ("JaVaScRiPt:alert(1)//https://a.example", False),
        ("\tjavascript:alert(1)", False),
        ("data:text/html,<script>", False),
        ("//example.org/", False),
        ("https://", False),
        ("https://a b/", False),
        ('https://a/"onmouseover="', False),
        ("https://[broken", False),
        ("ftp://example.org", False),
        ("", False),
    ],
)
def test_only_addresses_of_web_pages_become_links(url: str, kept: bool) -> None:
    assert web_address(url) == (url if kept else "")


def test_the_policy_allows_our_script_and_style_sheet_alone() -> None:
    page = Page(to_html(corpus(3)))
    policy = next(
        attributes["content"] or ""
        for tag, attributes in page.tags
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))

    def digest(text: str) -> str:
        return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert rules["script-src"] == digest(page.texts["script"][-1])
    assert rules["style-src"] == digest(page.texts["style"][0])
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"


def test_the_page_names_no_other_file_and_no_handler() -> None:
    for tag, attributes in Page(to_html(corpus(3))).tags:
        assert not {name for name in attributes if name.startswith("on") or name == "style"}
        for name in ("src", "href", "action"):
            value = attributes.get(name) or ""
            assert value.startswith(("#", "data:")) or not value, (tag, value)


SECRET = "ferns are kept secret"


def secretive() -> MemoryView:
    text = f"The {SECRET}. We use moss in 3 beds. It scores 91 on them. {SECRET.capitalize()} too."
    paper = PaperRecord("p", "Mosses", "Mosses", abstract=text, keywords=("moss",))
    sentence = "It scores 91 on them."
    place = {"sentence": sentence, "sentence_start": text.index(sentence), "quote": "91"}
    found = ResultRecord("p", "score", "value", 91.0, **place)  # type: ignore[arg-type]
    edges = [evidence(paper, "moss", "uses", "moss")]
    return MemoryView([paper], [ConceptRecord("moss", "moss", "method")], edges, [], [found])


def test_evidence_alone_holds_the_sentences_of_edges_and_results_and_no_other() -> None:
    page = Page(to_html(secretive(), abstracts="evidence"))
    assert page.column("t") == ["We use moss in 3 beds. … It scores 91 on them."]
    assert list(page.supported()) == [("p", "moss", "We use moss in 3 beds.", "moss")]
    assert list(page.marked()) == [("moss", "moss")]
    result = page.column("r")[0][0]
    at = result["start"], result["end"] - result["start"]
    assert sliced(page.column("t")[0], *at) == "It scores 91 on them."
    assert "secret" not in page.strings()


def test_no_abstracts_means_no_sentence_of_them() -> None:
    page = Page(to_html(secretive(), abstracts="none"))
    assert page.column("t") == [""]
    assert not list(page.supported())
    assert not list(page.marked())
    assert not re.search("secret|beds|scores", page.strings())
    assert page.column("r")[0][0]["value"] == 91.0
    assert page.head["abstracts"] == "none"


def test_an_unknown_choice_of_abstracts_is_an_error() -> None:
    with pytest.raises(OptionError, match="half"):
        to_html(corpus(1), abstracts="half")


def test_above_its_budget_the_page_holds_what_matters_and_says_so() -> None:
    page = Page(to_html(corpus(40), max_nodes=50))
    labels = page.body["concepts"]["label"]
    assert len(page.ids) + len(labels) <= 50
    assert len(page.ids) == 40
    assert {"shared 0", "shared 1"} <= set(labels)
    assert page.head["notice"].startswith("Showing 40 of 40 papers and 10 of 82 concepts")
    assert page.head["counts"]["concepts"] == 82
    few = Page(to_html(corpus(40), max_nodes=12))
    assert len(few.ids) >= 6
    assert "of 40 papers" in few.head["notice"]
    assert all(paper in few.ids for paper, *_ in few.supported())


@pytest.mark.parametrize("most", [0, -3])
def test_a_budget_of_nothing_is_an_error(most: int) -> None:
    with pytest.raises(OptionError, match="max_nodes"):
        to_html(corpus(2), max_nodes=most)


def test_around_a_concept_stand_its_papers_and_then_their_concepts() -> None:
    one = Page(to_html(corpus(6, own=1), around="SHARED 1", hops=1))
    assert one.ids == ["p0001", "p0003", "p0005"]
    assert one.body["concepts"]["label"] == ["shared 1"]
    two = Page(to_html(corpus(6, own=1), around="shared 1"))
    assert two.body["concepts"]["label"] == ["own 1 0", "own 3 0", "own 5 0", "shared 1"]
    assert two.head["notice"] == (
        "Showing 3 of 6 papers and 4 of 8 concepts within 2 steps of shared 1. "
        "The tables of the graph hold all."
    )
    none = Page(to_html(corpus(6), around="shared 1", hops=0))
    assert (none.ids, none.body["concepts"]["label"]) == ([], ["shared 1"])


def test_a_concept_is_found_by_any_name_its_own_label_first() -> None:
    view = corpus(2)
    view.concept_records[0] = replace(view.concept_records[0], abbreviations=("SHD", "shared 1"))
    assert Page(to_html(view, around="shd", hops=0)).body["concepts"]["label"] == ["shared 0"]
    assert Page(to_html(view, around="shared 1", hops=0)).body["concepts"]["label"] == ["shared 1"]
    with pytest.raises(OptionError, match="no concept 'lichen'"):
        to_html(view, around="lichen")


def test_no_island_lies_on_another_and_each_holds_its_papers() -> None:
    page = Page(to_html(corpus(60)))
    places = page.body["communities"]
    for one, other in pairwise(places):
        apart = ((one["x"] - other["x"]) ** 2 + (one["y"] - other["y"]) ** 2) ** 0.5
        assert apart > one["radius"] + other["radius"] - 0.5
    for x, y, radius, home in zip(
        *(page.body[name] for name in ("x", "y", "radius", "community")), strict=True
    ):
        island = places[home]
        apart = ((x - island["x"]) ** 2 + (y - island["y"]) ** 2) ** 0.5
        assert apart + radius < island["radius"]


def test_a_plain_networkx_graph_has_a_page() -> None:
    graph = nx.MultiDiGraph()
    graph.add_node("a", type="paper", title="Trees", abstract="We use trees.")
    graph.add_node("concept:tree", type="concept", label="tree", kind="plant")
    graph.add_edge("a", "concept:tree", key="uses", type="role", sentence="We use trees.",
                   quote="trees", start=7, end=12)  # fmt: skip
    page = Page(to_html(GraphView(graph, RunRecord("https://e.org/"))))
    assert list(page.supported()) == [("a", "tree", "We use trees.", "trees")]
    assert page.head["kinds"][1]["one"] == "Plant"


def test_a_graph_of_nothing_has_a_page() -> None:
    page = Page(to_html(MemoryView()))
    assert (page.ids, page.blocks, page.body["x"]) == ([], [], [])


def as_tables(view: MemoryView) -> TableView:
    """The tables that hold the records of a view."""
    streams: dict[str, Sequence[Any]] = {
        "papers": view.paper_records, "concepts": view.concept_records,
        "edges": view.edge_records, "mentions": view.edge_records,
        "related": view.link_records, "results": view.result_records,
    }  # fmt: skip
    made = {
        name: tables.to_table(name, [asdict(record) for record in sorted(found, key=repr)])
        for name, found in streams.items()
    }
    homes = [
        {"paper": paper.id, "community": paper.community, "label": paper.community_label}
        for paper in view.paper_records
        if paper.community is not None
    ]
    made["communities"] = tables.to_table("communities", homes)
    run = {"base_iri": "https://example.org/", "title": view.title, "extractors": [], "inputs": []}
    return TableView(made, run)


@pytest.mark.parametrize("abstracts", ["full", "evidence", "none"])
@pytest.mark.parametrize("spoilt", ["", "\x0b"])
def test_tables_and_the_records_in_them_have_the_same_page(abstracts: str, spoilt: str) -> None:
    view = corpus(BLOCK + 3)
    first = view.paper_records[0]
    view.paper_records[0] = replace(first, abstract=f"{spoilt}{first.abstract} We use moss.")
    view.paper_records.append(PaperRecord("a", "A", "A", abstract="Alone."))
    view.result_records = secretive().result_records
    view.paper_records += secretive().paper_records
    for most in (10_000, 200):
        expected = to_html(view, abstracts=abstracts, max_nodes=most)
        assert to_html(as_tables(view), abstracts=abstracts, max_nodes=most) == expected


def test_the_title_is_the_one_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "α.html"
    write_html(corpus(1), path, title="Möose & <b>")
    page = Page(path.read_text(encoding="utf-8"))
    assert page.head["title"] == page.texts["title"][0] == "Möose & <b>"


def test_a_notebook_shows_a_small_graph_in_a_frame_of_its_own() -> None:
    shown = display(replace(corpus(3), title='Ferns" onload="alert(1)'))
    frame = re.fullmatch(r"<p>.*3 papers, 8 concepts</p><iframe ([^<>]*)></iframe>", shown, re.S)
    assert frame
    assert "allow-same-origin" not in frame[1]
    names = re.findall(r'(\w+)="[^"]*"', frame[1])
    assert names == ["sandbox", "width", "height", "frameborder", "title", "srcdoc"]
    document = re.search('srcdoc="([^"]*)"', frame[1])
    assert document
    assert Page(unescape(document[1])).ids == ["p0000", "p0001", "p0002"]


def test_a_notebook_says_how_large_a_large_graph_is() -> None:
    shown = display(corpus(400))
    assert "400 papers, 802 concepts" in shown
    assert "<iframe" not in shown


names = st.builds(
    PaperRecord,
    id=st.text(max_size=3),
    label=st.sampled_from(["A: one", "A: two", "A", "A a", "Ohm 2020", "Ohm 2020a", "L" * 40]),
    authors=st.lists(st.sampled_from(["B. Ohm", "Lee, C.", " "]), max_size=2).map(tuple),
    year=st.none() | st.just(2020),
)


@given(st.lists(names, max_size=30))
def test_no_two_papers_have_the_same_short_label(papers: list[PaperRecord]) -> None:
    labels = short_labels(papers)
    assert len(set(labels)) == len(labels) == len(papers)
    assert all(label.strip() == label != "" for label in labels)


def test_short_labels_read_as_people_cite() -> None:
    long = "On the age of mosses and ferns in the woods"
    papers = [
        PaperRecord("1", "SAM : One", authors=("A. Ohm",), year=2023),
        PaperRecord("2", "SAM: Two", authors=("Lee, B.",), year=2024),
        PaperRecord("3", long, authors=("A. Ohm",), year=2023),
        PaperRecord("4", long, authors=("A. Ohm",), year=2023),
        PaperRecord("5", long),
    ]
    assert short_labels(papers) == [
        "SAM, Ohm 2023", "SAM, Lee 2024", "Ohm 2023a", "Ohm 2023b", "On the age of mosses…",
    ]  # fmt: skip
