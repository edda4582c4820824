"""Stores that keep named graphs: an Oxigraph folder, or any over HTTP.

Over HTTP it is the Graph Store Protocol of SPARQL 1.1, by which a graph is replaced with one
PUT: https://www.w3.org/TR/sparql11-http-rdf-update/
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pyoxigraph import DefaultGraph, NamedNode, RdfFormat, Store

from exports.errors import OptionError, StoreError

if TYPE_CHECKING:
    from requests import PreparedRequest, RequestException, Response, Session
    from requests.auth import AuthBase

    from exports.push import Layer

TRIES = 4
BACKOFF = 1.0  # seconds before the third try; twice as long before each that follows
LONGEST_WAIT = 60  # seconds, whatever Retry-After says
TIMEOUT = (10, 600)  # seconds to connect, seconds until it answers

_BUSY = frozenset({429, 502, 503, 504})
_REASON_LENGTH = 200
_MEBIBYTE = 1 << 20
_REMEDIES = {
    401: "it wants a user and a password that it knows",
    403: "this user may not write there",
    404: "is this its address for the Graph Store Protocol? Oxigraph …/store, Fuseki …/data, "
    "GraphDB and RDF4J …/rdf-graphs/service, Virtuoso …/sparql-graph-crud-auth",
    405: "it takes no graphs there: is it read-only, or another address meant, such as …/store?",
    413: "raise its limit, say less of the evidence, or load a file by its own loader",
}


class StoreFolder:
    """An Oxigraph store in a folder: what is put into it is there once all is.

    A new store is filled beside it, gets the graphs that nothing replaced, and takes its place
    at the end of the block; after an error the folder is as it was.

    Args:
        path: The folder; made if it is missing.

    Raises:
        StoreError: If it holds something else, or another program has it open.

    Example:
        >>> with StoreFolder("store") as target:  # doctest: +SKIP
        ...     push(view, target)
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(os.path.realpath(path))
        self._replaced: set[str] = set()
        if self._path.exists() and not self._is_store():
            raise StoreError(f"{path} holds something else than a store; name a new folder")
        self._part = self._path.with_name(f".{self._path.name[:100]}.{os.getpid()}.part")

    def __enter__(self) -> StoreFolder:
        self._made = not self._path.exists()
        with self._explained():
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._old = Store(str(self._path))  # locks it
            self._new = Store(str(self._part))
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        try:
            if kind is None:
                with self._explained():
                    self._keep_others()
                    self._take_place()
                self._made = False
        finally:
            shutil.rmtree(self._part, ignore_errors=True)
            if self._made:
                shutil.rmtree(self._path, ignore_errors=True)

    def put(self, graph: str, layer: Layer) -> None:
        """Make a layer the content of a graph, whatever it held before."""
        self._replaced.add(graph)
        node = NamedNode(graph)
        with self._explained():
            self._new.bulk_load(layer.file, format=RdfFormat.N_TRIPLES, to_graph=node)

    def delete(self, graph: str) -> None:
        """Remove a graph, if it is there."""
        self._replaced.add(graph)

    def _keep_others(self) -> None:
        others = [node for node in self._old.named_graphs() if node.value not in self._replaced]
        for node in (*others, DefaultGraph()):
            self._new.bulk_extend(self._old.quads_for_pattern(None, None, None, node))
        self._new.flush()

    def _take_place(self) -> None:
        """Put the new store where the old one is; a store is closed once nothing holds it."""
        del self._new, self._old
        aside = self._part.with_suffix(".old")
        self._path.replace(aside)
        self._part.replace(self._path)
        shutil.rmtree(aside, ignore_errors=True)

    def _is_store(self) -> bool:
        empty = self._path.is_dir() and not any(self._path.iterdir())
        return empty or (self._path / "CURRENT").is_file()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = " ".join(str(error).split())
            locked = "another program has it open" if "lock" in reason.casefold() else reason
            raise StoreError(f"the store in {self._path} cannot be written: {locked}") from None


