"""What papers use together with a concept: the data sets of a method, the methods of a data set."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from extractors.mention import ROLES
from kg.hierarchy import with_broader
from kg.model import Concept, Evidence, Paper
from kg.query import Catalog
from kg.ties import strength

WORKING = tuple(role for role in ROLES if role != "mentions")
"""Roles of a paper that works with a concept, not only names it."""


@dataclass(frozen=True, slots=True)
class Use:
    """A paper that works with two concepts, and where it says so.

    Args:
        paper: The paper.
        here: Where it names the concept that was asked about, or a narrower one.
        there: Where it names the other.
    """

    paper: Paper
    here: Evidence
    there: Evidence


@dataclass(frozen=True, slots=True, repr=False)
class UsedWith:
    """A concept that papers use together with the one that was asked about.

    Args:
        concept: The other concept.
        because: The papers that work with both, those that say it most clearly first.
    """

    concept: Concept
    because: tuple[Use, ...]

    @property
    def papers(self) -> int:
        """How many papers work with both."""
        return len(self.because)

    def __repr__(self) -> str:
        return f"UsedWith({self.concept.label!r}, papers={self.papers})"


def find_used_with(catalog: Catalog, concepts: Iterable[str], kind: str | None) -> list[UsedWith]:
    """Return the concepts that papers use together with one, those of most papers first.

    A paper counts that works with both: it proposes, uses, studies, compares with or evaluates
    on them; a mention is not enough. Of as many papers, what they say more clearly comes first.
    More general and narrower concepts are no answers, as they come with the concept anyway.

    Args:
        catalog: The graph's records.
        concepts: Ids of the concept that is asked about and, where they count, its narrower ones.
        kind: Only concepts of this kind.
    """
    asked = set(concepts)
    kin = {above for one in asked for above, _ in with_broader(one, catalog.broader)}
    kin |= {below for one in asked for below in catalog.with_narrower(one)}
    wanted = {concept.id for concept in catalog.of_kind(kind)} - kin
    found: dict[str, list[Use]] = defaultdict(list)
    for paper, edges in catalog.edges_of_paper.items():
        working = [edge for edge in edges if edge.role in WORKING]
        here = next((edge for edge in working if edge.concept in asked), None)
        for there in working if here else ():
            if here and there.concept in wanted:
                found[there.concept].append(Use(catalog.papers[paper], here, there))
    answers = [
        UsedWith(
            catalog.concepts[concept],
            tuple(sorted(uses, key=lambda use: (-_clarity(use), use.paper.id))),
        )
        for concept, uses in found.items()
    ]
    return sorted(answers, key=_rank)


def _clarity(use: Use) -> float:
    """Return how clearly a paper says that it works with both concepts, 0..1."""
    return round(strength(use.here) * strength(use.there), 6)


def _rank(answer: UsedWith) -> tuple[int, float, str]:
    clarity = sum(map(_clarity, answer.because))
    return -answer.papers, -round(clarity, 6), answer.concept.id
