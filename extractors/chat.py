"""A language model behind an OpenAI-compatible endpoint, asked over HTTP.

Nothing is sent before somebody names an endpoint. The key is read from the environment
variable ``OPENAI_API_KEY`` when it is sent; it is in no attribute, version or message.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from extractors.mention import EndpointError

if TYPE_CHECKING:
    from requests import PreparedRequest, Response, Session

KEY = "OPENAI_API_KEY"
TRIES = 5
BACKOFF = 0.5  # seconds before the third try; doubled for each that follows
LONGEST_WAIT = 60  # seconds, whatever Retry-After says
TIMEOUT = (10, 180)  # seconds to connect, seconds between two bytes of an answer

_PATH = "/chat/completions"
_MESSAGE_LENGTH = 200
_BUSY = frozenset({429, 500, 502, 503, 504})
_UNSUPPORTED = frozenset({400, 422})
_REMEDIES: Mapping[int, str] = {
    401: f"set {KEY} to a key that it takes",
    403: f"set {KEY} to a key that it takes",
    404: "the address ends in /v1 for most servers; see that it has this model",
    429: "it takes no more requests now; run the same command later, it goes on from there",
}

Message = Mapping[str, str]


class ChatModel:
    """A model that answers messages.

    Args:
        endpoint: Base address of the server, such as ``http://localhost:11434/v1``.
        model: The model's name there.
        options: Parameters of each request, such as ``temperature``; a server that refuses
            them is asked without.

    Raises:
        EndpointError: If the endpoint is no HTTP address, or holds a password or a query.
    """

    def __init__(self, endpoint: str, model: str, options: Mapping[str, Any]) -> None:
        self.endpoint = check_endpoint(endpoint)
        self.model = model
        self._options = options

    def ask(self, messages: Sequence[Message]) -> str:
        """Return the model's answer; busy servers are asked again, ever more slowly.

        Raises:
            EndpointError: If the server cannot be reached, refuses, or speaks another protocol.
        """
        response = self._post(messages, self._options)
        if response.status_code in _UNSUPPORTED and self._options:
            response = self._post(messages, {})
            if response.ok:
                self._options = {}
        if response.status_code != HTTPStatus.OK:
            raise EndpointError(self._refusal(response))
        return self._content(response)

    def _post(self, messages: Sequence[Message], options: Mapping[str, Any]) -> Response:
        from requests import RequestException

        body = {"model": self.model, "messages": list(messages), **options}
        try:
            return self._session.post(
                self.endpoint + _PATH, json=body, timeout=TIMEOUT, allow_redirects=False
            )
        except (RequestException, UnicodeError) as error:  # the latter from an odd key
            raise EndpointError(
                f"no answer from {self.endpoint} ({type(error).__name__}); "
                "is the server running, and the address right?"
            ) from error

    @cached_property
    def _session(self) -> Session:
        from requests import Session
        from requests.adapters import HTTPAdapter
        from urllib3.util import Retry

        retries = Retry(
            total=TRIES - 1,
            connect=2,
            read=1,
            status_forcelist=_BUSY,
            allowed_methods=None,
            backoff_factor=BACKOFF,
            raise_on_status=False,
            retry_after_max=LONGEST_WAIT,
        )
        session = Session()
        session.mount("http://", HTTPAdapter(max_retries=retries))
        session.mount("https://", HTTPAdapter(max_retries=retries))
        session.auth = _sign
        return session

    def _refusal(self, response: Response) -> str:
        status = response.status_code
        remedy = _REMEDIES.get(status, "its log may say more")
        if HTTPStatus(300) <= status < HTTPStatus(400):
            remedy = "name the address that it redirects to"
        return f"{self.endpoint} answers {status}{_reason(response)}; {remedy}"

    def _content(self, response: Response) -> str:
        try:
            content = response.json()["choices"][0]["message"]["content"]
        except (ValueError, LookupError, TypeError, RecursionError):
            raise EndpointError(
                f"{self.endpoint} does not answer as an OpenAI-compatible server; "
                "the address ends in /v1 for most"
            ) from None
        return content if isinstance(content, str) else ""


def check_endpoint(endpoint: str) -> str:
    """Return an endpoint's base address, without a last slash or the path of one service.

    Raises:
        EndpointError: If it is no HTTP address, or holds a password or a query.

    Example:
        >>> check_endpoint("http://localhost:8000/v1/chat/completions")
        'http://localhost:8000/v1'
    """
    try:
        parts = urlsplit(endpoint.strip())
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid:
        raise EndpointError("an endpoint is an address such as http://localhost:11434/v1")
    if parts.username is not None or parts.query or parts.fragment:
        raise EndpointError(
            f"an endpoint holds no password, query or fragment; put the key into {KEY}"
        )
    return endpoint.strip().rstrip("/").removesuffix(_PATH)


def _sign(request: PreparedRequest) -> PreparedRequest:
    """Add the key, where there is one; without this, requests would look into ~/.netrc."""
    if key := os.environ.get(KEY, "").strip():
        request.headers["Authorization"] = f"Bearer {key}"
    return request


def _reason(response: Response) -> str:
    """Return what the server says, in brackets: one printable line, without the key."""
    try:
        error = response.json()["error"]
        said = str(error["message"] if isinstance(error, dict) else error)
    except (ValueError, LookupError, TypeError, RecursionError):
        return ""
    if key := os.environ.get(KEY, "").strip():
        said = said.replace(key, "…")
    line = "".join(char if char.isprintable() else " " for char in said)
    return f" ({' '.join(line.split())[:_MESSAGE_LENGTH]})"
