"""Subword vectors (floret) of the words of scientific abstracts."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from spacy.language import Language

from extractors.frequencies import Frequencies
from extractors.models import mean_vector

SETTINGS = {
    "model": "skipgram",
    "dim": 64,
    "bucket": 25_000,
    "epoch": 4,
    "hashCount": 2,
    "minn": 4,
    "maxn": 5,
    "minCount": 10,
    "neg": 5,
    "ws": 5,
    "lr": 0.05,
    "thread": 1,
}
"""Options of floret; its random seed is fixed at 0, and one thread makes it repeatable."""


def train_vectors(lines: Iterable[str]) -> str:
    """Return the table of vectors, in floret's own text format, of lines of tokens."""
    import floret

    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "lines.txt"), Path(folder, "table.floret")
        with source.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
        model = floret.train_unsupervised(str(source), mode="floret", verbose=0, **SETTINGS)
        model.save_floret_vectors(str(target))
        return target.read_text(encoding="utf-8")


def damp(nlp: Language, texts: Iterable[str], frequencies: Frequencies) -> None:
    """Centre the vectors and damp the directions in which all texts are alike.

    Each principal direction of the texts' mean vectors is divided by the square root of
    its spread. Being linear, this is done once, to the table. The numbers are rounded to
    half precision, which halves their compressed size.
    """
    vectors = nlp.vocab.vectors

    @cache
    def vector_of(word: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = vectors.get_batch([word])[0]
        return vector

    means = np.array([mean_vector(text, frequencies, vector_of) for text in texts])
    centre = means.mean(axis=0)
    _, spread, directions = np.linalg.svd(means - centre, full_matrices=False)
    damped = (vectors.data - centre) @ (directions.T / np.sqrt(spread / spread.mean()))
    vectors.data = damped.astype(np.float16).astype(np.float32)


def add_vectors(nlp: Language, table: str) -> None:
    """Give the pipeline a table of vectors; words are looked up in lower case."""
    header, *rows = table.splitlines()
    _, _, minn, maxn, hash_count, hash_seed, bow, eow = header.split(" ")
    data = np.array([row.split(" ")[1:] for row in map(str.rstrip, rows)], dtype=np.float32)
    nlp.vocab.vectors = type(nlp.vocab.vectors)(
        strings=nlp.vocab.strings,
        data=data,
        mode="floret",
        minn=int(minn),
        maxn=int(maxn),
        hash_count=int(hash_count),
        hash_seed=int(hash_seed),
        bow=bow,
        eow=eow,
        attr="LOWER",
    )
