"""The one place that loads: the language model, its vectors, the document frequencies.

Everything lies in ``extractors/model``, made by ``extractors.training``. Nothing is
downloaded, and no library of neural networks is needed besides spaCy's own.
"""

from __future__ import annotations

import gzip
import hashlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from extractors.frequencies import Frequencies, read_table
from extractors.mention import ModelError
from extractors.sentences import sentence_spans
from extractors.stems import parts, stem

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from spacy.language import Language
    from spacy.tokens import Doc

MODEL = Path(__file__).parent / "model"
PIPELINE = MODEL / "en_abstracts"
PHRASES = MODEL / "phrases.tsv.gz"
CHECKSUMS = MODEL / "SHA256SUMS"


@cache
def load_pipeline() -> Language:
    """Return the pipeline that finds tokens, sentences and part-of-speech tags.

    Raises:
        ModelError: If its files are missing or do not fit the installed spaCy.

    Example:
        >>> [token.text for token in load_pipeline()("GPT-4 beats k-means.")]
        ['GPT-4', 'beats', 'k-means', '.']
    """
    import spacy
    from spacy.language import Language

    Language.component("sentence_bounds", func=_mark_sentences)
    try:
        nlp = spacy.load(PIPELINE)
    except (OSError, ValueError) as error:
        raise ModelError(f"cannot load the language model {PIPELINE}: {error}") from error
    nlp.add_pipe("sentence_bounds", first=True)
    return nlp


@cache
def load_frequencies() -> Frequencies:
    """Return the document frequencies of words and phrases.

    Raises:
        ModelError: If their file is missing or damaged.
    """
    try:
        table = gzip.decompress(PHRASES.read_bytes()).decode("utf-8")
        return read_table(table)
    except (OSError, EOFError, ValueError) as error:
        raise ModelError(f"cannot read the document frequencies {PHRASES}: {error}") from error


@cache
def model_version() -> str:
    """Return what changes whenever a file of the model changes: twelve hexadecimal digits.

    Raises:
        ModelError: If the list of the model's files is missing.
    """
    try:
        return hashlib.sha256(CHECKSUMS.read_bytes()).hexdigest()[:12]
    except OSError as error:
        raise ModelError(f"cannot read the model's checksums {CHECKSUMS}: {error}") from error


def document_vectors(texts: Iterable[str]) -> NDArray[np.float32]:
    """Return a unit vector a text, alone or in a batch the same.

    The mean of its words' vectors, weighted by inverse document frequency. The shipped
    vectors are centred and their main directions damped (after Arora, Liang and Ma,
    "A simple but tough-to-beat baseline for sentence embeddings", ICLR 2017), so that
    unrelated texts have a cosine near 0.

    Args:
        texts: Abstracts, titles or phrases, any number.

    Returns:
        Shape (n, d); the row of a text without words is zero.

    Example:
        >>> graph, tree, none = document_vectors(["graph kernels", "kernels of graphs", ""])
        >>> bool(graph @ tree > 0.9), float(none @ none)
        (True, 0.0)
    """
    rows = [_document_vector(text) for text in texts]
    return np.array(rows, dtype=np.float32).reshape(len(rows), len(_word_vector("a")))


def mean_vector(
    text: str,
    frequencies: Frequencies,
    vector_of: Callable[[str], NDArray[np.float32]],
) -> NDArray[np.float64]:
    """Return the mean of the vectors of a text's words, weighted by inverse document frequency.

    Args:
        text: Any text.
        frequencies: Where the weights come from.
        vector_of: Gives the vector of a lower-case word, shape (d,).

    Returns:
        Shape (d,), zero for a text without words.
    """
    total, weights = np.zeros_like(vector_of("a"), dtype=np.float64), 0.0
    for word, count in sorted(Counter(parts(text)).items()):
        weight = count * frequencies.idf(stem(word))
        total += weight * vector_of(word)
        weights += weight
    return total / weights if weights > 0 else total


def _document_vector(text: str) -> NDArray[np.float32]:
    mean = mean_vector(text, load_frequencies(), _word_vector)
    length = float(np.linalg.norm(mean))
    return (mean / length if length > 0 else mean).astype(np.float32)


@lru_cache(maxsize=50_000)
def _word_vector(word: str) -> NDArray[np.float32]:
    vector: NDArray[np.float32] = load_pipeline().vocab.vectors.get_batch([word])[0]
    return vector


def _mark_sentences(doc: Doc) -> Doc:
    """Begin a sentence at the first token at or behind each start of a sentence."""
    offsets = [token.idx for token in doc]
    marks: Any = np.full((len(doc), 1), -1, dtype=np.int64).view(np.uint64)
    for start, _ in sentence_spans(doc.text):
        if (first := bisect_left(offsets, start)) < len(doc):
            marks[first] = 1
    return doc.from_array(["SENT_START"], marks)
