"""What a paper does with a concept, read off the sentences that mention it.

    mentions ──▶ a vote of each sentence (extractors.role_votes) ──▶ one role a concept

The proposed names are known (`extractors.proposals`). For every other concept the votes of its
sentences are summed; the mentions whose sentences speak for the winner bear the role, so that
the evidence shows it.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

from extractors.matcher import find_names, singular
from extractors.mention import ROLES, Abbreviation, Mention, Role, Text
from extractors.model_families import is_language_model
from extractors.proposals import Proposal, find_proposals
from extractors.reading import read
from extractors.role_cues import EXAMPLE, MAKES, OWN, THESE
from extractors.role_votes import GUESS, LIKELY, SURE, Place, Vote, speaks_of_others, vote
from extractors.words import METHOD_HEADS

_OFTEN = 3
_BEFORE = 400  # code points before a mention in which a cue is looked for
_FIELDS = ("title", "abstract")
_BETWEEN = re.compile(
    r"\s*(?:\([^()]{1,60}\))?\s*(?:,\s*(?:and\s+|or\s+)?|\s(?:and|or)\s+|/)(?:the\s+|an?\s+)?"
)
_ROLES_OF_KEYWORDS = ("proposes", "studies")
"""A phrase of which no kind is known is a subject; nobody knows whether one can use it."""

_PRIORITY = {"uses": 1.5, "compares_with": 1.4, "studies": 1.0}
"""How much a vote counts: where several roles fit, the stronger one is meant."""


@dataclass(frozen=True, slots=True)
class _Paper:
    """What a text as a whole tells: what it proposes, where it comes to its own work.

    ``own`` are the concepts that it proposes and ``parts`` the runs of words in their names,
    ``begins`` is the first code point of the abstract's first sentence on its own work, and
    ``makes`` says whether it brings a method of its own, be it without a name.
    """

    proposed: Mapping[tuple[str, int, int], float]
    starts: Mapping[str, Sequence[int]]
    ends: Mapping[str, Mapping[int, int]]
    own: frozenset[str]
    parts: frozenset[str]
    begins: int
    makes: bool


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
    longs = {singular(p.short): singular(p.long).casefold() for p in abbreviations}
    paper = _paper(text, longs)
    concepts: dict[str, list[Place]] = defaultdict(list)
    for place in _places(text, sorted({m for m in mentions if m.field in _FIELDS}), paper):
        concepts[_concept(place.mention.text, longs)].append(place)
    roles = [
        role for concept, places in concepts.items() for role in _roles(concept, places, paper)
    ]
    return tuple(sorted(roles))


def _paper(text: Text, longs: Mapping[str, str]) -> _Paper:
    proposals = find_proposals(text.title, text.abstract)
    own = frozenset(_concept(text.field(p.field)[p.start : p.end], longs) for p in proposals)
    return _Paper(
        proposed={(p.field, p.start, p.end): p.score for p in proposals},
        ends={f: {p.start: p.end for p in proposals if p.field == f} for f in _FIELDS},
        starts={f: [p.start for p in proposals if p.field == f] for f in _FIELDS},
        own=own,
        parts=frozenset(part for name in own for part in _parts(name)) - own,
        begins=_own_work_begins(text, proposals),
        makes=any(p.kind == "method" for p in proposals)
        or (not proposals and MAKES.search(text.abstract) is not None),
    )


def _parts(name: str) -> Iterator[str]:
    """Yield the runs of whole words in a name: what a proposal's name says it is made of."""
    words = re.split(r"[\s-]+", name)
    for start, end in combinations(range(len(words) + 1), 2):
        yield " ".join(words[start:end])


def _own_work_begins(text: Text, proposals: Sequence[Proposal]) -> int:
    first = min((p.start for p in proposals if p.field == "abstract"), default=-1)
    for start, end in read(text.abstract, "abstract").sentences:
        if OWN.search(text.abstract, start, end) or start <= first < end:
            return start
    return len(text.abstract)


def _concept(name: str, longs: Mapping[str, str]) -> str:
    one = singular(name)
    return _known(longs.get(one, one.casefold() if " " in one else one)).casefold()


@lru_cache(maxsize=4096)
def _known(name: str) -> str:
    """Return the curated label of a name, or the name itself."""
    matches = [m for m in find_names(name) if (m.start, m.end) == (0, len(name))]
    return matches[0].entries[0].label if matches else name


def _places(text: Text, mentions: Iterable[Mention], paper: _Paper) -> Iterator[Place]:
    """Yield where the mentions stand; the names of a list share the words before it."""
    last: Place | None = None
    for mention in mentions:
        place = _place(text, mention, paper)
        if last is not None and _listed(last, place):
            place = replace(place, before=last.before)
        yield _taken_up(text, place, paper) if mention.kind == "method" else place
        last = place


