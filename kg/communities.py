"""Communities of papers: Leiden over the links, named by what sets each apart.

Traag, Waltman & van Eck (2019), "From Louvain to Leiden: guaranteeing well-connected
communities", as implemented by graspologic-native. Papers and links are sorted first, as
the algorithm depends on their order even with a seed.

A name has the subject that is most and almost only the community's own, and a second one for the
papers that the first does not cover. The weights below were chosen by reading the names of 130
communities of machine learning and computational linguistics.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache

import graspologic_native
import numpy as np
import pyarrow as pa

from extractors.shapes import is_shaped
from extractors.stems import stem_key
from kg.hierarchy import with_broader
from kg.incidence import Floats, Places, incidence, places, weights
from kg.model import Concept

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


def find_communities(papers: Sequence[str], links: pa.Table) -> dict[str, int]:
    """Return paper -> community, numbered from 0, the largest first.

    Papers without a link are in no community.

    Args:
        papers: Ids of the papers, in the order of the answer.
        links: One row a pair of papers: columns source, target, weight.

    Example:
        >>> links = pa.table({"source": ["a"], "target": ["b"], "weight": [1.0]})
        >>> find_communities(["a", "b", "c"], links)
        {'a': 0, 'b': 0}
    """
    if not links.num_rows:
        return {}
    ids = sorted(papers)
    shared = ids.__getitem__  # one string a paper, not one a link
    ends = (map(shared, places(links[end], ids).tolist()) for end in ("source", "target"))
    edges = sorted(zip(*ends, links["weight"].to_pylist(), strict=True))
    _, partition = graspologic_native.leiden(edges=edges, seed=_SEED, resolution=1.0)
    members: dict[int, list[str]] = defaultdict(list)
    for paper in sorted(partition):
        members[partition[paper]].append(paper)
    ranked = sorted(members.values(), key=lambda group: (-len(group), group[0]))
    number = {paper: i for i, group in enumerate(ranked) for paper in group}
    return {paper: number[paper] for paper in papers if paper in number}


def name_communities(
    communities: Mapping[str, int], edges: pa.Table, concepts: Iterable[Concept]
) -> dict[int, str]:
    """Return community -> name: concepts that many of its papers are about and few others are.

    Tasks and methods name a field, what papers measure on does so only where there is nothing
    else; no name says a thing twice ("language model" beside "large language model"), and no two
    communities have the same.

    Args:
        communities: Paper -> community.
        edges: One row a paper and concept, in any order: columns paper, concept, role.
        concepts: The concepts, with their broader ones.

    Example:
        >>> edges = pa.table({"paper": ["a"], "concept": ["x"], "role": ["uses"]})
        >>> name_communities({"a": 0}, edges, [Concept("x", "X", "method")])
        {0: 'X'}
    """
    corpus = _Corpus(communities, edges, concepts)
    names: dict[int, str] = {}
    taken = {""}
    for number in sorted(set(communities.values())):
        names[number] = _name(corpus.picks(number), taken)
        taken.add(names[number])
    return names


def _name(picks: Iterator[tuple[float, str]], taken: Container[str]) -> str:
    """Return a name of two concepts, of one where a second is too weak, of more if it is taken."""
    chosen: list[str] = []
    least = 0.0
    for strength, label in picks:
        if strength < least and _joined(chosen) not in taken:
            break
        least = least or _LEAST * strength
        chosen.append(label)
        if len(chosen) >= _NAMED and _joined(chosen) not in taken:
            break
    name, again = _joined(chosen), 2
    while chosen and name in taken:
        name, again = f"{_joined(chosen)} ({again})", again + 1
    return name


def _joined(labels: Sequence[str]) -> str:
    return " · ".join(labels)


class _Corpus:
    """What all papers are about, against which one community's papers are set.

    Args:
        communities: Paper -> community.
        edges: Columns paper, concept, role.
        concepts: The concepts, with their broader ones.
    """

    def __init__(
        self, communities: Mapping[str, int], edges: pa.Table, concepts: Iterable[Concept]
    ) -> None:
        self._known = sorted(concepts, key=lambda concept: concept.id)
        self._broader = {concept.id: concept.broader for concept in self._known}
        self._sizes, self._size = Counter(communities.values()), len(communities)
        papers = sorted(edges["paper"].unique().to_pylist())
        roles = weights(edges["role"], _ROLES, _OTHER_ROLE)
        about = incidence(edges, papers, self._broader, roles, _BROADER_DAMPING).tocoo()
        self._overall = np.bincount(about.col, about.data, minlength=len(self._known))
        homes = np.array([communities.get(paper, -1) for paper in papers], np.intp)[about.row]
        order = np.lexsort((about.row, about.col, homes))
        self._homes = homes[order]
        self._cells = about.row[order], about.col[order], about.data[order]
        self._is_proper = cache(lambda place: _is_proper(self._known[place]))
        self._weight = cache(self._weigh)

    def picks(self, number: int) -> Iterator[tuple[float, str]]:
        """Yield the strengths and labels of what names a community's papers, the best first.

        None says again what one before it says. Each is chosen for papers that are not covered.
        """
        first, end = np.searchsorted(self._homes, [number, number + 1])
        papers, concepts, about = (column[first:end] for column in self._cells)
        _, papers = np.unique(papers, return_inverse=True)
        covered = np.zeros(len(papers))
        chosen: list[int] = []
        while True:
            fresh = about * (1 - _COVERED * covered[papers])
            ranked = self._ranked(concepts, about, fresh, self._sizes[number])
            fitting = (
                (strength, place)
                for strength, place in ranked
                if all(self._go_with(place, other) for other in chosen)
            )
            if not (best := next(fitting, None)):
                return
            yield best[0], self._known[best[1]].label
            chosen.append(best[1])
            named = concepts == best[1]
            covered[papers[named]] = np.maximum(covered[papers[named]], about[named])

    def _ranked(
        self, concepts: Places, about: Floats, fresh: Floats, size: int
    ) -> Iterator[tuple[float, int]]:
        """Yield strengths and places of concepts, the best first.

        The strength is their share of the papers times the log of its ratio to that of others.
        What a single paper says comes last, and so does what the others say as much.

        Args:
            concepts: The concept of each cell, sorted.
            about: How much its paper is about it.
            fresh: The same, less where the paper is covered.
            size: Papers of the community.
        """
        starts = np.flatnonzero(np.diff(concepts, prepend=-1))
        if not len(starts):
            return
        found, papers = concepts[starts], np.diff(starts, append=len(concepts))
        within = np.add.reduceat(about, starts)
        elsewhere = (self._overall[found] - within + 1) / (self._size - size + 2)
        lift = np.maximum(np.log(within / size / elsewhere), 0.0)
        poor = (papers == 1) | (lift == 0)
        for some in (np.flatnonzero(~poor), np.flatnonzero(poor)):
            some_places = found[some].tolist()
            named = np.array(list(map(self._weight, some_places)))
            share = named * np.add.reduceat(fresh, starts)[some] / size
            strength = np.round(share * lift[some], 6)
            yardstick = np.array([self._known[place].kind in _YARDSTICKS for place in some_places])
            for i in np.lexsort((-np.round(share, 6), -strength, yardstick)):
                yield float(strength[i]), some_places[i]

    def _weigh(self, place: int) -> float:
        """Return how well a concept names a field, 0..1."""
        named = self._known[place]
        weight = _SUBJECTS.get(named.kind, _OTHER_SUBJECT)
        weight *= _PROPER_NAME if self._is_proper(place) else 1.0
        return weight * _UNWIELDY if len(named.label) > _LONG else weight

    def _go_with(self, place: int, chosen: int) -> bool:
        """Tell whether a concept may follow another in a name.

        No data set follows a method, no single model its field, and nothing what says it already.
        """
        one, two = self._known[place], self._known[chosen]
        if (one.kind in _YARDSTICKS) != (two.kind in _YARDSTICKS):
            return False
        if self._is_proper(place) and not self._is_proper(chosen):
            return False
        return not (self._is_above(one, two) or self._is_above(two, one) or _alike(one, two))

    def _is_above(self, one: Concept, other: Concept) -> bool:
        return any(above == one.id for above, _ in with_broader(other.id, self._broader))


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
