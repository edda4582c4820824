"""A user's thesaurus: a table of two columns, as VOSviewer reads them.

    label           replace by
    convnet         convolutional neural network      the one name stands for the other
    this paper                                        nothing: the term is left out
    MAP             !mean average precision           an exclamation mark: never one concept

The columns are parted by a tab, or by a comma or semicolon with quotes as in CSV; the first line
may name them. Case, hyphens and plurals need no lines of their own.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from kg.curated import name_key
from kg.readers.files import InputFile, open_text
from kg.vocabulary import Vocabulary, told

_APART = "!"
_HEADINGS = frozenset(["label", "term", "form"])


def read_thesaurus(path: Path) -> Vocabulary:
    """Return what a thesaurus says; a line that cannot be used becomes a warning.

    Args:
        path: A file of two columns: label and replacement.

    Raises:
        InputError: If there is no such file, or it is no text.

    Example:
        >>> read_thesaurus(Path("thesaurus.txt")).left_out  # doctest: +SKIP
        ('this paper',)
    """
    with open_text(path) as file:
        return parse(file)


def parse(file: InputFile) -> Vocabulary:
    """Return what the lines of an open thesaurus say."""
    merged: dict[str, tuple[str, str]] = {}
    left_out: dict[str, str] = {}
    apart: list[tuple[str, str]] = []
    warnings: list[str] = []
    for number, cells in rows(file):
        label, replacement = cells[0], cells[1] if len(cells) > 1 else ""
        key = name_key(label)
        if fault := _fault(cells, key in merged or key in left_out):
            warnings.append(f"{file.name}:{number}: {fault}")
        elif replacement.startswith(_APART):
            apart.append((label, replacement.removeprefix(_APART).strip()))
        elif replacement:
            merged[key] = label, replacement
        else:
            left_out[key] = label
    warnings += [f"{file.name}:{number}: the line is too long" for number in file.too_long]
    return Vocabulary(
        tuple(merged.values()),
        tuple(left_out.values()),
        tuple(apart),
        warnings=told(warnings, file.name),
    )


def rows(file: InputFile) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of each line that has any, but for the headings."""
    delimiter = _delimiter(file.head)
    for number, line in enumerate(file.lines(), start=1):
        cells = [cell.strip() for cell in _cells(line.replace("\0", "").rstrip("\n"), delimiter)]
        if not any(cells) or (number == 1 and cells[0].lower() in _HEADINGS):
            continue
        yield number, cells


def _cells(line: str, delimiter: str) -> list[str]:
    if delimiter == "\t":
        return line.split("\t")
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:  # a cell above the limit of the csv module
        return [line]


def _delimiter(head: str) -> str:
    first = head.partition("\n")[0]
    return max("\t,;", key=lambda mark: (mark in head if mark == "\t" else 0, first.count(mark)))


def _fault(cells: Sequence[str], known: bool) -> str:
    """Return why a line cannot be used, nothing if it can."""
    if not cells[0]:
        return "the first column is empty"
    if len(cells) < 2:
        return "there is no second column; end the line with a tab to leave the term out"
    if not cells[1].startswith(_APART):
        return "the label was replaced before" if known else ""
    other = cells[1].removeprefix(_APART).strip()
    if not other:
        return f"there is no name behind {_APART!r}"
    return "a name cannot be kept apart from itself" if other == cells[0] else ""
