"""The forms of each key: how often each is written, and which kinds papers say of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from kg.coding import Coded, Codes, Flags, coded, starts

KEYWORD = "keyword"
"""The kind of a phrase of which no more is known."""

_KEYWORD_VOTE = 0.05  # a keyword says nothing of the kind: only many of them outweigh one who does


class Written(NamedTuple):
    """A form of a concept, and how often papers write it: in all, and outside titles and lists."""

    text: str
    times: int
    in_text: int


class Vote(NamedTuple):
    """A kind that is said of a concept: the sum of the scores, and how many papers say so."""

    kind: str
    weight: float
    papers: int


class Groups:
    """The forms by the key of their concept; a row that comes twice counts once.

    Args:
        forms: Columns kind, score and field, as `kg.concepts.name_concepts` takes them.
        paper: The papers of the rows.
        text: Their texts.
        group: The place of each row's key, shape (n,); -1 where it has none.
        keys: How many keys there are.
    """

    def __init__(self, forms: pa.Table, paper: Coded, text: Coded, group: Codes, keys: int) -> None:
        self._texts = text.values
        kind, field = coded(forms["kind"]), coded(forms["field"])
        self._kinds = kind.values
        score = forms["score"].to_numpy()
        columns = group, paper.codes, text.codes, kind.codes, score, field.codes
        order = np.lexsort(columns[::-1])
        order = order[starts(*(column[order] for column in columns))]
        order = order[group[order] >= 0]
        in_text = np.array([value == "abstract" for value in field.values], np.bool_)
        self._count_forms(group[order], text.codes[order], in_text[field.codes[order]], keys)
        self._count_votes(group[order], kind.codes[order], score[order], paper.codes[order], keys)

    def _count_forms(self, group: Codes, text: Codes, in_text: Flags, keys: int) -> None:
        cells, cell = np.unique(group * len(self._texts) + text, return_inverse=True)
        groups, texts = np.divmod(cells, max(len(self._texts), 1))
        self._first = np.searchsorted(groups, np.arange(keys + 1)).tolist()
        times = np.bincount(cell), np.bincount(cell, weights=in_text).astype(np.int64)
        self._written = [column.tolist() for column in (texts, *times)]

    def _count_votes(
        self, group: Codes, kind: Codes, score: npt.NDArray[np.float64], paper: Codes, keys: int
    ) -> None:
        keyword = np.array([value == KEYWORD for value in self._kinds], np.bool_)[kind]
        cell, size = group * len(self._kinds) + kind, keys * len(self._kinds)
        weight = np.bincount(cell, np.where(keyword, score * _KEYWORD_VOTE, score), size)
        order = np.lexsort((paper, cell))
        first = order[starts(cell[order], paper[order])]
        papers = np.bincount(cell[first], minlength=size)
        self._votes = [column.reshape(keys, len(self._kinds)) for column in (weight, papers)]

    def forms(self, place: int) -> list[Written]:
        """Return the forms of a key, sorted."""
        rows = slice(self._first[place], self._first[place + 1])
        texts, *times = (column[rows] for column in self._written)
        return [Written(self._texts[t], n, m) for t, n, m in zip(texts, *times, strict=True)]

    def votes(self, place: int) -> list[Vote]:
        """Return the kinds that papers say of a key, sorted."""
        weight, papers = (column[place].tolist() for column in self._votes)
        return [Vote(k, w, n) for k, w, n in zip(self._kinds, weight, papers, strict=True) if n]

    def disputed(self) -> list[int]:
        """Return the places of the keys of which papers say different kinds, keywords aside."""
        named = [kind != KEYWORD for kind in self._kinds]
        _, papers = self._votes
        return np.flatnonzero((papers[:, named] > 0).sum(axis=1) > 1).tolist()
