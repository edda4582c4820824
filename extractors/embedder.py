"""KeyBERT's way to our vectors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from keybert.backend import BaseEmbedder
from numpy.typing import NDArray

from extractors.models import document_vectors


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
        return document_vectors(map(str, documents))
