r"""JSON as a stream: the objects that are records, one after the other, in constant memory.

    bytes ──▶ cut at the brackets that enclose a record ──▶ each `Piece` is parsed alone
          ──▶ a line that is one record, as most are, is parsed at once

The records are lines, the objects of an array, or those of a list such as ``results`` in the
answer of an API. Cutting first, rather than parsing the whole as it comes (as ijson does),
lets a broken or an endless record harm no other, tells the line of each, and leaves the
parsing to `json`, which reads the ``NaN`` that Python writes and JSON has not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from kg.readers.files import LONGEST

_CHUNK = 1 << 18
_BOM = b"\xef\xbb\xbf"
_TOKEN = re.compile(
    rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?P<closed>"(?P<colon>\s*+:)?+)?+|[\[\]{}]', re.DOTALL
)
_STRING_END = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+("?+)', re.DOTALL)
_OBJECTS = re.compile(rb"\[\s*(?:\{|null\b)")
_WORD = re.compile(rb"[^\s,]+")
_DOI_NAME = re.compile(r"10\.")
_DECODER = json.JSONDecoder(strict=False)
_QUOTE, _OPENING = ord('"'), b"[{"
_LOOSE = 1 << 16
_NEAR = 100  # bytes before the end of a chunk in which a token may go on


def _keys(names: str) -> frozenset[bytes]:
    return frozenset(f'"{name}"'.encode() for name in names.split())


_COVERS = _keys("message response")
_SUBMISSIONS = _keys("submissions")
_LISTS = _SUBMISSIONS | _keys(
    "results data items notes recommendedPapers papers works records documents docs entries"
    " articles publications"
)
_COVER_NAMES = frozenset(key.strip(b'"').decode() for key in _COVERS | _LISTS)
_OF_RECORDS = _keys("title abstract content paperId DOI doi author authors abstract_inverted_index")


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands where a record should.

    Args:
        line: The line on which it begins, from 1.
        raw: Its bytes, no more than `LONGEST`.
        reason: Why it could not be read; empty where it could.
        value: The object, where it has been parsed already.
    """

    line: int
    raw: bytes = b""
    reason: str = ""
    value: Mapping[str, object] | None = field(default=None, compare=False)


def find_pieces(stream: BinaryIO) -> Iterator[Piece]:
    """Yield what stands where records should, in the order of the file.

    Args:
        stream: The bytes of the file from its beginning, in an encoding that contains ASCII.
    """
    first, line = stream.readline(_CHUNK).removeprefix(_BOM), 1
    while first and not first.strip():
        first, line = stream.readline(_CHUNK), line + 1
    start = first.strip()
    if start[:1] == b"[" or start[-1:] in (b"[", b"{", b",", b":"):
        yield from _cut(_rest(first, stream), _Cutter(line))
        return
    while first:
        value = _record_of(first)
        if value is not None:
            yield Piece(line, first.strip(), value=value)
        else:
            yield from _cut(_one_line(first, stream), _Cutter(line, is_line=True))
        first, line = stream.readline(_CHUNK), line + 1


