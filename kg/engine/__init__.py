"""One function over many parts: here, or in a pool of processes, with the same answers.

    parts ──▶ map_parts(work, parts, jobs) ──▶ (start, answers), as each part is finished

``work`` takes a list of items and returns one answer an item, in order. Parts are drawn
as they are needed, so that a stream of any length needs little memory.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from kg.engine.cores import WORTH, processes, usable_cores

__all__ = ["WORTH", "in_order", "map_parts", "parts_of", "processes", "usable_cores"]

T = TypeVar("T")
R = TypeVar("R")

Answers = Generator[tuple[int, Sequence[R | None]], None, None]


def map_parts(
    work: Callable[[Sequence[T]], Sequence[R]], parts: Iterable[Sequence[T]], *, jobs: int = 1
) -> Answers[R]:
    """Yield the answers to each part as it is finished, in any order.

    In a pool, a worker that dies is replaced and its part done again. Of a part that three
    workers die of, the halves are tried, down to the item that does it.

    Args:
        work: Gives one answer an item; sent to other processes, so importable from there.
        parts: Lists of items, drawn as they are needed.
        jobs: Processes; with 1 the work is done in this one.

    Yields:
        The place of the first item among all items, from 0, and the answers; None for an
        item that three workers died of.

    Raises:
        ExtractionError: If the work cannot be sent to another process, or no process lives.

    Example:
        >>> list(map_parts(lambda words: [len(w) for w in words], [["a", "bc"], ["def"]]))
        [(0, [1, 2]), (2, [3])]
    """
    if jobs == 1:
        return _serial(work, parts)
    from kg.engine.pool import map_in_pool

    return map_in_pool(work, parts, jobs)


def _serial(work: Callable[[Sequence[T]], Sequence[R]], parts: Iterable[Sequence[T]]) -> Answers[R]:
    start = 0
    for part in parts:
        yield start, list(work(part))
        start += len(part)


def parts_of(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the items in lists of ``size``, the last one shorter.

    Example:
        >>> list(parts_of("abc", 2))
        [['a', 'b'], ['c']]
    """
    stream = iter(items)
    while part := list(islice(stream, size)):
        yield part


def in_order(answers: Iterable[tuple[int, Sequence[R]]]) -> Iterator[R]:
    """Yield the answers of `map_parts` one by one, in the order of their items.

    Example:
        >>> "".join(in_order([(2, "c"), (0, "ab"), (3, "d")]))
        'abcd'
    """
    waiting: dict[int, Sequence[R]] = {}
    place = 0
    for start, part in answers:
        waiting[start] = part
        while place in waiting:
            ready = waiting.pop(place)
            place += len(ready)
            yield from ready
