"""The explorer: a graph as one HTML file in which to browse, that needs no network.

`to_html` puts the files of ``assets/explorer`` and the data into one page. Nothing from a
record becomes markup: the data stand in the page as JSON and reach the screen as text; a
content security policy allows our own script and style sheet alone, by their hashes.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from importlib.resources import files
from pathlib import Path
from typing import Any

from exports import style
from exports.atomic import writing
from exports.explorer_data import PageData, explorer_data
from exports.published import Published, legal
from exports.selection import Part, around as part_around, whole, within
from exports.view import View

MAX_NODES = 20_000
"""Papers and concepts in a page, where the caller says no other number."""

HOPS = 2

STYLES = ("explorer.css", "lists.css")
SCRIPTS = (
    "dom.js",
    "data.js",
    "camera.js",
    "colours.js",
    "sprites.js",
    "ties.js",
    "lines.js",
    "scene.js",
    "labels.js",
    "painter.js",
    "layers.js",
    "places.js",
    "pointer.js",
    "map.js",
    "svg_pen.js",
    "picture.js",
    "state.js",
    "search_index.js",
    "search.js",
    "filter_rules.js",
    "year_range.js",
    "filters.js",
    "list_columns.js",
    "list.js",
    "matrix_counts.js",
    "matrix.js",
    "routes.js",
    "path.js",
    "records.js",
    "basket.js",
    "charts.js",
    "evidence.js",
    "results_table.js",
    "paper_page.js",
    "concept_page.js",
    "pages.js",
    "panel.js",
    "sheet.js",
    "help.js",
    "app.js",
)
"""The scripts in the order in which they stand in the page, inside one function."""

_ASSETS = files("exports") / "assets" / "explorer"
_ESCAPED = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def to_html(
    view: View,
    *,
    title: str | None = None,
    max_nodes: int = MAX_NODES,
    around: str | None = None,
    hops: int = HOPS,
    abstracts: str = "full",
) -> str:
    """Return the graph as one HTML page that needs no network.

    Args:
        view: The graph.
        title: Heading of the page; the graph's own where there is none.
        max_nodes: Papers and concepts at most: the best linked papers and the concepts of most
            of them; the page says what it leaves out.
        around: A concept, by id or any of its names: only what lies near it is shown.
        hops: Steps from that concept: one leads to its papers, two to their concepts.
        abstracts: What the page holds of them: "full"; "evidence", the sentences that
            support an edge or a result; "none".

    Raises:
        OptionError: If ``abstracts`` is none of these, if there is no such concept, or if
            ``max_nodes`` is below 1.

    Example:
        >>> to_html(kg.load("atlas").view, around="GNN", hops=1)  # doctest: +SKIP
    """
    published = Published(view, abstracts)
    everything = whole(published)
    near, centre = part_around(everything, around, hops) if around else (everything, "")
    part = within(near, max_nodes)
    data = explorer_data(part, published)
    run = published.run()
    head = {
        "title": legal(run.title if title is None else title),
        "notice": _notice(part, near, everything, centre, hops),
        "counts": _counts(everything),
        "abstracts": abstracts,
        "generator": f"paperkg {run.version}".strip(),
    }
    return page(PageData({**head, **data.head}, data.blocks))


def write_html(
    view: View,
    path: str | Path,
    *,
    title: str | None = None,
    max_nodes: int = MAX_NODES,
    around: str | None = None,
    hops: int = HOPS,
    abstracts: str = "full",
) -> None:
    """Write the page of `to_html`, UTF-8; a file of that name is replaced in one step.

    Raises:
        OptionError: If an option is none of those of `to_html`.
    """
    text = to_html(
        view, title=title, max_nodes=max_nodes, around=around, hops=hops, abstracts=abstracts
    )
    with writing(Path(path)) as out:
        out.write(text.encode("utf-8"))


def page(data: PageData) -> str:
    """Return the page of these data: our files and the data in one, with the policy."""
    from jinja2 import Environment, StrictUndefined

    sheet = _colours() + "".join(map(_asset, STYLES))
    script = _script()
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(sheet)}; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    template = Environment(autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True)
    return template.from_string(_asset("explorer.html")).render(
        title=data.head["title"],
        generator=data.head["generator"],
        papers=data.head["counts"]["papers"],
        concepts=data.head["counts"]["concepts"],
        policy=policy,
        sheet=sheet,
        script=script,
        head=embedded(data.head),
        blocks=[embedded(block) for block in data.blocks],
    )


def embedded(value: Any) -> str:
    r"""Return JSON that no parser of HTML or JavaScript takes for anything else.

    Example:
        >>> embedded("</script>")
        '"\\u003c/script\\u003e"'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.translate(_ESCAPED)


def _counts(part: Part) -> dict[str, int]:
    return {
        "papers": len(part.papers),
        "concepts": len(part.concepts),
        "edges": len(part.edges),
        "links": len(part.links),
    }


def _notice(part: Part, near: Part, everything: Part, centre: str, hops: int) -> str:
    """Return what the page leaves out, in words; empty where it holds everything."""
    if len(part) == len(everything):
        return ""
    shown = (
        f"{len(part.papers):,} of {len(everything.papers):,} papers and "
        f"{len(part.concepts):,} of {len(everything.concepts):,} concepts"
    )
    steps = f"{hops} step{'' if hops == 1 else 's'}"
    where = f" within {steps} of {centre}" if centre else ""
    which = "" if len(part) == len(near) else ", those with most links"
    return f"Showing {shown}{where}{which}. The tables of the graph hold all."


def _colours() -> str:
    """Return the colours of both themes as custom properties, that of the system by default."""
    light, dark = (style.custom_properties(theme) for theme in ("light", "dark"))
    night = f"@media (prefers-color-scheme: dark){{:root:not([data-theme=light]){{{dark}}}}}"
    return f":root{{{light}}}\n{night}\n:root[data-theme=dark]{{{dark}}}\n"


def _script() -> str:
    body = "\n".join(map(_asset, SCRIPTS))
    return f'(() => {{\n"use strict";\n{body}\n}})();\n'


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{b64encode(digest).decode('ascii')}'"


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")
