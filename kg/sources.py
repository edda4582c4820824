"""Where papers are read: in files of this machine, or at addresses that only Spark reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kg import language
from kg.cleaned import Cleaned
from kg.errors import InputError
from kg.readers import Papers, Taken, gather, iter_records, take

if TYPE_CHECKING:
    from kg.engine.spark import Spark

_ELSEWHERE = "://"


def absolute(path: str | Path) -> str:
    """Return an absolute path; an address and the standard input as they are.

    Example:
        >>> absolute("s3a://bucket/works"), absolute("-")
        ('s3a://bucket/works', '-')
    """
    said = str(path)
    return said if said == "-" or _ELSEWHERE in said else str(Path(path).absolute())


def read_sources(
    sources: Sequence[str],
    engine: Spark | None,
    *,
    cache: Path | None = None,
    strict: bool = False,
    **options: Any,
) -> Papers:
    """Read the papers of files and, with Spark, of addresses; duplicates are joined.

    Args:
        sources: As `absolute` gives them.
        engine: Spark, where there is one.
        cache: The folder where cleaned records of files are kept, if they are.
        strict: As for `kg.readers.read_papers`.
        options: As for `kg.readers.read_papers`.

    Raises:
        InputError: If one cannot be read, or is an address and there is no Spark; with
            ``strict``, if a record is skipped.
        NothingFoundError: If no paper is found.
    """
    taken = _taken(sources, engine, cache, strict=strict, **options)
    read = gather(taken, strict=strict)
    language.forget()  # the steps to come have a use for the room
    return read


def _taken(
    sources: Sequence[str],
    engine: Spark | None,
    cache: Path | None,
    *,
    strict: bool,
    **options: Any,
) -> Iterator[Taken]:
    elsewhere = [source for source in sources if _ELSEWHERE in source]
    if elsewhere and engine is None:
        raise InputError(f"{elsewhere[0]} is read by Spark; add --engine spark, or download it")
    here = [source for source in sources if source not in elsewhere]
    records = iter_records(here, strict=strict, **options) if here else ()
    yield from Cleaned(cache).take(records) if cache else map(take, records)
    if engine is not None:
        for address in elsewhere:
            yield from engine.read(address, **options)
