"""Methods, data sets, tasks and metrics in a title and an abstract, by rules and a network.

    curated names ─┐
    proposals ─────┼─▶ names with a kind ──▶ every occurrence ─┐
    shapes + cues ─┤                                           ├─▶ no overlap ──▶ mentions
    definitions ───┘                           the recogniser ──┘

Precision comes before recall: a name whose kind nothing tells is left out, and the recogniser
speaks where the rules are silent.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace

from extractors.curated import accepted, extended
from extractors.kinds import cues_around, kind_of_name, kind_of_words
from extractors.matcher import singular
from extractors.mention import Abbreviation, Extraction, Mention, Text
from extractors.merging import SURE, merged, of_one_kind, without_overlap
from extractors.proposals import Proposal, find_proposals
from extractors.reading import Reading, read
from extractors.recognised import EncoderRecogniser, Recogniser, recognised
from extractors.results import RESULTS_VERSION, find_results
from extractors.roles import assign_roles
from extractors.shapes import Name
from extractors.words import NOT_NAMES, lower

_FIELDS = ("title", "abstract")
_BETWEEN = re.compile(
    r"\s*(?:\([^()]{1,60}\))?\s*(?:,\s*(?:and\s+|or\s+|as well as\s+)?|\s(?:and|or"
    r"|as well as)\s+|/)"
    r"(?:the\s+|on\s+(?:the\s+)?)?"
)
_JOINED = re.compile(r"[\w/@.-]")
_RIGHT = re.compile(r"(?:(?<=\w)e?s)?(?![\w/@]|[-–][A-Z\d]|\+)")
_ENOUGH = 1.0
_DATASET_HEAD = re.compile(
    r"\s+(?:data\s?sets?|datasets?|corpus|corpora|databases?|collections?|benchmarks?)\b(?!-)"
)
RULES_VERSION = "7"

PARTS = ("curated", "proposals", "shapes", "definitions", "recogniser", "heads", "one kind")
"""What `EntityExtractor` can do without, to measure what each part brings."""


@dataclass(frozen=True, slots=True)
class Found:
    """A name that stands for a concept in this text, with its kind and reliability."""

    name: str
    kind: str
    score: float


class EntityExtractor:
    """Finds methods, data sets, tasks and metrics, what the paper does with them, its results.

    Args:
        recogniser: The network that is asked where the rules are silent; by default the
            shipped encoder.
        without: Some of `PARTS`, to measure what they bring.

    Raises:
        ValueError: If one of ``without`` is none of `PARTS`.

    Example:
        >>> text = Text("We propose FooNet and evaluate it on CIFAR-10.")
        >>> [(m.text, m.kind) for m in next(EntityExtractor().extract([text])).mentions]
        [('FooNet', 'method'), ('CIFAR-10', 'dataset')]
    """

    name = "entities"

    def __init__(
        self, recogniser: Recogniser | None = None, *, without: Collection[str] = ()
    ) -> None:
        if unknown := set(without) - set(PARTS):
            raise ValueError(f"no part {sorted(unknown)}; parts are {', '.join(PARTS)}")
        self._recogniser = recogniser or EncoderRecogniser()
        self._without = frozenset(without)

    @property
    def version(self) -> str:
        """Version of the rules, of those for results, and of the recogniser."""
        left_out = "".join(f"-{part.replace(' ', '_')}" for part in sorted(self._without))
        return f"{RULES_VERSION}.{RESULTS_VERSION}-{self._recogniser.version}{left_out}"

    def extract(self, texts: Iterable[Text]) -> Iterator[Extraction]:
        """Yield one extraction a text, in order."""
        for text in texts:
            mentions = find_entities(text, self._recogniser, self._without)
            pairs = tuple(p for f in _FIELDS for p in read(text.field(f), f).abbreviations)
            yield Extraction(
                mentions=mentions,
                roles=assign_roles(text, mentions, pairs),
                results=find_results(text, mentions, pairs),
            )


def find_entities(
    text: Text, recogniser: Recogniser | None = None, without: Collection[str] = ()
) -> tuple[Mention, ...]:
    """Return the mentions of methods, data sets, tasks and metrics, in order.

    Args:
        text: A title and an abstract; the authors' keywords are not looked at.
        recogniser: The network that is asked where the rules are silent; by default the
            shipped encoder.
        without: Some of `PARTS`.
    """
    readings = [read(text.field(field), field) for field in _FIELDS]
    kept = _by_rules(text, readings, without)
    if "recogniser" not in without:
        asked = recogniser or EncoderRecogniser()
        seen = [m for reading in readings for m in recognised(reading, asked)]
        kept = merged(kept, seen, asked.least)
    if "heads" not in without:
        kept = without_overlap([_with_head(m, text.field(m.field)) for m in kept])
    return tuple(sorted(kept if "one kind" in without else of_one_kind(kept)))


def _by_rules(text: Text, readings: list[Reading], without: Collection[str]) -> list[Mention]:
    spans = [m for reading in readings for m in _curated_mentions(reading, readings)]
    proposals = find_proposals(text.title, text.abstract)
    if "curated" in without:
        spans = []
    names = _names(readings, spans, () if "proposals" in without else proposals, without)
    everywhere = [m for reading in readings for m in _occurrences(reading, names)]
    return without_overlap([*everywhere, *spans])


def _curated_mentions(reading: Reading, readings: list[Reading]) -> Iterator[Mention]:
    for match, entry, score in accepted(reading, readings):
        start, end, kind = extended(reading.text, match, entry)
        yield Mention(reading.field, start, end, kind, reading.text[start:end], score)


def _names(
    readings: list[Reading],
    curated: list[Mention],
    proposals: tuple[Proposal, ...],
    without: Collection[str],
) -> dict[str, Found]:
    """Return the names that are not curated, by their singular."""
    names: dict[str, Found] = {}
    known = {singular(m.text): m for m in curated}
    by_field = {reading.field: reading for reading in readings}
    for proposal in sorted(proposals, key=lambda p: -p.score):
        name = singular(by_field[proposal.field].text[proposal.start : proposal.end])
        names.setdefault(name, Found(name, proposal.kind, proposal.score))
    kinds = {m.text: m.kind for m in curated}
    for name, kind, score in () if "shapes" in without else _cued_names(readings, kinds):
        if name not in known:
            names.setdefault(name, Found(name, kind, score))
    pairs = (p for reading in readings for p in reading.abbreviations)
    for pair in () if "definitions" in without else pairs:
        _complete(pair, names, known)
    return names


def _complete(pair: Abbreviation, names: dict[str, Found], known: dict[str, Mention]) -> None:
    """Where the one form of a definition is a concept, the other is too, of the same kind."""
    short, long = singular(pair.short), singular(pair.long)
    curated = known.get(long) or known.get(short)
    found = names.get(short) or names.get(long)
    if found is not None and found.score >= SURE:
        kind, score = found.kind, found.score
    elif curated is not None:
        kind, score = curated.kind, max(curated.score, 0.9)
    elif found is not None:
        kind, score = found.kind, found.score
    elif (told := kind_of_words(pair.long)) and pair.short not in NOT_NAMES:
        kind, score = told, 0.75
    else:
        return
    for name in (short, long):
        names[name] = Found(name, kind, max(score, names[name].score if name in names else 0.0))


def _cued_names(readings: list[Reading], known: dict[str, str]) -> Iterator[tuple[str, str, float]]:
    """Yield name-shaped words with the kind that their cues speak for, taken together."""
    votes: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for reading in readings:
        for name, kind, weight in _votes(reading, known):
            votes[name][kind] += weight
    for name, weights in votes.items():
        if told := kind_of_name(name):
            weights[told] += 1.0
        kind = max(sorted(weights), key=lambda k: weights[k])
        if weights[kind] >= _ENOUGH and singular(name) not in NOT_NAMES and len(name) > 1:
            yield name, kind, min(0.85, 0.55 + 0.1 * weights[kind])


def _votes(reading: Reading, known: dict[str, str]) -> Iterator[tuple[str, str, float]]:
    for group in _groups(reading):
        start, end = group[0].start, group[-1].end
        left, right = reading.sentence_of(start, end)
        cues = [*cues_around(reading.text[left:start], reading.text[end:right])]
        mates = {known.get(reading.text[n.start : n.end]) for n in group}
        cues += [(kind, 2.0) for kind in sorted(k for k in mates if k)] if len(mates) == 2 else []
        for name in group:
            shaped = [(k, w) for k, w in cues if name.shaped or (k == "dataset" and w > 1.0)]
            written = singular(reading.text[name.start : name.end])
            yield from ((written, kind, weight) for kind, weight in shaped)
            if name.shaped and (told := kind_of_name(written)):
                yield written, told, 0.5


def _groups(reading: Reading) -> Iterator[list[Name]]:
    """Lists of names ("A, B and C"), which share the words around them."""
    group: list[Name] = []
    for name in reading.names:
        if group and _BETWEEN.fullmatch(reading.text, group[-1].end, name.start):
            group.append(name)
            continue
        if group:
            yield group
        group = [name]
    if group:
        yield group


def _occurrences(reading: Reading, names: dict[str, Found]) -> Iterator[Mention]:
    lowered = lower(reading.text)
    for found in names.values():
        for start, end in _places(reading.text, lowered, found.name):
            yield Mention(
                reading.field, start, end, found.kind, reading.text[start:end], found.score
            )


def _places(text: str, lowered: str, name: str) -> Iterator[tuple[int, int]]:
    """Where a name stands as a whole word, also in the plural.

    A long name may be in capitals, a lower-case one at the start of a sentence.
    """
    wanted, long = lower(name), " " in name
    start = lowered.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        same = (
            text[start:end] == name
            or long
            or (name.islower() and text[start + 1 : end] == name[1:])
        )
        right = _RIGHT.match(text, end)
        if same and right and (start == 0 or not _JOINED.match(text[start - 1])):
            yield start, right.end()
        start = lowered.find(wanted, end)


def _with_head(mention: Mention, text: str) -> Mention:
    """Return a data set with the word that says what it is: "the CoNLL corpus"."""
    if mention.kind != "dataset" or not (head := _DATASET_HEAD.match(text, mention.end)):
        return mention
    end = head.end()
    return replace(mention, end=end, text=text[mention.start : end])
