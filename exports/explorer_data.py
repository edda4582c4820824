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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any, TypeVar
from urllib.parse import urlsplit

import numpy as np

from exports import style
from exports.explorer_texts import ELSEWHERE, Evidence, Mention, paper_texts
from exports.packing import Numbers
from exports.places import Places, place
from exports.published import legal_key
from exports.rows import Indices, Rows, rows
from exports.selection import Lines, Part, lines
from exports.short_labels import short_labels
from exports.view import ConceptRecord, PaperRecord, ResultRecord, View

BLOCK = 256
"""Papers whose texts are packed together."""

_LEVEL = 5  # of deflate: 3 per cent more than the highest, in a quarter of its time

_DOI = re.compile(r"10\.\d{4,9}/\S+")
_ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(?:[/?#][A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*)?")

Value = TypeVar("Value")


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
    papers: list[PaperRecord] = part.papers.records()
    concepts: list[ConceptRecord] = part.concepts.records()
    kinds, roles = _kinds(concepts), _roles(part.edges)
    number = {key: len(papers) + place for place, key in enumerate(part.concepts.ids)}
    body = {
        **_paper_columns(papers),
        "concepts": _concept_columns(concepts, number, kinds),
        **_place_columns(len(part), place(part)),
        "edges": {
            "paper": part.edges.source.tolist(),
            "concept": (len(papers) + part.edges.target).tolist(),
            "role": part.edges.codes("role", roles).tolist(),
        },
        "links": {
            "source": part.links.source.tolist(),
            "target": part.links.target.tolist(),
            **_strengths(part.links.taken()),
        },
    }
    head = {
        "kinds": [_kind(kind) for kind in kinds],
        "roles": [_role(role) for role in roles],
        "themes": {name: asdict(theme) for name, theme in style.THEMES.items()},
        "body": pack(body),
    }
    return PageData(head, tuple(map(pack, _blocks(part, papers, view, number))))


def pack(value: Any) -> str:
    """Return a JSON value as base64 of its raw deflate, the same for the same value."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(text.encode("utf-8")) + packer.flush()
    return b64encode(packed).decode("ascii")


def web_address(url: str) -> str:
    """Return the URL of a web page, "" for anything else.

    Example:
        >>> web_address("https://example.org/a"), web_address("javascript:alert(1)")
        ('https://example.org/a', '')
    """
    if not url or _ADDRESS.fullmatch(url):  # most are: no need to look closer
        return url
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    plain = url.isprintable() and not any(character in url for character in ' "<>\\^`{|}')
    return url if plain and parts.scheme in ("http", "https") and parts.netloc else ""


def _paper_columns(papers: Sequence[PaperRecord]) -> dict[str, Any]:
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
        return [number[key] for key in keys if key in number]

    return {
        "label": [concept.label for concept in concepts],
        "kind": [kinds.index(concept.kind) for concept in concepts],
        "names": [[*concept.abbreviations, *concept.aliases] for concept in concepts],
        "broader": [nodes(concept.broader) for concept in concepts],
        "related": [nodes(concept.related) for concept in concepts],
        "papers": [concept.papers for concept in concepts],
    }


def _strengths(links: Rows) -> dict[str, list[float]]:
    names = ("weight", "similarity")
    return {name: np.array(links.column(name), float).round(2).tolist() for name in names}


def _place_columns(nodes: int, places: Places) -> dict[str, Any]:
    home = np.full(nodes, -1)
    for number, territory in enumerate(places.territories):
        home[list(territory.nodes)] = number
    islands = np.array([(t.x, t.y, t.radius) for t in places.territories]).reshape(-1, 3)
    discs = map(_short, islands.T)
    return {
        "communities": [
            {
                "label": territory.label,
                "x": x,
                "y": y,
                "radius": radius,
                "papers": territory.papers,
            }
            for territory, x, y, radius in zip(places.territories, *discs, strict=True)
        ],
        "community": home.tolist(),
        "x": _short(places.positions[:, 0]),
        "y": _short(places.positions[:, 1]),
        "radius": _short(places.radii),
    }


def _short(values: Numbers) -> list[float]:
    """Return the numbers with one decimal, without it where that is 0."""
    rounded = values.round(1).tolist()
    return [int(value) if value.is_integer() else value for value in rounded]


def _blocks(
    part: Part, papers: Sequence[PaperRecord], view: View, number: Mapping[str, int]
) -> Iterator[dict[str, list[Any]]]:
    """Yield the columns of each block: what is alike stands together, which packs better."""
    edges, mentions = part.edges.apart(), _mentions(part, view)
    shared, results = _shared(part), _results(part, view)
    for first in range(0, len(papers), BLOCK):
        shown = papers[first : first + BLOCK]
        numbers = range(first, first + len(shown))
        texts = [
            paper_texts(*row, results=results.get(row[0].id, ()), number=number)
            for row in zip(
                shown,
                _of_each(edges.source, numbers, lambda some: _evidence(edges.only(some))),
                _of_each(mentions.source, numbers, lambda some: _places(mentions.only(some))),
                _of_each(part.links.source, numbers, shared.__getitem__),
                strict=True,
            )
        ]
        yield {name: [text[name] for text in texts] for name in texts[0]}


def _of_each(
    owners: Indices, papers: range, read: Callable[[slice], Iterable[Value]]
) -> Iterator[list[Value]]:
    """Yield the values of each of some papers.

    Args:
        owners: The paper of each value, sorted.
        papers: The numbers of the papers.
        read: Returns the values of a slice.
    """
    stops = np.searchsorted(owners, np.arange(papers.start, papers.stop + 1)).tolist()
    found = list(read(slice(stops[0], stops[-1])))
    for start, stop in pairwise(stops):
        yield found[start - stops[0] : stop - stops[0]]


def _evidence(edges: Lines) -> Iterator[Evidence]:
    found = edges.taken()
    return map(Evidence._make, zip(*map(found.column, Evidence._fields), strict=True))


def _mentions(part: Part, view: View) -> Lines:
    """Return the places in the texts of the papers that name a concept of the page."""
    told = rows(view, "mentions", ("paper", "concept", "field", "start", "quote"))
    known = lines(told, ("paper", part.papers), ("concept", part.concepts))
    found = known.only(known.codes("field", ELSEWHERE) < 0).apart()
    return replace(found, target=len(part.papers) + found.target)


def _places(mentions: Lines) -> Iterator[Mention]:
    found = mentions.taken()
    columns = found.column("start"), found.column("quote"), mentions.target.tolist()
    return map(Mention._make, zip(*columns, strict=True))


def _shared(part: Part) -> list[list[int]]:
    """Return the numbers of the concepts that each link shares."""
    codes, owners = part.links.taken().listed("concepts", part.concepts.ids)
    numbers = (len(part.papers) + codes).tolist()
    stops = np.searchsorted(owners, np.arange(len(part.links) + 1)).tolist()
    return [numbers[start:stop] for start, stop in pairwise(stops)]


def _results(part: Part, view: View) -> dict[str, list[ResultRecord]]:
    """Return what each paper reports, in the order of its text."""
    found = rows(view, "results")
    told = found.take(np.flatnonzero(found.codes("paper", part.papers.ids) >= 0)).records()
    by_paper: dict[str, list[ResultRecord]] = defaultdict(list)
    for result in sorted(told, key=_result_key):
        by_paper[result.paper].append(result)
    return by_paper


def _result_key(result: ResultRecord) -> tuple[Any, ...]:
    return result.paper, result.start, result.end, result.metric, result.relation, result.dataset


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


def _roles(edges: Lines) -> list[str]:
    """Return the roles of the edges, the strongest first."""
    known = sorted(edges.rows.distinct("role"), key=style.role_rank)
    return [known[code] for code in np.unique(edges.codes("role", known)).tolist()]


def _role(role: str) -> dict[str, Any]:
    look = style.role_style(role)
    return {"name": role, **asdict(look), "dashes": list(look.dashes)}
