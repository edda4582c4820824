"""Whether two records are one paper, and by which rule.

The bounds were set on pairs of papers in computational linguistics and machine learning that
were read one by one: versions of one paper have much of their abstract in common, yet so have
the reports on a shared task in two years.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kg.duplicates.traits import Traits

RULES = ("doi", "identifier", "title", "abstract")
"""The rules, the surest first."""

_SAME_PEOPLE = 0.3  # share of the shorter list of authors
_SAME_DOIS = 0.5  # containment of abstracts under one title that two DOIs do not outweigh
_GENERIC = 0.6  # containment wanted where many papers have the title
_SERIES = 0.6  # … and where a series of meetings has the title again
_BY_YEARS = (0.2, 0.4, 0.6, 0.6)  # … by the years between them; no abstract counts as the second
_LATER = 0.7
_VERSIONS = 3  # years in which one paper has its versions
_CLEAR_TITLE = 20  # letters and digits; longer titles are trusted where authors are not known
_NEAR = 0.5  # resemblance of abstracts under titles that are nearly equal
_NEARER = 0.7  # … under titles that are alike
_NEAREST = 0.9  # … where there is no title
_ALIKE = 0.5  # words in common among those of the shorter title
_NEARLY_EQUAL = 0.7  # … among those of both
_UNLIKE = 0.1  # containment of the abstracts of two papers that one DOI was given


class Overlap(NamedTuple):
    """How much two abstracts have in common.

    Args:
        resemblance: Shared runs of words among all, 0..1 (Broder 1997).
        containment: Shared runs of words among those of the shorter, 0..1.
    """

    resemblance: float
    containment: float


def rule_of(one: Traits, other: Traits) -> str:
    """Return the rule by which two records are one paper; "" if they are two papers."""
    if one.doi and one.doi == other.doi:
        return "" if _mistaken(one, other) else "doi"
    if _same_identifier(one, other):
        return "identifier"
    if one.title and one.title == other.title:
        return "" if are_different(one, other) or not _by_title(one, other) else "title"
    return "abstract" if _by_abstract(one, other) else ""


def are_different(one: Traits, other: Traits) -> bool:
    """Return whether two records are of different papers, whatever they are both like.

    They are if they share no author, if a number in the title tells them apart, if many years
    lie between them, or if each has a DOI of its own. Under one title, much the same abstract
    outweighs years and DOIs; the DOI of a preprint tells nothing apart.
    """
    if one.people and other.people and _share(one.people, other.people) < _SAME_PEOPLE:
        return True
    if one.title and other.title and one.title != other.title:
        return one.serials != other.serials or _two_dois(one, other)
    bound = _LATER if _years_between(one, other) > _VERSIONS else 0.0
    if _two_dois(one, other):
        bound = max(bound, _SAME_DOIS)
    overlap = overlap_of(one, other) if bound else None
    return bool(bound) and (overlap is None or overlap.containment < bound)


def overlap_of(one: Traits, other: Traits) -> Overlap | None:
    """Return how much two abstracts have in common; None if one is missing."""
    if not one.has_abstract or not other.has_abstract:
        return None
    if one.text and one.text == other.text:
        return Overlap(1.0, 1.0)
    shorter = min(len(one.shingles), len(other.shingles))
    if not shorter:
        return Overlap(0.0, 0.0)
    both = len(np.intersect1d(one.shingles, other.shingles, assume_unique=True))
    return Overlap(both / (len(one.shingles) + len(other.shingles) - both), both / shorter)


def _same_identifier(one: Traits, other: Traits) -> bool:
    if one.arxiv and one.arxiv == other.arxiv:
        return True
    if one.id != other.id or one.title != other.title:
        return False
    overlap = overlap_of(one, other)
    return overlap is None or overlap.containment >= _SAME_DOIS


def _by_title(one: Traits, other: Traits) -> bool:
    """Return whether records of one title are one paper.

    The more years between them, the more of the abstract must be the same; most where the
    title comes again and again.
    """
    years = _years_between(one, other)
    wanted = _BY_YEARS[years] if years < len(_BY_YEARS) else _LATER
    if one.is_preprint or other.is_preprint:
        wanted = wanted if years > 2 else 0.0
    elif one.series and one.series == other.series:
        wanted = max(wanted, _SERIES if years else _BY_YEARS[1])
    unknown = not one.people or not other.people
    if one.is_generic or (unknown and len(one.title) < _CLEAR_TITLE):
        wanted = max(wanted, _GENERIC)
    overlap = overlap_of(one, other)
    return wanted <= (overlap.containment if overlap else _BY_YEARS[1])


def _by_abstract(one: Traits, other: Traits) -> bool:
    """Return whether records of nearly one abstract are one paper, under a new title."""
    wanted = _resemblance_wanted(one, other)
    if not wanted or are_different(one, other):
        return False
    overlap = overlap_of(one, other)
    return overlap is not None and overlap.resemblance >= wanted


def _resemblance_wanted(one: Traits, other: Traits) -> float:
    """Return how much two abstracts must resemble each other; 0 if that makes them no paper."""
    if not one.words or not other.words:
        return _NEAREST
    common = len(one.words & other.words)
    if common < _ALIKE * min(len(one.words), len(other.words)):
        return 0.0
    years = _years_between(one, other)
    if years >= _VERSIONS or (years > 0 and one.series == other.series != ""):
        return 0.0
    if common >= _NEARLY_EQUAL * len(one.words | other.words):
        return _NEAR
    return 0.0 if _one_volume(one, other) else _NEARER


def _mistaken(one: Traits, other: Traits) -> bool:
    """Return whether nothing but their DOI is the same, as of chapters under that of the book."""
    strangers = one.people and other.people and not one.people & other.people
    if not strangers or one.title == other.title:
        return False
    overlap = overlap_of(one, other)
    return overlap is not None and overlap.containment < _UNLIKE


def _one_volume(one: Traits, other: Traits) -> bool:
    return one.series == other.series != "" and one.year == other.year


def _years_between(one: Traits, other: Traits) -> int:
    return abs(one.year - other.year) if one.year and other.year else 0


def _two_dois(one: Traits, other: Traits) -> bool:
    own = bool(one.doi and other.doi and one.doi != other.doi)
    return own and not one.is_preprint and not other.is_preprint


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / min(len(one), len(other))
