"""A pool that outlives its workers, and finds the item that they die of.

Python's own pool breaks as a whole when one process dies, and does not say at which part.
Here each worker has a pipe of its own: where that ends, so did the worker, with its piece.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import islice
from multiprocessing.connection import wait
from typing import Any, TypeVar

from kg.engine.worker import Failure, Piece, Worker
from kg.errors import ExtractionError

T = TypeVar("T")
R = TypeVar("R")

DEATHS = 3
"""A piece that so many workers died of is halved; an item is set aside."""

_MOST = 60  # workers; Windows waits for 63 things at a time

_ALONE = "say jobs=1 (on the command line --jobs 1)"
_GUARD = 'in a script, put the call under: if __name__ == "__main__":'


def map_in_pool(
    work: Callable[[Sequence[T]], Sequence[R]], parts: Iterable[Sequence[T]], jobs: int
) -> Generator[tuple[int, Sequence[R | None]], None, None]:
    """Do as `kg.engine.map_parts` says, in ``jobs`` spawned processes."""
    try:
        pickled = pickle.dumps(work)
    except Exception as error:  # pickle raises whatever the objects raise
        raise ExtractionError(
            f"the extractors cannot be sent to other processes ({error}); {_ALONE}, "
            "or define them in a module"
        ) from error
    return _Pool(pickled, parts, min(jobs, _MOST)).run()


class _Pool:
    """The workers, the pieces that they hold, and those that wait for one."""

    def __init__(self, work: bytes, parts: Iterable[Sequence[Any]], jobs: int) -> None:
        self._work = work
        self._pieces = numbered(parts)
        self._waiting = deque(islice(self._pieces, jobs))
        self._size = len(self._waiting)
        self._workers: list[Worker] = []
        self._finished = self._set_aside = self._stillborn = 0

    def run(self) -> Generator[tuple[int, Sequence[Any]], None, None]:
        try:
            while self._more() or any(worker.piece for worker in self._workers):
                while len(self._workers) < self._size:
                    self._workers.append(Worker(self._work))
                self._distribute()
                by_connection = {worker.connection: worker for worker in self._workers}
                for connection in wait(list(by_connection)):
                    yield from self._hear(by_connection[connection])  # type: ignore[index]
        finally:
            for worker in self._workers:
                worker.stop()

    def _more(self) -> bool:
        """Tell whether there is a piece that no worker has yet; draw one if none waits."""
        if not self._waiting and (piece := next(self._pieces, None)):
            self._waiting.append(piece)
        return bool(self._waiting)

    def _distribute(self) -> None:
        for worker in self._workers:
            if worker.ready and worker.piece is None and self._more():
                worker.give(self._waiting.popleft())

    def _hear(self, worker: Worker) -> Iterator[tuple[int, Sequence[Any]]]:
        try:
            piece, answers = worker.take()
        except EOFError:
            yield from self._bury(worker)
            return
        if isinstance(answers, Failure):
            raise answers.error
        if piece is not None:
            self._finished += 1
            yield piece.start, answers

    def _bury(self, worker: Worker) -> Iterator[tuple[int, Sequence[Any]]]:
        """Remove a dead worker; `run` starts another. Decide what becomes of its piece."""
        self._workers.remove(worker)
        code = worker.exit_code()
        if not worker.ready:
            self._stillborn += 1
            if self._stillborn == DEATHS or code > 0:
                raise ExtractionError(f"worker processes cannot start; {_ALONE}; {_GUARD}")
        elif worker.piece is not None:
            yield from self._try_again(worker.piece)

    def _try_again(self, piece: Piece) -> Iterator[tuple[int, Sequence[Any]]]:
        piece.deaths += 1
        if piece.deaths < DEATHS:
            self._waiting.appendleft(piece)
        elif len(piece.items) > 1:
            self._waiting.extendleft(_halves(piece))
        else:
            self._set_aside += 1
            if self._set_aside == DEATHS and not self._finished:
                raise ExtractionError(f"worker processes die of every text; {_ALONE}")
            yield piece.start, [None]


def numbered(parts: Iterable[Sequence[Any]]) -> Iterator[Piece]:
    """Yield each part with the place of its first item among all items."""
    start = 0
    for part in parts:
        yield Piece(start, part)
        start += len(part)


def _halves(piece: Piece) -> list[Piece]:
    """Return the halves of a piece; one more death in either says that it is there."""
    middle = len(piece.items) // 2
    return [
        Piece(piece.start, piece.items[:middle], DEATHS - 1),
        Piece(piece.start + middle, piece.items[middle:], DEATHS - 1),
    ]
