"""XML as a stream: the elements that hold records, one after the other, in constant memory.

    bytes ──▶ text ──▶ expat ──▶ `Found` elements, each a small tree of its own

Expat is the parser of the standard library. It is driven by hand, since the ready iterators
(``iterparse`` of ElementTree, lxml and defusedxml) end with the first element that is too
large, keep what stands between the records, and tell no line. Nothing is fetched, and a file
that declares entities, or nests without end, is refused where it does so.
"""

from __future__ import annotations

import codecs
import html.entities
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from kg.model import Record, Skipped, Source
from kg.readers.files import LONGEST, InputFile

Path = tuple[tuple[str, dict[str, str]], ...]
Records = Iterator[Record | Skipped]
ReadElement = Callable[[Element, Path, Source], Record | Skipped | None]

_CHUNK = 1 << 18
_DEEPEST = 128  # what walks a tree goes down as many calls, some times over
_ELEMENT = 64  # bytes that an element costs beside its text, at the least
_DECLARED = re.compile(rb"\s*<\?xml\s[^>]{0,200}?\bencoding\s*=\s*[\"']([\w.:-]{1,40})[\"']")
_DECLARATION = re.compile(r"(\s*)<\?xml\s[^>]{0,200}\?>")
_PROLOG = re.compile(
    r"(?>\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*+(?>\[.*?\]\s*)?>)*+", re.DOTALL | re.IGNORECASE
)
_NAME = re.compile(r"<(?:[\w.-]+:)?([\w.-]+)")
_ASCII = b"<?+\\x41&~{-"  # read otherwise by encodings such as UTF-7, which no XML is in
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_ENTITIES = "".join(
    f'<!ENTITY {name} "&#{code};">'
    for name, code in html.entities.name2codepoint.items()
    if name not in ("lt", "gt", "amp", "quot", "apos")
)


@dataclass(frozen=True, slots=True)
class Found:
    """An element that holds a record, or why there is none.

    Args:
        line: The line on which it begins, from 1.
        element: Its tree, names without prefixes; None where it could not be read.
        path: Names and attributes of the elements around it, the root first.
        reason: Why it could not be read.
    """

    line: int
    element: Element | None = None
    path: Path = ()
    reason: str = ""


class _RefusedError(ValueError):
    """The file does what no bibliography does."""


def root_name(head: str) -> str:
    """Return the name of the first element without its prefix; "" where this is no XML.

    Example:
        >>> root_name('<?xml version="1.0"?><!-- made by us --><a:feed id="1">')
        'feed'
    """
    prolog = _PROLOG.match(head := head.lstrip("\ufeff"))
    found = _NAME.match(head, prolog.end() if prolog else 0)
    return found[1] if found else ""


def find_elements(stream: BinaryIO, wanted: frozenset[str]) -> Iterator[Found]:
    """Yield the elements of these names in the order of the file, none within another.

    Args:
        stream: The bytes of the file from its beginning.
        wanted: Names without prefixes.

    Yields:
        Each element; one larger than `LONGEST`, and what follows a place at which the file
        is broken, without its tree and with the reason.
    """
    builder = _Builder(wanted)
    chunks = _chunks(stream)
    try:
        for chunk in chunks:
            builder.feed(chunk)
            yield from builder.take()
        builder.close()
        yield from builder.take()
    except (expat.ExpatError, _RefusedError) as error:
        yield from builder.take()
        yield Found(builder.line(), reason=f"the XML ends here: {_said(error)}")


def read_records(file: InputFile, wanted: frozenset[str], read: ReadElement) -> Records:
    """Yield what a function makes of each element of these names, and what cannot be read.

    Args:
        file: The file.
        wanted: Names without prefixes.
        read: Makes an element a record, or says why it is none; None gives nothing.
    """
    for found in find_elements(file.stream, wanted):
        source = Source(file.name, found.line)
        if found.element is None:
            yield Skipped(source, found.reason)
        elif record := read(found.element, found.path, source):
            yield record


def plain(element: Element | None, path: str = ".") -> str:
    """Return the text of the first element at a path, all tags aside, on one line."""
    found = element.find(path) if element is not None else None
    return " ".join("".join(found.itertext()).split()) if found is not None else ""


def plains(element: Element, path: str) -> tuple[str, ...]:
    """Return the texts of all elements at a path that have one."""
    return tuple(filter(None, (plain(found) for found in element.findall(path))))


def parse_fragment(text: str) -> Element | None:
    """Return marked-up text as an element, or None where it is no well-formed XML."""
    builder = _Builder(frozenset({"fragment"}))
    try:
        builder.feed(f"<fragment>{_ILLEGAL.sub(' ', text)}</fragment>")
        builder.close()
    except (expat.ExpatError, _RefusedError, UnicodeEncodeError):
        return None
    found = builder.take()
    return found[0].element if len(found) == 1 else None


