"""GraphML and GEXF, for Gephi, Cytoscape, yEd and networkx.

Both formats know numbers, truth values and strings alone; `sanitise` makes any networkx
graph fit, so that what is written can be read back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import networkx as nx
from networkx.readwrite.gexf import GEXFWriter

from exports.atomic import writing
from exports.files import AnyRecord, to_row
from exports.published import Published, legal, legal_key
from exports.values import plain
from exports.view import CONCEPT_PREFIX, View

# Names that networkx takes for parts of GEXF itself, so that they would be no attributes.
_GEXF_NODE = ("id", "pid", "start", "end", "viz", "parents", "slices", "spells")
_GEXF_EDGE = ("id", "type", "start", "end", "viz", "slices", "spells", "key")
_MARK = "attribute:"

Attributes = dict[str, Any]


def to_network(view: View, *, abstracts: str = "full") -> nx.MultiDiGraph:
    """Return the graph with plain attributes, as it is written to GraphML and GEXF.

    Args:
        view: The graph.
        abstracts: "full", "evidence" (sentences alone) or "none".
    """
    published = Published(view, abstracts)
    graph = nx.MultiDiGraph()
    for paper in published.papers():
        graph.add_node(paper.id, type="paper", **_attributes(paper, "id"))
    for concept in published.concepts():
        key = CONCEPT_PREFIX + concept.id
        graph.add_node(key, type="concept", **_attributes(concept, "broader", "related"))
    for number, (source, target, data) in enumerate(_edges(published)):
        graph.add_edge(source, target, key=f"e{number}", **data)
    return sanitise(graph)


def write_graphml(view: View, path: Path, *, abstracts: str = "full") -> None:
    """Write GraphML."""
    with writing(path) as out:
        nx.write_graphml_xml(to_network(view, abstracts=abstracts), out)


def write_gexf(view: View, path: Path, *, abstracts: str = "full") -> None:
    """Write GEXF 1.2."""
    with writing(path) as out:
        out.write(to_gexf(to_network(view, abstracts=abstracts)))


def to_gexf(graph: nx.Graph) -> bytes:
    """Return a sanitised graph in GEXF, all its attributes as attributes, without a date."""
    marked = graph.copy()
    for _, data in marked.nodes(data=True):
        _mark(data, _GEXF_NODE)
    for *_, data in marked.edges(data=True):
        _mark(data, _GEXF_EDGE)
    writer = GEXFWriter(encoding="utf-8", version="1.2draft")
    writer.add_graph(marked)
    for attribute in writer.xml.iter("attribute"):
        attribute.set("title", attribute.get("title").removeprefix(_MARK))
    writer.xml.find("meta").attrib.pop("lastmodifieddate")
    return ('<?xml version="1.0" encoding="UTF-8"?>\n' + str(writer)).encode()


def sanitise(graph: nx.Graph) -> nx.Graph:
    """Return a copy whose attributes GraphML and GEXF can hold and give back.

    What is null is left away; lists and dicts become JSON; of an attribute that is a number
    here and a string there the strings move to ``raw_`` and its name; control characters
    are dropped.

    Example:
        >>> graph = nx.Graph()
        >>> graph.add_nodes_from([("a", {"width": 3}), ("b", {"width": "very wide"})])
        >>> sanitise(graph).nodes["b"]
        {'raw_width': 'very wide'}
    """
    clean = nx.relabel_nodes(graph, {key: _name(key, graph) for key in graph}, copy=True)
    clean.graph.clear()
    _unify([data for _, data in clean.nodes(data=True)])
    _unify([data for *_, data in clean.edges(data=True)])
    return clean


def _name(key: Any, graph: nx.Graph) -> str:
    """Return a node's name as a string of its own: 1 and "1" are two nodes."""
    name = legal_key(str(key))
    taken = not isinstance(key, str) and str(key) in graph
    return f"{name}~{type(key).__name__}" if taken else name


def _attributes(record: AnyRecord, *without: str) -> Attributes:
    return {name: value for name, value in to_row(record).items() if name not in without}


def _edges(published: Published) -> Iterator[tuple[str, str, Attributes]]:
    for edge in published.edges():
        data = _attributes(edge, "paper", "concept")
        yield (
            edge.paper,
            CONCEPT_PREFIX + edge.concept,
            {"type": "role", "label": edge.role, **data},
        )
    for concept in published.concepts():
        for other in concept.broader:
            ends = (CONCEPT_PREFIX + concept.id, CONCEPT_PREFIX + other)
            yield *ends, {"type": "broader", "label": "broader"}
    for link in published.links():
        data = _attributes(link, "source", "target")
        yield link.source, link.target, {"type": "related", "label": "related", **data}


def _unify(items: list[Attributes]) -> None:
    """Make the attributes plain, and each of one type over all items, in place."""
    for data in items:
        values = {_string(str(name)): _scalar(value) for name, value in data.items()}
        data.clear()
        data.update({name: value for name, value in values.items() if value is not None})
    types: dict[str, set[type]] = {}
    for data in items:
        for name, value in data.items():
            types.setdefault(name, set()).add(type(value))
    taken = set(types)
    for name in [name for name, found in types.items() if len(found) > 1]:
        raw = f"raw_{name}"
        while raw in taken:
            raw = f"raw_{raw}"
        taken.add(raw)
        _unify_attribute(name, raw, types[name], items)


def _unify_attribute(name: str, raw: str, types: set[type], items: Iterable[Attributes]) -> None:
    number = float if types & {int, float} == {int, float} else None
    for data in items:
        value = data.get(name)
        if isinstance(value, str | bool):
            data[raw] = str(data.pop(name))
        elif value is not None and number:
            data[name] = number(value)


def _scalar(value: Any) -> Any:
    """Return a value as number, truth value or string; null for what is none of them."""
    value = plain(value)
    if isinstance(value, list | dict):
        value = json.dumps(value, ensure_ascii=False)
    return _string(value) if isinstance(value, str) else value


def _string(value: str) -> str:
    """Return a legal string with the line ends that XML gives back."""
    return legal(value).replace("\r\n", "\n").replace("\r", "\n")


def _mark(data: Attributes, names: Iterable[str]) -> None:
    for name in names:
        if name in data:
            data[_MARK + name] = data.pop(name)
