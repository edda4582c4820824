"""The one place that loads: the language model, its vectors, the document frequencies.

Everything lies in ``extractors/model``, made by ``extractors.training``. Nothing is
downloaded, and no library of neural networks is needed besides spaCy's own.
"""

from __future__ import annotations

import gzip
import hashlib
import json
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
RANKER = MODEL / "ranker.json"
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

    from extractors.inference import RememberedVectors, quick_products

    Language.component("sentence_bounds", func=_mark_sentences)
    try:
        with quick_products():
            nlp = spacy.load(PIPELINE)
    except (OSError, ValueError) as error:
        raise ModelError(f"cannot load the language model {PIPELINE}: {error}") from error
    nlp.vocab.vectors = RememberedVectors(nlp.vocab.vectors)
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
def load_ranker() -> dict[str, float]:
    """Return the weights of the ranker of keywords by the names of their signals, in log-odds.

    Raises:
        ModelError: If their file is missing or damaged.
    """
    try:
        weights = json.loads(RANKER.read_text(encoding="utf-8"))
        return {str(name): float(weight) for name, weight in weights.items()}
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise ModelError(f"cannot read the ranker's weights {RANKER}: {error}") from error


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


def source_version(model: str) -> str:
    """Return what identifies a model that a user names: its name, for a folder its content.

    Args:
        model: A name, or a folder; of the folder only the last part of the path is shown.

    Example:
        >>> source_version("sentence-transformers/all-MiniLM-L6-v2")
        'sentence-transformers/all-MiniLM-L6-v2'
    """
    folder = Path(model)
    if not folder.is_dir():
        return model
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        digest.update(path.relative_to(folder).as_posix().encode())
        with path.open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    return f"{folder.resolve().name}-{digest.hexdigest()[:12]}"


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
    return np.array(rows, dtype=np.float32).reshape(len(rows), len(word_vector("a")))


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
    counts = sorted(Counter(parts(text)).items())
    if not counts:
        return np.zeros_like(vector_of("a"), dtype=np.float64)
    vectors = np.array([vector_of(word) for word, _ in counts])
    weights = [count * frequencies.idf(stem(word)) for word, count in counts]
    total: NDArray[np.float64] = (
        (vectors * np.array(weights, dtype=vectors.dtype)[:, None]).astype(np.float64).sum(axis=0)
    )
    return total / sum(weights) if sum(weights) > 0 else total


def _document_vector(text: str) -> NDArray[np.float32]:
    mean = mean_vector(text, load_frequencies(), word_vector)
    length = float(np.linalg.norm(mean))
    return (mean / length if length > 0 else mean).astype(np.float32)


@lru_cache(maxsize=50_000)
def word_vector(word: str) -> NDArray[np.float32]:
    """Return the shipped vector of a lower-case word, shape (d,)."""
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
