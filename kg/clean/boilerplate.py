"""Words around a text that are no part of it: a label before it, a note that it is missing."""

from __future__ import annotations

import re

# "Abstract:" and "Abstract We propose", but not "Abstract Meaning Representation".
_PREFIX = re.compile(
    r"^\W{0,3}(?:"
    r"(?:abstract|summary|resume|résumé)\s*(?:[:.–—―]|-(?=\s))[\s*_]*"
    r"|abstract\s*\n\s*"
    r"|abstract\s+(?=(?:we|the|this|these|in|an?|our|it|recent\w*|existing|while|although|to)\s)"
    r")(?=\S)",
    re.IGNORECASE,
)
_LABEL = re.compile(r"[\W_]*(?:abstract|summary|résumé)", re.IGNORECASE)

_MISSING = frozenset(
    {"", "none", "null", "nan", "nil", "n/a", "na", "n.a.", "<na>", "undefined", "abstract"}
    | {"abstract unavailable", "abstract not available", "abstract is not available"}
    | {"no abstract", "no abstract available", "no abstract is available", "no abstract found"}
    | {"no abstract provided", "abstract not provided", "not available", "not provided"}
    | {"no title", "no title available", "title not available"}
)
_LONGEST = max(map(len, _MISSING)) + 8


def drop_prefix(text: str) -> str:
    """Remove a label such as "Abstract:" from the beginning."""
    return _PREFIX.sub("", text, count=1) if _LABEL.match(text) else text


def is_missing(text: str) -> bool:
    """Tell whether an exporter or a publisher wrote these words for "there is none"."""
    if len(text) > _LONGEST:
        return False
    return text.strip("[]().*\"' \t\n").casefold() in _MISSING or text.casefold() in _MISSING


def drop_missing(text: str) -> str:
    """Return the empty string for words that say that there is no text."""
    return "" if is_missing(text) else text
