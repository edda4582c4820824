"""CSL-JSON, which citation managers export and DOI services answer."""

from __future__ import annotations

from collections.abc import Mapping

from kg.model import Record, Source
from kg.readers.json_values import first_item, first_text, get, items, text_of, year_of
from kg.readers.markup import to_text
from kg.readers.reader import split_keywords

_OWN = ("container-title", "citation-key", "citation-label", "event-title", "collection-title")
_PARTS = ("given", "dropping-particle", "non-dropping-particle", "family", "suffix")
_WHOLE = ("literal", "name")


def fits(value: Mapping[str, object]) -> bool:
    """Tell whether a JSON object is an item of CSL."""
    return isinstance(value.get("issued"), Mapping) or any(key in value for key in _OWN)


def to_record(value: Mapping[str, object], source: Source) -> Record:
    """Return an item as a record."""
    identifier = first_text(value, "id", "citation-key", "DOI")
    return Record(
        source=Source(source.file, source.line, identifier),
        abstract=to_text(first_text(value, "abstract")),
        title=to_text(first_item(value.get("title"))),
        authors=names(value.get("author")),
        year=year_of(value.get("issued"), value.get("year")),
        venue=to_text(first_item(value.get("container-title")) or _meeting(value)),
        doi=first_text(value, "DOI", "doi"),
        url=first_text(value, "URL", "url"),
        keywords=split_keywords(first_text(value, "keyword")),
        identifier=identifier,
    )


def names(value: object) -> tuple[str, ...]:
    """Return the names of persons and bodies, in order, given names first."""
    return tuple(name for person in items(value) if (name := _name(person)))


def _name(person: object) -> str:
    parts = " ".join(filter(None, (text_of(get(person, part)) for part in _PARTS)))
    return parts or first_text(person, *_WHOLE) or (person if isinstance(person, str) else "")


def _meeting(value: Mapping[str, object]) -> str:
    return first_text(value, "event-title", "event")
