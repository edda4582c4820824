"""Values for the parameters of the ready queries to which a graph has an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from exports.view import EvidenceRecord, LinkRecord, View
from exports.vocabulary import KINDS, ROLES


def usual_values(view: View) -> dict[str, str]:
    """Return what is most usual in a graph, by the name of a parameter; "" where it has none.

    Args:
        view: The graph.

    Example:
        >>> usual_values(kg.load("atlas").view)["dataset"]  # doctest: +SKIP
        'imagenet'
    """
    edges = [edge for edge in view.edges() if edge.quote]
    links = list(view.links())
    kinds = {record.id: record.kind for record in view.concepts()}
    concept = _most(edge.concept for edge in edges)
    alike = max(links, key=lambda link: (len(link.concepts), link.weight), default=None)
    reported = {result.dataset_concept for result in view.results()}
    evaluated = [edge for edge in edges if edge.role == "evaluates_on"]
    proposed = (kinds[edge.concept] for edge in edges if edge.role == "proposes")
    return {
        "author": _most(name for paper in view.papers() for name in paper.authors),
        "concept": concept,
        "dataset": _most(e.concept for e in evaluated if e.concept in reported)
        or _most(e.concept for e in evaluated),
        "kind": _most(kind for kind in proposed if kind in KINDS),
        "method": _most(edge.concept for edge in edges if kinds[edge.concept] == "method"),
        "one": alike.source if alike else "",
        "other": alike.target if alike else "",
        "paper": _linked(concept, edges, links),
        "role": _most(e.role for e in edges if e.concept == concept and e.role in ROLES),
    }


def _most(names: Iterable[str]) -> str:
    """Return the name that comes most often; of equals, the first by the alphabet."""
    counts = Counter(filter(None, names))
    return min(counts, key=lambda name: (-counts[name], name), default="")


def _linked(concept: str, edges: Iterable[EvidenceRecord], links: Iterable[LinkRecord]) -> str:
    """Return that paper of a concept that has most links, or any of the concept."""
    papers = {edge.paper for edge in edges if edge.concept == concept}
    ends = (end for link in links for end in (link.source, link.target))
    return _most(end for end in ends if end in papers) or min(papers, default="")
