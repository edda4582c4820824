"""From raw extractions to findings: the mentions of one text that count, each with its role."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from extractors.mention import FIELDS, Extraction, Mention, Role, Text
from extractors.roles import assign_roles
from extractors.sentences import sentence_spans
from extractors.stems import stem_key
from extractors.words import is_empty_word
from kg.groups import KEYWORD
from kg.keys import fold
from kg.model import Paper

LEAST_KEYWORD = 0.3
"""A keyword of a lower score makes no node: a wrong one costs a reader more than a missing one."""

SURE_KEYWORD = 0.6
"""From this score on a keyword makes a node even if it is said but once and new to authors."""

_BY_RULES = frozenset({"entities", "fast"})
"""Extractors whose roles are those of the rules, which know more here: all mentions of a text."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A mention in a text with its role, before it has a concept.

    Args:
        mention: The place and the words.
        role: What the text does with them, of `extractors.mention.ROLES`.
        confidence: 0..1, of place and role together.
        sentence_start: First code point of the sentence that holds the mention, in its field.
        sentence_end: Code point after its last.
        extractor: Name of the extractor that found it.
        version: Its version.
    """

    mention: Mention
    role: str
    confidence: float
    sentence_start: int
    sentence_end: int
    extractor: str
    version: str


def to_text(paper: Paper) -> Text:
    """Return a paper's words as extractors see them."""
    return Text(abstract=paper.abstract, title=paper.title, keywords=paper.keywords)


def find(text: Text, extractions: Mapping[tuple[str, str], Extraction]) -> list[Finding]:
    """Return the mentions of a text with their roles, sorted by place.

    Args:
        text: The text.
        extractions: (extractor, version) -> what it says of the text.
    """
    said = [
        (mention, extractor)
        for extractor, extraction in sorted(extractions.items())
        for mention in extraction.mentions
        if mention.kind != KEYWORD or mention.score >= LEAST_KEYWORD
    ]
    kept = _weighty(_without_parts(_without_repeats(said)))
    roles = roles_of(text, [mention for mention, _ in kept], extractions)
    spans = {field: sentence_spans(text.field(field)) for field in FIELDS}
    findings = []
    for mention, (extractor, version) in kept:
        role = roles.get((mention.field, mention.start, mention.end))
        start, end = _sentence(spans[mention.field], mention)
        findings.append(
            Finding(
                mention=mention,
                role=role.role if role else "mentions",
                confidence=round(mention.score * (role.score if role else 1.0), 6),
                sentence_start=start,
                sentence_end=end,
                extractor=extractor,
                version=version,
            )
        )
    return findings


def roles_of(
    text: Text, mentions: Sequence[Mention], extractions: Mapping[tuple[str, str], Extraction]
) -> dict[tuple[str, int, int], Role]:
    """Return the roles of mentions by place: what an extractor says itself, else by the rules.

    Args:
        text: The text that the mentions come from.
        mentions: Those that are kept.
        extractions: (extractor, version) -> what it says of the text.
    """
    abbreviations = sorted({a for e in extractions.values() for a in e.abbreviations})
    roles = list(assign_roles(text, mentions, abbreviations))
    for (extractor, _), extraction in sorted(extractions.items()):
        roles += extraction.roles if extractor not in _BY_RULES else ()
    return {(role.field, role.start, role.end): role for role in roles}


def _without_repeats(
    said: Sequence[tuple[Mention, tuple[str, str]]],
) -> list[tuple[Mention, tuple[str, str]]]:
    """Keep one mention a place: a kind that says more before "keyword", then the surer one."""
    best: dict[tuple[str, int, int], tuple[Mention, tuple[str, str]]] = {}
    for mention, extractor in said:
        place = mention.field, mention.start, mention.end
        known = best.get(place)
        if known is None or _preference(mention) < _preference(known[0]):
            best[place] = mention, extractor
    return [best[place] for place in sorted(best)]


def _without_parts(
    said: Sequence[tuple[Mention, tuple[str, str]]],
) -> list[tuple[Mention, tuple[str, str]]]:
    """Leave out keywords that are but a part of a longer name there, or say no more than a name."""
    names = {field: _spans(said, field) for field in FIELDS}
    names_end: dict[str, int] = {}  # where the names that begin so far end at the latest
    kept = []
    for mention, extractor in sorted(said, key=lambda item: _sweep(item[0])):
        if mention.kind != KEYWORD:
            names_end[mention.field] = max(names_end.get(mention.field, 0), mention.end)
        elif mention.end <= names_end.get(mention.field, 0) or _says_no_more(
            mention, names[mention.field]
        ):
            continue
        kept.append((mention, extractor))
    return sorted(kept)


def _weighty(
    said: Sequence[tuple[Mention, tuple[str, str]]],
) -> list[tuple[Mention, tuple[str, str]]]:
    """Leave out keywords of little weight: said once, in the abstract alone, and new to authors.

    Of the forms of one word ("interpretable", "interpretability") the surest stays, and none beside
    a name of the same word.
    """
    from extractors.models import load_frequencies

    known = load_frequencies().in_lists
    keywords: dict[str, list[Mention]] = defaultdict(list)
    for mention, _ in said:
        if mention.kind == KEYWORD:
            keywords[stem_key(mention.text)].append(mention)
    named = {stem_key(mention.text) for mention, _ in said if mention.kind != KEYWORD}
    forms = {
        key: fold(max(found, key=lambda m: (m.score, m.text)).text)
        for key, found in keywords.items()
        if key not in named and (key in known or _has_weight(found))
    }
    return [
        (mention, extractor)
        for mention, extractor in said
        if mention.kind != KEYWORD or forms.get(stem_key(mention.text)) == fold(mention.text)
    ]


def _has_weight(found: Sequence[Mention]) -> bool:
    return len(found) > 1 or any(m.field != "abstract" or m.score >= SURE_KEYWORD for m in found)


def _spans(said: Iterable[tuple[Mention, tuple[str, str]]], field: str) -> list[tuple[int, int]]:
    return sorted((m.start, m.end) for m, _ in said if m.kind != KEYWORD and m.field == field)


def _says_no_more(keyword: Mention, names: Sequence[tuple[int, int]]) -> bool:
    """Tell whether a keyword is a name with empty words: "vanilla regularization approaches"."""
    inside = names[bisect_left(names, (keyword.start, 0)) : bisect_left(names, (keyword.end, 0))]
    rest = list(keyword.text)
    for start, end in inside:
        if end > keyword.end:
            return False
        rest[start - keyword.start : end - keyword.start] = " " * (end - start)
    return bool(inside) and all(map(is_empty_word, re.findall(r"\w+", "".join(rest))))


def _sweep(mention: Mention) -> tuple[str, int, bool]:
    return mention.field, mention.start, mention.kind == KEYWORD


def _preference(mention: Mention) -> tuple[bool, float, str]:
    return mention.kind == KEYWORD, -mention.score, mention.kind


def _sentence(spans: Sequence[tuple[int, int]], mention: Mention) -> tuple[int, int]:
    place = bisect_right(spans, mention.start, key=lambda span: span[0]) - 1
    if place < 0 or spans[place][1] <= mention.start:
        return mention.start, mention.end
    start, end = spans[place]
    return start, max(end, mention.end)
