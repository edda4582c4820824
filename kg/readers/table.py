"""Tables: CSV with any separator, and TSV, whatever the source names its columns.

The first row that names a column of titles or abstracts is the header; what stands above it
(a link, the date of the export) is left. A quote that is never closed costs the row in which
it stands, not those after it.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator, Mapping
from itertools import islice

from kg.model import Record, Skipped, Source
from kg.readers.columns import (
    check_named,
    count_known,
    find_columns,
    is_header,
    no_columns,
    to_record,
)
from kg.readers.files import LONGEST, InputFile
from kg.readers.reader import Reader

_SEPARATORS = ",;\t|"
_TOP = 10  # lines of which one is the header
_LONGEST_ROW = 2000  # lines; a row of more has a quote that is never closed
_REPAIRS = 100  # quotes never closed, after which what they swallow is not read again


def read(file: InputFile) -> Iterator[Record | Skipped]:
    """Read the rows of a table.

    Raises:
        InputError: If no column holds titles or abstracts.
    """
    place, separator, header = _find_header(file.head, file.columns, file.name)
    check_named(header, file.columns, file.name)
    columns = find_columns(header, file.columns)
    rows = _Rows(islice(file.lines(), place + 1, None), place + 2, separator, columns.width)
    for number, row in rows:
        source = Source(file.name, number)
        if isinstance(row, str):
            yield Skipped(source, row)
        elif any(cell.strip() for cell in row):
            yield to_record(row, columns, source)


class _Rows:
    """The rows below a header, each with the number of its first line, or why it is none.

    Args:
        lines: The lines.
        number: The number of the first.
        separator: What separates the cells.
        width: How many cells a row should have.
    """

    def __init__(self, lines: Iterator[str], number: int, separator: str, width: int) -> None:
        csv.field_size_limit(max(csv.field_size_limit(), LONGEST))
        self._lines = lines
        self._separator = separator
        self._width = width
        self._number = number
        self._row: list[str] = []  # the lines of the row at hand
        self._again: deque[str] = deque()  # the lines that a quote had swallowed
        self._repairs = 0
        self._is_torn = False  # what follows a quote that is never closed may be no row

    def __iter__(self) -> Iterator[tuple[int, list[str] | str]]:
        while True:
            rows = csv.reader(self._feed(), delimiter=self._separator, strict=True)
            try:
                for row in rows:
                    yield self._taken(row)
                return
            except (csv.Error, _TooLongError):
                yield self._repaired()

    def _feed(self) -> Iterator[str]:
        while line := self._again.popleft() if self._again else next(self._lines, ""):
            self._row.append(line)
            if len(self._row) > _LONGEST_ROW:
                raise _TooLongError
            yield line

    def _taken(self, row: list[str]) -> tuple[int, list[str] | str]:
        number = self._number
        self._number += len(self._row)
        self._row.clear()
        self._is_torn = self._is_torn and len(row) != self._width
        return number, "a part of the row before it" if self._is_torn else row

    def _repaired(self) -> tuple[int, list[str] | str]:
        """Take a single line as it is; of several, which a quote has joined, the first is lost."""
        if len(self._row) == 1:
            return self._taken(_cells(self._row[0], self._separator))
        number, self._repairs, self._is_torn = self._number, self._repairs + 1, True
        lost = 1 if self._repairs < _REPAIRS else len(self._row)
        self._again.extendleft(reversed(self._row[lost:]))
        self._number += lost
        self._row.clear()
        return number, "a quote that is never closed"


class _TooLongError(Exception):
    """A row has more lines than any row has."""


def _find_header(head: str, named: Mapping[str, str], file: str) -> tuple[int, str, list[str]]:
    """Return the number of lines above the header, the separator, and the header."""
    best = _best_header(head, named)
    if best is None:
        first = next(iter(head.split("\n")), "")
        separator = max(_SEPARATORS, key=first.count)
        header = _cells(first, separator)
        check_named(header, named, file)
        raise no_columns(header, file)
    return best


def _best_header(head: str, named: Mapping[str, str]) -> tuple[int, str, list[str]] | None:
    lines = head.replace("\r\n", "\n").replace("\r", "\n").split("\n")[:_TOP]
    found = [
        (count_known(cells, named), len(cells), -place, separator, cells)
        for place, line in enumerate(lines)
        for separator in _SEPARATORS
        if is_header(cells := _cells(line, separator), named)
    ]
    if not found:
        return None
    _, _, place, separator, cells = max(found, key=lambda item: item[:3])
    return -place, separator, cells


def _cells(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return []


def looks_like(head: str, named: Mapping[str, str] | None = None) -> bool:
    """Tell whether a line near the top names columns that are known.

    Args:
        head: The first characters of a file.
        named: As for `find_columns`.
    """
    first = head.lstrip().split("\n", 1)[0]
    found = _best_header(head, named or {})
    header = found[2] if found else _cells(first, max(_SEPARATORS, key=first.count))
    if not header:
        return False
    is_prose = header[-1].rstrip().endswith((".", "?", "!"))
    return not is_prose and count_known(header, named or {}) > 1


READER = Reader(read, looks_like, (".csv", ".tsv", ".tab"))
