"""Crossref: works of its REST API, also as it answers in CSL-JSON; abstracts are JATS.

Its subjects are those of the journal rather than of the paper, and are left out.
"""

from __future__ import annotations

from collections.abc import Mapping

from kg.model import Record, Source
from kg.readers.csl import names
from kg.readers.json_values import first_item, first_text, get, text_of, year_of
from kg.readers.markup import to_text

_OWN = frozenset({"indexed", "member", "prefix", "reference-count", "is-referenced-by-count"})
_DATES = ("issued", "published", "published-print", "published-online", "posted", "approved")


def fits(value: Mapping[str, object]) -> bool:
    """Tell whether a JSON object is a work of Crossref."""
    return "DOI" in value and not _OWN.isdisjoint(value)


def to_record(value: Mapping[str, object], source: Source) -> Record:
    """Return a work as a record."""
    doi = first_text(value, "DOI")
    return Record(
        source=Source(source.file, source.line, doi),
        abstract=to_text(first_text(value, "abstract")),
        title=_title(value),
        authors=names(value.get("author")),
        year=year_of(*(value.get(date) for date in _DATES)),
        venue=to_text(_venue(value)),
        doi=doi,
        url=text_of(get(value, "resource", "primary", "URL")) or first_text(value, "URL"),
        identifier=doi,
    )


def _title(value: Mapping[str, object]) -> str:
    title, subtitle = (to_text(first_item(value.get(name))) for name in ("title", "subtitle"))
    if not title or not subtitle or subtitle.casefold() in title.casefold():
        return title
    return f"{title} {subtitle}" if title[-1] in ":?!." else f"{title}: {subtitle}"


def _venue(value: Mapping[str, object]) -> str:
    meeting = text_of(get(value, "event", "name"))
    server = first_item(value.get("institution"))  # of a preprint, or of a thesis
    return first_item(value.get("container-title")) or meeting or server
