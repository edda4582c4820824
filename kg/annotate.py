"""Records in, annotations out: what `kg extract` writes, one JSON value a text.

Offsets count in the ``text`` that is returned: a title stands before the abstract, as
"title. abstract".
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import Any

from extractors import AbbreviationExtractor, KeywordExtractor
from extractors.mention import ROLES, Extractor, Mention, Text, check
from extractors.schemes import scheme_entities
from kg.choice import extractors_named
from kg.clean import clean_text
from kg.engine import WORTH, in_order, map_parts, parts_of, processes, usable_cores
from kg.errors import ExtractionError
from kg.extraction import CRASHED, Extractions
from kg.findings import roles_of
from kg.groups import KEYWORD
from kg.language import detect
from kg.model import Record, Skipped, Source
from kg.names import Definition, Names

DEFAULT = "default"
_PART = 25  # texts
_SEPARATOR = ". "
_SURROGATE = re.compile("[\ud800-\udfff]")  # half a character: no text, and no file takes it


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
    records: Iterable[Record],
    *,
    clean: bool = True,
    scheme: str = DEFAULT,
    using: Sequence[Extractor] | None = None,
    jobs: int | None = 1,
    skipped: list[Skipped] | None = None,
) -> Iterator[dict[str, Any]]:
    """Yield one annotation a record, in order, with entities, key phrases and abbreviations.

    Args:
        records: As a reader found them.
        clean: Whether mark-up is removed first; if not, offsets count in the raw text.
        scheme: Whose entities: the extractors' own, or those of one of `extractors.schemes`.
        using: The extractors; those of `kg.choice.extractors_named` if none are given.
        jobs: Processes, as in `kg.build`.
        skipped: Takes the records whose extraction ends a process.

    Returns:
        ``{"id", "text", "entities": [[start, end, label, score, role], …], "keyphrases":
        [[phrase, score], …], "abbreviations": [{"short", "long"}, …]}`` for each; "rejected"
        besides, where a model answered what the text does not bear out.

    Raises:
        ExtractionError: If the extraction of a record ends a process and there is no list
            to take it.

    Example:
        >>> from kg.model import Record, Source
        >>> [a["id"] for a in annotate([Record(Source(), "We use BERT.", identifier="p")])]
        ['p']
    """
    sources: deque[Source] = deque()
    stream = _numbered(records, sources)
    head = list(islice(stream, WORTH * usable_cores() if jobs is None else 0))
    if scheme != DEFAULT:
        using = [AbbreviationExtractor(), KeywordExtractor()]
    elif using is None:
        using = extractors_named()
    work = partial(_annotate, clean=clean, scheme=scheme, using=tuple(using))
    parts = parts_of(chain(head, stream), _PART)
    for annotation in in_order(map_parts(work, parts, jobs=processes(jobs, len(head)))):
        source = sources.popleft()
        if annotation is not None:
            yield annotation
        elif skipped is not None:
            skipped.append(Skipped(source, CRASHED))
        else:
            raise ExtractionError(f"{source}: {CRASHED}")


def _numbered(records: Iterable[Record], sources: deque[Source]) -> Iterator[tuple[int, Record]]:
    for number, record in enumerate(records, start=1):
        sources.append(record.source)
        yield number, record


def _annotate(
    records: Sequence[tuple[int, Record]],
    *,
    clean: bool,
    scheme: str,
    using: Sequence[Extractor],
) -> list[dict[str, Any]]:
    items = [_item(record, number, clean=clean) for number, record in records]
    return list(_annotations(items, scheme, using))


def _item(record: Record, number: int, *, clean: bool) -> _Item:
    title, abstract = record.title, record.abstract
    if clean:
        title, abstract = clean_text(title), clean_text(abstract)
    title, abstract = (_SURROGATE.sub("\ufffd", text) for text in (title, abstract))
    english = detect(f"{title} {abstract}") in ("", "en")
    return _Item(record.identifier or str(number), Text(abstract, title), english)


def _annotations(
    items: Sequence[_Item], scheme: str, using: Sequence[Extractor]
) -> Iterator[dict[str, Any]]:
    texts = [item.text for item in items if item.english]
    rankers = [e for e in using if isinstance(e, KeywordExtractor)]  # these say more than mentions
    streams = {
        (e.name, e.version): map(check, texts, e.extract(texts)) for e in using if e not in rankers
    }
    for item in items:
        if not item.english:
            yield _annotation(item, [], {}, [])
            continue
        said = {extractor: next(stream) for extractor, stream in streams.items()}
        if scheme == DEFAULT:
            found = _entities(item, said)
        else:
            found = [[*span, None] for span in scheme_entities(item.joined, scheme)]
        ranked = [phrase for ranker in rankers for phrase in ranker.rank(item.text)]
        yield _annotation(item, found, said, ranked)


def _annotation(
    item: _Item,
    entities: list[list[Any]],
    said: Extractions,
    ranked: Iterable[tuple[str, float]],
) -> dict[str, Any]:
    pairs = sorted({(a.short, a.long) for e in said.values() for a in e.abbreviations})
    rejected = [words for e in said.values() for words in e.rejected]
    annotation = {
        "id": item.id,
        "text": item.joined,
        "entities": entities,
        "keyphrases": [[phrase, round(score, 6)] for phrase, score in ranked],
        "abbreviations": [{"short": short, "long": long} for short, long in pairs],
    }
    return annotation | ({"rejected": rejected} if rejected else {})


def _entities(item: _Item, said: Extractions) -> list[list[Any]]:
    mentions = sorted({m for e in said.values() for m in e.mentions if m.kind != KEYWORD})
    roles = _roles(item.text, mentions, said)
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


def _roles(text: Text, mentions: Sequence[Mention], said: Extractions) -> dict[Mention, str]:
    """Return the role of each mention: the strongest that its concept has in the text."""
    pairs = sorted({pair for e in said.values() for pair in e.abbreviations})
    names = Names(Definition("", pair.short, pair.long) for pair in pairs)
    found = roles_of(text, mentions, said)
    strongest: dict[str, int] = {}
    for m in mentions:
        role = found.get((m.field, m.start, m.end))
        key = names.key(m.text, "")
        place = ROLES.index(role.role if role else "mentions")
        strongest[key] = min(strongest.get(key, len(ROLES)), place)
    return {m: ROLES[strongest[names.key(m.text, "")]] for m in mentions}
