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

from kg.model import Concept, Evidence, Link

_SEED = 7
_NAMED = 2  # concepts in a community's name


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

    Example:
        >>> edge = Evidence("a", "x", "uses", "abstract", 0, 1, "x", "x", 0, 1.0, "e", "1")
        >>> name_communities({"a": 0}, [edge], [Concept("x", "X", "method")])
        {0: 'X'}
    """
    labels = {concept.id: concept.label for concept in concepts}
    inside: dict[int, Counter[str]] = defaultdict(Counter)
    overall: Counter[str] = Counter()
    for edge in edges:
        overall[edge.concept] += 1
        if edge.paper in communities:
            inside[communities[edge.paper]][edge.concept] += 1
    sizes = Counter(communities.values())
    return {
        number: " · ".join(
            labels[concept]
            for concept in _distinctive(inside[number], overall, size, len(communities))
        )
        for number, size in sorted(sizes.items())
    }


def _distinctive(inside: Counter[str], overall: Counter[str], size: int, papers: int) -> list[str]:
    """Rank by the share inside times the log of how much larger it is than outside."""

    def score(concept: str) -> float:
        share = inside[concept] / size
        elsewhere = (overall[concept] - inside[concept] + 1) / (papers - size + 2)
        return round(share * math.log(1 + share / elsewhere), 6)

    return sorted(inside, key=lambda concept: (-score(concept), concept))[:_NAMED]
