"""The texts, sentences and phrases behind the assertions, in NIF."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pyoxigraph import NamedNode

from exports.descriptions import Description, Statement, describe
from exports.iris import Iris
from exports.literals import integer, text
from exports.published import field_text
from exports.view import EvidenceRecord, PaperRecord
from exports.vocabulary import term

Span = tuple[str, int, int]
"""A field, and the first code point and the one after the last."""


def passages(
    iris: Iris, paper: PaperRecord, mentions: Iterable[EvidenceRecord]
) -> Iterator[Description]:
    """Describe the fields of a paper that hold evidence, their sentences and phrases."""
    records = sorted(mentions, key=lambda m: (m.field, m.start, m.end, m.concept))
    for field in sorted({record.field for record in records}):
        yield _context(iris, paper, field)
    for span, sentence in sorted(_sentences(records).items()):
        yield _passage(iris, paper.id, "sentence", span, [(term("nif:anchorOf"), text(sentence))])
    for span, group in sorted(_by_span(records).items()):
        yield _passage(iris, paper.id, "phrase", span, _naming(iris, paper.id, group))


def phrase_iri(iris: Iris, record: EvidenceRecord) -> NamedNode:
    """Return the IRI of the words of a mention."""
    return _iri(iris, record.paper, "phrase", (record.field, record.start, record.end))


def _context(iris: Iris, paper: PaperRecord, field: str) -> Description:
    whole = field_text(paper, field)
    held: list[Statement] = [
        (term("nif:isString"), text(whole)),
        (term("nif:beginIndex"), integer(0)),
        (term("nif:endIndex"), integer(len(whole))),
    ]
    part_of: Statement = (term("dcterms:isPartOf"), iris.of("paper", paper.id))
    statements = [part_of, *held] if whole else [part_of]
    return describe("evidence", _context_iri(iris, paper.id, field), "nif:Context", statements)


def _passage(
    iris: Iris, paper: str, kind: str, span: Span, statements: Iterable[Statement]
) -> Description:
    field, start, end = span
    place: list[Statement] = [
        (term("nif:referenceContext"), _context_iri(iris, paper, field)),
        (term("nif:beginIndex"), integer(start)),
        (term("nif:endIndex"), integer(end)),
    ]
    classes = {"sentence": "nif:Sentence", "phrase": "nif:Phrase"}
    return describe("evidence", _iri(iris, paper, kind, span), classes[kind], [*place, *statements])


def _naming(iris: Iris, paper: str, group: list[EvidenceRecord]) -> Iterator[Statement]:
    yield term("nif:anchorOf"), text(group[0].quote)
    for record in group:
        yield term("itsrdf:taIdentRef"), iris.of("concept", record.concept)
    for record in group:
        if record.sentence:
            yield term("nif:sentence"), _iri(iris, paper, "sentence", _sentence_span(record))


def _sentences(records: Iterable[EvidenceRecord]) -> dict[Span, str]:
    return {_sentence_span(record): record.sentence for record in records if record.sentence}


def _by_span(records: Iterable[EvidenceRecord]) -> dict[Span, list[EvidenceRecord]]:
    groups: dict[Span, list[EvidenceRecord]] = {}
    for record in records:
        groups.setdefault((record.field, record.start, record.end), []).append(record)
    return groups


def _sentence_span(record: EvidenceRecord) -> Span:
    return record.field, record.sentence_start, record.sentence_start + len(record.sentence)


def _context_iri(iris: Iris, paper: str, field: str) -> NamedNode:
    return iris.of("text", paper, field)


def _iri(iris: Iris, paper: str, kind: str, span: Span) -> NamedNode:
    field, start, end = span
    return iris.of("text", paper, field, kind, f"{start}-{end}")
