"""arXiv: papers found by a search or by their ids.

Protocol: https://info.arxiv.org/help/api/user-manual.html, at most one request in three
seconds. The entries of its Atom feed become records like those of its metadata snapshot.
"""

from __future__ import annotations

import re
from io import BytesIO
from xml.etree.ElementTree import Element

from kg.fetch.connection import Connection
from kg.fetch.service import Ask, Page, Row
from kg.readers.arxiv import arxiv_id
from kg.readers.xml_stream import find_elements, plain, plains

_FIELD = re.compile(
    r"\b(?:ti|au|abs|co|jr|cat|rn|id|all|submittedDate|lastUpdatedDate):|\b(?:AND|OR|ANDNOT)\b"
)
_TERM = re.compile(r'"[^"]+"|[^\s"]+')
_WANTED = frozenset({"entry", "totalResults"})
_EMPTY = 3  # times that arXiv may answer nothing where there is something


def page(connection: Connection, ask: Ask) -> Page:
    """Return the papers of one page.

    Raises:
        FetchError: If arXiv cannot be reached, refuses, or goes on answering empty pages.
    """
    start = int(ask.position or 0)
    params = _searched(ask.query) | {"start": start, "max_results": ask.size}
    for _ in range(_EMPTY):
        entries, total = _read(connection, connection.get("/api/query", params))
        if entries or start >= total:
            break
    else:
        raise connection.refusal("an empty page where papers should be")
    end = start + len(entries)
    records = [_record(entry) for entry in entries if plain(entry, "title")]
    return Page(records, str(end) if entries and end < total else "", total)


def _searched(query: str) -> dict[str, str | int]:
    """Return the parameters of a query: ids, a search in arXiv's own language, or words.

    Example:
        >>> _searched('graph "neural network"')
        {'search_query': 'all:graph AND all:"neural network"'}
    """
    words = [word for word in re.split(r"[\s,]+", query) if word]
    if all(map(arxiv_id, words)):
        return {"id_list": ",".join(map(_versioned, words))}
    if _FIELD.search(query):
        return {"search_query": query}
    return {"search_query": " AND ".join(f"all:{term}" for term in _TERM.findall(query))}


def _versioned(word: str) -> str:
    version = re.search(r"v\d+$", word)
    return arxiv_id(word) + (version[0] if version else "")


def _read(connection: Connection, body: bytes) -> tuple[list[Element], int]:
    """Return the entries of a feed, and how many there are in all."""
    entries, total = [], 0
    for found in find_elements(BytesIO(body), _WANTED):
        if found.element is None:
            raise connection.refusal(f"an answer that is no feed ({found.reason})")
        if found.element.tag == "totalResults":
            total = int(plain(found.element)) if plain(found.element).isdecimal() else 0
        elif "/api/errors" in plain(found.element, "id"):
            raise connection.refusal(plain(found.element, "summary"), "see the query")
        else:
            entries.append(found.element)
    return entries, total


def _record(entry: Element) -> Row:
    address = plain(entry, "id")
    version = re.search(r"v\d+$", address)
    names = plains(entry, "author/name")
    record = {
        "id": arxiv_id(address) or address,
        "title": plain(entry, "title"),
        "abstract": plain(entry, "summary"),
        "authors": ", ".join(names),
        "authors_parsed": [_parsed(name) for name in names],
        "categories": " ".join(c.get("term", "") for c in entry.findall("category")),
        "comments": plain(entry, "comment"),
        "journal-ref": plain(entry, "journal_ref"),
        "doi": plain(entry, "doi"),
        "update_date": plain(entry, "updated")[:10],
        "versions": [
            {"version": version[0] if version else "v1", "created": plain(entry, "published")}
        ],
    }
    return {name: value or None for name, value in record.items()}


def _parsed(name: str) -> list[str]:
    """Return family name, given names and suffix; the feed has names in one piece.

    Example:
        >>> _parsed("Ada B. Moth")
        ['Moth', 'Ada B.', '']
    """
    given, _, family = name.rpartition(" ")
    return [family, given, ""]
