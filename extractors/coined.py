"""Names in lower case that a text coins: nothing in their shape tells them from plain words.

We propose shuffle coding, a method ...     a sampler called backward mossing
the notion of higher-order losses           their mossing score, i.e., the probability that ...
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from extractors.kinds import kind_of_head
from extractors.matcher import singular
from extractors.proposal_cues import APPOSITION, COIN_VERB, STOP, STUDIES
from extractors.proposal_kinds import kind_behind, kind_told
from extractors.words import (
    COMMON_NAMES,
    DATASET_HEADS,
    FUNCTION_WORDS,
    METHOD_HEADS,
    METRIC_HEADS,
    NO_ENTITIES,
    PRAISE,
    TASK_HEADS,
)

_QUOTE = r"[\"“‘'*]{0,2}"
_WORD = r"(?P<name>[a-z][\w-]{2,})[\"”’'*]{0,2}"
_NAME = r"(?P<name>[a-z][\w-]+(?:[ ][A-Za-z][\w-]+){1,4}?)[\"”’'*]{0,2}"
_NAME_OR_COMPOUND = _NAME.replace("(?P<name>", r"(?P<name>[a-z]\w+-[a-z]\w+|")
_END = (
    r"(?=\s*(?:[,.;:(—–]|\Z|\s-\s)"
    r"|\s(?:that|which|to|for|and|in|by|as|with|on|of|based|whose)\b)"
)
_OTHERS = r"\b(?:based on|us(?:es|ing)|utili[sz]\w+|leverag\w+|employ\w*|with)\b"
_WE_PROPOSE = rf"\b(?:we|paper|work|article)\s(?:[a-z]+ly\s|then\s|also\s)?{COIN_VERB}\s+{_QUOTE}"
_APPOSED, _APPOSED_WORD = (
    re.compile(rf"{_WE_PROPOSE}{name}\s*[,—–-]\s*(?:an?|the first|our)\s", re.IGNORECASE)
    for name in (_NAME, _WORD)
)
_CALLED = re.compile(
    rf"\b{COIN_VERB}\s(?:(?!{_OTHERS})[^.;]){{3,150}}?"
    r"(?<!so-)(?<!also )(?<!often )(?<!sometimes )(?<!commonly )"
    r"\b(?:(?:called|dubbed|termed|named|designated)(?:\sas)?(?! entit)"
    r"|we (?:call|term|dub|refer to as))"
    rf"\s+(?:the\s+)?{_QUOTE}{_NAME_OR_COMPOUND}{_END}"
)
_NOTION = re.compile(
    rf"\b(?:we|paper|work|article)\s(?:[a-z]+ly\s|then\s|also\s)?{COIN_VERB}\sthe\s"
    rf"(?:new\s|novel\s)?(?:notion|concept|idea|principle)s?\sof\s+(?:an?\s+)?{_QUOTE}{_NAME}{_END}",
    re.IGNORECASE,
)
_THAT_IS = re.compile(
    rf"\b(?:their|its|the|an?)\s+{_QUOTE}{_NAME}\s*[,(—–]\s*i\.e\.,?\s(?:the|an?)\s"
)
_WE = re.compile(r"\b(?:we|our|this (?:paper|work|article|study))\b", re.IGNORECASE)
_COINS = re.compile(COIN_VERB)
_PATTERNS = (
    (_APPOSED, (",", "—", "–", "-")),
    (_APPOSED_WORD, (",", "—", "–", "-")),
    (_CALLED, ("call", "dub", "term", "named", "refer", "designated")),
    (_NOTION, ("notion", "concept", "idea", "principle")),
    (_THAT_IS, ("i.e.",)),
)
"""Each with the words without one of which it cannot match."""

_CALL = re.compile(
    r",?\s(?:which |that |what )?(?:called|dubbed|termed|named|designated|we [a-z ]+?)(?: as)?"
    rf"(?: the)?\s+{_QUOTE}\Z"
)
_PHENOMENA = re.compile(
    r"\b(?:phenomen\w+|effects?|issues?|challenges?|propert(?:y|ies)|behaviou?rs?|settings?)"
    r"\W+(?:[\w-]+\W+){0,3}\Z"
)


@dataclass(frozen=True, slots=True)
class Coined:
    """A span of a field and the kind that the text gives it."""

    start: int
    end: int
    kind: str


def coined_names(text: str, start: int, end: int) -> Iterator[Coined]:
    """Yield the names that a sentence coins, with what the sentence says they are.

    Args:
        text: A field's text.
        start: First code point of the sentence.
        end: Code point after its last.

    Example:
        >>> text = "We propose gentle mossing, a method for walls."
        >>> [text[c.start : c.end] for c in coined_names(text, 0, len(text))]
        ['gentle mossing']
    """
    sentence = text[start:end]
    if _COINS.search(sentence) is None or _WE.search(sentence) is None:
        return
    for pattern, words in _PATTERNS:
        if any(word in sentence for word in words):
            for match in pattern.finditer(text, start, end):
                yield from _coined(text, match, start, end)


def _coined(text: str, match: re.Match[str], start: int, end: int) -> Iterator[Coined]:
    name = match["name"]
    parts = name.lower().split()
    plain = parts[0] in FUNCTION_WORDS | PRAISE or any(p in FUNCTION_WORDS for p in parts)
    before = match[0][: match.start("name") - match.start()]
    plain = plain or (len(parts) == 1 and _is_common(parts[0], text[match.end("name") : end]))
    if plain or name.lower() in NO_ENTITIES or _PHENOMENA.search(_CALL.sub("", before)):
        return
    if kind := _kind(name, before, text[match.end("name") : end]):
        yield Coined(match.start("name"), match.end("name"), kind)


def _is_common(word: str, after: str) -> bool:
    """Tell whether a single word is an everyday one, or nothing says what it names."""
    common = COMMON_NAMES | STUDIES | METHOD_HEADS | TASK_HEADS | DATASET_HEADS | METRIC_HEADS
    return bool({word, singular(word)} & common) or kind_behind(after) is None


def _kind(name: str, before: str, after: str) -> str | None:
    """The kind of the noun before "called", of the apposition, or of the name's last word."""
    apposition = APPOSITION.match(after)
    described = kind_of_head(STOP.split(apposition[1], maxsplit=1)[0]) if apposition else None
    return described or kind_of_head(before[-30:]) or kind_told(name)
