"""A small graph as one HTML page, drawn by pyvis: no request, nothing to wait for.

`to_network` fills a pyvis network from our records, with the positions of
`exports.layout` and physics off. `to_html` puts it, the texts and vis-network into one
file. Nothing from a record becomes markup: the records stand in the page as escaped JSON
and reach the screen as text; a content security policy allows our own scripts alone.
"""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exports import style
from exports.atomic import writing
from exports.page_data import page_data
from exports.places import Places, place
from exports.selection import MAX_NODES, Choice, choose
from exports.short_labels import short_label
from exports.view import View

if TYPE_CHECKING:
    from pyvis.network import Network

_ASSETS = files("exports") / "assets" / "small_view"
_SCRIPTS = ("page.js", "canvas.js", "labels.js", "panel.js", "search.js", "main.js")
_SCALE = {"square": 0.82, "diamond": 1.15, "star": 1.3, "triangle": 1.1, "triangleDown": 1.1}
_ESCAPED = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}
_SURROGATE = re.compile("[\ud800-\udfff]")


def to_html(
    view: View, *, title: str | None = None, max_nodes: int = MAX_NODES, abstracts: str = "full"
) -> str:
    """Return the graph as one HTML page that needs no network.

    Args:
        view: The graph.
        title: Heading of the page; the graph's own where there is none.
        max_nodes: Nodes drawn at most; the papers with most links and the concepts of most
            papers stay, and the page says what it leaves out.
        abstracts: What the page holds of them: "full"; "evidence", the sentences that
            support an edge; "none".

    Raises:
        OptionError: If ``abstracts`` is none of these.
    """
    choice = choose(view, max_nodes)
    data = page_data(choice, view.mentions(), abstracts=abstracts)
    network, places = _network(choice)
    parts = {"nodes": network.nodes, "edges": network.edges, "options": network.options}
    data |= {"network": parts, "islands": list(_islands(choice, places))}
    return _page(view.run().title if title is None else title, data)


def write_html(
    view: View, path: str | Path, *, title: str | None = None, abstracts: str = "full"
) -> None:
    """Write the page of `to_html`, UTF-8; a file of that name is replaced in one step.

    Raises:
        OptionError: If ``abstracts`` is none of those of `to_html`.
    """
    page = to_html(view, title=title, abstracts=abstracts)
    with writing(Path(path)) as out:
        out.write(page.encode("utf-8"))


def to_network(view: View, *, max_nodes: int = MAX_NODES) -> Network:
    """Return the graph as a pyvis network, to be styled and shown as one likes.

    Args:
        view: The graph.
        max_nodes: Nodes at most, chosen as in `to_html`.
    """
    return _network(choose(view, max_nodes))[0]


def _network(choice: Choice) -> tuple[Network, Places]:
    from pyvis.network import Network

    network = Network(height="100%", width="100%", directed=True, cdn_resources="in_line")
    network.options = json.loads(_asset("options.json"))
    places = _add_nodes(network, choice)
    _add_edges(network, choice)
    return network, places


def _add_nodes(network: Network, choice: Choice) -> Places:
    places = place(choice.part)
    named = [(short_label(paper), "paper") for paper in choice.papers]
    named += [(concept.label, concept.kind) for concept in choice.concepts]
    spots = zip(places.radii.tolist(), places.positions.tolist(), strict=True)
    for number, (size, (x, y)) in zip(_drawn(choice), spots, strict=True):
        label, kind = named[number]
        look = style.kind_style(kind)
        node = {"size": round(size * _SCALE.get(look.shape, 1.0), 2), "x": x, "y": y, "kind": kind}
        network.add_node(number, label or " ", look.shape, look.light, **node)
    return places


def _drawn(choice: Choice) -> list[int]:
    """Return the number in the page of each node that is drawn."""
    number = choice.numbers
    return [*range(len(choice.papers)), *(number[f"c{key}"] for key in choice.drawn)]


def _add_edges(network: Network, choice: Choice) -> None:
    number = choice.numbers
    for edge in choice.lines:
        look = style.role_style(edge.role)
        ends = number[f"p{edge.paper}"], number[f"c{edge.concept}"]
        network.add_edge(*ends, arrows="", width=look.width, dashes=list(look.dashes) or False)
    for link in choice.links:
        ends = number[f"p{link.source}"], number[f"p{link.target}"]
        network.add_edge(*ends, arrows="", width=1, hidden=bool(choice.drawn), related=True)


def _islands(choice: Choice, places: Places) -> Iterator[dict[str, Any]]:
    """Yield the islands that hold several papers, with the name of their community."""
    drawn = _drawn(choice)
    for territory in places.territories:
        yield {"label": territory.label, "nodes": [drawn[node] for node in territory.nodes]}


def _page(title: str, data: dict[str, Any]) -> str:
    from jinja2 import Environment, StrictUndefined

    sheet = _style_sheet()
    scripts = [_vis_network(), "\n".join(_asset(name) for name in _SCRIPTS)]
    policy = f"script-src {_hashes(scripts)}; style-src {_hashes([sheet])}"
    page = Environment(autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True)
    text = page.from_string(_asset("page.html")).render(
        title=title,
        policy=policy,
        sheet=sheet,
        scripts=scripts,
        data=_embedded(data),
        **_counts(data),
    )
    return _SURROGATE.sub("\ufffd", text)


def _counts(data: dict[str, Any]) -> dict[str, int]:
    return {"papers": len(data["papers"]), "concepts": len(data["concepts"])}


def _embedded(data: dict[str, Any]) -> str:
    """Return JSON that no parser of HTML or JavaScript takes for anything else."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.translate(_ESCAPED)


def _style_sheet() -> str:
    light, dark = (style.custom_properties(theme) for theme in ("light", "dark"))
    night = f"@media (prefers-color-scheme: dark){{:root{{{dark}}}}}"
    return f":root{{{light}}}\n{night}\n{_asset('page.css')}"


def _vis_network() -> str:
    """Return vis-network as pyvis ships it, without the line that names a source map."""
    script = files("pyvis") / "templates" / "lib" / "vis-9.1.2" / "vis-network.min.js"
    text = script.read_text(encoding="utf-8")
    return re.sub(r"//# sourceMappingURL=\S*", "", text)


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")


def _hashes(parts: list[str]) -> str:
    digests = (hashlib.sha256(part.encode("utf-8")).digest() for part in parts)
    return " ".join(f"'sha256-{b64encode(digest).decode('ascii')}'" for digest in digests)
