"""Why a name stands for the concept for which it stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pyarrow as pa

from kg.concepts import KindVote, Merge
from kg.curated import name_key
from kg.errors import UnknownNameError
from kg.model import Concept
from kg.names import RULES


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a name stands for a concept, and what else does.

    Args:
        name: The name that was asked.
        concept: Its concept; None where the thesaurus leaves the name out.
        meanings: What the name means in the papers and by which rule, the most usual first.
        forms: Why each other form stands for the concept.
        kinds: The kinds that papers say of the concept, where they differ; the first one won.
    """

    name: str
    concept: Concept | None
    meanings: tuple[Merge, ...]
    forms: tuple[Merge, ...]
    kinds: tuple[KindVote, ...]


def reason(merge: Merge) -> str:
    """Return in words why a form stands for its concept.

    Example:
        >>> reason(Merge("GNN", "graph neural network", "curated", "graph neural network", 3))
        "the curated list has it under 'graph neural network'"
    """
    return RULES.get(merge.rule, merge.rule).format(via=repr(merge.via))


def explain(name: str, concept: Concept | None, tables: Mapping[str, pa.Table]) -> Explanation:
    """Return why a name stands for a concept, from the tables of a graph.

    Args:
        name: A name as a person writes it; case, hyphens and plural do not matter.
        concept: The concept that goes by that name, if there is one.
        tables: The graph's tables by name.

    Raises:
        UnknownNameError: If no paper writes the name and no concept has it.
    """
    merges = [Merge(**row) for row in tables["merges"].to_pylist()]
    key = name_key(name).casefold()
    asked = [merge for merge in merges if name_key(merge.form).casefold() == key]
    if concept is None and not asked:
        raise UnknownNameError("concept", name, {merge.form for merge in merges})
    of_concept = [m for m in merges if concept and m.concept == concept.id and m not in asked]
    votes = (KindVote(**row) for row in tables["kinds"].to_pylist())
    return Explanation(
        name=name,
        concept=concept,
        meanings=_by_support(asked),
        forms=_by_support(of_concept),
        kinds=tuple(vote for vote in votes if concept and vote.concept == concept.id),
    )


def _by_support(merges: Iterable[Merge]) -> tuple[Merge, ...]:
    return tuple(sorted(merges, key=lambda m: (-m.support, m.form, m.concept, m.rule, m.via)))
