"""How fast the explorer is: the page of made-up graphs, or of a graph folder, in a browser.

    python tests/bench/explorer.py                       # 200, 2,000, 20,000 nodes
    python tests/bench/explorer.py 50000 atlas           # a size, and the folder of a graph
    python tests/bench/explorer.py 20000 --keep pages    # and keep the pages

Opens each page from its file in Chromium without a head or a GPU, with a new profile. Times of
the main thread are CPU seconds. A figure that misses its aim has an exclamation mark.
"""

from __future__ import annotations

import argparse
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exports.explorer import write_html
from exports.places import place
from exports.selection import whole, within
from exports.view import (
    ConceptRecord,
    EvidenceRecord,
    LinkRecord,
    PaperRecord,
    ResultRecord,
    RunRecord,
    TableView,
    View,
)

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession, Page

SWITCHES = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
TOUR = 6.0  # seconds
QUERIES = ("net", "graph", "learning method", "smith", "of the", "zzz", "data", "a")

# Most (or least, for frames a second) that a page of so many nodes should take.
AIMS: dict[int, dict[str, float]] = {
    200: {
        "file MB": 0.15, "ready s": 0.1, "fps": 59, "p95 ms": 20, "sharp ms": 20,
        "search ms": 30, "select ms": 50, "heap MB": 3, "layout s": 0.4,
    },
    2_000: {
        "file MB": 0.8, "ready s": 0.2, "fps": 55, "p95 ms": 33, "sharp ms": 50,
        "search ms": 30, "select ms": 50, "heap MB": 8, "layout s": 1,
    },
    20_000: {
        "file MB": 8, "ready s": 0.5, "fps": 55, "p95 ms": 33, "sharp ms": 150,
        "search ms": 50, "select ms": 100, "heap MB": 65, "layout s": 15,
    },
    50_000: {
        "file MB": 20, "ready s": 1.7, "fps": 45, "p95 ms": 50, "sharp ms": 500,
        "search ms": 100, "select ms": 150, "heap MB": 120, "layout s": 40,
    },
}  # fmt: skip
LEAST = frozenset({"fps"})


