"""JSON-LD, streamed one subject a line, with its context in the file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import groupby
from typing import IO, Any

from pyoxigraph import Literal, NamedNode, Triple

from exports.descriptions import Description
from exports.errors import OptionError
from exports.iris import Iris
from exports.vocabulary import PREFIXES, prefixed, term


def serialize_jsonld(iris: Iris, descriptions: Iterable[Description], out: IO[bytes]) -> None:
    """Write the descriptions, each layer as a named graph; nothing is ever fetched."""
    out.write(b'{"@context": ' + _json(PREFIXES) + b',\n "@graph": [')
    for place, (layer, group) in enumerate(groupby(descriptions, key=lambda d: d.layer)):
        name = _json(iris.of("graph", layer).value)
        out.write((b",\n" if place else b"\n") + b'{"@id": ' + name + b', "@graph": [\n')
        for number, description in enumerate(group):
            out.write((b",\n" if number else b"") + _json(to_node(description)))
        out.write(b"\n]}")
    out.write(b"\n]}\n")


def to_node(description: Description) -> dict[str, Any]:
    """Return a description as a JSON-LD node object."""
    node: dict[str, Any] = {"@id": description.subject.value}
    for predicate, value in description.statements:
        if predicate == term("rdf:type") and isinstance(value, NamedNode):
            node.setdefault("@type", []).append(prefixed(value.value))
        else:
            node.setdefault(prefixed(predicate.value), []).append(_value(value))
    return {key: _alone(value) for key, value in node.items()}


def _value(value: NamedNode | Literal | Triple) -> Any:
    if isinstance(value, Triple):
        raise OptionError("JSON-LD cannot hold RDF 1.2; choose ttl, nt, nq or trig")
    if isinstance(value, NamedNode):
        return {"@id": value.value}
    if value.language:
        return {"@value": value.value, "@language": value.language}
    if value.datatype == term("xsd:string"):
        return value.value
    return {"@value": value.value, "@type": prefixed(value.datatype.value)}


def _alone(value: Any) -> Any:
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()
