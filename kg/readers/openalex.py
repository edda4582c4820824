"""OpenAlex: a work, a page of works, or the snapshot (JSON Lines).

Its keywords are its own guesses rather than the authors', and are left out.
"""

from __future__ import annotations

from collections.abc import Mapping

from kg.model import Record, Source
from kg.readers.json_values import first_text, get, items, text_of, texts, year_of
from kg.readers.markup import to_text

_ADDRESS = "https://openalex.org/"


def fits(value: Mapping[str, object]) -> bool:
    """Tell whether a JSON object is a work of OpenAlex."""
    own = text_of(value.get("id")).startswith(_ADDRESS + "W")
    return own or "abstract_inverted_index" in value


def to_record(value: Mapping[str, object], source: Source) -> Record:
    """Return a work as a record."""
    address = first_text(value, "id")
    identifier = address.removeprefix(_ADDRESS)
    place = value.get("primary_location") or value.get("host_venue")
    return Record(
        source=Source(source.file, source.line, identifier),
        abstract=uninverted(value.get("abstract_inverted_index"))
        or to_text(first_text(value, "abstract")),
        title=to_text(first_text(value, "title", "display_name")),
        authors=_authors(value),
        year=year_of(value.get("publication_year"), value.get("publication_date")),
        venue=_venue(place),
        doi=first_text(value, "doi") or text_of(get(value, "ids", "doi")),
        url=first_text(place, "landing_page_url", "url") or address,
        identifier=identifier,
        warnings=_warnings(value),
    )


def _authors(value: Mapping[str, object]) -> tuple[str, ...]:
    names = (
        text_of(get(item, "author", "display_name")) or first_text(item, "raw_author_name")
        for item in items(value.get("authorships"))
    )
    return tuple(name for name in names if name) or texts(value.get("authors"))


def _venue(place: object) -> str:
    venue = text_of(get(place, "source", "display_name"))
    return venue or first_text(place, "raw_source_name", "display_name")


def uninverted(index: object) -> str:
    """Return the text of an inverted index of words, each at all of its positions.

    Example:
        >>> uninverted({"the": [0, 2], "cat": [1], "mat": [3]})
        'the cat the mat'
    """
    return " ".join(word for _, word in _places(index))


def _places(index: object) -> list[tuple[int, str]]:
    if not isinstance(index, Mapping):
        return []
    return sorted(
        (place, word)
        for word, found in index.items()
        for place in items(found)
        if isinstance(place, int)
    )


def _warnings(value: Mapping[str, object]) -> tuple[str, ...]:
    places = _places(value.get("abstract_inverted_index"))
    missing = places[-1][0] + 1 - len({place for place, _ in places}) if places else 0
    gaps = (f"{missing} words are missing from the abstract",) if missing > 0 else ()
    return gaps + (("retracted",) if value.get("is_retracted") is True else ())
