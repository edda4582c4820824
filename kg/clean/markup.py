r"""HTML, JATS and MathML: tags go, their text stays, entities become characters.

Formulas become TeX in ``\( … \)``, which the next steps write as readable Unicode; where a
formula is given more than once, MathML is read before TeX.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from kg.clean.mathml import formula_to_tex
from kg.clean.scripts import subscript, superscript

_BLOCK = (
    "p|br|div|sec|section|title|label|li|ul|ol|list|list-item|h[1-6]|abstract|abstracttext|table"
    "|tr|td|hr|para|abstractsection|heading"
)
_INLINE = (
    "b|i|u|em|strong|bold|italic|italics|sub|sup|inf|sc|scp|tt|code|span|font|ins|del|a|small|big"
    "|mark|monospace|roman|sans-serif|underline|ext-link|xref|uri|email|named-content|strike"
    "|styled-content|inline-formula|disp-formula|alternatives|tex-math|math|mrow|mi|mo|mn|ms|mtext"
    "|msup|msub|msubsup|mfrac|msqrt|mroot|mover|munder|munderover|mspace|mstyle|mfenced|mtable"
    "|mtr|mtd|mpadded|mphantom|menclose|semantics|annotation|img|blockquote|pre|cite|q|center"
    "|abbr|inline-graphic|graphic|emphasis|superscript|subscript|inlineequation"
    "|equationsource|externalref|refsource|citationref|internalref"
)
_PREFIXES = r"(?:jats:|mml:|m:|ce:)?"
_ATTRIBUTES = r"""(?:\s+[\w:.-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s<>"']+))*\s*/?"""
_BLOCK_TAG = re.compile(
    rf"</?(?:{_PREFIXES}(?:{_BLOCK})|ce:[a-z-]*(?:para|sec|title|sections)){_ATTRIBUTES}>",
    re.IGNORECASE,
)
_INLINE_TAG = re.compile(
    rf"</?(?:{_PREFIXES}(?:{_INLINE})|(?:jats|mml|ce):[a-z-]+){_ATTRIBUTES}>", re.IGNORECASE
)
_ASIDE = re.compile(r"<!--[^<>]{0,4000}-->|<\?xml[^<>]{0,200}\?>|<!\[CDATA\[|\]\]>(?=[\s<]|$)")
_TITLE = re.compile(
    rf"<({_PREFIXES}(?:title|section-title|heading|h[1-6])){_ATTRIBUTES}>([^<>]{{0,80}})</\1>",
    re.IGNORECASE,
)
_UNLABELLED = re.compile(r"(?:abstract|summary|résumé)?[\s.:]*", re.IGNORECASE)
_SCRIPT = re.compile(
    rf"(\S?)<({_PREFIXES}(su[bp]|inf|superscript|subscript)){_ATTRIBUTES}>"
    r"([^<>]{0,40})</\2>",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"""<a\s[^<>]*?href\s*=\s*["']?(https?://[^\s"'<>]+)["']?[^<>]*>([^<>]*)</a>""", re.IGNORECASE
)
_FORMS = re.compile(rf"<({_PREFIXES}alternatives){_ATTRIBUTES}>", re.IGNORECASE)
_MATHS = re.compile(rf"<((?:mml:|m:)?math){_ATTRIBUTES}>", re.IGNORECASE)
_TEX = re.compile(rf"<({_PREFIXES}tex-math|EquationSource){_ATTRIBUTES}>", re.IGNORECASE)

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ESCAPED_TWICE = re.compile(r"&(?:amp;)+(?=#?\w{1,32};)")


def strip_tags(text: str) -> str:
    r"""Remove the tags of HTML, JATS and MathML; anything else in angle brackets stays.

    Example:
        >>> strip_tags("<p>x<sub>i</sub> or <math><mi>y</mi></math> of <mask></p>").strip()
        'x_i or \\(y\\) of <mask>'
    """
    if "<" not in text or ">" not in text:
        return text
    text = _ASIDE.sub("", text)
    for opening, write in _FORMULAS:
        text = _each(text, opening, write)
    text = _LINK.sub(_link, _TITLE.sub(_title, text))
    text = _SCRIPT.sub(_script, text)
    return _INLINE_TAG.sub("", _BLOCK_TAG.sub(" ", text))


def decode_entities(text: str) -> str:
    """Turn entities such as ``&amp;`` and ``&#233;`` into the characters that they name."""
    if "&" not in text:
        return text
    return _ENTITY.sub(lambda found: html.unescape(found[0]), _ESCAPED_TWICE.sub("&", text))


def _each(text: str, opening: re.Pattern[str], write: Callable[[str], str]) -> str:
    """Rewrite each element that begins with a tag and ends with its closing tag."""
    parts: list[str] = []
    at = 0
    while found := opening.search(text, at):
        closing = f"</{found[1]}>"
        end = text.find(closing, found.end())
        if end < 0:
            break
        parts += [text[at : found.start()], write(text[found.start() : end + len(closing)])]
        at = end + len(closing)
    return "".join([*parts, text[at:]])


def _best_form(element: str) -> str:
    """Return of the forms of one formula the MathML, where there is one."""
    found = _MATHS.search(element)
    end = element.rfind(f"</{found[1]}>") if found else -1
    return element[found.start() : end] + f"</{found[1]}>" if found and end > 0 else element


def _mathml(element: str) -> str:
    tex = formula_to_tex(element)
    return element if tex is None else rf"\({tex}\)"


def _tex(element: str) -> str:
    """Return TeX in its brackets, without the document that publishers put around it."""
    source = element[element.index(">") + 1 : element.rindex("<")]
    body = source.partition(r"\begin{document}")[2].partition(r"\end{document}")[0] or source
    return rf"\({body.strip().strip('$').strip()}\)"


_FORMULAS = ((_FORMS, _best_form), (_MATHS, _mathml), (_TEX, _tex))


def _title(found: re.Match[str]) -> str:
    """Write the title of a section as the label of its text."""
    title = found[2].strip()
    if _UNLABELLED.fullmatch(title):
        return " "
    return f" {title} " if title[-1] in ".:?!" else f" {title}: "


def _script(found: re.Match[str]) -> str:
    base, kind, inner = found[1], found[3].lower(), found[4]
    write = superscript if kind.startswith("sup") else subscript
    return base + write(base if write is subscript else "x", inner)


def _link(found: re.Match[str]) -> str:
    address, label = found.groups()
    return address if not label or label in address else f"{label} ({address})"
