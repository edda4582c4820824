"""The texts of papers as the explorer shows them, and every place that matters in them.

A text is the abstract; where that is not there, the sentences that serve as evidence, joined
by an ellipsis. All places are counted in UTF-16 code units of the text that is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from exports.offsets import disjoint, utf16
from exports.published import KEYWORD_SEPARATOR
from exports.view import EvidenceRecord, LinkRecord, PaperRecord, ResultRecord

FIELDS = ("title", "text", "keywords")
"""Where evidence stands, by the number that the page has for it; -1 is nowhere."""

ELLIPSIS = " … "

_NOWHERE = (-1, 0, 0, 0, 0)


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
        parts = [(0, whole)] if whole else sorted({p for p in passages if p[1]})
        self.text = ELLIPSIS.join(words for _, words in parts)
        self.units = utf16(self.text)
        self._parts = []
        shift = 0
        for start, words in parts:
            self._parts.append((start, start + len(words), shift))
            shift += len(words) + len(ELLIPSIS)

    def find(self, start: int, words: str) -> int | None:
        """Return where words of the field stand in the text, in code points."""
        for first, last, shift in self._parts:
            place = start - first + shift
            if first <= start and start + len(words) <= last and self._holds(place, words):
                return place
        return None

    def _holds(self, place: int, words: str) -> bool:
        return self.text[place : place + len(words)] == words

    def evidence(self, record: EvidenceRecord) -> tuple[int, int, int, int] | None:
        """Return start and length of the sentence, start in it and length of the quote.

        None where the text does not hold the sentence.
        """
        if not record.sentence:
            return None
        place = self.find(record.sentence_start, record.sentence)
        begin = self.text.find(record.sentence) if place is None else place
        if begin < 0:
            return None
        quote = record.start - record.sentence_start
        if quote < 0 or record.sentence[quote : quote + len(record.quote)] != record.quote:
            quote = max(record.sentence.find(record.quote), 0)
        length = len(record.quote) if record.quote in record.sentence else 0
        ends = (begin, begin + len(record.sentence), begin + quote, begin + quote + length)
        first, last, start, end = map(self.units, ends)
        return first, last - first, start - first, end - start


def paper_texts(
    paper: PaperRecord,
    number: Mapping[str, int],
    *,
    edges: Sequence[EvidenceRecord],
    mentions: Iterable[EvidenceRecord],
    links: Iterable[LinkRecord],
    results: Sequence[ResultRecord],
) -> dict[str, Any]:
    """Return what the page unpacks when a paper is looked at, by a letter each.

    Text, keywords; evidence of its edges, six numbers each: field, start and length of the
    sentence, start in it and length of the quote, confidence in per cent; marks, three numbers
    each: concept, start after the mark before, length; concepts that its links share; results.

    Args:
        paper: The paper.
        number: Number in the page of each concept, ``c`` and its id.
        edges: Its edges, in the order of the page.
        mentions: The places in it that name a concept.
        links: Those of which it is the source, in the order of the page.
        results: What it reports.
    """
    told: list[EvidenceRecord | ResultRecord] = [*edges, *results]
    passages = [(r.sentence_start, r.sentence) for r in told if _in_text(r)]
    shown = ShownText(paper.abstract, passages)
    title = ShownText(paper.title)
    return {
        "t": shown.text,
        "k": list(paper.keywords),
        "e": [n for edge in edges for n in _evidence(edge, paper, shown, title)],
        "m": list(_marks(mentions, number, shown)),
        "l": [[number[f"c{c}"] for c in k.concepts if f"c{c}" in number] for k in links],
        "r": [_result(result, number, shown) for result in results],
    }


def _in_text(record: EvidenceRecord | ResultRecord) -> bool:
    return record.field not in ("title", "keywords")


def _evidence(
    edge: EvidenceRecord, paper: PaperRecord, shown: ShownText, title: ShownText
) -> tuple[int, ...]:
    """Return the six numbers of an edge."""
    confidence = round(100 * edge.confidence)
    if edge.field == "keywords":
        return (*_keyword(edge, paper.keywords), confidence)
    field, text = (0, title) if edge.field == "title" else (1, shown)
    places = text.evidence(edge)
    return (field, *places, confidence) if places else (*_NOWHERE, confidence)


def _keyword(edge: EvidenceRecord, keywords: Sequence[str]) -> tuple[int, ...]:
    """Return field, number of the keyword, 0, and start and length of the quote within it."""
    begin = 0
    for place, keyword in enumerate(keywords):
        start = edge.start - begin
        if start >= 0 and keyword[start : start + len(edge.quote)] == edge.quote:
            first, last = map(utf16(keyword), (start, start + len(edge.quote)))
            return 2, place, 0, first, last - first
        begin += len(keyword) + len(KEYWORD_SEPARATOR)
    return _NOWHERE


def _marks(
    mentions: Iterable[EvidenceRecord], number: Mapping[str, int], shown: ShownText
) -> Iterator[int]:
    """Yield concept, start after the mark before, and length of the places to mark."""
    spans = set()
    for mention in mentions:
        if _in_text(mention) and mention.quote and f"c{mention.concept}" in number:
            start = shown.find(mention.start, mention.quote)
            if start is not None:
                spans.add((start, start + len(mention.quote), mention.concept))
    before = 0
    for start, end, concept in disjoint(spans):
        first, last = shown.units(start), shown.units(end)
        yield from (number[f"c{concept}"], first - before, last - first)
        before = last


def _result(result: ResultRecord, number: Mapping[str, int], shown: ShownText) -> dict[str, Any]:
    place = shown.find(result.sentence_start, result.sentence) if result.sentence else None
    start, end = (-1, -1) if place is None else (place, place + len(result.sentence))
    parts = ("metric", "dataset", "task", "method", "compared")
    keys = {part: f"c{getattr(result, f'{part}_concept')}" for part in parts}
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