@dataclass
class MadeUp:
    """A graph of papers with abstracts of invented words; three lines a node.

    Args:
        nodes: Papers and concepts together.
    """

    nodes: int
    pick: random.Random = field(default_factory=lambda: random.Random(11))

    def __post_init__(self) -> None:
        papers = max(self.nodes * 7 // 20, 2)
        self.words = ["".join(self.pick.choices("aeioulnrstmdkp", k=n)) for n in self._lengths()]
        self.words[:6] = ["the", "of", "graph", "learning", "method", "data"]
        self.often = [1 / (rank + 3) for rank in range(len(self.words))]
        self.groups = max(round(papers**0.42), 2)
        self.concept_records = [self._concept(n) for n in range(self.nodes - papers)]
        self.paper_records: list[PaperRecord] = []
        self.edge_records: list[EvidenceRecord] = []
        for number in range(papers):
            self._add_paper(number)
        self.link_records = list(self._links(self.nodes * 3 - len(self.edge_records)))

    def _lengths(self) -> Iterator[int]:
        for rank in range(12_000):
            yield 2 + rank % 4 + (rank > 40) * (1 + rank % 6)

    def _phrase(self, words: int) -> str:
        return " ".join(self.pick.choices(self.words, self.often, k=words))

    def _concept(self, number: int) -> ConceptRecord:
        kind = ("method", "method", "dataset", "task", "metric", "keyword")[number % 6]
        label = f"{self._phrase(2)} {number}"
        return ConceptRecord(f"c{number:06}", label, kind, aliases=(f"{label}s",), papers=1)

    def _add_paper(self, number: int) -> None:
        group = number % self.groups
        own = len(self.concept_records) // self.groups
        named = {
            self.concept_records[(int(own * self.pick.random() ** 3) * self.groups + group) % n]
            for n in [len(self.concept_records)] * 5
        }
        alone = number * len(self.concept_records) // max(self.nodes * 7 // 20, 2)
        named.add(self.concept_records[alone])
        text, places = "", []
        for concept in sorted(named, key=lambda c: c.id):
            sentence = f"{self._phrase(14).capitalize()} {concept.label} {self._phrase(14)}. "
            places.append((concept, len(text), sentence))
            text += sentence
        paper = PaperRecord(
            f"p{number:06}",
            title := self._phrase(9).capitalize(),
            title=title,
            abstract=text,
            authors=(f"{self._phrase(1).capitalize()} Smith{number % 997}",),
            year=2005 + number % 20,
            venue=f"Meeting {number % 7}",
            url=f"https://example.org/{number}",
            community=group,
            community_label=f"{self.words[group + 60]} · {self.words[group + 90]}",
        )
        self.paper_records.append(paper)
        for nth, (concept, begin, sentence) in enumerate(places):
            start = begin + sentence.index(concept.label)
            role = ("proposes", "uses", "evaluates_on", "studies", "compares_with")[nth % 5]
            self.edge_records.append(
                EvidenceRecord(
                    paper.id, concept.id, role, "abstract", start, start + len(concept.label),
                    concept.label, sentence.strip(), begin, 0.9, "bench", "1",
                )
            )  # fmt: skip

    def _links(self, count: int) -> Iterator[LinkRecord]:
        papers = len(self.paper_records)
        pairs: set[tuple[int, int]] = set()
        for _ in range(20 * count):
            one = self.pick.randrange(papers)
            other = (one + self.groups * self.pick.randrange(1, 40)) % papers
            if one != other and len(pairs) < count:
                pairs.add((min(one, other), max(one, other)))
        for one, other in sorted(pairs):
            names = self.concept_records[one % len(self.concept_records)].id
            weight = round(self.pick.random() * 5, 4)
            yield LinkRecord(f"p{one:06}", f"p{other:06}", weight, weight, 0.4, (names,))

    def papers(self) -> Iterator[PaperRecord]:
        return iter(self.paper_records)

    def concepts(self) -> Iterator[ConceptRecord]:
        return iter(self.concept_records)

    def edges(self) -> Iterator[EvidenceRecord]:
        return iter(self.edge_records)

    def mentions(self) -> Iterator[EvidenceRecord]:
        return iter(self.edge_records)

    def links(self) -> Iterator[LinkRecord]:
        return iter(self.link_records)

    def results(self) -> Iterator[ResultRecord]:
        return iter(())

    def run(self) -> RunRecord:
        return RunRecord("https://example.org/", title=f"{self.nodes:,} nodes")


@dataclass
class Figures:
    """What was measured of a page."""

    name: str
    nodes: int
    lines: int
    values: dict[str, float]
    requests: list[str]
    messages: list[str]


def measure(name: str, view: View, folder: Path) -> Figures:
    """Write the page of a graph and look at it in a browser."""
    part = within(whole(view), max(20_000, len(whole(view)) if isinstance(view, MadeUp) else 0))
    began = time.process_time()
    place(part)
    values = {"layout s": time.process_time() - began}
    path = folder / f"{name}.html"
    began = time.process_time()
    write_html(view, path, max_nodes=max(len(part), 1))
    values["write s"] = time.process_time() - began
    values["file MB"] = path.stat().st_size / 1e6
    found = Figures(name, len(part), len(part.edges) + len(part.links), values, [], [])
    look(path, found)
    return found


def look(path: Path, figures: Figures) -> None:
    """Open a page and do with it what people do."""
    from playwright.sync_api import sync_playwright

    program = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(SWITCHES))
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.on("request", lambda request: figures.requests.append(request.url))
        page.on("console", lambda message: figures.messages.append(message.text))
        page.on("pageerror", lambda error: figures.messages.append(str(error)))
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]", timeout=120_000)
        figures.values["ready s"] = _main_thread(session)
        page.wait_for_timeout(3000)  # texts are unpacked in idle time
        figures.values |= _tour(page)
        figures.values["sharp ms"] = _median(page, "paperkg:sharp")
        figures.values |= _search(page)
        session.send("HeapProfiler.collectGarbage")
        used = session.send("Runtime.getHeapUsage")["usedSize"]
        figures.values["heap MB"] = used / 1e6
        browser.close()