def _record_of(line: bytes) -> Mapping[str, object] | None:
    """Return the object that a line is, unless it may be the cover of a list of records."""
    if len(line) == _CHUNK:  # there may be more of it
        return None
    try:
        value: Any = _DECODER.decode(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not _COVER_NAMES.isdisjoint(value):
        return None
    return None if any(map(_DOI_NAME.match, value)) else value


def _rest(first: bytes, stream: BinaryIO) -> Iterator[bytes]:
    yield first
    while chunk := stream.read(_CHUNK):
        yield chunk


def _one_line(first: bytes, stream: BinaryIO) -> Iterator[bytes]:
    """Yield a line in parts, to its end."""
    yield first
    while first and not first.endswith(b"\n"):
        first = stream.readline(_CHUNK)
        yield first


def _cut(chunks: Iterable[bytes], cutter: _Cutter) -> Iterator[Piece]:
    for chunk in chunks:
        cutter.feed(chunk)
        yield from cutter.take()
    cutter.feed(b"", last=True)
    cutter.finish()
    yield from cutter.take()


@dataclass
class _Cutter:
    """Where in the text we are: what is open around the records, and the record being read."""

    line: int  # at `counted`
    is_line: bool = False  # where an array is no list of records
    found: list[Piece] = field(default_factory=list)
    buffer: bytes = b""  # from the beginning of the record, or from what is not yet read
    place: int = 0  # up to which it has been read
    counted: int = 0  # up to which its lines have been counted
    in_string: bool = False  # of which the beginning has been dropped, so long is it
    depth: int = 0  # brackets that are open
    around: list[tuple[bool, int]] = field(default_factory=lambda: [(True, 0)])  # array?, depth
    at: int = -1  # depth of the record; -1 between records
    start: int = -1  # its place in the buffer; -1 where it is too long
    began: int = 0  # its line
    lists: frozenset[bytes] = frozenset()  # the keys that make it the cover of a list
    key: bytes = b""
    loose: bool = False  # something that is no record has been told of

    def take(self) -> list[Piece]:
        """Return what has been found since the last time."""
        found, self.found = self.found, []
        return found

    def feed(self, chunk: bytes, *, last: bool = False) -> None:
        """Read on, up to what may go on in the next chunk."""
        self._forget()
        self.buffer += chunk
        if self.in_string:
            self._leave_string()
        near = len(self.buffer) - _NEAR * (not last)
        for token in _TOKEN.finditer(self.buffer, self.place):
            if token.end() > near and self._may_go_on(token):
                break
            if self.buffer[token.start()] != _QUOTE or self._is_outside():
                self._tell_loose(token.start())
                self._read(token)
            self.place = token.end()
        self._bound(last)

    def finish(self) -> None:
        """Tell of what has begun and not ended."""
        if self.at >= 0:
            self._end(len(self.buffer))
        elif len(self.around) > 1:
            line = self._line(len(self.buffer))
            self.found.append(Piece(line, reason="the file ends before its list does"))

    def _forget(self) -> None:
        """Drop what has been read from the buffer."""
        until = self.start if self.start >= 0 else self.place
        self._line(max(until, self.counted))
        self.buffer = self.buffer[until:]
        self.place -= until
        self.counted -= until
        self.start -= until if self.start >= 0 else 0

    def _line(self, place: int) -> int:
        """Return the number of the line at a place, which is none before the last one asked."""
        self.line += self.buffer.count(b"\n", self.counted, place)
        self.counted = place
        return self.line

    def _leave_string(self) -> None:
        found = _STRING_END.match(self.buffer, self.place)
        if found:
            self.place = found.end()
            self.in_string = not found[1]

    def _may_go_on(self, token: re.Match[bytes]) -> bool:
        """Tell whether what decides of a string or an array may be in the next chunk."""
        rest = self.buffer[token.end() :].strip()
        if token[0][0] == _QUOTE:
            return not token["closed"] or not rest
        return token[0][0] == _OPENING[0] and not rest

    def _is_outside(self) -> bool:
        """Tell whether a string here is more than a part of a record."""
        return self.at < 0 or (self.depth == self.at + 1 and bool(self.lists))

    def _bound(self, last: bool) -> None:
        """Let nothing grow without end."""
        if self.start >= 0 and len(self.buffer) - self.start > LONGEST:
            self.start = -1
        rest = len(self.buffer) - self.place
        string = _TOKEN.search(self.buffer, self.place) if last or rest > _LOOSE else None
        if string is None and (last or rest > _LOOSE):
            self._tell_loose(len(self.buffer))
            self.place = len(self.buffer)
        elif string and self.start < 0 and rest > LONGEST:
            self._tell_loose(string.start())
            self.in_string, self.place = True, string.end()

    def _is_between(self) -> bool:
        """Tell whether a record should come next."""
        array, inside = self.around[-1]
        return self.at < 0 and array and self.depth == inside

    def _tell_loose(self, end: int) -> None:
        """Tell of what stands between records and is none: each null, the rest once a run."""
        if self._is_between():
            for word in _WORD.finditer(self.buffer, self.place, end):
                self._tell(word)

    def _tell(self, word: re.Match[bytes]) -> None:
        null = word[0] == b"null"
        if null or not self.loose:
            self.found.append(Piece(self._line(word.start()), word[0][:200]))
        self.loose = not null

    def _read(self, token: re.Match[bytes]) -> None:
        sign = token[0][0]
        if sign == _QUOTE:
            self._read_string(token)
        elif sign in _OPENING:
            self._open(sign == _OPENING[0], token.start())
        else:
            self._close(token)

    def _read_string(self, token: re.Match[bytes]) -> None:
        if not token["colon"]:
            if self._is_between():
                self._tell(token)
        elif self.depth == (self.at + 1 if self.at >= 0 else self.around[-1][1]):
            self.key = self.buffer[token.start() : token.start("colon")]
            if self.at >= 0 and self.key in _OF_RECORDS:
                self.lists = frozenset()

    def _open(self, array: bool, place: int) -> None:
        self.depth += 1
        if self.at >= 0:
            if self.depth == self.at + 2 and self.lists:
                self._uncover(array, place)
        elif self._within_around():
            in_array, inside = self.around[-1]
            listed = self._is_list(_LISTS, place) if not in_array else not inside
            if array and listed and not (self.is_line and in_array):
                self.around.append((True, self.depth))
            elif in_array:
                self._begin(place)

    def _within_around(self) -> bool:
        return self.depth - 1 == self.around[-1][1]

    def _begin(self, place: int) -> None:
        self.at, self.start, self.began = self.depth - 1, place, self._line(place)
        self.loose = False
        self.lists = {1: _LISTS, 2: _SUBMISSIONS}.get(len(self.around), frozenset())

    def _uncover(self, array: bool, place: int) -> None:
        """Go into a list, of which the record so far is only the cover."""
        if array and self._is_list(self.lists, place):
            self.around += [(False, self.at + 1), (True, self.depth)]
            self.at = self.start = -1
        elif not array and self.key in _COVERS and len(self.around) == 1:
            self.at, self.start, self.began = self.depth - 1, place, self._line(place)

    def _is_list(self, keys: frozenset[bytes], place: int) -> bool:
        """Tell whether records lie in the array here; a DOI, too, is the key of such a list."""
        named = self.key in keys or (keys is _LISTS and self.key.startswith(b'"10.'))
        return named and bool(_OBJECTS.match(self.buffer, place))

    def _close(self, token: re.Match[bytes]) -> None:
        if not self.depth:
            self._tell(token)
            return
        self.depth -= 1
        if self.depth == self.at:
            self._end(token.end())
        elif self.at < 0 and self.depth < self.around[-1][1]:
            self.around.pop()

    def _end(self, place: int) -> None:
        raw = self.buffer[self.start : place]
        if self.start < 0 or len(raw) > LONGEST:
            self.found.append(Piece(self.began, reason="the record is larger than 16 MiB"))
        else:
            self.found.append(Piece(self.began, raw))
        self.at = self.start = -1
