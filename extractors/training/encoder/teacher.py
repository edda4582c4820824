"""What a trained encoder says of texts, for another to learn from.

Each annotated set speaks of its own scheme alone. A teacher speaks of all schemes on all
texts, with its doubts, and so lends each head the texts of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from extractors.encoder import Encoder, Floats
from extractors.training.encoder.batches import HalfFloats, Prepared


def taught(teacher: Encoder, texts: Iterable[Prepared]) -> Iterator[Prepared]:
    """Yield texts with the teacher's probabilities of the tags of every scheme."""
    for text in texts:
        windows = teacher.windows(text.text.text, text.words)
        scores = [teacher.tag_scores(text.words, window, teacher.schemes) for window in windows]
        parts = dict(zip(teacher.schemes, zip(*scores, strict=True), strict=bool(scores)))
        yield replace(text, taught={scheme: _joined(rows) for scheme, rows in parts.items()})


def _joined(log_probabilities: Sequence[Floats]) -> HalfFloats:
    return np.exp(np.concatenate(log_probabilities)).astype(np.float16)
