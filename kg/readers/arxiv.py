"""arXiv: the Atom feed of its API, and the snapshot of its metadata (JSON Lines)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element

from kg.model import Record, Skipped, Source
from kg.readers.files import InputFile
from kg.readers.json_values import first_text, get, items, text_of
from kg.readers.reader import Reader, find_year, first_name_first
from kg.readers.xml_stream import Path, plain, plains, read_records, root_name

_ID = re.compile(
    r"(?:(?:https?://)?(?:export\.)?arxiv\.org/abs/|oai:arXiv\.org:|arXiv:)?"
    r"([\w.-]+/\d{7}|\d{4}\.\d{4,5})(?:v\d+)?",
    re.IGNORECASE,
)


def arxiv_id(text: str) -> str:
    """Return the id of a paper without its version; "" where there is none.

    Example:
        >>> arxiv_id("http://arxiv.org/abs/astro-ph/0601001v1"), arxiv_id("2101.00001v2")
        ('astro-ph/0601001', '2101.00001')
    """
    found = _ID.fullmatch(text.strip())
    return found[1] if found else ""


def read(file: InputFile) -> Iterator[Record | Skipped]:
    """Read the entries of an Atom feed."""
    return read_records(file, frozenset({"entry"}), _from_entry)


def _from_entry(entry: Element, path: Path, source: Source) -> Record | Skipped:
    address = plain(entry, "id")
    if "/api/errors" in address:
        return Skipped(source, f"an error of the arXiv API: {plain(entry, 'summary')[:200]}")
    identifier = arxiv_id(address) or address
    return Record(
        source=Source(source.file, source.line, identifier),
        abstract=plain(entry, "summary") or plain(entry, "content"),
        title=plain(entry, "title"),
        authors=plains(entry, "author/name"),
        year=find_year(plain(entry, "published") or plain(entry, "updated")),
        venue=plain(entry, "journal_ref") or "arXiv" * bool(arxiv_id(address)),
        doi=plain(entry, "doi"),
        url=_page(entry) or address,
        identifier=identifier,
    )


def _page(entry: Element) -> str:
    links = (link for link in entry.findall("link") if link.get("rel", "alternate") == "alternate")
    return next((link.get("href", "") for link in links), "")


def fits(value: Mapping[str, object]) -> bool:
    """Tell whether a JSON object is a paper of the snapshot."""
    return "authors_parsed" in value or {"categories", "update_date"} <= value.keys()


def to_record(value: Mapping[str, object], source: Source) -> Record:
    """Return a paper of the snapshot as a record."""
    identifier = text_of(value.get("id"))
    first = next(items(value.get("versions")), None)
    return Record(
        source=source,
        abstract=first_text(value, "abstract"),
        title=first_text(value, "title"),
        authors=_authors(value),
        year=find_year(text_of(get(first, "created")) or first_text(value, "update_date")),
        venue=first_text(value, "journal-ref") or "arXiv",
        doi=first_text(value, "doi"),
        url=f"https://arxiv.org/abs/{identifier}" if identifier else "",
        identifier=identifier,
    )


def _authors(value: Mapping[str, object]) -> tuple[str, ...]:
    """Return the names; each is given as family name, first names, suffix, affiliations."""
    parsed = [list(map(text_of, items(name)))[:3] for name in items(value.get("authors_parsed"))]
    names = [" ".join(filter(None, [*name[1:2], *name[:1], *name[2:]])) for name in parsed]
    if names:
        return tuple(filter(None, names))
    listed = re.split(r", | and ", " ".join(first_text(value, "authors").split()))
    return tuple(name for name in map(first_name_first, listed) if name)


READER = Reader(read, lambda head: root_name(head) in ("feed", "entry"), (".xml", ".atom"))
