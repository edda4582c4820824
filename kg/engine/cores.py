"""How many processes the work is worth."""

from __future__ import annotations

import multiprocessing
import os

from kg.errors import OptionError

WORTH = 60
"""Texts a process must have for its start (imports, models) to pay: an estimate."""


def usable_cores() -> int:
    """Return how many cores this process may use; 1 where it may start no other."""
    if multiprocessing.current_process().daemon:
        return 1
    if hasattr(os, "process_cpu_count"):  # Python 3.13
        return int(os.process_cpu_count() or 1)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def processes(jobs: int | None, texts: int) -> int:
    """Return how many processes to use for a number of texts.

    Args:
        jobs: What was asked for, taken as it is; None for as many as pay, at most one a core.
        texts: How many there are to do.

    Raises:
        OptionError: If less than one process is asked for.

    Example:
        >>> processes(4, texts=2), processes(None, texts=2)
        (4, 1)
    """
    if jobs is None:
        return max(1, min(usable_cores(), texts // WORTH))
    if jobs < 1:
        raise OptionError(f"{jobs} jobs are too few; say 1 or more")
    return jobs
