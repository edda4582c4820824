"""Names that the encoder recognises, held to the product's own conventions.

The rules know what is curated, proposed or cued; the encoder reads the rest of an abstract. Of
its spans those stay that it is sure of and that name something by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from extractors.encoder import shipped_encoder
from extractors.gazetteer import entries, generic_terms
from extractors.matcher import singular
from extractors.mention import Mention
from extractors.reading import Reading
from extractors.words import (
    DATASET_HEADS,
    FUNCTION_WORDS,
    METHOD_HEADS,
    METRIC_HEADS,
    NO_ENTITIES,
    NOT_NAMES,
    PRAISE,
    TASK_HEADS,
    words,
)

SCHEME = "scirex"
FIELD = "abstract"
"""Titles in Title Case mislead it, and what they name stands in the abstract, too."""

KINDS = frozenset({"method", "dataset", "task"})
"""Kinds on which its word is taken; what it calls a metric is one in every third case."""

LEAST = 0.93
"""Least confidence; of spans this sure 70 % are exact on SciER, of all from 0.8 on 63 %. A wrong
concept in a graph costs a reader more than a missing one."""

LONGEST = 5
"""Most words of a name; longer spans describe."""

_TRUST = 0.8  # a rule that speaks counts for more than the encoder
_HEADS = METHOD_HEADS | DATASET_HEADS | TASK_HEADS | METRIC_HEADS
_DESCRIPTIVE = _HEADS | words(
    "mechanism criterion application setting scenario paradigm quality cost error rate guarantee"
    " methodology function policy assessment ability capability learner computation analysis"
    " approximation mapping metric feedback dynamic representation enhancement matrix"
)


def recognised(reading: Reading) -> Iterator[Mention]:
    """Yield the mentions that the encoder is sure of, in order.

    Args:
        reading: One field of a text.
    """
    if reading.field != FIELD:
        return
    for start, end, label, score in shipped_encoder().predict(reading.text, SCHEME):
        name = reading.text[start:end]
        if score >= LEAST and label.lower() in KINDS and _names_something(name):
            yield Mention(FIELD, start, end, label.lower(), name, round(score * _TRUST, 6))


def _names_something(name: str) -> bool:
    parts = name.lower().split()
    bare = singular(name).lower()
    return (
        len(name) > 1
        and len(parts) <= LONGEST
        and any(map(str.isalpha, name))
        and name.count("(") == name.count(")")
        and parts[0] not in FUNCTION_WORDS | PRAISE
        and singular(parts[-1]) not in _DESCRIPTIVE
        and singular(name) not in NOT_NAMES
        and bare not in NO_ENTITIES | generic_terms() | _curated()
    )


@cache
def _curated() -> frozenset[str]:
    """Curated names: whether one of these is meant, the rules know better."""
    return frozenset(singular(name).lower() for entry in entries() for name in entry.names)
