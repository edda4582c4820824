"""Web of Science: its plain text and EndNote Desktop exports (.txt, .ciw).

The tags are those of Clarivate's "Web of Science Core Collection Field Tags". Keywords Plus
(ID) are no keywords of the authors, who have DE.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kg.model import Record, Skipped
from kg.readers.files import InputFile
from kg.readers.reader import Reader, split_keywords
from kg.readers.tagged import Grammar, Tags, read_entries, to_record

GRAMMAR = Grammar(
    line=re.compile(r"([A-Z][A-Z0-9])(?= |$)(.*)"),
    begin="PT",
    end="ER",
    stray=frozenset({"TI", "AB", "AU"}),
)
TAGS = Tags(
    title=("TI",),
    abstract=("AB",),
    authors=("AF", "AU", "CA"),
    year=("PY", "EA", "PD"),
    venue=("SO", "J9", "JI", "CT"),
    doi=("DI",),
    identifier=("UT",),
)


def read(file: InputFile) -> Iterator[Record | Skipped]:
    """Read the records of a Web of Science file."""
    for entry in read_entries(file.lines(), GRAMMAR):
        record = to_record(entry, TAGS, file.name)
        if isinstance(record, Record):
            record = replace(record, keywords=split_keywords(entry.first("DE")))
        yield record


def looks_like(head: str) -> bool:
    """Tell whether a file begins like one of the Web of Science."""
    return bool(re.match(r"\s*(?:FN (?:Clarivate|Thomson|ISI)|(?:VR 1\.0\s+)?PT [A-Z]\n)", head))


READER = Reader(read, looks_like, (".ciw", ".isi"))
