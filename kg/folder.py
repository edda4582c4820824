"""The graph folder: where it may be written, how it is finished, how it is opened.

``run.json`` is removed first and written last: a folder without it is not finished, and
never looks finished.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pyarrow as pa

from kg import tables
from kg.errors import FolderError
from kg.lock import locked

RUN = "run.json"
TURTLE = "graph.ttl"
CACHE = "cache"
LOCK = ".lock"
_STAGING = ".unfinished"


def read_run(folder: Path) -> dict[str, Any]:
    """Return what ``run.json`` says of a finished graph folder.

    Raises:
        FolderError: If the folder is missing, not finished, or of another schema.
    """
    if not folder.is_dir():
        raise FolderError(
            f"there is no graph folder {folder}; make one with: kg build FILES -o {folder}"
        )
    path = folder / RUN
    if not path.is_file():
        finish = "is not finished; run the same kg build again, it goes on where it stopped"
        raise FolderError(
            f"{folder} {finish if (folder / CACHE).is_dir() else 'holds no graph (no run.json)'}"
        )
    try:
        run: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        schema = run["schema"]
    except (ValueError, KeyError, TypeError):
        raise FolderError(f"{path} is damaged; delete {folder} and build again") from None
    if schema != tables.SCHEMA_VERSION:
        raise FolderError(
            f"{folder} has schema {schema}, this version reads {tables.SCHEMA_VERSION}; "
            f"build it again into a new folder"
        )
    return run


@contextmanager
def prepared(folder: Path, inputs: Sequence[str], *, replace: bool) -> Iterator[None]:
    """Make sure that a graph of these inputs may be written to a folder, by this run alone.

    Args:
        folder: The output folder; made if it is missing.
        inputs: Absolute paths of the input.
        replace: Whether a graph of other input may be replaced.

    Raises:
        FolderError: If it is a file, cannot be written, holds something else, or another run
            is writing to it.
    """
    if folder.exists() and not folder.is_dir():
        raise FolderError(f"{folder} is a file; choose another output folder with -o")
    if folder.is_dir() and any(folder.iterdir()):
        _check_content(folder, inputs, replace=replace)
    with ExitStack() as lock:
        with _writing(folder):
            (folder / CACHE).mkdir(parents=True, exist_ok=True)
            try:
                lock.enter_context(locked(folder / CACHE / LOCK))
            except BlockingIOError:
                raise FolderError(
                    f"another run is writing to {folder}; wait for its end, or choose another "
                    "output folder with -o"
                ) from None
        lock.callback(_tidy, folder / CACHE)
        yield


def _tidy(cache: Path) -> None:
    """Take away a lock with nothing beside it: the run ended before it extracted anything."""
    if cache.is_dir() and [path.name for path in cache.iterdir()] == [LOCK]:
        with suppress(OSError):
            (cache / LOCK).unlink()


def read_tables(folder: Path) -> Mapping[str, pa.Table]:
    """Return all tables of a finished graph folder, as it is now; each is unpacked when asked for.

    Raises:
        FolderError: If one is missing or cannot be read.
    """
    try:
        return _Tables({name: tables.open_file(folder, name) for name in tables.SCHEMAS})
    except (OSError, pa.ArrowException) as error:
        raise FolderError(f"a table of {folder} cannot be read ({error}); build it again") from None


class _Tables(Mapping[str, pa.Table]):
    """Tables by name; most questions need but a few of them."""

    def __init__(self, files: Mapping[str, pa.Buffer | None]) -> None:
        self._files = files
        self._read: dict[str, pa.Table] = {}

    def __getitem__(self, name: str) -> pa.Table:
        if name not in self._read:
            self._read[name] = tables.read(name, self._files[name])
        return self._read[name]

    def __contains__(self, name: object) -> bool:
        return name in self._files

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


@contextmanager
def publishing(folder: Path, run: Mapping[str, Any]) -> Iterator[Path]:
    """Give a staging folder for the files of a graph; move them into place at the end.

    If the block fails, the graph that stood there before is left whole.
    """
    staging = folder / _STAGING
    with _writing(folder):
        shutil.rmtree(staging, ignore_errors=True)
        staging.mkdir(parents=True)
        try:
            yield staging
            _write_run(staging, run)
            _move(staging, folder)
        finally:
            shutil.rmtree(staging, ignore_errors=True)


def _move(staging: Path, folder: Path) -> None:
    (folder / RUN).unlink(missing_ok=True)
    if not (staging / TURTLE).exists():
        (folder / TURTLE).unlink(missing_ok=True)  # that of a smaller corpus
    for path in sorted(staging.iterdir()):
        if path.name != RUN:
            path.replace(folder / path.name)
    (staging / RUN).replace(folder / RUN)


def _write_run(folder: Path, run: Mapping[str, Any]) -> None:
    text = json.dumps(run, indent=2, sort_keys=True)
    with (folder / RUN).open("w", encoding="utf-8", newline="\n") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())


def _check_content(folder: Path, inputs: Sequence[str], *, replace: bool) -> None:
    if not (folder / RUN).is_file():
        if not (folder / CACHE).is_dir():
            raise FolderError(f"{folder} is not empty and holds no graph; choose another folder")
        return
    stored = set(read_run(folder)["options"]["inputs"])
    if not replace and stored.isdisjoint(inputs):
        raise FolderError(
            f"{folder} holds the graph of other files ({', '.join(sorted(stored)[:2])}…); "
            "choose another folder, or say --replace"
        )


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if isinstance(error, FolderError):
            raise
        raise FolderError(f"cannot write to {folder}: {error.strerror or error}") from None
