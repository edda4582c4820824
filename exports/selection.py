"""Which part of a graph is shown where all of it would be too much."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from exports import style
from exports.errors import OptionError
from exports.rows import Indices, Rows, rows
from exports.view import ConceptRecord, EvidenceRecord, LinkRecord, PaperRecord, View

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Nodes:
    """Papers or concepts, numbered in the order of their ids.

    Args:
        rows: The records of the whole graph.
        at: Which of them these are, ``(n,)``.
        ids: Their ids, sorted.
    """

    rows: Rows
    at: Indices
    ids: Sequence[str]

    def __len__(self) -> int:
        return len(self.ids)

    def column(self, name: str) -> list[Any]:
        """Return a field of all of them."""
        values = self.rows.column(name)
        return [values[place] for place in self.at.tolist()]

    def records(self) -> list[Any]:
        """Return them as records."""
        return self.rows.take(self.at).records()

    def only(self, kept: Mask) -> Nodes:
        """Return some of them."""
        ids = [self.ids[number] for number in np.flatnonzero(kept).tolist()]
        return Nodes(self.rows, self.at[kept], ids)


@dataclass(frozen=True, slots=True)
class Lines:
    """What lies between numbered nodes, in the order in which it is shown.

    Args:
        rows: The records of the whole graph.
        at: Which of them these are, ``(m,)``.
        source: Number of the paper at one end, ``(m,)``.
        target: Number of the concept, or of the paper, at the other, ``(m,)``.
    """

    rows: Rows
    at: Indices
    source: Indices
    target: Indices

    def __len__(self) -> int:
        return len(self.at)

    def taken(self) -> Rows:
        """Return their records alone."""
        return self.rows.take(self.at)

    def codes(self, name: str, keys: Sequence[str]) -> Indices:
        """Return the place of a field's value among the keys, -1 for others, ``(m,)``."""
        return self.rows.codes(name, keys)[self.at]

    def apart(self) -> Lines:
        """Return them with their records alone, which then stand in this order."""
        return Lines(self.taken(), np.arange(len(self)), self.source, self.target)

    def only(self, kept: Mask | Indices | slice) -> Lines:
        """Return some of them, at the same nodes."""
        return Lines(self.rows, self.at[kept], self.source[kept], self.target[kept])

    def among(self, sources: Mask, targets: Mask) -> Lines:
        """Return those between nodes that are kept, which are numbered anew."""
        left = self.only(sources[self.source] & targets[self.target])
        source, target = np.cumsum(sources) - 1, np.cumsum(targets) - 1
        return Lines(left.rows, left.at, source[left.source], target[left.target])


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a graph: papers, concepts, and what lies between them.

    Args:
        papers: The papers.
        concepts: The concepts.
        edges: From these papers to these concepts, by paper, the strongest role first.
        links: Between these papers, sorted by their ids.
    """

    papers: Nodes
    concepts: Nodes
    edges: Lines
    links: Lines

    def __len__(self) -> int:
        return len(self.papers) + len(self.concepts)

    @property
    def pairs(self) -> Indices:
        """Number of paper and concept of the edges, each pair once, ``(m, 2)``."""
        keys = np.unique(self.edges.source * len(self.concepts) + self.edges.target)
        return np.stack(np.divmod(keys, max(len(self.concepts), 1)), axis=1)

    def among(self, papers: Mask, concepts: Mask) -> Part:
        """Return what lies among some papers and concepts."""
        return Part(
            self.papers.only(papers),
            self.concepts.only(concepts),
            self.edges.among(papers, concepts),
            self.links.among(papers, papers),
        )


def whole(view: View) -> Part:
    """Return the graph with its edges in order, without those that lead nowhere."""
    papers, concepts = _nodes(rows(view, "papers")), _nodes(rows(view, "concepts"))
    edges = lines(rows(view, "edges"), ("paper", papers), ("concept", concepts))
    links = lines(rows(view, "links"), ("source", papers), ("target", papers))
    return Part(papers, concepts, _by_role(edges), links)


def _nodes(found: Rows) -> Nodes:
    place = {key: number for number, key in enumerate(found.column("id"))}
    ids = sorted(place)
    return Nodes(found, np.array([place[key] for key in ids], dtype=np.int64), ids)


def lines(found: Rows, source: tuple[str, Nodes], target: tuple[str, Nodes]) -> Lines:
    """Return the records between known nodes, sorted by these.

    Args:
        found: The records.
        source: The field that holds the id of one end, and the nodes there.
        target: The same of the other end.
    """
    ends = [found.codes(name, nodes.ids) for name, nodes in (source, target)]
    at = np.lexsort((ends[1], ends[0]))
    at = at[(ends[0][at] >= 0) & (ends[1][at] >= 0)]
    return Lines(found, at, ends[0][at], ends[1][at])


def _by_role(edges: Lines) -> Lines:
    """Return the edges by paper, the strongest role first, then by concept and place."""
    role = edges.codes("role", sorted(edges.rows.distinct("role"), key=style.role_rank))
    field = edges.codes("field", edges.rows.distinct("field"))
    start = np.array(edges.rows.column("start"), dtype=np.int64)[edges.at]
    return edges.only(np.lexsort((start, field, edges.target, role, edges.source)))


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
    number, label = _named(part.concepts, name)
    papers, concepts = np.zeros(len(part.papers), bool), np.zeros(len(part.concepts), bool)
    concepts[number] = True
    edges, links = part.edges, part.links
    for _ in range(hops):
        here, there = papers.copy(), concepts.copy()
        papers[edges.source[there[edges.target]]] = True
        concepts[edges.target[here[edges.source]]] = True
        papers[links.source[here[links.target]]] = True
        papers[links.target[here[links.source]]] = True
    return part.among(papers, concepts), label


def _named(concepts: Nodes, name: str) -> tuple[int, str]:
    """Return number and label of the concept of that name: its id, its label, another name."""
    wanted, labels = name.casefold(), concepts.column("label")
    others = zip(concepts.column("abbreviations"), concepts.column("aliases"), strict=True)
    ranks = (
        ([key] for key in concepts.ids),
        ([label] for label in labels),
        ((*a, *b) for a, b in others),
    )
    for names in ranks:
        for number, known in enumerate(names):
            if wanted in map(str.casefold, known):
                return number, labels[number]
    raise OptionError(f"this graph has no concept {name!r}")


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
    wanted = _worth_drawing(part)
    papers = _best_papers(part, max(max_nodes - int(wanted.sum()), max_nodes // 2, 1))
    spread = _spread(part, papers)
    order = np.lexsort((-spread, ~wanted, spread == 0))
    room = min(max_nodes - int(papers.sum()), int((spread > 0).sum()))
    return part.among(papers, _mask(order[:room], len(spread)))


def _mask(numbers: Indices, count: int) -> Mask:
    mask = np.zeros(count, bool)
    mask[numbers] = True
    return mask


def _worth_drawing(part: Part) -> Mask:
    """Return the concepts that several papers name or one proposes."""
    role = part.edges.codes("role", ["proposes"])
    proposed = _mask(part.edges.target[role == 0], len(part.concepts))
    return (_spread(part, np.ones(len(part.papers), bool)) > 1) | proposed


def _spread(part: Part, papers: Mask) -> Indices:
    """Return how many of some papers name each concept."""
    pairs = part.pairs
    named = pairs[papers[pairs[:, 0]], 1]
    return np.bincount(named, minlength=len(part.concepts)).astype(np.int64)


def _best_papers(part: Part, most: int) -> Mask:
    """Return the papers of most links, among equals those of most concepts, then the first."""
    count = len(part.papers)
    ends = np.concatenate([part.links.source, part.links.target])
    linked = np.bincount(ends, minlength=count)
    named = np.bincount(part.pairs[:, 0], minlength=count)
    return _mask(np.lexsort((-named, -linked))[:most], count)


MAX_NODES = 500
"""Nodes that a small view draws at most."""

_FEW = 150  # nodes up to which a small view draws all concepts


@dataclass(frozen=True, slots=True)
class Choice:
    """What a small view draws, as records; its concepts are all those of its papers.

    Args:
        papers: The papers, sorted by id.
        concepts: The concepts, sorted by id.
        edges: From these papers to these concepts, by paper, the strongest role first.
        links: Between these papers, sorted by their ids.
        part: The papers, and of the concepts those that are drawn; the others are found by
            search.
        notice: What was left out, in words; empty where nothing was.
    """

    papers: tuple[PaperRecord, ...]
    concepts: tuple[ConceptRecord, ...]
    edges: tuple[EvidenceRecord, ...]
    links: tuple[LinkRecord, ...]
    part: Part
    notice: str

    @property
    def numbers(self) -> dict[str, int]:
        """The number of each paper, ``p`` and its id, and of each concept, ``c`` and its id."""
        names = [f"p{paper.id}" for paper in self.papers]
        names += [f"c{concept.id}" for concept in self.concepts]
        return {name: number for number, name in enumerate(names)}

    @property
    def drawn(self) -> Sequence[str]:
        """Ids of the concepts that are drawn."""
        return self.part.concepts.ids

    @property
    def lines(self) -> Iterable[EvidenceRecord]:
        """One edge a paper and drawn concept, the one of the strongest role."""
        drawn = set(self.drawn)
        first: dict[tuple[str, str], EvidenceRecord] = {}
        for edge in self.edges:
            if edge.concept in drawn:
                first.setdefault((edge.paper, edge.concept), edge)
        return first.values()


def choose(view: View, max_nodes: int = MAX_NODES) -> Choice:
    """Return the part of a graph that a small view draws.

    Concepts of a single paper stay out unless it proposes them or the graph is small.
    """
    everything = whole(view)
    few = len(everything) <= min(_FEW, max_nodes)
    wanted = np.ones(len(everything.concepts), bool) if few else _worth_drawing(everything)
    papers = _best_papers(everything, max(max_nodes - int(wanted.sum()), max_nodes // 2))
    spread = _spread(everything, papers)
    ranked = np.lexsort((-spread, ~wanted | (spread == 0)))
    room = min(max(0, max_nodes - int(papers.sum())), int((wanted & (spread > 0)).sum()))
    chosen = everything.among(papers, spread > 0)
    part = everything.among(papers, _mask(ranked[:room], len(spread)))
    return Choice(
        tuple(chosen.papers.records()),
        tuple(chosen.concepts.records()),
        tuple(chosen.edges.taken().records()),
        tuple(chosen.links.taken().records()),
        part,
        _notice(part, everything),
    )


def _notice(part: Part, everything: Part) -> str:
    papers, concepts = len(part.papers), len(part.concepts)
    all_papers, all_concepts = len(everything.papers), len(everything.concepts)
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
