"""A file that grows page by page, and goes on where it stopped."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kg.errors import FolderError
from kg.fetch.service import Row


@dataclass
class Harvest:
    """The records fetched so far, in ``NAME.unfinished``, and where to go on, in ``NAME.state``.

    A page is written first and then, atomically, the state: what lies behind the size that
    the state knows is of a page that was not finished, and is written anew.

    Args:
        output: The file, once it is complete.
        task: What is fetched, and from where; another task does not go on with the file.
        position: Where the next page begins.
        records: Number of records.
        size: Their bytes.
        total: Records of all pages, where the service says it.
        complete: Whether there is no next page.
    """

    output: Path
    task: str
    position: str = ""
    records: int = 0
    size: int = 0
    total: int = 0
    complete: bool = False

    @classmethod
    def resume(cls, output: Path, task: str) -> Harvest:
        """Return what an earlier run for the same task left, or a new one.

        Raises:
            FolderError: If the output is there already, or is of another task.
        """
        harvest = cls(output, task)
        if output.exists():
            raise FolderError(f"{output} is there already; name another file, or move it away")
        stored = harvest._stored()
        if not stored:
            return harvest
        if stored["task"] != task:
            raise FolderError(
                f"{harvest._part} holds an unfinished run for {stored['task'][:80]!r}; repeat that "
                f"one, name another file, or remove {harvest._state}"
            )
        return cls(output, **stored)

    def add(self, records: Sequence[Row], position: str, total: int) -> None:
        """Append the records of a page.

        Raises:
            FolderError: If they cannot be written.
        """
        lines = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        self.position, self.complete = position, not position
        self.records += len(records)
        self.total = total or self.total
        with _explained(self.output):
            self._part.parent.mkdir(parents=True, exist_ok=True)
            with self._part.open("r+b" if self._part.exists() else "w+b") as file:
                file.seek(self.size)
                file.truncate()
                file.write(lines.encode("utf-8", "replace"))
                file.flush()
                os.fsync(file.fileno())
                self.size = file.tell()
            self._remember()

    def finish(self) -> None:
        """Give the file its name."""
        with _explained(self.output):
            with self._part.open("r+b") as file:
                file.truncate(self.size)
            self._part.replace(self.output)
            self._state.unlink(missing_ok=True)

    def discard(self) -> None:
        """Leave nothing behind."""
        for path in (self._part, self._state):
            path.unlink(missing_ok=True)

    @property
    def _part(self) -> Path:
        return self.output.with_name(f"{self.output.name}.unfinished")

    @property
    def _state(self) -> Path:
        return self.output.with_name(f"{self.output.name}.state")

    def _stored(self) -> dict[str, Any]:
        """Return the state of an earlier run; nothing where there is none that can be used."""
        try:
            stored = json.loads(self._state.read_text(encoding="utf-8"))
            fits = (
                stored["size"] <= self._part.stat().st_size
                and stored.keys() == self._values().keys()
            )
        except (OSError, ValueError, TypeError, LookupError, AttributeError):
            return {}
        return stored if fits else {}

    def _values(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "output"}

    def _remember(self) -> None:
        temporary = self._state.with_name(f"{self._state.name}.new")
        temporary.write_text(json.dumps(self._values()), encoding="utf-8")
        temporary.replace(self._state)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise FolderError(f"cannot write {path}: {error.strerror or error}") from None
