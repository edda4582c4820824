"""What a paper does with a concept, read off the sentence that mentions it.

The proposed names are known (`extractors.proposals`). For every other mention the cue that
stands nearest before it in its clause decides, where the sentence speaks of the paper's own
work; a sentence about the work of others only mentions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from extractors.matcher import singular
from extractors.mention import Abbreviation, Mention, Role, Text
from extractors.proposals import Proposal, find_proposals
from extractors.reading import read
from extractors.role_cues import (
    BUILT_UPON,
    CLAUSE,
    CUE,
    FIRST_PERSON,
    FOR_COMPARISON,
    IN_SUBJECT,
    IS_USED,
    MAKES,
    OTHERS,
    OWN,
    PLAIN_COMPARISON,
    RESULT,
    TITLE_CUES,
    USED_PART,
)

_REACH = 9
_OFTEN = 3


@dataclass(frozen=True, slots=True)
class _Place:
    """A mention with the sentence that holds it."""

    mention: Mention
    sentence: tuple[int, int]
    before: str
    after: str

    @property
    def whole(self) -> str:
        return f"{self.before}{self.mention.text}{self.after}"


_ROLES_OF_KEYWORDS = ("proposes", "studies")
"""A phrase of which no kind is known is a subject; nobody knows whether one can use it."""


def assign_roles(
    text: Text, mentions: Sequence[Mention], abbreviations: Sequence[Abbreviation]
) -> tuple[Role, ...]:
    """Return one role a mention, with the sentence that shows it.

    Args:
        text: The text that the mentions come from.
        mentions: Mentions in its title and abstract; those of other fields are passed over.
        abbreviations: Definitions in it; the two forms of one count as one concept.

    Example:
        >>> text = Text("We propose FooNet, a network based on BERT.")
        >>> found = [Mention("abstract", 38, 42, "method", "BERT", 1.0)]
        >>> [role.role for role in assign_roles(text, found, ())]
        ['uses']
    """
    placed = [_place(text, m) for m in mentions if m.field in ("title", "abstract")]
    longs = {singular(p.short): singular(p.long).casefold() for p in abbreviations}
    proposals = find_proposals(text.title, text.abstract)
    paper = _Paper(
        proposed={(p.field, p.start, p.end): p.score for p in proposals},
        own=frozenset(_concept(text.field(p.field)[p.start : p.end], longs) for p in proposals),
        central=_central(mentions, longs),
        begins=_own_work_begins(text, proposals),
        makes=any(p.kind == "method" for p in proposals)
        or (not proposals and MAKES.search(text.abstract) is not None),
    )
    roles = []
    for place in placed:
        m = place.mention
        role, score = _role(place, paper, _concept(m.text, longs))
        if m.kind == "keyword" and role not in _ROLES_OF_KEYWORDS:
            role = "mentions"
        roles.append(Role(m.field, m.start, m.end, role, score, *place.sentence))
    return tuple(sorted(roles))


@dataclass(frozen=True, slots=True)
class _Paper:
    """What a text as a whole tells: what it proposes, what it is about, where it comes to it.

    ``begins`` is the first code point of the abstract's first sentence on its own work, and
    ``makes`` says whether it brings a method of its own, be it without a name.
    """

    proposed: dict[tuple[str, int, int], float]
    own: frozenset[str]
    central: frozenset[str]
    begins: int
    makes: bool


def _own_work_begins(text: Text, proposals: Sequence[Proposal]) -> int:
    places = [p.start for p in proposals if p.field == "abstract"]
    for start, end in read(text.abstract, "abstract").sentences:
        if OWN.search(text.abstract, start, end) or any(start <= p < end for p in places):
            return start
    return len(text.abstract)


def _place(text: Text, mention: Mention) -> _Place:
    reading = read(text.field(mention.field), mention.field)
    start, end = reading.sentence_of(mention.start, mention.end)
    before, after = reading.text[start : mention.start], reading.text[mention.end : end]
    return _Place(mention, (start, end), before, after)


def _concept(name: str, longs: dict[str, str]) -> str:
    one = singular(name)
    return longs.get(one, one.casefold())


def _central(mentions: Sequence[Mention], longs: dict[str, str]) -> frozenset[str]:
    """Return the concepts that a text is about: in its title, or named often."""
    counts = Counter(_concept(m.text, longs) for m in mentions)
    titled = {_concept(m.text, longs) for m in mentions if m.field == "title"}
    return frozenset(titled | {concept for concept, n in counts.items() if n >= _OFTEN})


def _role(place: _Place, paper: _Paper, concept: str) -> tuple[str, float]:
    m = place.mention
    if (score := paper.proposed.get((m.field, m.start, m.end))) is not None:
        return "proposes", score
    own_work = m.field == "title" or _on_own_work(place, paper)
    if concept in paper.own:
        return ("proposes", 0.6) if own_work else ("mentions", 0.5)
    if m.field == "title":
        return _in_title(place, paper), 0.6
    central = concept in paper.central and m.kind in ("method", "task")
    if not own_work:
        return ("studies", 0.5) if central and not place.before.strip() else ("mentions", 0.6)
    role = _by_cue(place)
    if role is None:
        return _by_default(place, paper, central=central)
    return _in_paper(role, place, paper), 0.75


def _in_paper(role: str, place: _Place, paper: _Paper) -> str:
    """Correct a cue's role by what the paper as a whole does.

    A paper without a method of its own studies what it compares and tries; one that proposes
    something uses what its proposing sentence says of it ("X, a message passing layer").
    """
    if place.mention.kind != "method":
        return role
    if (
        not paper.makes
        and role in ("uses", "compares_with")
        and not BUILT_UPON.search(place.before)
    ):
        plain = PLAIN_COMPARISON.search(place.before)
        return "compares_with" if role == "compares_with" and plain else "studies"
    if role == "studies" and _proposes_before(place, paper):
        return "uses"
    return role


def _proposes_before(place: _Place, paper: _Paper) -> bool:
    return any(
        field == place.mention.field and place.sentence[0] <= start < place.mention.start
        for field, start, _ in paper.proposed
    )


def _on_own_work(place: _Place, paper: _Paper) -> bool:
    """Behind the first sentence on it all is the paper's own work, but for asides on others."""
    if place.sentence[0] < paper.begins:
        return False
    return OTHERS.search(place.whole) is None or FIRST_PERSON.search(place.whole) is not None


