"""Names that a trained network recognises, held to the product's own conventions.

The rules know what is curated, proposed or cued; the network reads the rest of an abstract. Of
its spans those stay that name something by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Protocol

from extractors.encoder import encoder_version, shipped_encoder
from extractors.gazetteer import entries, generic_terms
from extractors.kinds import kind_of_words
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

FIELD = "abstract"
"""Titles in Title Case mislead a network, and what they name stands in the abstract, too."""

LONGEST = 5
"""Most words of a name; longer spans describe."""

Span = tuple[int, int, str, float]

_HEADS = METHOD_HEADS | DATASET_HEADS | TASK_HEADS | METRIC_HEADS
_DESCRIPTIVE = _HEADS | words(
    "mechanism criterion application setting scenario paradigm quality cost error rate guarantee"
    " methodology function policy assessment ability capability learner computation analysis"
    " approximation mapping metric feedback dynamic representation enhancement matrix"
)
_NAMED = re.compile(r"[A-Z\d]")


class Recogniser(Protocol):
    """A trained network that finds names of methods, tasks and data sets in a text."""

    @property
    def version(self) -> str:
        """Changes whenever its answers may change."""

    @property
    def least(self) -> Mapping[str, float]:
        """The confidence, 0..1, from which its word is taken, by kind; other kinds are not."""

    def predict(self, text: str) -> list[Span]:
        """Return start, end (code points, half-open), label and confidence, in order."""


class EncoderRecogniser:
    """The shipped encoder as a recogniser.

    Methods and tasks are what the head of SciREX calls so. For data sets the heads of TDMSci
    and SciREX are heard both, and their confidence is averaged: one alone takes every new
    capitalised name for a data set.

    Example:
        >>> found = EncoderRecogniser().predict("We train BERT on SQuAD.")  # doctest: +SKIP
    """

    least: Mapping[str, float] = {"method": 0.8, "task": 0.9, "dataset": 0.9}

    @property
    def version(self) -> str:
        """Version of the shipped weights."""
        return encoder_version()

    def predict(self, text: str) -> list[Span]:
        """Return start, end (code points, half-open), label and confidence, in order."""
        found = shipped_encoder().predict_all(text, ("scirex", "tdmsci"))
        others = {(start, end, label): score for start, end, label, score in found["scirex"]}
        datasets = [
            (start, end, label, (score + others.get((start, end, label), 0.0)) / 2)
            for start, end, label, score in found["tdmsci"]
            if label == "Dataset"
        ]
        named = [span for span in found["scirex"] if span[2] != "Dataset"]
        return sorted([*named, *datasets])


def recognised(reading: Reading, recogniser: Recogniser) -> Iterator[Mention]:
    """Yield the mentions that a network sees, sure or not, in order; they may overlap.

    Args:
        reading: One field of a text.
        recogniser: The network.
    """
    if reading.field != FIELD:
        return
    for start, end, label, score in recogniser.predict(reading.text):
        name = reading.text[start:end]
        kind = _kind(label.lower(), name)
        fits = _names_a_dataset if kind == "dataset" else _names_something
        called = reading.text[end : end + 1] == "("  # "Ber(1/2)" is a formula
        if kind in recogniser.least and fits(name) and not called:
            yield Mention(FIELD, start, end, kind, name, round(score, 6))


def _kind(seen: str, name: str) -> str:
    """Return the kind that the last word of a name tells; a network mixes methods and tasks up."""
    told = kind_of_words(name) if " " in name else None
    return told if told in ("method", "task") and seen in ("method", "task") else seen


def _names_something(name: str) -> bool:
    parts = name.lower().split()
    bare = singular(name).lower()
    return (
        len(name) > 1
        and len(parts) <= LONGEST
        and (len(parts) > 1 or _NAMED.search(name) is not None or "-" in name)
        and not name.endswith("-based")
        and any(map(str.isalpha, name))
        and name.count("(") == name.count(")")
        and parts[0] not in FUNCTION_WORDS
        and parts[0] not in PRAISE
        and singular(parts[-1]) not in _DESCRIPTIVE
        and singular(name) not in NOT_NAMES
        and bare not in NO_ENTITIES
        and bare not in generic_terms()
        and bare not in _curated()
    )


def _names_a_dataset(name: str) -> bool:
    """Tell whether a span is more than a description ("random test sets")."""
    return (
        _NAMED.search(name) is not None
        and any(map(str.isalpha, name))
        and name.count("(") == name.count(")")
        and name not in NOT_NAMES
    )


@cache
def _curated() -> frozenset[str]:
    """Curated names: whether one of these is meant, the rules know better."""
    return frozenset(singular(name).lower() for entry in entries() for name in entry.names)
