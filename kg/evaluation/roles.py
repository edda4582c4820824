"""Roles: what a paper does with each concept, right or wrong.

A concept is all spans that share a concept name, or else a long form, or else their words. A
predicted concept is that of the gold which has one of its names (stemmed lower-case words).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from extractors.mention import ROLES
from kg.evaluation.counts import Counts
from kg.evaluation.documents import Aligned, Document, Entity, Pair
from kg.evaluation.phrases import stem_phrase
from kg.evaluation.spans import not_ignored, within


@dataclass(frozen=True, slots=True)
class RoleScores:
    """How well roles were told.

    Args:
        documents: How many were annotated.
        concepts: Concepts of the gold that have a role and are not to be ignored.
        matched: Those of them that were found.
        right: Those of the found that were given the gold's role.
        roles: Role -> counts of concepts with it, strongest role first. A found concept that
            is none of the gold counts where its label is one that has roles in the gold.
    """

    documents: int
    concepts: int
    matched: int
    right: int
    roles: Mapping[str, Counts]

    @property
    def accuracy(self) -> float:
        """Return the share of the matched concepts whose role is right, 0..1."""
        return self.right / self.matched if self.matched else 0.0


@dataclass(slots=True)
class _Concept:
    names: set[str] = field(default_factory=set)
    labels: set[str] = field(default_factory=set)
    roles: set[str] = field(default_factory=set)

    @property
    def role(self) -> str:
        return min(self.roles, key=ROLES.index, default="")

    def add(self, other: _Concept) -> None:
        self.names |= other.names
        self.labels |= other.labels
        self.roles |= other.roles


def score_roles(documents: Collection[Aligned]) -> RoleScores:
    """Return how often the role of a concept is told right; the strongest one of a text counts.

    Concepts of the gold without a role, and ignored ones, are neither right nor wrong. A
    prediction without a role says "mentions".

    Args:
        documents: Each annotated with entities, some of which have a role.
    """
    with_roles = {s.label for d, _ in documents for s in (*d.spans, *d.ignored) if s.role}
    outcomes = Counter(
        outcome
        for gold, predicted in documents
        for outcome in _outcomes(gold, predicted, with_roles)
    )
    matched = Counter({pair: n for pair, n in outcomes.items() if all(pair)})
    return RoleScores(
        documents=len(documents),
        concepts=sum(n for (wanted, _), n in outcomes.items() if wanted),
        matched=matched.total(),
        right=sum(matched[role, role] for role in ROLES),
        roles={role: _counts(role, outcomes) for role in ROLES},
    )


def _counts(role: str, outcomes: Counter[tuple[str, str]]) -> Counts:
    return Counts(
        right=outcomes[role, role],
        found=sum(n for (_, found), n in outcomes.items() if found == role),
        wanted=sum(n for (wanted, _), n in outcomes.items() if wanted == role),
    )


def _outcomes(
    gold: Document, predicted: Document, with_roles: set[str]
) -> Iterator[tuple[str, str]]:
    """Yield the wanted and the found role of each concept, empty where there is none."""
    pairs = gold.abbreviations or ()
    concepts = _concepts(gold, gold.spans, pairs)
    owned = _concepts(gold, (*gold.spans, *gold.ignored), pairs)
    found = _found(gold, predicted, owned)
    for key, concept in concepts.items():
        if concept.role:
            yield concept.role, found[key].role if key in found else ""
    for key, concept in found.items():
        if key not in owned and concept.labels & with_roles:
            yield "", concept.role


def _concepts(
    document: Document, spans: Iterable[Entity], pairs: Iterable[Pair]
) -> dict[str, _Concept]:
    long_forms = {stem_phrase(short): stem_phrase(long) for short, long in pairs}
    concepts: dict[str, _Concept] = defaultdict(_Concept)
    for span in spans:
        words = stem_phrase(document.words(span))
        key = stem_phrase(span.concept) or long_forms.get(words, words)
        concepts[key].add(_Concept({key, words}, {span.label}, {span.role} - {""}))
    return concepts


def _found(
    gold: Document, predicted: Document, owned: Mapping[str, _Concept]
) -> dict[str, _Concept]:
    """Return the predicted concepts by the key of that of the gold, or else by their own."""
    owner = {name: key for key in sorted(owned, reverse=True) for name in owned[key].names}
    spans = not_ignored(gold, within(gold, predicted))
    told = {replace(span, role=span.role or "mentions") for span in spans}
    found: dict[str, _Concept] = defaultdict(_Concept)
    for key, concept in _concepts(gold, told, predicted.abbreviations or ()).items():
        known = [owner[name] for name in sorted(concept.names) if name in owner]
        found[known[0] if known else key].add(concept)
    return found
