"""The map in a real browser: what is under the pointer, names, moves, views, colours, pictures.

The page of these tests holds the scripts of the map and nothing else of the explorer, so
that the map can be asked what it shows.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from memory_view import MemoryView

from exports import explorer
from exports.explorer_data import explorer_data
from exports.published import Published, legal
from exports.selection import whole
from exports.style import THEMES, contrast
from exports.view import ConceptRecord, EvidenceRecord, LinkRecord, PaperRecord

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

SCRIPTS = explorer.SCRIPTS[: explorer.SCRIPTS.index("picture.js") + 1]
HOSTILE = "</text><script>window.harm = 1</script><image href=x onerror=alert(1)>\u0001\ud800&\"'"
KINDS = ("method", "dataset", "task", "metric", "keyword")
ROLES = ("proposes", "uses", "evaluates_on", "compares_with", "studies", "mentions")


def plants(papers: int = 60, communities: int = 3, label: str = "Plant {}") -> MemoryView:
    """Papers in communities; each has a concept of its own and shares two with its neighbours."""
    view = MemoryView(title=label.format(0))
    used: dict[str, int] = {}
    for number in range(papers):
        group = number % communities
        paper = PaperRecord(
            f"p{number:03}",
            label.format(number),
            f"On plant {number}",
            f"We study plant {number}.",
            year=2010 + number % 12 if number % 10 else None,
            community=group,
            community_label=f"plants of garden {group} · soil {group}",
        )
        view.paper_records.append(paper)
        shared = (f"own {number}", f"garden {group} bed {number % 5}", f"garden {group}")
        for place, concept in enumerate(shared):
            used[concept] = used.get(concept, 0) + 1
            role = ROLES[(number + place) % len(ROLES)]
            at = (0, 5, "We study", "We study plant.", 0)
            view.edge_records.append(
                EvidenceRecord(paper.id, concept, role, "abstract", *at, 0.9, "", "")
            )
        if number >= communities:
            other = f"p{number - communities:03}"
            view.link_records.append(LinkRecord(other, paper.id, 0.5, 0.3, 0.2, ()))
    for number, (concept, count) in enumerate(sorted(used.items())):
        broader = ("garden 0",) if concept.startswith("garden 0 bed") else ()
        kind = KINDS[number % len(KINDS)]
        view.concept_records.append(
            ConceptRecord(concept, concept, kind, broader=broader, papers=count)
        )
    return view


def map_page(view: MemoryView) -> str:
    """The scripts of the map on one canvas, with the map and what it answered in sight."""
    head = explorer_data(whole(Published(view)), Published(view)).head
    head = {"title": legal(view.title), **head}
    assets = Path(explorer.__file__).parent / "assets" / "explorer"
    scripts = "\n".join((assets / name).read_text(encoding="utf-8") for name in SCRIPTS)
    start = """
      const atlas = await Atlas.read(document);
      const told = { selected: [], hovered: [], rests: 0 };
      const map = new AtlasMap(document.getElementById("canvas"), atlas, {
        onSelect: (node) => told.selected.push(node),
        onHover: (node) => told.hovered.push(node),
        onView: () => (told.rests += 1),
      });
      await map.ready;
      Object.assign(window, { atlas, map, told, mapAsPng, mapAsSvg, pictureName, Places });
      Object.assign(window, { conceptTies });
      document.documentElement.dataset.ready = "1";
    """
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Map</title>
      <style>html, body {{ margin: 0; height: 100%; overflow: hidden }}
      canvas {{ display: block; width: 100%; height: 100% }}</style>
      <canvas id="canvas" tabindex="0"></canvas>
      <script type="application/json" id="head">{explorer.embedded(head)}</script>
      <script>"use strict"; (async () => {{ {scripts} {start} }})()</script>"""


