"""JSON Lines: an object a line; also one JSON array of objects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from kg.model import Record, Skipped, Source
from kg.readers.reader import Reader, find_year, split_keywords

_OBJECT = re.compile(r"\s*(?:\[\s*)?\{\s*(?:\"|\}|$)")

_IDENTIFIER = ("id", "paperId", "paper_id", "_id", "uid", "corpusId", "key")
_TITLE = ("title", "display_name", "name")
_ABSTRACT = ("abstract", "abstractText", "summary", "text")
_YEAR = ("year", "publication_year", "publicationDate", "publication_date", "date", "published")
_VENUE = ("venue", "journal", "booktitle", "container-title", "host_venue", "conference")
_URL = ("url", "link", "pdf_url", "URL")
_DOI = ("doi", "DOI")
_NAME = ("name", "display_name", "full_name", "author", "literal")


def read(lines: Iterable[str], file: str) -> Iterator[Record | Skipped]:
    """Read one record a line, or the objects of one array."""
    numbered = enumerate(lines, start=1)
    first = next(((n, line) for n, line in numbered if line.strip()), None)
    if first is None:
        return
    if first[1].lstrip()[0] == "[" or first[1].strip() == "{":
        yield from _read_whole(chain([first[1]], (line for _, line in numbered)), file)
        return
    for number, line in chain([first], numbered):
        if line.strip():
            yield _from_line(line, Source(file, number))


def _read_whole(lines: Iterable[str], file: str) -> Iterator[Record | Skipped]:
    value = _parsed("".join(lines))
    if isinstance(value, Skipped):
        yield Skipped(Source(file), value.reason)
        return
    for item in value if isinstance(value, list) else [value]:
        yield _from_value(item, Source(file))


def _from_line(line: str, source: Source) -> Record | Skipped:
    value = _parsed(line)
    return (
        Skipped(source, value.reason) if isinstance(value, Skipped) else _from_value(value, source)
    )


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        return Skipped(Source(), f"no JSON: {error.msg} at character {error.pos + 1}")
    except (ValueError, RecursionError) as error:
        return Skipped(Source(), f"no JSON that can be read: {error}")


def _from_value(value: object, source: Source) -> Record | Skipped:
    if not isinstance(value, dict):
        return Skipped(source, f"a JSON {_kind(value)} where an object should be")
    identifier = _first(value, _IDENTIFIER)
    return Record(
        source=Source(source.file, source.line, identifier),
        abstract=_first(value, _ABSTRACT) or _uninverted(value.get("abstract_inverted_index")),
        title=_first(value, _TITLE),
        authors=_names(value.get("authors") or value.get("author")),
        year=find_year(_first(value, _YEAR)),
        venue=_first(value, _VENUE),
        doi=_first(value, _DOI) or _text(_get(value.get("externalIds"), "DOI")),
        url=_first(value, _URL),
        keywords=_keywords(value.get("keywords")),
        identifier=identifier,
    )


def _kind(value: object) -> str:
    names = {list: "array", str: "string", bool: "boolean", type(None): "null"}
    return names.get(type(value), "number")


def _get(value: object, name: str) -> object:
    return value.get(name) if isinstance(value, Mapping) else None


def _first(value: Mapping[str, Any], names: tuple[str, ...]) -> str:
    """Return the first of these fields that says something."""
    return next((text for name in names if (text := _text(value.get(name)))), "")


def _text(value: object) -> str:
    """Return a JSON value as text; a missing one, and what has no plain text, as none."""
    if isinstance(value, str):
        return "" if value.strip().casefold() in ("none", "nan", "null") else value
    if isinstance(value, bool) or value is None or value != value:
        return ""
    if isinstance(value, int | float):
        return str(int(value)) if float(value).is_integer() else str(value)
    if isinstance(value, list):
        return " ".join(filter(None, map(_text, value)))
    return next(
        (text for name in ("value", "name", "display_name") if (text := _text(_get(value, name)))),
        "",
    )


def _uninverted(index: object) -> str:
    """Return the text of an inverted index of words, each at all of its positions."""
    if not isinstance(index, Mapping):
        return ""
    places = (
        (place, word)
        for word, found in index.items()
        for place in (found if isinstance(found, list) else [])
        if isinstance(place, int)
    )
    return " ".join(word for _, word in sorted(places))


def _names(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        separator = r";|\band\b" if re.search(r";|\band\b", value) else r",(?=\s*\S+\s)"
        return tuple(name.strip() for name in re.split(separator, value) if name.strip())
    found = (_name(item) for item in value) if isinstance(value, list) else ()
    return tuple(name for name in found if name)


def _name(value: object) -> str:
    if not isinstance(value, Mapping):
        return _text(value)
    whole = next((text for name in _NAME if (text := _text(value.get(name)))), "")
    parts = [
        _text(value.get(name)) for pair in (("first", "given"), ("last", "family")) for name in pair
    ]
    return whole or " ".join(filter(None, parts))


def _keywords(value: object) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(filter(None, map(_text, value)))
    return split_keywords(_text(value))


def looks_like(head: str) -> bool:
    """Tell whether a text begins with a JSON object, or an array of them."""
    return bool(_OBJECT.match(head))


READER = Reader(read, looks_like, (".jsonl", ".ndjson", ".json"))
