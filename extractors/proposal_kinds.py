"""What a text says that its proposal is: a method, a data set, a task, a metric."""

from __future__ import annotations

from extractors.kinds import kind_of_head, kind_of_name, kind_of_words
from extractors.proposal_cues import APPOSITION, FOLLOWING, STOP


def kind_of_proposal(before: str, name: str, after: str) -> str:
    """Return the kind of a proposed name; method where nothing tells another.

    Args:
        before: The words since the proposing verb.
        name: The name.
        after: The sentence from the name's end.

    Example:
        >>> kind_of_proposal("a corpus called ", "MossText", " of walls.")
        'dataset'
    """
    return kind_behind(after) or kind_of_head(before) or kind_of_name(name) or "method"


def kind_behind(after: str) -> str | None:
    """Return the kind of the noun that follows a name, or that an apposition gives it.

    Example:
        >>> kind_behind(", a benchmark for walls"), kind_behind(" corpus"), kind_behind(" wins")
        ('dataset', 'dataset', None)
    """
    if apposition := APPOSITION.match(after):
        phrase = STOP.split(apposition[1], maxsplit=1)[0]
        if kind := kind_of_head(phrase):
            return kind
    following = FOLLOWING.match(after)
    return kind_of_head(STOP.split(following[1], maxsplit=1)[0]) if following else None


def kind_told(phrase: str) -> str | None:
    """Return the kind that a proposal's own last word tells; "X Detection" is a method for it.

    Example:
        >>> kind_told("gentle moss detection"), kind_told("mossing score")
        ('method', 'metric')
    """
    kind = kind_of_words(phrase)
    return "method" if kind == "task" else kind