def _main_thread(session: CDPSession) -> float:
    """Return the CPU seconds that the main thread has spent on tasks."""
    found = session.send("Performance.getMetrics")["metrics"]
    return next(float(item["value"]) for item in found if item["name"] == "TaskDuration")


def _tour(page: Page) -> dict[str, float]:
    """Drag and zoom with the mouse for a while, and return how often the page was drawn."""
    page.evaluate(
        """() => { window.frames_seen = [];
        const note = (now) => { frames_seen.push(now); requestAnimationFrame(note); };
        requestAnimationFrame(note); }"""
    )
    box = page.locator("#canvas").bounding_box() or {"x": 0, "y": 0, "width": 800, "height": 600}
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    end = time.monotonic() + TOUR
    while time.monotonic() < end:
        page.mouse.move(x, y)
        for step in (-240, -240, -240):
            page.mouse.wheel(0, step)
        page.mouse.down()
        page.mouse.move(x - 180, y - 90, steps=30)
        page.mouse.move(x + 120, y + 90, steps=30)
        page.mouse.up()
        for step in (240, 240, 240):
            page.mouse.wheel(0, step)
    times: list[float] = page.evaluate("frames_seen")
    page.wait_for_timeout(1000)
    gaps = sorted(b - a for a, b in pairwise(times))
    return {
        "fps": 1000 * len(gaps) / (times[-1] - times[0]),
        "p95 ms": gaps[int(0.95 * len(gaps))],
    }


def _search(page: Page) -> dict[str, float]:
    """Type queries, take what is found, and return how long the page was busy with it."""
    for query in QUERIES:
        page.locator("#query").fill("")
        page.locator("#query").press_sequentially(query, delay=60)
        page.wait_for_timeout(400)
        page.locator("#query").press("Enter")
        page.wait_for_timeout(700)
    return {
        "search ms": _median(page, "paperkg:search"),
        "search max": max(_durations(page, "paperkg:search"), default=0.0),
        "select ms": _median(page, "paperkg:select"),
        "select max": max(_durations(page, "paperkg:select"), default=0.0),
    }


def _median(page: Page, name: str) -> float:
    return statistics.median(_durations(page, name) or [0.0])


def _durations(page: Page, name: str) -> list[float]:
    found: Any = page.evaluate(
        "name => performance.getEntriesByName(name, 'measure').map((m) => m.duration)", name
    )
    return [float(value) for value in found]


def report(figures: list[Figures]) -> Iterator[str]:
    """Yield a table: a row a page, each figure with its aim where there is one."""
    columns = [
        "file MB", "ready s", "fps", "p95 ms", "sharp ms", "search ms", "search max", "select ms",
        "select max", "heap MB", "layout s", "write s",
    ]  # fmt: skip
    yield "| page | nodes / lines | " + " | ".join(columns) + " | requests | console |"
    yield "|" + "---|" * (len(columns) + 4)
    for item in figures:
        size = next((size for size in AIMS if item.nodes <= 1.1 * size), max(AIMS))
        cells = [_cell(column, item.values[column], AIMS[size]) for column in columns]
        row = [item.name, f"{item.nodes:,} / {item.lines:,}", *cells]
        row += [str(len(item.requests)), str(len(item.messages))]
        yield "| " + " | ".join(row) + " |"
        yield from (f"    console: {message}" for message in item.messages[:5])


def _cell(column: str, value: float, aims: dict[str, float]) -> str:
    text = f"{value:.2f}" if value < 10 else f"{value:.0f}"
    aim = aims.get(column)
    if aim is None:
        return text
    missed = value < aim if column in LEAST else value > aim
    return f"{text}{'!' if missed else ''} ({aim:g})"


def main() -> None:
    """Measure the pages that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graphs", nargs="*", help="numbers of nodes, or graph folders")
    parser.add_argument("--keep", type=Path, help="folder in which the pages are kept")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = told.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        figures = []
        for name in told.graphs or ["200", "2000", "20000"]:
            view: View = MadeUp(int(name)) if name.isdigit() else TableView(Path(name))
            figures.append(measure(Path(name).name, view, folder))
        sys.stdout.write("\n".join(report(figures)) + "\n")


if __name__ == "__main__":
    main()
