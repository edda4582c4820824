"""Opening files: what is given becomes streams of text, or a clear error.

Compression and encoding are told by content: gzip by its magic number, UTF-8 and UTF-16 by
their byte-order marks; bytes that are no UTF-8 are read as Windows-1252, byte by byte.
"""

from __future__ import annotations

import codecs
import gzip
import io
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from kg.errors import InputError

SUFFIXES = (".txt", ".md", ".bib", ".bibtex", ".jsonl", ".ndjson", ".json")
_HEAD = 1 << 16  # bytes that decide what a file is
_GZIP = b"\x1f\x8b"
_TEXT_CONTROLS = frozenset(b"\t\n\r\f\x0b\x1b")
_FOREIGN = (
    (b"%PDF", "a PDF; export its abstract as text, or its record as BibTeX"),
    (b"PK\x03\x04", "a zip archive or an Office file; unpack it, or save it as text"),
    (b"BZh", "packed with bzip2; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "packed with zstd; unpack it first"),
    (b"PAR1", "a Parquet file; export it as JSONL"),
)


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    piece = error.object[error.start : error.end]
    return piece.decode("cp1252", errors="replace"), error.end


codecs.register_error("kg.windows-1252", _as_windows_1252)


def expand(paths: Iterable[str | Path]) -> list[Path]:
    """Return the files that are meant, sorted: a folder stands for the known files in it.

    Raises:
        InputError: If a path is missing, or a folder holds no file that can be read.
    """
    found: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = [p for p in path.rglob("*") if p.is_file() and _is_known(p)]
            if not inside:
                raise InputError(
                    f"no file in {path} ends in {', '.join(SUFFIXES)} (or these + .gz)"
                )
            found += inside
        elif path.exists() or str(path) == "-":
            found.append(path)
        else:
            raise InputError(f"there is no file {path}")
    return sorted(dict.fromkeys(found), key=lambda path: (path.name, str(path)))


@contextmanager
def open_text(path: Path) -> Iterator[IO[str]]:
    """Open a file, packed or not, as text without a byte-order mark.

    Raises:
        InputError: If it cannot be opened, is damaged, or is no text.
    """
    try:
        with _open_bytes(path) as stream:
            head = stream.peek(_HEAD)[:_HEAD]
            encoding = _encoding(head, path)
            yield io.TextIOWrapper(stream, encoding, errors="kg.windows-1252", newline=None)
    except (EOFError, gzip.BadGzipFile) as error:
        raise InputError(f"{path} is a damaged gzip file: {error}") from None
    except OSError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None


@contextmanager
def _open_bytes(path: Path) -> Iterator[io.BufferedReader]:
    if str(path) == "-":
        yield cast(io.BufferedReader, sys.stdin.buffer)
        return
    with io.BufferedReader(io.FileIO(path), _HEAD) as raw:
        if raw.peek(2)[:2] != _GZIP:
            yield cast(io.BufferedReader, raw)
            return
        with gzip.GzipFile(fileobj=raw) as packed:
            yield cast(io.BufferedReader, io.BufferedReader(packed, _HEAD))


def _encoding(head: bytes, path: Path) -> str:
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    for magic, what in _FOREIGN:
        if head.startswith(magic):
            raise InputError(f"{path} is {what}")
    controls = sum(byte < 32 and byte not in _TEXT_CONTROLS for byte in head)
    if b"\0" in head or controls > len(head) / 100:
        raise InputError(f"{path} is no text; give text, BibTeX or JSONL")
    return "utf-8-sig"


def _is_known(path: Path) -> bool:
    name = path.name.lower().removesuffix(".gz")
    return name.endswith(SUFFIXES) and not name.startswith(".")
