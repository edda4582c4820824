"""Values of JSON as text: what all sources of JSON share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kg.readers.reader import find_year

_MISSING = frozenset({"none", "nan", "null"})
_LONGEST_MISSING = max(map(len, _MISSING))


def get(value: object, *path: str) -> object:
    """Return what lies at a path of keys; None where there is nothing.

    Example:
        >>> get({"journal": {"name": "Mind"}}, "journal", "name")
        'Mind'
    """
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def items(value: object) -> Iterator[object]:
    """Yield the items of an array; of anything else none."""
    yield from value if isinstance(value, list) else ()


def text_of(value: object) -> str:
    """Return a value as text; a missing one, and what has no plain text, as none.

    Example:
        >>> text_of({"value": "Mind"}), text_of(1950.0), text_of(["a", None, "b"])
        ('Mind', '1950', 'a b')
    """
    if isinstance(value, str):
        said = value.strip()
        return "" if len(said) <= _LONGEST_MISSING and said.casefold() in _MISSING else value
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, list):
        return " ".join(filter(None, map(text_of, value)))
    names = ("value", "name", "display_name")
    return next((text for name in names if (text := text_of(get(value, name)))), "")


def _number(value: int | float) -> str:
    if value != value or value in (float("inf"), float("-inf")):
        return ""
    if isinstance(value, float) and not value.is_integer():
        return str(value)
    return str(int(value)) if abs(value) < 1e18 else ""


def first_text(value: object, *names: str) -> str:
    """Return the first of these fields that says something."""
    if not isinstance(value, Mapping):
        return ""
    return next((text for name in names if (text := text_of(value.get(name)))), "")


def first_item(value: object) -> str:
    """Return a text, or of an array its first text."""
    if not isinstance(value, list):
        return text_of(value)
    return next(filter(None, map(text_of, value)), "")


def texts(value: object) -> tuple[str, ...]:
    """Return the texts of an array."""
    return tuple(filter(None, map(text_of, items(value))))


def year_of(*values: object) -> int | None:
    """Return the first year in these values, which may be texts, numbers or parts of a date.

    Example:
        >>> year_of(None, {"date-parts": [["2024", 5]]})
        2024
    """
    return next(filter(None, map(_year, values)), None)


def _year(value: object) -> int | None:
    if isinstance(value, Mapping):
        part = next(items(value.get("date-parts")), None)
        part = next(items(part), part)
        return year_of(part, *(value.get(name) for name in ("raw", "literal", "value")))
    return find_year(text_of(value))
