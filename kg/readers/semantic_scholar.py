"""Semantic Scholar: answers of the Graph API, and its bulk data sets (JSON Lines)."""

from __future__ import annotations

from collections.abc import Mapping

from kg.model import Record, Source
from kg.readers.json_values import first_text, get, items, text_of, year_of
from kg.readers.markup import to_text

_PAPERS = ("citedPaper", "citingPaper")
_OWN = ("corpusid", *_PAPERS)


def fits(value: Mapping[str, object]) -> bool:
    """Tell whether a JSON object is a paper, or what cites one or is cited by one."""
    own = any(key in value for key in _OWN)
    return own or ("paperId" in value and "text" not in value)


def to_record(value: Mapping[str, object], source: Source) -> Record:
    """Return a paper as a record."""
    paper = next((value[key] for key in _PAPERS if isinstance(value.get(key), Mapping)), value)
    identifier = first_text(paper, "paperId", "corpusId", "corpusid")
    named = (text_of(get(author, "name")) for author in items(get(paper, "authors")))
    places = (("venue",), ("publicationVenue", "name"), ("journal", "name"))
    return Record(
        source=Source(source.file, source.line, identifier),
        abstract=to_text(first_text(paper, "abstract")),
        title=to_text(first_text(paper, "title")),
        authors=tuple(name for name in named if name),
        year=year_of(
            get(paper, "year"), get(paper, "publicationDate"), get(paper, "publicationdate")
        ),
        venue=next(filter(None, (text_of(get(paper, *place)) for place in places)), ""),
        doi=text_of(get(paper, "externalIds", "DOI")) or text_of(get(paper, "externalids", "DOI")),
        url=first_text(paper, "url") or text_of(get(paper, "openAccessPdf", "url")),
        identifier=identifier,
    )
