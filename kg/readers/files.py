"""Files: what lies in folders, gzip, encodings, and what is no text at all."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, cast

from kg.errors import InputError

_HEAD = 1 << 16
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_GZIP = b"\x1f\x8b"
_REMEDY = "give text, BibTeX or JSON Lines"
_KINDS = {
    b"%PDF": "a PDF file",
    b"PK\x03\x04": "a zip archive or an office document",
    b"\x89PNG": "an image",
    b"\xff\xd8\xff": "an image",
    b"PAR1": "a Parquet file",
    b"{\\rtf": "an RTF document",
}


class TextFile:
    """An open file of text.

    Args:
        stream: Its bytes, unpacked.
        name: Its name, without the folder.
        opened: What is to be closed with it.

    Attributes:
        head: Its first characters, some 65,000 at most.
        guessed: How many of the lines read so far were no UTF-8.
    """

    def __init__(self, stream: io.BufferedReader, name: str, opened: ExitStack) -> None:
        start = stream.peek(_HEAD)[:_HEAD]
        _refuse_binary(start, name)
        self.name = name
        self.guessed = 0
        self._stream = stream
        self._opened = opened
        self._utf16 = start.startswith(_UTF16)
        self.head = start.decode("utf-16" if self._utf16 else "utf-8-sig", errors="replace")

    def __enter__(self) -> TextFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._opened.close()

    def lines(self) -> Iterator[str]:
        r"""Yield the lines, each with ``\n`` at its end, whatever ended it in the file."""
        if self._utf16:
            with io.TextIOWrapper(self._stream, encoding="utf-16", errors="replace") as wide:
                yield from wide
            return
        for number, raw in enumerate(self._stream):
            line = self._decode(raw.removeprefix(codecs.BOM_UTF8) if number == 0 else raw)
            if "\r" not in line:
                yield line
                continue
            parts = line.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            yield from (part + "\n" for part in parts[:-1])
            if parts[-1]:
                yield parts[-1]

    def _decode(self, raw: bytes) -> str:
        """Decode a line; one that is no UTF-8 is Windows-1252, or else Latin-1."""
        for encoding in ("utf-8", "cp1252"):
            try:
                return raw.decode(encoding)
            except UnicodeDecodeError:
                self.guessed += encoding == "utf-8"
        return raw.decode("latin-1")


def open_text(path: Path) -> TextFile:
    """Open a file, gzipped or not; ``-`` is the standard input.

    Raises:
        InputError: If there is no such file, or it cannot be read, or is no text.
    """
    opened = ExitStack()
    try:
        return TextFile(_unpacked(path, opened), file_name(path), opened)
    except FileNotFoundError:
        raise InputError(f"there is no file {str(path)!r}; check the path") from None
    except InputError:
        opened.close()
        raise
    except (OSError, EOFError, zlib.error) as error:
        opened.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{str(path)!r} cannot be read: {reason}") from None


def file_name(path: Path) -> str:
    """Return a file's name as text, also where the locale knows fewer letters than the name."""
    if str(path) == "-":
        return "standard input"
    return os.fsencode(path.name).decode("utf-8", errors="replace")


def _unpacked(path: Path, opened: ExitStack) -> io.BufferedReader:
    """Open a file, and unpack it where its first bytes say that it is gzipped."""
    if str(path) == "-":
        raw = cast(io.BufferedReader, sys.stdin.buffer)
    else:
        raw = opened.enter_context(io.BufferedReader(io.FileIO(path), _HEAD))
    if raw.peek(2)[:2] != _GZIP:
        return raw
    packed = opened.enter_context(gzip.GzipFile(fileobj=cast(BinaryIO, raw)))
    return cast(io.BufferedReader, opened.enter_context(io.BufferedReader(packed, _HEAD)))


def expand(paths: Iterable[str | Path], suffixes: tuple[str, ...]) -> Iterator[tuple[Path, bool]]:
    """Yield the files that the paths mean, and whether each was named itself.

    Args:
        paths: Files and folders.
        suffixes: The suffixes, without ``.gz``, of the files that are taken from folders.

    Raises:
        InputError: If a folder holds no such file.
    """
    for path in map(Path, paths):
        if not path.is_dir():
            yield path, True
            continue
        found = [file for file in sorted(path.rglob("*")) if _is_wanted(file, path, suffixes)]
        if not found:
            known = ", ".join(dict.fromkeys(suffixes))
            raise InputError(f"folder {str(path)!r} holds no file that is read ({known})")
        yield from ((file, False) for file in found)


def _is_wanted(file: Path, folder: Path, suffixes: tuple[str, ...]) -> bool:
    hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
    return (
        not hidden and file.name.lower().removesuffix(".gz").endswith(suffixes) and file.is_file()
    )


def _refuse_binary(start: bytes, name: str) -> None:
    for magic, kind in _KINDS.items():
        if start.startswith(magic):
            raise InputError(f"{name!r} is {kind}, no text; {_REMEDY}")
    if start.startswith(_UTF16):
        return
    if b"\0" in start[::2] or b"\0" in start[1::2]:
        wide = start[1::2].count(0) > len(start) // 4 or start[::2].count(0) > len(start) // 4
        what = (
            "UTF-16 without a byte-order mark; save it as UTF-8" if wide else f"no text; {_REMEDY}"
        )
        raise InputError(f"{name!r} is {what}")
    controls = sum(start.count(byte) for byte in (*range(1, 9), *range(14, 27), *range(28, 32)))
    if controls > len(start) // 10:
        raise InputError(f"{name!r} is no text; {_REMEDY}")
