"""The texts that the encoder learns from, each with the spans of one scheme.

Three annotated sets, each a head of its own with its own labels, and a fixed part of
each that is kept back to watch the training.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

Gold = tuple[int, int, str]

SCHEMES = {
    "scierc": ("Task", "Method", "Metric", "Material", "OtherScientificTerm", "Generic"),
    "scirex": ("Method", "Task", "Metric", "Dataset"),
    "tdmsci": ("Task", "Dataset", "Metric"),
}
"""The labels of each head."""


@dataclass(frozen=True, slots=True)
class Annotated:
    """A text with the entities that one scheme marks in it.

    Args:
        id: The record's own id.
        scheme: A key of `SCHEMES`.
        text: The text as annotated.
        spans: Start, end, label, in order, without overlaps.
    """

    id: str
    scheme: str
    text: str
    spans: tuple[Gold, ...]


def training_texts(gold: Path) -> Iterator[Annotated]:
    """Yield the texts to learn from, the development parts left out."""
    yield from read_scheme(gold / "scierc_train.jsonl", "scierc")
    scirex = read_scheme(gold / "scirex_abstracts.jsonl", "scirex")
    yield from (text for text in scirex if not _kept_back(text.id))
    tdmsci = list(read_scheme(gold / "tdmsci_train.jsonl", "tdmsci"))
    yield from tdmsci[: _nine_tenths(tdmsci)]


def development_texts(gold: Path) -> Iterator[Annotated]:
    """Yield the texts that are kept back while figures are compared."""
    yield from read_scheme(gold / "scierc_dev.jsonl", "scierc")
    scirex = read_scheme(gold / "scirex_abstracts.jsonl", "scirex")
    yield from (text for text in scirex if _kept_back(text.id))
    tdmsci = list(read_scheme(gold / "tdmsci_train.jsonl", "tdmsci"))
    yield from tdmsci[_nine_tenths(tdmsci) :]


def read_scheme(path: Path, scheme: str) -> Iterator[Annotated]:
    """Yield the records of a JSONL file, with the labels as the scheme names them."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            spans = {(s, e, _label(label, own, scheme)) for s, e, label, own in record["entities"]}
            if scheme == "scierc":
                spans |= {(s, e, label) for s, e, label in record.get("ignore", ())}
            yield Annotated(record["id"], scheme, record["text"], tuple(sorted(spans)))


def _label(label: str, own: str, scheme: str) -> str:
    return own if scheme == "scierc" else label


def _kept_back(identity: str) -> bool:
    """Tell whether a document belongs to the fixed 15 % that are kept back."""
    return int(hashlib.sha256(identity.encode()).hexdigest(), 16) % 100 < 15


def _nine_tenths(texts: list[Annotated]) -> int:
    """Sentences of one paper follow one another: the end of the file is kept back whole."""
    return len(texts) * 9 // 10
