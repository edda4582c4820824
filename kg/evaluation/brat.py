"""brat: a folder with a text (.txt) and its annotations (.ann) for each document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from kg.errors import InputError
from kg.evaluation.documents import Document, Entity, parse_role

_SPAN = re.compile(r"(T\S*)\t(\S+) (\d+ \d+(?:;\d+ \d+)*)(?:\t(.*))?")
_ROLE = re.compile(r"A\S*\trole (\S+) (\S+)", re.IGNORECASE)
_PIECE = re.compile(r"(\d+) (\d+)")


def read(path: Path) -> Iterator[Document]:
    """Read the documents of a folder and the folders in it, or the document of one .ann file.

    An entity in several pieces is one from its first to its last character. An attribute named
    ``Role`` gives an entity its role; other attributes, relations, events and notes are read
    over. A document is called by its path in the folder, without the suffix.

    Args:
        path: The folder, or the file.

    Raises:
        InputError: If there are no annotations, a text is missing, or a line does not fit its
            text; the message says where.
    """
    root = path if path.is_dir() else path.parent
    files = sorted(path.rglob("*.ann")) if path.is_dir() else [path]
    if not files:
        raise InputError(f"folder {str(path)!r} holds no .ann file; give a folder of brat's")
    for file in files:
        yield _document(file, file.relative_to(root).with_suffix("").as_posix())


@dataclass(frozen=True, slots=True)
class _Span:
    key: str
    label: str
    pieces: tuple[tuple[int, int], ...]
    words: str
    place: str

    def words_in(self, text: str) -> str:
        return " ".join(text[start:end] for start, end in self.pieces)

    def fits(self, text: str) -> bool:
        return not self.words or self.words_in(text).split() == self.words.split()


def _document(file: Path, name: str) -> Document:
    spans: list[_Span] = []
    roles: dict[str, str] = {}
    for number, line in enumerate(_content(file).split("\n"), start=1):
        place = f"{file.name}:{number}"
        if line.startswith("T"):
            spans.append(_span(line.rstrip("\r"), place))
        elif attribute := _ROLE.match(line):
            roles[attribute[1]] = _role(attribute[2], place)
    entities = tuple(
        Entity(s.pieces[0][0], s.pieces[-1][1], s.label, roles.get(s.key, "")) for s in spans
    )
    text = _fitting(_content(file.with_suffix(".txt")), spans)
    return Document(name, text, entities=entities, place=file.name)


def _content(file: Path) -> str:
    """Return the text of a file with its own line ends, which count in the offsets."""
    try:
        return file.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"there is no file {str(file)!r}; brat needs .ann and .txt") from None
    except UnicodeDecodeError:
        raise InputError(f"{str(file)!r} is no UTF-8; save it as UTF-8") from None
    except OSError as error:
        raise InputError(f"{str(file)!r} cannot be read: {error.strerror}") from None


def _span(line: str, place: str) -> _Span:
    match = _SPAN.fullmatch(line)
    if match is None:
        raise InputError(f"{place}: {line!r} is no entity of brat's, as in T1, Label 0 5, words")
    pieces = tuple((int(s), int(e)) for s, e in _PIECE.findall(match[3]))
    return _Span(match[1], match[2], pieces, match[4] or "", place)


def _fitting(text: str, spans: Sequence[_Span]) -> str:
    """Return the text in which the spans have their words: as it is, or with plain line ends."""
    plain = text.replace("\r\n", "\n")
    for candidate in (text, plain):
        if all(span.fits(candidate) for span in spans):
            return candidate
    wrong = next(span for span in spans if not span.fits(plain))
    raise InputError(
        f"{wrong.place}: {wrong.words!r} is not what the text has there, "
        f"{wrong.words_in(plain)!r}; the .txt file is not the one that was annotated"
    )


def _role(value: str, place: str) -> str:
    try:
        return parse_role(value)
    except ValueError as error:
        raise InputError(f"{place}: {error}") from None
