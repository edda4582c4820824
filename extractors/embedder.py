"""KeyBERT's way to vectors: ours, or those of a sentence-transformers model."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache
from importlib.util import find_spec
from typing import Any, Protocol

import numpy as np
from keybert.backend import BaseEmbedder
from numpy.typing import NDArray

from extractors.mention import ModelError
from extractors.models import load_frequencies, source_version, word_vector
from extractors.stems import parts, stem


class Embedder(Protocol):
    """Anything that KeyBERT takes and whose ``version`` changes with its vectors."""

    @property
    def version(self) -> str:
        """Changes whenever the vectors may change."""

    def embed(self, documents: Iterable[str], verbose: bool = False) -> NDArray[np.float32]:
        """Return one vector a text, shape (n, d)."""


class VectorEmbedder(BaseEmbedder):  # type: ignore[misc]  # keybert has no types
    """Embeds texts and phrases with the shipped vectors.

    Example:
        >>> VectorEmbedder().embed(["graph kernels"]).shape
        (1, 64)
    """

    def embed(
        self, documents: Iterable[str], verbose: bool = False, **_: Any
    ) -> NDArray[np.float32]:
        """Return one unit vector a text, shape (n, d)."""
        from scipy.sparse import csr_matrix

        columns: dict[str, int] = {}
        places, weights, ends = [], [], [0]
        for document in documents:
            for word in parts(str(document)):
                places.append(columns.setdefault(word, len(columns)))
                weights.append(_weight(word))
            ends.append(len(places))
        if not columns:
            return np.zeros((len(ends) - 1, len(word_vector("a"))), dtype=np.float32)
        table = np.array([word_vector(word) for word in columns], dtype=np.float64)
        shape = len(ends) - 1, len(columns)
        sums = csr_matrix((weights, places, ends), shape) @ table
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        units: NDArray[np.float32] = (sums / np.where(lengths > 0, lengths, 1)).astype(np.float32)
        return units


@lru_cache(maxsize=50_000)
def _weight(word: str) -> float:
    return load_frequencies().idf(stem(word))


class SentenceEmbedder(BaseEmbedder):  # type: ignore[misc]  # keybert has no types
    """Embeds texts and phrases with a sentence-transformers model (extra ``transformers``).

    Args:
        model: A folder with a model, or the name of one on the Hugging Face hub, which is
            downloaded if it was not before.

    Raises:
        ModelError: If the package is not installed, or (on the first text) the model cannot be
            loaded.

    Example:
        >>> embedder = SentenceEmbedder("all-MiniLM-L6-v2")  # doctest: +SKIP
    """

    def __init__(self, model: str) -> None:
        super().__init__()
        if find_spec("sentence_transformers") is None:
            raise ModelError(
                "sentence-transformers is not installed; pip install 'paperkg[transformers]'"
            )
        self._source = model

    @cached_property
    def version(self) -> str:
        """The model's name, for a folder with a hash of its files."""
        return source_version(self._source)

    def embed(
        self, documents: Iterable[str], verbose: bool = False, **_: Any
    ) -> NDArray[np.float32]:
        """Return one unit vector a text, shape (n, d)."""
        vectors: NDArray[np.float32] = self._model.encode(
            list(map(str, documents)), normalize_embeddings=True, show_progress_bar=False
        )
        return vectors

    @cached_property
    def _model(self) -> Any:
        from sentence_transformers import SentenceTransformer

        try:
            return SentenceTransformer(self._source)
        except Exception as error:  # whatever the hub, torch or a damaged file raises
            raise ModelError(
                f"cannot load the embedder {self._source!r} ({type(error).__name__}); "
                "it is a folder, or a name on the Hugging Face hub"
            ) from error

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_model"}
