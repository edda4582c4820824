"""Which curated names a text really means, and how far they reach in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache

from extractors.gazetteer import Entry, entries
from extractors.kinds import cues_around
from extractors.matcher import Match, key
from extractors.reading import Reading
from extractors.words import COMMON_NAMES, FUNCTION_WORDS, NO_ENTITIES, PRAISE, words

_IN_USE = {
    "method": re.compile(
        r"\b(?:using|uses?|used|with|via|by|like|as|and|or|employ\w*|adopt\w*|than|of|over|apply\w*"
        r"|leverag\w*|including|e\.g\.|a|the)[,:]?\s+(?:the\s+)?\Z"
    ),
    "dataset": re.compile(
        r"\b(?:on|from|in|using|and|with|like|including|of|e\.g\.)[,:]?\s+(?:the\s+)?\Z"
    ),
}
_NUMBER = re.compile(
    r"\s*(?:scores?|rates?|values?|metrics?|measures?|\(?\w{0,6}\)?)?\s*(?:of|:|=|by|from|to|is"
    r"|at)?\s*"
    r"(?:about|over|around|nearly|up to|approximately)?\s*\(?\d"
)
_BEFORE_NUMBER = re.compile(
    r"\d[\d.,]*\s*(?:%|\\%|points?|percent|percentage points?)?\s*(?:in|of|higher|better"
    r"|lower)?\s*(?:top-\d |test |overall |average |absolute )?\Z"
)
_TERMS = re.compile(
    r"\b(?:in terms of|measured (?:by|in|with)|metrics?(?: such as|,|:| like)"
    r"|metric of)\s+(?:\w+,?\s+(?:and\s+)?){0,3}\Z"
)
_NOT_LEADING = words(
    """model models data learning human state training class network networks feature features
    method methods large natural neural language task tasks time text information open word words
    test input output user users number research problem performance analysis system systems
    function group point value level set space source target domain image images video
    knowledge of and with from the in to on a for or maximum mean use error best first second
    automatic automated computational google microsoft stanford amazon random common local process
    average base global structure block extreme total final universal wide long short real"""
)
_PREFIXED = re.compile(
    r"(?:self|semi|multi|cross|non|meta|co|hyper|inter|intra|zero|few|one|low|high|long|open"
    r"|weakly|fully|goal|text|graph|model|data|domain|task|instance|token|context|type"
    r"|class)-[a-z-]{3,}"
)
_TAILS = words(
    """estimation prediction detection classification recognition segmentation completion
    retrieval explainability reconstruction generation"""
)


def accepted(reading: Reading, readings: list[Reading]) -> Iterator[tuple[Match, Entry, float]]:
    """Yield the curated names that are meant, each with its concept and a score 0..1.

    A short form that also means something else counts where the text defines it, or names
    the concept in full; an everyday word counts where a cue stands next to it.

    Args:
        reading: The field whose names are asked for.
        readings: All fields of the text.
    """
    definitions = _definitions(readings)
    named = _named_in_full(readings)
    for match in reading.curated:
        surface = reading.text[match.start : match.end]
        defined = definitions.get(surface) or definitions.get(surface.removesuffix("s"))
        entry, score = _meant(match, defined, named)
        if entry is None or entry.label in NO_ENTITIES:
            continue
        if defined is None and not _clear(reading, match, entry, surface):
            continue
        yield match, entry, score


def _definitions(readings: list[Reading]) -> dict[str, str]:
    return {
        short: pair.long
        for reading in readings
        for pair in reading.abbreviations
        for short in (pair.short, pair.short.removesuffix("s"))
    }


def _named_in_full(readings: list[Reading]) -> frozenset[str]:
    """Return the labels of the concepts that the text names by a long name."""
    return frozenset(
        entry.label
        for reading in readings
        for match in reading.curated
        if not match.short
        for entry in match.entries
    )


def _meant(match: Match, defined: str | None, named: frozenset[str]) -> tuple[Entry | None, float]:
    if not match.short:
        return match.entries[0], 0.9
    if defined is not None:
        meant = key(defined)
        return next((e for e in match.entries if meant in _keys(e)), None), 0.95
    full = [e for e in match.entries if e.label in named]
    if full:
        return full[0], 0.9
    clear = [e for e in match.entries if not e.ambiguous]
    return (clear[0], 0.85) if clear and len(match.entries) == len(clear) else (None, 0.0)


@cache
def _keys(entry: Entry) -> frozenset[str]:
    return frozenset(key(name) for name in (entry.label, *entry.aliases))


def _clear(reading: Reading, match: Match, entry: Entry, surface: str) -> bool:
    """Tell whether a name that may be an everyday word is none here."""
    if entry.kind == "metric" and "-" in surface and "-" not in match.name:
        return False  # "inference-time control" is an adjective
    if entry.ambiguous and _is_bound_to_case(entry) and surface not in entry.names:
        return False  # "Health Records" are not ReCoRD, "3D shapes" no data set
    if surface.lower() in COMMON_NAMES or (entry.kind == "metric" and entry.ambiguous):
        return _cued(reading, match, entry.kind)
    proper = not entry.label.islower() and " " not in surface and "-" not in surface
    if entry.ambiguous and proper and not match.short and entry.label != "Transformer":
        return _cued(reading, match, entry.kind) or _in_use(reading, match, entry.kind)
    return True


def _is_bound_to_case(entry: Entry) -> bool:
    """Tell whether plain words spell a name but for its capitals."""
    inner = any(map(str.isupper, entry.label[1:])) and not entry.label.isupper()
    return inner and (" " not in entry.label or entry.kind == "dataset")


def _cued(reading: Reading, match: Match, kind: str) -> bool:
    start, end = reading.sentence_of(match.start, match.end)
    before, after = reading.text[start : match.start], reading.text[match.end : end]
    if kind == "metric":
        return any(
            (_NUMBER.match(after), _BEFORE_NUMBER.search(before[-60:]), _TERMS.search(before))
        )
    return any(found == kind and weight >= 1.5 for found, weight in cues_around(before, after))


def _in_use(reading: Reading, match: Match, kind: str) -> bool:
    pattern = _IN_USE.get(kind)
    before = reading.text[max(0, match.start - 30) : match.start]
    return pattern is not None and pattern.search(before) is not None


def extended(text: str, match: Match, entry: Entry) -> tuple[int, int, str]:
    """Return the span of a curated name with the technical words that belong to it.

    "hierarchical reinforcement learning" is more than "reinforcement learning", and
    "Shapley value estimation" is a task.
    """
    start, end, kind = match.start, match.end, entry.kind
    if match.short or entry.kind not in ("method", "task") or "language model" in entry.label:
        return start, end, kind
    while (
        lead := re.search(r"(?<![\w-])([\w-]+) \Z", text[max(0, start - 40) : start])
    ) and _leads(lead[1]):
        start -= len(lead[0])
    tail = re.match(r" ([a-z]+)\b(?!-)", text[end : end + 30])
    if kind == "method" and tail and tail[1] in _TAILS and text[start:end].islower():
        return start, end + len(tail[0]), "task"
    return start, end, kind


def _leads(word: str) -> bool:
    lower = word.lower()
    if lower in PRAISE or lower in FUNCTION_WORDS or lower in _NOT_LEADING or word.isupper():
        return False
    return lower in _leading_words() or (word.islower() and _PREFIXED.fullmatch(word) is not None)


@cache
def _leading_words() -> frozenset[str]:
    """Return the technical words that begin at least two curated names of methods and tasks."""
    counts: Counter[str] = Counter()
    for entry in entries():
        if entry.kind in ("method", "task"):
            names = (entry.label, *entry.aliases)
            counts.update({name.split()[0].lower() for name in names if " " in name})
    return frozenset(
        w for w, n in counts.items() if n >= 2 and len(w) > 3 and not w.endswith("ing")
    )
