"""Identity: from a raw record to a cleaned paper with an id, and duplicates joined.

The id is the DOI, else the source's id, else a hash of the raw abstract's letters and digits,
so that better cleaning moves no id.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from kg.clean import clean_name, clean_text
from kg.language import detect
from kg.model import Paper, Record, Skipped

_DOI = re.compile(r"10\.\d+(?:\.\d+)*/\S+")
_URL = re.compile(r"(?:https?://|\b(?=[\w.-]+\.\w+/))[^\s<>\"{}|\\^`]+")
_CODE = re.compile(
    r"(github|gitlab|bitbucket|huggingface|codeberg|sourceforge|zenodo|anonymous\.4open\.science)\b",
    re.IGNORECASE,
)
_URL_TAIL = ".,;:!?'\"”’)]}"
_SAME_TEXT = 40  # letters and digits; shorter abstracts alone make no two records one
_RESERVED = "concept:"

T = TypeVar("T")


def to_paper(record: Record) -> Paper | Skipped:
    r"""Return a record as a cleaned paper, or why it is none.

    Example:
        >>> from kg.model import Source
        >>> to_paper(Record(Source("a.txt", 1), r"We \emph{show} it.")).abstract
        'We show it.'
    """
    abstract, title = clean_text(record.abstract), clean_text(record.title)
    if not abstract and not title:
        return Skipped(record.source, "no abstract and no title")
    doi, source_id = _doi(record.doi), _source_id(record.identifier)
    return Paper(
        id=doi or source_id or text_id(record.abstract or record.title),
        abstract=abstract,
        title=title,
        authors=tuple(filter(None, map(clean_name, record.authors))),
        year=record.year,
        venue=clean_name(record.venue),
        doi=doi,
        url=_plain(record.url),
        keywords=tuple(dict.fromkeys(filter(None, map(clean_text, record.keywords)))),
        code_urls=tuple(dict.fromkeys(code_urls(abstract))),
        language=detect(f"{title} {abstract}"),
        also_known_as=(source_id,) if doi and source_id not in ("", doi) else (),
        source=record.source,
    )


def text_id(raw: str) -> str:
    """Return the id of a text: a hash of its letters and digits, case and form aside.

    Example:
        >>> text_id("We show it.") == text_id("WE  SHOW-IT")
        True
    """
    return "sha-" + hashlib.sha256(_letters(raw).encode()).hexdigest()[:16]


def code_urls(text: str) -> Iterator[str]:
    """Yield the links to code in a cleaned text, without what follows them.

    Example:
        >>> list(code_urls("Code: https://github.com/a/b."))
        ['https://github.com/a/b']
    """
    for match in _URL.finditer(text):
        url = match.group().rstrip(_URL_TAIL)
        if _CODE.search(url):
            yield url if "://" in url else f"https://{url}"


def join(papers: Iterable[Paper]) -> tuple[Paper, ...]:
    """Return the papers with duplicates joined, sorted by id, whatever their order.

    Records are of one paper if they have the same DOI or the same abstract. The fuller record
    wins field by field; the others' ids stay in ``also_known_as``. Different texts under one
    id stay two papers: each id is completed by the hash of its text.
    """
    ordered = sorted(papers, key=_fullness)
    groups = _groups(ordered)
    merged = [_merge([ordered[i] for i in group]) for group in groups]
    return tuple(sorted(_told_apart(merged), key=lambda paper: paper.id))


def _groups(papers: Sequence[Paper]) -> list[list[int]]:
    """Return the places of the papers that are one, by union of equal DOIs and equal texts."""
    parent = list(range(len(papers)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    first: dict[tuple[str, str], int] = {}
    for i, paper in enumerate(papers):
        for key in _sameness(paper):
            other = root(first.setdefault(key, i))
            parent[max(root(i), other)] = min(root(i), other)
    groups: dict[int, list[int]] = defaultdict(list)
    for i in range(len(papers)):
        groups[root(i)].append(i)
    return list(groups.values())


def _sameness(paper: Paper) -> Iterator[tuple[str, str]]:
    letters = _letters(paper.abstract)
    if paper.doi:
        yield "doi", paper.doi
    if len(letters) >= _SAME_TEXT:
        yield "text", letters
    yield "id and text", f"{paper.id}\0{_letters(paper.title)}\0{letters}"


def _merge(group: Sequence[Paper]) -> Paper:
    """Join records of one paper, the fuller first."""
    if len(group) == 1:
        return group[0]
    best = min(group, key=_id_rank)
    names = {paper.id for paper in group} | {n for p in group for n in p.also_known_as}
    fields: dict[str, Any] = {
        name: _first(getattr(paper, name) for paper in group)
        for name in Paper.__slots__
        if name not in ("id", "also_known_as", "source")
    }
    return replace(group[0], **fields, id=best.id, also_known_as=tuple(sorted(names - {best.id})))


def _told_apart(papers: Sequence[Paper]) -> Iterator[Paper]:
    by_id: dict[str, list[Paper]] = defaultdict(list)
    for paper in papers:
        by_id[paper.id].append(paper)
    for paper_id, same in by_id.items():
        if len(same) == 1:
            yield same[0]
        else:
            for paper in same:
                digest = text_id(f"{paper.title}\n{paper.abstract}").removeprefix("sha-")[:8]
                yield replace(paper, id=f"{paper_id}~{digest}")


def _id_rank(paper: Paper) -> tuple[int, str]:
    """Order ids: a DOI, then a source's id, then a hash; the smallest of equals."""
    return (0 if paper.id == paper.doi else 2 if paper.id.startswith("sha-") else 1), paper.id


def _fullness(paper: Paper) -> tuple[int, int, str, str]:
    """Order records: more fields first, then the longer abstract, then by what they say."""
    filled = sum(bool(getattr(paper, name)) for name in Paper.__slots__)
    return -filled, -len(paper.abstract), paper.id, repr(paper)


def _first(values: Iterable[T]) -> T | None:
    value = None
    for value in values:
        if value:
            return value
    return value


def _letters(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char for char in folded if char.isalnum())


def _doi(raw: str) -> str:
    found = _DOI.search(_plain(raw))
    return found.group().rstrip(_URL_TAIL).lower() if found else ""


def _source_id(raw: str) -> str:
    name = _plain(raw)
    return f"id:{name}" if name.startswith(_RESERVED) else name


def _plain(text: str) -> str:
    """Return a text without control characters, lone surrogates and outer blanks."""
    text = text.replace("\\_", "_").replace("\\%", "%")
    return "".join(c for c in text if c.isprintable() and not "\ud800" <= c <= "\udfff").strip()
