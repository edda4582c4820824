"""HTML, JATS and MathML: tags go, their text stays, entities become characters."""

from __future__ import annotations

import html
import re

from kg.clean.scripts import superscript

_BLOCK = "p|br|div|sec|section|title|label|li|ul|ol|list|list-item|h[1-6]|abstract|table|tr|td|hr"
_INLINE = (
    "b|i|u|em|strong|bold|italic|sub|sup|inf|sc|scp|tt|code|span|font|ins|del|a|small|big|mark"
    "|monospace|roman|sans-serif|underline|ext-link|xref|uri|email|named-content|styled-content"
    "|inline-formula|disp-formula|alternatives|tex-math|math|mrow|mi|mo|mn|ms|mtext|msup|msub"
    "|msubsup|mfrac|msqrt|mroot|mover|munder|munderover|mspace|mstyle|mfenced|mtable|mtr|mtd"
    "|mpadded|mphantom|menclose|semantics|annotation|img|blockquote|pre|cite|q"
)
_PREFIXES = r"(?:jats:|mml:|m:)?"
_ATTRIBUTES = r"""(?:\s+[\w:.-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s<>"']+))*\s*/?"""
_BLOCK_TAG = re.compile(rf"</?{_PREFIXES}(?:{_BLOCK}){_ATTRIBUTES}>", re.IGNORECASE)
_INLINE_TAG = re.compile(rf"</?{_PREFIXES}(?:{_INLINE}){_ATTRIBUTES}>", re.IGNORECASE)
_LABEL = re.compile(
    rf"<{_PREFIXES}title>\s*(?:abstract|summary)\s*</{_PREFIXES}title>", re.IGNORECASE
)
_SUPERSCRIPT = re.compile(rf"<{_PREFIXES}sup>([^<>]{{0,40}})</{_PREFIXES}sup>", re.IGNORECASE)
_LINK = re.compile(
    r"""<a\s[^<>]*?href\s*=\s*["']?(https?://[^\s"'<>]+)["']?[^<>]*>([^<>]*)</a>""", re.IGNORECASE
)

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ESCAPED_TWICE = re.compile(r"&(?:amp;)+(?=#?\w{1,32};)")


def strip_tags(text: str) -> str:
    """Remove the tags of HTML, JATS and MathML; anything else in angle brackets stays."""
    if "<" not in text or ">" not in text:
        return text
    text = _LABEL.sub(" ", text)
    text = _LINK.sub(_link, text)
    text = _SUPERSCRIPT.sub(lambda found: superscript("x", found[1]), text)
    return _INLINE_TAG.sub("", _BLOCK_TAG.sub(" ", text))


def decode_entities(text: str) -> str:
    """Turn entities such as ``&amp;`` and ``&#233;`` into the characters that they name."""
    if "&" not in text:
        return text
    return _ENTITY.sub(lambda found: html.unescape(found[0]), _ESCAPED_TWICE.sub("&", text))


def _link(found: re.Match[str]) -> str:
    address, label = found.groups()
    return address if not label or label in address else f"{label} ({address})"
