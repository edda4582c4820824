"""Communities of papers: Leiden over the links, named by what sets each apart.

Traag, Waltman & van Eck (2019), "From Louvain to Leiden: guaranteeing well-connected
communities", as implemented by graspologic-native. Papers and links are sorted first, as
the algorithm depends on their order even with a seed.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import graspologic_native

from kg.hierarchy import with_broader
from kg.model import Concept, Evidence, Link

_SEED = 7
_NAMED = 2  # concepts in a community's name
_KIND_WEIGHTS = {"dataset": 0.3, "metric": 0.1}  # what papers measure on names no field; else 1
_BROADER_DAMPING = 0.3  # a paper is about what is more general, but less so


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
    """Return community -> name: the concepts that many of its papers share and few others have.

    What papers are about counts more than what they measure on; no name says a thing twice
    ("language model" beside "large language model").

    Example:
        >>> edge = Evidence("a", "x", "uses", "abstract", 0, 1, "x", "x", 0, 1.0, "e", "1")
        >>> name_communities({"a": 0}, [edge], [Concept("x", "X", "method")])
        {0: 'X'}
    """
    known = {concept.id: concept for concept in concepts}
    about = _subjects(edges, known)
    overall: dict[str, float] = defaultdict(float)
    inside: dict[int, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for (paper, concept), weight in about.items():
        overall[concept] += weight
        if paper in communities:
            inside[communities[paper]][concept].append(weight)
    sizes = Counter(communities.values())
    names = {}
    for number, size in sorted(sizes.items()):
        ranked = _distinctive(inside[number], overall, size, len(communities))
        chosen = _unlike(known[concept] for concept in ranked)
        names[number] = " · ".join(concept.label for concept in chosen)
    return names


def _subjects(
    edges: Iterable[Evidence], known: Mapping[str, Concept]
) -> dict[tuple[str, str], float]:
    """Return (paper, concept) -> how much it is its subject, more general concepts included."""
    broader = {concept.id: concept.broader for concept in known.values()}
    found: dict[tuple[str, str], float] = {}
    for paper, concept in sorted({(edge.paper, edge.concept) for edge in edges}):
        for above, distance in with_broader(concept, broader):
            weight = _KIND_WEIGHTS.get(known[above].kind, 1.0) * _BROADER_DAMPING**distance
            found[paper, above] = max(found.get((paper, above), 0.0), weight)
    return found


def _distinctive(
    inside: Mapping[str, Sequence[float]], overall: Mapping[str, float], size: int, papers: int
) -> list[str]:
    """Rank by the share inside times the log of how much larger it is than outside.

    What a single paper says comes last, as it names that paper; so does what the others have as
    much of.
    """

    def rank(concept: str) -> tuple[bool, float, str]:
        within = sum(inside[concept])
        share = within / size
        elsewhere = (overall[concept] - within + 1) / (papers - size + 2)
        poor = len(inside[concept]) == 1 or share <= elsewhere
        return poor, -round(share * math.log(1 + share / elsewhere), 6), concept

    return sorted(inside, key=rank)


def _unlike(ranked: Iterable[Concept]) -> list[Concept]:
    """Return the first concepts of which none says again what another says."""
    chosen: list[Concept] = []
    for concept in ranked:
        if len(chosen) == _NAMED:
            break
        if not any(_alike(concept, other) or _alike(other, concept) for other in chosen):
            chosen.append(concept)
    return chosen


def _alike(one: Concept, other: Concept) -> bool:
    """Tell whether one concept is the other's more general one, or its name part of the other's."""
    words, others = one.label.casefold().split(), other.label.casefold().split()
    return one.id in other.broader or set(words) <= set(others) or words[-2:] == others[-2:]
