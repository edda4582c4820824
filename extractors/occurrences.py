"""Where a phrase stands in a text, in any of its spellings, bounded by words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

_BEGINS = re.compile(r"(?<!\w)(?<!\w[-–])")
_ENDS = re.compile(r"(?!\w|[-–.][A-Z0-9])")


def occurrences(text: str, folded: str, forms: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the half-open spans of a phrase from left to right, without overlap.

    Of two spellings that begin at one place the longer is found. The case of letters counts
    in a name with capitals inside alone (IT, it).

    Args:
        text: Any text.
        folded: The same text in `fold_case`.
        forms: The spellings.

    Example:
        >>> text = "Graph kernels, e.g. the GraphKernel; graph kernel"
        >>> list(occurrences(text, fold_case(text), ["graph kernel", "graph kernels"]))
        [(0, 13), (37, 49)]
    """
    found = [
        (start, start + len(form))
        for form in forms
        for start in (
            _starts(text, form)
            if any(map(_has_inner_capital, form.split()))
            else _starts(folded, fold_case(form))
        )
        if _BEGINS.match(text, start) and _ENDS.match(text, start + len(form))
    ]
    done = 0
    for start, end in sorted(found, key=lambda span: (span[0], -span[1])):
        if start >= done:
            yield start, end
            done = end


def _starts(text: str, form: str) -> Iterator[int]:
    start = text.find(form)
    while start >= 0:
        yield start
        start = text.find(form, start + 1)


def _has_inner_capital(word: str) -> bool:
    return any(map(str.isupper, word[1:]))


def fold_case(text: str) -> str:
    """Return a text without the case of its letters, letter by letter.

    Example:
        >>> fold_case("Naïve Bayes, GROẞ"), len(fold_case("İ"))
        ('naïve bayes, groß', 1)
    """
    return text.lower() if text.isascii() else "".join(map(_folded, text))


_ALIKE = {"\u0131": "i", "\ufb05": "\ufb06", "\u1fd3": "\u0390", "\u1fe3": "\u03b0"}
"""Letters without a folded form of one letter, and the one that they are cases of."""


@lru_cache(maxsize=4096)
def _folded(letter: str) -> str:
    """Return what the cases of a letter share, as regular expressions that ignore case see it."""
    folded = letter.casefold()
    return _ALIKE.get(letter, folded if len(folded) == 1 else letter.lower()[0])