class Opener:
    def __init__(self, tab: Page, browser: Browser, folder: Path) -> None:
        self._tab = tab
        self._browser = browser
        self._file = folder / "map.html"
        self.complaints: list[str] = []
        self.pages: list[Page] = []
        self._listeners: dict[Any, Callable[[Any], None]] = {
            "console": lambda message: self.complaints.append(message.text),
            "pageerror": lambda error: self.complaints.append(str(error)),
            "dialog": lambda dialog: self.complaints.append(dialog.message),
        }

    def __call__(
        self, view: MemoryView, *, size: tuple[int, int] = (1000, 700), **options: Any
    ) -> Page:
        self._file.write_text(map_page(view), encoding="utf-8")
        page = self._page(options)
        self.pages.append(page)
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for event, listener in self._listeners.items():
            page.on(event, listener)
        page.goto(self._file.as_uri())
        page.locator("html[data-ready='1']").wait_for()
        return page

    def _page(self, options: dict[str, Any]) -> Page:
        """The tab of the module, or a page of its own where one cannot be made to fit."""
        if not options and self._tab not in self.pages:
            return self._tab
        return self._browser.new_page(**{"reduced_motion": "reduce", **options})

    def close(self) -> None:
        for page in self.pages:
            for event, listener in self._listeners.items():
                page.remove_listener(event, listener)
            if page is self._tab:
                page.goto("about:blank")
            else:
                page.close()


@pytest.fixture
def opened(tab: Page, chromium: Browser, tmp_path: Path) -> Iterator[Opener]:
    """Open a map; what it complained of is checked at the end."""
    opener = Opener(tab, chromium, tmp_path)
    yield opener
    opener.close()
    assert opener.complaints == []


@pytest.fixture
def garden(opened: Opener) -> Page:
    return opened(plants())


def at_rest(page: Page) -> None:
    """Wait until the map is drawn sharply where it is."""
    page.wait_for_function("map.flight === null && map.layers.sheet.shows(map.outer())")


def node(page: Page, label: str) -> int:
    script = "label => [...Array(atlas.N).keys()].find(n => atlas.label(n) === label)"
    number: int = page.evaluate(script, label)
    return number


def place(page: Page, number: int) -> tuple[float, float]:
    spot = page.evaluate("n => map.screen(n)", number)
    return spot["x"], spot["y"]


def scale(page: Page) -> float:
    value: float = page.evaluate("map.camera.scale")
    return value


def picture(page: Page) -> str:
    at_rest(page)
    url: str = page.evaluate("document.getElementById('canvas').toDataURL()")
    return url


def test_the_whole_graph_is_in_sight_at_first(garden: Page) -> None:
    places = garden.evaluate("[...Array(atlas.N).keys()].map(n => map.screen(n))")
    assert all(0 < spot["x"] < 1000 and 0 < spot["y"] < 700 for spot in places)
    spread = max(spot["y"] for spot in places) - min(spot["y"] for spot in places)
    assert spread > 350


def test_a_click_on_a_node_selects_it_and_one_on_nothing_clears(garden: Page) -> None:
    for label in ("Plant 7", "garden 1", "own 30"):
        number = node(garden, label)
        garden.mouse.click(*place(garden, number))
        assert garden.evaluate("told.selected.at(-1)") == number
    garden.mouse.click(3, 3)
    assert garden.evaluate("told.selected.at(-1)") is None


def test_a_drag_moves_the_map_and_selects_nothing(garden: Page) -> None:
    before = place(garden, 0)
    garden.mouse.move(500, 350)
    garden.mouse.down()
    garden.mouse.move(560, 320, steps=4)
    garden.mouse.up()
    after = place(garden, 0)
    assert (after[0] - before[0], after[1] - before[1]) == pytest.approx((60, -30), abs=0.1)
    assert garden.evaluate("told.selected") == []


def test_the_wheel_zooms_about_the_pointer(garden: Page) -> None:
    number = node(garden, "garden 2")
    before = place(garden, number)
    close = scale(garden)
    garden.mouse.move(*before)
    garden.mouse.wheel(0, -300)
    garden.wait_for_function("before => map.camera.scale > 1.2 * before", arg=close)
    assert place(garden, number) == pytest.approx(before, abs=0.5)


