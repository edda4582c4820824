"""What the encoder sees of a word besides its pieces: its shape, and curated names it is part of.

Both are small integers, one a word, that select rows of embeddings. The training uses
the same functions, so that the features cannot differ from those at run time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from extractors.gazetteer import Entry, entries

SHAPES = 18
"""Number of word shapes: nine cases, each without and with white space before the word."""

KINDS = ("method", "dataset", "task", "metric")

NAMES = 1 + 2 * len(KINDS)
"""Number of name features: 0 outside of names, then a kind's first and its other words."""

_WORD = re.compile(r"[^\W_]+|[^\w\s]|_")
_PLAIN_NAME_LETTERS = 5


def shape(word: str, *, spaced: bool) -> int:
    """Return the shape of a word, a number below `SHAPES`.

    Args:
        word: Letters and digits, or one sign.
        spaced: Whether white space, or nothing at all, stands before it.

    Example:
        >>> shape("BERT", spaced=True) == shape("CNN", spaced=True)
        True
        >>> shape("BERT", spaced=True) == shape("Bert", spaced=True)
        False
    """
    return 2 * _case(word) + spaced


@lru_cache(maxsize=20_000)
def _case(word: str) -> int:
    if not word.isalnum():
        return 0
    if any(c.isdigit() for c in word):
        return 1 if word.isdigit() else 2
    if word.islower():
        return 3
    if word.isupper():
        return 4 if len(word) == 1 else 5
    if word[0].isupper() and word[1:].islower():
        return 6
    return 7 if word.endswith("s") and word[:-1].isupper() else 8


def names(words: Sequence[str]) -> list[int]:
    """Return the name feature of each word: the longest curated name from the left wins.

    Short names and ambiguous ones count only in their own case, so that "gap" is no GAP.

    Args:
        words: The words of a text as written, signs apart.

    Example:
        >>> names(["the", "random", "forest", "on", "ImageNet"])
        [0, 1, 2, 0, 3]
    """
    features = [0] * len(words)
    folded = tuple(word.lower() for word in words)
    position = 0
    while position < len(words):
        length, kind = _longest(words, folded, position)
        if length:
            first = 1 + 2 * KINDS.index(kind)
            features[position : position + length] = [first] + [first + 1] * (length - 1)
        position += max(length, 1)
    return features


def _longest(words: Sequence[str], folded: tuple[str, ...], at: int) -> tuple[int, str]:
    for length in _index()[0].get(folded[at], ()):
        found = _index()[1].get(folded[at : at + length])
        if found is None:
            continue
        kind, written = found
        if not written or tuple(words[at : at + length]) in written:
            return length, kind
    return 0, ""


@cache
def _index() -> tuple[
    dict[str, list[int]], dict[tuple[str, ...], tuple[str, frozenset[tuple[str, ...]]]]
]:
    """Lengths by first word, the longest first; kind and demanded spellings by folded name."""
    by_name: dict[tuple[str, ...], tuple[str, frozenset[tuple[str, ...]]]] = {}
    for entry in entries():
        for name, exact in _spellings(entry):
            folded = tuple(word.lower() for word in name)
            by_name.setdefault(folded, (entry.kind, frozenset([name]) if exact else frozenset()))
    lengths: dict[str, set[int]] = {}
    for folded in by_name:
        lengths.setdefault(folded[0], set()).add(len(folded))
    return {word: sorted(found, reverse=True) for word, found in lengths.items()}, by_name


def _spellings(entry: Entry) -> Iterator[tuple[tuple[str, ...], bool]]:
    for name in entry.names:
        words = tuple(_WORD.findall(name))
        if not words:
            continue
        short = len(name) <= _PLAIN_NAME_LETTERS or name in entry.abbreviations
        exact = not name.islower() and (short or entry.ambiguous)
        yield words, exact
        if exact and name in entry.abbreviations:
            yield (*words[:-1], words[-1] + "s"), True