@dataclass
class _Builder:
    """Builds a tree of each wanted element, and of nothing else."""

    wanted: frozenset[str]
    path: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    found: list[Found] = field(default_factory=list)
    tree: TreeBuilder | None = None
    began: int = 0
    depth: int = 0
    size: int = 0
    fed: int = 0

    def __post_init__(self) -> None:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._data
        parser.EntityDeclHandler = _refuse_entities
        parser.AttlistDeclHandler = _refuse_defaults
        parser.SkippedEntityHandler = lambda name, parameter: self._data(f"&{name};")
        parser.ExternalEntityRefHandler = self._know_html
        parser.UseForeignDTD(True)
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_UNLESS_STANDALONE)
        self.parser = parser

    def feed(self, chunk: str) -> None:
        self.parser.Parse(chunk, False)
        self.fed += len(chunk.encode())
        if self.fed - self.parser.CurrentByteIndex > LONGEST:
            raise _RefusedError("a tag or comment is longer than 16 MiB")

    def close(self) -> None:
        self.parser.Parse("", True)

    def take(self) -> list[Found]:
        """Return what has been found since the last time."""
        found, self.found = self.found, []
        return found

    def line(self) -> int:
        return self.parser.CurrentLineNumber

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        name = _local(name)
        if attributes:
            attributes = {_local(key): value for key, value in attributes.items()}
        if self.depth + len(self.path) >= _DEEPEST:
            raise _RefusedError(f"elements are nested deeper than {_DEEPEST}")
        if not self.depth and name not in self.wanted:
            self.path.append((name, attributes))
            return
        if not self.depth:
            self.began, self.size, self.tree = self.line(), 0, TreeBuilder()
        self.depth += 1
        if self._has_room(_ELEMENT + sum(map(len, attributes.values()))) and self.tree:
            self.tree.start(name, attributes)

    def _end(self, name: str) -> None:
        if not self.depth:
            self.path.pop()
            return
        self.depth -= 1
        if self.tree:
            self.tree.end(_local(name))
        if not self.depth:
            self.found.append(self._finished())

    def _finished(self) -> Found:
        path = tuple(self.path)
        if self.tree is None:
            return Found(self.began, path=path, reason="the record is larger than 16 MiB")
        return Found(self.began, self.tree.close(), path)

    def _data(self, text: str) -> None:
        if self.depth and self._has_room(len(text)) and self.tree:
            self.tree.data(text)

    def _has_room(self, size: int) -> bool:
        """Count what a record holds, and drop it where that is too much."""
        self.size += size
        if self.size > LONGEST:
            self.tree = None
        return self.tree is not None

    def _know_html(
        self, context: str, base: str | None, system: str | None, public: str | None
    ) -> int:
        """Give the names of HTML's characters in place of any outer DTD, which is not read."""
        outer = self.parser.ExternalEntityParserCreate(context)
        outer.EntityDeclHandler = None
        outer.Parse(_ENTITIES, True)
        return 1


def _refuse_entities(name: str, *rest: object) -> None:
    raise _RefusedError(f"it declares the entity {name[:40]!r}; write the text out")


def _refuse_defaults(
    element: str, attribute: str, kind: str, default: str | None, required: bool
) -> None:
    if default is not None:
        raise _RefusedError(f"it declares a default for the attribute {attribute[:40]!r}")


def _local(name: str) -> str:
    return name[name.rfind(":") + 1 :]


def _said(error: Exception) -> str:
    if isinstance(error, expat.ExpatError):
        return expat.errors.messages.get(error.code, "not well-formed")
    return str(error)


def _chunks(stream: BinaryIO) -> Iterator[str]:
    """Yield the text in pieces; bytes that are wrong in its encoding become U+FFFD."""
    raw = stream.read(_CHUNK)
    decoder = codecs.getincrementaldecoder(_encoding(raw))(errors="replace")
    first = True
    while raw:
        text = _ILLEGAL.sub(" ", decoder.decode(raw))
        yield _without_declaration(text) if first else text
        raw, first = stream.read(_CHUNK), False
    yield decoder.decode(b"", True)


def _without_declaration(text: str) -> str:
    """Return a text without what it says of its own encoding and version, lines unmoved."""
    found = _DECLARATION.match(text)
    return found[1] + text[found.end() :] if found else text


def _encoding(start: bytes) -> str:
    """Return the encoding that a file declares, where its declaration can be true."""
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    declared = _DECLARED.match(start)
    name = declared[1].decode().lower() if declared else "utf-8"
    if name in ("iso-8859-1", "latin1", "us-ascii", "ascii"):
        name = "cp1252"
    try:
        known = _ASCII.decode(name) == _ASCII.decode()
    except (LookupError, ValueError):
        known = False
    return name if known and name not in ("utf-8", "utf8") else "utf-8-sig"
