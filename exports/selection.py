"""Which part of a graph is shown where all of it would be too much."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from exports import style
from exports.errors import OptionError
from exports.view import ConceptRecord, EvidenceRecord, LinkRecord, PaperRecord, View

Edges = tuple[EvidenceRecord, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a graph: papers, concepts, and what lies between them.

    Args:
        papers: The papers, sorted by id.
        concepts: The concepts, sorted by id.
        edges: From these papers to these concepts, by paper, the strongest role first.
        links: Between these papers, sorted by their ids.
    """

    papers: tuple[PaperRecord, ...]
    concepts: tuple[ConceptRecord, ...]
    edges: Edges
    links: tuple[LinkRecord, ...]

    def __len__(self) -> int:
        return len(self.papers) + len(self.concepts)

    @property
    def numbers(self) -> dict[str, int]:
        """The number of each paper, ``p`` and its id, and of each concept, ``c`` and its id."""
        names = [f"p{paper.id}" for paper in self.papers]
        names += [f"c{concept.id}" for concept in self.concepts]
        return {name: number for number, name in enumerate(names)}

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Paper and concept of the edges, each pair once."""
        return list(dict.fromkeys((edge.paper, edge.concept) for edge in self.edges))


def whole(view: View) -> Part:
    """Return the graph with its edges in order, without those that lead nowhere."""
    papers = {paper.id: paper for paper in view.papers()}
    concepts = {concept.id: concept for concept in view.concepts()}
    edges = [e for e in view.edges() if e.paper in papers and e.concept in concepts]
    links = [k for k in view.links() if k.source in papers and k.target in papers]
    return Part(
        tuple(papers[key] for key in sorted(papers)),
        tuple(concepts[key] for key in sorted(concepts)),
        tuple(sorted(edges, key=_edge_key)),
        tuple(sorted(links, key=lambda link: (link.source, link.target))),
    )


def _edge_key(edge: EvidenceRecord) -> tuple[Any, ...]:
    return edge.paper, style.role_rank(edge.role), edge.concept, edge.field, edge.start


def around(part: Part, name: str, hops: int) -> tuple[Part, str]:
    """Return what lies within some steps of a concept, and the concept's label.

    A step leads from a concept to the papers that name it, and from a paper to its concepts
    and to the papers linked to it.

    Args:
        part: The graph.
        name: The concept's id, label, or another of its names, whatever its case.
        hops: Steps, 0 and more.

    Raises:
        OptionError: If the graph has no such concept.
    """
    concept = _named(part.concepts, name)
    reached = frontier = {f"c{concept.id}"}
    neighbours = _neighbours(part) if hops > 0 else {}
    for _ in range(hops):
        frontier = {n for node in frontier for n in neighbours.get(node, ())} - reached
        reached = reached | frontier
    papers = {paper.id for paper in part.papers if f"p{paper.id}" in reached}
    concepts = {item.id for item in part.concepts if f"c{item.id}" in reached}
    return _among(part, papers, concepts), concept.label


def _named(concepts: Iterable[ConceptRecord], name: str) -> ConceptRecord:
    wanted = name.casefold()
    found: dict[int, ConceptRecord] = {}
    for concept in concepts:
        for rank, names in enumerate(
            ((concept.id,), (concept.label,), (*concept.abbreviations, *concept.aliases))
        ):
            if wanted in (known.casefold() for known in names):
                found.setdefault(rank, concept)
    if not found:
        raise OptionError(f"this graph has no concept {name!r}")
    return found[min(found)]


def _neighbours(part: Part) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    ends = [(f"p{paper}", f"c{concept}") for paper, concept in part.pairs]
    ends += [(f"p{link.source}", f"p{link.target}") for link in part.links]
    for one, other in ends:
        found[one].append(other)
        found[other].append(one)
    return found


def _among(part: Part, papers: set[str], concepts: set[str]) -> Part:
    return Part(
        tuple(paper for paper in part.papers if paper.id in papers),
        tuple(concept for concept in part.concepts if concept.id in concepts),
        tuple(e for e in part.edges if e.paper in papers and e.concept in concepts),
        tuple(k for k in part.links if k.source in papers and k.target in papers),
    )


def within(part: Part, max_nodes: int) -> Part:
    """Return at most so many nodes: the best linked papers, and the concepts of most of them.

    Concepts that papers share or propose come before the papers that link least, which keep
    half of the room; concepts of a single paper fill what is left.

    Args:
        part: The graph.
        max_nodes: Papers and concepts at most.

    Raises:
        OptionError: If there is no room for any node.
    """
    if max_nodes < 1:
        raise OptionError(f"max_nodes={max_nodes} leaves nothing to show; say 1 or more")
    if len(part) <= max_nodes:
        return part
    wanted = _worth_drawing(part.edges)
    kept = _best_papers(part, max(max_nodes - len(wanted), max_nodes // 2, 1))
    spread = Counter(concept for paper, concept in part.pairs if paper in kept)
    ranked = sorted(spread, key=lambda c: (c not in wanted, -spread[c], c))
    return _among(part, kept, set(ranked[: max_nodes - len(kept)]))


def _worth_drawing(edges: Iterable[EvidenceRecord]) -> set[str]:
    """Return the concepts that several papers name or one proposes."""
    first: dict[str, str] = {}
    return {
        edge.concept
        for edge in edges
        if first.setdefault(edge.concept, edge.paper) != edge.paper or edge.role == "proposes"
    }


def _best_papers(part: Part, most: int) -> set[str]:
    linked = Counter(end for link in part.links for end in (link.source, link.target))
    named = Counter(paper for paper, _ in part.pairs)
    ranked = sorted((paper.id for paper in part.papers), key=lambda i: (-linked[i], -named[i], i))
    return set(ranked[:most])


MAX_NODES = 500
"""Nodes that a small view draws at most."""

_FEW = 150  # nodes up to which a small view draws all concepts


@dataclass(frozen=True, slots=True)
class Choice(Part):
    """What a small view draws; its concepts are all those of its papers.

    Args:
        drawn: Ids of the concepts that are drawn; the others are found by search.
        notice: What was left out, in words; empty where nothing was.
    """

    drawn: frozenset[str]
    notice: str

    @property
    def lines(self) -> Edges:
        """One edge a paper and drawn concept, the one of the strongest role."""
        first: dict[tuple[str, str], EvidenceRecord] = {}
        for edge in self.edges:
            if edge.concept in self.drawn:
                first.setdefault((edge.paper, edge.concept), edge)
        return tuple(first.values())


def choose(view: View, max_nodes: int = MAX_NODES) -> Choice:
    """Return the part of a graph that a small view draws.

    Concepts of a single paper stay out unless it proposes them or the graph is small.
    """
    part = whole(view)
    few = len(part) <= min(_FEW, max_nodes)
    wanted = {c.id for c in part.concepts} if few else _worth_drawing(part.edges)
    kept = _best_papers(part, max(max_nodes - len(wanted), max_nodes // 2))
    spread = Counter(concept for paper, concept in part.pairs if paper in kept)
    ranked = sorted((c for c in wanted if spread[c]), key=lambda c: (-spread[c], c))
    drawn = ranked[: max(0, max_nodes - len(kept))]
    chosen = _among(part, kept, set(spread))
    notice = _notice(len(kept), len(part.papers), len(drawn), len(part.concepts))
    return Choice(
        chosen.papers, chosen.concepts, chosen.edges, chosen.links, frozenset(drawn), notice
    )


def _notice(papers: int, all_papers: int, concepts: int, all_concepts: int) -> str:
    if papers < all_papers:
        return (
            f"Showing {papers:,} of {all_papers:,} papers, the best linked, and {concepts:,} of "
            f"{all_concepts:,} concepts. All are in the files of the graph."
        )
    if concepts < all_concepts:
        return (
            f"Showing {concepts:,} of {all_concepts:,} concepts: those that papers share or "
            "propose. Search finds all."
        )
    return ""
