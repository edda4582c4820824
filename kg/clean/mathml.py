"""MathML as TeX, so that formulas of all sources are read the same way.

Presentation MathML has a TeX form for each of its layouts; of content MathML the names and
numbers are kept.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from xml.etree.ElementTree import Element, ParseError, fromstring

_LONGEST = 20_000  # characters of one formula
_PREFIX = re.compile(r"(</?)(?:mml|m):")
_FOREIGN = re.compile(r"""\s(?:xmlns|[\w.-]+:[\w.-]+)\s*=\s*(?:"[^"<>]*"|'[^'<>]*')""")
_NAMED = re.compile(r"&(?!(?:lt|gt|amp|quot|apos);)[A-Za-z]\w{1,31};")


def formula_to_tex(raw: str) -> str | None:
    """Return a ``<math>`` element, as text, as TeX; None where it cannot be read.

    Example:
        >>> formula_to_tex("<math><msub><mi>y</mi><mi>i</mi></msub></math>")
        '{y}_{i}'
    """
    if len(raw) > _LONGEST:
        return None
    raw = _NAMED.sub(lambda found: html.unescape(found[0]), _FOREIGN.sub("", raw))
    try:
        # No entity can be declared: what declares one stands before the root, and this is it.
        return mathml_to_tex(fromstring(_PREFIX.sub(r"\1", raw)))  # noqa: S314
    except (ParseError, RecursionError):
        return None


_ESCAPES = str.maketrans(
    {
        **{sign: "\\" + sign for sign in "{}$%#&_"},
        "\\": r"\backslash ",
        "^": "ˆ",
        "~": "∼",
        **dict.fromkeys("\u2061\u2062\u2063\u2064"),
    }
)
_SKIPPED = frozenset(
    {"annotation", "annotation-xml", "mphantom", "maligngroup", "malignmark", "none"}
)
_ACCENTS = {
    "¯": r"\bar", "‾": r"\bar", "_": r"\bar", "ˆ": r"\hat", "∼": r"\tilde", "˜": r"\tilde",
    "→": r"\vec", "⃗": r"\vec", "˙": r"\dot", ".": r"\dot", "¨": r"\ddot",
}  # fmt: skip


def mathml_to_tex(element: Element) -> str:
    """Return presentation MathML as TeX; of content MathML the names and numbers.

    Example:
        >>> from xml.etree.ElementTree import fromstring
        >>> mathml_to_tex(fromstring("<math><msup><mi>x</mi><mn>2</mn></msup></math>"))
        '{x}^{2}'
    """
    if element.tag in _SKIPPED:
        return ""
    if element.tag in _LEAVES:
        return _LEAVES[element.tag](" ".join("".join(element.itertext()).split()))
    parts = [part for child in element if (part := mathml_to_tex(child)) or _counts(element)]
    write = _LAYOUTS.get(element.tag)
    try:
        return write(parts) if write else _row(element, parts)
    except (IndexError, TypeError):  # fewer parts than the layout has
        return "".join(parts)


def _counts(element: Element) -> bool:
    """Tell whether a part is known by its place, so that an empty one counts."""
    return element.tag in _LAYOUTS


def _row(element: Element, parts: list[str]) -> str:
    """Return parts side by side, in brackets where the element has them."""
    if element.tag == "mfenced":
        mark = (element.get("separators", ",").strip() or " ")[:1]
        opening, closing = element.get("open", "("), element.get("close", ")")
        return _leaf(opening) + f"{_leaf(mark)} ".join(parts) + _leaf(closing)
    if parts:
        return (" " if element.tag in ("apply", "matrixrow") else "").join(parts)
    return _leaf(" ".join((element.text or "").split()))


def _leaf(text: str) -> str:
    return text.translate(_ESCAPES)


def _name(text: str) -> str:
    """Return an identifier; one of several letters is the name of a function."""
    plain = len(text) > 1 and text.isascii() and text.isalpha()
    return rf"\operatorname{{{text}}}" if plain else _leaf(text)


def _words(text: str) -> str:
    return rf"\text{{ {_leaf(text)} }}" if text else ""


def _over(parts: list[str]) -> str:
    """Return a base with its accent, or with its upper bound."""
    base, above = parts[0], parts[1]
    accent = _ACCENTS.get(above.strip().removeprefix("\\"))
    return f"{accent}{{{base}}}" if accent else f"{{{base}}}^{{{above}}}"


def _scripts(parts: list[str]) -> str:
    return f"{{{parts[0]}}}_{{{parts[1]}}}^{{{parts[2]}}}"


def _below(parts: list[str]) -> str:
    return f"{{{parts[0]}}}_{{{parts[1]}}}"


_LEAVES: dict[str, Callable[[str], str]] = {
    "mi": _name,
    "ci": _name,
    "mn": _leaf,
    "cn": _leaf,
    "mo": _leaf,
    "ms": _words,
    "mtext": _words,
    "mspace": lambda text: " ",
}
_LAYOUTS: dict[str, Callable[[list[str]], str]] = {
    "msup": lambda parts: f"{{{parts[0]}}}^{{{parts[1]}}}",
    "msub": _below,
    "munder": _below,
    "mover": _over,
    "msubsup": _scripts,
    "munderover": _scripts,
    "mfrac": lambda parts: rf"\frac{{{parts[0]}}}{{{parts[1]}}}",
    "msqrt": lambda parts: rf"\sqrt{{{''.join(parts)}}}",
    "mroot": lambda parts: rf"\sqrt[{parts[1]}]{{{parts[0]}}}",
    "semantics": lambda parts: parts[0],
    "mtr": ", ".join,
    "matrixrow": ", ".join,
    "mtable": "; ".join,
    "matrix": "; ".join,
}
