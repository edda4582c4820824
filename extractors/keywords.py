"""Keywords: phrases located in the text, ranked by KeyBERT and by what is known of them.

KeyBERT (M. Grootendorst, 2020) compares each candidate with the whole text. Its own
candidates are lower-case and lose hyphens; it is given ours, which keep case and place.
Its cosine is one signal of a linear ranker, whose weights `extractors.training.ranker` fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

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
from extractors.models import load_ranker, model_version
from extractors.occurrences import fold_case, occurrences
from extractors.signals import text_signals

if TYPE_CHECKING:
    from keybert import KeyBERT
    from numpy.typing import NDArray

    from extractors.embedder import Embedder

CODE_VERSION = "3"
LEAST_SCORE = 0.2
"""A phrase with a lower score is no keyword, however short the list."""
_REST_CLASSES = frozenset(["", "general", "other", "others", "applications", "miscellaneous"])


class KeywordExtractor:
    """Finds the keywords of a text, at most ``top_n``, and every place where they stand.

    Args:
        top_n: Keywords at most; the authors' own are kept besides.
        embedder: Turns texts into vectors for KeyBERT; the shipped one if none is given.

    Example:
        >>> [e] = KeywordExtractor().extract([Text("We train graph kernels with GPT-4.")])
        >>> sorted(m.text for m in e.mentions)
        ['GPT-4', 'graph kernels']
    """

    name = "keywords"

    def __init__(self, top_n: int = 10, embedder: Embedder | None = None) -> None:
        self.top_n = top_n
        self.embedder = embedder

    @property
    def version(self) -> str:
        """Version of the code, number of keywords, version of the model and of the embedder."""
        shipped = f"{CODE_VERSION}-top{self.top_n}-{model_version()}"
        return f"{shipped}-{self.embedder.version}" if self.embedder else shipped

    def extract(self, texts: Iterable[Text]) -> Iterator[Extraction]:
        """Yield the keywords of each text, in order; alone or in a batch the same."""
        for text in texts:
            mentions = _mentions(text, self._best(text))
            yield Extraction(tuple(sorted({*mentions, *_own_keywords(text)})))

    def rank(self, text: Text) -> list[tuple[str, float]]:
        """Return the keywords of a text with their scores, 0..1, best first.

        Example:
            >>> KeywordExtractor().rank(Text("the of and"))
            []
        """
        best = self._best(text)
        standing = {mention.text for mention in _mentions(text, best)}
        return [(found.label, score) for found, score in best if found.label in standing]

    def _best(self, text: Text) -> list[tuple[Candidate, float]]:
        scored = _scored(read_signals(text, self.embedder))
        counts = {candidate.key: candidate.count for candidate, _ in scored}
        scored = [(c, score) for c, score in scored if not _has_generic_tail(c, counts)]
        scored.sort(key=lambda pair: (-pair[1], pair[0].places[0].start, pair[0].key))
        return _distinct((pair for pair in scored if pair[1] >= LEAST_SCORE), self.top_n)


def read_signals(
    text: Text, embedder: Embedder | None = None
) -> list[tuple[Candidate, dict[str, float]]]:
    """Return the candidates of a text with all signals that their rank depends on.

    Args:
        text: A paper's words.
        embedder: Turns texts into vectors for KeyBERT; the shipped one if none is given.
    """
    candidates = find_candidates(text)
    found = text_signals(candidates)
    for signals, cosine in zip(found, _similarities(text, candidates, embedder), strict=True):
        signals["similarity"] = cosine
    return list(zip(candidates, found, strict=True))


def _scored(
    read: Sequence[tuple[Candidate, dict[str, float]]],
) -> list[tuple[Candidate, float]]:
    """Return the probability of each candidate that it is a keyword, to six decimals."""
    if not read:
        return []
    ranker = load_ranker()
    weights = np.array([ranker[name] for name in read[0][1]])
    table = np.array([list(signals.values()) for _, signals in read])
    odds = ranker["bias"] + (table * weights).sum(axis=1)
    likely = (1 / (1 + np.exp(-odds))).round(6).tolist()
    return [(candidate, score) for (candidate, _), score in zip(read, likely, strict=True)]


def _distinct(
    ranked: Iterable[tuple[Candidate, float]], top_n: int
) -> list[tuple[Candidate, float]]:
    """Return the first few that say more than a better one does."""
    kept: list[tuple[Candidate, float]] = []
    for candidate, score in ranked:
        if len(kept) == top_n:
            break
        if not any(_repeats(candidate, better) for better, _ in kept):
            kept.append((candidate, score))
    return kept


def _has_generic_tail(candidate: Candidate, counts: Mapping[str, int]) -> bool:
    """Tell whether a phrase has a generic head behind one that stands alone more often."""
    base, _, head = candidate.key.rpartition(" ")
    return head in generic_keys() and counts.get(base, 0) > 2 * candidate.count


def _repeats(candidate: Candidate, better: Candidate) -> bool:
    """Tell whether a phrase says little beside a better one that it holds or lies in.

    A part has weight of its own if it stands more often alone than inside; a longer phrase,
    if it stands twice and has not merely a generic head more.
    """
    if f" {candidate.key} " in f" {better.key} ":
        return candidate.count <= 2 * better.count or f" {better.key}".endswith(f" {candidate.key}")
    if f" {better.key} " in f" {candidate.key} ":
        head = candidate.key.removeprefix(f"{better.key} ")
        return candidate.count == 1 or head in generic_keys()
    return False


def _mentions(text: Text, ranked: Iterable[tuple[Candidate, float]]) -> Iterator[Mention]:
    """Yield every place of the phrases, in all their spellings, outside of web addresses."""
    best = list(ranked)
    for field in FIELDS:
        letters = text.field(field)
        folded, links = fold_case(letters), link_spans(letters)
        for candidate, score in best:
            for start, end in occurrences(letters, folded, candidate.forms):
                if not inside(start, links):
                    yield Mention(field, start, end, "keyword", letters[start:end], score)


def _own_keywords(text: Text) -> Iterator[Mention]:
    start = 0
    for keyword in text.keywords:
        if words := _topic(keyword):
            begin = start + keyword.rindex(words)
            yield Mention("keywords", begin, begin + len(words), "keyword", words, 1.0)
        start += len(keyword) + len(KEYWORD_SEPARATOR)


def _topic(keyword: str) -> str:
    """Return what a keyword names; of a subject code, the last part that names something.

    "Machine Learning: ML: Online learning" -> "Online learning", "Vision: General" -> "Vision".
    """
    parts = [part.strip() for part in keyword.split(": ")]
    return next((part for part in reversed(parts) if part.lower() not in _REST_CLASSES), parts[0])


def _similarities(
    text: Text, candidates: Sequence[Candidate], embedder: Embedder | None
) -> list[float]:
    """Return KeyBERT's cosine of each candidate with the text."""
    if not candidates:
        return []
    from sklearn import config_context

    labels = [candidate.label for candidate in candidates]
    words = f"{text.title}\n{text.abstract}".strip()
    with config_context(skip_parameter_validation=True):
        found = _keybert(embedder).extract_keywords(
            words, vectorizer=_Located(labels), top_n=len(labels)
        )
    similarity = dict(found)
    return [float(similarity.get(label, 0.0)) for label in labels]


def _keybert(embedder: Embedder | None) -> KeyBERT:
    from keybert import KeyBERT

    from extractors.embedder import VectorEmbedder

    return KeyBERT(model=embedder or VectorEmbedder())


class _Located:
    """Stands in for KeyBERT's vectoriser: the phrases of one text, as they are written."""

    def __init__(self, phrases: Sequence[str]) -> None:
        self._phrases = phrases

    def fit(self, documents: Sequence[str]) -> _Located:
        return self

    def get_feature_names_out(self) -> Sequence[str]:
        return self._phrases

    def transform(self, documents: Sequence[str]) -> NDArray[np.float64]:
        """Return a table a document, one row high as of a sparse matrix: it holds all phrases."""
        return np.ones((len(documents), 1, len(self._phrases)))
