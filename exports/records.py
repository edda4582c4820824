"""The records that every writer reads, and the view that yields them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Protocol


@dataclass(frozen=True, slots=True)
class PaperRecord:
    """A paper, as a writer sees it; ``label`` is always there, ``title`` may be empty."""

    id: str
    label: str
    title: str = ""
    abstract: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    doi: str = ""
    url: str = ""
    keywords: tuple[str, ...] = ()
    code_urls: tuple[str, ...] = ()
    language: str = ""
    also_known_as: tuple[str, ...] = ()
    community: int | None = None
    community_label: str = ""


@dataclass(frozen=True, slots=True)
class ConceptRecord:
    """A concept with its names; ``papers`` counts the papers that have an edge to it."""

    id: str
    label: str
    kind: str
    aliases: tuple[str, ...] = ()
    abbreviations: tuple[str, ...] = ()
    broader: tuple[str, ...] = ()
    same_as: tuple[str, ...] = ()
    papers: int = 0
    related: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EvidenceRecord:
    """A place in a paper that names a concept; offsets as in the cleaned field."""

    paper: str
    concept: str
    role: str
    field: str
    start: int
    end: int
    quote: str
    sentence: str
    sentence_start: int
    confidence: float
    extractor: str
    version: str


@dataclass(frozen=True, slots=True)
class LinkRecord:
    """A link between two papers, with the concepts that they share."""

    source: str
    target: str
    weight: float
    shared: float
    similarity: float
    concepts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ResultRecord:
    """A number that a paper reports; concepts are ids, empty where a name has none."""

    paper: str
    metric: str
    relation: str
    value: float
    unit: str = ""
    qualifier: str = ""
    dataset: str = ""
    task: str = ""
    method: str = ""
    compared_value: float | None = None
    compared_method: str = ""
    metric_concept: str = ""
    dataset_concept: str = ""
    task_concept: str = ""
    method_concept: str = ""
    compared_concept: str = ""
    field: str = "abstract"
    start: int = 0
    end: int = 0
    quote: str = ""
    sentence: str = ""
    sentence_start: int = 0
    extractor: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """How the graph was made: run.json, as far as writers show it.

    Args:
        base_iri: Base of the data's IRIs, ending in "/" or "#".
        version: Version of the program.
        configuration: Hash of options and models.
        extractors: (name, version) of each.
        inputs: (file name, sha256) of each.
        title: A name for the graph.
    """

    base_iri: str
    version: str = ""
    configuration: str = ""
    extractors: tuple[tuple[str, str], ...] = ()
    inputs: tuple[tuple[str, str], ...] = ()
    title: str = "Paper knowledge graph"


FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(field.name for field in fields(kind))
    for kind in (PaperRecord, ConceptRecord, EvidenceRecord, LinkRecord, ResultRecord, RunRecord)
}
"""Names of the fields of each record, in their order."""

STREAMS: dict[str, type] = {
    "papers": PaperRecord,
    "concepts": ConceptRecord,
    "edges": EvidenceRecord,
    "mentions": EvidenceRecord,
    "links": LinkRecord,
    "results": ResultRecord,
}
"""The streams of a view, by the name of the method, and what they hold."""


class View(Protocol):
    """A graph as streams of records."""

    def papers(self) -> Iterator[PaperRecord]:
        """Yield the papers, sorted by id."""

    def concepts(self) -> Iterator[ConceptRecord]:
        """Yield the concepts, sorted by id."""

    def edges(self) -> Iterator[EvidenceRecord]:
        """Yield one record a paper and concept, with its best evidence, sorted by paper."""

    def mentions(self) -> Iterator[EvidenceRecord]:
        """Yield one record a place that names a concept, sorted by paper."""

    def links(self) -> Iterator[LinkRecord]:
        """Yield the links between papers, sorted by their two ids."""

    def results(self) -> Iterator[ResultRecord]:
        """Yield the results that papers report, sorted by paper and place."""

    def run(self) -> RunRecord:
        """Return how the graph was made."""
