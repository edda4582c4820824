"""What trained encoders say of texts, for another to learn from.

Each annotated set speaks of its own scheme alone. A teacher speaks of all schemes on all
texts, with its doubts, and so lends each head the texts of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from extractors.encoder import Encoder, Floats
from extractors.training.encoder.batches import HalfFloats, Prepared


def taught(teachers: Sequence[Encoder], texts: Iterable[Prepared]) -> Iterator[Prepared]:
    """Yield texts with the teachers' mean probabilities of the tags of every scheme."""
    for text in texts:
        said = [_said(teacher, text) for teacher in teachers]
        yield replace(text, taught={scheme: _mean(said, scheme) for scheme in said[0]})


def _said(teacher: Encoder, text: Prepared) -> dict[str, Floats]:
    windows = teacher.windows(text.text.text, text.words)
    scores = [teacher.tag_scores(text.words, window, teacher.schemes) for window in windows]
    parts = zip(teacher.schemes, zip(*scores, strict=True), strict=bool(scores))
    return {scheme: np.exp(np.concatenate(rows)) for scheme, rows in parts}


def _mean(said: Sequence[dict[str, Floats]], scheme: str) -> HalfFloats:
    total = sum((probabilities[scheme] for probabilities in said[1:]), said[0][scheme])
    return (total / len(said)).astype(np.float16)
