"""What a reader is, and what readers share in making records of fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kg.model import Record, Skipped
from kg.readers.files import InputFile

Read = Callable[[InputFile], Iterator[Record | Skipped]]


@dataclass(frozen=True, slots=True)
class Reader:
    """How one format is recognised and read.

    Args:
        read: From a file to its records, one by one.
        looks_like: Tells by the first characters of a file whether it is of this format.
        suffixes: Suffixes of such files, lower-case with the dot, without ``.gz`` and its like.
    """

    read: Read
    looks_like: Callable[[str], bool]
    suffixes: tuple[str, ...]


_MISSING = frozenset({"", "none", "nan", "null"})
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_PARTED = re.compile(r"[;\n·•|]")
_OUTER_COMMA = re.compile(r",(?![^()]{0,200}\))")
_NAMES = re.compile(r"[;|\n]|\s(?:and|&)\s")
_COMMAS = re.compile(r",(?=\s{0,9}\S{1,80}\s)")  # "A B, C D", but not "Last, First"
_SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv)\.?", re.IGNORECASE)


def is_missing(text: str) -> bool:
    """Tell whether a text is empty, or a word of a program for a value that is missing."""
    return text.strip().casefold() in _MISSING


def find_year(text: str) -> int | None:
    """Return the first year from 1500 to 2099 in a text such as "2024-05-01" or "May 2024"."""
    found = _YEAR.search(text)
    return int(found[1]) if found else None


def split_keywords(text: str) -> tuple[str, ...]:
    """Split keywords at semicolons or line ends; at commas where there are neither."""
    parts = (_PARTED if _PARTED.search(text.strip()) else _OUTER_COMMA).split(text)
    return tuple(part.strip() for part in parts if part.strip())


def split_names(text: str) -> tuple[str, ...]:
    """Split the names of persons, each first name first.

    Example:
        >>> split_names("Moth, Ada; Fly, Ben (57202138757)")
        ('Ada Moth', 'Ben Fly')
        >>> split_names("Moth A.B., Fly C.")
        ('Moth A.B.', 'Fly C.')
    """
    split = _NAMES if _NAMES.search(text) else _COMMAS
    names = (first_name_first(_without_number(name)) for name in split.split(text))
    return tuple(name for name in names if name)


def _without_number(name: str) -> str:
    """Return a name without the number of the author that stands behind it in brackets."""
    name = name.strip()
    return name[: name.rfind("(")] if name.endswith(")") and "(" in name else name


def first_name_first(name: str) -> str:
    """Turn a name written "Last, First" or "Last, First, Jr." round.

    Example:
        >>> first_name_first("King, Martin Luther, Jr.")
        'Martin Luther King Jr.'
    """
    last, *rest = [part.strip() for part in name.split(",")]
    suffixes = [part for part in rest if _SUFFIX.fullmatch(part)]
    first = [part for part in rest if part not in suffixes]
    if len(first) > 1:  # no person's name
        return name.strip()
    return " ".join(filter(None, [*first, last, *suffixes]))
