"""EndNote XML, which EndNote, Zotero, Bookends and others export."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from kg.model import Record, Skipped, Source
from kg.readers.files import InputFile
from kg.readers.markup import flatten
from kg.readers.reader import Reader, find_year, first_name_first
from kg.readers.xml_stream import Path, plain, plains, read_records, root_name

_RECORD = re.compile(r"<(?:record|records)[\s>]")
_OWN = re.compile(r"<(?:rec-number|ref-type|source-app|contributors)[\s>]")
_VENUES = (
    "titles/secondary-title",
    "periodical/full-title",
    "titles/alt-title",
    "alt-periodical/full-title",
)
_SCRIPTS = {"superscript": "sup", "subscript": "sub"}


def read(file: InputFile) -> Iterator[Record | Skipped]:
    """Read the records of an exported library."""
    return read_records(file, frozenset({"record"}), _from_record)


def _from_record(record: Element, path: Path, source: Source) -> Record:
    _mark_scripts(record)
    identifier = plain(record, "accession-num") or plain(record, "rec-number")
    return Record(
        source=Source(source.file, source.line, identifier),
        abstract=flatten(record.find("abstract")),
        title=flatten(record.find("titles/title")),
        authors=tuple(map(first_name_first, plains(record, "contributors/authors/author"))),
        year=find_year(plain(record, "dates/year") or plain(record, "dates/pub-dates/date")),
        venue=next(filter(None, (plain(record, place) for place in _VENUES)), ""),
        doi=plain(record, "electronic-resource-num"),
        url=_url(record),
        keywords=_keywords(record),
        identifier=identifier,
    )


def _mark_scripts(record: Element) -> None:
    """Name the styles that raise or lower their text as other formats do."""
    for style in record.iter("style"):
        style.tag = _SCRIPTS.get(style.get("face", ""), "style")


def _url(record: Element) -> str:
    """Return the first address on the web."""
    places = ("urls/related-urls/url", "urls/web-urls/url", "urls/pdf-urls/url")
    found = (url for place in places for url in plains(record, place))
    return next((url for url in found if url.startswith("http")), "")


def _keywords(record: Element) -> tuple[str, ...]:
    """Return the keywords; some programs put all of them into one, a line each."""
    lines = (
        line
        for keyword in record.findall("keywords/keyword")
        for line in re.split(r"[\r\n]", "".join(keyword.itertext()))
    )
    return tuple(line.strip() for line in lines if line.strip())


def looks_like(head: str) -> bool:
    """Tell whether a text begins with records of EndNote."""
    root = root_name(head)
    begins = root in ("xml", "records", "record") and _RECORD.search(head)
    return bool(begins and (root == "xml" or _OWN.search(head)))


READER = Reader(read, looks_like, (".xml",))
