"""Sentences of a running text, as offsets.

Rules over characters and a list of abbreviations: quick, without a model, and the same
for a text alone or among others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from extractors.words import words

_PARAGRAPH = re.compile(r"\n[ \t\r\f\v]*\n\s*")
_STOP = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s)|[。！？]+[”’」』）]*")
_GLUED = re.compile(
    r"(?<=[a-z)\]]{2})[.!?](?=(?:We|The|This|These|Our|In|However|It|To|For|Moreover"
    r"|Furthermore|Experiments|Results|Code)\b(?!\.))"
)
_LAST_WORD = re.compile(r"[^\s(\[{\"“‘/]+\Z")
_NEXT_WORD = re.compile(r"\s*[\"'“‘(\[{]*([^\s,;:]+)")
_BRACKET = re.compile(r"[()\[\]{}]")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_INITIALS = re.compile(r"(?:[A-Z]\.)*[A-Z]")

_NEVER_LAST = words(
    """e.g i.e eg ie cf vs viz resp approx fig figs eq eqs sect sects tab refs chap pp dr mr mrs
    prof st jr sr w.r.t wrt a.k.a aka yahoo"""
)
_SELDOM_LAST = words(
    """al etc inc ltd co corp dept univ est u.s u.k u.n ph.d d.c a.m p.m no nos vol sec secs ref
    ch p v ca ms i.i.d"""
)
_STARTERS = words(
    """a an the this these that those we our i it its they their he she in on at to for from with
    by as if when while where although though since because after before during through under
    however moreover furthermore additionally further also finally first second third thus hence
    therefore consequently specifically here there then such one two most many some each both all
    existing recent experiments experimental results extensive empirical empirically using based
    code given unlike despite instead nevertheless nonetheless yet but and or how what why can
    does do is are"""
)


@lru_cache(maxsize=64)
def sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the sentences of a text as half-open spans, trimmed, in order.

    Every character that is no white space lies in exactly one of them.

    Args:
        text: Running text; a blank line ends a sentence, a single line break does not.

    Example:
        >>> text = "We use trees, e.g. CART. They win by 2.5 points."
        >>> [text[start:end] for start, end in sentence_spans(text)]
        ['We use trees, e.g. CART.', 'They win by 2.5 points.']
    """
    cuts = sorted({0, len(text), *_paragraph_ends(text), *_sentence_ends(text)})
    pieces = (_trim(text, start, end) for start, end in pairwise(cuts))
    return tuple((start, end) for start, end in pieces if start < end)


def _paragraph_ends(text: str) -> Iterator[int]:
    return (match.end() for match in _PARAGRAPH.finditer(text))


def _sentence_ends(text: str) -> Iterator[int]:
    brackets = _bracket_spans(text)
    for match in _STOP.finditer(text):
        if _ends_sentence(text, match) and not _inside(match.start(), match.end(), brackets):
            yield match.end()
    for match in _GLUED.finditer(text):
        if not _inside(match.start(), match.end(), brackets):
            yield match.end()


def _ends_sentence(text: str, stop: re.Match[str]) -> bool:
    if stop[0][0] in "。！？":
        return True
    following = _NEXT_WORD.match(text, stop.end())
    if following is None:
        return True
    word = following[1]
    if not _can_begin(word):
        return False
    if stop[0][0] != ".":
        return not _is_abbreviation(text, stop.start(), _NEVER_LAST)
    if _is_abbreviation(text, stop.start(), _NEVER_LAST):
        return False
    if _is_abbreviation(text, stop.start(), _SELDOM_LAST) or _is_initial(text, stop.start()):
        return word.lower().rstrip(".") in _STARTERS
    return True


def _can_begin(word: str) -> bool:
    """Tell whether a sentence may begin with this word: a capital, a digit, a name, a sign."""
    return not word[0].islower() or any(c.isupper() or c.isdigit() for c in word[1:])


def _last_word(text: str, end: int) -> str:
    found = _LAST_WORD.search(text, max(0, end - 40), end)
    return found[0] if found else ""


def _is_abbreviation(text: str, end: int, known: frozenset[str]) -> bool:
    return _last_word(text, end).lower() in known


def _is_initial(text: str, end: int) -> bool:
    return _INITIALS.fullmatch(_last_word(text, end)) is not None


def _bracket_spans(text: str, longest: int = 300) -> list[tuple[int, int]]:
    """Return the outermost bracketed spans; one of more than ``longest`` characters is a slip."""
    spans: list[tuple[int, int]] = []
    stack: list[tuple[str, int]] = []
    for match in _BRACKET.finditer(text):
        if closing := _CLOSING.get(match[0]):
            stack.append((closing, match.start()))
        elif stack and stack[-1][0] == match[0]:
            start = stack.pop()[1]
            if match.end() - start <= longest:
                spans.append((start, match.end()))
    return _outermost(spans)


def _outermost(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


def _inside(start: int, end: int, spans: list[tuple[int, int]]) -> bool:
    return any(left < start and end < right for left, right in spans)


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
