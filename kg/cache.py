"""Raw extractions on disk, by text and extractor, so that nothing is extracted twice.

One folder an extractor and version; one Parquet file a part, written to a temporary name
and renamed, so that a run that is stopped keeps the parts it finished.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from extractors.mention import Abbreviation, Extraction, Extractor, Mention, Result, Role, Text

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


class Cache:
    """The raw extractions of a graph folder.

    Args:
        folder: The cache's folder; made when the first part is written.
        extractor: Whose answers it holds.
    """

    def __init__(self, folder: Path, extractor: Extractor) -> None:
        self._folder = folder / f"{extractor.name}-{_file_name(extractor.version)}"

    def read(self) -> dict[str, Extraction]:
        """Return all extractions by `text_key`; parts that cannot be read are dropped."""
        found: dict[str, Extraction] = {}
        for path in sorted(self._folder.glob("*.parquet")):
            try:
                rows = pq.read_table(path, schema=_SCHEMA).to_pylist()
            except (OSError, pa.ArrowException):
                path.unlink()
                continue
            found.update((row["text"], _decode(row["extraction"])) for row in rows)
        return found

    def write(self, extractions: Mapping[str, Extraction]) -> None:
        """Write one finished part; nothing if it is empty."""
        if not extractions:
            return
        rows = [
            {"text": key, "extraction": _encode(extraction)}
            for key, extraction in sorted(extractions.items())
        ]
        name = hashlib.sha256("".join(row["text"] for row in rows).encode()).hexdigest()[:16]
        self._folder.mkdir(parents=True, exist_ok=True)
        temporary = self._folder / f".{name}.{os.getpid()}"
        pq.write_table(pa.Table.from_pylist(rows, schema=_SCHEMA), temporary, compression="zstd")
        temporary.replace(self._folder / f"{name}.parquet")


def prune(folder: Path, extractors: Iterable[Extractor]) -> None:
    """Remove the answers of extractors no longer in use, and parts that a stop left unfinished."""
    used = {f"{extractor.name}-{_file_name(extractor.version)}" for extractor in extractors}
    for child in folder.iterdir() if folder.is_dir() else ():
        if child.name not in used:
            shutil.rmtree(child)
    for path in folder.glob("*/.*"):
        if path.is_file():
            path.unlink()


def _file_name(version: str) -> str:
    return "".join(char if char.isalnum() or char in ".-" else "_" for char in version)


def _encode(extraction: Extraction) -> str:
    return json.dumps(asdict(extraction), ensure_ascii=False, separators=(",", ":"))


def _decode(text: str) -> Extraction:
    content = json.loads(text)
    return Extraction(
        **{name: tuple(part(**row) for row in content[name]) for name, part in _PARTS.items()},
        rejected=tuple(content.get("rejected", ())),
    )
