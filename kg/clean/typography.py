"""What TeX writes with ASCII: quotes, dashes and ties."""

from __future__ import annotations

import re
from collections.abc import Callable

URL = re.compile(r"(?:https?://|www\.)(?:\\[_%#&~]|[^\s\\{}<>\"`^|*]|\*(?=[\w/]))+")

_DOUBLE_QUOTES = re.compile(r"``|(?<!')''(?!')")
_SINGLE_QUOTES = re.compile(r"(?<![\w`])`([^\s`'](?:[^`]{0,200}?[^\s`])??)['’](?!\w)")
_PRIMES = re.compile(r"[\"“”]|(?<![\w'])''(?=\w)|(?<=[^\W\d]|[.,!?;)\-])''(?![\w'])")
_COMPOUND = re.compile(r"(?<=[^\W\d_])--((?:of|to|in|on)--the|of|to|by|in|and|the)--(?=[^\W\d_])")
_NUMBERED = re.compile(r"(?<=[A-Z]{2})--(?=\d)")
_EM_DASH = re.compile(r"(?<![-<!])---(?![->])")
_EN_DASH = re.compile(r"(?<=\w)--(?=\w)|(?<=[^\s\-<!(\"'])--(?=[^\w\->])|(?<= )--(?= )")
_TIE = re.compile(
    r"(?<=[^\W\d_])~++(?!\d)|(?<=[^\W\d_])(?<!\d[^\W\d_])~++|(?<=\d)~++(?=[^\W\d_]{2}|\()"
    r"|(?<=[.,:;)\]’'])~++|(?<![~\s])~++(?=\s)|(?<=\s)~++(?=[(\[])"
)


def tex_typography(text: str) -> str:
    """Write TeX's quotes, dashes and ties as the characters that they stand for."""
    for trigger, step in _STEPS:
        if trigger in text:
            text = _outside_urls(step, text)
    return text


def _quotes(text: str) -> str:
    text = _DOUBLE_QUOTES.sub('"', text) if "``" in text else text
    return _SINGLE_QUOTES.sub(r"'\1'", text)


def _primes(text: str) -> str:
    """Write two apostrophes as a quotation mark where they open one, or close an open one."""
    inside = False
    parts: list[str] = []
    at = 0
    for found in _PRIMES.finditer(text):
        opens = not inside and text[found.end() : found.end() + 1].isalnum()
        if found[0] == "''":
            if not (opens or inside):
                continue
            parts += [text[at : found.start()], '"']
            at = found.end()
        inside = opens
    return "".join([*parts, text[at:]])


def _dashes(text: str) -> str:
    text = _COMPOUND.sub(lambda it: f"-{it[1].replace('--', '-')}-", _NUMBERED.sub("-", text))
    return _EN_DASH.sub("–", _EM_DASH.sub("—", text))


def _ties(text: str) -> str:
    return _TIE.sub(" ", text)


_STEPS = (("`", _quotes), ("''", _primes), ("--", _dashes), ("~", _ties))


def _outside_urls(step: Callable[[str], str], text: str) -> str:
    if "://" not in text and "www." not in text:
        return step(text)
    parts = re.split(f"({URL.pattern})", text)
    parts[::2] = map(step, parts[::2])
    return "".join(parts)
