"""A process that does one part after another: its own side, and the side of its parent.

It says when it is ready, then answers one part at a time. It reads from a pipe that only
its parent writes to, and goes when its parent goes.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any

from kg.errors import ExtractionError

READY = "ready"

_LAST_WORDS = 5.0  # seconds for a process that has closed its pipe to end
_CONTEXT = multiprocessing.get_context("spawn")
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


@dataclass(frozen=True, slots=True)
class Failure:
    """The error that the work ended with in a worker."""

    error: Exception


@dataclass(slots=True)
class Piece:
    """Items in a row, where they start among all, and how many workers died of them."""

    start: int
    items: Sequence[Any]
    deaths: int = 0


class Worker:
    """A process and the pipe to it.

    Args:
        work: The pickled function that it applies to each part.
    """

    def __init__(self, work: bytes) -> None:
        self.connection, theirs = _CONTEXT.Pipe()
        self.piece: Piece | None = None
        self.ready = False
        self._process = _CONTEXT.Process(target=serve, args=(theirs, work), daemon=True)
        with _one_thread(), _uninterrupted():
            self._process.start()
        theirs.close()

    def give(self, piece: Piece) -> None:
        """Hand over a piece; a worker that has died meanwhile is noticed on reading."""
        self.piece = piece
        with suppress(OSError):
            self.connection.send(piece.items)

    def take(self) -> tuple[Piece | None, Any]:
        """Return the piece that is done and its answers; no piece if it says that it is ready.

        Raises:
            EOFError: If the worker has died.
        """
        try:
            message = self.connection.recv()
        except OSError as error:
            raise EOFError from error
        if message == READY:
            self.ready = True
            return None, ()
        piece, self.piece = self.piece, None
        return piece, message

    def exit_code(self) -> int:
        """Return how a worker that has died ended: above 0 by itself, below 0 by a signal."""
        self._process.join(_LAST_WORDS)
        self.stop()
        return self._process.exitcode or 0

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        self._process.kill()
        self._process.join()
        self.connection.close()


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let processes that start now use one thread each: there is one for every core."""
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(ONE_THREAD)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Keep Ctrl-C from processes that start now: it is their parent that stops them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # its start would let the signal through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def serve(connection: Connection, work: bytes) -> None:
    """Answer one part after another until the parent closes the pipe or ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        function = loaded(work)
        connection.send(READY)
        while True:
            connection.send_bytes(answered(function, connection.recv()))


def _end_with_parent() -> None:
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


def loaded(work: bytes) -> Any:
    """Return the function, or one that fails as loading it failed."""
    try:
        return pickle.loads(work)  # noqa: S301  # our parent's own
    except Exception as error:
        problem = ExtractionError(
            f"another process cannot load the extractors ({error}); "
            "define them in a module that can be imported, or say jobs=1"
        )

        def fail(_: Sequence[Any]) -> Sequence[Any]:
            raise problem

        return fail


def answered(function: Any, items: Sequence[Any]) -> bytes:
    """Return the answers to a part, or the `Failure` of the work, pickled."""
    try:
        return pickle.dumps(list(function(items)), pickle.HIGHEST_PROTOCOL)
    except Exception as error:
        return pickle.dumps(Failure(_portable(error)))


def _portable(error: Exception) -> Exception:
    """Return the error with its traceback as a note, or another one if it cannot be sent."""
    try:
        error.add_note(traceback.format_exc())
        pickle.loads(pickle.dumps(error))  # noqa: S301
    except Exception:
        return ExtractionError(f"extraction failed: {type(error).__name__}: {error}")
    return error
