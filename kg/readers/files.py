"""Files: what lies in folders and archives, encodings, and what is no text at all."""

from __future__ import annotations

import codecs
import glob
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import cast

from kg.errors import InputError
from kg.model import Skipped, Source
from kg.readers.containers import HEAD, Archive, buffered, in_memory, is_zip, unpacked

LONGEST = 16 << 20
"""Bytes of the longest line, and characters of the longest record, that are read."""

PACKED = (".gz", ".bz2", ".zst")
_PIPE = "-"
_UTF8 = codecs.BOM_UTF8
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_UTF32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_GB2312 = re.compile(rb"(?:[\x00-\x7f]++|[\xa1-\xa9\xb0-\xf7][\xa1-\xfe])*+")
_HANZI = re.compile(rb"[\xc9-\xf7][\xa1-\xfe]")  # beyond the Hangul of EUC-KR, which it resembles
_ENCODINGS = {"cp1252": "Windows-1252", "gb18030": "GB 18030"}
_REMEDY = "export text, BibTeX, RIS or CSV"
_KINDS = {
    b"%PDF": "a PDF file",
    b"\xd0\xcf\x11\xe0": "an office document of an old kind (.xls, .doc); save it as .xlsx or text",
    b"\x89PNG": "an image",
    b"\xff\xd8\xff": "an image",
    b"PAR1": "a Parquet file",
    b"{\\rtf": "an RTF document",
    b"\xfd7zXZ": "an xz file; unpack it first",
    b"7z\xbc\xaf": "a 7z archive; unpack it first",
    b"Rar!": "a RAR archive; unpack it first",
    b"SQLite format 3": "an SQLite database",
}


class InputFile:
    r"""An open file of text or, where `READERS` has a format for it, of an office program.

    A reader uses `stream` or `lines`, either of them once.

    Args:
        stream: Its bytes, unpacked, of which none has been read.
        name: Its name, without the folder; ``archive.zip/name`` in an archive.
        named: Whether a person named it; what lies in folders and archives is skipped
            where it cannot be read.
        columns: What the columns of a table mean: a field, such as "title", by the name
            of its column.

    Attributes:
        head: Its first characters, some 65,000 at most.
        guessed: How many of the lines read so far were no UTF-8.
        too_long: The numbers of the lines that were left out since they are too long.
        fault: Why the lines ended before the file did, if they did.

    Raises:
        InputError: If it is no text.
    """

    def __init__(
        self,
        stream: io.BufferedReader,
        name: str,
        *,
        named: bool = True,
        columns: Mapping[str, str] | None = None,
    ) -> None:
        start = stream.peek(HEAD)[:HEAD]
        _refuse_binary(start, name)
        self.stream = stream
        self.name = name
        self.named = named
        self.columns = columns or {}
        self.guessed = 0
        self.too_long: list[int] = []
        self.fault: OSError | None = None
        self._utf16 = start.startswith(_UTF16)
        self._fallback = _fallback(start)
        self.head = self._decode_head(start)

    def _decode_head(self, start: bytes) -> str:
        if self._utf16:
            return start.decode("utf-16", errors="replace")
        return start.decode("utf-8-sig", errors="replace")

    @property
    def guess(self) -> str:
        """The name of the encoding as which lines are read that are no UTF-8."""
        return _ENCODINGS[self._fallback]

    def lines(self) -> Iterator[str]:
        r"""Yield the lines, each with ``\n`` at its end, whatever ended it in the file.

        An empty line stands for one that is longer than `LONGEST`. Where the file breaks off,
        so do they, so that what came before is read; `fault` says why.
        """
        try:
            yield from self._all_lines()
        except OSError as error:
            self.fault = error

    def _all_lines(self) -> Iterator[str]:
        decoded = self._wide_lines() if self._utf16 else map(self._decode, self._raw_lines())
        for line in decoded:
            if "\r" not in line:
                yield line
                continue
            parts = line.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            yield from (part + "\n" for part in parts[:-1])
            if parts[-1]:
                yield parts[-1]

    def _raw_lines(self) -> Iterator[bytes]:
        number = 0
        while raw := self.stream.readline(LONGEST):
            number += 1
            if len(raw) == LONGEST and not raw.endswith(b"\n"):
                self.too_long.append(number)
                while raw and not raw.endswith(b"\n"):
                    raw = self.stream.readline(LONGEST)
                raw = b"\n"
            yield raw.removeprefix(_UTF8) if number == 1 else raw

    def _wide_lines(self) -> Iterator[str]:
        with io.TextIOWrapper(self.stream, encoding="utf-16", errors="replace") as wide:
            number = 0
            while line := wide.readline(LONGEST):
                number += 1
                if len(line) == LONGEST and not line.endswith("\n"):
                    self.too_long.append(number)
                    while line and not line.endswith("\n"):
                        line = wide.readline(LONGEST)
                    line = "\n"
                yield line

    def _decode(self, raw: bytes) -> str:
        """Decode a line; one that is no UTF-8 is of the encoding that the file looks like."""
        for encoding in ("utf-8", self._fallback):
            try:
                return raw.decode(encoding)
            except UnicodeDecodeError:
                self.guessed += encoding == "utf-8"
        return raw.decode("latin-1")


def _fallback(start: bytes) -> str:
    """Return the encoding of lines that are no UTF-8: GB 18030 where all comes in its pairs."""
    whole = start[: start.rfind(b"\n") + 1] if len(start) == HEAD else start
    if _GB2312.fullmatch(whole) and _HANZI.search(whole):
        return "gb18030"
    return "cp1252"


def from_text(text: str | bytes, name: str = "text") -> InputFile:
    """Return a file that holds a text."""
    data = text.encode() if isinstance(text, str) else text
    return InputFile(buffered(io.BytesIO(data)), name)


