"""The curated list by keys: which names of well-known concepts mean the same."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache

from extractors import gazetteer
from kg.keys import fold, singular, squash

_KINDS_OF_LEARNING = ("supervised", "shot", "task", "label")  # "zero-shot": zero-shot learning
_LEAST_WORD = 5  # characters of a short form that is no mere row of capitals: ConvNet, backprop


def name_key(name: str) -> str:
    """Return the key of a name by its spelling alone.

    Example:
        >>> name_key("Fine-Tuning") == name_key("fine tuning")
        True
    """
    return squash(fold(name))


def entry_of(key: str) -> gazetteer.Entry | None:
    """Return the curated concept whose label has this key, None if there is none."""
    return _by_label().get(key)


def resolved(key: str) -> str:
    """Return the key of a curated concept's label for that of any long name; else the same key.

    Example:
        >>> resolved(name_key("textual entailment"))
        'naturallanguageinference'
        >>> resolved(name_key("zonal quota matching"))
        'zonalquotamatching'
        >>> resolved(name_key("zero-shot"))
        'zeroshotlearning'
    """
    found = _by_name().get(key)
    if found is None and key.endswith(_KINDS_OF_LEARNING):
        found = _by_name().get(f"{key}learning")
    return found or key


def meaning_of(short: str) -> str | None:
    """Return the key that a short form has in every text, None where it may mean more."""
    entries = entries_with(short)
    if len(entries) != 1 or entries[0].ambiguous:
        return None
    return name_key(entries[0].label)


def is_generic(key: str) -> bool:
    """Tell whether a name is a term that is no concept when it stands alone.

    Example:
        >>> is_generic(name_key("approaches")), is_generic(name_key("BERT"))
        (True, False)
    """
    return key in _generic()


def entries_with(short: str) -> tuple[gazetteer.Entry, ...]:
    """Return the curated concepts that have a short form, in the singular."""
    return _by_short().get(short, ())


@cache
def _generic() -> frozenset[str]:
    return frozenset(map(name_key, gazetteer.generic_terms()))


@cache
def _by_label() -> dict[str, gazetteer.Entry]:
    """Curated entries by the key of their label; the more frequent one holds a key."""
    found: dict[str, gazetteer.Entry] = {}
    for entry in gazetteer.entries():
        found.setdefault(name_key(entry.label), entry)
    return found


@cache
def _by_name() -> dict[str, str]:
    """Key of each long name, and of each short form that is a word -> key of its label."""
    found: dict[str, str] = {}
    for entry in gazetteer.entries():
        label = name_key(entry.label)
        for name in (entry.label, *entry.aliases):
            found.setdefault(name_key(name), label)
    words = [
        (name_key(short), name_key(entry.label))
        for entry in gazetteer.entries()
        for short in entry.abbreviations
        if not short.isupper() and (not entry.ambiguous or len(short) >= _LEAST_WORD)
    ]
    claims = Counter(short for short, _ in set(words))
    for short, label in words:
        if claims[short] == 1:
            found.setdefault(short, label)
    return found


@cache
def _by_short() -> dict[str, tuple[gazetteer.Entry, ...]]:
    found: dict[str, list[gazetteer.Entry]] = defaultdict(list)
    for entry in gazetteer.entries():
        for short in entry.abbreviations:
            found[singular(short)].append(entry)
    return {short: tuple(entries) for short, entries in found.items()}
