"""Superscripts and subscripts in one line of plain text."""

from __future__ import annotations

import re

_RAISED = str.maketrans("0123456789-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻")
_INTEGER = re.compile(r"[-−]?\d{1,4}")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_ATOM = re.compile(r"\d+(?:\.\d+)?|\w|[^\w\s]")
_WORD = re.compile(r"[^\W_]+")
_PLAIN_MARK = re.compile(r"[+*†‡'′⋆°]{1,3}|st|nd|rd|th|®|™")
_ENCLOSED = re.compile(r"\([^()]*\)")


def superscript(base: str, raised: str) -> str:
    """Return what is written after the base for a superscript.

    Args:
        base: The characters before it; empty where there is none.
        raised: The superscript, already plain text.

    Example:
        >>> superscript("n", "2"), superscript("2", "n"), superscript("L", "+")
        ('²', '^n', '⁺')
    """
    raised = raised.strip()
    if raised in ("+", "-", "−") and len(base) == 1:
        return "⁺" if raised == "+" else "⁻"
    if _INTEGER.fullmatch(raised):
        return raised.translate(_RAISED)
    if raised in ("∘", "\\circ"):
        return "°"
    if raised == "∗":
        return "*"
    if not raised or not base.strip() or base[-1:].isspace() or _PLAIN_MARK.fullmatch(raised):
        return raised
    return "^" + _one_piece(raised)


def subscript(base: str, lowered: str) -> str:
    """Return what is written after the base for a subscript.

    Example:
        >>> subscript("F", "1"), subscript("x", "i"), subscript("x", "i+1")
        ('1', '_i', '_(i+1)')
    """
    lowered = lowered.strip()
    if _NUMBER.fullmatch(lowered) and not base[-1:].isdecimal():
        return lowered
    if _WORD.fullmatch(lowered):
        return "_" + lowered
    return "_" + _one_piece(lowered) if lowered else ""


def _one_piece(text: str) -> str:
    whole = _ATOM.fullmatch(text) or _ENCLOSED.fullmatch(text)
    return text if whole else f"({text})"
