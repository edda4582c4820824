"""The pyvis page in a real browser: one request, no complaint, and it does what users do."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from memory_view import MemoryView

from exports import style
from exports.small_view import write_html
from exports.view import ConceptRecord, EvidenceRecord, LinkRecord, PaperRecord

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser


def mention(paper: PaperRecord, concept: str, role: str, quote: str) -> EvidenceRecord:
    at = paper.abstract.index(quote)
    begin = paper.abstract.rfind(". ", 0, at) + 2 if ". " in paper.abstract[:at] else 0
    sentence = paper.abstract[begin : paper.abstract.find(".", at) + 1]
    return EvidenceRecord(
        paper.id,
        concept,
        role,
        "abstract",
        at,
        at + len(quote),
        quote,
        sentence,
        begin,
        0.9,
        "",
        "",
    )


def ferns() -> MemoryView:
    first = PaperRecord(
        "10.1000/fern",
        "FernNet",
        "FernNet: Counting Ferns from Above",
        "Ferns are old. We propose FernNet, built on a graph neural network (GNN). "
        "We evaluate it on the Frond data set.",
        ("Ada Ohm", "Béla Żuk"),
        2024,
        "Journal of Ferns",
        doi="10.1000/fern",
        url="https://ferns.example/paper",
        code_urls=("https://code.example/fern",),
        community=0,
        community_label="ferns",
    )
    second = PaperRecord(
        "moss",
        "Ohm 2025",
        "Mosses Revisited",
        "Mosses are older. We use a graph neural network for mosses.",
        ("Ada Ohm",),
        2025,
        community=0,
        community_label="ferns",
    )
    return MemoryView(
        [first, second],
        [
            ConceptRecord("fernnet", "FernNet", "method", papers=1),
            ConceptRecord("frond", "Frond", "dataset", papers=1),
            ConceptRecord("gnn", "graph neural network", "method", (), ("GNN",), papers=2),
        ],
        [
            mention(first, "fernnet", "proposes", "FernNet"),
            mention(first, "frond", "evaluates_on", "Frond"),
            mention(first, "gnn", "uses", "graph neural network"),
            mention(second, "gnn", "uses", "graph neural network"),
        ],
        [LinkRecord("10.1000/fern", "moss", 0.8, 0.5, 0.3, ("gnn",))],
    )


@dataclass
class Visit:
    """An open page, with all that it asked for and complained of."""

    page: Page
    requests: list[str]
    complaints: list[str]

    def node(self, label: str) -> dict[str, object]:
        """The node of that label as vis-network holds it now."""
        script = "label => nodeSet.get(items.find(item => item.label === label).id)"
        found: dict[str, object] = self.page.evaluate(script, label)
        return found

    def search(self, text: str) -> None:
        self.page.keyboard.press("/")
        self.page.keyboard.type(text)

    def panel(self) -> str:
        return self.page.inner_text("#details")


class Opener:
    def __init__(self, browser: Browser, folder: Path) -> None:
        self._browser = browser
        self._file = folder / "graph.html"

    def __call__(self, view: MemoryView, width: int = 1280, height: int = 800) -> Visit:
        write_html(view, self._file)
        page = self._browser.new_page(
            viewport={"width": width, "height": height}, reduced_motion="reduce"
        )
        visit = Visit(page, [], [])
        page.on("request", lambda request: visit.requests.append(request.url))
        page.on("console", lambda message: visit.complaints.append(message.text))
        page.on("pageerror", lambda error: visit.complaints.append(str(error)))
        page.on("dialog", lambda dialog: visit.complaints.append(dialog.message))
        page.goto(self._file.as_uri())
        return visit


@pytest.fixture
def visit(chromium: Browser, tmp_path: Path) -> Opener:
    return Opener(chromium, tmp_path)


def test_the_page_opens_with_one_request_and_no_complaint(visit: Opener) -> None:
    opened = visit(ferns())
    opened.page.wait_for_timeout(300)
    assert len(opened.requests) == 1
    assert opened.complaints == []
    assert opened.page.title() == "Ferns and mosses"
    assert opened.page.inner_text(".counts") == "2 papers · 3 concepts"


def test_nodes_stand_where_they_were_put(visit: Opener) -> None:
    opened = visit(ferns())
    opened.page.wait_for_timeout(300)
    moved = opened.page.evaluate(
        "Object.entries(network.getPositions()).some(([id, at]) =>"
        " Math.hypot(at.x - drawn.get(Number(id)).x, at.y - drawn.get(Number(id)).y) > 1.5)"
    )
    assert moved is False


def test_a_concept_is_found_by_its_abbreviation(visit: Opener) -> None:
    opened = visit(ferns())
    opened.search("gnn")
    options = opened.page.locator("#suggestions [role=option]").all_inner_texts()
    assert options == ["graph neural network\nMethod · GNN · 2 papers"]


def test_authors_are_found_without_their_accents(visit: Opener) -> None:
    opened = visit(ferns())
    opened.search("bela zuk")
    assert "FernNet: Counting Ferns" in opened.page.inner_text("#suggestions")


def test_a_search_that_finds_nothing_says_so(visit: Opener) -> None:
    opened = visit(ferns())
    opened.search("lichen")
    assert opened.page.inner_text("#suggestions") == "Nothing of that name"


def test_a_concept_shows_its_papers_by_role_with_the_quoted_sentence(visit: Opener) -> None:
    opened = visit(ferns())
    opened.search("GNN")
    opened.page.keyboard.press("Enter")
    panel = opened.page.locator("#details")
    assert panel.locator("h2").inner_text() == "graph neural network"
    assert "Also: GNN" in opened.panel()
    assert panel.locator("h3").first.inner_text().lower() == "used by 2"
    assert "We use a graph neural network for mosses." in opened.panel()
    assert panel.locator("blockquote mark").all_inner_texts() == ["graph neural network"] * 2
    assert opened.complaints == []


def test_a_paper_shows_what_is_known_of_it(visit: Opener) -> None:
    opened = visit(ferns())
    opened.search("FernNet: Counting")
    opened.page.keyboard.press("Enter")
    panel = opened.page.locator("#details")
    assert panel.locator("h2").inner_text() == "FernNet: Counting Ferns from Above"
    assert "Ada Ohm, Béla Żuk" in opened.panel()
    assert "Journal of Ferns · 2024" in opened.panel()
    links = [link.get_attribute("href") for link in panel.locator(".links a").all()]
    assert links == [
        "https://doi.org/10.1000/fern",
        "https://ferns.example/paper",
        "https://code.example/fern",
    ]
    assert panel.locator(".abstract .mark").all_inner_texts() == [
        "FernNet",
        "graph neural network",
        "Frond",
    ]
    assert "both on graph neural network" in opened.panel()


def test_everything_in_the_panel_leads_on_and_back_again(visit: Opener) -> None:
    opened = visit(ferns())
    opened.search("Mosses")
    opened.page.keyboard.press("Enter")
    opened.page.click("#details .chip")
    assert opened.page.inner_text("#details h2") == "graph neural network"
    opened.page.click("#details .row a >> nth=0")
    assert opened.page.inner_text("#details h2") == "FernNet: Counting Ferns from Above"
    opened.page.click("text=Back")
    assert opened.page.inner_text("#details h2") == "graph neural network"


def test_the_map_answers_a_click_and_fades_the_rest(visit: Opener) -> None:
    opened = visit(ferns())
    script = "network.canvasToDOM(network.getPositions([1])[1])"
    place = opened.page.evaluate(script)
    opened.page.click("#canvas", position={"x": place["x"], "y": place["y"]})
    opened.page.wait_for_function("document.querySelector('#details h2').innerText !== 'Overview'")
    assert opened.page.inner_text("#details h2") == "Mosses Revisited"
    assert opened.node("Frond")["opacity"] == 0.13
    assert opened.node("graph neural network")["opacity"] == 1
    opened.page.keyboard.press("Escape")
    assert opened.node("Frond")["opacity"] == 1
    assert opened.page.inner_text("#details h2") == "Overview"


def test_the_legend_hides_a_kind_and_shows_it_again(visit: Opener) -> None:
    opened = visit(ferns())
    methods = opened.page.locator("#legend [data-kind=method]")
    assert methods.inner_text().split() == ["Methods", "2"]
    methods.click()
    assert opened.node("graph neural network")["hidden"] is True
    assert opened.node("Frond")["hidden"] is False
    assert methods.get_attribute("aria-pressed") == "false"
    methods.click()
    assert opened.node("graph neural network")["hidden"] is False


def test_search_brings_a_hidden_kind_back(visit: Opener) -> None:
    opened = visit(ferns())
    opened.page.click("#legend [data-kind=method]")
    opened.search("GNN")
    opened.page.keyboard.press("Enter")
    assert opened.node("graph neural network")["hidden"] is False


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800)])
def test_nothing_is_wider_than_the_screen(visit: Opener, width: int, height: int) -> None:
    view = hostile("w" * 900)
    opened = visit(view, width, height)
    for query in ("", "w"):
        if query:
            opened.search(query)
            opened.page.keyboard.press("Enter")
        sizes = opened.page.evaluate(
            "[document.documentElement, document.body, document.getElementById('details')]"
            ".map(e => e.scrollWidth - e.clientWidth)"
        )
        assert sizes == [0, 0, 0]


def test_on_a_phone_the_panel_is_a_sheet_that_opens_on_selection(visit: Opener) -> None:
    opened = visit(ferns(), 390, 844)
    handle = opened.page.locator("#handle")
    assert handle.get_attribute("aria-expanded") == "false"
    opened.search("GNN")
    opened.page.keyboard.press("Enter")
    assert handle.get_attribute("aria-expanded") == "true"
    assert opened.page.locator("#details h2").is_visible()
    handle.click()
    assert handle.get_attribute("aria-expanded") == "false"


def hostile(text: str) -> MemoryView:
    """A graph in which every field that holds text holds this one."""
    paper = PaperRecord(
        text,
        text,
        text,
        text,
        (text, text),
        2024,
        text,
        doi=text,
        url=text,
        keywords=(text,),
        code_urls=(text,),
        community=0,
        community_label=text,
    )
    other = replace(paper, id=text + "2")
    edges = [
        EvidenceRecord(p.id, text, text, "abstract", 0, 5, text[:5], text, 0, 0.9, text, text)
        for p in (paper, other)
    ]
    return MemoryView(
        [paper, other],
        [ConceptRecord(text, text, text, (text,), (text,), papers=2)],
        edges,
        [LinkRecord(text, text + "2", 1.0, 0.5, 0.5, (text,))],
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
    ],
)
def test_hostile_text_is_inert_and_shown_as_it_is(visit: Opener, text: str) -> None:
    opened = visit(hostile(text))
    shown = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    for kind in ("concept", "paper"):
        opened.search(text[:40])
        options = opened.page.locator("#suggestions [role=option]")
        options.nth(0 if kind == "concept" else options.count() - 1).click()
        for link in opened.page.locator("#details a[target]").all():
            assert (link.get_attribute("href") or "").startswith(("https://", "http://"))
    assert opened.page.text_content("#details h2") == shown
    assert opened.page.text_content("h1") == shown
    opened.page.wait_for_timeout(100)
    assert opened.page.evaluate("window.flag") is None
    assert len(opened.requests) == 1
    assert opened.complaints == []


def test_an_empty_graph_says_what_to_do(visit: Opener) -> None:
    opened = visit(MemoryView())
    assert "There is nothing to show yet" in opened.page.inner_text("main")
    assert opened.complaints == []


def test_the_page_follows_the_colour_scheme(visit: Opener) -> None:
    opened = visit(ferns())
    themes: tuple[Literal["dark", "light"], ...] = ("dark", "light")
    for theme in themes:
        opened.page.emulate_media(color_scheme=theme)
        expected = style.KINDS["dataset"].dark if theme == "dark" else style.KINDS["dataset"].light
        opened.page.wait_for_function(
            "colour => nodeSet.get(items.find(item => item.label === 'Frond').id)"
            ".color.background === colour",
            arg=expected,
        )
