"""What cleaning changes of each record, kept on disk, so that no record is cleaned twice.

Record ──▶ hash of its raw fields ──▶ kept: the record with these changes is the paper
                                  └─▶ new:  cleaned, and kept for the next time
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from sys import intern
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from kg import clean, identity, language
from kg.duplicates import traits
from kg.errors import FolderError
from kg.model import Paper, Record, Skipped
from kg.readers import Taken, take, warnings_of

_RULES = b"rules"
_WRITTEN: dict[str, Any] = {
    "compression": "zstd",
    "use_dictionary": False,  # hashes, and texts that are all different
    "write_page_checksum": True,
}
_SCHEMA = pa.schema(
    [("record", pa.binary()), ("changes", pa.string()), ("fingerprint", pa.binary())]
)


class _Kept(NamedTuple):
    """What is kept of a record: JSON of the fields that cleaning changes, empty if it is none."""

    changes: str
    fingerprint: bytes


class Cleaned:
    """The cleaned records of a graph folder.

    Args:
        folder: The cache's folder; made when something is kept.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / "cleaned.parquet"

    def take(self, records: Iterable[Record | Skipped]) -> Iterator[Taken]:
        """Take records as `kg.readers.take` does, those that are kept without cleaning them.

        After the last, exactly the records that were taken are kept.

        Raises:
            FolderError: If they cannot be written, as when the disk is full.
        """
        kept = self._read()
        used: dict[bytes, _Kept] = {}
        for record in records:
            if isinstance(record, Skipped):
                yield take(record)
                continue
            key = _key(record)
            found = used.get(key) or kept.get(key)
            if found:
                yield Taken(_restored(record, found), warnings_of(record), found.fingerprint)
            else:
                taken = take(record)
                found = _to_keep(record, taken)
                yield taken
            if found:
                used[key] = found
        if used.keys() != kept.keys():
            self._write(used)

    def _read(self) -> dict[bytes, _Kept]:
        """Return what is kept; nothing if the rules have changed, or it cannot be read."""
        try:
            table = pq.read_table(self._path, page_checksum_verification=True)
        except (OSError, pa.ArrowException):
            return {}
        if not table.schema.equals(_schema(), check_metadata=True):
            return {}
        keys, *columns = (column.to_numpy() for column in table.columns)
        return dict(zip(keys, map(_Kept, *columns), strict=True))

    def _write(self, used: Mapping[bytes, _Kept]) -> None:
        """Write what is kept, all of it or nothing."""
        rows = [(key, *kept) for key, kept in used.items()]
        columns = list(zip(*rows, strict=True)) or [()] * len(_SCHEMA)
        table = pa.table(columns, schema=_schema())
        temporary = self._path.with_name(f".{self._path.name}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            pq.write_table(table, temporary, **_WRITTEN)
            temporary.replace(self._path)
        except OSError as error:
            with suppress(OSError):
                temporary.unlink()
            reason = error.strerror or error
            raise FolderError(f"cannot write to {self._path.parent}: {reason}") from None


def _key(record: Record) -> bytes:
    """Return a hash of all that cleaning reads of a record."""
    texts = (record.title, record.venue, record.doi, record.url, record.identifier)
    raw = repr((record.abstract, texts, record.authors, record.keywords))
    return hashlib.blake2b(raw.encode(), digest_size=16).digest()


def _as_it_is(record: Record) -> dict[str, Any]:
    """Return the fields of the paper that a record is where cleaning changes nothing."""
    return {
        "id": record.identifier,
        "abstract": record.abstract,
        "title": record.title,
        "authors": record.authors,
        "year": record.year,
        "venue": intern(record.venue),
        "doi": record.doi,
        "url": record.url,
        "keywords": record.keywords,
        "code_urls": (),
        "language": "en",
        "also_known_as": (),
        "source": record.source,
    }


def _to_keep(record: Record, taken: Taken) -> _Kept | None:
    if isinstance(taken.item, Skipped):
        return None
    changes = {
        name: new
        for name, old in _as_it_is(record).items()
        if (new := getattr(taken.item, name)) != old
    }
    return _Kept(json.dumps(changes) if changes else "", taken.fingerprint)


def _restored(record: Record, kept: _Kept) -> Paper:
    fields = _as_it_is(record)
    if kept.changes:
        changes = json.loads(kept.changes)
        fields |= {name: tuple(new) if type(new) is list else new for name, new in changes.items()}
    return Paper(**fields)


def _schema() -> pa.Schema:
    return _SCHEMA.with_metadata({_RULES: _rules_version()})


@cache
def _rules_version() -> str:
    """Return a hash of all that decides what cleaning makes of a record: code, lists, models."""
    package = Path(clean.__file__).parent
    own = [Path(module.__file__ or "") for module in (identity, language, traits)]
    digest = hashlib.sha256(unicodedata.unidata_version.encode())
    digest.update(repr([version(name) for name in ("ftfy", "py3langid")]).encode())
    for path in sorted({*package.glob("*.py"), *package.glob("*.txt"), *own, Path(__file__)}):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
