"""A polite line to a service: pauses, patience, an address to write to, errors in words."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.metadata import version
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from kg.errors import FetchError, OptionError
from kg.fetch.service import Service

if TYPE_CHECKING:
    from requests import PreparedRequest, Response, Session

TRIES = 5
BACKOFF = 3  # seconds before the second try at the least; longer before each that follows
LONGEST_WAIT = 60  # seconds, whatever Retry-After says
LARGEST = 256 << 20  # bytes of an answer
TIMEOUT = (10, 60)  # seconds to connect, seconds between two bytes of an answer
KEPT = "what was fetched is kept, the same command goes on from there"

_BUSY = frozenset({429, 500, 502, 503, 504})
_MAIL = re.compile(r"[\x21-\x7e]+@[\x21-\x7e]+")
_MESSAGE_LENGTH = 200
_BREAKS = 3  # answers in a row that break off

Params = Mapping[str, str | int]


class Connection:
    """A line to one service.

    Args:
        service: The service.
        mail: An address to which the service may write; sent with each request.

    Attributes:
        token: Sent as a bearer token where it is set; it is in no message.
        key: Sent as the parameter ``api_key`` where it is set; it is in no message.

    Raises:
        OptionError: If the mail address is none.
    """

    def __init__(self, service: Service, *, mail: str = "") -> None:
        if mail and not _MAIL.fullmatch(mail):
            raise OptionError(f"{mail!r} is no mail address")
        self.service = service
        self.token = self.key = ""
        self._free = 0.0  # when the next request may go out
        self._session = self._new_session(mail)

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *error: object) -> None:
        self._session.close()

    def get(self, path: str, params: Params | None = None) -> bytes:
        """Return what the service answers; a busy one is asked again, ever more slowly.

        Raises:
            FetchError: If it cannot be reached, or refuses.
        """
        key = {"api_key": self.key} if self.key else {}
        return self._ask("GET", path, params={**(params or {}), **key})

    def get_json(self, path: str, params: Params) -> dict[str, Any]:
        """Return a JSON object that the service answers.

        Raises:
            FetchError: If it cannot be reached, refuses, or answers something else.
        """
        return self._object(self.get(path, params))

    def post_json(self, path: str, body: Mapping[str, str]) -> dict[str, Any]:
        """Return the JSON object that the service answers to one."""
        return self._object(self._ask("POST", path, json=body))

    def refusal(self, said: str, remedy: str = "") -> FetchError:
        """Return the error that says why the service gives nothing."""
        text = " ".join("".join(c if c.isprintable() else " " for c in said).split())
        for secret in filter(None, (self.token, self.key)):
            text = text.replace(secret, "…")
        return FetchError(f"{self.service.title}: {text[:_MESSAGE_LENGTH]}; {remedy or KEPT}")

    def _new_session(self, mail: str) -> Session:
        from requests import Session
        from requests.adapters import HTTPAdapter
        from urllib3.util import Retry

        class Patient(Retry):
            def get_backoff_time(self) -> float:
                return max(BACKOFF, super().get_backoff_time())

        retries = Patient(
            total=TRIES - 1,
            connect=1,
            status_forcelist=_BUSY,
            backoff_factor=BACKOFF,
            backoff_max=LONGEST_WAIT,
            retry_after_max=LONGEST_WAIT,
            raise_on_status=False,
        )
        session = Session()
        session.mount("http://", HTTPAdapter(max_retries=retries))
        session.mount("https://", HTTPAdapter(max_retries=retries))
        contact = f" (mailto:{mail})" if mail else ""
        session.headers["User-Agent"] = f"paperkg/{version('paperkg')}{contact}"
        if mail:
            session.headers["From"] = mail
        session.auth = self._sign
        return session

    def _sign(self, request: PreparedRequest) -> PreparedRequest:
        """Add the token, where there is one; without this, requests would look into ~/.netrc."""
        if self.token:
            request.headers["Authorization"] = f"Bearer {self.token}"
        return request

    def _ask(self, method: str, path: str, **parts: Any) -> bytes:
        """Return the body of an answer; one that breaks off is asked for again."""
        from requests.exceptions import ChunkedEncodingError

        with self._explained():
            for _ in range(_BREAKS - 1):
                with suppress(ChunkedEncodingError):
                    return self._ask_once(method, path, **parts)
                self._free = time.monotonic() + BACKOFF
            return self._ask_once(method, path, **parts)

    def _ask_once(self, method: str, path: str, **parts: Any) -> bytes:
        with self._answer(method, path, **parts) as response:
            body = _body(response)
        if body is None:
            raise self.refusal(f"an answer of more than {LARGEST >> 20} MiB")
        if not response.ok:
            raise self.refusal(*self._status(response.status_code, body))
        return body

    def _answer(self, method: str, path: str, **parts: Any) -> Response:
        """Return an answer whose body is still to be read, after the pause that is due."""
        time.sleep(max(0.0, self._free - time.monotonic()))
        address = self.service.address + path
        try:
            return self._session.request(method, address, timeout=TIMEOUT, stream=True, **parts)
        finally:
            self._free = time.monotonic() + self.service.wait

    @contextmanager
    def _explained(self) -> Iterator[None]:
        from requests import RequestException

        try:
            yield
        except (RequestException, UnicodeError) as error:  # the latter from an odd key
            host = urlsplit(self.service.address).hostname
            raise FetchError(
                f"no answer from {self.service.title} at {host} ({type(error).__name__}); is this "
                f"machine online? {KEPT}"
            ) from None  # its text has the address, and that the key

    def _status(self, status: int, body: bytes) -> tuple[str, str]:
        """Return what an answer that is no good says, and what a person can do."""
        reason = _reason(body)
        later = f"run it again later: {KEPT}" if status in _BUSY else ""
        remedy = self.service.remedies.get(status) or later or "see the query"
        return f"status {status}{f' ({reason})' if reason else ''}", remedy

    def _object(self, body: bytes) -> dict[str, Any]:
        try:
            value = json.loads(body)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise self.refusal("an answer that is no JSON object", "is the address right?")
        return value


def check_address(address: str) -> str:
    """Return a base address without its last slash.

    Raises:
        OptionError: If it is no HTTP address.

    Example:
        >>> check_address("https://api.openalex.org/")
        'https://api.openalex.org'
    """
    try:
        parts = urlsplit(address.strip())
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid or parts.query or parts.fragment or parts.username is not None:
        raise OptionError("an address is such as https://api.openalex.org, without a query")
    return address.strip().rstrip("/")


def _body(response: Response) -> bytes | None:
    """Return the whole body; None where it is too large."""
    chunks, size = [], 0
    for chunk in response.iter_content(1 << 16):
        size += len(chunk)
        if size > LARGEST:
            return None
        chunks.append(chunk)
    return b"".join(chunks)


def _reason(body: bytes) -> str:
    """Return what a service says of an error, in the ways that the known ones do."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        found = re.search(rb"<summary[^>]{0,99}>([^<]{1,300})</summary>", body)
        return found[1].decode(errors="replace") if found else ""
    said = [value.get(name) for name in ("error", "message")] if isinstance(value, dict) else []
    return ": ".join(text for text in said if isinstance(text, str))
