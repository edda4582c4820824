"""One run at a time on a folder, by a lock that goes with the process that holds it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _take(file: int) -> None:
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(str(error)) from error

else:
    import fcntl

    def _take(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file, which is made if it is missing, and stays.

    The system takes the lock back when the process ends, however it ends.

    Args:
        path: The file.

    Raises:
        BlockingIOError: If another process holds the lock.
        OSError: If the file cannot be written, or its file system knows no locks.

    Example:
        >>> with locked(Path("atlas/cache/.lock")):  # doctest: +SKIP
        ...     write_alone()
    """
    with path.open("ab") as file:
        _take(file.fileno())
        yield