class Endpoint:
    """A store that speaks the Graph Store Protocol.

    Args:
        address: Where it takes graphs, such as http://localhost:7878/store.
        user: Who writes; nobody where it is empty.
        password: Sent only to this address, and only when it asks; it is in no message.

    Raises:
        OptionError: If the address is none.

    Example:
        >>> Endpoint("http://localhost:7878/store").delete("urn:g:a")  # doctest: +SKIP
    """

    def __init__(self, address: str, *, user: str = "", password: str = "") -> None:
        self.address = _check_address(address)
        self._user, self._password = user, password
        self._session = _new_session()
        self._session.auth = _unsigned

    def __enter__(self) -> Endpoint:
        return self

    def __exit__(self, *error: object) -> None:
        self._session.close()

    def put(self, graph: str, layer: Layer) -> None:
        """Make a layer the content of a graph, whatever it held before.

        Raises:
            StoreError: If the store cannot be reached, refuses or breaks off.
        """
        size = os.fstat(layer.file.fileno()).st_size / _MEBIBYTE
        what = f"layer {layer.name!r} ({layer.triples} triples, {size:.1f} MiB)"
        answer = self._ask("PUT", graph, what, layer)
        if not answer.ok or answer.is_redirect:
            raise StoreError(self._refusal(answer, what))

    def delete(self, graph: str) -> None:
        """Remove a graph, if it is there.

        Raises:
            StoreError: If the store cannot be reached or refuses.
        """
        what = f"the removal of {graph}"
        answer = self._ask("DELETE", graph, what)
        if answer.status_code != 404 and (not answer.ok or answer.is_redirect):
            raise StoreError(self._refusal(answer, what))

    def _ask(self, method: str, graph: str, what: str, layer: Layer | None = None) -> Response:
        from requests import RequestException

        try:
            answer = self._send(method, graph, layer)
            if answer.status_code == 401 and self._user and self._session.auth is _unsigned:
                self._session.auth = self._signature(answer)
                answer = self._send(method, graph, layer)
            for tried in range(1, TRIES):
                if not _is_deadlock(answer):
                    break
                time.sleep(BACKOFF * 2**tried)
                answer = self._send(method, graph, layer)
        except RequestException as error:
            raise StoreError(self._failure(error, what)) from None  # its text has the address
        return answer

    def _send(self, method: str, graph: str, layer: Layer | None) -> Response:
        if layer:
            layer.file.seek(0)
        return self._session.request(
            method,
            self.address,
            params={"graph": graph},
            data=layer.file if layer else None,
            headers={"Content-Type": RdfFormat.N_TRIPLES.media_type} if layer else None,
            timeout=TIMEOUT,
            allow_redirects=False,
        )

    def _signature(self, answer: Response) -> AuthBase:
        """Return what adds user and password in the way that the store asks for."""
        from requests.auth import HTTPBasicAuth, HTTPDigestAuth

        asked = answer.headers.get("WWW-Authenticate", "").casefold()
        if asked.startswith("digest"):
            return HTTPDigestAuth(self._user, self._password)
        return HTTPBasicAuth(self._user.encode(), self._password.encode())

    def _refusal(self, answer: Response, what: str) -> str:
        if answer.is_redirect:
            remedy = f"it has moved to {answer.headers['Location']}; say that address"
        else:
            remedy = _REMEDIES.get(answer.status_code, "see the log of the store")
        said = "".join(c if c.isprintable() else " " for c in answer.text[:_REASON_LENGTH])
        reason = f" ({' '.join(said.split())})" if said.strip() else ""
        return f"{self._host} answers {answer.status_code} to {what}{reason}: {remedy}"

    def _failure(self, error: RequestException, what: str) -> str:
        from requests import ConnectTimeout, ReadTimeout
        from requests.exceptions import SSLError
        from urllib3.exceptions import NewConnectionError

        reason = getattr(error.args[0] if error.args else None, "reason", None)
        if isinstance(error, SSLError):
            return f"{self._host} shows no certificate that this machine trusts"
        if isinstance(error, ConnectTimeout) or isinstance(reason, NewConnectionError):
            return f"no store answers at {self._host}; is it running, is the address right?"
        if isinstance(error, ReadTimeout):
            return f"{self._host} did not answer to {what} within {TIMEOUT[1]} seconds"
        return (
            f"{self._host} broke off on {what}, {TRIES} times; see its log: some do so where a "
            "graph is too large for them"
        )

    @property
    def _host(self) -> str:
        return urlsplit(self.address).netloc


def _is_deadlock(answer: Response) -> bool:
    """Return whether a store undid a transaction that another one of its own stood in the way of.

    Virtuoso does so while it loads into an empty store; the same again succeeds.
    """
    return answer.status_code == 500 and "deadlock" in answer.text.casefold()


def _unsigned(request: PreparedRequest) -> PreparedRequest:
    """Return a request as it is; without this, ~/.netrc would be looked into."""
    return request


def _new_session() -> Session:
    from requests import Session
    from requests.adapters import HTTPAdapter
    from urllib3.util import Retry

    retries = Retry(
        total=TRIES - 1,
        connect=1,
        status_forcelist=_BUSY,
        allowed_methods={"PUT", "DELETE"},
        backoff_factor=BACKOFF,
        backoff_max=LONGEST_WAIT,
        retry_after_max=LONGEST_WAIT,
        raise_on_status=False,
    )
    session = Session()
    session.mount("http://", HTTPAdapter(max_retries=retries))
    session.mount("https://", HTTPAdapter(max_retries=retries))
    session.headers["User-Agent"] = "paperkg"
    return session


def _check_address(address: str) -> str:
    try:
        parts = urlsplit(address.strip())
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid or parts.query or parts.fragment or parts.username is not None:
        raise OptionError(
            "an address is such as http://localhost:7878/store, without user, password or query"
        )
    return address.strip()
