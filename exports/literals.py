"""Values as RDF literals that every store and every syntax can hold."""

from __future__ import annotations

import re
from functools import lru_cache
from math import isfinite

from pyoxigraph import Literal

from exports.published import legal
from exports.vocabulary import term

DECIMALS = 6

_TAG = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*")


def text(value: str) -> Literal:
    """Return a string of no language: a name, an identifier, a quote."""
    return Literal(legal(value))


def tagged(value: str, language: str = "") -> Literal:
    """Return a string in a language, English where it is not known.

    A language that is no valid tag is left away.
    """
    tag = _valid_tag(language or "en")
    return Literal(legal(value), language=tag) if tag else text(value)


@lru_cache(maxsize=8192)
def integer(value: int) -> Literal:
    """Return a whole number."""
    return Literal(str(int(value)), datatype=term("xsd:integer"))


def decimal(value: float) -> Literal:
    """Return a number of at most six decimals, in the canonical form.

    Example:
        >>> decimal(0.930).value, decimal(1).value
        ('0.93', '1.0')
    """
    digits = f"{value if isfinite(value) else 0.0:.{DECIMALS}f}".rstrip("0")
    digits = digits + "0" if digits.endswith(".") else digits
    return Literal("0.0" if digits == "-0.0" else digits, datatype=term("xsd:decimal"))


@lru_cache(maxsize=8192)
def share(value: float) -> Literal:
    """Return a number of 0..1."""
    return decimal(min(max(value, 0.0), 1.0))


def year(value: object) -> Literal | None:
    """Return a year of four digits, or none where it is no such year ("in print")."""
    known = isinstance(value, int) and 0 < value < 10_000
    return Literal(f"{value:04d}", datatype=term("xsd:gYear")) if known else None


@lru_cache(maxsize=1024)
def _valid_tag(language: str) -> str | None:
    tag = language.lower().replace("_", "-")
    try:
        return Literal("", language=tag).language if _TAG.fullmatch(tag) else None
    except ValueError:
        return None
