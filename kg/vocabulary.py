"""What users say of names in files of their own: one, two, not wanted, known elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_TOLD = 100  # warnings of one file that are told one by one


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Names as a user's files say, in the order of their lines.

    Args:
        merged: (name, the label that stands for it).
        left_out: Names that make no concept.
        apart: Pairs of names that never become one concept.
        same_as: (label, IRI of the concept in another vocabulary).
        warnings: Lines that could not be used, each with its place.
    """

    merged: tuple[tuple[str, str], ...] = ()
    left_out: tuple[str, ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    same_as: tuple[tuple[str, str], ...] = ()
    warnings: tuple[str, ...] = ()


NOTHING = Vocabulary()
"""What a user says who gives no files."""


def joined(vocabularies: Iterable[Vocabulary]) -> Vocabulary:
    """Return several vocabularies as one; where they disagree, the first to speak is heard.

    Example:
        >>> joined([Vocabulary(left_out=("a",)), Vocabulary(left_out=("b",))]).left_out
        ('a', 'b')
    """
    parts = list(vocabularies)
    return Vocabulary(
        merged=tuple(pair for part in parts for pair in part.merged),
        left_out=tuple(name for part in parts for name in part.left_out),
        apart=tuple(pair for part in parts for pair in part.apart),
        same_as=tuple(pair for part in parts for pair in part.same_as),
        warnings=tuple(warning for part in parts for warning in part.warnings),
    )


def told(warnings: Sequence[str], file: str) -> tuple[str, ...]:
    """Return the first warnings of a file, and how many more there are."""
    rest = len(warnings) - _TOLD
    return (*warnings[:_TOLD], *([f"{file}: {rest} more lines cannot be used"] if rest > 0 else []))
