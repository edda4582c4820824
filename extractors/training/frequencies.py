"""In how many abstracts, and in how many lists of authors' keywords, a phrase stands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from spacy.lang.en.stop_words import STOP_WORDS

from extractors.stems import parts, stem, stem_key
from extractors.training.corpus import Record

LONGEST = 3
LEAST = {1: 10, 2: 8, 3: 8}
"""Longest phrase in words, and the least abstracts that a phrase of each length needs."""

_CHUNK = re.compile(r"[^\W_]+(?:[ \-–][^\W_]+)*")
_WORD = re.compile(r"[^\W_]+")


def phrase_table(records: list[Record]) -> str:
    """Return a table with the columns phrase (stems), abstracts, lists of keywords.

    The first row has the number of abstracts instead of a phrase's.
    """
    counts = _document_frequencies(records)
    chosen = Counter(key for record in records for key in set(map(stem_key, record.keywords)))
    kept = {key for key, n in counts.items() if n >= LEAST[key.count(" ") + 1]}
    rows = [f"{key}\t{counts[key]}\t{chosen[key]}" for key in sorted(kept)]
    lists = sum(bool(record.keywords) for record in records)
    return "\n".join([f"\t{len(records)}\t{lists}", *rows]) + "\n"


def _document_frequencies(records: list[Record]) -> Counter[str]:
    """Count n-grams length by length; a longer one counts if its parts are frequent."""
    counts: Counter[str] = Counter()
    for length in range(1, LONGEST + 1):
        found: Counter[str] = Counter()
        for record in records:
            found.update(set(_grams(f"{record.title}. {record.abstract}", length, counts)))
        counts.update({key: n for key, n in found.items() if n >= LEAST[length]})
    return counts


def _grams(text: str, length: int, known: Counter[str]) -> Iterator[str]:
    if length == 1:
        yield from map(stem, parts(text))
        return
    for run in _content_runs(text):
        stems = [stem(word) for word in run]
        for start in range(len(stems) - length + 1):
            gram = stems[start : start + length]
            if " ".join(gram[:-1]) in known and " ".join(gram[1:]) in known:
                yield " ".join(gram)


def _content_runs(text: str) -> Iterable[list[str]]:
    """Yield runs of content words that blanks or hyphens join."""
    for chunk in _CHUNK.findall(text.lower()):
        run: list[str] = []
        for word in _WORD.findall(chunk):
            if word in STOP_WORDS:
                yield run
                run = []
            else:
                run.append(word)
        yield run
