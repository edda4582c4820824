"""All that can be measured of predictions, in one report."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from kg.errors import InputError, OptionError
from kg.evaluation.documents import Aligned, Document, align
from kg.evaluation.labels import harmonise, labels_of
from kg.evaluation.pairs import PairScores, score_abbreviations
from kg.evaluation.phrases import KeyphraseScores, score_keyphrases
from kg.evaluation.roles import RoleScores, score_roles
from kg.evaluation.spans import SpanScores, score_spans

_HAS: dict[str, Callable[[Document], bool]] = {
    "entities": lambda document: document.entities is not None,
    "roles": lambda document: any(span.role for span in document.spans),
    "keyphrases": lambda document: document.keyphrases is not None,
    "abbreviations": lambda document: document.abbreviations is not None,
}
TASKS = tuple(_HAS)
"""What can be measured."""


@dataclass(frozen=True, slots=True)
class Report:
    """Scores by task, None where a task was not measured.

    Args:
        documents: Annotated texts.
        predicted: How many of them have a prediction.
        unknown: Ids of predictions that are of no annotated text, and do not count.
        not_annotated: Labels that are predicted and that the gold does not have.
        not_predicted: Labels of the gold that are never predicted.
        entities: Scores of entities.
        roles: Scores of roles.
        keyphrases: Scores of key phrases.
        abbreviations: Scores of abbreviations.
    """

    documents: int
    predicted: int
    unknown: tuple[str, ...] = ()
    not_annotated: tuple[str, ...] = ()
    not_predicted: tuple[str, ...] = ()
    entities: SpanScores | None = None
    roles: RoleScores | None = None
    keyphrases: KeyphraseScores | None = None
    abbreviations: PairScores | None = None


def evaluate(
    gold: Iterable[Document],
    predicted: Iterable[Document],
    *,
    tasks: Collection[str] = (),
    labels: Collection[str] = (),
    renamed: Mapping[str, str] | None = None,
) -> Report:
    """Score predictions against annotated texts.

    Args:
        gold: Annotated texts.
        predicted: What was found in them, matched by id; a text without a prediction counts as
            one in which nothing was found.
        tasks: Which of `TASKS` to measure; none named: those that both sides have.
        labels: The labels of entities that count; none named: all. Case is no matter.
        renamed: Label in the gold -> label that it counts as.

    Raises:
        OptionError: If there is no such task.
        UnknownNameError: If neither side has a label that is named.
        InputError: If gold or predictions have nothing for a task, or differ in a text.

    Example:
        >>> from kg.evaluation import Entity
        >>> gold = [Document("a", "We use BERT.", entities=(Entity(7, 11, "Method"),))]
        >>> evaluate(gold, gold).entities.exact["Method"].rates.f1
        1.0
    """
    texts, found = harmonise(list(gold), list(predicted), labels, renamed)
    measured = _choose(tasks, texts, found)
    by_id = {document.id: document for document in found}
    if not measured.isdisjoint(("entities", "roles")):
        _check_texts(texts, by_id)
    ids = {document.id for document in texts}

    def annotated(task: str) -> list[Aligned]:
        return list(align(filter(_HAS[task], texts), by_id))

    return Report(
        documents=len(texts),
        predicted=len(ids & set(by_id)),
        unknown=tuple(sorted(set(by_id) - ids)),
        not_annotated=tuple(sorted(labels_of(found) - labels_of(texts))),
        not_predicted=tuple(sorted(labels_of(texts) - labels_of(found))),
        entities=score_spans(annotated("entities")) if "entities" in measured else None,
        roles=score_roles(annotated("entities")) if "roles" in measured else None,
        keyphrases=score_keyphrases(annotated("keyphrases")) if "keyphrases" in measured else None,
        abbreviations=(
            score_abbreviations(annotated("abbreviations")) if "abbreviations" in measured else None
        ),
    )


def _choose(
    tasks: Collection[str], gold: Collection[Document], predicted: Collection[Document]
) -> set[str]:
    """Return the tasks to measure."""
    here, there = (
        {task for task in TASKS if any(map(_HAS[task], side))} for side in (gold, predicted)
    )
    for task in tasks:
        if task not in TASKS:
            raise OptionError(f"no task named {task!r}; tasks are {', '.join(TASKS)}")
        for name, has in (("gold", here), ("predictions", there)):
            if task not in has:
                raise InputError(f"no {task} in the {name}, which have {_listed(has)}")
    if not here & there:
        raise InputError(
            f"nothing to compare: the gold has {_listed(here)}, the predictions {_listed(there)}"
        )
    return set(tasks) or here & there


def _listed(tasks: Collection[str]) -> str:
    return ", ".join(task for task in TASKS if task in tasks) or "no annotation"


def _check_texts(gold: Iterable[Document], predicted: Mapping[str, Document]) -> None:
    """Refuse offsets that were counted in other texts, such as cleaned ones."""
    for document, found in align(gold, predicted):
        if found.text and found.text.rstrip() != document.text.rstrip():
            raise InputError(
                f"the predictions for {document.id!r} are of another text than the gold's, so that "
                "no offset fits; kg extract takes a text as it is with --no-clean"
            )
