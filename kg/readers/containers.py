"""Containers: files that are compressed, archives that hold files, and bombs that are neither."""

from __future__ import annotations

import bz2
import gzip
import io
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

from kg.errors import InputError

HEAD = 1 << 16
"""Bytes of a file that are looked at to tell what it is."""

_RATIO = 200  # text is packed to a tenth, a table of equal rows to a hundredth
_FREE = 256 << 20  # bytes that any file may unpack to
_LARGEST_IN_MEMORY = 256 << 20  # bytes of an archive that comes through a pipe
_BOMB = f"it unpacks to more than {_RATIO} times its size"
_NESTED = "an archive in an archive; unpack it first"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")


class Bytes(io.RawIOBase):
    """A stream whose every fault is an `OSError`, and that stops where it proves a bomb.

    Args:
        source: What is read.
        packed: Tells how many bytes it was made from so far; none where it is not packed.

    Attributes:
        count: How many bytes it gave.
    """

    def __init__(self, source: Any, packed: Callable[[], int] | None = None) -> None:
        super().__init__()
        self.count = 0
        self._read_some = getattr(source, "read1", source.read)  # gives what precedes a fault
        self._packed = packed
        self._fault: OSError | None = None

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer, save at the end; what came before a fault is given first."""
        view, got = memoryview(buffer).cast("B"), 0
        while got < len(view) and (data := self._read(len(view) - got)):
            view[got : got + len(data)] = data
            got += len(data)
        if self._fault and not got:
            raise self._fault
        self.count += got
        if self._packed and is_bomb(self.count, self._packed()):
            raise OSError(_BOMB)
        return got

    def _read(self, size: int) -> bytes:
        if self._fault:
            return b""
        try:
            return bytes(self._read_some(size))
        except Exception as error:  # each packer has its own errors for a damaged file
            strerror = getattr(error, "strerror", None)
            self._fault = OSError(strerror or str(error) or type(error).__name__)
            return b""


def is_bomb(size: int, packed: int) -> bool:
    """Tell whether so many bytes cannot honestly come from so few."""
    return size > _FREE and size > _RATIO * packed


def buffered(source: Any, packed: Callable[[], int] | None = None) -> io.BufferedReader:
    """Return a stream with a buffer, of which the first `HEAD` bytes can be looked at."""
    return io.BufferedReader(Bytes(source, packed), HEAD)


def unpacked(stream: io.BufferedReader) -> io.BufferedReader:
    """Return the stream, unpacked if its first bytes say that it is compressed.

    Raises:
        InputError: If there is an archive in it.
    """
    unpack = _unpacker(stream.peek(HEAD))
    if unpack is None:
        return stream
    raw = cast(Bytes, stream.raw)
    inner = buffered(unpack(stream), lambda: raw.count)
    start = inner.peek(HEAD)
    if _unpacker(start) or is_zip(start):
        raise InputError(_NESTED)
    return inner


def _unpacker(start: bytes) -> Callable[[Any], Any] | None:
    if start.startswith(b"\x1f\x8b"):
        return lambda stream: gzip.GzipFile(fileobj=stream)
    if start.startswith(b"BZh") and start[4:10] in (b"1AY&SY", b"\x17rE8P\x90"):
        return bz2.BZ2File
    if start.startswith(b"\x28\xb5\x2f\xfd"):
        return _unzstd
    return None


def _unzstd(stream: BinaryIO) -> Any:
    import pyarrow as pa

    return pa.CompressedInputStream(pa.PythonFile(stream, "r"), "zstd")


def is_zip(start: bytes) -> bool:
    """Tell by its first bytes whether a file is a zip archive, as office documents are too."""
    return start.startswith(_ZIP)


class Archive:
    """A zip archive.

    Args:
        file: The path of the archive, or its bytes.

    Attributes:
        is_workbook: Whether it is an Excel workbook.
        size: How many bytes it holds, unpacked.

    Raises:
        InputError: If it is damaged, holds a bomb, or is a document of an office program
            other than an Excel workbook.
    """

    def __init__(self, file: Any) -> None:
        try:
            self._zip = zipfile.ZipFile(file)
            self._infos = sorted(self._zip.infolist(), key=lambda info: info.filename)
        except Exception as error:  # zipfile has many errors for a damaged archive
            raise InputError(f"a zip archive that cannot be read: {error}") from None
        names = {info.filename for info in self._infos}
        self.is_workbook = "xl/workbook.xml" in names
        if not self.is_workbook and names & {"[Content_Types].xml", "mimetype"}:
            self.close()
            raise InputError("an office document or e-book; save it as text")
        self.size = sum(info.file_size for info in self._infos)
        if is_bomb(self.size, sum(info.compress_size for info in self._infos)):
            self.close()
            raise InputError(f"a zip archive that is not read: {_BOMB}")

    def close(self) -> None:
        """Close it."""
        self._zip.close()

    def names(self, suffixes: tuple[str, ...]) -> list[str]:
        """Return the names of its files that have one of these suffixes, sorted."""
        names = dict.fromkeys(info.filename for info in self._infos if not info.is_dir())
        return [n for n in names if not _is_hidden(n) and n.lower().endswith(suffixes)]

    @contextmanager
    def open(self, name: str) -> Iterator[io.BufferedReader]:
        """Open the file of this name.

        Raises:
            InputError: If it needs a password, is damaged, or is itself packed.
        """
        try:
            member = self._zip.open(name)
        except Exception as error:  # as above
            raise InputError(str(error) or type(error).__name__) from None
        with member:
            size = self._zip.getinfo(name).compress_size
            stream = buffered(member, lambda: size)
            try:
                start = stream.peek(HEAD)
            except OSError as error:
                raise InputError(f"it cannot be read: {error}") from None
            if _unpacker(start) or (is_zip(start) and not name.lower().endswith(".xlsx")):
                raise InputError(_NESTED)
            yield stream


def in_memory(stream: BinaryIO, what: str) -> io.BytesIO:
    """Return the bytes of a file that cannot be read from the front to the back.

    Raises:
        InputError: If it is too large.
    """
    data = stream.read(_LARGEST_IN_MEMORY + 1)
    if len(data) > _LARGEST_IN_MEMORY:
        raise InputError(f"{what} is larger than {_LARGEST_IN_MEMORY >> 20} MiB")
    return io.BytesIO(data)


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in name.split("/"))
