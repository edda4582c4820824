"""Formats that are known and not read: refused by name, so that none is taken for plain text."""

from __future__ import annotations

import re

from kg.errors import InputError

_FOREIGN = {
    "a web page": re.compile(r"\A\s*<(!doctype html|html[\s>])", re.IGNORECASE),
    "XML of a kind": re.compile(r"\A\s*<(\?xml|!doctype|[a-z][\w:.-]*[\s>/])", re.IGNORECASE),
    "a LaTeX document": re.compile(r"^\s*\\documentclass\b", re.MULTILINE),
    "RDF": re.compile(r"\A\s*@(prefix|base)\s", re.IGNORECASE),
}


def refuse_foreign(head: str, name: str) -> None:
    """Refuse a file that is of a known format that is not read.

    Args:
        head: The first characters of its text.
        name: Its name.

    Raises:
        InputError: If it is one.

    Example:
        >>> refuse_foreign("<html><body>", "a.html")
        Traceback (most recent call last):
            ...
        kg.errors.InputError: a.html is a web page, which is not read; export it as BibTeX or RIS
    """
    for form, pattern in _FOREIGN.items():
        if pattern.search(head):
            raise InputError(f"{name} is {form}, which is not read; export it as BibTeX or RIS")
