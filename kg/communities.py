"""Communities of papers: Leiden over the links, named by what sets each apart.

Traag, Waltman & van Eck (2019), "From Louvain to Leiden: guaranteeing well-connected
communities", as implemented by graspologic-native. Papers and links are sorted first, as
the algorithm depends on their order even with a seed.

A name has the subject that is most and almost only the community's own, and a second one for the
papers that the first does not cover. The weights below were chosen by reading the names of 130
communities of machine learning and computational linguistics.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

import graspologic_native

from extractors.shapes import is_shaped
from extractors.stems import stem_key
from kg.hierarchy import with_broader
from kg.model import Concept, Evidence, Link

_SEED = 7
_NAMED = 2  # concepts in a community's name; more only where another has the same
_LEAST = 0.2  # strength of a further concept, as a part of the first's
_SUBJECTS = {"task": 1.0, "method": 0.8}  # how well a kind names a field
_OTHER_SUBJECT = 0.7
_YARDSTICKS = frozenset({"dataset", "metric"})  # what papers measure on names no field
_PROPER_NAME = 0.35  # one model ("BERT") names a field less well than its kind does
_UNWIELDY, _LONG = 0.1, 40  # a label of more characters is a heading of somebody's list
_ROLES = {"proposes": 1.0, "studies": 1.0, "uses": 0.8, "compares_with": 0.4, "evaluates_on": 0.4}
_OTHER_ROLE = 0.5
_BROADER_DAMPING = 0.5  # a paper is about what is more general, but less so
_COVERED = 0.5  # how much less a paper counts that the name covers already


def find_communities(papers: Sequence[str], links: Iterable[Link]) -> dict[str, int]:
    """Return paper -> community, numbered from 0, the largest first.

    Papers without a link are in no community.

    Example:
        >>> link = Link("a", "b", 1.0, 1.0, 0.0)
        >>> find_communities(["a", "b", "c"], [link])
        {'a': 0, 'b': 0}
    """
    edges = sorted((link.source, link.target, link.weight) for link in links)
    if not edges:
        return {}
    _, partition = graspologic_native.leiden(edges=edges, seed=_SEED, resolution=1.0)
    members: dict[int, list[str]] = defaultdict(list)
    for paper in sorted(partition):
        members[partition[paper]].append(paper)
    ranked = sorted(members.values(), key=lambda group: (-len(group), group[0]))
    number = {paper: i for i, group in enumerate(ranked) for paper in group}
    return {paper: number[paper] for paper in papers if paper in number}


def name_communities(
    communities: Mapping[str, int], edges: Iterable[Evidence], concepts: Iterable[Concept]
) -> dict[int, str]:
    """Return community -> name: concepts that many of its papers are about and few others are.

    Tasks and methods name a field, what papers measure on does so only where there is nothing
    else; no name says a thing twice ("language model" beside "large language model"), and no two
    communities have the same.

    Args:
        communities: Paper -> community.
        edges: One a paper and concept, in any order.
        concepts: The concepts, with their broader ones.

    Example:
        >>> edge = Evidence("a", "x", "uses", "abstract", 0, 1, "x", "x", 0, 1.0, "e", "1")
        >>> name_communities({"a": 0}, [edge], [Concept("x", "X", "method")])
        {0: 'X'}
    """
    known = {concept.id: concept for concept in concepts}
    broader = {concept.id: concept.broader for concept in known.values()}
    corpus = _Corpus(known, broader, _subjects(edges, broader), len(communities))
    members: dict[int, set[str]] = defaultdict(set)
    for paper, number in communities.items():
        members[number].add(paper)
    names: dict[int, str] = {}
    for number, papers in sorted(members.items()):
        names[number] = _name(corpus.picks(papers), set(names.values()))
    return names


def _name(picks: Iterator[tuple[float, str]], taken: set[str]) -> str:
    """Return a name of two concepts, of one where a second is too weak, of more if it is taken."""
    chosen: list[str] = []
    least = 0.0
    for strength, label in picks:
        enough = len(chosen) >= _NAMED or strength < least
        if chosen and enough and _joined(chosen) not in taken:
            break
        least = least or _LEAST * strength
        chosen.append(label)
    name, again = _joined(chosen), 2
    while chosen and name in taken:
        name, again = f"{_joined(chosen)} ({again})", again + 1
    return name


def _joined(labels: Sequence[str]) -> str:
    return " · ".join(labels)


def _subjects(
    edges: Iterable[Evidence], broader: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, float]]:
    """Return paper -> concept -> how much it is about it, 0..1, more general concepts included."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for edge in edges:
        weight, about = _ROLES.get(edge.role, _OTHER_ROLE), found[edge.paper]
        for concept, distance in with_broader(edge.concept, broader):
            damped = weight * _BROADER_DAMPING**distance
            about[concept] = max(about.get(concept, 0.0), damped)
    return found


