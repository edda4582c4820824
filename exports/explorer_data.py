"""The data of the explorer's page: columns that it reads at once, texts that it unpacks later.

Nodes are numbered, papers first, both sorted by id. The head holds what is said of the whole,
and ``body``: the columns, packed. A block holds the texts of `BLOCK` papers, packed. To pack is
UTF-8 JSON, raw deflate, base64.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from exports import style
from exports.explorer_texts import paper_texts
from exports.places import Places, place
from exports.published import legal_key
from exports.selection import Part
from exports.short_labels import short_labels
from exports.view import ConceptRecord, EvidenceRecord, LinkRecord, ResultRecord, View

BLOCK = 256
"""Papers whose texts are packed together."""

_DOI = re.compile(r"10\.\d{4,9}/\S+")

About = TypeVar("About", EvidenceRecord, ResultRecord)


@dataclass(frozen=True, slots=True)
class PageData:
    """What stands in the page, ready for JSON.

    Args:
        head: What is said of the whole, and the packed columns.
        blocks: The packed texts.
    """

    head: dict[str, Any]
    blocks: tuple[str, ...]


def explorer_data(part: Part, view: View) -> PageData:
    """Return the data of a part of a graph.

    Args:
        part: What the page shows.
        view: The graph, for its mentions and results.
    """
    number = part.numbers
    kinds, roles = _kinds(part.concepts), _roles(part.edges)
    places = place(part.papers, [c.id for c in part.concepts], part.pairs, part.links)
    body = {
        **_paper_columns(part),
        "concepts": _concept_columns(part.concepts, number, kinds),
        **_place_columns(part, places),
        "edges": {
            "paper": [number[f"p{edge.paper}"] for edge in part.edges],
            "concept": [number[f"c{edge.concept}"] for edge in part.edges],
            "role": [roles.index(edge.role) for edge in part.edges],
        },
        "links": {
            "source": [number[f"p{link.source}"] for link in part.links],
            "target": [number[f"p{link.target}"] for link in part.links],
            "weight": [round(link.weight, 2) for link in part.links],
            "similarity": [round(link.similarity, 2) for link in part.links],
        },
    }
    head = {
        "kinds": [_kind(kind) for kind in kinds],
        "roles": [_role(role) for role in roles],
        "themes": {name: asdict(theme) for name, theme in style.THEMES.items()},
        "body": pack(body),
    }
    return PageData(head, tuple(map(pack, _blocks(part, view, number))))


def pack(value: Any) -> str:
    """Return a JSON value as base64 of its raw deflate, the same for the same value."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(text.encode("utf-8")) + packer.flush()
    return b64encode(packed).decode("ascii")


def web_address(url: str) -> str:
    """Return the URL of a web page, "" for anything else.

    Example:
        >>> web_address("https://example.org/a"), web_address("javascript:alert(1)")
        ('https://example.org/a', '')
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    plain = url.isprintable() and not any(character in url for character in ' "<>\\^`{|}')
    return url if plain and parts.scheme in ("http", "https") and parts.netloc else ""


def _paper_columns(part: Part) -> dict[str, Any]:
    papers = part.papers
    people = _numbered(author for paper in papers for author in paper.authors)
    venues = _numbered(paper.venue for paper in papers if paper.venue)
    return {
        "people": list(people),
        "venues": list(venues),
        "papers": {
            "id": [legal_key(paper.id) for paper in papers],
            "label": short_labels(papers),
            "title": [paper.title or paper.label for paper in papers],
            "authors": [[people[author] for author in paper.authors] for paper in papers],
            "year": [paper.year for paper in papers],
            "venue": [venues.get(paper.venue, -1) for paper in papers],
            "doi": [paper.doi if _DOI.fullmatch(paper.doi) else "" for paper in papers],
            "url": [web_address(paper.url) for paper in papers],
            "code": [[u for u in map(web_address, paper.code_urls) if u] for paper in papers],
        },
    }


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(sorted(set(names)))}


def _concept_columns(
    concepts: Sequence[ConceptRecord], number: Mapping[str, int], kinds: Sequence[str]
) -> dict[str, Any]:
    def nodes(keys: Iterable[str]) -> list[int]:
        return [number[f"c{key}"] for key in keys if f"c{key}" in number]

    return {
        "label": [concept.label for concept in concepts],
        "kind": [kinds.index(concept.kind) for concept in concepts],
        "names": [[*concept.abbreviations, *concept.aliases] for concept in concepts],
        "broader": [nodes(concept.broader) for concept in concepts],
        "related": [nodes(concept.related) for concept in concepts],
        "papers": [concept.papers for concept in concepts],
    }


def _place_columns(part: Part, places: Places) -> dict[str, Any]:
    home = {
        name: number
        for number, territory in enumerate(places.territories)
        for name in territory.nodes
    }
    return {
        "communities": [
            {
                "label": territory.label,
                "x": _short(territory.x),
                "y": _short(territory.y),
                "radius": _short(territory.radius),
                "papers": territory.papers,
            }
            for territory in places.territories
        ],
        "community": [home.get(name, -1) for name in places.radii],
        "x": [_short(x) for x, _ in places.positions],
        "y": [_short(y) for _, y in places.positions],
        "radius": [_short(radius) for radius in places.radii.values()],
    }


def _short(value: float) -> float:
    """Return the number with one decimal, without it where that is 0."""
    rounded = round(value, 1)
    return int(rounded) if rounded == int(rounded) else rounded


def _blocks(part: Part, view: View, number: Mapping[str, int]) -> Iterator[dict[str, list[Any]]]:
    """Yield the columns of each block: what is alike stands together, which packs better."""
    edges, mentions = _by_paper(part.edges), _by_paper(view.mentions())
    results = _by_paper(sorted(view.results(), key=_result_key))
    links: dict[str, list[LinkRecord]] = defaultdict(list)
    for link in part.links:
        links[link.source].append(link)
    for first in range(0, len(part.papers), BLOCK):
        rows = [
            paper_texts(
                paper,
                number,
                edges=edges.get(paper.id, ()),
                mentions=mentions.get(paper.id, ()),
                links=links.get(paper.id, ()),
                results=results.get(paper.id, ()),
            )
            for paper in part.papers[first : first + BLOCK]
        ]
        yield {name: [row[name] for row in rows] for name in rows[0]}


def _result_key(result: ResultRecord) -> tuple[Any, ...]:
    return result.paper, result.start, result.end, result.metric, result.relation, result.dataset


def _by_paper(records: Iterable[About]) -> dict[str, list[About]]:
    found: dict[str, list[About]] = defaultdict(list)
    for record in records:
        found[record.paper].append(record)
    return found


def _kinds(concepts: Iterable[ConceptRecord]) -> list[str]:
    found = {concept.kind for concept in concepts}
    return ["paper", *(k for k in style.KINDS if k in found), *sorted(found - style.KINDS.keys())]


def _kind(kind: str) -> dict[str, Any]:
    look = style.kind_style(kind)
    tints = {theme: style.tint(kind, theme) for theme in style.THEMES}
    return {
        "name": kind,
        "one": look.one,
        "many": look.many,
        "shape": look.shape,
        "light": look.light,
        "dark": look.dark,
        "tints": tints,
    }


def _roles(edges: Iterable[EvidenceRecord]) -> list[str]:
    return sorted({edge.role for edge in edges}, key=style.role_rank)


def _role(role: str) -> dict[str, Any]:
    look = style.role_style(role)
    return {"name": role, **asdict(look), "dashes": list(look.dashes)}
