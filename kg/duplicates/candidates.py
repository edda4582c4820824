"""Which records are worth comparing: those with a key in common, a few neighbours each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from kg.duplicates.traits import NAMES, SHINGLE, Traits

Numbers: TypeAlias = npt.NDArray[Any]

_WINDOW = 10  # neighbours that a record is compared with under one key
_SURE = ("doi", "arxiv", "id")  # in common, other authors make no two papers of them
_ALIKE = ("title", "text")


def candidates(records: Sequence[Traits]) -> list[tuple[int, int]]:
    """Return pairs of places, the smaller first, each once, of records that may be one paper.

    They have the DOI, the id, the title, the abstract or a shingle of the abstract's sketch in
    common. Where many have, each is compared with its neighbours by title (Hernández and Stolfo
    1995), so that the time grows with the records. Those without a common author are left out,
    unless the DOI or the id is the same.

    Args:
        records: What is compared of each record.
    """
    by_title = sorted(range(len(records)), key=lambda place: records[place].title)
    rank = np.empty(len(records), dtype=np.int64)
    rank[by_title] = np.arange(len(records))
    sure = [_neighbours(*_by_key(records, name), rank) for name in _SURE]
    alike = [_neighbours(*_by_key(records, name), rank) for name in _ALIKE]
    alike.append(_neighbours(*_by_sketch(records), rank))
    pairs = np.unique(np.concatenate([*sure, _with_common_author(np.concatenate(alike), records)]))
    one, other = np.divmod(pairs, max(len(records), 1))
    return list(zip(one.tolist(), other.tolist(), strict=True))


def _by_key(records: Sequence[Traits], name: str) -> tuple[Numbers, Numbers]:
    """Return a number for each value of a trait that is not empty, and the places with it."""
    values = [getattr(record, name) for record in records]
    numbers: dict[str | bytes, int] = {}
    keys = [numbers.setdefault(value, len(numbers)) for value in values if value]
    places = [place for place, value in enumerate(values) if value]
    return np.array(keys, dtype=np.int64), np.array(places, dtype=np.int64)


def _by_sketch(records: Sequence[Traits]) -> tuple[Numbers, Numbers]:
    """Return all shingles of the sketches, and the place of each."""
    sketches = [record.sketch for record in records]
    sizes = [len(sketch) // SHINGLE.itemsize for sketch in sketches]
    return np.frombuffer(b"".join(sketches), SHINGLE), np.repeat(np.arange(len(records)), sizes)


def _neighbours(keys: Numbers, places: Numbers, rank: Numbers) -> Numbers:
    """Return the pairs of places under one key that are near by rank, each as one number."""
    order = np.lexsort((rank[places], keys))
    keys, places = keys[order], places[order]
    pairs = [np.empty(0, dtype=np.int64)]
    for distance in range(1, _WINDOW + 1):
        same = np.flatnonzero(keys[distance:] == keys[:-distance])
        one, other = places[same], places[same + distance]
        pairs.append(np.minimum(one, other) * len(rank) + np.maximum(one, other))
    return np.concatenate(pairs)


def _with_common_author(pairs: Numbers, records: Sequence[Traits]) -> Numbers:
    """Return the pairs that may have an author in common, and those whose authors are unknown."""
    names: Numbers = np.frombuffer(b"".join(record.names for record in records), NAMES)
    unknown: Numbers = np.logical_not(names.any(axis=1))
    one, other = np.divmod(pairs, max(len(records), 1))
    common = (names[one] & names[other]).any(axis=1)
    found: Numbers = pairs[common | unknown[one] | unknown[other]]
    return found
