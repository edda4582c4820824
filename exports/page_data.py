"""The records of a chosen part of a graph as JSON values for a page.

Papers and concepts are numbered, papers first. A text stands in the page once; a place in
it is given in UTF-16 code units, as JavaScript counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exports import style
from exports.errors import OptionError
from exports.offsets import disjoint, utf16
from exports.selection import Choice
from exports.short_labels import short_label
from exports.view import ConceptRecord, EvidenceRecord, LinkRecord, PaperRecord

ABSTRACTS = ("full", "evidence", "none")
"""What a page holds of the abstracts: all, the sentences that serve as evidence, nothing."""


def page_data(
    choice: Choice, mentions: Iterable[EvidenceRecord] = (), *, abstracts: str = "full"
) -> dict[str, Any]:
    """Return the papers, concepts, edges and links of a choice, and the looks of their kinds.

    Args:
        choice: What is drawn.
        mentions: Places to mark in the abstracts.
        abstracts: One of `ABSTRACTS`.

    Raises:
        OptionError: If ``abstracts`` is none of `ABSTRACTS`.
    """
    if abstracts not in ABSTRACTS:
        raise OptionError(f"abstracts={abstracts!r} is none of {', '.join(ABSTRACTS)}")
    number = choice.numbers
    texts = _Texts(choice.papers, abstracts)
    roles = list(dict.fromkeys(sorted((e.role for e in choice.edges), key=style.role_rank)))
    marks = _marks(mentions, number, texts) if abstracts == "full" else {}
    return {
        "kinds": {kind: _kind(kind) for kind in _kinds(choice)},
        "roles": [_role(role) for role in roles],
        "papers": [_paper(p, texts, marks.get(p.id, [])) for p in choice.papers],
        "concepts": [_concept(concept, number) for concept in choice.concepts],
        "edges": [
            [number[f"p{e.paper}"], number[f"c{e.concept}"], roles.index(e.role), *texts.place(e)]
            for e in choice.edges
        ],
        "links": [_link(link, number) for link in choice.links],
        "texts": texts.texts,
        "notice": choice.notice,
    }


class _Texts:
    """The texts of a page, each once, and where in them a sentence and its quote stand."""

    def __init__(self, papers: Iterable[PaperRecord], abstracts: str) -> None:
        self._shown = abstracts
        self._numbers: dict[str, int] = {}
        self.abstracts = {p.id: p.abstract for p in papers} if abstracts == "full" else {}

    @property
    def texts(self) -> list[str]:
        return list(self._numbers)

    def add(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))

    def place(self, edge: EvidenceRecord) -> list[int]:
        """Return text, sentence start and end, quote start and end; nothing without a text."""
        if not edge.sentence or (edge.field == "abstract" and self._shown == "none"):
            return []
        text = self.abstracts.get(edge.paper, "") if edge.field == "abstract" else ""
        begin, first = edge.sentence_start, edge.start - edge.sentence_start
        if text[begin : begin + len(edge.sentence)] != edge.sentence:
            text, begin = edge.sentence, 0
        if edge.sentence[max(first, 0) :][: len(edge.quote)] != edge.quote:
            first = edge.sentence.find(edge.quote)
        quote = (first, first + len(edge.quote)) if first >= 0 else (0, 0)
        ends = (0, len(edge.sentence), *quote)
        units = utf16(text)
        return [self.add(text), *(units(begin + end) for end in ends)]


def _marks(
    mentions: Iterable[EvidenceRecord], number: dict[str, int], texts: _Texts
) -> dict[str, list[list[int]]]:
    """Return concept, start and end of the places to mark in each abstract, none in another."""
    spans: dict[str, set[tuple[int, int, str]]] = {}
    for mention in mentions:
        text = texts.abstracts.get(mention.paper, "")
        held = text[mention.start : mention.end] == mention.quote
        if mention.field == "abstract" and held and f"c{mention.concept}" in number:
            span = (mention.start, mention.end, mention.concept)
            spans.setdefault(mention.paper, set()).add(span)
    marks = {}
    for paper, found in spans.items():
        units = utf16(texts.abstracts[paper])
        marks[paper] = [
            [number[f"c{concept}"], units(start), units(end)]
            for start, end, concept in disjoint(found)
        ]
    return marks


def _kinds(choice: Choice) -> list[str]:
    found = {concept.kind for concept in choice.concepts}
    return ["paper", *(k for k in style.KINDS if k in found), *sorted(found - style.KINDS.keys())]


def _kind(kind: str) -> dict[str, str]:
    look = style.kind_style(kind)
    name = kind if kind in style.KINDS else "other"
    return {"one": look.one, "many": look.many, "shape": look.shape, "style": name}


def _role(role: str) -> dict[str, Any]:
    look = style.role_style(role)
    return {
        "verb": look.verb,
        "passive": look.passive,
        "width": look.width,
        "dashes": list(look.dashes),
    }


def _paper(paper: PaperRecord, texts: _Texts, marks: list[list[int]]) -> dict[str, Any]:
    abstract = texts.abstracts.get(paper.id)
    return {
        "label": short_label(paper),
        "title": paper.title or paper.label,
        "authors": list(paper.authors),
        "year": paper.year,
        "venue": paper.venue,
        "doi": paper.doi,
        "url": paper.url,
        "code": list(paper.code_urls),
        "text": texts.add(abstract) if abstract else None,
        "marks": marks,
    }


def _concept(concept: ConceptRecord, number: dict[str, int]) -> dict[str, Any]:
    return {
        "label": concept.label,
        "kind": concept.kind,
        "aliases": list(concept.aliases),
        "abbreviations": list(concept.abbreviations),
        "broader": [number[f"c{key}"] for key in concept.broader if f"c{key}" in number],
        "papers": concept.papers,
    }


def _link(link: LinkRecord, number: dict[str, int]) -> list[Any]:
    shared = [number[f"c{key}"] for key in link.concepts if f"c{key}" in number]
    ends = number[f"p{link.source}"], number[f"p{link.target}"]
    return [*ends, round(link.weight, 4), round(link.similarity, 4), shared]
