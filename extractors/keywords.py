"""Keywords: phrases located in the text, ranked by KeyBERT and by what is known of them.

KeyBERT (M. Grootendorst, 2020) compares each candidate with the whole text. Its own
candidates are lower-case and lose hyphens; it is given ours, which keep case and place.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from extractors.candidates import (
    FIELDS,
    Candidate,
    find_candidates,
    generic_keys,
    inside,
    link_spans,
)
from extractors.mention import KEYWORD_SEPARATOR, Extraction, Mention, Text
from extractors.models import load_frequencies, model_version

if TYPE_CHECKING:
    from keybert import KeyBERT
    from scipy.sparse import csr_matrix

CODE_VERSION = "1"
LEAST_SCORE = 0.2
"""A phrase with a lower score is no keyword, however short the list."""

WEIGHTS: Mapping[str, float] = {
    "one word": -0.8,
    "two words": 0.5,
    "three words": 0.8,
    "four words": 0.5,
    "whole phrase": 1.3,
    "inside longer phrases": -0.8,
    "frequency": 1.7,
    "rarity": 0.1,
    "chosen by authors": 0.4,
    "curated": 1.6,
    "a name": 1.0,
    "lateness": -0.15,
    "in the opening": 0.3,
    "similarity": 0.4,
}
BIAS = -2.0
"""The weights of a logistic ranker, in log-odds; rounded, and lifted where abstracts of
machine learning need it more than those of other sciences."""

_LENGTHS = ("one word", "two words", "three words", "four words")


class KeywordExtractor:
    """Finds the keywords of a text, at most ``top_n``, and every place where they stand.

    Args:
        top_n: Keywords at most; the authors' own are kept besides.

    Example:
        >>> [e] = KeywordExtractor().extract([Text("We train graph kernels with GPT-4.")])
        >>> sorted(m.text for m in e.mentions)
        ['GPT-4', 'graph kernels']
    """

    name = "keywords"

    def __init__(self, top_n: int = 10) -> None:
        self.top_n = top_n

    @property
    def version(self) -> str:
        """Version of the code, number of keywords, version of the model."""
        return f"{CODE_VERSION}-top{self.top_n}-{model_version()}"

    def extract(self, texts: Iterable[Text]) -> Iterator[Extraction]:
        """Yield the keywords of each text, in order; alone or in a batch the same."""
        for text in texts:
            mentions = [
                mention
                for candidate, score in self._best(text)
                for mention in _mentions(text, candidate, score)
            ]
            yield Extraction(tuple(sorted({*mentions, *_own_keywords(text)})))

    def rank(self, text: Text) -> list[tuple[str, float]]:
        """Return the keywords of a text with their scores, 0..1, best first.

        Example:
            >>> KeywordExtractor().rank(Text("the of and"))
            []
        """
        return [(candidate.label, score) for candidate, score in self._best(text)]

    def _best(self, text: Text) -> list[tuple[Candidate, float]]:
        candidates = find_candidates(text)
        similarities = _similarities(text, candidates)
        scored = [(c, _score(c, s)) for c, s in zip(candidates, similarities, strict=True)]
        scored.sort(key=lambda pair: (-pair[1], pair[0].first, pair[0].key))
        return _distinct((pair for pair in scored if pair[1] >= LEAST_SCORE), self.top_n)


def _score(candidate: Candidate, similarity: float) -> float:
    """Return the probability that a candidate is a keyword, to six decimals."""
    signals = _signals(candidate) | {"similarity": similarity}
    odds = BIAS + sum(WEIGHTS[name] * value for name, value in signals.items())
    return round(1 / (1 + math.exp(-odds)), 6)


def _signals(candidate: Candidate) -> dict[str, float]:
    frequencies = load_frequencies()
    idfs = [frequencies.idf(word) for word in candidate.key.split()]
    lengths = {_LENGTHS[candidate.length - 1]: 1.0} if candidate.length <= len(_LENGTHS) else {}
    return lengths | {
        "whole phrase": float(candidate.whole),
        "inside longer phrases": math.log1p(candidate.nested),
        "frequency": math.log1p(candidate.count),
        "rarity": sum(idfs) / len(idfs),
        "chosen by authors": frequencies.preference(candidate.key),
        "curated": float(candidate.curated),
        "a name": float(candidate.length == 1 and _has_inner_capital(candidate.label)),
        "lateness": math.log1p(candidate.first),
        "in the opening": float(candidate.in_opening),
    }


def _distinct(
    ranked: Iterable[tuple[Candidate, float]], top_n: int
) -> list[tuple[Candidate, float]]:
    """Return the first few that say more than a better one does."""
    kept: list[tuple[Candidate, float]] = []
    for candidate, score in ranked:
        if len(kept) == top_n:
            break
        if not any(_repeats(candidate.key, better.key) for better, _ in kept):
            kept.append((candidate, score))
    return kept


def _repeats(key: str, better: str) -> bool:
    """Tell whether a phrase is a tail of a better one, or has only a generic head more.

    Example:
        >>> _repeats("control", "ship control"), _repeats("rule learn method", "rule learn")
        (True, True)
    """
    head = key.removeprefix(f"{better} ")
    return f" {better}".endswith(f" {key}") or (head != key and head in generic_keys())


def _mentions(text: Text, candidate: Candidate, score: float) -> Iterator[Mention]:
    """Yield every place of a phrase, in all its spellings, bounded by words."""
    pattern = _pattern(candidate.forms)
    for field in FIELDS:
        links = link_spans(text.field(field))
        for match in pattern.finditer(text.field(field)):
            if not inside(match.start(), links):
                yield Mention(field, match.start(), match.end(), "keyword", match[0], score)


def _pattern(forms: Sequence[str]) -> re.Pattern[str]:
    longest_first = sorted(forms, key=lambda form: (-len(form), form))
    either = "|".join(map(_case_pattern, longest_first))
    return re.compile(rf"(?<!\w)(?<!\w[-–])(?:{either})(?!\w|[-–.][A-Z0-9])")


def _case_pattern(form: str) -> str:
    """Return a pattern for a spelling; a name with capitals inside keeps its case (IT, it)."""
    pattern = re.escape(form)
    return pattern if any(map(_has_inner_capital, form.split())) else f"(?i:{pattern})"


def _has_inner_capital(word: str) -> bool:
    return any(map(str.isupper, word[1:]))


def _own_keywords(text: Text) -> Iterator[Mention]:
    start = 0
    for keyword in text.keywords:
        if words := keyword.strip():
            begin = start + keyword.index(words)
            yield Mention("keywords", begin, begin + len(words), "keyword", words, 1.0)
        start += len(keyword) + len(KEYWORD_SEPARATOR)


def _similarities(text: Text, candidates: Sequence[Candidate]) -> list[float]:
    """Return KeyBERT's cosine of each candidate with the text."""
    if not candidates:
        return []
    labels = [candidate.label for candidate in candidates]
    words = f"{text.title}\n{text.abstract}".strip()
    found = _keybert().extract_keywords(words, vectorizer=_Located(labels), top_n=len(labels))
    similarity = dict(found)
    return [float(similarity.get(label, 0.0)) for label in labels]


@cache
def _keybert() -> KeyBERT:
    from keybert import KeyBERT

    from extractors.embedder import VectorEmbedder

    return KeyBERT(model=VectorEmbedder())


class _Located:
    """Stands in for KeyBERT's vectoriser: the phrases of one text, as they are written."""

    def __init__(self, phrases: Sequence[str]) -> None:
        self._phrases = phrases

    def fit(self, documents: Sequence[str]) -> _Located:
        return self

    def get_feature_names_out(self) -> Sequence[str]:
        return self._phrases

    def transform(self, documents: Sequence[str]) -> csr_matrix[Any]:
        from scipy.sparse import csr_matrix

        return csr_matrix(np.ones((len(documents), len(self._phrases))))
