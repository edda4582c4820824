"""RIS, as Scopus, Web of Science, Zotero, EndNote, Ovid, IEEE and PubMed tools write it.

The tags follow the RIS format specification of Research Information Systems, and what the
sources make of it: an abstract in ``AB`` or ``N2``, a title in ``TI`` or ``T1``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.model import Record, Skipped
from kg.readers.files import InputFile
from kg.readers.reader import Reader
from kg.readers.tagged import Grammar, Tags, read_tagged

_KNOWN = (
    r"A[1-4BDNUV]|BT|C[1-8ANTPY]|D[ABOPS]|E[CDPRT]|ID|IS|J[12AFO]|K[1W]|L[1-4AK]|M[1-3]|N[12V]"
    r"|OP|P[BPY]|R[NP]|S[ENPT]|T[1-3AITY]|U[1-5R]|V[LO]|Y[12]"
)
# A hyphen after one space makes a tag only of the letters that are one ("UV - light" is text).
_LINE = re.compile(rf"\s?([A-Z][A-Z0-9](?=\s\s-)|(?:{_KNOWN})(?=\s-(?:\s|$)))\s+-\s*(.*)")

GRAMMAR = Grammar(
    line=_LINE, begin="TY", end="ER", stray=frozenset({"TI", "T1", "AB", "N2", "AU", "A1"})
)
TAGS = Tags(
    title=("TI", "T1", "CT", "BT", "ST"),
    abstract=("AB", "N2"),
    authors=("AU", "A1"),
    year=("PY", "Y1", "DA"),
    venue=("T2", "JF", "JO", "BT", "C3", "J2", "JA", "T3"),
    doi=("DO", "DI", "M3", "L3"),
    url=("UR", "L2", "LK", "L1"),
    keywords=("KW", "K1"),
    identifier=("AN", "ID"),
)


def read(file: InputFile) -> Iterator[Record | Skipped]:
    """Read the records of a RIS file; one that is not closed is read, with a warning."""
    return read_tagged(file, GRAMMAR, TAGS)


def looks_like(head: str) -> bool:
    """Tell whether a line begins a RIS record."""
    return bool(re.search(r"^[ \t]?TY {0,3}- {0,3}[A-Z]", head, re.MULTILINE))


READER = Reader(read, looks_like, (".ris",))
