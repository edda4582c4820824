"""Annotated data of users' own, in the formats in which it is kept.

path ──▶ its format ──▶ Document, Document, …
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kg.errors import InputError
from kg.evaluation import brat, conll, jsonl
from kg.evaluation.documents import Document
from kg.readers.files import open_text
from kg.readers.jsonl import looks_like


def read_gold(path: str | Path) -> list[Document]:
    """Read annotated texts: JSON Lines, CoNLL, or a folder of brat's, told by their content.

    Args:
        path: A file, gzipped or not, or a folder.

    Raises:
        InputError: If it cannot be read, holds no document, or an annotation does not fit its
            text; the message says where.
    """
    documents = read_documents(path)
    if not documents:
        raise InputError(f"{str(path)!r} holds no annotated text")
    for document in documents:
        _check_spans(document)
    return documents


def read_documents(path: str | Path) -> list[Document]:
    """Read documents as `read_gold` does, whether or not their offsets fit the texts.

    Raises:
        InputError: If the path cannot be read, or an id comes twice.
    """
    documents = list(_documents(Path(path)))
    places: dict[str, str] = {}
    for document in documents:
        if document.id in places:
            raise InputError(
                f"{document.place}: the id {document.id!r} is that of {places[document.id]} too; "
                "give each text its own"
            )
        places[document.id] = document.place
    return documents


def _documents(path: Path) -> Iterator[Document]:
    if path.is_dir() or path.suffix == ".ann":
        yield from brat.read(path)
        return
    with open_text(path) as file:
        read = jsonl.read if looks_like(file.head) else conll.read
        yield from read(file.lines(), file.name)


def _check_spans(document: Document) -> None:
    end = len(document.text)
    for span in (*document.spans, *document.ignored):
        if not 0 <= span.start < span.end <= end:
            raise InputError(
                f"{document.place}: {span.label or 'a span'} at {span.start} to {span.end} lies "
                f"outside the text of {end} characters; offsets count code points from 0, the "
                "end stands after the last"
            )
