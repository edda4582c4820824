"""Which records are worth comparing: those with a key in common, a few neighbours each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from kg.duplicates.traits import Traits

_WINDOW = 10  # neighbours that a record is compared with under one key
_SKETCH = 8  # smallest shingles of an abstract


def candidates(records: Sequence[Traits]) -> Iterator[tuple[int, int]]:
    """Yield pairs of places, the smaller first, each once, of records that may be one paper.

    They have the DOI, the id, the title, the abstract or one of the smallest shingles of the
    abstract in common (a bottom-k sketch, Broder 1997: two abstracts that share half of their
    shingles are missed once in 256 times). Where many have, each is compared with its
    neighbours by title (Hernández and Stolfo 1995), so that the time grows with the records.

    Args:
        records: What is compared of each record.
    """
    seen: set[tuple[int, int]] = set()
    for block in (*_by_key(records), *_by_sketch(records)):
        if len(block) > _WINDOW:
            block = sorted(block, key=lambda place: (records[place].title, place))
        for position, place in enumerate(block):
            for neighbour in block[max(0, position - _WINDOW) : position]:
                pair = (min(place, neighbour), max(place, neighbour))
                if pair not in seen:
                    seen.add(pair)
                    yield pair


def _by_key(records: Sequence[Traits]) -> Iterator[list[int]]:
    for name in ("doi", "arxiv", "id", "title", "text"):
        blocks: dict[str, list[int]] = defaultdict(list)
        for place, record in enumerate(records):
            if value := getattr(record, name):
                blocks[value].append(place)
        yield from (block for block in blocks.values() if len(block) > 1)


def _by_sketch(records: Sequence[Traits]) -> Iterator[list[int]]:
    if not records:
        return
    sketches = [record.shingles[:_SKETCH] for record in records]
    keys = np.concatenate(sketches)
    places = np.repeat(np.arange(len(records)), [len(sketch) for sketch in sketches])
    order = np.argsort(keys, kind="stable")
    _, starts, sizes = np.unique(keys[order], return_index=True, return_counts=True)
    for start, size in zip(starts[sizes > 1], sizes[sizes > 1], strict=True):
        yield places[order[start : start + size]].tolist()
