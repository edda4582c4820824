"""A graph in memory, as writers read it: for the tests of what is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from exports.view import (
    ConceptRecord,
    EvidenceRecord,
    LinkRecord,
    PaperRecord,
    ResultRecord,
    RunRecord,
)


@dataclass
class MemoryView:
    """Its records come in whatever order they were put there."""

    paper_records: list[PaperRecord] = field(default_factory=list)
    concept_records: list[ConceptRecord] = field(default_factory=list)
    edge_records: list[EvidenceRecord] = field(default_factory=list)
    link_records: list[LinkRecord] = field(default_factory=list)
    result_records: list[ResultRecord] = field(default_factory=list)
    title: str = "Ferns and mosses"
    version: str = ""

    def papers(self) -> Iterator[PaperRecord]:
        return iter(self.paper_records)

    def concepts(self) -> Iterator[ConceptRecord]:
        return iter(self.concept_records)

    def edges(self) -> Iterator[EvidenceRecord]:
        return iter(self.edge_records)

    def mentions(self) -> Iterator[EvidenceRecord]:
        return iter(self.edge_records)

    def links(self) -> Iterator[LinkRecord]:
        return iter(self.link_records)

    def results(self) -> Iterator[ResultRecord]:
        return iter(self.result_records)

    def run(self) -> RunRecord:
        return RunRecord("https://example.org/", title=self.title, version=self.version)


class SortedView(MemoryView):
    """Its records come sorted, as a view promises."""

    def papers(self) -> Iterator[PaperRecord]:
        return iter(sorted(self.paper_records, key=lambda paper: paper.id))

    def concepts(self) -> Iterator[ConceptRecord]:
        return iter(sorted(self.concept_records, key=lambda concept: concept.id))

    def edges(self) -> Iterator[EvidenceRecord]:
        return iter(sorted(self.edge_records, key=lambda edge: (edge.paper, edge.concept)))

    def links(self) -> Iterator[LinkRecord]:
        return iter(sorted(self.link_records, key=lambda link: (link.source, link.target)))
