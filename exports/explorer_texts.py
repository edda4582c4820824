"""The texts of papers as the explorer shows them, and every place that matters in them.

A text is the abstract; where that is not there, the sentences that serve as evidence, joined
by an ellipsis. All places are counted in UTF-16 code units of the text that is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from exports.offsets import Span, disjoint, utf16
from exports.published import KEYWORD_SEPARATOR
from exports.view import PaperRecord, ResultRecord

FIELDS = ("title", "text", "keywords")
"""Where evidence stands, by the number that the page has for it; -1 is nowhere."""

ELSEWHERE = ("title", "keywords")
"""Fields that are not the text."""

ELLIPSIS = " … "

_NOWHERE = (-1, 0, 0, 0, 0)


class Evidence(NamedTuple):
    """What the page tells of the evidence of an edge, as `exports.view.EvidenceRecord` has it."""

    field: str
    start: int
    quote: str
    sentence: str
    sentence_start: int
    confidence: float


class Mention(NamedTuple):
    """A place in a text that names a concept, by the concept's number in the page."""

    start: int
    quote: str
    concept: int


class ShownText:
    """A text, and where the places of the field that it shows stand in it.

    Args:
        whole: The field; empty where the page does not hold it.
        passages: First character and words of the parts that stand for an empty field.

    Example:
        >>> ShownText("", [(40, "Ferns grow."), (0, "Mosses do.")]).text
        'Mosses do. … Ferns grow.'
    """

    def __init__(self, whole: str, passages: Iterable[tuple[int, str]] = ()) -> None:
        parts = [] if whole else sorted({p for p in passages if p[1]})
        self.text = whole or ELLIPSIS.join(words for _, words in parts)
        self.units = utf16(self.text)
        self._whole = bool(whole)
        self._parts = []
        shift = 0
        for start, words in parts:
            self._parts.append((start, start + len(words), shift))
            shift += len(words) + len(ELLIPSIS)

    def find(self, start: int, words: str) -> int | None:
        """Return where words of the field stand in the text, in code points."""
        if self._whole:
            return start if start >= 0 and self.text.startswith(words, start) else None
        for first, last, shift in self._parts:
            place = start - first + shift
            if first <= start and start + len(words) <= last and self.text.startswith(words, place):
                return place
        return None

    def evidence(self, place: Evidence) -> tuple[int, int, int, int] | None:
        """Return start and length of the sentence, start in it and length of the quote.

        None where the text does not hold the sentence.
        """
        _, start, quote, sentence, sentence_start, _ = place
        if not sentence:
            return None
        found = self.find(sentence_start, sentence)
        begin = self.text.find(sentence) if found is None else found
        if begin < 0:
            return None
        first, length = start - sentence_start, len(quote)
        if first < 0 or not sentence.startswith(quote, first):
            first = sentence.find(quote)
            first, length = (first, length) if first >= 0 else (0, 0)
        if self.units is int:
            return begin, len(sentence), first, length
        ends = (begin, begin + len(sentence), begin + first, begin + first + length)
        begin, end, first, last = map(self.units, ends)
        return begin, end - begin, first - begin, last - first


def paper_texts(
    paper: PaperRecord,
    edges: Sequence[Evidence],
    mentions: Iterable[Mention],
    shared: list[list[int]],
    *,
    results: Sequence[ResultRecord],
    number: Mapping[str, int],
) -> dict[str, Any]:
    """Return what the page unpacks when a paper is looked at, by a letter each.

    Text, keywords; evidence of its edges, six numbers each: field, start and length of the
    sentence, start in it and length of the quote, confidence in per cent; marks, three numbers
    each: concept, start after the mark before, length; concepts that its links share; results.

    Args:
        paper: The paper.
        edges: Its edges, in the order of the page.
        mentions: The places in its text that name a concept.
        shared: Numbers of the concepts that its links share, in the order of the page.
        results: What it reports.
        number: Number in the page of each concept, by its id.
    """
    told: list[Evidence | ResultRecord] = [*edges, *results]
    whole = paper.abstract
    passages = () if whole else [(r.sentence_start, r.sentence) for r in told if _in_text(r)]
    shown = ShownText(whole, passages)
    title = ShownText(paper.title)
    return {
        "t": shown.text,
        "k": list(paper.keywords),
        "e": [n for edge in edges for n in _evidence(edge, paper, shown, title)],
        "m": _marks(mentions, shown),
        "l": shared,
        "r": [_result(result, number, shown) for result in results],
    }


def _in_text(record: Evidence | ResultRecord) -> bool:
    return record.field not in ELSEWHERE


def _evidence(
    edge: Evidence, paper: PaperRecord, shown: ShownText, title: ShownText
) -> tuple[int, ...]:
    """Return the six numbers of an edge."""
    confidence = round(100 * edge.confidence)
    if edge.field == "keywords":
        return (*_keyword(edge, paper.keywords), confidence)
    field, text = (0, title) if edge.field == "title" else (1, shown)
    places = text.evidence(edge)
    return (field, *places, confidence) if places else (*_NOWHERE, confidence)


def _keyword(edge: Evidence, keywords: Sequence[str]) -> tuple[int, ...]:
    """Return field, number of the keyword, 0, and start and length of the quote within it."""
    begin = 0
    for place, keyword in enumerate(keywords):
        start = edge.start - begin
        if start >= 0 and keyword[start : start + len(edge.quote)] == edge.quote:
            first, last = map(utf16(keyword), (start, start + len(edge.quote)))
            return 2, place, 0, first, last - first
        begin += len(keyword) + len(KEYWORD_SEPARATOR)
    return _NOWHERE


def _marks(mentions: Iterable[Mention], shown: ShownText) -> list[int]:
    """Return concept, start after the mark before, and length of the places to mark."""
    spans: set[Span[int]] = set()
    for start, quote, concept in mentions:
        place = shown.find(start, quote)
        if quote and place is not None:
            spans.add((place, place + len(quote), concept))
    marks: list[int] = []
    before = 0
    for start, end, concept in disjoint(spans):
        first, last = shown.units(start), shown.units(end)
        marks += (concept, first - before, last - first)
        before = last
    return marks


def _result(result: ResultRecord, number: Mapping[str, int], shown: ShownText) -> dict[str, Any]:
    place = shown.find(result.sentence_start, result.sentence) if result.sentence else None
    start, end = (-1, -1) if place is None else (place, place + len(result.sentence))
    parts = ("metric", "dataset", "task", "method", "compared")
    keys = {part: getattr(result, f"{part}_concept") for part in parts}
    return {
        "metric": result.metric,
        "relation": result.relation,
        "value": result.value,
        "unit": result.unit,
        "dataset": result.dataset,
        "task": result.task,
        "method": result.method,
        "qualifier": result.qualifier,
        "compared": result.compared_method,
        "comparedValue": result.compared_value,
        "nodes": {part: number[key] for part, key in keys.items() if key in number},
        "start": start if start < 0 else shown.units(start),
        "end": end if end < 0 else shown.units(end),
    }
