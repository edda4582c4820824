"""What the sentence of one mention says of its role: the nearest cue in the clause decides.

Cues are looked for right behind the mention, then before it in its clause. A preposition
reaches to the next comma at most, a verb over the whole clause, and the names of a list share
the cue of the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from extractors.mention import Mention
from extractors.role_cues import (
    CLAUSE,
    CUE,
    FINDING,
    FIRST_PERSON,
    FOR_COMPARISON,
    IN_LIST,
    IN_PROPOSAL,
    IN_SUBJECT,
    IS_USED,
    NOT_THESE,
    OTHERS,
    PLAIN_COMPARISON,
    RESULT,
    TITLE_CUES,
    USED_PART,
)

_REACH, _REACH_OF_LIST, _SHORT_REACH = 9, 20, 6
"""In words: of a verb, of a verb whose objects are listed, of a preposition."""

_NEAR = 2
SURE, LIKELY, GUESS = 3.0, 2.0, 1.0


@dataclass(frozen=True, slots=True)
class Place:
    """A mention with the sentence that holds it.

    Args:
        mention: In the title or the abstract.
        sentence: First code point of its sentence and the one after the last.
        words: Its sentence.
        before: The sentence up to the mention, or to the list of names it stands in.
        after: The sentence from the mention's end.
        own: Whether the sentence speaks of the paper's own work.
        names_own: Whether the paper's own proposal stands before it in the sentence.
    """

    mention: Mention
    sentence: tuple[int, int]
    words: str
    before: str
    after: str
    own: bool
    names_own: bool


@dataclass(frozen=True, slots=True)
class Vote:
    """A role that a sentence speaks for.

    Args:
        role: One of `extractors.mention.ROLES`.
        weight: How clearly it does: `SURE`, `LIKELY` or `GUESS`.
    """

    role: str
    weight: float


@lru_cache(maxsize=64)
def speaks_of_others(sentence: str) -> bool:
    """Tell whether a sentence is an aside on the work of others.

    Example:
        >>> speaks_of_others("Existing methods fail."), speaks_of_others("We show that most fail.")
        (True, False)
    """
    return OTHERS.search(sentence) is not None and FIRST_PERSON.search(sentence) is None


@lru_cache(maxsize=64)
def _tells_result(sentence: str) -> bool:
    return RESULT.search(sentence) is not None


def vote(place: Place, *, makes: bool) -> Vote:
    """Return the role that a mention's own sentence speaks for.

    Args:
        place: The mention and its sentence.
        makes: Whether the paper brings a method of its own, be it without a name.
    """
    if place.mention.field == "title":
        return Vote(_in_title(place), LIKELY)
    if not place.own:
        return Vote("mentions", GUESS)
    found = _by_cue(place)
    if found is None:
        return _by_default(place, makes=makes)
    return _of_method(found, place, makes=makes) if place.mention.kind == "method" else found


def _in_title(place: Place) -> str:
    cue = TITLE_CUES.search(place.before)
    role = cue.lastgroup if cue and cue.lastgroup else "studies"
    if place.mention.kind in ("task", "metric") and role == "uses":
        return "studies"
    if place.mention.kind == "dataset" and cue and cue[0].lower().startswith("on"):
        return "evaluates_on"
    if place.mention.kind == "method" and cue is None and place.names_own:
        return "uses"
    return role


def _by_cue(place: Place) -> Vote | None:
    cue = _nearest_cue(place.before)
    if USED_PART.match(place.after):
        others = NOT_THESE.search(place.before) or (cue and cue.role == "compares_with")
        return _fitting(Vote("compares_with" if others else "uses", LIKELY), place)
    if IS_USED.match(place.after):
        return _fitting(Vote("uses", SURE), place)
    if place.mention.kind == "method" and FOR_COMPARISON.match(place.after):
        return Vote("compares_with", SURE)
    if place.mention.kind == "method" and IN_PROPOSAL.search(place.before):
        return Vote("uses", SURE)
    if cue is None or (place.mention.kind == "dataset" and cue == Vote("studies", GUESS)):
        return None
    return _fitting(cue, place)


def _nearest_cue(before: str) -> Vote | None:
    clause = before[max((m.end() for m in CLAUSE.finditer(before)), default=0) :]
    last = None
    reach = _REACH_OF_LIST if IN_LIST.search(clause) else _REACH
    for match in reversed(list(CUE.finditer(clause))):
        between = clause[match.end() :]
        role, _, strength = (match.lastgroup or "").partition("__")
        apart = "," in between.rstrip(" ,(") or " as well as " in between
        distance = len(between.split())
        if distance > reach:
            break
        purpose = clause[: match.start()].endswith("to ")
        if (apart and (strength or purpose)) or (strength and distance > _SHORT_REACH):
            continue
        if strength != "last":
            return Vote(role, _weight(strength, distance))
        last = last or Vote(role, GUESS)
    return last


def _weight(strength: str, distance: int) -> float:
    if strength:
        return GUESS
    return SURE if distance <= _NEAR else LIKELY


def _fitting(vote: Vote, place: Place) -> Vote:
    """Correct a cue's role to what can be done with a concept of this kind."""
    return Vote(_fitting_role(vote.role, place), vote.weight)


def _fitting_role(role: str, place: Place) -> str:
    kind = place.mention.kind
    result = _tells_result(place.words)
    if kind == "dataset" and (role in ("studies", "compares_with") or (role == "uses" and result)):
        return "evaluates_on"
    if kind == "method" and role == "evaluates_on":
        return "studies"
    if kind == "task" and role != "studies":
        return "studies" if role == "uses" else "evaluates_on"
    if kind == "metric":
        return "uses" if role in ("uses", "evaluates_on") else "mentions"
    return role


def _of_method(vote: Vote, place: Place, *, makes: bool) -> Vote:
    """Correct a cue's role by what the paper as a whole does.

    What a proposing sentence says of its proposal is used in it; a paper that makes nothing
    studies what it trains, applies and sets side by side.
    """
    found = FINDING.search(place.before) is not None
    if makes and vote.weight == GUESS and vote.role == "studies" and place.names_own:
        return Vote("uses", GUESS)
    if not makes and vote.role == "uses" and (vote.weight == GUESS or found):
        return Vote("studies", GUESS)
    if not makes and vote.role == "compares_with" and not PLAIN_COMPARISON.search(place.before):
        return Vote("studies", GUESS)
    return vote


def _by_default(place: Place, *, makes: bool) -> Vote:
    kind, result = place.mention.kind, _tells_result(place.words)
    if kind == "dataset":
        return Vote("evaluates_on" if result else "uses", GUESS)
    if kind == "metric" and result:
        return Vote("uses", GUESS)
    if kind != "method":
        return Vote("mentions", GUESS)
    if not makes:
        return Vote("studies", GUESS)
    if place.names_own:
        return Vote("uses", SURE)
    if result and IN_SUBJECT.match(place.after):
        return Vote("compares_with", GUESS)
    return Vote("uses", GUESS)
