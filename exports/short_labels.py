"""Names of papers that fit a map: "Shared-AE", "Doe 2024"."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from exports.view import PaperRecord

_MOST = 24  # characters
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def short_label(paper: PaperRecord) -> str:
    """Return a name for a paper that fits a map.

    Example:
        >>> short_label(PaperRecord("1", "FernNet: Counting Ferns from Above"))
        'FernNet'
        >>> short_label(PaperRecord("2", "On the Age of Mosses and Ferns", authors=("A. Ohm",)))
        'Ohm'
    """
    head, colon, _ = map(str.strip, paper.label.partition(":"))
    if colon and 0 < len(head) <= _MOST:
        return head
    if len(paper.label) <= _MOST:
        return paper.label
    return _author_and_year(paper) or paper.label[:_MOST].rsplit(" ", 1)[0] + "…"


def short_labels(papers: Sequence[PaperRecord]) -> list[str]:
    """Return a name for each paper that no other has.

    A shared name takes the first author with it; what is shared still takes a letter, in the
    order of the papers, as citations do.

    Example:
        >>> short_labels([PaperRecord("1", "SAM: One", year=2023, authors=("A. Ohm",)),
        ...               PaperRecord("2", "SAM: Two", year=2023, authors=("B. Lee",))])
        ['SAM, Ohm 2023', 'SAM, Lee 2023']
    """
    labels = [short_label(paper) for paper in papers]
    shared = Counter(labels)
    for place, paper in enumerate(papers):
        author = _author_and_year(paper)
        if shared[labels[place]] > 1 and author and author != labels[place]:
            labels[place] = f"{labels[place]}, {author}"
    return _lettered(labels)


def _lettered(labels: list[str]) -> list[str]:
    places = defaultdict(list)
    for place, label in enumerate(labels):
        places[label].append(place)
    taken = set(places)
    for label, equal in places.items():
        number = 0
        for place in equal if len(equal) > 1 else ():
            while (name := _with_letter(label, number)) in taken:
                number += 1
            labels[place] = name
            taken.add(name)
    return labels


def _with_letter(label: str, number: int) -> str:
    """Return "Doe 2024a", "Ferns b": the letter stands at a year, else apart."""
    letters = ""
    while number >= 0:
        letters = _LETTERS[number % 26] + letters
        number = number // 26 - 1
    return f"{label}{letters}" if label[-4:].isdigit() else f"{label} {letters}"


def _author_and_year(paper: PaperRecord) -> str:
    family = _family_name(paper.authors[0]) if paper.authors else ""
    return f"{family} {paper.year}" if family and paper.year else family


def _family_name(author: str) -> str:
    family, comma, _ = author.partition(",")
    return family.strip() if comma else author.split()[-1] if author.strip() else ""
