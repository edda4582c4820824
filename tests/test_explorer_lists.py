"""The explorer's filters, list, matrix, path and basket in a real browser."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from memory_view import SortedView

from exports.bibliography import to_bibtex, to_ris
from exports.explorer import write_html
from exports.view import (
    ConceptRecord,
    EvidenceRecord,
    LinkRecord,
    PaperRecord,
    View,
)
from kg.clean import clean_text
from kg.model import Paper
from kg.readers import iter_papers

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

METHODS = ("alder", "birch", "cedar", "dogwood", "elm", "fir")
DATASETS = ("Frond", "Grove", "Hedge", "Ivy")
TASKS = ("pruning", "grafting")


class Orchard(SortedView):
    def papers_by_concept(self, *roles: str) -> Counter[str]:
        """How many papers have an edge to each concept, in these roles or in any."""
        return Counter(e.concept for e in self.edge_records if not roles or e.role in roles)


def evidence(paper: PaperRecord, concept: str, role: str) -> EvidenceRecord:
    """The first sentence of an abstract that names a concept."""
    at = 0
    for sentence in re.findall(r"[^.]+\.\s*", paper.abstract):
        if concept in sentence:
            place = at + sentence.index(concept)
            quoted = sentence.strip()
            end = place + len(concept)
            return EvidenceRecord(
                paper.id, concept, role, "abstract", place, end, concept, quoted, at, 0.9, "", ""
            )
        at += len(sentence)
    raise AssertionError(f"{concept} is not in the abstract of {paper.id}")


def orchard(size: int = 120) -> Orchard:
    """A corpus in which every number can be told from the place of a paper."""
    view = Orchard()
    for i in range(size):
        method, other = METHODS[i % 6], METHODS[(i * i + 1) % 6]
        dataset, task = DATASETS[(i // 6) % 4], TASKS[i % 2]
        statements = [(method, "proposes"), (other, "uses")][: 1 if other == method else 2]
        statements += [(dataset, "evaluates_on"), (task, "studies" if i % 5 else "mentions")]
        paper = PaperRecord(
            f"p{i:03}",
            f"Paper {i}",
            f"{(i * 37) % size:03} On {method} and {task}",
            " ".join(f"Here {role} {name}." for name, role in statements),
            (f"Ada Author{i % 9}", "Béla Żuk"),
            None if i % 10 == 0 else 2015 + i % 8,
            f"Journal of {task}",
            community=i % 3,
            community_label=("roots", "stems", "leaves")[i % 3],
        )
        view.paper_records.append(paper)
        view.edge_records += [evidence(paper, name, role) for name, role in statements]
    counts = view.papers_by_concept()
    for kind, names in (("method", METHODS), ("dataset", DATASETS), ("task", TASKS)):
        view.concept_records += [
            ConceptRecord(n, n, kind, papers=counts[n]) for n in names if counts[n]
        ]
    view.link_records = [
        LinkRecord(f"p{i:03}", f"p{i + 1:03}", 0.5, 0.4, 0.3, ()) for i in range(0, size - 1, 4)
    ]
    return view


@dataclass
class Visit:
    """An open page, with all that it asked for and complained of."""

    page: Page
    requests: list[str]
    complaints: list[str]

    @property
    def shown(self) -> str:
        return self.page.inner_text("#filters .shown")

    def numbers(self) -> tuple[int, int]:
        """Papers and concepts that are shown, as the legend says."""
        found = re.findall(r"([\d,]+)(?: of [\d,]+)? (?:paper|concept)", self.shown)
        papers, concepts = (int(number.replace(",", "")) for number in found)
        return papers, concepts

    def tick(self, selector: str) -> Locator:
        return self.page.locator(f"#filters {selector}")

    def counts(self, attribute: str) -> dict[str, int]:
        """The counts of the legend by the name of kind or role."""
        script = (
            "(boxes, name) => boxes.map(box => [box.dataset[name],"
            " box.closest('label').querySelector('.count').textContent.replace(',', '')])"
        )
        boxes = self.page.locator(f"#filters [data-{attribute}]")
        return {name: int(count) for name, count in boxes.evaluate_all(script, attribute)}

    def slide(self, selector: str, value: int) -> None:
        """Move a handle as a user does, and wait for the filter to follow."""
        self.page.locator(selector).fill(str(value))
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => done()))")

    def view(self, name: str) -> None:
        self.page.click(f"#views [data-view={name}]")

    def titles(self) -> list[str]:
        return self.page.locator("#list tbody .row-title").all_inner_texts()

    def listed(self) -> int:
        """How many rows the table has on all its pages, as its caption says."""
        said = re.match(r"[\d,]+|No", self.page.inner_text("#list caption"))
        assert said
        return 0 if said[0] == "No" else int(said[0].replace(",", ""))

    def sort(self, column: str) -> None:
        self.page.click(f"#list th[data-column={column}] button")

    def save(self, selector: str, folder: Path) -> Path:
        with self.page.expect_download() as waiting:
            self.page.click(selector)
        path = folder / waiting.value.suggested_filename
        waiting.value.save_as(path)
        return path

    def matrix(self) -> dict[tuple[str, str], int]:
        """The numbers in the cells of the matrix by the names of row and column."""
        script = """() => {
          const name = (head) => head.querySelector('.head-words').title;
          const columns = [...document.querySelectorAll('table.matrix thead th')].map(name);
          return [...document.querySelectorAll('table.matrix tbody tr')].flatMap((row) =>
            [...row.querySelectorAll('td')].map((cell, c) =>
              [name(row.querySelector('th')), columns[c], Number(cell.textContent || 0)]));
        }"""
        return {(row, column): count for row, column, count in self.page.evaluate(script) if count}


class Opener:
    def __init__(self, tab: Page, folder: Path) -> None:
        self._tab = tab
        self._file = folder / "graph.html"
        self._visit = Visit(tab, [], [])

    def __call__(self, view: Orchard, place: str = "", **size: int) -> Visit:
        write_html(view, self._file)
        self._tab.set_viewport_size(
            {"width": size.get("width", 1280), "height": size.get("height", 800)}
        )
        self._tab.goto(self._file.as_uri() + place)
        self._tab.wait_for_selector('html[data-ready="1"]')
        return self._visit

    @contextmanager
    def watching(self) -> Iterator[Opener]:
        """Take down what the page asks for and complains of."""
        requests, complaints = self._visit.requests, self._visit.complaints
        listeners: dict[Any, Callable[[Any], None]] = {
            "request": lambda request: requests.append(request.url),
            "console": lambda message: complaints.append(message.text),
            "pageerror": lambda error: complaints.append(str(error)),
            "dialog": lambda dialog: complaints.append(dialog.message),
        }
        for event, listener in listeners.items():
            self._tab.on(event, listener)
        yield self
        for event, listener in listeners.items():
            self._tab.remove_listener(event, listener)
        self._tab.goto("about:blank")


@pytest.fixture
def visit(tab: Page, tmp_path: Path) -> Iterator[Opener]:
    with Opener(tab, tmp_path).watching() as opener:
        yield opener


# Filters


def test_the_legend_counts_kinds_and_roles(visit: Opener) -> None:
    view = orchard()
    opened = visit(view)
    kinds = Counter(concept.kind for concept in view.concept_records)
    roles = Counter(edge.role for edge in view.edge_records)
    assert opened.counts("kind") == {"paper": 120, **kinds}
    assert opened.counts("role") == dict(roles)
    assert opened.shown == f"Showing 120 papers and {len(view.concept_records)} concepts"
    assert opened.page.locator(".show-all").is_hidden()
    assert opened.complaints == []


def test_a_kind_is_taken_away_and_everything_shown_again(visit: Opener) -> None:
    opened = visit(orchard())
    everything = opened.shown
    opened.tick("[data-kind=method]").uncheck()
    assert opened.numbers() == (120, 6)
    assert "of 12 concepts" in opened.shown
    assert opened.page.inner_text("#filtered span") == "Without methods"
    opened.page.click(".show-all")
    assert opened.shown == everything
    assert opened.tick("[data-kind=method]").is_checked()


def test_without_a_role_its_concepts_go_and_papers_stay(visit: Opener) -> None:
    view = orchard()
    opened = visit(view)
    opened.tick("[data-role=evaluates_on]").uncheck()
    left = {edge.concept for edge in view.edge_records if edge.role != "evaluates_on"}
    assert opened.numbers() == (120, len(left))
    assert opened.counts("kind")["dataset"] == 0


def test_concepts_of_few_papers_can_be_left_out(visit: Opener) -> None:
    view = orchard()
    opened = visit(view)
    steps = [1, 2, 3, 5, 10, 20, 30]
    opened.slide("#least", 6)
    assert opened.page.inner_text(".least-words") == "Concepts in at least 30 papers"
    expected = sum(c.papers >= steps[6] for c in view.concept_records)
    assert 0 < expected < 12
    assert opened.numbers() == (120, expected)


def test_years_narrow_papers_and_the_undated_can_be_left_out(visit: Opener) -> None:
    view = orchard()
    opened = visit(view)
    opened.slide("[aria-label='First year']", 2018)
    opened.slide("[aria-label='Last year']", 2019)
    years = [paper.year for paper in view.paper_records]
    dated = sum(year in (2018, 2019) for year in years)
    assert opened.numbers()[0] == dated + years.count(None)
    opened.tick("label:has-text('without a year') input").uncheck()
    assert opened.numbers()[0] == dated
    assert opened.page.inner_text(".year-words") == "2018 – 2019"


def test_the_handles_of_the_years_do_not_cross(visit: Opener) -> None:
    opened = visit(orchard())
    opened.slide("[aria-label='Last year']", 2017)
    opened.slide("[aria-label='First year']", 2020)
    assert opened.page.inner_text(".year-words") == "2020"


def test_a_topic_is_chosen(visit: Opener) -> None:
    opened = visit(orchard())
    opened.tick(".communities label:has-text('stems') input").check()
    assert opened.numbers()[0] == 40
    opened.tick(".communities label:has-text('roots') input").check()
    assert opened.numbers()[0] == 80


def test_focus_leaves_the_neighbours_of_the_selection(visit: Opener) -> None:
    view = orchard()
    opened = visit(view, "#paper=p007")
    opened.tick("[name=filter-focus][value='1']").check(force=True)
    concepts = [edge.concept for edge in view.edge_records if edge.paper == "p007"]
    assert opened.numbers() == (1, len(concepts))
    opened.page.click("#details .chip >> nth=0")
    papers = {edge.paper for edge in view.edge_records if edge.concept == "birch"}
    assert opened.page.inner_text("#details h2") == "birch"
    assert opened.numbers() == (len(papers), 1)
    opened.tick("[name=filter-focus][value='2']").check(force=True)
    assert opened.numbers()[1] > 1


def test_a_hidden_paper_is_shown_when_it_is_reached(visit: Opener) -> None:
    opened = visit(orchard())
    opened.tick("[data-kind=paper]").uncheck()
    opened.slide("[aria-label='First year']", 2022)
    opened.page.fill("#query", "037 On birch")
    opened.page.click("#options [role=option]:has-text('037 On birch')")
    opened.page.wait_for_selector("#details h2:has-text('037 On birch')")
    assert opened.tick("[data-kind=paper]").is_checked()
    assert opened.page.inner_text(".year-words") == "2016 – 2022"


def test_the_address_keeps_the_filters(visit: Opener) -> None:
    opened = visit(orchard())
    opened.tick("[data-kind=method]").uncheck()
    opened.slide("[aria-label='First year']", 2018)
    opened.tick(".communities label:has-text('stems') input").check()
    opened.tick("[name=filter-colour][value=year]").check(force=True)
    before = opened.shown
    opened.page.wait_for_url("**/*2018*")
    opened.page.reload()
    opened.page.wait_for_selector('html[data-ready="1"]')
    assert opened.shown == before
    assert opened.tick("[name=filter-colour][value=year]").is_checked()


@pytest.mark.parametrize(
    "filters",
    [
        '{"kinds":["moss"],"least":"x","years":["a"],"communities":[99,null],"hops":7}',
        '{"years":[1e99,-1e99],"least":-5,"colour":"moss","view":7}',
        '{"kinds":{"length":1e9}}',
        "[]",
    ],
)
def test_filters_in_an_address_that_make_no_sense_are_left_out(visit: Opener, filters: str) -> None:
    opened = visit(orchard(), "#filters=" + quote(filters))
    assert opened.shown == "Showing 120 papers and 12 concepts"
    assert opened.complaints == []


def test_colours_have_a_key(visit: Opener) -> None:
    opened = visit(orchard())
    opened.tick("[name=filter-colour][value=year]").check(force=True)
    assert "2022" in opened.page.inner_text(".colour-key")
    opened.tick("[name=filter-colour][value=community]").check(force=True)
    assert opened.page.locator(".communities .swatch").count() == 3


# List


def test_the_list_shows_what_the_filters_leave(visit: Opener) -> None:
    opened = visit(orchard(), "#view=list")
    assert opened.listed() == 120
    opened.tick(".communities label:has-text('stems') input").check()
    assert opened.listed() == 40
    assert len(opened.titles()) == 40
    opened.page.check("#list [value=concepts]", force=True)
    opened.tick("[data-kind=task]").uncheck()
    assert opened.listed() == opened.numbers()[1]


def test_the_list_is_sorted_by_its_heads(visit: Opener) -> None:
    view = orchard(30)
    opened = visit(view, "#view=list")
    opened.sort("title")
    titles = sorted(paper.title for paper in view.paper_records)
    head = opened.page.locator("#list th[data-column=title]")
    assert (opened.titles(), head.get_attribute("aria-sort")) == (titles, "ascending")
    opened.sort("title")
    assert (opened.titles(), head.get_attribute("aria-sort")) == (titles[::-1], "descending")
    assert opened.page.locator("#list [aria-sort]").count() == 1


def test_papers_without_a_year_stand_last_either_way(visit: Opener) -> None:
    opened = visit(orchard(30), "#view=list")
    for _ in range(2):
        opened.sort("year")
        years = opened.page.locator("#list tbody .is-year").all_inner_texts()
        assert years[-3:] == ["", "", ""]
        assert "" not in years[:-3]


def test_a_long_list_has_pages(visit: Opener) -> None:
    opened = visit(orchard(), "#view=list")
    first = opened.titles()
    opened.page.click("text=Next")
    assert (len(first), len(opened.titles())) == (100, 20)
    assert not set(first) & set(opened.titles())
    assert opened.page.inner_text("#list caption") == "120 papers, rows 101 to 120"
    assert opened.page.locator("#list button:has-text('Next')").is_disabled()


def test_words_narrow_the_list(visit: Opener) -> None:
    opened = visit(orchard(), "#view=list")
    opened.page.fill("#list input[type=search]", "zuk")
    assert opened.listed() == 120
    opened.page.fill("#list input[type=search]", "on CEDAR")
    assert opened.listed() == 20
    opened.page.fill("#list input[type=search]", "lichen")
    assert opened.page.inner_text("#list caption") == "No paper fits the filters."


def test_authors_year_and_venue_of_a_row_lead_to_their_papers(visit: Opener) -> None:
    opened = visit(orchard(30), "#view=list", width=1600)
    row = opened.page.locator("#list tbody tr").first
    for column, kicker in (("authors", "Author"), ("year", "Year"), ("venue", "Venue")):
        link = row.locator(f".is-{column} a").first
        name = link.inner_text()
        link.click()
        assert opened.page.inner_text("#details h2") == name
        assert opened.page.inner_text("#details .kicker").startswith(kicker)


def test_a_row_leads_to_its_paper_and_says_that_it_is_selected(visit: Opener) -> None:
    opened = visit(orchard(), "#view=list")
    row = opened.page.locator("#list tbody .row-title").nth(4)
    title = row.inner_text()
    row.click()
    assert opened.page.inner_text("#details h2") == title
    assert opened.page.locator("#list [aria-current=true]").all_inner_texts() == [title]


def test_a_concept_row_names_who_proposes_it(visit: Opener) -> None:
    view = orchard(12)
    opened = visit(view, "#view=list")
    opened.page.check("#list [value=concepts]", force=True)
    row = opened.page.locator("#list tbody tr", has_text="cedar")
    proposers = [e.paper for e in view.edge_records if (e.concept, e.role) == ("cedar", "proposes")]
    labels = [paper.label for paper in view.paper_records if paper.id in proposers]
    assert row.locator(".is-proposed").inner_text() == ", ".join(labels)


# Matrix


def both(view: Orchard, rows: str, columns: str, role: str = "") -> dict[tuple[str, str], int]:
    """How many papers have a concept of one kind and one of the other."""
    kind = {concept.id: concept.kind for concept in view.concept_records}
    table: Counter[tuple[str, str]] = Counter()
    for paper in view.paper_records:
        edges = [edge for edge in view.edge_records if edge.paper == paper.id]
        left = {e.concept for e in edges if kind[e.concept] == rows and role in ("", e.role)}
        right = {e.concept for e in edges if kind[e.concept] == columns}
        table.update((one, other) for one in left for other in right if one != other)
    return dict(table)


def test_the_matrix_counts_papers_that_have_both(visit: Opener) -> None:
    view = orchard()
    opened = visit(view, "#view=matrix")
    assert opened.matrix() == both(view, "method", "dataset")
    assert opened.complaints == []


def test_the_matrix_goes_by_role_and_by_other_sides(visit: Opener) -> None:
    view = orchard()
    opened = visit(view, "#view=matrix")
    opened.page.select_option("[aria-label='Role of the rows']", label="a paper proposes")
    assert opened.matrix() == both(view, "method", "dataset", "proposes")
    opened.page.select_option("[aria-label='Role of the rows']", label="in any role")
    opened.page.select_option("[aria-label=Columns]", "method")
    assert opened.matrix() == both(view, "method", "method")
    opened.page.select_option("[aria-label=Columns]", "year")
    years = Counter(
        (edge.concept, str(paper.year))
        for paper in view.paper_records
        for edge in view.edge_records
        if edge.paper == paper.id and paper.year and edge.concept in METHODS
    )
    assert opened.matrix() == dict(years)


def test_the_matrix_follows_the_filters(visit: Opener) -> None:
    view = orchard()
    opened = visit(view, "#view=matrix")
    opened.tick(".communities label:has-text('stems') input").check()
    kept = {paper.id for paper in view.paper_records if paper.community == 1}
    part = replace(view, paper_records=[p for p in view.paper_records if p.id in kept])
    assert opened.matrix() == both(part, "method", "dataset")
    opened.tick("[data-role=uses]").uncheck()
    part.edge_records = [edge for edge in view.edge_records if edge.role != "uses"]
    assert opened.matrix() == both(part, "method", "dataset")


def test_the_matrix_is_ordered(visit: Opener) -> None:
    opened = visit(orchard(), "#view=matrix")

    def rows() -> list[str]:
        return [name for name, _ in dict.fromkeys((row, "") for row, _ in opened.matrix())]

    opened.page.select_option("[aria-label=Order]", "name")
    assert rows() == sorted(METHODS)
    opened.page.select_option("[aria-label=Order]", "alike")
    assert sorted(rows()) == sorted(METHODS)


def test_a_cell_lists_its_papers_with_a_sentence_for_each_side(visit: Opener) -> None:
    view = orchard()
    opened = visit(view, "#view=matrix")
    cell = opened.page.locator(".cell[aria-label$=': birch and Frond']")
    cell.click()
    assert cell.get_attribute("aria-pressed") == "true"
    detail = opened.page.locator(".matrix-papers")
    count = both(view, "method", "dataset")["birch", "Frond"]
    rows = detail.locator(".row")
    assert rows.count() == count
    quotes = rows.first.locator("blockquote")
    quotes.nth(1).wait_for()
    assert quotes.locator("mark").all_inner_texts() == ["birch", "Frond"]


def test_arrows_walk_through_the_matrix(visit: Opener) -> None:
    opened = visit(orchard(), "#view=matrix")
    assert opened.page.locator(".cell[tabindex='0']").count() == 1
    opened.page.locator(".cell[tabindex='0']").focus()
    before = opened.page.evaluate("document.activeElement.getAttribute('aria-label')")
    opened.page.keyboard.press("ArrowDown")
    after = opened.page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert before != after
    opened.page.keyboard.press("Enter")
    assert opened.page.locator(".matrix-papers .row").count() > 0
    opened.page.click(".matrix-papers .close")
    assert opened.page.evaluate("document.activeElement.getAttribute('aria-label')") == after


def test_the_matrix_is_saved_as_csv(visit: Opener, tmp_path: Path) -> None:
    view = orchard()
    opened = visit(view, "#view=matrix")
    path = opened.save("#matrix button:has-text('CSV')", tmp_path)
    (_, *columns), *rows = csv.reader(path.read_text("utf-8").splitlines())
    cells = {
        (row[0], column): int(count)
        for row in rows
        for column, count in zip(columns, row[1:], strict=True)
    }
    assert {pair: count for pair, count in cells.items() if count} == both(
        view, "method", "dataset"
    )


# Path


def chain() -> Orchard:
    """Two papers with a common hub, and a longer way round that is rarer; one on its own."""
    papers = [
        PaperRecord("a", "A 2020", "Alpha", "We use everything. We use ink."),
        PaperRecord("b", "B 2020", "Beta", "They use ink. They test on bark."),
        PaperRecord("c", "C 2020", "Gamma", "One uses everything. One tests on bark."),
        PaperRecord("lone", "Lone 2020", "Lone", "It has moss alone."),
    ]
    crowd = [PaperRecord(f"x{i}", f"X{i}", f"X{i}", "All use everything.") for i in range(60)]
    view = Orchard(papers + crowd)
    names = ("everything", "ink", "bark", "moss")
    view.edge_records = [
        evidence(paper, name, "uses")
        for paper in view.paper_records
        for name in names
        if name in paper.abstract
    ]
    counts = view.papers_by_concept()
    view.concept_records = [ConceptRecord(n, n, "method", papers=counts[n]) for n in names]
    return view


def test_a_path_has_a_sentence_for_each_step(visit: Opener) -> None:
    opened = visit(chain(), "#from=paper:a&to=concept:bark")
    steps = opened.page.locator("ol.path li")
    names = [re.sub(r"\s+", " ", text) for text in steps.locator(".path-node").all_inner_texts()]
    assert names == ["Alpha", "ink", "Beta", "bark"]
    opened.page.locator("ol.path blockquote").nth(2).wait_for()
    sentences = opened.page.locator("ol.path blockquote").all_inner_texts()
    assert sentences == ["We use ink.", "They use ink.", "They test on bark."]
    assert opened.page.locator("ol.path .says").all_inner_texts() == ["uses", "used by", "uses"]
    assert opened.complaints == []


def test_a_path_without_end_says_so(visit: Opener) -> None:
    opened = visit(chain(), "#from=paper:a&to=paper:lone")
    assert "No paper and no concept ties the two together" in opened.page.inner_text("#details")


# Basket

HOSTILE = (
    '=HYPERLINK("https://evil.example","x")',
    "+1+cmd|' /C calc'!A0",
    '-2, "quoted" and\nbroken over lines',
    "@SUM(A1:A9)",
    "{Braces} and {odd \\ ones} 100% $5 #1 _x_ ~ ^ & more }{",
    "ER  - \r\nTY  - JOUR",
    "@article{trap, title = {No}}",
    "</script><script>window.flag = true</script>",
    "<img src=x onerror='window.flag = true'>",
    "Ünïcödé 蕨 🌿 \u2028 line",
)


def hostile() -> Orchard:
    view = Orchard()
    for i, text in enumerate(HOSTILE):
        paper = PaperRecord(
            f"h{i}", text, text, "We use ink.", (text, "Ada Ohm"), 2020, text, keywords=(text,)
        )
        view.paper_records.append(paper)
        view.edge_records.append(evidence(paper, "ink", "uses"))
        view.edge_records.append(replace(view.edge_records[-1], concept=text, quote="ink"))
        view.concept_records.append(ConceptRecord(text, text, "dataset", (text + "!",), papers=1))
    view.concept_records.append(ConceptRecord("ink", "ink", "method", papers=len(HOSTILE)))
    return view


def fill_basket(opened: Visit) -> None:
    opened.page.click(".basket-open")
    opened.page.click("dialog.basket button:has-text('that the filters show')")


Maker = Callable[[], Orchard]


def one_line(text: str) -> str:
    return " ".join(text.split())


BIBLIOGRAPHIES = [("BibTeX", to_bibtex), ("RIS", to_ris)]


@pytest.mark.parametrize(("label", "written"), BIBLIOGRAPHIES)
@pytest.mark.parametrize("make", [partial(orchard, 12), hostile], ids=["orchard", "hostile"])
def test_the_basket_is_saved_as_kg_writes_it(
    visit: Opener, tmp_path: Path, make: Maker, label: str, written: Callable[[View], str]
) -> None:
    view = make()
    opened = visit(view)
    fill_basket(opened)
    path = opened.save(f"dialog.basket button:has-text('{label}')", tmp_path)
    assert path.read_bytes().decode() == written(view)
    assert opened.complaints == []


@pytest.mark.parametrize("label", ["BibTeX", "RIS"])
@pytest.mark.parametrize("make", [partial(orchard, 12), hostile], ids=["orchard", "hostile"])
def test_the_basket_is_read_back(visit: Opener, tmp_path: Path, make: Maker, label: str) -> None:
    view = make()
    opened = visit(view)
    fill_basket(opened)
    path = opened.save(f"dialog.basket button:has-text('{label}')", tmp_path)
    papers = [paper for paper in iter_papers(path) if isinstance(paper, Paper)]
    assert [paper.id for paper in papers] == [paper.id for paper in view.papers()]
    assert [paper.title for paper in papers] == [clean_text(p.title) for p in view.papers()]
    assert [paper.year for paper in papers] == [paper.year for paper in view.papers()]


def test_bibtex_is_sound_for_other_programs(visit: Opener, tmp_path: Path) -> None:
    import bibtexparser

    opened = visit(hostile())
    fill_basket(opened)
    path = opened.save("dialog.basket button:has-text('BibTeX')", tmp_path)
    library = bibtexparser.parse_string(path.read_text("utf-8"))
    assert library.failed_blocks == []
    assert [entry.key for entry in library.entries] == [f"h{i}" for i in range(len(HOSTILE))]


def test_no_cell_of_the_csv_is_a_formula(visit: Opener, tmp_path: Path) -> None:
    opened = visit(hostile())
    fill_basket(opened)
    path = opened.save("dialog.basket button:has-text('CSV')", tmp_path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["id"] for row in rows] == [f"h{i}" for i in range(len(HOSTILE))]
    for text, row in zip(HOSTILE, rows, strict=True):
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in row.values())
        assert one_line(row["title"]).removeprefix("'") == one_line(text)


def test_no_name_in_the_saved_matrix_is_a_formula(visit: Opener, tmp_path: Path) -> None:
    opened = visit(hostile(), "#view=matrix")
    path = opened.save("#matrix button:has-text('CSV')", tmp_path)
    with path.open(encoding="utf-8", newline="") as file:
        (_, *columns), *_ = csv.reader(file)
    assert len(columns) == len(HOSTILE)
    assert not any(name.startswith(("=", "+", "-", "@", "\t", "\r")) for name in columns)


def test_hostile_text_is_inert_in_every_view(visit: Opener) -> None:
    opened = visit(hostile())
    for place in ("list", "matrix"):
        opened.view(place)
    opened.page.click(".cell >> nth=0")
    opened.view("list")
    assert {one_line(title) for title in opened.titles()} == {one_line(t) for t in HOSTILE}
    opened.page.check("#list [value=concepts]", force=True)
    fill_basket(opened)
    opened.page.wait_for_timeout(100)
    assert opened.page.evaluate("window.flag") is None
    assert opened.complaints == []
    assert [url for url in opened.requests if not url.startswith("blob:")] == opened.requests[:1]


def test_every_control_of_the_basket_keeps_in_step(visit: Opener) -> None:
    opened = visit(orchard(), "#paper=p001&view=list")
    button = opened.page.locator("#details .basket-button")
    button.click()
    assert button.get_attribute("aria-pressed") == "true"
    assert opened.page.inner_text(".basket-open") == "Basket · 1"
    tick = opened.page.locator("#list [data-basket='1']")
    assert tick.is_checked()
    tick.uncheck()
    assert button.get_attribute("aria-pressed") == "false"
    assert opened.page.inner_text(".basket-open") == "Basket"


def test_the_list_can_show_the_basket_alone(visit: Opener) -> None:
    opened = visit(orchard(), "#view=list")
    alone = opened.page.locator("#list label:has-text('Only the basket') input")
    assert alone.is_hidden()
    opened.page.check("#list tbody tr:nth-child(2) [data-basket]")
    opened.page.check("#list tbody tr:nth-child(5) [data-basket]")
    alone.check()
    assert opened.listed() == 2


def test_a_basket_too_large_for_the_address_says_so(visit: Opener) -> None:
    opened = visit(orchard(201))
    fill_basket(opened)
    hint = opened.page.locator("dialog.basket .hint")
    assert "up to 200 papers" in hint.inner_text()
    opened.page.click("dialog.basket .out >> nth=0")
    assert hint.count() == 0
    opened.page.wait_for_url("**basket=p001**")


def test_a_paper_is_taken_out_of_the_basket(visit: Opener) -> None:
    opened = visit(orchard(3))
    fill_basket(opened)
    assert opened.page.inner_text("dialog.basket h2") == "Basket: 3 papers"
    opened.page.click("dialog.basket [aria-label='Take Paper 1 out']")
    assert opened.page.inner_text("dialog.basket h2") == "Basket: 2 papers"
    opened.page.click("dialog.basket button:has-text('Empty')")
    assert "Nothing in it yet" in opened.page.inner_text("dialog.basket")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800)])
@pytest.mark.parametrize("place", ["list", "matrix"])
def test_nothing_is_wider_than_the_screen(
    visit: Opener, width: int, height: int, place: str
) -> None:
    opened = visit(hostile(), f"#view={place}", width=width, height=height)
    wide = "e => e.scrollWidth - e.clientWidth"
    assert opened.page.locator("html").evaluate(wide) == 0
    assert opened.page.locator(f"#{place}").evaluate(wide) == 0
    assert opened.complaints == []
