"""What an extractor is given and what it gives back: the contract of this package.

    Text ──▶ Extractor ──▶ Extraction(mentions, abbreviations, roles, results)

Offsets are code points, half-open, into one field of the text, so that
``text.field(m.field)[m.start:m.end] == m.text`` holds for every mention.
Standard library only: a caller may import this module without any model.

    ExtractorError (Exception)
    ├── ModelError (also OSError)        a model's files are missing or do not fit
    ├── EndpointError (also OSError)     a server that was asked for does not answer as it should
    └── ContractError (also ValueError)  an extractor broke the contract
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

FIELDS = ("title", "abstract", "keywords")
KEYWORD_SEPARATOR = "; "

ROLES = ("proposes", "uses", "evaluates_on", "compares_with", "studies", "mentions")
"""What a paper does with a concept, strongest first."""

RELATIONS = ("value", "better", "worse", "higher", "lower")
"""How a result's number is meant: the metric's value, or the difference that a comparison found.

"improves WER by 2%" is better, "reduces WER by 2%" is lower: no sign is guessed.
"""


class ExtractorError(Exception):
    """Base of all errors that this package raises."""


class ModelError(ExtractorError, OSError):
    """A model cannot be loaded; the message names the path that was tried."""


class EndpointError(ExtractorError, OSError):
    """A server that the user named does not answer as it should; the message says what to do."""


class ContractError(ExtractorError, ValueError):
    """An extractor returned something that the text does not hold."""


@dataclass(frozen=True, slots=True)
class Text:
    """A paper's cleaned words, as an extractor sees them.

    Args:
        abstract: The cleaned abstract.
        title: The cleaned title, empty where the source has none.
        keywords: The authors' own keywords, in their order.

    Example:
        >>> Text("We propose X.", keywords=("graphs", "trees")).field("keywords")
        'graphs; trees'
    """

    abstract: str
    title: str = ""
    keywords: tuple[str, ...] = ()

    def field(self, name: str) -> str:
        """Return the text of one field, in which the offsets of its mentions count.

        Raises:
            ContractError: If ``name`` is none of `FIELDS`.
        """
        if name == "keywords":
            return KEYWORD_SEPARATOR.join(self.keywords)
        if name in FIELDS:
            return str(getattr(self, name))
        raise ContractError(f"unknown field {name!r}; fields are {', '.join(FIELDS)}")


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """A span of a text that names a concept.

    Args:
        field: The field that holds the span: title, abstract or keywords.
        start: First code point of the span.
        end: Code point after the last.
        kind: A lower-case word: keyword, method, dataset, task, metric, or one's own.
        text: The words of the span as written.
        score: Confidence, 0..1.
    """

    field: str
    start: int
    end: int
    kind: str
    text: str
    score: float


@dataclass(frozen=True, slots=True, order=True)
class Abbreviation:
    """A short form and the long form that the text defines for it.

    ``short`` and ``long`` are the words as written; the offsets locate the definition.
    """

    field: str
    short_start: int
    short_end: int
    long_start: int
    long_end: int
    short: str
    long: str


@dataclass(frozen=True, slots=True, order=True)
class Role:
    """What a text does with the concept that one of its mentions names.

    Args:
        field: The mention's field.
        start: The mention's first code point.
        end: Code point after its last.
        role: One of `ROLES`.
        score: Confidence, 0..1.
        sentence_start: First code point of the sentence that shows the role.
        sentence_end: Code point after its last.
    """

    field: str
    start: int
    end: int
    role: str
    score: float
    sentence_start: int
    sentence_end: int


@dataclass(frozen=True, slots=True, order=True)
class Result:
    """A result that an abstract reports, with the sentence that says it.

    "Accuracy rises by 3%" and "an accuracy of 93%" differ in ``relation``: a difference is
    never given as a value. What the sentence leaves open is empty.

    Args:
        field: The field that holds the sentence.
        sentence_start: First code point of the sentence.
        sentence_end: Code point after its last.
        metric: What was measured, as written.
        value: The number as written: of the metric, or of its difference.
        unit: Such as %, points, percentage points, ×; empty where the text has none.
        dataset: On which data, as written.
        task: For which task.
        method: Of which method.
        compared_value: What the metric was before, or is for the method compared with.
        relation: One of `RELATIONS`.
        compared_method: The method that the result is compared with.
        qualifier: What limits the number: up to, at least, over, under or about.
        start: First code point of the number with its unit.
        end: Code point after its last.
    """

    field: str
    sentence_start: int
    sentence_end: int
    metric: str
    value: float
    unit: str = ""
    dataset: str = ""
    task: str = ""
    method: str = ""
    compared_value: float | None = None
    relation: str = "value"
    compared_method: str = ""
    qualifier: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one extractor says of one text; an empty one is an answer too.

    ``rejected`` has what a model answered and the text does not bear out, in words for the
    user: such answers are counted and never used.
    """

    mentions: tuple[Mention, ...] = ()
    abbreviations: tuple[Abbreviation, ...] = ()
    roles: tuple[Role, ...] = ()
    results: tuple[Result, ...] = ()
    rejected: tuple[str, ...] = ()


@runtime_checkable
class Extractor(Protocol):
    """Anything that turns texts into extractions.

    ``name`` and ``version`` identify the answers: they are part of every statement's
    provenance and of the key under which raw answers are cached.
    """

    @property
    def name(self) -> str:
        """A short lower-case name, such as ``keywords``."""

    @property
    def version(self) -> str:
        """Changes whenever the answers may change (code, model or options)."""

    def extract(self, texts: Iterable[Text]) -> Iterator[Extraction]:
        """Yield one extraction a text, in order; alone or in a batch the same answer."""


def check(text: Text, extraction: Extraction) -> Extraction:
    """Return the extraction unchanged if it keeps the contract.

    Raises:
        ContractError: If an offset, a score or a role does not fit the text.

    Example:
        >>> text = Text("We use BERT.")
        >>> check(text, Extraction((Mention("abstract", 7, 11, "method", "BERT", 1.0),))) != None
        True
    """
    for mention in extraction.mentions:
        if text.field(mention.field)[mention.start : mention.end] != mention.text:
            raise ContractError(f"the text does not hold {mention}")
        if not mention.text.strip() or not 0.0 <= mention.score <= 1.0:
            raise ContractError(f"empty mention or score outside 0..1: {mention}")
    for pair in extraction.abbreviations:
        field = text.field(pair.field)
        if field[pair.short_start : pair.short_end] != pair.short:
            raise ContractError(f"the text does not hold the short form of {pair}")
        if field[pair.long_start : pair.long_end] != pair.long:
            raise ContractError(f"the text does not hold the long form of {pair}")
    for role in extraction.roles:
        inside = 0 <= role.sentence_start < role.sentence_end <= len(text.field(role.field))
        if role.role not in ROLES or not inside or not 0.0 <= role.score <= 1.0:
            raise ContractError(f"unknown role, sentence or score: {role}")
    for result in extraction.results:
        length = len(text.field(result.field))
        inside = 0 <= result.sentence_start < result.sentence_end <= length
        placed = 0 <= result.start <= result.end <= length
        if not inside or not placed or result.relation not in RELATIONS or not result.metric:
            raise ContractError(f"unknown relation or place, or no metric: {result}")
    return extraction
