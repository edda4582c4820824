"""Records in, annotations out: what `kg extract` writes, one JSON value a text.

Offsets count in the ``text`` that is returned: a title stands before the abstract, as
"title. abstract".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from extractors import AbbreviationExtractor, EntityExtractor, KeywordExtractor
from extractors.mention import ROLES, Abbreviation, Mention, Text
from extractors.roles import assign_roles
from extractors.schemes import scheme_entities
from kg.clean import clean_text
from kg.concepts import Definition, Names
from kg.language import detect
from kg.model import Record

DEFAULT = "default"
_BATCH = 64
_SEPARATOR = ". "


@dataclass(frozen=True, slots=True)
class _Item:
    id: str
    text: Text
    english: bool

    @property
    def joined(self) -> str:
        return self.prefix + self.text.abstract

    @property
    def prefix(self) -> str:
        title = self.text.title
        if not title or not self.text.abstract:
            return title
        return title + (" " if title[-1] in ".?!" else _SEPARATOR)

    def shift(self, field: str) -> int:
        return len(self.prefix) if field == "abstract" else 0


def annotate(
    records: Iterable[Record], *, clean: bool = True, scheme: str = DEFAULT
) -> Iterator[dict[str, Any]]:
    """Yield one annotation a record, in order, with entities, key phrases and abbreviations.

    Args:
        records: As a reader found them.
        clean: Whether mark-up is removed first; if not, offsets count in the raw text.
        scheme: Whose entities: the product's own, or those of one of `extractors.schemes`.

    Returns:
        ``{"id", "text", "entities": [[start, end, label, score, role], …], "keyphrases":
        [[phrase, score], …], "abbreviations": [{"short", "long"}, …]}`` for each.

    Example:
        >>> from kg.model import Record, Source
        >>> [a["id"] for a in annotate([Record(Source(), "We use BERT.", identifier="p")])]
        ['p']
    """
    stream = iter(records)
    number = 0
    while batch := list(islice(stream, _BATCH)):
        items = []
        for record in batch:
            number += 1
            items.append(_item(record, number, clean=clean))
        yield from _annotate(items, scheme)


def _item(record: Record, number: int, *, clean: bool) -> _Item:
    title, abstract = record.title, record.abstract
    if clean:
        title, abstract = clean_text(title), clean_text(abstract)
    english = detect(f"{title} {abstract}") in ("", "en")
    return _Item(record.identifier or str(number), Text(abstract, title), english)


def _annotate(items: Sequence[_Item], scheme: str) -> Iterator[dict[str, Any]]:
    texts = [item.text for item in items if item.english]
    keywords = KeywordExtractor()
    entities = EntityExtractor().extract(texts)
    abbreviations = AbbreviationExtractor().extract(texts)
    for item in items:
        if not item.english:
            yield _annotation(item, [], (), [])
            continue
        pairs = next(abbreviations).abbreviations
        if scheme == DEFAULT:
            found = _entities(item, next(entities).mentions, pairs)
        else:
            found = [[*span, None] for span in scheme_entities(item.joined, scheme)]
        yield _annotation(item, found, pairs, keywords.rank(item.text))


def _annotation(
    item: _Item,
    entities: list[list[Any]],
    abbreviations: Sequence[Abbreviation],
    ranked: Iterable[tuple[str, float]],
) -> dict[str, Any]:
    pairs = sorted({(pair.short, pair.long) for pair in abbreviations})
    return {
        "id": item.id,
        "text": item.joined,
        "entities": entities,
        "keyphrases": [[phrase, round(score, 6)] for phrase, score in ranked],
        "abbreviations": [{"short": short, "long": long} for short, long in pairs],
    }


def _entities(
    item: _Item, mentions: Sequence[Mention], abbreviations: Sequence[Abbreviation]
) -> list[list[Any]]:
    roles = _roles(item.text, mentions, abbreviations)
    return sorted(
        [
            m.start + item.shift(m.field),
            m.end + item.shift(m.field),
            m.kind.title(),
            round(m.score, 6),
            roles[m],
        ]
        for m in mentions
        if m.field != "keywords"
    )


def _roles(
    text: Text, mentions: Sequence[Mention], abbreviations: Sequence[Abbreviation]
) -> dict[Mention, str]:
    """Return the role of each mention: the strongest that its concept has in the text."""
    names = Names(Definition("", pair.short, pair.long) for pair in abbreviations)
    found = {(r.field, r.start, r.end): r.role for r in assign_roles(text, mentions, abbreviations)}
    strongest: dict[str, int] = {}
    for m in mentions:
        role = found.get((m.field, m.start, m.end), "mentions")
        key = names.key(m.text, "")
        strongest[key] = min(strongest.get(key, len(ROLES)), ROLES.index(role))
    return {m: ROLES[strongest[names.key(m.text, "")]] for m in mentions}
