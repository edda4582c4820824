"""Answers: the lists that questions to a graph return, which are data frames when asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeVar, overload

from kg.errors import KGError
from kg.model import Concept, Evidence, Paper, Source

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")

_PLAIN: dict[type, Callable[[Any], str]] = {
    Paper: lambda paper: paper.id,
    Concept: lambda concept: concept.label,
    Evidence: lambda evidence: evidence.sentence,
    Source: str,
}


class Answers(list[T]):
    """The answers to a question, in order: a list that is a data frame when asked.

    Example:
        >>> Answers([Concept("squad", "SQuAD", "dataset")]).to_records()[0]["label"]
        'SQuAD'
        >>> load("atlas").concepts(kind="dataset").to_frame()  # doctest: +SKIP
    """

    def __repr__(self) -> str:
        return f"[{(',' + chr(10) + ' ').join(map(repr, self))}]"

    @overload
    def __getitem__(self, index: SupportsIndex, /) -> T: ...
    @overload
    def __getitem__(self, index: slice, /) -> Answers[T]: ...
    def __getitem__(self, index: SupportsIndex | slice, /) -> T | Answers[T]:
        if isinstance(index, slice):
            return Answers(super().__getitem__(index))
        return super().__getitem__(index)

    def to_records(self) -> list[dict[str, Any]]:
        """Return one dictionary an answer, of plain values by the names of its attributes.

        A paper is told by its id, with its title beside it; a concept by its label; a place in
        a paper by its sentence, with its role beside it.
        """
        return [_record(answer) for answer in self]

    def to_frame(self) -> pd.DataFrame:
        """Return the records as a pandas data frame.

        Raises:
            KGError: If pandas is not installed.
        """
        return pandas().DataFrame(self.to_records())


def pandas() -> Any:
    """Return the library pandas.

    Raises:
        KGError: If it is not installed.
    """
    try:
        return import_module("pandas")
    except ImportError:
        raise KGError("to_frame needs pandas; install it with: pip install pandas") from None


def _record(answer: object) -> dict[str, Any]:
    record: dict[str, Any] = {}
    for name in _attributes(type(answer)):
        value = getattr(answer, name)
        record[name] = _plain(value)
        if isinstance(value, Paper):
            record[f"{name}_title"] = value.title
        if isinstance(value, Evidence):
            record[f"{name}_role"] = value.role
    return record


def _attributes(kind: Any) -> Iterator[str]:
    """Yield the names of a dataclass's fields, then those of its properties."""
    yield from (field.name for field in fields(kind))
    yield from (name for name, value in vars(kind).items() if isinstance(value, property))


def _plain(value: Any) -> Any:
    if type(value) in _PLAIN:
        return _PLAIN[type(value)](value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return _record(value) if is_dataclass(value) else value
