"""N-Triples and N-Quads, sorted: the same bytes for the same graph, in memory that stays flat.

A term as a string is as N-Triples has it, its characters escaped by pyoxigraph. Lines are sorted
within their description, and descriptions by their subject: ten times less to sort and merge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from heapq import merge
from struct import Struct
from tempfile import TemporaryFile
from typing import IO

from pyoxigraph import Literal, NamedNode, Triple

from exports.descriptions import Description
from exports.iris import Iris
from exports.layers import LAYERS

SORTED_AT_ONCE = 16 << 20
"""Bytes that are sorted in memory; more are merged from files without a name."""

Block = tuple[bytes, bytes]
"""A subject and all lines about it."""

_SIZES = Struct("<II")


def write_ntriples(_: Iris, descriptions: Iterable[Description], out: IO[bytes]) -> None:
    """Write a line a triple, sorted by its bytes."""
    _write_sorted((_lines(description, "") for description in descriptions), out)


def write_nquads(iris: Iris, descriptions: Iterable[Description], out: IO[bytes]) -> None:
    """Write a line a quad, sorted by its bytes."""
    graphs = {layer: f" {iris.of('graph', layer)}" for layer in LAYERS}
    _write_sorted((_lines(d, graphs[d.layer]) for d in descriptions), out)


def _lines(description: Description, graph: str) -> Block:
    subject = str(description.subject)
    lines = [f"{subject} {p} {_term(o)}{graph} .\n" for p, o in description.statements]
    return subject.encode(), "".join(sorted(lines)).encode()


def _term(node: NamedNode | Literal | Triple) -> str:
    return f"<<( {node} )>>" if isinstance(node, Triple) else str(node)


def _write_sorted(blocks: Iterator[Block], out: IO[bytes]) -> None:
    """Write blocks sorted by their subjects, hence all lines sorted by their bytes.

    No subject has two blocks, and none is the beginning of another, since it ends in ">".
    """
    with ExitStack() as opened:
        parts: list[Iterator[Block]] = []
        while some := sorted(_next(blocks)):
            part = opened.enter_context(TemporaryFile())
            for subject, lines in some:
                part.write(_SIZES.pack(len(subject), len(lines)) + subject + lines)
            part.seek(0)
            parts.append(_read(part))
        out.writelines(lines for _, lines in merge(*parts))


def _next(blocks: Iterator[Block]) -> Iterator[Block]:
    """Yield the next blocks, as many as are sorted at once."""
    size = 0
    while size < SORTED_AT_ONCE and (block := next(blocks, None)):
        size += len(block[1])
        yield block


def _read(part: IO[bytes]) -> Iterator[Block]:
    while sizes := part.read(_SIZES.size):
        subject, lines = _SIZES.unpack(sizes)
        yield part.read(subject), part.read(lines)
