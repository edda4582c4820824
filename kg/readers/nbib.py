"""PubMed (nbib, MEDLINE): records of tags four signs wide, parted by blank lines.

The tags are those of the National Library of Medicine's "MEDLINE/PubMed Data Element (Field)
Descriptions". Its subject headings (MH) are no keywords of the authors, who have OT.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from kg.model import Record, Skipped, Source
from kg.readers.files import InputFile
from kg.readers.reader import Reader
from kg.readers.tagged import Grammar, Tags, read_tagged

GRAMMAR = Grammar(
    line=re.compile(r"([A-Z][A-Z0-9]{1,3}) {0,2}-(?: ?(.*))"),
    begin="PMID",
    blank_ends=True,
    stray=frozenset({"TI", "AB", "FAU", "AU"}),
)
TAGS = Tags(
    title=("TI", "BTI", "TT"),
    abstract=("AB",),
    authors=("FAU", "AU", "CN"),
    year=("DP", "DEP", "EDAT"),
    venue=("JT", "TA", "BTI"),
    doi=("LID", "AID", "SO"),
    keywords=("OT",),
    identifier=("PMID",),
)


def read(file: InputFile) -> Iterator[Record | Skipped]:
    """Read the records of a PubMed file; their ids are ``pmid:`` and the number."""
    for record in read_tagged(file, GRAMMAR, TAGS):
        if isinstance(record, Skipped) or not record.identifier:
            yield record
        else:
            identifier = f"pmid:{record.identifier}"
            source = Source(file.name, record.source.line, identifier)
            yield replace(record, source=source, identifier=identifier)


def looks_like(head: str) -> bool:
    """Tell whether a line begins a PubMed record."""
    return bool(re.search(r"^PMID- ?\d", head, re.MULTILINE))


READER = Reader(read, looks_like, (".nbib", ".medline"))
