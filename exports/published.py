"""A graph as it may leave the house: legal characters, and no more of the abstracts than allowed.

Every writer reads its view through `Published`, so that none has to think of either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from typing import Any, TypeVar

from exports.errors import OptionError
from exports.records import STREAMS
from exports.view import (
    FIELDS,
    ConceptRecord,
    EvidenceRecord,
    LinkRecord,
    PaperRecord,
    ResultRecord,
    RunRecord,
    Tabular,
    View,
    records,
)

ABSTRACTS = ("full", "evidence", "none")
"""How much of the abstracts is published: all, the sentences of the evidence, no sentence."""

KEYWORD_SEPARATOR = "; "

# What no XML 1.0 document can hold; lone surrogates have no UTF-8 either.
_ILLEGAL = re.compile("[^\\t\\n\\r\\u0020-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
_ILLEGAL_RE2 = r"[^\t\n\r -\x{D7FF}\x{E000}-\x{FFFD}\x{10000}-\x{10FFFF}]"
_PLACED = ("title", "abstract", "keywords")  # fields of a paper in which offsets count
_KEYS = frozenset({"id", "paper", "concept", "broader", "related", "source", "target", "concepts"})
_KEYS |= {f"{part}_concept" for part in ("metric", "dataset", "task", "method", "compared")}
_TEXTS = {kind: [name for name in names if name not in _KEYS] for kind, names in FIELDS.items()}

AnyRecord = TypeVar(
    "AnyRecord", PaperRecord, ConceptRecord, EvidenceRecord, ResultRecord, RunRecord
)
Placed = TypeVar("Placed", EvidenceRecord, ResultRecord)


def legal(text: str) -> str:
    r"""Return the text without lone surrogates and control characters.

    Example:
        >>> legal("a\x0bb")
        'ab'
    """
    return text if text.isprintable() else _ILLEGAL.sub("", text)  # the former is quicker to know


def legal_key(key: str) -> str:
    """Return the key, legal and still another for every other key."""
    if not _ILLEGAL.search(key):
        return key
    mark = sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{legal(key)}~{mark}"


def field_text(paper: PaperRecord, field: str) -> str:
    """Return the text of one field, in which the offsets of its evidence count."""
    texts = {"title": paper.title, "abstract": paper.abstract}
    return texts[field] if field in texts else KEYWORD_SEPARATOR.join(paper.keywords)


class Published:
    """A view of another view; keys stay as they are, offsets go with their text.

    Args:
        view: The graph.
        abstracts: One of `ABSTRACTS`.

    Raises:
        OptionError: If ``abstracts`` is none of them.
    """

    def __init__(self, view: View, abstracts: str = "full") -> None:
        if abstracts not in ABSTRACTS:
            raise OptionError(f"abstracts {abstracts!r} is none of {', '.join(ABSTRACTS)}")
        self._view = view
        self._abstracts = abstracts

    def papers(self) -> Iterator[PaperRecord]:
        """Yield the papers, without their abstracts unless these are published in full."""
        return self._records("papers")

    def concepts(self) -> Iterator[ConceptRecord]:
        """Yield the concepts."""
        return self._records("concepts")

    def edges(self) -> Iterator[EvidenceRecord]:
        """Yield one record a paper and concept."""
        return self._records("edges")

    def mentions(self) -> Iterator[EvidenceRecord]:
        """Yield one record a place that names a concept."""
        return self._records("mentions")

    def links(self) -> Iterator[LinkRecord]:
        """Yield the links between papers."""
        yield from self._view.links()

    def results(self) -> Iterator[ResultRecord]:
        """Yield the results that papers report."""
        return self._records("results")

    def run(self) -> RunRecord:
        """Return how the graph was made."""
        return _legal_record(self._view.run())

    def table(self, stream: str, names: Iterable[str] = ()) -> Any | None:
        """Return a stream as one table, as `exports.view.Tabular` says.

        None where the view has no tables, or where one of its texts cannot stay as it is.
        """
        if not isinstance(self._view, Tabular):
            return None
        found = self._view.table(stream, names)
        placed = "sentence_start" in FIELDS[STREAMS[stream]]
        if found is None or not _all_legal(found) or (placed and self._illegal_papers):
            return None
        return _hidden(found, self._abstracts)

    def _records(self, stream: str) -> Iterator[Any]:
        table = self.table(stream)
        if table is not None:
            return records(stream, table)
        change = self._evidence if "sentence_start" in FIELDS[STREAMS[stream]] else self._whole
        return map(change, getattr(self._view, stream)())

    def _whole(self, record: AnyRecord) -> AnyRecord:
        """Return a paper or a concept, legal, without the abstract unless that is published."""
        if isinstance(record, PaperRecord) and self._abstracts != "full":
            return _legal_record(replace(record, abstract=""))
        return _legal_record(record)

    def _evidence(self, record: Placed) -> Placed:
        paper = self._illegal_papers.get(record.paper)
        moved = _moved(record, field_text(paper, record.field)) if paper else record
        if self._abstracts == "none" and moved.field == "abstract":
            moved = replace(moved, sentence="")
        return _legal_record(moved)

    @cached_property
    def _illegal_papers(self) -> dict[str, PaperRecord]:
        """Papers whose text loses characters: none, where the text was cleaned on input."""
        if isinstance(self._view, Tabular):
            table = self._view.table("papers", _PLACED)
            if table is not None and _all_legal(table):
                return {}
        return {
            paper.id: paper
            for paper in self._view.papers()
            if _ILLEGAL.search("".join((paper.title, paper.abstract, *paper.keywords)))
        }


def _all_legal(table: Any) -> bool:
    """Return whether no text of a table has a character that may not leave the house."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for name, column in zip(table.column_names, table.columns, strict=True):
        texts = pc.list_flatten(column) if pa.types.is_list(column.type) else column
        if name not in _KEYS and pa.types.is_string(texts.type):
            illegal = pc.match_substring_regex(texts, _ILLEGAL_RE2)
            if pc.any(illegal).as_py():
                return False
    return True


def _hidden(table: Any, abstracts: str) -> Any:
    """Return a table without the abstracts that are not published, or without their sentences."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if abstracts != "full" and "abstract" in table.column_names:
        place = table.column_names.index("abstract")
        return table.set_column(place, "abstract", pa.array([""] * len(table), pa.string()))
    if abstracts == "none" and "sentence" in table.column_names:
        place = table.column_names.index("sentence")
        shown = pc.if_else(pc.equal(table["field"], "abstract"), "", table["sentence"])
        return table.set_column(place, "sentence", shown)
    return table


def _moved(record: Placed, text: str) -> Placed:
    """Return the record with offsets that count in the legal text."""
    start, end, sentence_start = (
        len(legal(text[:place])) for place in (record.start, record.end, record.sentence_start)
    )
    return replace(record, start=start, end=end, sentence_start=sentence_start)


def _legal_record(record: AnyRecord) -> AnyRecord:
    changed = {
        name: new
        for name in _TEXTS[type(record)]
        if (new := _legal_value(old := getattr(record, name))) is not old and new != old
    }
    return replace(record, **changed) if changed else record


def _legal_value(value: Any) -> Any:
    if isinstance(value, str):
        return legal(value)
    return tuple(map(_legal_value, value)) if value and isinstance(value, tuple) else value