def _in_title(place: _Place, paper: _Paper) -> str:
    cue = TITLE_CUES.search(place.before)
    role = cue.lastgroup if cue and cue.lastgroup else "studies"
    if place.mention.kind in ("task", "metric") and role == "uses":
        return "studies"
    if place.mention.kind == "dataset" and cue and cue[0].lower().startswith("on"):
        return "evaluates_on"
    if place.mention.kind == "method" and cue is None and _proposes_before(place, paper):
        return "uses"
    return role


def _by_cue(place: _Place) -> str | None:
    """Return the role of the nearest cue before the mention in its clause, or right behind it."""
    kind = place.mention.kind
    if USED_PART.match(place.after) or IS_USED.match(place.after):
        return _fitting("uses", place)
    if kind == "method" and FOR_COMPARISON.match(place.after):
        return "compares_with"
    clause = place.before[max((m.end() for m in CLAUSE.finditer(place.before)), default=0) :]
    cues = [c for c in CUE.finditer(clause) if len(clause[c.end() :].split()) <= _REACH]
    role = cues[-1].lastgroup if cues else None
    return _fitting(role, place) if role else None


def _fitting(role: str, place: _Place) -> str:
    """Correct a cue's role to what can be done with a concept of this kind."""
    kind = place.mention.kind
    result = RESULT.search(place.whole) is not None
    if kind == "dataset" and (role in ("studies", "compares_with") or (role == "uses" and result)):
        return "evaluates_on"
    if kind == "method" and role == "evaluates_on":
        return "studies"
    if kind == "task" and role != "studies":
        return "studies" if role == "uses" else "evaluates_on"
    if kind == "metric":
        return "uses" if role in ("uses", "evaluates_on") else "mentions"
    return role


def _by_default(place: _Place, paper: _Paper, *, central: bool) -> tuple[str, float]:
    kind, result = place.mention.kind, RESULT.search(place.whole) is not None
    if kind == "dataset":
        return ("evaluates_on" if result else "uses"), 0.55
    if central:
        return "studies", 0.55
    if kind == "method" and paper.makes:
        if result and IN_SUBJECT.match(place.after):
            return "compares_with", 0.5
        return ("mentions" if result else "uses"), 0.45
    return "mentions", 0.5