def test_a_double_click_zooms_in(garden: Page) -> None:
    before = scale(garden)
    garden.mouse.dblclick(3, 3)
    assert scale(garden) == pytest.approx(2 * before)


def test_the_node_under_the_pointer_is_said_once(garden: Page) -> None:
    number = node(garden, "Plant 5")
    x, y = place(garden, number)
    garden.mouse.move(x, y)
    garden.mouse.move(x + 1, y)
    garden.mouse.move(2, 2)
    assert garden.evaluate("told.hovered") == [number, None]
    garden.mouse.move(x, y)
    assert garden.evaluate("document.getElementById('canvas').style.cursor") == "pointer"


def test_the_nearest_node_is_found_as_by_looking_at_all(garden: Page) -> None:
    wrong = garden.evaluate(
        """() => {
          const places = new Places(atlas), wrong = [];
          const far = (n, x, y) => Math.hypot(atlas.x[n] - x, atlas.y[n] - y);
          for (let i = 0; i < 500; i += 1) {
            const n = (i * 37) % atlas.N;
            const [x, y] = [atlas.x[n] + ((i * 13) % 41) - 20, atlas.y[n] + ((i * 29) % 41) - 20];
            const found = places.nearest(x, y, 15, map.scene);
            const near = [...Array(atlas.N).keys()].filter((m) => far(m, x, y) <= 15);
            const nothing = near.length === 0 && far(n, x, y) > atlas.radius[n] * 1.1;
            if ((found === null) !== nothing) wrong.push(i);
            const edge = (m) => Math.max(0, far(m, x, y) - atlas.radius[m]);
            if (found !== null && near.some((m) => edge(m) < edge(found) - 0.1)) wrong.push(i);
          }
          return wrong;
        }"""
    )
    assert wrong == []


def test_a_finger_need_not_hit_a_node_exactly(opened: Opener) -> None:
    page = opened(plants(9), size=(390, 700), has_touch=True)
    number = node(page, "Plant 4")
    x, y = place(page, number)
    page.evaluate("n => map.flyTo(n)", number)
    at_rest(page)
    x, y = place(page, number)
    page.touchscreen.tap(x + 11, y)
    assert page.evaluate("told.selected") == [number]


