"""How common words and phrases are in scientific abstracts: constants of the package."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

UNSEEN = 4
"""Abstracts that a phrase missing from the table is taken to stand in."""


@dataclass(frozen=True, slots=True)
class Frequencies:
    """Counts over the abstracts of a large corpus, by the stems of a phrase.

    Args:
        documents: Number of abstracts.
        lists: Number of lists of authors' keywords.
        in_documents: Abstracts that hold the phrase.
        in_lists: Lists of keywords that hold it.
    """

    documents: int
    lists: int
    in_documents: Mapping[str, int]
    in_lists: Mapping[str, int]

    def idf(self, key: str) -> float:
        """Return the inverse document frequency of a stemmed word or phrase, in nats, ≥ 0.

        Example:
            >>> round(Frequencies(100, 0, {"graph": 9}, {}).idf("graph"), 3)
            2.303
        """
        return math.log(max(1.0, self.documents / (self.in_documents.get(key, UNSEEN) + 1)))

    def preference(self, key: str) -> float:
        """Return how much more often authors choose a phrase than it occurs, as a log ratio.

        Example:
            >>> frequencies = Frequencies(100, 10, {"graph": 40, "show": 40}, {"graph": 8})
            >>> frequencies.preference("graph") > frequencies.preference("show")
            True
        """
        expected = self.in_documents.get(key, 0) * self.lists / self.documents
        return math.log((self.in_lists.get(key, 0) + 0.05) / (expected + 3))


def read_table(table: str) -> Frequencies:
    r"""Return the counts of a table that `extractors.training.frequencies` wrote.

    Example:
        >>> read_table("\t100\t10\ngraph\t9\t2\n").in_lists
        {'graph': 2}
    """
    rows = [line.split("\t") for line in table.splitlines()]
    _, documents, lists = rows[0]
    return Frequencies(
        documents=int(documents),
        lists=int(lists),
        in_documents={key: int(count) for key, count, _ in rows[1:]},
        in_lists={key: int(chosen) for key, _, chosen in rows[1:] if chosen != "0"},
    )
