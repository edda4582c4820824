"""Abbreviations with the long forms that a text defines for them.

    long form (SHORT)     SHORT (long form)

The idea is Schwartz and Hearst's (2003); how letters fit words is in `extractors.alignment`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from extractors.alignment import Part, cost, parts_of
from extractors.mention import Abbreviation, Extraction, Text
from extractors.words import words

_BRACKET = re.compile(r"\(([^()]{2,150})\)|\[([^\[\]]{2,150})\]")
_QUOTES = "\"'“”‘’`«» "
_SHORT_WORD = r"[^\W_](?:[^\W_]|[-/&.+@'’*](?=[^\W_]))*\+{0,2}"
_SHORT = re.compile(rf"{_SHORT_WORD}(?: (?:\d[\w.]*|[A-Z][\w-]*))?")
_BEFORE = re.compile(rf"(?<![\w-]){_SHORT_WORD}(?=[\"'“”‘’`]*\s*\Z)")
_CUT = re.compile(r"[;:.!?()\[\]{}\"“”]|\s[-–—]\s|—")
_ROMAN = re.compile(r"(?=[ivxlc])(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:(?:i\.e\.|e\.g\.|namely|the|an?)[, ]\s*)+", re.IGNORECASE)
_HEADS = words("algorithm approach framework method model scheme system technique procedure")
_NO_SHORT = words(
    """fig figure table tab section sec chapter eq equation appendix left right top bottom ours
    see note e.g i.e vs usd et al"""
)
_DEAREST = 0.42
_DEAREST_INVERSE = 0.3


def find_abbreviations(text: str, field: str = "abstract") -> tuple[Abbreviation, ...]:
    """Return the abbreviations that a text defines, in the order of their definitions.

    Args:
        text: Running text.
        field: Name of the field that the text is, for the records.

    Example:
        >>> [(a.short, a.long) for a in find_abbreviations("Learning to defer (L2D) helps.")]
        [('L2D', 'Learning to defer')]
    """
    found = (_definition(text, bracket, field) for bracket in _BRACKET.finditer(text))
    return tuple(pair for pair in found if pair is not None)


def is_short_form(word: str) -> bool:
    """Tell whether a word looks like an abbreviation: neither a word nor a number.

    Example:
        >>> [is_short_form(w) for w in ("GSM8K", "CBMs", "brains", "2024", "iii")]
        [True, True, False, False, False]
    """
    letters = sum(c.isalpha() for c in word)
    if not (2 <= len(word) <= 16 and letters and _SHORT.fullmatch(word)):
        return False
    if (
        (word.lower() in _NO_SHORT and not word.isupper())
        or word == "SOTA"
        or _ROMAN.fullmatch(word)
    ):
        return False
    return any(c.isupper() for c in word) or (letters >= 2 and any(c.isdigit() for c in word))


class AbbreviationExtractor:
    """Finds the abbreviations that a title and an abstract define."""

    name = "abbreviations"
    version = "1"

    def extract(self, texts: Iterable[Text]) -> Iterator[Extraction]:
        """Yield one extraction a text, in order."""
        for text in texts:
            fields = ("title", "abstract")
            yield Extraction(
                abbreviations=tuple(
                    pair for name in fields for pair in find_abbreviations(text.field(name), name)
                )
            )


def _definition(text: str, bracket: re.Match[str], field: str) -> Abbreviation | None:
    group = 1 if bracket[1] is not None else 2
    inner = _stripped(text, bracket.start(group), bracket.end(group))
    for start, end in _short_candidates(text, *inner):
        if long := _long_before(text, bracket.start(), text[start:end]):
            return _pair(text, field, (start, end), long)
    if (short := _short_before(text, bracket.start())) and (
        long := _long_inside(text, *inner, text[short[0] : short[1]])
    ):
        return _pair(text, field, short, long)
    return None


def _pair(text: str, field: str, short: tuple[int, int], long: tuple[int, int]) -> Abbreviation:
    return Abbreviation(field, *short, *long, text[slice(*short)], text[slice(*long)])


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in _QUOTES:
        start += 1
    while start < end and text[end - 1] in _QUOTES + ".":
        end -= 1
    return start, end


def _short_candidates(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The whole bracket, its part before a comma, its first word."""
    lead = re.compile(r"(?:or|aka|a\.k\.a\.|abbreviated(?: as)?|short|denoted(?: as)?|i\.e\.,?)\s+")
    if match := lead.match(text, start, end):
        start = match.end()
    inner = text[start:end]
    ends = dict.fromkeys(
        len(inner[:cut].rstrip(_QUOTES))
        for cut in (
            len(inner),
            *(m.start() for m in re.finditer(r"[,;:=]| [\d'’]+\b| and ", inner)),
        )
    )
    for length in list(ends)[:3]:
        if is_short_form(inner[:length]):
            yield start, start + length


def _long_before(text: str, end: int, short: str) -> tuple[int, int] | None:
    """Return the words before a bracket that a short form abbreviates, the cheapest choice."""
    letters = sum(c.isalnum() for c in short)
    left = max((m.end() for m in _CUT.finditer(text, max(0, end - 200), end)), default=None)
    parts = parts_of(text, max(0, end - 200) if left is None else left, end)
    parts = parts[-min(letters + 5, 2 * letters + 1) :]
    if not parts or any(c.isalnum() for c in text[parts[-1].end : end]):
        return None
    best = min(((_priced(short, parts[i:], text), -i) for i in range(len(parts))), default=(9.0, 0))
    if best[0] > _limit(short, _DEAREST):
        return None
    chosen = _without_head(parts[-best[1] :], short)
    return (chosen[0].start, chosen[-1].end) if _fits(short, chosen, text) else None


def _priced(short: str, parts: tuple[Part, ...], text: str) -> float:
    """A long form that begins inside a hyphenated word, or spans a comma, is less likely."""
    price = cost(short, parts)
    start = parts[0].start
    if start and text[start - 1] in "-–/" and start > 1 and text[start - 2].isalnum():
        price += 0.12
    return price + 0.1 * text.count(",", start, parts[-1].end)


def _limit(short: str, dearest: float) -> float:
    """A mere capitalised word ("Left") has to fit better than an acronym."""
    return dearest if sum(c.isupper() for c in short) > 1 else dearest / 2


def _fits(short: str, parts: tuple[Part, ...], text: str) -> bool:
    long = text[parts[0].start : parts[-1].end]
    if len(long) <= len(short) or short.lower() in long.lower().split():
        return False
    return len(parts) > 1 or len(long) > 1.5 * len(short)


def _without_head(parts: tuple[Part, ...], short: str) -> tuple[Part, ...]:
    if len(parts) > 2 and parts[-1].text.lower().removesuffix("s") in _HEADS:
        shorter = parts[:-1]
        if cost(short, shorter) < cost(short, parts):
            return shorter
    return parts


def _short_before(text: str, end: int) -> tuple[int, int] | None:
    match = _BEFORE.search(text, max(0, end - 30), end)
    return match.span() if match and is_short_form(match[0]) else None


def _long_inside(text: str, start: int, end: int, short: str) -> tuple[int, int] | None:
    if match := _ARTICLE.match(text, start, end):
        start = match.end()
    cut = re.search(r"[,;:]", text[start:end])
    parts = parts_of(text, start, start + cut.start() if cut else end)
    if not parts or parts[0].start != start or " " not in text[start : parts[-1].end]:
        return None
    if cost(short, parts) > _limit(short, _DEAREST_INVERSE):
        return None
    return (start, parts[-1].end) if _fits(short, parts, text) else None
