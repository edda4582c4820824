"""CoNLL: a token and its BIO tag a line, a blank line after each sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from kg.errors import InputError
from kg.evaluation.documents import Document, Entity

_TAG = re.compile(r"[oO]|([BILUSEM])[-_](\S+)")
_NAME = re.compile(r"#\s*(?:sent_)?id\s*[= ]\s*(\S+)")
_OPENS = "BUS"
_CLOSES = "LUSE"


@dataclass(slots=True)
class _Sentence:
    tokens: list[str] = field(default_factory=list)
    entities: list[Entity] = field(default_factory=list)
    open: bool = False  # whether the last entity may go on
    length: int = 0
    place: str = ""
    name: str = ""

    def add(self, token: str, prefix: str, label: str) -> None:
        start = self.length + bool(self.tokens)
        self.tokens.append(token)
        self.length = start + len(token)
        goes_on = self.open and prefix not in _OPENS and self.entities[-1].label == label
        if label and goes_on:
            self.entities[-1] = replace(self.entities[-1], end=self.length)
        elif label:
            self.entities.append(Entity(start, self.length, label))
        self.open = bool(label) and prefix not in _CLOSES

    def document(self, number: int) -> Document:
        return Document(
            id=self.name or str(number),
            abstract=" ".join(self.tokens),
            entities=tuple(self.entities),
            place=self.place,
        )


def read(lines: Iterable[str], file: str) -> Iterator[Document]:
    """Read one document a sentence; its text is the tokens, joined by blanks.

    The token is the first column, the tag the last, parted by tabs or blanks. Tags are BIO,
    IOB1, BIOES or BILOU. A sentence is called by its number, from 1, or by a comment before it
    such as ``# id = …``.

    Args:
        lines: Of a file.
        file: Its name, for messages.

    Raises:
        InputError: If a line has no tag that can be read; the message says where.
    """
    number = 0
    sentence = _Sentence()
    for place, line in enumerate([*lines, ""], start=1):
        columns = line.split()
        if columns and not line.startswith("-DOCSTART-"):
            _take(sentence, line, columns, f"{file}:{place}")
        elif sentence.tokens:
            number += 1
            yield sentence.document(number)
            sentence = _Sentence()


def _take(sentence: _Sentence, line: str, columns: list[str], place: str) -> None:
    tag = _TAG.fullmatch(columns[-1]) if len(columns) > 1 else None
    if tag:
        sentence.place = sentence.place or place
        sentence.add(columns[0], tag[1] or "O", tag[2] or "")
    elif not line.startswith("#"):
        raise InputError(
            f"{place}: {line.strip()!r} has no BIO tag in its last column; "
            "write a token and O, B-Label or I-Label"
        )
    elif name := _NAME.match(line):
        sentence.name = name[1]
