"""The errors of this package, each one line with its remedy.

KGError (Exception)
├── InputError (also ValueError)     a file cannot be read as what it should be
├── NothingFoundError (also ValueError)  the input holds no paper
├── FolderError (also OSError)       the graph folder is in the way, unfinished or foreign
├── UnknownNameError (also KeyError) no paper, concept or format of that name
├── QueryError (also ValueError)     a SPARQL query is wrong or not allowed
├── OptionError (also ValueError)    an option has a value that cannot be used
├── FetchError (also OSError)        a service cannot be reached, refuses, or finds nothing
└── ExtractionError                  an extractor failed; the message names the paper
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class KGError(Exception):
    """Base of all errors that this package raises."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class InputError(KGError, ValueError):
    """A file cannot be read as what it should be."""


class NothingFoundError(KGError, ValueError):
    """The input was read, and holds no paper."""


class FolderError(KGError, OSError):
    """A graph folder is missing, in the way, unfinished, or of another schema."""

    def __str__(self) -> str:
        return KGError.__str__(self)


class UnknownNameError(KGError, KeyError):
    """No paper, concept or format has this name.

    Args:
        what: What was looked for: "paper", "concept", "format".
        name: The name that was not found.
        choices: The names that exist; near ones are suggested.
    """

    def __init__(self, what: str, name: str, choices: Iterable[str] = ()) -> None:
        near = suggest(name, choices)
        hint = f"; did you mean {', '.join(map(repr, near))}?" if near else ""
        super().__init__(f"no {what} named {name!r}{hint}")
        self.name = name
        self.suggestions = near

    def __str__(self) -> str:
        return KGError.__str__(self)


class QueryError(KGError, ValueError):
    """A SPARQL query is wrong, or does more than read."""


class OptionError(KGError, ValueError):
    """An option has a value that cannot be used; the message says what can."""


class FetchError(KGError, OSError):
    """A service cannot be reached, refuses, or finds nothing."""

    def __str__(self) -> str:
        return KGError.__str__(self)


class ExtractionError(KGError):
    """An extractor failed; the message names the extractor and the paper."""


def suggest(name: str, choices: Iterable[str], n: int = 3) -> list[str]:
    """Return up to ``n`` of the choices that look most like the name, case aside."""
    by_folded = {choice.casefold(): choice for choice in choices}
    found = get_close_matches(name.casefold(), list(by_folded), n=n, cutoff=0.6)
    return [by_folded[folded] for folded in found]