def test_two_fingers_zoom_about_their_middle(opened: Opener) -> None:
    page = opened(plants(), size=(390, 700), has_touch=True)
    number = page.evaluate("map.middle()")
    x, y = place(page, number)
    before = scale(page)
    touch = page.context.new_cdp_session(page)
    for kind, gap in (("touchStart", 40), ("touchMove", 60), ("touchMove", 80)):
        points = [{"x": x + side * gap, "y": y, "id": side + 1} for side in (-1, 1)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert scale(page) == pytest.approx(2 * before, rel=0.05)
    assert place(page, number) == pytest.approx((x, y), abs=3)
    assert page.evaluate("told.selected") == []


def test_keys_in_quick_succession_all_count(opened: Opener) -> None:
    page = opened(plants(), reduced_motion="no-preference")
    before = scale(page)
    page.evaluate("map.zoomBy(1.5); map.zoomBy(1.5)")
    at_rest(page)
    assert scale(page) == pytest.approx(2.25 * before)


def test_hidden_nodes_are_neither_drawn_nor_met(garden: Page) -> None:
    number = node(garden, "own 12")
    before = picture(garden)
    garden.evaluate(
        """n => map.setVisible(new Uint8Array(atlas.N).fill(1).fill(0, n, n + 1),
          new Uint8Array(atlas.edges.count).fill(1), new Uint8Array(atlas.links.count).fill(1))""",
        number,
    )
    assert picture(garden) != before
    garden.mouse.click(*place(garden, number))
    assert garden.evaluate("told.selected.at(-1)") != number


@pytest.mark.parametrize("zoom", [0.3, 1, 3, 8])
def test_names_never_lie_on_each_other_and_none_is_cut(garden: Page, zoom: float) -> None:
    garden.evaluate("z => { map.camera = { ...map.camera, scale: map.camera.scale * z } }", zoom)
    at_rest(garden)
    labels = garden.evaluate("map.labels")
    assert labels
    for one, other in combinations(labels, 2):
        apart = (
            one["right"] <= other["left"]
            or other["right"] <= one["left"]
            or one["bottom"] <= other["top"]
            or other["bottom"] <= one["top"]
        )
        assert apart, (one["lines"], other["lines"])
    for label in labels:
        for edge in (0, 1000):
            assert not label["left"] < edge < label["right"]
        for edge in (0, 700):
            assert not label["top"] < edge < label["bottom"]


def test_no_name_lies_under_what_lies_on_the_map(garden: Page) -> None:
    boxes = """[...map.labels].filter(({ left, top, right, bottom }) =>
      right > 500 && left < 900 && bottom > 200 && top < 600).length"""
    at_rest(garden)
    assert garden.evaluate(boxes) > 0
    garden.evaluate(
        """() => {
          const above = document.createElement("div");
          const place = { position: "fixed", left: "500px", top: "200px" };
          Object.assign(above.style, place, { width: "400px", height: "400px" });
          document.body.append(above);
          map.answers.above = [above];
          map.zoomBy(1.1);
        }"""
    )
    at_rest(garden)
    assert garden.evaluate(boxes) == 0
    assert garden.evaluate("map.labels.length") > 0


def test_concepts_that_occur_together_are_tied_in_their_view(opened: Opener) -> None:
    view = plants(40)
    named: dict[str, set[str]] = {}
    for edge in view.edge_records:
        named.setdefault(edge.concept, set()).add(edge.paper)
    expected = {
        (one, other): len(named[one] & named[other]) / (len(named[one]) * len(named[other])) ** 0.5
        for one, other in combinations(sorted(named), 2)
        if len(named[one] & named[other]) > 1
    }
    page = opened(view)
    found = page.evaluate(
        "conceptTies(atlas).map(([a, b, s]) => [...[a, b].map(n => atlas.label(n)), s])"
    )
    ties = {tuple(sorted(names)): strength for *names, strength in found}
    assert len(ties) == len(found)
    assert set(ties) <= set(expected)
    for pair, strength in ties.items():
        assert strength == pytest.approx(expected[pair])
    for name in named:
        own = sorted((s for pair, s in expected.items() if name in pair), reverse=True)
        kept = sorted((s for pair, s in ties.items() if name in pair), reverse=True)
        assert kept[: min(4, len(own))] == pytest.approx(own[:4])
    page.evaluate("map.setView('concepts')")
    lines = "[...map.scene.lines.from].map((n, i) => [n, map.scene.lines.to[i]])"
    drawn = {tuple(sorted(atlas)) for atlas in page.evaluate(lines)}
    assert {tuple(sorted((node(page, a), node(page, b)))) for a, b in ties} <= drawn


def test_nearer_by_more_nodes_have_their_name(garden: Page) -> None:
    count = "map.labels.filter(({ node }) => node >= 0).length"
    at_rest(garden)
    near = "map.scene.order.filter(n => { const { x, y } = map.screen(n);"
    near += " return x > 0 && x < 1000 && y > 0 && y < 700 }).length"
    first = garden.evaluate(count) / garden.evaluate(near)
    garden.evaluate("map.camera = { ...map.camera, scale: map.camera.scale * 4 }")
    at_rest(garden)
    assert garden.evaluate(count) / garden.evaluate(near) > first


def test_islands_bear_their_names_and_a_click_on_one_goes_there(opened: Opener) -> None:
    page = opened(plants(900, 9))
    names = page.evaluate("map.labels.filter(({ island }) => island >= 0)")
    assert len(names) >= 6
    at = names[0]
    assert "".join(line["text"] for line in at["lines"]).startswith("plants of garden")
    spots = page.evaluate(
        """at => {
          for (let x = at.left + 2; x < at.right; x += 3)
            for (let y = at.top + 2; y < at.bottom; y += 3)
              if (map.nodeAt(x, y, 8) === null) return [x, y];
        }""",
        at,
    )
    before = scale(page)
    page.mouse.click(*spots)
    at_rest(page)
    assert scale(page) > 1.5 * before
    island = page.evaluate("i => atlas.communities[i]", at["island"])
    camera = page.evaluate("map.camera")
    assert (camera["x"], camera["y"]) == pytest.approx((island["x"], island["y"]), abs=1)
    assert page.evaluate("told.selected") == []


def test_long_names_are_shortened(opened: Opener) -> None:
    view = plants(9)
    name = "a concept of which the name is longer than any label"
    view.concept_records = [
        replace(concept, label=f"{name} {number}")
        for number, concept in enumerate(view.concept_records)
    ]
    page = opened(view)
    texts = page.evaluate("map.labels.flatMap(({ lines }) => lines.map(({ text }) => text))")
    long = {text for text in texts if text.startswith("a concept")}
    assert long == {"a concept of which the name i…"}


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_to_fly_to_a_node_brings_it_to_the_middle(opened: Opener, motion: str) -> None:
    page = opened(plants(), reduced_motion=motion)
    number = node(page, "Plant 33")
    page.evaluate("n => map.flyTo(n)", number)
    assert page.evaluate("map.flight === null") is (motion == "reduce")
    at_rest(page)
    assert place(page, number) == pytest.approx((500, 350), abs=0.5)
    assert scale(page) >= 1.1
    page.evaluate("map.fit()")
    at_rest(page)
    assert scale(page) < 1.1


def test_what_lies_under_a_panel_is_kept_free(garden: Page) -> None:
    garden.evaluate("map.setPadding({ left: 300, bottom: 200 })")
    garden.evaluate("map.fit()")
    places = garden.evaluate("[...Array(atlas.N).keys()].map(n => map.screen(n))")
    assert all(300 < spot["x"] < 1000 and 0 < spot["y"] < 500 for spot in places)


def test_keys_move_the_map(garden: Page) -> None:
    garden.focus("#canvas")
    before = garden.evaluate("map.camera")
    garden.keyboard.press("ArrowRight")
    garden.keyboard.press("ArrowDown")
    moved = garden.evaluate("map.camera")
    assert moved["x"] > before["x"]
    assert moved["y"] > before["y"]
    garden.keyboard.press("+")
    assert scale(garden) == pytest.approx(1.5 * before["scale"])
    garden.keyboard.press("-")
    assert scale(garden) == pytest.approx(before["scale"])
    garden.keyboard.press("0")
    assert garden.evaluate("map.camera") == pytest.approx(before)


def test_one_cannot_get_lost(garden: Page) -> None:
    garden.evaluate("map.camera = { x: 1e9, y: -1e9, scale: 1e-9 }")
    world = garden.evaluate("map.scene.world")
    camera = garden.evaluate("map.camera")
    assert world["left"] <= camera["x"] <= world["right"]
    assert world["top"] <= camera["y"] <= world["bottom"]
    assert camera["scale"] > 0.05


def test_a_camera_that_was_kept_leads_back(garden: Page) -> None:
    garden.evaluate("map.flyTo(3)")
    kept = garden.evaluate("map.camera")
    garden.evaluate("map.fit()")
    garden.evaluate("camera => { map.camera = camera }", kept)
    assert garden.evaluate("map.camera") == kept


def test_a_wide_map_is_turned_on_an_upright_screen_and_its_camera_is_not(opened: Opener) -> None:
    view = plants(900, 2)
    wide = opened(view)
    upright = opened(view, size=(390, 844))
    is_wide = "(({ left, right, top, bottom }) => right - left > bottom - top)(map.scene.world)"
    assert wide.evaluate(is_wide) is True
    assert upright.evaluate(is_wide) is False
    for page in (wide, upright):
        page.evaluate("map.flyTo(5)")
    first, second = wide.evaluate("map.camera"), upright.evaluate("map.camera")
    assert (first["x"], first["y"]) == pytest.approx((second["x"], second["y"]))
    assert place(upright, 5) == pytest.approx((195, 422), abs=0.5)


def test_each_view_shows_its_nodes_and_lines(garden: Page) -> None:
    shown = (
        "[true, false].map(paper => map.scene.order.filter(n => atlas.isPaper(n) === paper).length)"
    )
    papers, concepts = garden.evaluate("[atlas.P, atlas.C]")
    lines = {
        "both": garden.evaluate("atlas.edges.count"),
        "papers": garden.evaluate("atlas.links.count"),
        "concepts": garden.evaluate("atlas.concepts.broader.flat().length"),
    }
    nodes = {"both": [papers, concepts], "papers": [papers, 0], "concepts": [0, concepts]}
    seen = set()
    for view, count in lines.items():
        garden.evaluate("view => map.setView(view)", view)
        seen.add(picture(garden))
        assert garden.evaluate(shown) == nodes[view]
        assert garden.evaluate("map.scene.lines.count") >= count > 0
    assert len(seen) == 3


def test_selection_keeps_its_neighbours_and_fades_the_rest(garden: Page) -> None:
    number = node(garden, "garden 0 bed 0")
    before = picture(garden)
    garden.evaluate("n => map.select(n)", number)
    assert picture(garden) != before
    kept = garden.evaluate("[...Array(atlas.N).keys()].filter(n => map.scene.focus[n])")
    labels = {garden.evaluate("n => atlas.label(n)", each) for each in kept}
    assert labels == {"garden 0 bed 0", "garden 0", *(f"Plant {n}" for n in (0, 15, 30, 45))}
    named = garden.evaluate("map.labels.map(({ node }) => node)")
    assert named[0] == number
    assert set(named) <= set(kept)
    garden.evaluate("map.select(null)")
    assert picture(garden) == before


def test_highlighted_nodes_stand_out_alone(garden: Page) -> None:
    wanted = [node(garden, "Plant 1"), node(garden, "own 1")]
    garden.evaluate("nodes => map.highlight(new Set(nodes))", wanted)
    at_rest(garden)
    kept = garden.evaluate("[...Array(atlas.N).keys()].filter(n => map.scene.focus[n])")
    assert kept == wanted
    garden.evaluate("map.highlight(null)")
    assert garden.evaluate("map.scene.focus") is None


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("way", ["kind", "community", "year"])
def test_each_colour_is_in_the_legend_and_stands_out(garden: Page, way: str, theme: str) -> None:
    garden.evaluate("([way, theme]) => { map.setTheme(theme); map.setColour(way) }", [way, theme])
    key = garden.evaluate("map.colourKey()")
    used = garden.evaluate(
        "[...new Set([...Array(atlas.N).keys()].map(n => map.scene.colouring.of(n)))]"
    )
    assert set(used) <= {entry["colour"] for entry in key}
    page = THEMES["light" if theme == "light" else "dark"]
    for entry in key:
        assert entry["label"]
        for ground in (page.canvas, page.island):
            assert contrast(entry["colour"], ground) >= 3, (entry, ground)
    picture(garden)


def test_years_run_from_the_first_to_the_last_and_unknown_ones_are_said(garden: Page) -> None:
    garden.evaluate("map.setColour('year')")
    labels = [entry["label"] for entry in garden.evaluate("map.colourKey()")]
    assert labels[0].startswith("2010")
    assert labels[-2].endswith("2021")
    assert labels[-1] == "Year unknown"


def test_neighbouring_communities_differ_in_colour(opened: Opener) -> None:
    page = opened(plants(900, 9))
    page.evaluate("map.setColour('community')")
    key = page.evaluate("map.colourKey()")
    assert len({entry["colour"] for entry in key[:9]}) == 9


@pytest.mark.parametrize("ratio", [1, 2])
def test_the_canvas_has_the_pixels_of_the_screen(opened: Opener, ratio: int) -> None:
    page = opened(plants(9), device_scale_factor=ratio)
    assert page.evaluate("[map.canvas.width, map.canvas.height]") == [1000 * ratio, 700 * ratio]
    page.set_viewport_size({"width": 600, "height": 500})
    page.wait_for_function("map.view.width === 600")
    assert page.evaluate("[map.canvas.width, map.canvas.height]") == [600 * ratio, 500 * ratio]
    at_rest(page)


def test_while_it_moves_the_map_is_copied_and_then_drawn_anew(garden: Page) -> None:
    at_rest(garden)
    sharp = "performance.getEntriesByName('paperkg:sharp').length"
    before = garden.evaluate(sharp)
    garden.evaluate(
        """() => new Promise((done) => {
          let left = 20;
          const step = () => {
            map.panBy(3, 2);
            map.zoomAt(400, 300, 1.01);
            left -= 1;
            if (left) requestAnimationFrame(step);
            else done();
          };
          step();
        })"""
    )
    assert garden.evaluate(sharp) <= before + 2
    at_rest(garden)
    assert garden.evaluate(sharp) > before


def test_the_picture_as_png_shows_the_map(garden: Page) -> None:
    url = garden.evaluate(
        """async () => { const blob = await mapAsPng(map);
          return new Promise((done) => { const reader = new FileReader();
            reader.onload = () => done(reader.result); reader.readAsDataURL(blob) }) }"""
    )
    data = b64decode(url.partition(",")[2])
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert [int.from_bytes(data[at : at + 4], "big") for at in (16, 20)] == [2000, 1400]
    assert len(data) > 20_000


def test_the_picture_as_svg_holds_nodes_lines_and_names(garden: Page) -> None:
    root = ElementTree.fromstring(garden.evaluate("mapAsSvg(map)"))  # noqa: S314 - our own
    name = "{http://www.w3.org/2000/svg}"
    assert root.attrib["viewBox"] == "0 0 1000 700"
    texts = [text.text for text in root.iter(f"{name}text")]
    drawn = garden.evaluate("map.labels.flatMap(({ lines }) => lines.map(({ text }) => text))")
    assert len(set(texts) & set(drawn)) > 0.7 * len(drawn)
    assert len(list(root.iter(f"{name}use"))) == garden.evaluate("atlas.N")
    colours = {path.get("stroke") for path in root.iter(f"{name}path")}
    assert set(garden.evaluate("atlas.head.kinds.slice(1).map(({ light }) => light)")) <= colours


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_hostile_names_stay_text_in_the_svg(opened: Opener, theme: str) -> None:
    page = opened(plants(9, label=HOSTILE.replace("{}", "") + " {}"))
    page.evaluate("theme => { map.setTheme(theme); map.select(0) }", theme)
    page.evaluate(r"() => { atlas.head.title += ' \ud800 \u0001 \uffff <b>' }")
    text = page.evaluate("mapAsSvg(map)")
    root = ElementTree.fromstring(text.encode("utf-8"))  # noqa: S314 - our own
    assert root.findtext("{http://www.w3.org/2000/svg}title", "").endswith("� � � <b>")
    tags = {element.tag.partition("}")[2] for element in root.iter()}
    assert tags <= {"svg", "title", "defs", "path", "use", "g", "text"}
    names = {name for element in root.iter() for name in element.attrib}
    assert not any(name.startswith("on") for name in names)
    assert {each.get("href", "#")[0] for each in root.iter()} == {"#"}
    page.set_content(text)
    assert page.evaluate("window.harm") is None


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Ferns & mosses", "ferns-mosses-map.png"),
        ("../../etc/passwd", "etc-passwd-map.png"),
        ("con", "con-map.png"),
        ("Żółć 2024?", "zo-c-2024-map.png"),
        ("苔", "map.png"),
        ("x" * 300, "x" * 60 + "-map.png"),
    ],
)
def test_a_picture_has_a_name_that_every_system_takes(garden: Page, title: str, name: str) -> None:
    assert garden.evaluate("title => pictureName(title, 'png')", title) == name


def test_a_graph_of_one_paper_is_shown(opened: Opener) -> None:
    page = opened(plants(1, 1))
    page.mouse.click(*place(page, 0))
    assert page.evaluate("told.selected") == [0]
