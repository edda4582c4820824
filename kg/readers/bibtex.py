"""BibTeX and biblatex: every entry type, through bibtexparser's splitter.

The file is cut at lines that begin an entry, and each piece is parsed alone: a broken entry
harms no other, and a large file needs little memory. Entries with a cross-reference take venue
and year from the volume they name, wherever in the file it stands.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from kg.clean import drop_braces
from kg.model import Record, Skipped, Source
from kg.readers.files import InputFile
from kg.readers.reader import Reader, find_year, is_missing, split_keywords

_ENTRY = re.compile(r"\s*@\s*[^\W\d_]\w*\s*[{(]")
_LOOKS = re.compile(
    r"^[ \t]{0,40}@[ \t]?[^\W\d_]\w{0,40}\s{0,9}[{(]\s{0,40}[^\s@{}]{0,200}\s{0,40}[,=]",
    re.MULTILINE,
)
_KEY = re.compile(r"@\s*\w+\s*[{(]\s*([^\s,{}()=]+)\s*,")
_BRACE = re.compile(r"(?<!\\)[{}]")
_REPEATED = frozenset({"keywords", "keyword", "abstract", "author", "note", "annote"})
_JOINED = {"keywords": "\n\n", "keyword": "\n\n", "author": " and "}
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_VOLUMES = frozenset({"book", "collection", "periodical", "proceedings", "reference", "xdata"})
_LONGEST_ENTRY = 1 << 20  # characters
_LONGEST_STRING = 10_000


def read(file: InputFile) -> Iterator[Record | Skipped]:
    """Read the entries of a BibTeX file; what cannot be parsed is skipped with its line."""
    state = _File(file.name)
    for start, chunk in _chunks(file.lines()):
        yield from _from_chunk(chunk, start, state)
    for volume, records in state.waiting.items():
        missing = f"the cross-reference {volume!r} is to no entry of this file"
        yield from (replace(item, warnings=(*item.warnings, missing)) for item in records)


@dataclass
class _File:
    """What is remembered of a file: its strings, volumes, and where each key stood.

    Args:
        name: Its name.
        strings: The values of its ``@string`` entries.
        keys: The line of each key.
        volumes: Venue and year of the volumes, by key.
        waiting: The records whose volume stands further down, by the key of that.
        heading: The volume of all that follows, as PMLR writes it: without a title.
    """

    name: str
    strings: dict[str, str] = field(
        default_factory=lambda: {month.lower(): month for month in _MONTHS}
    )
    keys: dict[str, int] = field(default_factory=dict)
    volumes: dict[str, Record] = field(default_factory=dict)
    waiting: dict[str, list[Record]] = field(default_factory=dict)
    heading: Record | None = None


def _chunks(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield the pieces that begin an entry, each with the number of its first line."""
    chunk: list[str] = []
    start, size = 1, 0
    for number, line in enumerate(lines, start=1):
        if "@" in line and _ENTRY.match(line):
            if chunk:
                yield start, "".join(chunk)
            chunk, start, size = [line], number, 0
        elif chunk:
            size += len(line)
            if size <= 2 * _LONGEST_ENTRY:
                chunk.append(line)
    if chunk:
        yield start, "".join(chunk)


def _from_chunk(chunk: str, start: int, state: _File) -> Iterator[Record | Skipped]:
    from bibtexparser.model import Entry, ParsingFailedBlock, String

    if len(chunk) > _LONGEST_ENTRY:
        reason = f"an entry of more than {_LONGEST_ENTRY >> 20} MiB"
        yield Skipped(Source(state.name, start, _key_of(chunk[:500])), reason)
        return
    for block in _blocks(chunk):
        line = start + (block.start_line or 0)
        entry = getattr(block, "ignore_error_block", None) or block
        if isinstance(entry, String):
            state.strings[entry.key.casefold()] = _plain(entry.value, state.strings)[
                :_LONGEST_STRING
            ]
        elif isinstance(entry, Entry):
            yield from _placed(entry, line, state)
        elif isinstance(entry, ParsingFailedBlock):
            reason = " ".join(_reason(entry.error).split())
            yield Skipped(
                Source(state.name, line, _key_of(chunk)), f"broken BibTeX: {reason[:200]}"
            )


def _blocks(chunk: str) -> list[Any]:
    """Return the blocks of a piece; an error of the parser itself is a failed block."""
    from bibtexparser.model import ParsingFailedBlock
    from bibtexparser.splitter import Splitter

    with _quiet("bibtexparser"):
        try:
            return list(Splitter(chunk).split().blocks)
        except Exception as error:  # the parser asks to report these; one entry is lost, said so
            return [ParsingFailedBlock(error=error, start_line=0, raw=chunk)]


def _reason(error: Exception) -> str:
    said = getattr(error, "abort_reason", None) or getattr(error, "message", None) or error
    return str(said) or type(error).__name__


@contextmanager
def _quiet(name: str) -> Iterator[None]:
    """Keep a library's log off the screen: what it says is in our account."""
    logger = logging.getLogger(name)
    before = logger.propagate, logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.propagate, logger.level = before


def _key_of(chunk: str) -> str:
    found = _KEY.search(chunk)
    return found[1] if found else ""


