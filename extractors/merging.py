"""What the rules say and what a network sees, as one list of mentions without overlap.

The rules come first; the network adds what it is sure of where they are silent, and has a
word in what is a data set.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import takewhile

from extractors.matcher import singular
from extractors.mention import Mention
from extractors.recognised import FIELD
from extractors.words import SITES

SURE = 0.9
"""From this score on a rule is believed, whatever a network sees."""

_DOUBTFUL = 0.75
_TRUST = 0.8  # a rule that speaks counts for more than a network


class _Places:
    """Mentions that do not overlap, found by place."""

    def __init__(self, mentions: Iterable[Mention]) -> None:
        self._mentions: dict[str, list[Mention]] = defaultdict(list)
        for mention in sorted(mentions):
            self._mentions[mention.field].append(mention)

    def touched_by(self, mention: Mention) -> list[Mention]:
        """Return those that share a letter with a mention, in order."""
        here = self._mentions.get(mention.field, [])
        first = bisect_right(here, mention.start, key=lambda m: m.end)
        return list(takewhile(lambda m: m.start < mention.end, here[first:]))


def merged(kept: list[Mention], seen: list[Mention], least: Mapping[str, float]) -> list[Mention]:
    """Return the mentions of the rules and those that a network adds, without overlap.

    Args:
        kept: What the rules say, without overlap.
        seen: What the network sees, sure or not.
        least: The confidence, 0..1, from which the network is believed, by kind.
    """
    sure = [m for m in without_overlap(seen) if m.score >= least[m.kind]]
    confirmed = list(_confirmed(kept, seen))
    places = _Places(confirmed)
    whole = [m for m in sure if _is_whole(m, places.touched_by(m))]
    apart = [m for m in sure if not places.touched_by(m)]
    longer = _Places(whole)
    held = [m for m in confirmed if not longer.touched_by(m)]
    return [*held, *whole, *(replace(m, score=round(m.score * _TRUST, 6)) for m in apart)]


def _confirmed(kept: list[Mention], seen: list[Mention]) -> Iterator[Mention]:
    """Yield the mentions of the rules, less doubtful data sets that are something else.

    What stands next to "data set" may be a method: "on both data sets, FooNet wins". A place that
    data come from is none itself where the network sees no data set.
    """
    datasets = _Places(m for m in seen if m.kind == "dataset")
    others = _Places(m for m in seen if m.kind != "dataset")
    named = {singular(k.text) for k in kept if k.field != FIELD or datasets.touched_by(k)}
    denied = {singular(k.text) for k in kept if others.touched_by(k)} - named
    for mention in kept:
        name = singular(mention.text)
        doubtful = mention.score < (SURE if name in denied else _DOUBTFUL) or name in SITES
        if mention.kind != "dataset" or name in named or not doubtful:
            yield mention


def _is_whole(mention: Mention, mates: list[Mention]) -> bool:
    """Tell whether a mention is the longer name of the one data set that it overlaps.

    "MNIST handwritten digits dataset" is the whole name of what the rules call MNIST.
    """
    if len(mates) != 1 or not mention.kind == mates[0].kind == "dataset":
        return False
    return mention.start <= mates[0].start and mates[0].end <= mention.end


def without_overlap(mentions: list[Mention]) -> list[Mention]:
    """Keep the longest of overlapping mentions; of equal ones the more reliable."""
    kept: list[Mention] = []
    taken: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for mention in sorted(mentions, key=lambda m: (m.start - m.end, -m.score, m)):
        spans = taken[mention.field]
        at = bisect_left(spans, (mention.start, mention.end))
        before = at == 0 or spans[at - 1][1] <= mention.start
        if before and (at == len(spans) or mention.end <= spans[at][0]):
            spans.insert(at, (mention.start, mention.end))
            kept.append(mention)
    return kept


def of_one_kind(mentions: list[Mention]) -> Iterator[Mention]:
    """Give each name the kind that its most reliable mentions have."""
    weights: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for mention in mentions:
        weights[singular(mention.text).casefold()][mention.kind] += mention.score
    for m in mentions:
        kinds = weights[singular(m.text).casefold()]
        kind = max(sorted(kinds), key=lambda k: kinds[k])
        yield Mention(m.field, m.start, m.end, kind, m.text, m.score)
