"""EndNote tagged files (.enw), also known as Refer and BibIX: ``%T`` and a title."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.model import Record, Skipped
from kg.readers.files import InputFile
from kg.readers.reader import Reader
from kg.readers.tagged import Grammar, Tags, read_tagged

GRAMMAR = Grammar(
    line=re.compile(r"(%[0-9A-Z!@#$^&*()+=~?<>\[\]])(?=\s|$)\s*(.*)"),
    begin="%0",
    stray=frozenset({"%T", "%A", "%X"}),
)
TAGS = Tags(
    title=("%T", "%!"),
    abstract=("%X",),
    authors=("%A",),
    year=("%D", "%8"),
    venue=("%J", "%B", "%C"),
    doi=("%R", "%U"),
    url=("%U",),
    keywords=("%K",),
    identifier=("%M", "%F"),
)


def read(file: InputFile) -> Iterator[Record | Skipped]:
    """Read the records of an EndNote file."""
    return read_tagged(file, GRAMMAR, TAGS)


def looks_like(head: str) -> bool:
    """Tell whether a file begins with a line that an EndNote record begins with."""
    return bool(re.match(r"\s*%[0ATX] \S.*\n\s*%[0-9A-Z!@] ?", head))


READER = Reader(read, looks_like, (".enw",))
