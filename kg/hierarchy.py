"""More general concepts, near and far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence


def with_broader(concept: str, broader: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, int]]:
    """Yield a concept and all more general ones with their distance, each once, the nearest first.

    Args:
        concept: The concept's id.
        broader: Concept -> the concepts directly above; circles do no harm.

    Example:
        >>> list(with_broader("ppo", {"ppo": ["policy gradient"], "policy gradient": ["rl"]}))
        [('ppo', 0), ('policy gradient', 1), ('rl', 2)]
    """
    seen, level, distance = {concept}, [concept], 0
    while level:
        yield from ((found, distance) for found in level)
        above = (up for found in level for up in broader.get(found, ()))
        level = [up for up in dict.fromkeys(above) if up not in seen]
        seen.update(level)
        distance += 1


def without_circles(pairs: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Return the concepts directly above each, without the pairs that would close a circle.

    Args:
        pairs: A concept and one above it, the most trusted pairs first: of a circle the last goes.

    Example:
        >>> without_circles([("mnist", "image data"), ("image data", "mnist")])
        {'mnist': ('image data',)}
    """
    broader: dict[str, list[str]] = {}
    for narrow, broad in dict.fromkeys(pairs):
        if all(above != narrow for above, _ in with_broader(broad, broader)):
            broader.setdefault(narrow, []).append(broad)
    return {narrow: tuple(sorted(above)) for narrow, above in broader.items()}
