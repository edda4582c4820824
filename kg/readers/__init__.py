"""Readers: from files to records, one file a format.

    paths ──▶ files (folders, archives, encodings) ──▶ a reader ──▶ Record | Skipped
          ──▶ cleaning, identity ──▶ Paper | Skipped ──▶ duplicates joined ──▶ Papers

`READERS` is the only list of formats. A reader is found by the content of a file, with its
suffix as a hint, and gives one record after the other, so that a large file needs little
memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from kg.duplicates import Joined, fingerprint, join
from kg.errors import InputError, NothingFoundError
from kg.identity import to_paper
from kg.model import Paper, Record, Skipped, Source
from kg.readers import (
    acl,
    arxiv,
    bibtex,
    crossref_xml,
    endnote,
    endnote_xml,
    jsonl,
    nbib,
    oai,
    pubmed_xml,
    ris,
    table,
    text,
    workbook,
    wos,
)
from kg.readers.columns import check_fields
from kg.readers.files import LONGEST, PACKED, InputFile, iter_files
from kg.readers.foreign import refuse_foreign
from kg.readers.reader import Reader

__all__ = [
    "READERS",
    "Papers",
    "Reader",
    "Taken",
    "find_reader",
    "gather",
    "iter_papers",
    "iter_records",
    "read_papers",
    "records_in",
    "take",
    "warnings_of",
]

_LONGEST_ABSTRACT = 2 << 20  # characters; a long one has 5,000

READERS: dict[str, Reader] = {
    "bibtex": bibtex.READER,
    "ris": ris.READER,
    "nbib": nbib.READER,
    "wos": wos.READER,
    "endnote": endnote.READER,
    "acl": acl.READER,
    "arxiv": arxiv.READER,
    "crossref_xml": crossref_xml.READER,
    "endnote_xml": endnote_xml.READER,
    "oai": oai.READER,
    "pubmed_xml": pubmed_xml.READER,
    "jsonl": jsonl.READER,
    "xlsx": workbook.READER,
    "csv": table.READER,
    "text": text.READER,
}
"""The readers by the name of their format, in the order in which they are tried."""


class Taken(NamedTuple):
    """What a record gives.

    Args:
        item: The paper, cleaned, or why there is none.
        warnings: What was odd about the record, with its place.
        fingerprint: That of the paper, by which its duplicates are found.
    """

    item: Paper | Skipped
    warnings: tuple[str, ...] = ()
    fingerprint: bytes = b""


@dataclass(frozen=True, slots=True)
class Papers:
    """What was read: ``total == len(papers) + joined + len(skipped)``, always.

    Args:
        papers: The papers, duplicates joined, sorted by id.
        skipped: What was read and not taken, in the order of reading.
        duplicates: The records that were joined into a paper, each with the rule that says why.
        warnings: What was odd about records that were read, each with its place.
    """

    papers: tuple[Paper, ...]
    skipped: tuple[Skipped, ...] = ()
    duplicates: tuple[Joined, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def joined(self) -> int:
        """Return how many records were joined into another."""
        return len(self.duplicates)

    @property
    def total(self) -> int:
        """Return how many records were read."""
        return len(self.papers) + self.joined + len(self.skipped)


def read_papers(
    paths: str | Path | Iterable[str | Path],
    *,
    columns: Mapping[str, str] | None = None,
    strict: bool = False,
) -> Papers:
    """Read the papers of files and folders, cleaned, with duplicates joined.

    Args:
        paths: As for `iter_records`.
        columns: As for `iter_records`.
        strict: Whether a record that is skipped is an error.

    Returns:
        The papers, and the account of what became of every record.

    Raises:
        InputError: If a path cannot be read; with ``strict``, if a record is skipped.
        NothingFoundError: If no paper is found.
    """
    records = iter_records(paths, columns=columns, strict=strict)
    return gather(map(take, records), strict=strict)


def take(record: Record | Skipped) -> Taken:
    """Return a record as a paper, cleaned, or why it gives none; and what was odd about it.

    Example:
        >>> take(Record(Source("f"), "We <b>walk</b>.", identifier="a")).item.abstract
        'We walk.'
    """
    if isinstance(record, Skipped):
        return Taken(record)
    item = to_paper(record)
    known = fingerprint(item) if isinstance(item, Paper) else b""
    return Taken(item, warnings_of(record), known)


def warnings_of(record: Record) -> tuple[str, ...]:
    """Return what was odd about a record, with its place."""
    return tuple(f"{record.source}: {warning}" for warning in record.warnings)


def gather(taken: Iterable[Taken], *, strict: bool = False) -> Papers:
    """Return what was taken as papers, with duplicates joined.

    Args:
        taken: As `take` returns it, in the order of reading.
        strict: Whether a record that is skipped is an error.

    Raises:
        InputError: If a record is skipped, with ``strict``.
        NothingFoundError: If no paper is among them.
    """
    papers: list[Paper] = []
    fingerprints: list[bytes] = []
    skipped: list[Skipped] = []
    warnings: list[str] = []
    for item, odd, known in taken:
        if isinstance(item, Paper):
            papers.append(item)
            fingerprints.append(known)
        elif strict:
            raise InputError(refusal(item))
        else:
            skipped.append(item)
        warnings += odd
    if not papers:
        raise NothingFoundError(_nothing_found(skipped))
    different, duplicates = join(papers, fingerprints)
    return Papers(different, tuple(skipped), duplicates, tuple(warnings))


def iter_papers(
    paths: str | Path | Iterable[str | Path], *, columns: Mapping[str, str] | None = None
) -> Iterator[Paper | Skipped]:
    """Read papers one by one, cleaned, in the order of the files; duplicates are not joined.

    Args:
        paths: As for `iter_records`.
        columns: As for `iter_records`.
    """
    for record in iter_records(paths, columns=columns):
        yield record if isinstance(record, Skipped) else to_paper(record)


def refusal(skipped: Skipped) -> str:
    """Return what a person is told who wants no record skipped."""
    return f"{skipped.source}: {skipped.reason}; without --strict it is skipped and counted"


def _nothing_found(skipped: list[Skipped]) -> str:
    why = f"; {skipped[0].source}: {skipped[0].reason}" if skipped else ""
    return (
        f"no paper found in {len(skipped)} records{why}; give text with a paragraph for each "
        "abstract, or export the records again with their titles and abstracts"
    )


def iter_records(
    paths: str | Path | Iterable[str | Path],
    *,
    columns: Mapping[str, str] | None = None,
    strict: bool = False,
) -> Iterator[Record | Skipped]:
    """Read the records of files and folders, one after the other.

    Args:
        paths: Files of any format that is read, packed (gzip, bzip2, Zstandard) or not; zip
            archives and folders, of which all files with a known suffix are read in the order
            of their names; patterns such as ``papers/*.bib``; ``-`` for the standard input.
        columns: The columns of a table by the field that they hold, where their names do not
            tell: ``{"title": "TI", "abstract": "AB"}``.
        strict: Whether what is skipped is an error.

    Yields:
        Every record found, or why a part of a file gave none.

    Raises:
        OptionError: If ``columns`` names a field that there is not.
        InputError: If a path does not exist, is a folder without a file that can be read,
            or is no text; with ``strict``, if a part of a file gives no record.
    """
    given = [paths] if isinstance(paths, str | Path) else paths
    check_fields(columns or {})
    for file in iter_files(given, _suffixes(), columns):
        for record in [file] if isinstance(file, Skipped) else _records_of(file):
            if strict and isinstance(record, Skipped):
                raise InputError(refusal(record))
            yield record


def find_reader(head: str, name: str, columns: Mapping[str, str] | None = None) -> Reader:
    """Return the reader for a file.

    Args:
        head: The first characters of its text.
        name: Its name; the suffix decides where the text fits no format.
        columns: As for `iter_records`.

    Raises:
        InputError: If the file is of a known format that is not read.
    """
    for reader in READERS.values():
        if reader.looks_like(head):
            return reader
    if columns and table.looks_like(head, columns):
        return READERS["csv"]
    refuse_foreign(head, name)
    plain = name.lower()
    for packed in PACKED:
        plain = plain.removesuffix(packed)
    suffix = Path(plain).suffix
    by_suffix = (reader for reader in READERS.values() if suffix in reader.suffixes)
    return next(by_suffix, READERS["text"])


def _suffixes() -> tuple[str, ...]:
    return tuple(suffix for reader in READERS.values() for suffix in reader.suffixes)


def _records_of(file: InputFile) -> Iterator[Record | Skipped]:
    if not file.head.strip():
        yield Skipped(Source(file.name), "the file is empty")
        return
    try:
        reader = find_reader(file.head, file.name, file.columns)
        yield from records_in(file, reader)
    except InputError as error:
        if file.named:
            raise
        yield Skipped(Source(file.name), str(error))


def records_in(file: InputFile, reader: Reader) -> Iterator[Record | Skipped]:
    """Read a file, and say so where it gives nothing, breaks off, or has lines too long."""
    count = guessed = 0
    try:
        for record in reader.read(file):
            count += 1
            yield _checked(record, file.guessed - guessed, file.guess)
            guessed = file.guessed
    except OSError as error:
        file.fault = error
    if file.fault:
        count += 1
        yield Skipped(Source(file.name), f"the rest of the file cannot be read: {file.fault}")
    for number in file.too_long:
        count += 1
        yield Skipped(Source(file.name, number), f"a line of more than {LONGEST >> 20} MiB")
    if not count:
        yield Skipped(Source(file.name), "no record found in the file")


def _checked(record: Record | Skipped, guessed: int, guess: str) -> Record | Skipped:
    """Return a record with a warning if its encoding is guessed; none that holds a whole book."""
    if isinstance(record, Record) and len(record.abstract) > _LONGEST_ABSTRACT:
        return Skipped(record.source, f"an abstract of {len(record.abstract):,} characters")
    if not guessed or isinstance(record, Skipped):
        return record
    notice = f"{guessed} line(s) are no UTF-8 and were read as {guess}"
    return replace(record, warnings=(*record.warnings, notice))
