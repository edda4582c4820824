"""Curated knowledge: well-known concepts with their names, and terms that are none.

The data files stand in ``extractors/knowledge``; they were written for this project.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_KNOWLEDGE = files("extractors") / "knowledge"


@dataclass(frozen=True, slots=True)
class Entry:
    """A curated concept.

    Args:
        label: The preferred name.
        kind: method, dataset, task or metric.
        abbreviations: Short forms.
        aliases: Other long names.
        broader: Label of the more general concept, empty where there is none.
        ambiguous: Whether a name of it also means something else, so that it needs a cue.
        word: Whether an everyday word spells its label but for the capitals: Adult, MATH.
        document_frequency: Abstracts, of 109,525, that name it.
    """

    label: str
    kind: str
    abbreviations: tuple[str, ...]
    aliases: tuple[str, ...]
    broader: str
    ambiguous: bool
    word: bool
    document_frequency: int

    @property
    def names(self) -> tuple[str, ...]:
        """All its names: label, aliases, abbreviations."""
        return (self.label, *self.aliases, *self.abbreviations)


@cache
def entries() -> tuple[Entry, ...]:
    """Return the curated concepts, the most frequent first.

    Example:
        >>> next(e.kind for e in entries() if e.label == "BERT")
        'method'
    """
    text = (_KNOWLEDGE / "concepts.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return tuple(
        Entry(
            label=row["label"],
            kind=row["kind"],
            abbreviations=_names(row["abbreviations"]),
            aliases=_names(row["aliases"]),
            broader=row["broader"],
            ambiguous=row["ambiguous"] in ("yes", "word"),
            word=row["ambiguous"] == "word",
            document_frequency=int(row["df_strict"]),
        )
        for row in rows
    )


@cache
def generic_terms() -> frozenset[str]:
    """Return the terms, lower-case, that are no concepts when they stand alone."""
    text = (_KNOWLEDGE / "generic.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if line)


def _names(cell: str) -> tuple[str, ...]:
    return tuple(name for part in cell.split("|") if (name := part.strip()))
