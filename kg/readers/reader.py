"""What a reader is, and what readers share in making records of fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from kg.model import Record, Skipped

Read = Callable[[Iterable[str], str], Iterator[Record | Skipped]]


@dataclass(frozen=True, slots=True)
class Reader:
    """How one format is recognised and read.

    Args:
        read: From the lines of a file (with their ends) and its name to its records.
        looks_like: Tells by the first characters of a file whether it is of this format.
        suffixes: Suffixes of such files, lower-case with the dot, without ``.gz``.
    """

    read: Read
    looks_like: Callable[[str], bool]
    suffixes: tuple[str, ...]


_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")


def find_year(text: str) -> int | None:
    """Return the first year from 1500 to 2099 in a text such as "2024-05-01" or "May 2024"."""
    found = _YEAR.search(text)
    return int(found[1]) if found else None


def split_keywords(text: str) -> tuple[str, ...]:
    """Split keywords at semicolons or line ends; at commas where there are neither."""
    parts = re.split(r"[;\n·•|]", text) if re.search(r"[;\n·•|]", text.strip()) else text.split(",")
    return tuple(part.strip() for part in parts if part.strip())
