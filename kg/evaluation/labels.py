"""Labels of annotated and predicted entities, brought to one spelling and one choice."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from kg.errors import UnknownNameError
from kg.evaluation.documents import Document, Entity


def labels_of(documents: Iterable[Document]) -> set[str]:
    """Return the labels of the entities."""
    return {span.label for document in documents for span in document.spans}


def harmonise(
    gold: Sequence[Document],
    predicted: Sequence[Document],
    labels: Collection[str] = (),
    renamed: Mapping[str, str] | None = None,
) -> tuple[list[Document], list[Document]]:
    """Return both sides with labels that can be compared: of one case, and only the chosen.

    Args:
        gold: Its case of a label holds, the first that is met.
        predicted: Documents of any ids.
        labels: Labels to keep; none named: all.
        renamed: Label in the gold -> label that it counts as.

    Raises:
        UnknownNameError: If neither side has a label that is named.
    """
    _check(renamed or {}, labels_of(gold))
    new = {old.casefold(): label for old, label in (renamed or {}).items()}
    texts = [_rename(document, new) for document in gold]
    spelling = _spelling(texts, predicted)
    texts, found = ([_rename(d, spelling) for d in side] for side in (texts, predicted))
    if not labels:
        return texts, found
    _check(labels, set(spelling.values()))
    kept = {spelling[label.casefold()] for label in labels}
    return [_keep(d, kept) for d in texts], [_keep(d, kept) for d in found]


def _check(named: Iterable[str], known: Collection[str]) -> None:
    folded = {label.casefold() for label in known}
    for label in named:
        if label.casefold() not in folded:
            raise UnknownNameError("label", label, sorted(known))


def _spelling(*sides: Iterable[Document]) -> dict[str, str]:
    """Return case-folded label -> label as it is met first."""
    spelling: dict[str, str] = {}
    for side in sides:
        for document in side:
            for span in document.spans:
                spelling.setdefault(span.label.casefold(), span.label)
    return spelling


def _rename(document: Document, names: Mapping[str, str]) -> Document:
    def renamed(spans: Iterable[Entity]) -> tuple[Entity, ...]:
        return tuple(replace(s, label=names.get(s.label.casefold(), s.label)) for s in spans)

    entities = None if document.entities is None else renamed(document.entities)
    return replace(document, entities=entities, ignored=renamed(document.ignored))


def _keep(document: Document, labels: Collection[str]) -> Document:
    """Return the document with these labels alone; what is ignored stays so."""
    if document.entities is None:
        return document
    return replace(document, entities=tuple(s for s in document.entities if s.label in labels))
