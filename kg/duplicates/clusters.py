"""Records of one paper, found by pairs: chains are followed, unless they join what differs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TypeAlias

from kg.duplicates.rules import RULES, are_different, rule_of
from kg.duplicates.traits import Traits

Cluster: TypeAlias = dict[int, str]
"""The places of a paper's records, in order, by the rule that joined each; "" for the first."""

_SURE = RULES[:2]  # the DOI or the identifier is the same: nothing speaks against it
_MOST_FACES = 40  # of one cluster; a chain through more versions is no paper


def cluster(records: Sequence[Traits], pairs: Iterable[tuple[int, int]]) -> list[Cluster]:
    """Return the clusters of the records that are one paper, the same for all orders of pairs.

    The surest pairs are joined first. Two clusters are joined unless a record of one and a
    record of the other are of different papers, as far as their title, year, authors and DOIs
    tell.

    Args:
        records: What is compared of each record.
        pairs: The places of the records to compare.
    """
    forest = _Forest(records)
    found = ((rule_of(records[one], records[other]), one, other) for one, other in pairs)
    for rule, one, other in sorted(
        (pair for pair in found if pair[0]), key=lambda pair: (RULES.index(pair[0]), *pair[1:])
    ):
        forest.unite(one, other, rule)
    return forest.clusters()


class _Forest:
    """Disjoint sets of records, each with its faces: records that are not alike in all."""

    def __init__(self, records: Sequence[Traits]) -> None:
        self._records = records
        self._parent = list(range(len(records)))
        self._rule = [""] * len(records)
        self._faces: dict[int, dict[object, int]] = {}

    def unite(self, one: int, other: int, rule: str) -> None:
        first, second = sorted((self._root(one), self._root(other)))
        if first == second or (rule not in _SURE and self._differ(first, second)):
            return
        self._parent[second] = first
        self._rule[second] = rule
        faces = (self._faces_of(first) | self._faces_of(second)).items()
        self._faces[first] = dict(islice(faces, _MOST_FACES))
        self._faces.pop(second, None)

    def clusters(self) -> list[Cluster]:
        found: dict[int, Cluster] = {}
        for place in range(len(self._parent)):
            found.setdefault(self._root(place), {})[place] = self._rule[place]
        return list(found.values())

    def _root(self, place: int) -> int:
        while self._parent[place] != place:
            self._parent[place] = self._parent[self._parent[place]]
            place = self._parent[place]
        return place

    def _differ(self, first: int, second: int) -> bool:
        ones, others = self._faces_of(first), self._faces_of(second)
        if len(ones.keys() | others.keys()) > _MOST_FACES:
            return True
        return any(
            are_different(self._records[one], self._records[other])
            for one in ones.values()
            for other in others.values()
        )

    def _faces_of(self, root: int) -> dict[object, int]:
        record = self._records[root]
        face = (record.title, record.doi, record.people, record.year, record.text)
        return self._faces.get(root) or {face: root}
