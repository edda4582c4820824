"""The nouns of the product: papers, concepts, and the place that each came from.

Frozen, standard library only. Offsets are code points, half-open, into a paper's
cleaned fields, as in `extractors.mention`.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """Where a record was read.

    Args:
        file: The file's name, without its folder.
        line: The line on which the record begins, from 1; 0 where there are no lines.
        record: The record's own id in that file, empty where it has none.
    """

    file: str = ""
    line: int = 0
    record: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{place} ({self.record})" if self.record else place


@dataclass(frozen=True, slots=True)
class Record:
    """A record as a reader found it: raw strings, before cleaning and identity.

    Args:
        source: Where it stood.
        abstract: The raw abstract; empty where the record has none.
        title: The raw title.
        authors: Names as written, in order.
        year: Year of publication.
        venue: Journal or meeting.
        doi: As written; cleaning makes it a bare lower-case DOI.
        url: A page of the paper.
        keywords: The authors' own.
        identifier: The source's id of the paper (a BibTeX key, an "id" field), else empty.
        warnings: What was odd about the record though it was read.
    """

    source: Source
    abstract: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    doi: str = ""
    url: str = ""
    keywords: tuple[str, ...] = ()
    identifier: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class Skipped:
    """A record that was read and not taken, with the reason, in words for the user."""

    source: Source
    reason: str


_SHOWN = 60  # characters of an abstract that stand for a title


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper, cleaned; its text fields are those in which offsets count.

    Args:
        id: DOI, else the source's id, else a hash of the raw abstract's letters and digits.
        abstract: Cleaned abstract; empty where the source has a title alone.
        title: Cleaned title; empty where the source has none. No title is invented.
        authors: Names as written, in order.
        year: Year of publication, where known.
        venue: Journal or meeting.
        doi: Bare lower-case DOI, such as ``10.1000/x``.
        url: A page of the paper.
        keywords: The authors' own keywords, cleaned.
        code_urls: Links to code found in the abstract.
        language: ISO 639-1 code of the abstract's language; "" where too short to tell.
        also_known_as: Ids of records that were joined into this one.
        source: Where the record stood.
    """

    id: str
    abstract: str
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    venue: str = ""
    doi: str = ""
    url: str = ""
    keywords: tuple[str, ...] = ()
    code_urls: tuple[str, ...] = ()
    language: str = ""
    also_known_as: tuple[str, ...] = ()
    source: Source = field(default_factory=Source)

    def __repr__(self) -> str:
        words = self.title or f"{self.abstract[:_SHOWN]}…"
        return f"Paper({self.id!r}, {words!r}, year={self.year})"


@dataclass(frozen=True, slots=True)
class Concept:
    """One idea, whatever its names.

    Args:
        id: The canonical key of its names; the kind is not part of it.
        label: The preferred name.
        kind: method, dataset, task, metric, keyword, or one's own.
        aliases: Other names as written in the papers, without the abbreviations.
        abbreviations: Its short forms.
        broader: Ids of more general concepts in the same graph.
        same_as: IRIs of the concept in other vocabularies.
    """

    id: str
    label: str
    kind: str
    aliases: tuple[str, ...] = ()
    abbreviations: tuple[str, ...] = ()
    broader: tuple[str, ...] = ()
    same_as: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """A place in a paper that supports an edge to a concept.

    Args:
        paper: The paper's id.
        concept: The concept's id.
        role: What the paper does with the concept, as this sentence shows it.
        field: title, abstract or keywords.
        start: First code point of the quote.
        end: Code point after its last.
        quote: The words that name the concept.
        sentence: The sentence that holds them.
        sentence_start: First code point of the sentence.
        confidence: 0..1.
        extractor: Name of the extractor that found it.
        version: Its version.
    """

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
class Result:
    """A result that a paper reports, with the sentence that says it.

    Metric, data set, task and methods are as the sentence names them, empty where it does not;
    beside each stands the id of its concept in the graph, None where there is none.

    Args:
        paper: The paper's id.
        metric: What was measured.
        relation: How ``value`` is meant: the metric's "value", or by how much it is "better",
            "worse", "higher" or "lower" than what it is compared with.
        value: The number as written.
        unit: Such as %, points, percentage points, ×; empty where the text has none.
        qualifier: What limits the number: up to, at least, over, under, about, or nothing.
        dataset: On which data.
        task: For which task.
        method: Of which method.
        compared_value: What the metric was before, or is for the method compared with.
        compared_method: The method that the result is compared with.
        metric_concept: Concept of the metric; likewise the others.
        dataset_concept: Concept of the data set.
        task_concept: Concept of the task.
        method_concept: Concept of the method.
        compared_concept: Concept of the method compared with.
        field: title or abstract.
        start: First code point of the quote.
        end: Code point after its last.
        quote: The number with its unit, as written.
        sentence: The sentence that holds it.
        sentence_start: First code point of the sentence.
        extractor: Name of the extractor that found it.
        version: Its version.
    """

    paper: str
    metric: str
    relation: str
    value: float
    unit: str
    qualifier: str
    dataset: str
    task: str
    method: str
    compared_value: float | None
    compared_method: str
    metric_concept: str | None
    dataset_concept: str | None
    task_concept: str | None
    method_concept: str | None
    compared_concept: str | None
    field: str
    start: int
    end: int
    quote: str
    sentence: str
    sentence_start: int
    extractor: str
    version: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link between two papers: rank = shared + similarity, each said apart.

    Args:
        source: Id of the one paper, the smaller of the two.
        target: Id of the other.
        weight: Strength of the link, 0 and more.
        shared: Part of the weight that comes from shared concepts.
        similarity: Cosine of the abstracts' vectors, 0..1.
        concepts: Ids of the shared concepts, the most telling first.
    """

    source: str
    target: str
    weight: float
    shared: float
    similarity: float
    concepts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Relation:
    """Two concepts that papers name together more often than chance has it.

    Args:
        concept: Id of the one, the smaller of the two.
        other: Id of the other.
        papers: How many papers name both.
        npmi: Normalised pointwise mutual information, 0..1: how much more often than by chance.
        weight: The same, less the fewer papers there are; orders the related concepts.
    """

    concept: str
    other: str
    papers: int
    npmi: float
    weight: float


@dataclass(frozen=True, slots=True)
class Shared:
    """A concept that two papers share, with the sentences that say so.

    Args:
        concept: The concept, or the more general one of what each names.
        here: Where the one paper names it.
        there: Where the other does.
    """

    concept: Concept
    here: Evidence
    there: Evidence


@dataclass(frozen=True, slots=True)
class Related:
    """A paper that relates to another.

    Args:
        paper: The other paper.
        weight: Strength of the link.
        shared: Part of the weight that comes from shared concepts.
        similarity: Cosine of the abstracts' vectors, 0..1.
        because: The shared concepts with their sentences, the most telling first; empty where
            the words alone are similar.
    """

    paper: Paper
    weight: float
    shared: float
    similarity: float
    because: tuple[Shared, ...] = ()

    @property
    def concepts(self) -> tuple[Concept, ...]:
        """The shared concepts, the most telling first."""
        return tuple(item.concept for item in self.because)


@dataclass(frozen=True, slots=True)
class RelatedConcept:
    """A concept that papers name together with another.

    Args:
        concept: The other concept.
        papers: How many papers name both.
        npmi: Normalised pointwise mutual information, 0..1: how much more often than by chance.
        weight: The same, less the fewer papers there are; orders the related concepts.
    """

    concept: Concept
    papers: int
    npmi: float
    weight: float
