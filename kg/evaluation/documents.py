"""What is compared: an annotated text, and the same text as an extractor annotates it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from extractors.mention import ROLES

Pair = tuple[str, str]
"""A short form and its long form, as written."""


@dataclass(frozen=True, slots=True, order=True)
class Entity:
    """A labelled span of a text.

    Args:
        start: First code point.
        end: Code point after the last.
        label: What the span is, such as Method.
        role: What the paper does with it, one of `extractors.mention.ROLES`, or empty.
        concept: A name that all spans of one concept share; empty where none is given.
    """

    start: int
    end: int
    label: str
    role: str = ""
    concept: str = ""

    def overlaps(self, other: Entity) -> bool:
        """Tell whether two spans share a character."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its annotations; None where a kind of them was not made.

    Args:
        id: By which annotated and predicted documents find each other.
        abstract: The text, or what follows the title.
        title: Stands before the abstract, as "title. abstract"; offsets count from there.
        entities: The spans.
        ignored: Spans that are neither right nor wrong.
        keyphrases: Best first.
        abbreviations: Defined in the text.
        neutral_abbreviations: Pairs that are neither right nor wrong.
        place: Where the document stood, for messages.
    """

    id: str
    abstract: str = ""
    title: str = ""
    entities: tuple[Entity, ...] | None = None
    ignored: tuple[Entity, ...] = ()
    keyphrases: tuple[str, ...] | None = None
    abbreviations: tuple[Pair, ...] | None = None
    neutral_abbreviations: tuple[Pair, ...] = ()
    place: str = field(default="", compare=False)

    @property
    def text(self) -> str:
        """Return the text in which the offsets of the spans count, as `kg extract` joins it.

        Example:
            >>> Document("d", "It walks.", title="A walk").text
            'A walk. It walks.'
        """
        if not self.title or not self.abstract:
            return self.title or self.abstract
        return self.title + (" " if self.title[-1] in ".?!" else ". ") + self.abstract

    @property
    def spans(self) -> tuple[Entity, ...]:
        """Return the entities, none where the text was not annotated with them."""
        return self.entities or ()

    def words(self, span: Entity) -> str:
        """Return the words of a span."""
        return self.text[span.start : span.end]


def parse_role(text: str) -> str:
    """Return the role that an annotation names; ``compares`` is short for ``compares_with``.

    Raises:
        ValueError: If there is no such role.

    Example:
        >>> parse_role("compares"), parse_role("")
        ('compares_with', '')
    """
    role = "compares_with" if text == "compares" else text
    if role and role not in ROLES:
        raise ValueError(f"{text!r} is no role; roles are {', '.join(ROLES)}")
    return role


Aligned = tuple[Document, Document]
"""An annotated document and the predicted one of the same id."""


def align(gold: Iterable[Document], predicted: Mapping[str, Document]) -> Iterator[Aligned]:
    """Yield each annotated document with its prediction, an empty one where there is none."""
    for document in gold:
        yield document, predicted.get(document.id, Document(document.id))
