"""A read-only SPARQL endpoint: the query operation of the SPARQL 1.1 Protocol.

https://www.w3.org/TR/sparql11-protocol/. Beside ``query``, a request may bind a variable that
the query selects, as ``$name=<iri>`` or ``$name=some text``. Each query is answered by a process
of its own (`exports.answering`) that is ended when it takes too long, or too much; the next one
waits already, so that nobody waits for Python to start.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from queue import Empty, Queue
from tempfile import TemporaryFile
from threading import Lock
from typing import IO, NamedTuple
from urllib.parse import parse_qsl

from exports.answering import LARGEST_ANSWER, NOT_ACCEPTABLE, REFUSED, TABLES, TOO_LARGE, TRIPLES

AT_ONCE = 4
"""Queries that are answered at the same time; more wait."""

FORM, QUERY, UPDATE = (
    "application/x-www-form-urlencoded",
    "application/sparql-query",
    "application/sparql-update",
)
_UPDATES = frozenset({"update", "using-graph-uri", "using-named-graph-uri"})
_IRI = re.compile(r"<([^<>\"{}|^`\\\x00-\x20]+)>")
_NAME = re.compile(r"\w+")


class RequestError(ValueError):
    """A request that has no answer; it has the status of HTTP, and the message says why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Question:
    """A query, and how its answer shall be written.

    Args:
        query: SPARQL.
        table: Media type for SELECT and ASK; None where none that is known is wanted.
        triples: The same for CONSTRUCT and DESCRIBE.
        bindings: Values of variables, by name: {"iri": …} or {"text": …}.
        default_graphs: IRIs of the graphs that are asked where no GRAPH is said.
        named_graphs: IRIs of the graphs that GRAPH can name.
    """

    query: str
    table: str | None
    triples: str | None
    bindings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    default_graphs: Sequence[str] = ()
    named_graphs: Sequence[str] = ()


class Reply(NamedTuple):
    """What is sent back: the status of HTTP, the media type and the content."""

    status: int
    media_type: str
    content: IO[bytes] | bytes


def question_of(parameters: str, content_type: str, body: bytes, accept: str) -> Question:
    """Return what a request asks.

    Args:
        parameters: What stands behind the question mark of the address.
        content_type: Of the body; empty for GET.
        body: The body; empty for GET.
        accept: The media types that are wanted, as the header has them.

    Raises:
        RequestError: If it is no query of the protocol.

    Example:
        >>> question_of("query=ASK+%7B%7D", "", b"", "text/csv").table
        'text/csv'
    """
    pairs = _pairs(parameters)
    kind = content_type.partition(";")[0].strip().casefold()
    if kind == FORM:
        pairs += _pairs(_text(body))
    elif kind == QUERY:
        pairs.append(("query", _text(body)))
    elif kind == UPDATE:
        pairs.append(("update", ""))
    elif kind:
        raise RequestError(415, f"a query is sent as {FORM} or {QUERY}")
    if any(name in _UPDATES for name, _ in pairs):
        raise RequestError(403, "updates are refused: this endpoint only reads")
    queries = [value for name, value in pairs if name == "query"]
    if len(queries) != 1:
        raise RequestError(400, f"a request has one parameter 'query', this one {len(queries)}")
    return Question(
        queries[0],
        wanted(accept, tuple(TABLES)),
        wanted(accept, tuple(TRIPLES)),
        {name[1:]: _value(name, value) for name, value in pairs if name.startswith("$")},
        [_iri(value) for name, value in pairs if name == "default-graph-uri"],
        [_iri(value) for name, value in pairs if name == "named-graph-uri"],
    )


def wanted(accept: str, offered: Sequence[str]) -> str | None:
    """Return which of the offered media types is wanted most, the first of equals; or none.

    Example:
        >>> wanted("text/csv;q=0.5, application/*", ("text/csv", "application/xml"))
        'application/xml'
    """
    ranges = [_range(part) for part in accept.split(",") if part.strip()] or [("*/*", 1.0)]
    qualities = {media_type: _quality(media_type, ranges) for media_type in offered}
    best = max(offered, key=lambda media_type: qualities[media_type])
    return best if qualities[best] > 0 else None


def _range(part: str) -> tuple[str, float]:
    media_range, *parameters = (item.strip().casefold() for item in part.split(";"))
    quality = next((item[2:] for item in parameters if item.startswith("q=")), "1")
    try:
        return media_range, float(quality)
    except ValueError:
        return media_range, 0.0


