"""Which part of a graph is drawn where all of it would be a hairball."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from exports import style
from exports.view import ConceptRecord, EvidenceRecord, LinkRecord, PaperRecord, View

MAX_NODES = 500
_FEW = 150  # nodes up to which a graph is drawn with all its concepts


@dataclass(frozen=True, slots=True)
class Choice:
    """What is drawn of a graph.

    Args:
        papers: The papers, sorted by id.
        concepts: All concepts of these papers, sorted by id.
        drawn: Ids of the concepts that are drawn; the others are found by search.
        edges: Of these papers, the strongest role of a pair first.
        links: Between these papers.
        notice: What was left out, in words; empty where nothing was.
    """

    papers: tuple[PaperRecord, ...]
    concepts: tuple[ConceptRecord, ...]
    drawn: frozenset[str]
    edges: tuple[EvidenceRecord, ...]
    links: tuple[LinkRecord, ...]
    notice: str

    @property
    def numbers(self) -> dict[str, int]:
        """The number in the page of each paper, ``p`` and its id, and concept, ``c`` and its id."""
        names = [f"p{paper.id}" for paper in self.papers]
        names += [f"c{concept.id}" for concept in self.concepts]
        return {name: number for number, name in enumerate(names)}

    @property
    def lines(self) -> tuple[EvidenceRecord, ...]:
        """One edge a paper and drawn concept, the one of the strongest role."""
        first: dict[tuple[str, str], EvidenceRecord] = {}
        for edge in self.edges:
            if edge.concept in self.drawn:
                first.setdefault((edge.paper, edge.concept), edge)
        return tuple(first.values())


def choose(view: View, max_nodes: int = MAX_NODES) -> Choice:
    """Return the part of a graph that is drawn.

    Concepts of a single paper stay out unless it proposes them or the graph is small.
    """
    papers, concepts = list(view.papers()), {c.id: c for c in view.concepts()}
    edges = sorted(view.edges(), key=_edge_key)
    links = sorted(view.links(), key=lambda link: (link.source, link.target))
    wanted = _worth_drawing(edges, few=len(papers) + len(concepts) <= min(_FEW, max_nodes))
    kept = _best_papers(papers, edges, links, max(max_nodes - len(wanted), max_nodes // 2))
    edges = [edge for edge in edges if edge.paper in kept and edge.concept in concepts]
    spread = Counter(concept for _, concept in {(e.paper, e.concept) for e in edges})
    ranked = sorted((c for c in wanted if spread[c]), key=lambda c: (-spread[c], c))
    drawn = ranked[: max(0, max_nodes - len(kept))]
    return Choice(
        papers=tuple(paper for paper in papers if paper.id in kept),
        concepts=tuple(concepts[concept] for concept in sorted(spread)),
        drawn=frozenset(drawn),
        edges=tuple(edges),
        links=tuple(link for link in links if {link.source, link.target} <= kept),
        notice=_notice(len(kept), len(papers), len(drawn), len(concepts)),
    )


def _edge_key(edge: EvidenceRecord) -> tuple[Any, ...]:
    return edge.paper, edge.concept, style.role_rank(edge.role), edge.field, edge.start


def _worth_drawing(edges: Iterable[EvidenceRecord], *, few: bool) -> set[str]:
    papers = defaultdict(set)
    wanted = set()
    for edge in edges:
        papers[edge.concept].add(edge.paper)
        if few or edge.role == "proposes" or len(papers[edge.concept]) > 1:
            wanted.add(edge.concept)
    return wanted


def _best_papers(
    papers: list[PaperRecord], edges: list[EvidenceRecord], links: list[LinkRecord], most: int
) -> set[str]:
    linked = Counter(end for link in links for end in (link.source, link.target))
    named = Counter(edge.paper for edge in edges)
    ranked = sorted((paper.id for paper in papers), key=lambda i: (-linked[i], -named[i], i))
    return set(ranked[:most])


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
