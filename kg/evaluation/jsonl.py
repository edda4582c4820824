"""JSON Lines with annotations, one text a line: what `kg extract` writes, and its relatives."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kg.errors import InputError
from kg.evaluation.documents import Document, Entity, Pair, parse_role

_TEXT = ("text", "raw")
_ENTITIES = ("entities", "spans", "label")
_START = ("start", "start_offset")
_END = ("end", "end_offset")
_WORDS = ("surface", "text")


def read(lines: Iterable[str], file: str) -> Iterator[Document]:
    """Read one annotated text a line.

    Args:
        lines: Of a file.
        file: Its name, for messages.

    Raises:
        InputError: If a line is no JSON object, or an annotation in it cannot be read; the
            message says where.
    """
    filled = ((place, line) for place, line in enumerate(lines, start=1) if line.strip())
    for number, (place, line) in enumerate(filled, start=1):
        try:
            yield to_document(json.loads(line), str(number), f"{file}:{place}")
        except ValueError as error:
            raise InputError(f"{file}:{place}: {error}") from None


def to_document(value: object, default_id: str = "", place: str = "") -> Document:
    """Return the document of one JSON value.

    An entity is ``[start, end, label]``, in which a fifth item is its role, or an object with
    these as fields and perhaps ``role``, ``canonical`` and ``optional``. What is optional is
    ignored. Which fields hold what is listed at the head of this module.

    Raises:
        ValueError: If an annotation cannot be read.

    Example:
        >>> to_document({"id": 7, "text": "We use BERT.", "entities": [[7, 11, "Method"]]}).spans
        (Entity(start=7, end=11, label='Method', role='', concept=''),)
    """
    if not isinstance(value, dict):
        raise ValueError("no JSON object; write one text a line, as kg extract does")
    text = next((value[name] for name in _TEXT if isinstance(value.get(name), str)), None)
    entities = _listed(value, _ENTITIES)
    document = Document(
        id=str(value.get("id", default_id)),
        abstract=str(value.get("abstract") or "") if text is None else text,
        title=str(value.get("title") or "") if text is None else "",
        entities=None if entities is None else _entities(entities, optional=False),
        ignored=_entities(entities or (), optional=True)
        + tuple(_entity([*item, ""][:3]) for item in _listed(value, ("ignore",)) or ()),
        keyphrases=_phrases(_listed(value, ("keyphrases", "keywords"))),
        abbreviations=_pairs(_listed(value, ("pairs", "abbreviations"))),
        neutral_abbreviations=_pairs(_listed(value, ("synonyms",))) or (),
        place=place,
    )
    _check_words(document, entities or ())
    return document


def _listed(value: Mapping[str, Any], names: Sequence[str]) -> list[Any] | None:
    """Return the first of these fields that is a list."""
    return next((value[name] for name in names if isinstance(value.get(name), list)), None)


def _entities(items: Iterable[Any], *, optional: bool) -> tuple[Entity, ...]:
    return tuple(_entity(item) for item in items if _is_optional(item) is optional)


def _is_optional(item: object) -> bool:
    return isinstance(item, dict) and bool(item.get("optional"))


def _entity(item: object) -> Entity:
    if isinstance(item, dict):
        start, end = _first(item, _START), _first(item, _END)
        label, role = item.get("label"), item.get("role")
        concept = str(item.get("canonical") or "")
    elif isinstance(item, list) and len(item) > 2:
        start, end, label = item[:3]
        role, concept = item[4] if len(item) > 4 else "", ""
    else:
        raise ValueError(f"{_shown(item)} is no entity; write [start, end, label]")
    if not (_is_offset(start) and _is_offset(end) and isinstance(label, str)):
        raise ValueError(f"{_shown(item)} is no entity; write [start, end, label]")
    return Entity(start, end, label, parse_role(str(role or "")), concept)


def _first(item: Mapping[str, Any], names: Iterable[str]) -> Any:
    return next((item[name] for name in names if name in item), None)


def _is_offset(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _check_words(document: Document, items: Iterable[Any]) -> None:
    """Refuse offsets that count in something else than the code points of the text."""
    for item in items if document.text else ():
        words = _first(item, _WORDS) if isinstance(item, dict) else None
        span = _entity(item)
        if isinstance(words, str) and words != document.words(span):
            raise ValueError(
                f"the text has {_shown(document.words(span))} at {span.start} to {span.end}, "
                f"not {_shown(words)}; offsets count code points, the end stands after the last"
            )


def _phrases(items: list[Any] | None) -> tuple[str, ...] | None:
    if items is None:
        return None
    phrases = tuple(item[0] if isinstance(item, list) and item else item for item in items)
    for phrase in phrases:
        if not isinstance(phrase, str):
            raise ValueError(f"{_shown(phrase)} is no key phrase; write a string")
    return phrases


def _pairs(items: list[Any] | None) -> tuple[Pair, ...] | None:
    return None if items is None else tuple(map(_pair, items))


def _pair(item: object) -> Pair:
    both = [item.get("short"), item.get("long")] if isinstance(item, dict) else item
    if isinstance(both, list) and len(both) > 1:
        short, long = both[:2]
        if isinstance(short, str) and isinstance(long, str):
            return short, long
    raise ValueError(f'{_shown(item)} is no abbreviation; write {{"short": "…", "long": "…"}}')


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) < 80 else text[:79] + "…"