def _quality(media_type: str, ranges: Sequence[tuple[str, float]]) -> float:
    """Return how much a media type is wanted: the most special range decides."""
    for candidate in (media_type, media_type.partition("/")[0] + "/*", "*/*"):
        for media_range, quality in ranges:
            if media_range == candidate:
                return quality
    return 0.0


def _pairs(text: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=100)
    except ValueError:
        raise RequestError(400, "the parameters are not valid UTF-8, or too many") from None


def _text(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError:
        raise RequestError(400, "the body is not valid UTF-8") from None


def _iri(value: str) -> str:
    if not _IRI.fullmatch(f"<{value}>"):
        raise RequestError(400, "the name of a graph is no IRI")
    return value


def _value(name: str, value: str) -> dict[str, str]:
    if not _NAME.fullmatch(name[1:]):
        raise RequestError(400, "a variable is bound as $name=<iri> or $name=some text")
    found = _IRI.fullmatch(value)
    return {"iri": found[1]} if found else {"text": value}


class Answerers:
    """Processes that wait for queries over a store on disk, to answer one each.

    Args:
        store: The folder of an Oxigraph store that nobody has open for writing.
        seconds: How long a query may take.

    Example:
        >>> with Answerers(Path("store"), 30) as answerers:  # doctest: +SKIP
        ...     answerers.answer(question)
    """

    def __init__(self, store: Path, seconds: int) -> None:
        self._command = [
            *(sys.executable, "-P", "-m", "exports.answering"), str(store), str(seconds + 1)
        ]  # fmt: skip
        self._seconds = seconds
        self._waiting: Queue[_Answerer] = Queue()
        self._living: set[_Answerer] = set()
        self._lock = Lock()
        self._closed = False

    def __enter__(self) -> Answerers:
        for _ in range(AT_ONCE):
            self._start()
        return self

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._closed = True
            for answerer in self._living:
                answerer.end()

    def answer(self, question: Question) -> Reply:
        """Return the answer to a question or, in words, why there is none."""
        try:
            answerer = self._waiting.get(timeout=self._seconds)
        except Empty:
            return words(503, "too many queries are being answered; ask again later")
        try:
            return answerer.answer(question, self._seconds)
        finally:
            answerer.end()
            with self._lock:
                self._living.discard(answerer)
            self._start()

    def _start(self) -> None:
        with self._lock:
            if not self._closed:
                answerer = _Answerer(self._command)
                self._living.add(answerer)
                self._waiting.put(answerer)


class _Answerer:
    """A process that waits for one query, and the file for its answer."""

    def __init__(self, command: Sequence[str]) -> None:
        self._out: IO[bytes] | None = TemporaryFile()  # noqa: SIM115 (closed when the process ends)
        self._process = subprocess.Popen(  # noqa: S603 (our own program, no words of a user)
            command,
            stdin=subprocess.PIPE,
            stdout=self._out,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the server, which then ends this process
        )

    def answer(self, question: Question, seconds: float) -> Reply:
        """Return the answer, or why there is none."""
        asked = json.dumps(asdict(question)).encode()
        try:
            _, said = self._process.communicate(asked, timeout=seconds)
        except subprocess.TimeoutExpired:
            return words(503, f"no answer within {seconds:g} seconds; ask for less, or add LIMIT")
        if self._process.returncode == 0 and self._out:
            answer, self._out = self._out, None
            return Reply(200, said.decode(), answer)
        return _failure(self._process.returncode, said.decode(errors="replace"))

    def end(self) -> None:
        """End the process, whatever it does; an answer that it has given stays."""
        self._process.kill()
        self._process.wait()
        for opened in (self._process.stdin, self._process.stderr, self._out):
            if opened:
                with suppress(BrokenPipeError):
                    opened.close()


def words(status: int, message: str) -> Reply:
    """Return a reply of a line of text."""
    return Reply(status, "text/plain", f"{message}\n".encode())


def _failure(code: int, said: str) -> Reply:
    if code == REFUSED:
        return words(400, said)
    if code == NOT_ACCEPTABLE:
        return words(406, f"such an answer is written as {said}")
    if code == TOO_LARGE:
        return words(413, f"the answer has more than {LARGEST_ANSWER >> 20} MiB; add LIMIT")
    return words(503, "the query needs too much time or memory; ask for less, or add LIMIT")
