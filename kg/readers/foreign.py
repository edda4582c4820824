"""Formats that are known and not read: refused by name, so that none is taken for plain text."""

from __future__ import annotations

import re

from kg.errors import InputError

_FOREIGN = {
    "RIS": re.compile(r"^TY  ?- ", re.MULTILINE),
    "EndNote": re.compile(r"^%0 \w", re.MULTILINE),
    "PubMed (nbib)": re.compile(r"^PMID- ?\d", re.MULTILINE),
    "Web of Science": re.compile(r"\s*(FN (Clarivate|Thomson|ISI)|PT J\b)"),
    "XML or HTML": re.compile(r"\s*<(\?xml|!doctype|[a-z][\w:.-]*[\s>/])", re.IGNORECASE),
}
_COLUMNS = re.compile(r"[\"']?[^,;\t]*\b(title|abstract|authors?|doi|year)\b", re.IGNORECASE)


def refuse_foreign(head: str, name: str) -> None:
    """Refuse a file that is of a known format that is not read.

    Args:
        head: The first characters of its text.
        name: Its name.

    Raises:
        InputError: If it is one.

    Example:
        >>> refuse_foreign("TY  - JOUR", "a.ris")
        Traceback (most recent call last):
            ...
        kg.errors.InputError: a.ris is RIS, which is not read; export it as BibTeX or JSON Lines
    """
    found = next((form for form, pattern in _FOREIGN.items() if pattern.search(head)), None)
    if found is None and _is_table(head):
        found = "a table (CSV or TSV)"
    if found is not None:
        raise InputError(f"{name} is {found}, which is not read; export it as BibTeX or JSON Lines")


def _is_table(head: str) -> bool:
    """Tell whether the first line names columns."""
    first = head.lstrip().split("\n", 1)[0]
    columns = max((first.split(mark) for mark in ",;\t"), key=len)
    named = [column for column in columns if _COLUMNS.fullmatch(column.strip().strip("\"'"))]
    short = all(len(column) < 60 for column in columns)
    return len(columns) > 1 and short and len(named) > 1 and not first.rstrip().endswith(".")