class _Corpus:
    """What all papers are about, against which one community's papers are set.

    Args:
        known: The concepts by id.
        broader: Concept -> those directly above.
        about: Paper -> concept -> how much it is about it.
        size: Papers of all communities.
    """

    def __init__(
        self,
        known: Mapping[str, Concept],
        broader: Mapping[str, Sequence[str]],
        about: Mapping[str, Mapping[str, float]],
        size: int,
    ) -> None:
        self._known, self._broader, self._about, self._size = known, broader, about, size
        self._is_proper = cache(lambda concept: _is_proper(known[concept]))
        self._weight = cache(self._weigh)
        self._above = cache(lambda concept: {above for above, _ in with_broader(concept, broader)})
        self._overall = {
            concept: math.fsum(w.values()) for concept, w in _by_concept(about, about).items()
        }

    def picks(self, members: set[str]) -> Iterator[tuple[float, str]]:
        """Yield the strengths and labels of what names these papers, the best first.

        None says again what one before it says. Each is chosen for papers that are not covered.
        """
        left = _by_concept(self._about, members)
        covered: dict[str, float] = {}
        while left:
            ranks = {
                concept: self._rank(concept, inside, covered, len(members))
                for concept, inside in left.items()
            }
            best = min(left, key=lambda concept: (ranks[concept], concept))
            yield -ranks[best][2], self._known[best].label
            for paper, weight in left[best].items():
                covered[paper] = max(weight, covered.get(paper, 0.0))
            left = {c: inside for c, inside in left.items() if self._go_with(c, best)}

    def _rank(
        self, concept: str, inside: Mapping[str, float], covered: Mapping[str, float], size: int
    ) -> tuple[bool, bool, float, float]:
        """Order concepts by their share of the papers times the log of its ratio to that of others.

        What a single paper says comes last, and so does what the others say as much.
        """
        within = math.fsum(inside.values())
        elsewhere = (self._overall[concept] - within + 1) / (self._size - size + 2)
        lift = max(math.log(within / size / elsewhere), 0.0)
        fresh = math.fsum(w * (1 - _COVERED * covered.get(p, 0.0)) for p, w in inside.items())
        share = self._weight(concept) * fresh / size
        poor = len(inside) == 1 or not lift
        yardstick = self._known[concept].kind in _YARDSTICKS
        return poor, yardstick, -round(share * lift, 6), -round(share, 6)

    def _weigh(self, concept: str) -> float:
        """Return how well a concept names a field, 0..1."""
        named = self._known[concept]
        weight = _SUBJECTS.get(named.kind, _OTHER_SUBJECT)
        weight *= _PROPER_NAME if self._is_proper(concept) else 1.0
        return weight * _UNWIELDY if len(named.label) > _LONG else weight

    def _go_with(self, concept: str, chosen: str) -> bool:
        """Tell whether a concept may follow another in a name.

        No data set follows a method, no single model its field, and nothing what says it already.
        """
        one, two = self._known[concept], self._known[chosen]
        if (one.kind in _YARDSTICKS) != (two.kind in _YARDSTICKS):
            return False
        if self._is_proper(concept) and not self._is_proper(chosen):
            return False
        related = chosen in self._above(concept) or concept in self._above(chosen)
        return not related and not _alike(one, two)


def _by_concept(
    about: Mapping[str, Mapping[str, float]], papers: Iterable[str]
) -> dict[str, dict[str, float]]:
    """Return concept -> paper -> how much it is about it, for some of the papers."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for paper in papers:
        for concept, weight in about.get(paper, {}).items():
            found[concept][paper] = weight
    return found


def _is_proper(concept: Concept) -> bool:
    """Tell whether a concept has the name of a single thing, such as a model; no task has."""
    words = concept.label.split()
    capital = len(words) == 1 and concept.label[:1].isupper()
    return concept.kind != "task" and (capital or any(map(is_shaped, words)))


def _alike(one: Concept, other: Concept) -> bool:
    """Tell whether one name says a part of the other again: "graph kernel", "graph network".

    Both may be of one sort: "reinforcement learning" and "imitation learning".
    """
    words, others = stem_key(one.label).split(), stem_key(other.label).split()
    inside = set(words) <= set(others) or set(others) <= set(words)
    return inside or bool(set(words[:-1]) & set(others) or set(others[:-1]) & set(words))