def _place(text: Text, mention: Mention, paper: _Paper) -> Place:
    field = mention.field
    reading = read(text.field(field), field)
    start, end = reading.sentence_of(mention.start, mention.end)
    words, starts = reading.text[start:end], paper.starts[field]
    return Place(
        mention=mention,
        sentence=(start, end),
        words=words,
        before=words[max(0, mention.start - start - _BEFORE) : mention.start - start],
        after=words[mention.end - start :],
        own=field == "title" or (start >= paper.begins and not speaks_of_others(words)),
        names_own=bisect_left(starts, start) < bisect_left(starts, mention.start),
    )


def _listed(last: Place, place: Place) -> bool:
    if (last.mention.field, last.sentence) != (place.mention.field, place.sentence):
        return False
    start = place.sentence[0]
    return last.mention.kind == place.mention.kind and bool(
        _BETWEEN.fullmatch(place.words, last.mention.end - start, place.mention.start - start)
    )


def _roles(concept: str, places: Sequence[Place], paper: _Paper) -> Iterator[Role]:
    """Yield the roles of a concept's mentions, of which none is stronger than the concept's."""
    votes = [_vote(place, concept, paper) for place in places]
    decided = _decide(concept, places, votes, paper)
    if all(v.role != decided for v in votes):
        votes[0] = Vote(decided, GUESS)
    for place, v in zip(places, votes, strict=True):
        m = place.mention
        weaker = ROLES.index(v.role) >= ROLES.index(decided)
        allowed = m.kind != "keyword" or v.role in _ROLES_OF_KEYWORDS
        role = v.role if weaker and allowed else "mentions"
        known = paper.proposed.get((m.field, m.start, m.end)) if role == "proposes" else None
        yield Role(m.field, m.start, m.end, role, known or _SCORES[v.weight], *place.sentence)


def _taken_up(text: Text, place: Place, paper: _Paper) -> Place:
    """Return the place of "these models" in the next sentence, if that is on own work."""
    sentences = read(text.field(place.mention.field), place.mention.field).sentences
    at = bisect_right(sentences, place.sentence) if not place.own else len(sentences)
    if at >= len(sentences) or sentences[at][0] < paper.begins:
        return place
    start, end = sentences[at]
    words = text.abstract[start:end]
    these = THESE.search(words)
    if these is None or speaks_of_others(words):
        return place
    before, after = words[: these.start()], words[these.end() :]
    return replace(place, sentence=(start, end), words=words, before=before, after=after, own=True)


def _vote(place: Place, concept: str, paper: _Paper) -> Vote:
    if _holds_proposal(place.mention, paper):
        return Vote("proposes", SURE)
    if concept in paper.own:
        return Vote("proposes", LIKELY) if place.own else Vote("mentions", GUESS)
    return vote(place, makes=paper.makes)


def _holds_proposal(mention: Mention, paper: _Paper) -> bool:
    """Tell whether a mention is a proposed name, or one with its head noun: "CEREAL corpus"."""
    ends = paper.ends[mention.field].get(mention.start, 0)
    return mention.start < ends <= mention.end


def _decide(concept: str, places: Sequence[Place], votes: Sequence[Vote], paper: _Paper) -> str:
    """Return the role of a concept: for a method what most speaks for, else the strongest."""
    strongest = min((vote.role for vote in votes), key=ROLES.index)
    if strongest == "proposes" or places[0].mention.kind != "method":
        return strongest
    model = is_language_model(places[0].mention.text)
    sums: dict[str, float] = defaultdict(float)
    for v in votes:
        if v.role in _PRIORITY and not (model and v.role == "uses" and v.weight < SURE):
            sums[v.role] += v.weight * _PRIORITY[v.role]
    if model and any(place.own for place in places):
        sums["studies"] += SURE
    best = max(ROLES, key=lambda role: (sums[role], -ROLES.index(role))) if sums else "mentions"
    if best not in ("mentions", "compares_with"):
        return best
    if model:
        return "studies" if best == "mentions" and not _examples(places) else best
    if paper.makes and _built_upon(concept, places, paper):
        return "uses"
    return "studies" if best == "mentions" and _is_topic(places) else best


def _built_upon(concept: str, places: Sequence[Place], paper: _Paper) -> bool:
    """Tell whether a method is what the proposal starts from: its topic, or part of its name."""
    return _without_head(concept).replace("-", " ") in paper.parts or _is_topic(places)


def _is_topic(places: Sequence[Place]) -> bool:
    """Tell whether a text begins with a method, or comes back to it, before its own work."""
    first = places[0]
    if first.own:
        return False
    if not first.before.strip():
        return len(places) > 1 or first.sentence[0] == 0
    return len(places) >= _OFTEN and len({place.sentence for place in places}) > 1


def _without_head(concept: str) -> str:
    """Return "diffusion" for "diffusion model", as it stands in the name of a proposal."""
    rest, _, head = concept.rpartition(" ")
    return rest if rest and singular(head) in METHOD_HEADS else concept


def _examples(places: Sequence[Place]) -> bool:
    return all(EXAMPLE.search(place.before) for place in places)


_SCORES = {SURE: 0.8, LIKELY: 0.7, GUESS: 0.5}
"""Confidence in a role by how clearly its sentence speaks for it."""
