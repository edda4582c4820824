"""What our own extractors say of annotated texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kg.evaluation.documents import Document
from kg.evaluation.jsonl import to_document
from kg.model import Record, Source


def extract(documents: Iterable[Document], *, scheme: str = "default") -> Iterator[Document]:
    """Yield what the extractors say of each text, in order; the texts are taken as they are.

    Args:
        documents: Their annotations are not looked at.
        scheme: Whose entities: our own, or those of one of `extractors.schemes`.
    """
    from kg.annotate import annotate

    records = (Record(Source(record=d.id), d.abstract, d.title, identifier=d.id) for d in documents)
    return map(to_document, annotate(records, clean=False, scheme=scheme))
