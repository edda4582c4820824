"""Answers on disk, by text, so that nothing is worked out twice.

One folder an extractor and version, one for what was made of the extractions of a text; one
Parquet file a part, written to a temporary name and renamed, so that a run that is stopped
keeps the parts it finished.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from extractors.mention import Abbreviation, Extraction, Extractor, Mention, Result, Role, Text
from kg.errors import FolderError

_SCHEMA = pa.schema([("text", pa.string()), ("extraction", pa.string())])
_PARTS: dict[str, Any] = {
    "mentions": Mention,
    "abbreviations": Abbreviation,
    "roles": Role,
    "results": Result,
}


def text_key(text: Text) -> str:
    """Return the hash of a text's fields: the same words, the same key."""
    content = json.dumps([text.title, text.abstract, list(text.keywords)], ensure_ascii=True)
    return hashlib.sha256(content.encode()).hexdigest()[:32]


def read_parts(
    folder: Path, schema: pa.Schema, texts: pa.Array | None = None
) -> Iterator[pa.Table]:
    """Yield the parts of a folder; those that cannot be read are removed.

    Args:
        folder: The folder; it may be missing.
        schema: The columns of a part.
        texts: Keys of texts: of each part their rows alone. All rows if none are given.
    """
    for path in sorted(folder.glob("*.parquet")):
        try:
            part = _read_part(path, schema, texts)
        except (OSError, KeyError, pa.ArrowException):
            path.unlink()
        else:
            yield part


def _read_part(path: Path, schema: pa.Schema, texts: pa.Array | None) -> pa.Table:
    with pq.ParquetFile(path) as file:
        if texts is None:
            return file.read(use_threads=False).select(schema.names)
        asked = pc.is_in(file.read(["text"])["text"], value_set=texts)
        if not pc.any(asked).as_py():
            return schema.empty_table()
        return file.read().select(schema.names).filter(asked)


def write_part(folder: Path, part: pa.Table) -> None:
    """Write one finished part, all of it or nothing.

    Args:
        folder: The folder; made if it is missing.
        part: Rows with the keys of their texts in the column ``text``.

    Raises:
        FolderError: If it cannot be written, as when the disk is full.
    """
    name = hashlib.sha256("".join(part["text"].to_pylist()).encode()).hexdigest()[:16]
    temporary = folder / f".{name}.{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        pq.write_table(part, temporary, compression="zstd")
        temporary.replace(folder / f"{name}.parquet")
    except OSError as error:
        temporary.unlink(missing_ok=True)
        reason = error.strerror or error
        raise FolderError(f"cannot write to {folder}: {reason}") from None


class Cache:
    """The raw extractions of a graph folder.

    Args:
        folder: The cache's folder; made when the first part is written.
        extractor: Whose answers it holds.
    """

    def __init__(self, folder: Path, extractor: Extractor) -> None:
        self.folder = folder / f"{extractor.name}-{_file_name(extractor.version)}"

    def read(self, texts: Collection[str]) -> Mapping[str, Extraction]:
        """Return the extractions of some texts; parts that cannot be read are dropped.

        Args:
            texts: Their keys, as `text_key` gives them.
        """
        asked = pa.array(sorted(texts), pa.string())
        found: dict[str, str] = {}
        for part in read_parts(self.folder, _SCHEMA, asked) if texts else ():
            found.update(zip(*(part[name].to_pylist() for name in _SCHEMA.names), strict=True))
        return _Decoded(found)

    def write(self, extractions: Mapping[str, Extraction]) -> None:
        """Write one finished part; nothing if it is empty."""
        if extractions:
            rows = [
                {"text": key, "extraction": encode(extraction)}
                for key, extraction in sorted(extractions.items())
            ]
            write_part(self.folder, pa.Table.from_pylist(rows, schema=_SCHEMA))


class _Decoded(Mapping[str, Extraction]):
    """Extractions by key, made from their text when asked for: as objects they need much room."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def __getitem__(self, key: str) -> Extraction:
        return decode(self._texts[key])

    def __contains__(self, key: object) -> bool:
        return key in self._texts

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


def prune(folder: Path, used: Iterable[Path]) -> None:
    """Remove folders no longer in use, and parts that a stop left unfinished.

    Args:
        folder: The cache's folder.
        used: The folders in it to keep.
    """
    kept: Collection[str] = {path.name for path in used}
    for child in folder.iterdir() if folder.is_dir() else ():
        if child.is_dir() and child.name not in kept:
            shutil.rmtree(child)
    for path in folder.glob("*/.*"):
        if path.is_file():
            path.unlink()


def encode(extraction: Extraction) -> str:
    """Return an extraction as JSON."""
    return json.dumps(asdict(extraction), ensure_ascii=False, separators=(",", ":"))


def decode(text: str) -> Extraction:
    """Return the extraction of `encode`."""
    content = json.loads(text)
    return Extraction(
        **{name: tuple(part(**row) for row in content[name]) for name, part in _PARTS.items()},
        rejected=tuple(content.get("rejected", ())),
    )


def _file_name(version: str) -> str:
    return "".join(char if char.isalnum() or char in ".-" else "_" for char in version)
