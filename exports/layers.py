"""The whole graph as a stream of descriptions, layer after layer.

    papers → concepts → evidence → links → results → provenance → dataset

Papers are read side by side with their edges and mentions, so that no more than one paper
is held at a time; of people, venues and code only the names are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from pyoxigraph import NamedNode

from exports import descriptions as say
from exports.dataset import Tally, dataset, provenance, run_iri
from exports.descriptions import Description
from exports.errors import OptionError, OrderError
from exports.iris import Iris
from exports.passages import passages, phrase_iri
from exports.published import Published
from exports.results import result
from exports.view import EvidenceRecord, PaperRecord, View

LAYERS = ("papers", "concepts", "evidence", "links", "results", "provenance", "dataset")
"""All layers, in the order in which they come; one may be empty."""

EVIDENCE = ("none", "assertion", "full")
"""How much is said of the evidence: nothing, an assertion for each role, all the places."""


def iter_descriptions(
    view: View, evidence: str, abstracts: str, *, rdf12: bool = False
) -> Iterator[Description]:
    """Yield what the graph says, one description a subject, its data set last.

    Args:
        view: The graph, its records sorted.
        evidence: One of `EVIDENCE`.
        abstracts: "full", "evidence" (sentences alone) or "none".
        rdf12: Whether assertions reify their triple besides.

    Raises:
        OptionError: If an option or the base IRI is not what it may be.
        OrderError: If edges or mentions are not sorted by paper.
    """
    if evidence not in EVIDENCE:
        raise OptionError(f"evidence {evidence!r} is none of {', '.join(EVIDENCE)}")
    layers = _Layers(Published(view, abstracts), reified=rdf12)
    tally = Tally()
    yield from tally.counted(layers.all(evidence))
    yield from dataset(layers.iris, layers.view.run(), tally)


@dataclass
class _Layers:
    """The layers of one graph, and the names met on the way, each to be described once."""

    view: Published
    reified: bool = False
    people: set[str] = field(default_factory=set)
    venues: set[str] = field(default_factory=set)
    code: set[str] = field(default_factory=set)
    extractors: set[tuple[str, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.iris = Iris(self.view.run().base_iri)
        self.run = run_iri(self.iris, self.view.run())

    def all(self, evidence: str) -> Iterator[Description]:
        """Yield the layers that describe the content, then the run."""
        yield from self.papers()
        yield from self.concepts()
        if evidence == "assertion":
            yield from self._assertions(self.view.edges())
        elif evidence == "full":
            yield from self.places()
        for record in self.view.links():
            yield say.link(self.iris, record, self.run)
        yield from self.results(evidence)
        yield from provenance(self.iris, self.view.run(), self.extractors)

    def papers(self) -> Iterator[Description]:
        """Yield the papers, and after them the people, venues and code that they name."""
        for paper, edges in by_paper(self.view.papers(), self.view.edges()):
            yield say.paper(self.iris, paper, edges)
            yield from say.authorships(self.iris, paper)
            self._note(paper)
        yield from (say.person(self.iris, name) for name in sorted(self.people))
        yield from (say.venue(self.iris, name) for name in sorted(self.venues))
        yield from (say.code(NamedNode(address)) for address in sorted(self.code))

    def concepts(self) -> Iterator[Description]:
        """Yield the scheme and its concepts."""
        yield say.scheme(self.iris)
        yield from (say.concept(self.iris, record) for record in self.view.concepts())

    def places(self) -> Iterator[Description]:
        """Yield the texts, sentences and phrases of each paper, and what is asserted of them."""
        with_edges = by_paper(self.view.papers(), self.view.edges())
        with_mentions = by_paper(self.view.papers(), self.view.mentions())
        for (paper, edges), (_, mentions) in zip(with_edges, with_mentions, strict=True):
            places = [place for place in (*edges, *mentions) if place.quote]
            yield from passages(self.iris, paper, places)
            yield from self._assertions(edges, places)

    def results(self, evidence: str) -> Iterator[Description]:
        """Yield the results that papers report, with the place unless no evidence is wanted."""
        for record in self.view.results():
            self.extractors.update([(record.extractor, record.version)] if record.extractor else [])
            yield result(self.iris, record, self.run, placed=evidence != "none")

    def _assertions(
        self, edges: Iterable[EvidenceRecord], places: Iterable[EvidenceRecord] = ()
    ) -> Iterator[Description]:
        phrases: dict[str, list[NamedNode]] = {}
        for place in places:
            phrases.setdefault(place.concept, []).append(phrase_iri(self.iris, place))
        for edge in edges:
            if edge.quote:
                self.extractors.add((edge.extractor, edge.version))
                named = phrases.get(edge.concept, ())
                yield say.assertion(self.iris, edge, self.run, named, reified=self.reified)

    def _note(self, paper: PaperRecord) -> None:
        self.people.update(paper.authors)
        self.venues.update(filter(None, [paper.venue]))
        nodes = map(self.iris.outside, paper.code_urls)
        self.code.update(node.value for node in nodes if node)


def by_paper(
    papers: Iterable[PaperRecord], records: Iterable[EvidenceRecord]
) -> Iterator[tuple[PaperRecord, list[EvidenceRecord]]]:
    """Yield each paper with its records, reading both streams once.

    Raises:
        OrderError: If the records are not sorted by paper, or name one that is not there.
    """
    groups = groupby(records, key=lambda record: record.paper)
    key, group = next(groups, (None, iter(())))
    for paper in papers:
        if key != paper.id:
            yield paper, []
            continue
        yield paper, list(group)
        key, group = next(groups, (None, iter(())))
    if key is not None:
        raise OrderError(f"evidence of paper {key!r} is out of order, or the paper is missing")
