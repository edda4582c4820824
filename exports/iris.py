"""Names of things as IRIs: stable, distinct, always valid."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from hashlib import sha256
from json.encoder import encode_basestring_ascii
from typing import cast
from urllib.parse import quote, quote_plus, urlsplit

from pyoxigraph import NamedNode

from exports.errors import OptionError

MAX_SEGMENT_BYTES = 150
MOST_KNOWN = 50_000
"""IRIs that are remembered, since most come again soon."""

_URN = re.compile(r"urn:[a-z0-9][a-z0-9-]{1,31}:.", re.IGNORECASE)


def segment(key: str) -> str:
    """Return a key as one segment of a path; another key gives another segment.

    A key that is empty, ".", "..", too long or no valid Unicode is hashed. No other
    segment holds a colon, so that a hashed one meets none of them.

    Example:
        >>> segment("C++ & graphs")
        'C%2B%2B+%26+graphs'
    """
    plain = key.isascii() and key.isalnum() and len(key) <= MAX_SEGMENT_BYTES
    return key if plain else _quoted(key)


@lru_cache(maxsize=100_000)
def _quoted(key: str) -> str:
    try:
        plain = quote_plus(key, safe="")
    except UnicodeEncodeError:
        plain = ""
    if 0 < len(plain) <= MAX_SEGMENT_BYTES and plain not in (".", ".."):
        return plain
    return f"sha256:{sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()}"


def digest(*parts: object) -> str:
    """Return a name of 32 hexadecimal digits for what has no key of its own."""
    return sha256(_json(parts).encode()).hexdigest()[:32]


def _json(parts: tuple[object, ...]) -> str:
    """Return parts as JSON; of strings alone it is made ten times as fast."""
    if all(type(part) is str for part in parts):
        strings = cast(tuple[str, ...], parts)
        return f"[{', '.join(map(encode_basestring_ascii, strings))}]"
    return json.dumps(parts)


def outside(url: str) -> NamedNode | None:
    """Return an address of the web as a node, or none where it is no valid http(s) IRI.

    Example:
        >>> outside("javascript:alert(1)") is None
        True
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port  # either raises where it is malformed
        valid = parts.scheme in ("http", "https") and host and url.isprintable()
        return NamedNode(url) if valid else None
    except ValueError:
        return None


def doi(name: str) -> NamedNode | None:
    """Return the address of a bare DOI."""
    return outside("https://doi.org/" + quote(name, safe="/:;()", errors="replace"))


class Iris:
    """The IRIs of one graph.

    Args:
        base: Absolute http(s) or urn IRI that ends in "/" or "#".

    Raises:
        OptionError: If the base is not that.

    Example:
        >>> Iris("https://example.org/kg/").of("concept", "graph neural network").value
        'https://example.org/kg/concept/graph+neural+network'
    """

    def __init__(self, base: str) -> None:
        self.base = check_base(base)
        self._known: dict[tuple[str, ...], NamedNode] = {}

    def of(self, *path: str) -> NamedNode:
        """Return the IRI of the thing with these keys, its class first."""
        node = self._known.get(path)
        if node is None:
            node = NamedNode(self.base + "/".join(map(segment, path)))
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[path] = node
        return node

    def outside(self, url: str) -> NamedNode | None:
        """Return a valid address of the web, unless it lies within the graph itself."""
        return None if url.startswith(self.base) else outside(url)


def check_base(base: str) -> str:
    """Return the base IRI unchanged if data can be named with it.

    Raises:
        OptionError: If it is not absolute, not http, https or urn, or ends in no "/" or "#".
    """
    known = _URN.match(base) or outside(base)
    if not known or not base.endswith(("/", "#")) or base.count("#") > base.endswith("#"):
        raise OptionError(
            f"base IRI {base!r} cannot name data; give an absolute one that ends in / or #,"
            " such as https://example.org/kg/"
        )
    try:
        NamedNode(base + "x")
    except ValueError as error:
        raise OptionError(f"base IRI {base!r} is not valid: {error}") from error
    return base
