"""The words that a place in a paper holds, cut out of the table of papers when they are needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa

from extractors.mention import FIELDS, KEYWORD_SEPARATOR
from kg.coding import coded, starts

_BLOCK = 256  # papers whose words are unpacked at a time
_CUT = 1 << 14  # sentences that are cut out at a time


def words_of(papers: pa.Table) -> Callable[[str, str], str]:
    """Return what gives the words of a paper's field, in which offsets count.

    Args:
        papers: The table "papers" of `kg.tables`.

    Example:
        >>> words_of(pa.table({"id": ["p"], "title": ["Ferns"]}))("p", "title")
        'Ferns'
    """
    row_of = {paper: row for row, paper in enumerate(papers["id"].to_pylist())}

    @lru_cache(maxsize=len(FIELDS))  # places come paper by paper
    def block(number: int, field: str) -> list[Any]:
        values: list[Any] = papers[field].slice(number * _BLOCK, _BLOCK).to_pylist()
        return values

    def words(paper: str, field: str) -> str:
        number, place = divmod(row_of[paper], _BLOCK)
        value = block(number, field)[place]
        return value if isinstance(value, str) else KEYWORD_SEPARATOR.join(value)

    return words


def with_sentences(mentions: pa.Table, papers: pa.Table) -> pa.Table:
    """Return mentions with the sentence of each in the column ``sentence``.

    Args:
        mentions: Columns paper, field, sentence_start, sentence_end; sorted by place, so that
            those of one sentence stand together, which is kept but once.
        papers: The table "papers" of `kg.tables`.

    Example:
        >>> papers = pa.table({"id": ["p"], "title": ["Ferns. Moss."]})
        >>> place = {"paper": ["p"], "field": ["title"], "sentence_start": [0], "sentence_end": [6]}
        >>> with_sentences(pa.table(place), papers)["sentence"].to_pylist()
        ['Ferns.']
    """
    paper, field = coded(mentions["paper"]), coded(mentions["field"])
    first, last = (mentions[name].to_numpy() for name in ("sentence_start", "sentence_end"))
    new = starts(paper.codes, field.codes, first, last)
    columns = (column[new].tolist() for column in (paper.codes, field.codes, first, last))
    places, words = zip(*columns, strict=True), words_of(papers)
    cut = [pa.array([], pa.string())]
    while some := list(islice(places, _CUT)):
        sentences = (words(paper.values[p], field.values[f])[a:b] for p, f, a, b in some)
        cut.append(pa.array(list(sentences), pa.string()))
    numbers = pa.array(np.cumsum(new) - 1, pa.int32())
    sentences = pa.DictionaryArray.from_arrays(numbers, pa.concat_arrays(cut))
    return mentions.append_column("sentence", sentences)
