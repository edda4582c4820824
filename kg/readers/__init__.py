"""Readers: from files to records, one file a format.

    paths ──▶ files (folders, gzip, encodings) ──▶ a reader ──▶ Record | Skipped
          ──▶ cleaning, identity ──▶ Paper | Skipped ──▶ duplicates joined ──▶ Papers

`READERS` is the only list of formats. A reader is found by the content of a file, with its
suffix as a hint, and reads lines, so that a large file needs little memory.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from kg.errors import InputError, NothingFoundError
from kg.identity import join, to_paper
from kg.model import Paper, Record, Skipped, Source
from kg.readers import bibtex, jsonl, text
from kg.readers.files import TextFile, expand, file_name, open_text
from kg.readers.foreign import refuse_foreign
from kg.readers.reader import Reader

__all__ = [
    "READERS",
    "Papers",
    "Reader",
    "find_reader",
    "iter_papers",
    "iter_records",
    "read_papers",
]

READERS: dict[str, Reader] = {
    "bibtex": bibtex.READER,
    "jsonl": jsonl.READER,
    "text": text.READER,
}
"""The readers by the name of their format, in the order in which they are tried."""


@dataclass(frozen=True, slots=True)
class Papers:
    """What was read: ``total == len(papers) + joined + len(skipped)``, always.

    Args:
        papers: The papers, duplicates joined, sorted by id.
        skipped: What was read and not taken, in the order of reading.
        joined: How many records were joined into another.
        warnings: What was odd about records that were read, each with its place.
    """

    papers: tuple[Paper, ...]
    skipped: tuple[Skipped, ...] = ()
    joined: int = 0
    warnings: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """Return how many records were read."""
        return len(self.papers) + self.joined + len(self.skipped)


def read_papers(paths: str | Path | Iterable[str | Path]) -> Papers:
    """Read the papers of files and folders, cleaned, with duplicates joined.

    Args:
        paths: As for `iter_records`.

    Returns:
        The papers, and the account of what became of every record.

    Raises:
        InputError: If a path cannot be read.
        NothingFoundError: If no paper has an abstract.
    """
    papers: list[Paper] = []
    skipped: list[Skipped] = []
    warnings: list[str] = []
    for record in iter_records(paths):
        taken = record if isinstance(record, Skipped) else to_paper(record)
        if isinstance(taken, Skipped):
            skipped.append(taken)
        else:
            papers.append(taken)
        if isinstance(record, Record):
            warnings += (f"{record.source}: {warning}" for warning in record.warnings)
    if not any(paper.abstract for paper in papers):
        raise NothingFoundError(_nothing_found(len(papers), skipped))
    different = join(papers)
    joined = len(papers) - len(different)
    return Papers(tuple(different), tuple(skipped), joined, tuple(warnings))


def iter_papers(paths: str | Path | Iterable[str | Path]) -> Iterator[Paper | Skipped]:
    """Read papers one by one, cleaned, in the order of the files; duplicates are not joined.

    Args:
        paths: As for `iter_records`.
    """
    for record in iter_records(paths):
        yield record if isinstance(record, Skipped) else to_paper(record)


def _nothing_found(titles: int, skipped: list[Skipped]) -> str:
    why = f"; {skipped[0].source}: {skipped[0].reason}" if skipped else ""
    return (
        f"no abstract found in {titles + len(skipped)} records{why}; "
        "give text with a paragraph for each abstract, BibTeX or JSON Lines with abstracts"
    )


def iter_records(paths: str | Path | Iterable[str | Path]) -> Iterator[Record | Skipped]:
    """Read the records of files and folders, one after the other.

    Args:
        paths: Files of any format that is read, gzipped or not, and folders, of which all
            files with a known suffix are read in the order of their names.

    Yields:
        Every record found, or why a part of a file gave none.

    Raises:
        InputError: If a path does not exist, is a folder without a file that can be read,
            or is no text.
    """
    given = [paths] if isinstance(paths, str | Path) else paths
    for path, named in expand(given, _suffixes()):
        try:
            file = open_text(path)
        except InputError as error:
            if named:
                raise
            yield Skipped(Source(file_name(path)), str(error))
            continue
        with file:
            yield from _records_of(file, named=named)


def find_reader(head: str, name: str) -> Reader:
    """Return the reader for a file.

    Args:
        head: The first characters of its text.
        name: Its name; the suffix decides where the text fits no format.

    Raises:
        InputError: If the file is of a known format that is not read.
    """
    for reader in READERS.values():
        if reader.looks_like(head):
            return reader
    suffix = Path(name.lower().removesuffix(".gz")).suffix
    refuse_foreign(head, name)
    by_suffix = (reader for reader in READERS.values() if suffix in reader.suffixes)
    return next(by_suffix, READERS["text"])


def _suffixes() -> tuple[str, ...]:
    return tuple(suffix for reader in READERS.values() for suffix in reader.suffixes)


def _records_of(file: TextFile, *, named: bool) -> Iterator[Record | Skipped]:
    if not file.head.strip():
        yield Skipped(Source(file.name), "the file is empty")
        return
    try:
        reader = find_reader(file.head, file.name)
    except InputError as error:
        if named:
            raise
        yield Skipped(Source(file.name), str(error))
        return
    count = guessed = 0
    try:
        for record in reader.read(file.lines(), file.name):
            count += 1
            yield _with_warning(record, file.guessed - guessed)
            guessed = file.guessed
    except (OSError, EOFError, zlib.error) as error:
        count += 1
        yield Skipped(Source(file.name), f"the rest of the file cannot be read: {error}")
    if not count:
        yield Skipped(Source(file.name), "no record found in the file")


def _with_warning(record: Record | Skipped, guessed: int) -> Record | Skipped:
    if not guessed or isinstance(record, Skipped):
        return record
    notice = f"{guessed} line(s) are no UTF-8 and were read as Windows-1252"
    return replace(record, warnings=(*record.warnings, notice))