@contextmanager
def open_text(path: Path) -> Iterator[InputFile]:
    """Open a file that is no archive; ``-`` is the standard input.

    Raises:
        InputError: If there is no such file, or it cannot be read, or is no text.
    """
    with _opened(path) as stream:
        yield InputFile(stream, file_name(path))


def iter_files(
    paths: Iterable[str | Path],
    suffixes: tuple[str, ...],
    columns: Mapping[str, str] | None = None,
) -> Iterator[InputFile | Skipped]:
    """Open the files that the paths mean, one after the other.

    Args:
        paths: Files, folders, archives, patterns such as ``papers/*.bib``; ``-`` is the
            standard input.
        suffixes: The suffixes of the files that are taken from folders and archives.
        columns: As for `InputFile`.

    Yields:
        Each file, open until the next is asked for, or why one that nobody named is not read.

    Raises:
        InputError: If a file that was named cannot be read.
    """
    for path, named in _expand(paths, suffixes):
        try:
            with _opened(path) as stream:
                if not is_zip(stream.peek(HEAD)):
                    yield InputFile(stream, file_name(path), named=named, columns=columns)
                    continue
                with _archive(path, stream) as archive:
                    if archive.is_workbook:
                        yield InputFile(stream, file_name(path), named=named, columns=columns)
                    else:
                        yield from _members(archive, path, suffixes, columns)
        except InputError as error:
            if named:
                raise
            yield Skipped(Source(file_name(path)), str(error))


def _members(
    archive: Archive, path: Path, suffixes: tuple[str, ...], columns: Mapping[str, str] | None
) -> Iterator[InputFile | Skipped]:
    names = archive.names((*suffixes, *PACKED, ".zip"))
    if not names:
        raise InputError(f"{file_name(path)!r} holds no file that is read ({_known(suffixes)})")
    for name in names:
        full = f"{file_name(path)}/{name}"
        try:
            with archive.open(name) as stream:
                yield InputFile(stream, full, named=False, columns=columns)
        except InputError as error:
            yield Skipped(Source(full), str(error))


@contextmanager
def _archive(path: Path, stream: io.BufferedReader) -> Iterator[Archive]:
    """Open a zip archive, which is read from its end."""
    piped = str(path) == _PIPE
    archive = Archive(in_memory(stream, "the archive") if piped else path)
    try:
        yield archive
    finally:
        archive.close()


def file_name(path: Path) -> str:
    """Return a file's name as text, also where the locale knows fewer letters than the name."""
    if str(path) == _PIPE:
        return "standard input"
    return os.fsencode(path.name).decode("utf-8", errors="replace")


@contextmanager
def _opened(path: Path) -> Iterator[io.BufferedReader]:
    """Open a file, unpacked where its first bytes say that it is compressed."""
    with ExitStack() as opened:
        try:
            if str(path) == _PIPE:
                raw = cast(io.RawIOBase, sys.stdin.buffer)
            else:
                raw = opened.enter_context(io.FileIO(path))
            stream = unpacked(buffered(raw))
            stream.peek(1)
        except FileNotFoundError:
            raise InputError(f"there is no file {str(path)!r}; check the path") from None
        except (OSError, InputError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise InputError(f"{str(path)!r} cannot be read: {reason}") from None
        yield stream


def _expand(paths: Iterable[str | Path], suffixes: tuple[str, ...]) -> Iterator[tuple[Path, bool]]:
    """Yield the files that the paths mean, and whether each was named itself."""
    for path in map(Path, paths):
        if path.is_dir():
            yield from ((file, False) for file in _in_folder(path, suffixes))
        elif glob.has_magic(str(path)) and not path.exists():
            yield from ((file, True) for file in _matching(path))
        else:
            yield path, True


def _matching(pattern: Path) -> list[Path]:
    found = [Path(name) for name in sorted(glob.glob(str(pattern), recursive=True))]  # noqa: PTH207
    files = [path for path in found if path.is_file()]
    if not files:
        raise InputError(f"no file matches {str(pattern)!r}; check the path")
    return files


def _in_folder(folder: Path, suffixes: tuple[str, ...]) -> list[Path]:
    found = [file for file in sorted(folder.rglob("*")) if _is_wanted(file, folder, suffixes)]
    if not found:
        raise InputError(f"folder {str(folder)!r} holds no file that is read ({_known(suffixes)})")
    return found


def _known(suffixes: tuple[str, ...]) -> str:
    return ", ".join(dict.fromkeys(suffixes))


def _is_wanted(file: Path, folder: Path, suffixes: tuple[str, ...]) -> bool:
    if any(part.startswith(".") for part in file.relative_to(folder).parts):
        return False
    name = file.name.lower()
    for packed in PACKED:
        name = name.removesuffix(packed)
    known = name.endswith((*suffixes, ".zip")) and file.is_file()
    return known and not _is_graph(file.parent)


def _is_graph(folder: Path) -> bool:
    """Tell whether a folder holds a graph that was built, whose files are no input."""
    return (folder / "run.json").is_file() and (folder / "papers.parquet").is_file()


def _refuse_binary(start: bytes, name: str) -> None:
    for magic, kind in _KINDS.items():
        if start.startswith(magic):
            remedy = "" if ";" in kind else f", no text; {_REMEDY}"
            raise InputError(f"{name!r} is {kind}{remedy}")
    if start[257:262] == b"ustar":
        raise InputError(f"{name!r} is a tar archive; unpack it first")
    if start.startswith(_UTF32):
        raise InputError(f"{name!r} is UTF-32; save it as UTF-8")
    if start.startswith(_UTF16) or is_zip(start):
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