def _placed(entry: Any, line: int, state: _File) -> Iterator[Record]:
    """Give the record of an entry with what its volume says, and those that waited for it."""
    warnings: list[str] = []
    values = _values(entry, state.strings, warnings)
    record = _record(entry, values, warnings, line, state)
    volume = (values.get("crossref") or values.get("xdata") or "").split(",")[0].strip().casefold()
    if volume and volume not in state.volumes and not (record.venue and record.year):
        state.waiting.setdefault(volume, []).append(record)
    else:
        alone = not (volume or record.venue or record.year)
        yield _within(record, state.heading if alone else state.volumes.get(volume))
    kind = str(entry.entry_type).casefold()
    if kind.removeprefix("mv") in _VOLUMES:
        yield from _remember(record, values, state)
    if kind == "proceedings" and not record.title:
        state.heading = state.volumes[record.identifier.casefold()]


def _remember(record: Record, values: dict[str, str], state: _File) -> Iterator[Record]:
    """Remember a volume, and give the records that waited for it."""
    key = record.identifier.casefold()
    name = values.get("booktitle") or record.title or values.get("journaltitle") or record.venue
    state.volumes[key] = volume = replace(record, venue=drop_braces(name), abstract="")
    yield from (_within(waiting, volume) for waiting in state.waiting.pop(key, ()))


def _within(record: Record, volume: Record | None) -> Record:
    if volume is None:
        return record
    return replace(record, venue=record.venue or volume.venue, year=record.year or volume.year)


def _record(
    entry: Any, values: dict[str, str], warnings: list[str], line: int, state: _File
) -> Record:
    key = str(entry.key or "").strip()
    if key in state.keys:
        warnings.append(f"duplicate key {key!r} at line {line}")
    state.keys.setdefault(key, line)

    def first(*names: str) -> str:
        return next((values[name] for name in names if values.get(name)), "")

    subtitle = first("subtitle")
    return Record(
        source=Source(state.name, line, key),
        abstract=drop_braces(first("abstract")),
        title=drop_braces(first("title") + (f": {subtitle}" if subtitle else "")),
        authors=_authors(first("author")),
        year=find_year(first("year", "date", "issued")),
        venue=drop_braces(first("booktitle", "journal", "journaltitle", "howpublished")),
        doi=drop_braces(first("doi")),
        url=drop_braces(first("url", "ee", "link")),
        keywords=_keywords(first("keywords", "keyword", "author_keywords", "author-keywords")),
        identifier=key,
        warnings=tuple(warnings),
    )


def _keywords(value: str) -> tuple[str, ...]:
    """Split keywords, each of several fields for itself."""
    parts = drop_braces(value).split("\n\n")
    return tuple(keyword for part in parts for keyword in split_keywords(part))


def _values(entry: Any, strings: dict[str, str], warnings: list[str]) -> dict[str, str]:
    """Return the plain values by lower-case name; those given twice are joined or named."""
    values: dict[str, str] = {}
    for item in entry.fields:
        name = item.key.casefold()
        value = _plain(str(item.value), strings)
        if _is_torn(str(item.value)):
            warnings.append(f"no comma after field {name!r}; what follows it is lost")
        if is_missing(value) or value == values.get(name):
            continue
        if name not in values:
            values[name] = value
        elif name in _REPEATED:
            values[name] += _JOINED.get(name, " ") + value
        else:
            warnings.append(f"field {name!r} twice; the first is taken")
    return values


def _plain(raw: str, strings: dict[str, str]) -> str:
    """Return a value without its braces or quotes, with its strings put in.

    Strings may hold strings, each twice the one before: what grows too long is cut.
    """
    pieces: list[str] = []
    size = 0
    for raw_piece in _pieces(raw):
        pieces.append(_piece(raw_piece, strings))
        size += len(pieces[-1])
        if size > _LONGEST_ENTRY:
            break
    return "".join(pieces)


def _pieces(raw: str) -> list[str]:
    """Split a value at each ``#`` that joins strings."""
    if "#" not in raw:
        return [raw.strip()]
    pieces, depth, quoted, begin = [], 0, False, 0
    for place, sign in enumerate(raw):
        if sign in "{}" and raw[place - 1 : place] != "\\":
            depth += 1 if sign == "{" else -1
        elif sign == '"' and depth == 0:
            quoted = not quoted
        elif sign == "#" and depth == 0 and not quoted:
            pieces.append(raw[begin:place].strip())
            begin = place + 1
    return [*pieces, raw[begin:].strip()]


def _piece(piece: str, strings: dict[str, str]) -> str:
    if piece[:1] == "{":
        return piece[1 : _closing(piece)]
    if len(piece) > 1 and piece[0] + piece[-1] == '""':
        return piece[1:-1]
    return strings.get(piece.casefold(), piece)


def _is_torn(value: str) -> bool:
    """Tell whether something follows the braces that should hold the whole value."""
    return value[:1] == "{" and "#" not in value and _closing(value) < len(value) - 1


def _closing(text: str) -> int:
    """Return the place of the brace that closes the first one, else the end."""
    depth = 0
    for brace in _BRACE.finditer(text):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start()
    return len(text)


def _authors(value: str) -> tuple[str, ...]:
    """Return the names of the authors, first names first."""
    from bibtexparser.middlewares.names import split_multiple_persons_names

    names = (_first_last(name) for name in split_multiple_persons_names(" ".join(value.split())))
    return tuple(name for name in names if name and name != "others")


def _first_last(name: str) -> str:
    from bibtexparser.middlewares.names import parse_single_name_into_parts

    try:
        return drop_braces(parse_single_name_into_parts(name, strict=False).merge_first_name_first)
    except (ValueError, IndexError):
        return drop_braces(name.strip())


def looks_like(head: str) -> bool:
    """Tell whether a line of the text begins a BibTeX entry."""
    return bool(_LOOKS.search(head))


READER = Reader(read, looks_like, (".bib", ".bibtex"))
