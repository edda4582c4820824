"""A graph on a port of this machine: its explorer, a page for queries, a SPARQL endpoint.

One origin for all three, which nothing else may use: the name in the address is checked, so
that no site can pass itself off as this one, other sites may not ask, and nothing is written.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from io import BytesIO
from ipaddress import ip_address
from pathlib import Path
from socketserver import TCPServer, ThreadingMixIn
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from pyoxigraph import Store

from exports.endpoint import Answerers, Reply, RequestError, question_of, words
from exports.errors import AddressError
from exports.explorer import to_html
from exports.query_page import query_page
from exports.rdf import iter_quads
from exports.view import View

HOST = "127.0.0.1"
PORT = 8765
ENDPOINT = "/sparql"
SECONDS = 30
"""How long a query may take, where the caller says no other time."""

LARGEST_BODY = 1 << 20  # bytes of a query that is sent
IDLE = 60  # seconds after which a connection that says nothing is closed

_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_HOST = re.compile(r"(?:\[([\da-f:.]+)\]|([^\s:@/\[\]]+))(?::\d*)?")
_NOTHING = "default-src 'none'; sandbox"
_OURS = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_FRAMED_BY_NONE = "frame-ancestors 'none'"  # the explorer has the rest of its policy in the page
_TOOLS = '<div id="tools">'
_LINK = '<a href="/query" class="round" aria-label="SPARQL queries" title="SPARQL queries">?s</a>'


class Page(NamedTuple):
    """What a path answers with: the content, its media type and its policy."""

    content: bytes
    media_type: str
    policy: str


class Site(ThreadingMixIn, TCPServer):
    """The server of one graph; it answers while `serve_forever` runs.

    Args:
        host: The name or address that it listens at.
        port: The port; 0 for any that is free.

    Raises:
        AddressError: If it cannot listen there.
    """

    daemon_threads = True
    request_queue_size = 128
    allow_reuse_address = os.name != "nt"  # there it would share a port that is taken

    def __init__(self, host: str, port: int) -> None:
        self.host = host
        self.pages: dict[str, Page] = {}
        self.answerers: Answerers
        try:
            family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            self.address_family = family
            super().__init__((str(address[0]), int(address[1])), _Handler)
        except (OSError, OverflowError, UnicodeError) as error:
            raise AddressError(_why(error, host, port)) from None

    @property
    def url(self) -> str:
        """The address of the explorer."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.server_address[1]}/"

    @property
    def is_open_to_others(self) -> bool:
        """Whether other machines reach it."""
        return not ip_address(str(self.server_address[0])).is_loopback

    def knows(self, host: str) -> bool:
        """Return whether a request may name this host, with or without a port.

        An address, localhost and the name that was said; any other name may have been pointed
        here by a site that wants to read what only this machine may.
        """
        found = _HOST.fullmatch(host.casefold())
        name = (found[1] or found[2]) if found else ""
        return bool(name) and (name in ("localhost", self.host.casefold()) or _is_address(name))

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of those who go before they have their answer."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: Site
    protocol_version = "HTTP/1.1"
    timeout = IDLE

    def do_GET(self) -> None:
        self._answer(self._get)

    def do_HEAD(self) -> None:
        self._answer(self._get)

    def do_POST(self) -> None:
        self._answer(self._post)

    def version_string(self) -> str:
        """Return what says it, without the versions of what it runs on."""
        return "paperkg"

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse what is no request, or has another method."""
        self.close_connection = True
        self._send(words(code, message or "this is no request"), _NOTHING)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def _answer(self, reply: Callable[[], tuple[Reply, str]]) -> None:
        """Send a reply, or why there is none."""
        try:
            self._check()
            self._send(*reply())
        except RequestError as error:
            self.close_connection = True  # a body may not have been read
            self._send(words(error.status, str(error)), _NOTHING)

    def _check(self) -> None:
        if not self.server.knows(self.headers.get("Host", "")):
            raise RequestError(421, f"this is {self.server.url}; use that address")
        origin = self.headers.get("Origin")
        foreign = origin is not None and urlsplit(origin).netloc != self.headers["Host"]
        site = self.headers.get("Sec-Fetch-Site", "none")
        visits = self.headers.get("Sec-Fetch-Mode") == "navigate" and self._path != ENDPOINT
        if foreign or (site not in ("none", "same-origin") and not visits):
            raise RequestError(403, "other sites may not ask this one")

    @property
    def _path(self) -> str:
        return self.path.partition("?")[0]

    def _get(self) -> tuple[Reply, str]:
        path, _, parameters = self.path.partition("?")
        if path == ENDPOINT:
            return self._asked(parameters, "", b"")
        if path not in self.server.pages:
            raise RequestError(404, f"nothing is there; {self.server.url} has the explorer")
        page = self.server.pages[path]
        return Reply(200, page.media_type, page.content), page.policy

    def _post(self) -> tuple[Reply, str]:
        path, _, parameters = self.path.partition("?")
        if path != ENDPOINT:
            raise RequestError(405, "only queries are sent")
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal()):
            raise RequestError(411, "say the length of the query, as Content-Length")
        if int(length) > LARGEST_BODY:
            raise RequestError(413, f"a query has {LARGEST_BODY >> 10} KiB at most")
        body = self.rfile.read(int(length))
        return self._asked(parameters, self.headers.get("Content-Type") or "unknown", body)

    def _asked(self, parameters: str, content_type: str, body: bytes) -> tuple[Reply, str]:
        accept = ",".join(self.headers.get_all("Accept") or [])
        question = question_of(parameters, content_type, body, accept)
        return self.server.answerers.answer(question), _NOTHING

    def _send(self, reply: Reply, policy: str) -> None:
        content = BytesIO(reply.content) if isinstance(reply.content, bytes) else reply.content
        with content:
            length = content.seek(0, os.SEEK_END)
            content.seek(0)
            self.send_response(reply.status)
            for name, value in _HEADERS.items():
                self.send_header(name, value)
            charset = "; charset=utf-8" if reply.media_type.startswith("text/") else ""
            self.send_header("Content-Type", f"{reply.media_type}{charset}")
            self.send_header("Content-Length", str(length))
            self.send_header("Content-Security-Policy", policy)
            if reply.status == 405:
                self.send_header("Allow", "GET, HEAD")
            if self.close_connection:
                self.send_header("Connection", "close")
            self.end_headers()
            if self.command != "HEAD":
                shutil.copyfileobj(content, self.wfile)


@contextmanager
def serving(
    view: View,
    *,
    host: str = HOST,
    port: int = PORT,
    seconds: int = SECONDS,
    explorer: str = "",
) -> Iterator[Site]:
    """Give a server of a graph, its RDF in a store that is gone at the end of the block.

    Args:
        view: The graph.
        host: The name or address that it listens at.
        port: The port; 0 for any that is free.
        seconds: How long a query may take.
        explorer: The page of the explorer; made anew where there is none, or an old one.

    Raises:
        AddressError: If it cannot listen there.

    Example:
        >>> with serving(kg.load("atlas").view) as site:  # doctest: +SKIP
        ...     site.serve_forever()
    """
    with Site(host, port) as site, TemporaryDirectory(prefix="kg-serve-") as name:
        folder = Path(name)
        _fill(folder, view)
        site.pages.update(_pages(view, explorer))
        with Answerers(folder, seconds) as site.answerers:
            yield site


def _fill(folder: Path, view: View) -> None:
    """Write the store; it is closed when this returns, as reading it in other processes wants."""
    store = Store(str(folder))
    store.bulk_extend(iter_quads(view))
    store.optimize()
    store.flush()


def _pages(view: View, explorer: str) -> dict[str, Page]:
    page = query_page(view)
    known = explorer if _TOOLS in explorer else to_html(view)
    with_link = known.replace(_TOOLS, _TOOLS + _LINK, 1)
    return {
        "/": Page(with_link.encode(), "text/html", _FRAMED_BY_NONE),
        "/query": Page(page.html.encode(), "text/html", _OURS),
        "/query.css": Page(page.css.encode(), "text/css", _NOTHING),
        "/query.js": Page(page.js.encode(), "text/javascript", _NOTHING),
    }


def _is_address(name: str) -> bool:
    try:
        return bool(ip_address(name))
    except ValueError:
        return False


def _why(error: Exception, host: str, port: int) -> str:
    code = error.errno if isinstance(error, OSError) else None
    if code == errno.EADDRINUSE:
        return f"port {port} is taken; say another one by --port, or --port 0 for any that is free"
    if code == errno.EACCES:
        return f"port {port} is for the system alone; say one above 1023 by --port"
    return f"this machine cannot be reached as {host!r}; say one of its own addresses by --host"
