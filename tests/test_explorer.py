"""The explorer in a real browser: search, panel, address, keys; hostile text stays text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from memory_view import MemoryView

from exports.explorer import write_html
from exports.published import legal
from exports.view import (
    ConceptRecord,
    EvidenceRecord,
    LinkRecord,
    PaperRecord,
    ResultRecord,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.browser
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = playwright.expect


def sentence_at(text: str, at: int) -> tuple[str, int]:
    begin = text.rfind(". ", 0, at) + 2 if ". " in text[:at] else 0
    return text[begin : text.index(".", at) + 1], begin


def mention(paper: PaperRecord, concept: str, role: str, quote: str) -> EvidenceRecord:
    at = paper.abstract.index(quote)
    sentence, begin = sentence_at(paper.abstract, at)
    place = ("abstract", at, at + len(quote), quote, sentence, begin)
    return EvidenceRecord(paper.id, concept, role, *place, 0.9, "", "")


def result(paper: PaperRecord, quote: str, **said: Any) -> ResultRecord:
    at = paper.abstract.index(quote)
    sentence, begin = sentence_at(paper.abstract, at)
    place = {"start": at, "end": at + len(quote), "quote": quote}
    return ResultRecord(paper.id, **said, **place, sentence=sentence, sentence_start=begin)


FERN = PaperRecord(
    "10.1000/fern",
    "FernNet",
    "FernNet: Counting Ferns from Above",
    "Ferns are old. We propose FernNet, built on a graph neural network (GNN). "
    "We evaluate it on the Frond data set. FernNet reaches an accuracy of 91 % on Frond.",
    ("Ada Ohm", "Béla Żuk"),
    2024,
    "Journal of Ferns",
    doi="10.1000/fern",
    url="https://ferns.example/paper",
    keywords=("ferns", "counting"),
    code_urls=("https://code.example/fern",),
    community=0,
    community_label="ferns",
)
MOSS = PaperRecord(
    "moss",
    "Mosses Revisited",
    "Mosses Revisited",
    "Mosses are older. We use a graph neural network for mosses in damp woods.",
    ("Ada Ohm",),
    2025,
    community=0,
    community_label="ferns",
)
LICHEN = PaperRecord(
    "lichen", "Lichens", "Lichens", "Lichens are neither. We count them.", ("Cyd Ek",), 2023,
    community=1, community_label="lichens",
)  # fmt: skip


def plants() -> MemoryView:
    return MemoryView(
        [FERN, LICHEN, MOSS],
        [
            ConceptRecord("fernnet", "FernNet", "method", papers=1, broader=("gnn",)),
            ConceptRecord("frond", "Frond", "dataset", papers=1),
            ConceptRecord(
                "gnn", "graph neural network", "method", ("graph network",), ("GNN",), papers=2
            ),
        ],
        [
            mention(FERN, "fernnet", "proposes", "FernNet"),
            mention(FERN, "frond", "evaluates_on", "Frond"),
            mention(FERN, "gnn", "uses", "graph neural network"),
            mention(MOSS, "gnn", "uses", "graph neural network"),
        ],
        [
            LinkRecord("10.1000/fern", "lichen", 0.4, 0.0, 0.6),
            LinkRecord("10.1000/fern", "moss", 0.8, 0.5, 0.3, ("gnn",)),
        ],
        [
            result(FERN, "91 %", metric="accuracy", relation="value", value=91.0, unit="%",
                   dataset="Frond", method="FernNet"),
        ],
    )  # fmt: skip


@dataclass
class Visit:
    """An open page, with all that it asked for and complained of."""

    page: Page
    requests: list[str]
    complaints: list[str]

    def search(self, text: str) -> Locator:
        """Type into the search box and return the suggestions, abstracts among them."""
        self.page.keyboard.press("/")
        self.page.keyboard.type(text)
        expect(self.page.locator("#options")).to_have_attribute("aria-busy", "false")
        return self.page.locator("#options [role=option]")

    def go(self, text: str) -> None:
        self.page.keyboard.press("/")
        self.page.keyboard.type(text)
        expect(self.page.locator("#options [aria-selected=true]")).to_be_visible()
        self.page.keyboard.press("Enter")
        expect(self.page.locator("#details [aria-busy=true]")).to_have_count(0)

    def heading(self) -> str:
        return self.page.inner_text("#details h2")

    def panel(self) -> Locator:
        return self.page.locator("#details")

    def part(self, title: str) -> Locator:
        """The part of the panel under that heading."""
        heading = self.page.locator("h3", has_text=title)
        return self.page.locator("#details section.part").filter(has=heading)


Opener = Callable[..., Visit]


@contextmanager
def watched(page: Page) -> Iterator[Visit]:
    """Take down what a page asks for and complains of."""
    visit = Visit(page, [], [])
    listeners: dict[Any, Callable[[Any], None]] = {
        "request": lambda request: visit.requests.append(request.url),
        "console": lambda message: visit.complaints.append(message.text),
        "pageerror": lambda error: visit.complaints.append(str(error)),
        "dialog": lambda dialog: visit.complaints.append(dialog.message),
    }
    for event, listener in listeners.items():
        page.on(event, listener)
    yield visit
    for event, listener in listeners.items():
        page.remove_listener(event, listener)
    page.emulate_media(media="screen")
    page.goto("about:blank")


@pytest.fixture
def visit(tab: Page, tmp_path: Path) -> Iterator[Opener]:
    """Open the page of a graph; what it asked for and complained of is checked at the end."""
    file = tmp_path / "graph.html"

    def open_page(
        view: MemoryView,
        *,
        width: int = 1280,
        height: int = 800,
        fragment: str = "",
        **options: Any,
    ) -> Visit:
        write_html(view, file, **options)
        tab.set_viewport_size({"width": width, "height": height})
        tab.goto(file.as_uri() + fragment)
        tab.locator("html[data-ready='1']").wait_for()
        return opened

    with watched(tab) as opened:
        yield open_page
        tab.evaluate("() => new Promise(requestAnimationFrame)")
        assert [url.partition("#")[0] for url in opened.requests] == [file.as_uri()]
        assert opened.complaints == []


def test_the_page_opens_with_one_request_and_says_what_it_holds(visit: Opener) -> None:
    opened = visit(plants())
    assert opened.page.title() == "Ferns and mosses"
    assert opened.page.inner_text("#counts") == "3 papers · 3 concepts"
    assert opened.heading() == "Ferns and mosses"
    assert opened.part("Methods in most papers").locator(".chip").all_text_contents() == [
        "graph neural network 2"
    ]


# Search


@pytest.mark.parametrize("words", ["gnn", "Graph Network", "graph-neural", "NEURAL"])
def test_a_concept_is_found_by_every_name_it_has(visit: Opener, words: str) -> None:
    first = visit(plants()).search(words).first
    assert first.locator(".option-title").inner_text() == "graph neural network"


def test_an_alias_that_was_met_is_shown(visit: Opener) -> None:
    first = visit(plants()).search("gnn").first
    assert first.locator(".option-detail").inner_text() == "Method · GNN · 2 papers"
    assert first.locator("mark").inner_text() == "GNN"


def test_what_is_named_so_stands_before_what_holds_the_word(visit: Opener) -> None:
    titles = visit(plants()).search("fernnet").locator(".option-title").all_inner_texts()
    assert titles[:2] == ["FernNet: Counting Ferns from Above", "FernNet"] or titles[:2] == [
        "FernNet",
        "FernNet: Counting Ferns from Above",
    ]


def test_authors_are_found_without_their_accents_and_have_a_page(visit: Opener) -> None:
    opened = visit(plants())
    opened.search("bela zuk").first.click()
    assert opened.heading() == "Béla Żuk"
    assert opened.part("Papers").locator(".row-title").all_inner_texts() == [
        "FernNet: Counting Ferns from Above"
    ]
    assert opened.part("Writes with").locator(".word").all_inner_texts() == ["Ada Ohm"]


def test_words_of_an_abstract_are_found_and_shown_where_they_stand(visit: Opener) -> None:
    found = visit(plants()).search("damp woods")
    assert found.count() == 1
    assert found.locator("mark").inner_text() == "damp woods"
    assert "graph neural network for mosses in damp woods" in found.inner_text()


def test_words_of_title_author_and_year_together_find_the_paper(visit: Opener) -> None:
    found = visit(plants()).search("ohm counting 2024")
    assert found.locator(".option-title").all_inner_texts() == [
        "FernNet: Counting Ferns from Above"
    ]


def test_a_search_that_finds_nothing_says_so(visit: Opener) -> None:
    opened = visit(plants())
    assert opened.search("algae").count() == 0
    assert opened.page.inner_text("#searching") == "Nothing of that name"


def test_arrows_walk_the_suggestions_and_enter_goes_there(visit: Opener) -> None:
    opened = visit(plants())
    options = opened.search("fern")
    box = opened.page.locator("#query")
    for step in (0, 1):
        chosen = options.nth(step)
        assert chosen.get_attribute("aria-selected") == "true"
        assert box.get_attribute("aria-activedescendant") == chosen.get_attribute("id")
        if not step:
            opened.page.keyboard.press("ArrowDown")
    opened.page.keyboard.press("ArrowUp")
    opened.page.keyboard.press("ArrowUp")
    assert options.last.get_attribute("aria-selected") == "true"
    opened.page.keyboard.press("ArrowDown")
    opened.page.keyboard.press("Enter")
    assert "FernNet" in opened.heading()
    assert opened.page.evaluate("document.activeElement.tagName") == "H2"
    assert box.get_attribute("aria-expanded") == "false"


def test_escape_closes_the_search_and_then_clears_the_selection(visit: Opener) -> None:
    opened = visit(plants())
    opened.go("gnn")
    opened.search("moss")
    opened.page.keyboard.press("Escape")
    assert opened.page.locator("#suggestions").is_hidden()
    assert opened.page.input_value("#query") == ""
    assert opened.heading() == "graph neural network"
    opened.page.locator("#query").blur()
    opened.page.keyboard.press("Escape")
    assert opened.heading() == "Ferns and mosses"


# The panel


def test_a_paper_shows_what_is_known_of_it(visit: Opener) -> None:
    opened = visit(plants())
    opened.go("counting ferns")
    assert opened.heading() == "FernNet: Counting Ferns from Above"
    assert opened.page.inner_text("#details .authors") == "Ada Ohm, Béla Żuk"
    assert opened.page.inner_text("#details .quiet >> nth=0") == "Journal of Ferns · 2024"
    links = opened.page.locator("#details .links a")
    assert [link.get_attribute("href") for link in links.all()] == [
        "https://doi.org/10.1000/fern",
        "https://ferns.example/paper",
        "https://code.example/fern",
    ]
    assert {link.get_attribute("rel") for link in links.all()} == {"noopener noreferrer"}
    assert "ferns · counting" in opened.part("Authors’ keywords").inner_text()


def test_mentions_in_an_abstract_are_links_marked_by_kind_and_role(visit: Opener) -> None:
    opened = visit(plants())
    opened.go("counting ferns")
    marks = opened.page.locator("#details .abstract .mention")
    assert [(m.text_content(), m.get_attribute("data-role")) for m in marks.all()] == [
        ("FernNet", "proposes"),
        ("graph neural network", "uses"),
        ("Frond", "evaluates_on"),
    ]
    assert opened.page.text_content("#details .abstract") == FERN.abstract
    assert marks.locator("svg").count() == 3
    key = opened.page.locator("#details .key li").all_inner_texts()
    assert [line.split("\n")[-1] for line in key] == [
        "Method", "Data set", "proposes", "uses", "evaluates on",
    ]  # fmt: skip
    marks.nth(2).click()
    assert opened.heading() == "Frond"


def test_each_statement_of_a_paper_is_one_click_from_its_sentence(visit: Opener) -> None:
    opened = visit(plants())
    opened.go("counting ferns")
    part = opened.part("Evaluates on")
    part.get_by_role("button", name="Sentence about Frond").click()
    assert part.locator("blockquote").inner_text() == "We evaluate it on the Frond data set."
    assert part.locator("blockquote mark").inner_text() == "Frond"


def test_results_stand_in_a_table_with_their_sentence(visit: Opener) -> None:
    opened = visit(plants())
    opened.go("counting ferns")
    part = opened.part("Reported results")
    assert part.locator("tbody tr").first.locator("td").all_inner_texts()[:4] == [
        "accuracy", "91\u00a0%", "Frond", "FernNet",
    ]  # fmt: skip
    part.get_by_role("button", name="Sentence about accuracy").click()
    assert (
        part.locator("blockquote").inner_text() == "FernNet reaches an accuracy of 91 % on Frond."
    )


def test_related_papers_say_why(visit: Opener) -> None:
    opened = visit(plants())
    opened.go("counting ferns")
    rows = opened.part("Related papers").locator(".row")
    rows.nth(1).locator(".why:not(:empty)").wait_for()
    assert rows.locator(".row-title").all_inner_texts() == ["Mosses Revisited", "Lichens"]
    assert rows.locator(".why").all_inner_texts() == [
        "both on graph neural network",
        "similar text",
    ]


def test_a_concept_shows_who_does_what_with_it_in_which_sentence(visit: Opener) -> None:
    opened = visit(plants())
    opened.go("gnn")
    assert opened.page.inner_text("#details .kicker span >> nth=0") == "Method · in 2 papers"
    assert opened.page.inner_text("#details .quiet >> nth=0") == "Also: GNN, graph network"
    part = opened.part("Used by")
    part.locator("blockquote").nth(1).wait_for()
    assert part.locator(".row-title").all_inner_texts() == [
        "Mosses Revisited",
        "FernNet: Counting Ferns from Above",
    ]
    assert part.locator("blockquote").all_inner_texts() == [
        "We use a graph neural network for mosses in damp woods.",
        "We propose FernNet, built on a graph neural network (GNN).",
    ]
    assert part.locator("blockquote mark").all_inner_texts() == ["graph neural network"] * 2
    assert opened.part("Narrower").locator(".word").all_inner_texts() == ["FernNet"]
    together = opened.part("Data sets in the same papers").locator(".word")
    assert together.all_inner_texts() == ["Frond"]


def test_the_share_by_year_is_said_in_words_too(visit: Opener) -> None:
    opened = visit(plants())
    opened.go("gnn")
    chart = opened.part("Share of papers by year").get_by_role("img")
    assert chart.get_attribute("aria-label") == (
        "Share of papers by year that name graph neural network. 2024: 1 (100 %), 2025: 1 (100 %)"
    )


def test_a_year_of_another_age_neither_hangs_the_page_nor_stretches_the_chart(
    visit: Opener,
) -> None:
    view = plants()
    view.paper_records = [FERN, LICHEN, replace(MOSS, year=999_999_999)]
    opened = visit(view)
    opened.go("gnn")
    chart = opened.part("Share of papers by year").get_by_role("img")
    assert (chart.get_attribute("aria-label") or "").endswith(
        "2024: 1 (100 %), 999999999: 1 (100 %)"
    )
    assert chart.locator("rect").count() == 3


def test_the_year_of_a_paper_leads_to_the_papers_of_that_year(visit: Opener) -> None:
    view = plants()
    view.paper_records = [FERN, LICHEN, replace(MOSS, year=2024)]
    opened = visit(view)
    opened.go("mosses")
    opened.page.click("#details a:text-is('2024')")
    assert opened.heading() == "2024"
    assert opened.part("Papers").locator(".row-title").all_inner_texts() == [
        "FernNet: Counting Ferns from Above", "Mosses Revisited",
    ]  # fmt: skip


def test_a_keyword_of_the_authors_leads_to_its_concept(visit: Opener) -> None:
    view = plants()
    fern = replace(FERN, keywords=("Graph Networks", "graph-network", "counting", "old FernNet"))
    said = "; ".join(fern.keywords)
    view.paper_records[0] = fern
    place = (said.index("FernNet"), len(said), "FernNet", said, 0)
    view.edge_records[0] = EvidenceRecord(
        FERN.id, "fernnet", "proposes", "keywords", *place, 0.9, "", ""
    )
    opened = visit(view)
    opened.go("counting ferns")
    links = opened.part("Authors’ keywords").locator("a")
    assert links.all_inner_texts() == ["graph-network", "old FernNet"]
    links.nth(1).click()
    assert opened.heading() == "FernNet"


def test_long_lists_are_shown_in_parts(visit: Opener) -> None:
    view = plants()
    many = [replace(MOSS, id=f"moss{n:02}", title=f"Moss {n:02}") for n in range(45)]
    view.paper_records = sorted([FERN, *many], key=lambda paper: paper.id)
    view.edge_records = [mention(p, "gnn", "uses", "graph neural network") for p in many]
    view.link_records = []
    view.result_records = []
    view.concept_records = [replace(view.concept_records[2], papers=45)]
    opened = visit(view)
    opened.go("gnn")
    part = opened.part("Used by")
    assert part.locator(".row").count() == 20
    part.get_by_role("button", name="Show 25 more of 25").click()
    assert part.locator(".row").count() == 45
    assert part.get_by_role("button", name="more").is_hidden()


# Where one is


def test_back_and_forward_walk_through_what_was_read(visit: Opener) -> None:
    opened = visit(plants())
    opened.go("mosses")
    opened.page.click("#details .statement .chip")
    opened.page.click("#details .row-title >> nth=1")
    assert opened.heading() == "FernNet: Counting Ferns from Above"
    opened.page.click("#details .authors a")
    read = ["FernNet: Counting Ferns from Above", "graph neural network", "Mosses Revisited"]
    for heading in [*read, "Ferns and mosses"]:
        opened.page.go_back()
        expect(opened.page.locator("#details h2")).to_have_text(heading)
    opened.page.go_forward()
    expect(opened.page.locator("#details h2")).to_have_text("Mosses Revisited")


@pytest.mark.parametrize(
    ("fragment", "heading"),
    [
        ("#paper=10.1000/fern", "FernNet: Counting Ferns from Above"),
        ("#concept=graph+neural+network&view=list", "graph neural network"),
        ("#author=Ada+Ohm&theme=dark", "Ada Ohm"),
        ("#venue=Journal+of+Ferns", "Journal of Ferns"),
        ("#community=0", "ferns"),
        ("#year=2023", "2023"),
        ("#from=paper:moss&to=concept:Frond", "From Mosses Revisited to Frond"),
        ("#n=0", "FernNet: Counting Ferns from Above"),
    ],
)
def test_an_address_leads_to_its_place(visit: Opener, fragment: str, heading: str) -> None:
    opened = visit(plants(), fragment=fragment)
    opened.page.locator("#details h2").wait_for()
    assert opened.heading() == heading


def test_the_address_holds_place_view_and_theme(visit: Opener) -> None:
    opened = visit(plants())
    opened.page.get_by_role("button", name="Dark theme").click()
    opened.page.get_by_role("button", name="Matrix").click()
    opened.go("gnn")
    assert opened.page.evaluate("location.hash") == (
        "#concept=graph+neural+network&view=matrix&theme=dark"
    )
    opened.page.reload()
    opened.requests.pop()
    opened.page.locator("html[data-ready='1']").wait_for()
    assert opened.heading() == "graph neural network"
    assert opened.page.locator("#matrix").is_visible()
    assert (
        opened.page.get_by_role("button", name="Dark theme").get_attribute("aria-pressed") == "true"
    )


@pytest.mark.parametrize(
    "fragment",
    [
        "#paper=nothing&concept=&author=%00&venue=x&community=99&n=-1",
        "#%E0%A4%A",
        "#__proto__=1&constructor=1&paper=__proto__&concept=constructor",
        "#from=concept:&to=paper:",
        "#at=NaN,Infinity,-1&view=constructor&theme=toString",
        "#at=1e9,0..1,0",
        "#at=1..2,0,1",
        "#at=999999999999,-99999999999,0.00000001",
        "#filters=%7B%22kinds%22%3A5%2C%22years%22%3A%5B%22x%22%5D%2C%22least%22%3A%22%3Cb%3E%22%7D",
        "#filters=[1]",
        "#year=1e3&year=0x7e8&basket=nothing&basket=~9&basket=__proto__&basket=",
        "#list=[1]&matrix=null",
        "#list=" + quote('{"table":{},"sort":["constructor",1],"page":1e999,"search":[1]}'),
        "#view=list&list=" + quote('{"page":99999999,"sort":[["a"]],"basket":"yes"}'),
        "#view=matrix&matrix=" + quote('{"rows":"__proto__","order":7,"cell":[{},"<b>"]}'),
        "#view=matrix&matrix=" + quote('{"cell":["\\"]","*"],"columns":["dataset"]}'),
        "#paper=~999999999&concept=~x",
        "#q=<img+src=x+onerror=alert(1)>",
        "#" + "a=" * 5000,
    ],
)
def test_an_address_without_sense_does_no_harm(visit: Opener, fragment: str) -> None:
    opened = visit(plants(), fragment=fragment)
    assert opened.heading() == "Ferns and mosses"


def test_list_matrix_and_basket_come_back_with_the_page(visit: Opener) -> None:
    opened = visit(plants(), fragment="#view=list")
    page = opened.page
    page.check("#list [data-basket='2']")
    page.click("#list th[data-column=title] button")
    page.click("#views [data-view=matrix]")
    page.select_option("[aria-label=Columns]", "year")
    page.click(".cell[aria-label$=': FernNet and 2024']")
    page.wait_for_url("**cell**")
    page.go_back()
    page.wait_for_url("**basket=moss**")  # it is there still, though it was empty then
    page.go_forward()
    page.wait_for_url("**cell**")
    page.reload()
    opened.requests.pop()
    page.locator("html[data-ready='1']").wait_for()
    assert page.inner_text(".basket-open") == "Basket · 1"
    assert page.locator("[aria-label=Columns]").input_value() == "year"
    assert page.inner_text(".matrix-papers h3") == "FernNet × 2024 1 paper"
    page.click("#views [data-view=list]")
    assert page.locator("#list [aria-sort]").get_attribute("data-column") == "title"
    assert page.is_checked("#list [data-basket='2']")


# Keys, phones, print


@pytest.mark.parametrize(("key", "opens"), [("/", "#query:focus"), ("?", "dialog.help[open]")])
def test_keys_count_after_a_click_on_a_tick_box(visit: Opener, key: str, opens: str) -> None:
    opened = visit(plants())
    opened.page.click("#filters [data-kind=dataset]")
    opened.page.keyboard.press(key)
    assert opened.page.locator(opens).is_visible()


def test_a_question_mark_opens_the_help_and_escape_closes_it(visit: Opener) -> None:
    opened = visit(plants())
    opened.page.keyboard.press("?")
    help_page = opened.page.get_by_role("dialog", name="Help")
    assert "Search papers, authors, concepts and abstracts" in help_page.inner_text()
    opened.page.keyboard.press("Escape")
    assert help_page.is_hidden()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_enter_on_the_map_selects_what_is_nearest_to_the_middle(
    visit: Opener, width: int, height: int
) -> None:
    opened = visit(plants(), width=width, height=height, fragment="#concept=Frond")
    opened.page.keyboard.press("Escape")
    opened.page.locator("#canvas").focus()
    opened.page.keyboard.press("Enter")
    assert opened.heading() == "Frond"


def test_a_path_is_found_from_the_panel(visit: Opener) -> None:
    opened = visit(plants())
    opened.go("mosses")
    opened.page.get_by_role("button", name="Find a path from here").click()
    assert "A path from Mosses Revisited" in opened.page.inner_text("#asked")
    opened.page.keyboard.type("frond")
    opened.page.keyboard.press("Enter")
    expect(opened.page.locator("#details h2")).to_have_text("From Mosses Revisited to Frond")


def test_on_a_phone_the_panel_is_a_sheet_that_opens_on_selection(visit: Opener) -> None:
    opened = visit(plants(), width=390, height=844)
    handle = opened.page.locator("#handle")
    assert handle.get_attribute("aria-expanded") == "false"
    opened.go("gnn")
    assert handle.get_attribute("aria-expanded") == "true"
    assert opened.page.locator("#details h2").is_visible()
    handle.click()
    assert handle.get_attribute("aria-expanded") == "false"


@pytest.mark.parametrize(("width", "height"), [(390, 844), (900, 700), (1280, 800)])
def test_nothing_is_wider_than_the_screen(visit: Opener, width: int, height: int) -> None:
    opened = visit(hostile("w" * 900), width=width, height=height)
    measure = (
        "[document.documentElement, document.body, document.getElementById('details')]"
        ".map(e => e.scrollWidth - e.clientWidth)"
    )
    assert opened.page.evaluate(measure) == [0, 0, 0]
    for number in range(3):
        opened.page.evaluate("n => { location.hash = `n=${n}`; }", number)
        opened.page.wait_for_timeout(150)
        assert opened.page.evaluate(measure) == [0, 0, 0]


def test_print_shows_the_panel_alone(visit: Opener) -> None:
    opened = visit(plants())
    opened.go("counting ferns")
    opened.page.emulate_media(media="print")
    assert opened.page.locator("#details h2").is_visible()
    for hidden in ("#top", "#filters", "#stage", "#status", "#details .tools"):
        assert opened.page.locator(hidden).is_hidden()


# Hostile text


def hostile(text: str) -> MemoryView:
    """A graph in which every field that holds text holds this one."""
    paper = PaperRecord(
        text, text, text, text, (text, text), 2024, text,
        doi=text, url=text, keywords=(text,), code_urls=(text,), community=0, community_label=text,
    )  # fmt: skip
    other = replace(paper, id=text + "2")
    papers = sorted([paper, other], key=lambda each: each.id)
    edges = [
        EvidenceRecord(p.id, text, text, "abstract", 0, 5, text[:5], text, 0, 0.9, text, text)
        for p in papers
    ]
    said = {"unit": text, "qualifier": text, "dataset": text, "method": text}
    place = {"start": 0, "end": 5, "quote": text[:5], "sentence": text}
    return MemoryView(
        papers,
        [ConceptRecord(text, text, text, (text,), (text + "s",), papers=2)],
        edges,
        [LinkRecord(papers[0].id, papers[1].id, 1.0, 0.5, 0.5, (text,))],
        [ResultRecord(papers[0].id, text, text, 1.0, **said, **place)],
        title=text,
    )


FLAG = "window.flag = true"


@pytest.mark.parametrize(
    "text",
    [
        f"<img src=x onerror='{FLAG}'>",
        f"</script><script>{FLAG}</script>",
        f"<!--<script>{FLAG}</script>-->",
        f"javascript:{FLAG}",
        f"JaVaScRiPt:{FLAG}//https://a.example",
        f"data:text/html,<script>{FLAG}</script>",
        f"<svg onload='{FLAG}'><style>*{{display:none}}</style>",
        f"\u2028{FLAG}\u2029`${{{FLAG}}}`",
        f"__proto__ constructor {FLAG}",
        "broken \ud800 surrogate \udc00",
        "</title></style></head><base href='https://evil.example/'>",
        '"; ' + FLAG + " //\\",
        "10.1234/x?<script>&javascript:#",
    ],
)
def test_hostile_text_is_inert_and_shown_as_it_is(visit: Opener, text: str) -> None:
    opened = visit(hostile(text))
    shown = legal(text)
    assert opened.page.text_content("h1") == shown
    opened.page.keyboard.press("/")
    opened.page.keyboard.insert_text(shown[:40])
    expect(opened.page.locator("#options")).to_have_attribute("aria-busy", "false")
    opened.page.keyboard.press("Escape")
    for place, kicker in {
        "n=0": "Paper",
        "n=2": "in 2 papers",
        "author=~0": "Author",
        "venue=~0": "Venue",
        "community=0": "Topic",
        "from=paper:~0&to=concept:~0": "Path",
    }.items():
        opened.page.evaluate("place => { location.hash = place; }", place)
        expect(opened.page.locator("#details .kicker")).to_contain_text(kicker)
        if not place.startswith("from"):
            assert opened.page.text_content("#details h2") == shown
        for ask in opened.page.locator("#details .ask").all():
            ask.click()
        for link in opened.page.locator("#details a").all():
            address = link.get_attribute("href") or ""
            assert address.startswith(("#", "https://", "http://"))
    for name in ("List", "Matrix", "Map"):
        opened.page.get_by_role("button", name=name, exact=True).click()
    assert opened.page.evaluate("window.flag") is None


def test_without_a_paper_the_page_says_what_to_do(visit: Opener) -> None:
    opened = visit(MemoryView())
    assert "There is nothing to show yet" in opened.page.inner_text("#trouble")


def test_a_browser_that_cannot_unpack_the_map_says_so(chromium: Browser, tmp_path: Path) -> None:
    write_html(plants(), tmp_path / "graph.html")
    page = chromium.new_page()
    page.add_init_script("delete window.DecompressionStream")
    with watched(page) as opened:
        page.goto((tmp_path / "graph.html").as_uri())
        assert "This browser is too old" in page.inner_text("#trouble")
        assert opened.complaints == []
    page.close()


@pytest.mark.parametrize("abstracts", ["evidence", "none"])
def test_a_page_without_abstracts_still_tells_all_it_has(visit: Opener, abstracts: str) -> None:
    opened = visit(plants(), abstracts=abstracts)
    opened.go("counting ferns")
    if abstracts == "evidence":
        expect(opened.panel()).to_contain_text("We propose FernNet")
    text = opened.panel().inner_text()
    assert ("We propose FernNet" in text) == (abstracts == "evidence")
    assert "Ferns are old" not in text
    assert "Evaluates on" in text


# Accessible


STATES = {
    "home": "",
    "paper": "#paper=10.1000/fern",
    "concept": "#concept=graph+neural+network",
    "author": "#author=Ada+Ohm",
    "path": "#from=paper:moss&to=concept:Frond",
    "year": "#year=2024",
    "list": "#view=list",
    "list of concepts": "#view=list&list=" + quote('{"table":"concepts"}'),
    "matrix": "#view=matrix&concept=Frond&matrix=" + quote('{"cell":["FernNet","Frond"]}'),
}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_to_mend(visit: Opener, theme: str, width: int) -> None:
    script = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
    opened = visit(plants(), width=width, fragment=f"#theme={theme}&basket=moss")
    opened.page.evaluate(script)
    found = {}
    for state, fragment in STATES.items():
        opened.page.evaluate(
            "hash => { location.hash = hash; }", f"{fragment or '#'}&theme={theme}"
        )
        opened.page.wait_for_timeout(150)
        found[state] = violations(opened.page)
    opened.page.keyboard.press("?")
    found["help"] = violations(opened.page)
    opened.page.keyboard.press("Escape")
    assert opened.search("fern").count()
    found["search"] = violations(opened.page)
    opened.page.keyboard.press("Escape")
    for state, opener in (("basket", ".basket-open"), ("filters", "#filters-toggle")):
        opened.page.click(opener)
        found[state] = violations(opened.page)
        opened.page.keyboard.press("Escape")
    assert found == {state: [] for state in found}


def violations(page: Page) -> list[Any]:
    script = (
        "axe.run(document, {resultTypes: ['violations'], preload: false}).then(found =>"
        " found.violations.map(one => [one.id, one.nodes.map(node => node.target.join(' '))]))"
    )
    found: list[Any] = page.evaluate(script)
    return found
