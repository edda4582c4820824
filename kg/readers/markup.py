r"""JATS, HTML and MathML as text: what `kg.clean` would lose if the tags alone went.

Formulas become TeX in ``\( … \)``, which cleaning writes as readable Unicode, scripts
keep their tags for the same reason, the title of a section becomes its label, and what only
indents the file goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from kg.clean.mathml import mathml_to_tex
from kg.readers.xml_stream import parse_fragment

_BLOCKS = frozenset({
    "p", "br", "break", "div", "sec", "section", "title", "label", "list", "list-item", "li", "ul",
    "ol", "abstract", "td", "tr", "AbstractText",
})  # fmt: skip
_SECTIONS = frozenset({"sec", "section"})
_SCRIPTS = frozenset({"sup", "sub", "inf"})
_INLINE = frozenset({
    "b", "i", "u", "em", "strong", "bold", "italic", "sc", "scp", "tt", "code", "span", "font",
    "ins", "del", "a", "small", "big", "mark", "monospace", "roman", "sans-serif", "underline",
    "ext-link", "xref", "uri", "email", "named-content", "styled-content", "tex-math",
})  # fmt: skip
_UNLABELLED = re.compile(r"(?:abstract|summary|résumé)[\s.:]*", re.IGNORECASE)
_FORMULAS = frozenset({"alternatives", "inline-formula", "disp-formula"})
_KNOWN = _BLOCKS | _SCRIPTS | _INLINE | _FORMULAS
_BESIDE_MARK = re.compile(r"(?<=[(\[])\s++|(?<!\s)\s++(?=[)\],.;:%])")
_SPACES = re.compile(r" {2,}")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")


def to_text(raw: str) -> str:
    r"""Return marked-up text with its formulas as TeX; what is no XML comes back as it is.

    Example:
        >>> to_text("<jats:sec><jats:title>Aims</jats:title><jats:p>To see.</jats:p></jats:sec>")
        'Aims: To see.'
        >>> to_text("if a < b"), to_text("the token <mask></mask>")
        ('if a < b', 'the token <mask></mask>')
    """
    if "<" not in raw or not _TAG.search(raw):
        return raw
    element = parse_fragment(raw)
    return flatten(element) if element is not None and _is_known(element) else raw


def _is_known(element: Element) -> bool:
    """Tell whether all tags are mark-up; ``<mask>`` may be a word of the text."""
    known = (child.tag == "math" or (child.tag in _KNOWN and _is_known(child)) for child in element)
    return all(known)


def flatten(element: Element | None) -> str:
    """Return the text of an element, its mark-up turned into what cleaning reads.

    Args:
        element: An element with names without prefixes, such as an abstract; None is empty.
    """
    if element is None:
        return ""
    text = _BESIDE_MARK.sub(_without_indent, "".join(_inside(element)))
    return _SPACES.sub(" ", text).strip()


def _without_indent(space: re.Match[str]) -> str:
    """Return white space as it is, but none that a line break makes out as an indent."""
    return "" if "\n" in space[0] else space[0]


def _inside(element: Element) -> Iterator[str]:
    """Yield the text of an element without its own tags."""
    before = element.text or ""
    for child in element:
        bare = before.rstrip()
        yield bare if child.tag in _SCRIPTS and "\n" in before[len(bare) :] else before
        yield from _whole(child, element)
        before = child.tail or ""
    yield before


def _whole(child: Element, parent: Element) -> Iterator[str]:
    if child.tag in _SCRIPTS:
        tag, inner = "sup" if child.tag == "sup" else "sub", "".join(_inside(child)).strip()
        yield inner if tag == "sub" and inner.isdecimal() else f"<{tag}>{inner}</{tag}>"
    elif child.tag in ("math", "tex-math") or child.tag in _FORMULAS:
        yield _formula(child)
    elif child.tag == "title" and parent.tag in _SECTIONS:
        yield _label("".join(_inside(child)))
    elif child.tag == "title" and _UNLABELLED.fullmatch("".join(_inside(child)).strip()):
        yield " "
    elif child.tag in _BLOCKS:
        yield " "
        yield from _inside(child)
        yield " "
    else:
        yield _linked("".join(_inside(child)), child.get("href", ""))


def _linked(label: str, address: str) -> str:
    """Return the text of a link with its address where the text does not show it."""
    if not address.startswith(("http://", "https://")) or address in label:
        return label
    return address if not label or label in address else f"{label} ({address})"


def _label(title: str) -> str:
    """Return the title of a section as the label of its text."""
    title = " ".join(title.split())
    if not title or _UNLABELLED.fullmatch(title):
        return " "
    return f" {title} " if title[-1] in ".:?!" else f" {title}: "


def _formula(element: Element) -> str:
    r"""Return a formula in ``\( \)``: of several forms MathML, else TeX, else the text."""
    maths = element if element.tag == "math" else element.find(".//math")
    if maths is not None:
        return rf"\({mathml_to_tex(maths)}\)"
    tex = element if element.tag == "tex-math" else element.find(".//tex-math")
    if tex is None:
        return "".join(_inside(element))
    source = "".join(tex.itertext())
    body = source.partition(r"\begin{document}")[2].partition(r"\end{document}")[0]
    return rf"\({(body or source).strip().strip('$').strip()}\)"
