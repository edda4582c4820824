"""Excel workbooks (.xlsx): the sheets that have a header, read as tables are."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from itertools import chain, islice
from typing import Any

from kg.errors import InputError
from kg.model import Record, Skipped, Source
from kg.readers.columns import (
    check_named,
    count_known,
    find_columns,
    is_header,
    no_columns,
    to_record,
)
from kg.readers.containers import Archive, in_memory
from kg.readers.files import InputFile
from kg.readers.reader import Reader

_LARGEST = 256 << 20  # bytes; the library keeps all strings in memory
_TOP = 10  # rows of which one is the header
_WIDEST = 1000  # cells of a row that are read


def read(file: InputFile) -> Iterator[Record | Skipped]:
    """Read the rows of the sheets whose columns are known; each sheet that is not is said.

    Raises:
        InputError: If no sheet has a column of titles or abstracts.
    """
    data = _checked(in_memory(file.stream, file.name), file.name)
    unknown: list[tuple[str, list[str]]] = []
    count = 0
    for sheet, rows in _sheets(data, file.name):
        top = list(islice(rows, _TOP))
        found = _find_header(top, file.columns)
        if found is None:
            unknown.append((sheet, top[0] if top else []))
            continue
        count += 1
        yield from _records(chain(top[found + 1 :], rows), top[found], found + 2, sheet, file)
    if not count:
        header = unknown[0][1] if unknown else []
        check_named(header, file.columns, file.name)
        raise no_columns(header, file.name)
    for sheet, header in unknown:
        if header:
            yield Skipped(Source(f"{file.name}/{sheet}"), "a sheet without titles or abstracts")


def _checked(data: BytesIO, name: str) -> BytesIO:
    """Return a file that is a workbook of a size that fits into memory."""
    archive = Archive(data)
    archive.close()
    if not archive.is_workbook:
        raise InputError(f"{name} is no workbook")
    if archive.size > _LARGEST:
        raise InputError(f"{name} is larger than {_LARGEST >> 20} MiB unpacked; save it as CSV")
    data.seek(0)
    return data


def _records(
    rows: Iterator[list[str]], header: list[str], start: int, sheet: str, file: InputFile
) -> Iterator[Record | Skipped]:
    check_named(header, file.columns, file.name)
    columns = find_columns(header, file.columns)
    for number, row in enumerate(rows, start):
        if any(cell.strip() for cell in row):
            yield to_record(row, columns, Source(f"{file.name}/{sheet}", number))


def _sheets(data: BytesIO, name: str) -> Iterator[tuple[str, Iterator[list[str]]]]:
    from openpyxl import load_workbook

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = load_workbook(data, read_only=True, data_only=True, keep_links=False)
    except Exception as error:  # the library has no error of its own for a damaged file
        raise InputError(f"{name} is a damaged workbook: {error}") from None
    try:
        for sheet in book.worksheets:
            yield str(sheet.title), _rows(sheet)
    finally:
        book.close()


def _rows(sheet: Any) -> Iterator[list[str]]:
    """Give the rows of a sheet as text.

    Raises:
        OSError: If the sheet is damaged.
    """
    try:
        sheet.reset_dimensions()  # what the file says of its size is not always true
        for row in sheet.iter_rows(values_only=True, max_col=_WIDEST):
            yield [_text(value) for value in row]
    except Exception as error:  # as above
        raise OSError(f"damaged workbook: {error}") from None


def _text(value: object) -> str:
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def _find_header(rows: Sequence[list[str]], named: Mapping[str, str]) -> int | None:
    found = [
        (count_known(row, named), -place) for place, row in enumerate(rows) if is_header(row, named)
    ]
    return -max(found)[1] if found else None


def looks_like(head: str) -> bool:
    """Tell whether a file is a zip archive: of these, only workbooks come to a reader."""
    return head.startswith("PK\x03\x04")


READER = Reader(read, looks_like, (".xlsx", ".xlsm"))
