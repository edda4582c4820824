"""Columns: which column of a table holds which field, by the names that the sources give them.

Scopus, Web of Science, IEEE, Springer, Lens, Dimensions, OpenAlex, PubMed, Embase, Zotero,
ASReview and people each have their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kg.errors import InputError, OptionError
from kg.model import Record, Source
from kg.readers.reader import find_year, is_missing, split_keywords, split_names

NAMES: dict[str, tuple[str, ...]] = {
    "title": (
        "title", "article title", "document title", "item title", "primary title", "paper title",
        "display name", "original title", "ti", "t1",
    ),
    "abstract": ("abstract", "abstract note", "abstract text", "abstracts", "ab", "n2", "summary"),
    "authors": (
        "author full names", "authors", "author", "author s", "author names", "first authors",
        "authorships author display name", "af", "au", "author list", "authors list",
    ),
    "year": (
        "year", "publication year", "pubyear", "pub year", "py", "date published", "date",
        "publication date", "cover date", "issue date", "online date", "published", "source",
    ),
    "venue": (
        "source title", "publication title", "journal", "journal book", "journal title", "venue",
        "publication name", "primary location source display name", "container title", "so",
        "source title anthology title", "conference name", "booktitle", "book title",
        "secondary title", "conference", "source",
    ),
    "doi": ("doi", "item doi", "di", "doi link"),
    "url": (
        "url", "link", "urls", "source urls", "pdf link", "dimensions url", "external url",
        "open url link", "primary location landing page url", "links", "doi link",
    ),
    "keywords": (
        "author keywords", "keywords", "keywords display name", "de", "manual tags", "keyword",
        "tags", "kw",
    ),
    "identifier": (
        "eid", "lens id", "ut unique wos id", "ut", "publication id", "openalex id", "id", "pmid",
        "paperid", "paper id", "accession number", "key", "record id",
    ),
}  # fmt: skip
"""The names of columns, in lower case without signs, by the field that they hold, best first."""

_SIGNS = re.compile(r"[\W_]+")
_LISTED = re.compile(r"\[\s*['\"].*['\"]\s*\]", re.DOTALL)
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*+)'|\"((?:[^\"\\]|\\.)*+)\"")
_JOINED_NAMES = re.compile(
    r"(?<=[a-zß-ÿ])(?<!\bMc)(?<!\bMac)(?<!\b[DL][aei])(?=[A-ZÀ-Þ][\w'’-]*\.? )"
)
_AFTER_VENUE = re.compile(r"\s*\((?:1[89]|20)\d\d\).*", re.DOTALL)
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the fields of a record stand in a row.

    Args:
        places: The places of the columns that may hold a field, best first, by its name.
        width: How many columns the header has.
        prefix: What goes before the identifiers.
        is_springer: Whether the names of authors are run together, as Springer does it.
    """

    places: Mapping[str, tuple[int, ...]]
    width: int
    prefix: str = ""
    is_springer: bool = False

    def get(self, row: Sequence[str], field: str) -> str:
        """Return what the first of the columns of a field that says something says."""
        cells = (row[place].strip() for place in self.places.get(field, ()) if place < len(row))
        return next((cell for cell in cells if not is_missing(cell)), "")

    def get_all(self, row: Sequence[str], field: str) -> list[str]:
        """Return what all columns of a field say."""
        return [row[place] for place in self.places.get(field, ()) if place < len(row)]


def find_columns(header: Sequence[str], named: Mapping[str, str]) -> Columns:
    """Return where the fields of a record stand.

    Args:
        header: The names of the columns.
        named: The name of the column by the field, where a person said it.

    """
    plain = [_plain(name) for name in header]
    places = {
        field: tuple(plain.index(name) for name in names if name in plain)
        for field, names in NAMES.items()
    }
    for field, column in named.items():
        places[field] = (plain.index(_plain(column)),) if _plain(column) in plain else ()
    first = next(iter(places["identifier"]), None)
    return Columns(
        places,
        len(header),
        prefix="pmid:" if first is not None and plain[first] == "pmid" else "",
        is_springer="item title" in plain,
    )


def check_fields(named: Mapping[str, str]) -> None:
    """Make sure that the fields of columns that a person named are known.

    Raises:
        OptionError: If one is not.
    """
    for field in named:
        if field not in NAMES:
            raise OptionError(f"--map knows no field {field!r}; it knows {', '.join(NAMES)}")


def check_named(header: Sequence[str], named: Mapping[str, str], file: str) -> None:
    """Make sure that the columns that a person named are there.

    Raises:
        InputError: If one is not.
    """
    plain = {_plain(name) for name in header}
    for column in named.values():
        if _plain(column) not in plain:
            raise InputError(f"{file} has no column {column!r}; it has {_listed(header)}")


def is_header(header: Sequence[str], named: Mapping[str, str]) -> bool:
    """Tell whether a row names columns, one of which holds titles or abstracts."""
    if not header or any(len(name) > _LONGEST_NAME for name in header):
        return False
    found = find_columns(header, named).places
    return bool(found["title"] or found["abstract"])


def count_known(header: Sequence[str], named: Mapping[str, str]) -> int:
    """Return how many fields have a column."""
    return sum(bool(places) for places in find_columns(header, named).places.values())


def no_columns(header: Sequence[str], file: str) -> InputError:
    """Return the error of a table that has neither titles nor abstracts."""
    return InputError(
        f"{file} has no column of titles or abstracts that is known; it has {_listed(header)}; "
        "name them: --map title=COLUMN,abstract=COLUMN"
    )


def to_record(row: Sequence[str], columns: Columns, source: Source) -> Record:
    """Return the record of a row."""
    identifier = columns.get(row, "identifier")
    identifier = columns.prefix + identifier if identifier else ""
    warnings = []
    if any(cell.strip() for cell in row[columns.width :]):
        warnings.append(f"{len(row)} cells in a table of {columns.width} columns")
        identifier = ""  # something has moved the cells, and two papers must not get one id
    years = map(find_year, columns.get_all(row, "year"))
    return Record(
        source=Source(source.file, source.line, identifier),
        abstract=columns.get(row, "abstract"),
        title=columns.get(row, "title"),
        authors=_authors(columns.get(row, "authors"), is_springer=columns.is_springer),
        year=next(filter(None, years), None),
        venue=_AFTER_VENUE.sub("", columns.get(row, "venue")),
        doi=columns.get(row, "doi"),
        url=columns.get(row, "url").split(" ")[0],
        keywords=_keywords(columns.get(row, "keywords")),
        identifier=identifier,
        warnings=tuple(warnings),
    )


def _authors(cell: str, *, is_springer: bool) -> tuple[str, ...]:
    if _LISTED.fullmatch(cell):
        return tuple(name for item in _items(cell) for name in split_names(item))
    if is_springer and not re.search("[;|]", cell):
        cell = _JOINED_NAMES.sub(";", cell)
    return split_names(cell)


def _keywords(cell: str) -> tuple[str, ...]:
    return _items(cell) if _LISTED.fullmatch(cell) else split_keywords(cell)


def _items(cell: str) -> tuple[str, ...]:
    """Return the items of a list as Python or JSON writes it."""
    return tuple(filter(None, (a.strip() or b.strip() for a, b in _QUOTED.findall(cell))))


def _plain(name: str) -> str:
    return _SIGNS.sub(" ", name.casefold()).strip()


def _listed(header: Sequence[str]) -> str:
    names = [name.strip()[:30] for name in header if name.strip()]
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return ", ".join(map(repr, names[:12])) + more
