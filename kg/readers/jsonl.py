"""JSON and JSON Lines: of the sources that are known by their keys, and of any other.

`SOURCES` is the only list of those sources; each record is known by itself, so that a file
may hold several kinds. Any other object is read by the names that its fields mostly have.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from kg.model import Record, Skipped, Source
from kg.readers import arxiv, crossref, csl, openalex, openreview, semantic_scholar
from kg.readers.files import InputFile
from kg.readers.json_stream import Piece, find_pieces
from kg.readers.json_values import first_text, get, items, text_of, texts, year_of
from kg.readers.markup import to_text
from kg.readers.reader import Reader, split_keywords, split_names

Object = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class JsonSource:
    """How the objects of one source are known and read.

    Args:
        fits: Tells whether an object is of this source.
        to_record: Makes it a record, or says why it is none.
    """

    fits: Callable[[Object], bool]
    to_record: Callable[[Object, Source], Record | Skipped]


SOURCES: dict[str, JsonSource] = {
    "openalex": JsonSource(openalex.fits, openalex.to_record),
    "openreview": JsonSource(openreview.fits, openreview.to_record),
    "semantic_scholar": JsonSource(semantic_scholar.fits, semantic_scholar.to_record),
    "arxiv": JsonSource(arxiv.fits, arxiv.to_record),
    "crossref": JsonSource(crossref.fits, crossref.to_record),
    "csl": JsonSource(csl.fits, csl.to_record),
}
"""The sources of JSON by name, in the order in which they are tried."""

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BEGINS = re.compile(r"\s*(?:\[\s*(?:null\s*,\s*)*)?\{\s*(?:\"|\}|$)")

_IDENTIFIER = ("id", "paperId", "paper_id", "_id", "uid", "corpusId", "key")
_TITLE = ("title", "display_name", "name")
_ABSTRACT = ("abstract", "abstractText", "summary", "text")
_YEAR = ("year", "publication_year", "publicationDate", "publication_date", "date", "published")
_VENUE = ("venue", "journal", "booktitle", "container-title", "host_venue", "conference")
_URL = ("url", "link", "pdf_url", "URL")
_DOI = ("doi", "DOI")
_NAME = ("name", "display_name", "full_name", "author", "literal")


def read(file: InputFile) -> Iterator[Record | Skipped]:
    """Read the objects of lines, of an array, or of the answer of an API."""
    stream = cast(BinaryIO, file.stream)
    if file.stream.peek(2)[:2] in _UTF16:
        stream = cast(BinaryIO, codecs.EncodedFile(stream, "utf-8", "utf-16", errors="replace"))
    for piece in find_pieces(stream):
        source = Source(file.name, piece.line)
        value = piece.value if piece.value is not None else _parsed(piece, source, file)
        yield value if isinstance(value, Skipped) else _from_nested(value, source)


def from_object(value: Object, source: Source) -> Record | Skipped:
    """Return an object as a record, by the source that it is of."""
    for known in SOURCES.values():
        if known.fits(value):
            return known.to_record(value, source)
    return _to_record(value, source)


def _from_nested(value: Object, source: Source) -> Record | Skipped:
    try:
        return from_object(value, source)
    except RecursionError:
        return Skipped(source, "its values are nested too deeply")


def _parsed(piece: Piece, source: Source, file: InputFile) -> Any:
    """Return the object that a piece is, or why it is none."""
    if piece.reason:
        return Skipped(source, piece.reason)
    try:
        value = json.loads(_decoded(piece.raw, file), strict=False)
    except json.JSONDecodeError as error:
        return Skipped(source, f"no JSON: {error.msg} at character {error.pos + 1}")
    except (ValueError, RecursionError) as error:
        return Skipped(source, f"no JSON that can be read: {error}")
    if not isinstance(value, dict):
        return Skipped(source, f"a JSON {_kind(value)} where an object should be")
    return value


def _decoded(raw: bytes, file: InputFile) -> str:
    """Return the text of a piece; one that is no UTF-8 is counted, and guessed."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        file.guessed += 1
        return raw.decode(file.guess.replace(" ", ""), errors="replace")


def _kind(value: object) -> str:
    names = {list: "array", str: "string", bool: "boolean", type(None): "null"}
    return names.get(type(value), "number")


def _to_record(value: Object, source: Source) -> Record:
    identifier = first_text(value, *_IDENTIFIER)
    return Record(
        source=Source(source.file, source.line, identifier),
        abstract=to_text(first_text(value, *_ABSTRACT)),
        title=to_text(first_text(value, *_TITLE)),
        authors=_names(value.get("authors") or value.get("author")),
        year=year_of(*(value.get(name) for name in _YEAR)),
        venue=first_text(value, *_VENUE),
        doi=first_text(value, *_DOI) or text_of(get(value, "externalIds", "DOI")),
        url=first_text(value, *_URL),
        keywords=_keywords(value.get("keywords")),
        identifier=identifier,
    )


def _names(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return split_names(value)
    return tuple(name for item in items(value) if (name := _name(item)))


def _name(value: object) -> str:
    if isinstance(value, str) or not isinstance(value, Mapping):
        return text_of(value)
    parts = (first_text(value, *pair) for pair in (("first", "given"), ("last", "family")))
    return first_text(value, *_NAME) or " ".join(filter(None, parts))


def _keywords(value: object) -> tuple[str, ...]:
    return texts(value) if isinstance(value, list) else split_keywords(text_of(value))


def looks_like(head: str) -> bool:
    """Tell whether a text begins with a JSON object, or an array of them."""
    return bool(_BEGINS.match(head))


READER = Reader(read, looks_like, (".jsonl", ".ndjson", ".json"))
