"""The shipped language model: what it weighs, what it reads, and that it needs nothing else."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from extractors import models
from extractors.mention import ModelError
from extractors.stems import stem, stem_key

SIZE_LIMIT = 12_000_000  # bytes


def _checksums() -> dict[str, str]:
    lines = models.CHECKSUMS.read_text(encoding="utf-8").splitlines()
    return {path: digest for digest, path in (line.split("  ", 1) for line in lines)}


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_model_fits_into_twelve_megabytes() -> None:
    files = [*models.PIPELINE.rglob("*"), models.PHRASES]
    assert sum(file.stat().st_size for file in files if file.is_file()) <= SIZE_LIMIT


def test_every_file_of_the_model_has_its_checksum() -> None:
    files = {
        path.relative_to(models.MODEL).as_posix(): _sha256(path)
        for path in models.PIPELINE.rglob("*")
        if path.is_file()
    }
    files |= {path.name: _sha256(path) for path in (models.PHRASES, models.RANKER)}
    assert files == _checksums()


def test_the_card_states_the_checksums_and_the_licence() -> None:
    card = (models.MODEL / "README.md").read_text(encoding="utf-8")
    assert "CC BY-SA 4.0" in card
    for path, digest in _checksums().items():
        assert re.search(rf"\| {re.escape(path)} \| [\d,]+ \| {digest} \|", card), path


@pytest.mark.parametrize(
    "name",
    [
        *("C4", "GPT-4", "k-means", "L2D", "CIFAR-10", "β-VAE", "HCFL+", "C++"),
        *("Llama-3-8B-Instruct", "Llama3-8b–Instruct", "state-of-the-art", "non-IID", "GPT-3.5"),
    ],
)
@pytest.mark.parametrize("around", ["{}", "We use {}.", "({})", "with {}, on", "{}'s"])
def test_names_are_one_token(name: str, around: str) -> None:
    assert name in [token.text for token in models.load_pipeline()(around.format(name))]


def test_sentences_are_those_of_the_rules() -> None:
    doc = models.load_pipeline()("We use trees, e.g. CART. They win (by 2.5 points). Why?")
    assert [sentence.text for sentence in doc.sents] == [
        "We use trees, e.g. CART.",
        "They win (by 2.5 points).",
        "Why?",
    ]


def test_plain_prose_is_tagged_right() -> None:
    doc = models.load_pipeline()("We propose a fast algorithm for large graphs.")
    tags = {token.text: token.tag_ for token in doc}
    assert (tags["We"], tags["a"], tags["algorithm"], tags["graphs"]) == ("PRP", "DT", "NN", "NNS")


@pytest.mark.shared
def test_tags_of_web_text_are_right_nine_times_in_ten(shared: Path) -> None:
    from extractors.training.tagger import accuracy
    from extractors.training.treebank import read_treebank

    nlp = models.load_pipeline()
    gold = list(read_treebank(shared / "treebank" / "ewt_dev.conllu.gz", nlp))
    assert accuracy(nlp, gold[:500]) > 0.92


def test_vectors_have_length_one_and_empty_texts_none() -> None:
    vectors = models.document_vectors(["Graph kernels compare molecules.", "", " \n ", "—"])
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 0, 0, 0], abs=1e-5)
    assert models.document_vectors([]).shape == (0, vectors.shape[1])


def test_related_texts_are_nearer_than_unrelated_ones() -> None:
    parsing, parser, images = models.document_vectors(
        [
            "Dependency parsing of morphologically rich languages with neural networks.",
            "A transition-based parser that learns syntax from treebanks.",
            "Diffusion models generate photorealistic images from noise.",
        ]
    )
    assert parsing @ parser > parsing @ images + 0.2


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(alphabet="abc GPT-4.\nβ", max_size=40), min_size=1, max_size=5))
def test_a_text_has_the_same_vector_alone_and_in_a_batch(texts: list[str]) -> None:
    together = models.document_vectors(texts)
    alone = np.vstack([models.document_vectors([text]) for text in texts])
    assert np.array_equal(together, alone)


def test_common_words_are_common() -> None:
    frequencies = models.load_frequencies()
    assert frequencies.documents > 90_000
    assert frequencies.idf("the") < frequencies.idf("graph") < frequencies.idf("zyzzyva")
    assert frequencies.in_documents[stem_key("neural networks")] > 1000


def test_the_version_is_that_of_the_files() -> None:
    assert re.fullmatch("[0-9a-f]{12}", models.model_version())


def test_a_missing_model_is_an_error_with_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = tmp_path / "none"
    for name in ("PIPELINE", "PHRASES", "CHECKSUMS"):
        monkeypatch.setattr(models, name, missing)
    for load in (models.load_pipeline, models.load_frequencies, models.model_version):
        with pytest.raises(ModelError, match=re.escape(str(missing))):
            load.__wrapped__()


def test_importing_loads_nothing_heavy() -> None:
    code = (
        "import sys, extractors.models, extractors.keywords;"
        "print([m for m in ('spacy', 'keybert', 'sklearn', 'torch') if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("optimize", "optimization"),
        ("Graph Neural Networks", "graph-neural network"),
        ("policies", "policy"),
        ("Self-Supervised Learning", "self supervised learning"),
    ],
)
def test_spellings_of_one_phrase_meet(one: str, other: str) -> None:
    assert stem_key(one) == stem_key(other)


@pytest.mark.parametrize("pair", [("policy", "police"), ("C", "C++"), ("GPT-3", "GPT-4")])
def test_different_names_stay_apart(pair: tuple[str, str]) -> None:
    assert stem_key(pair[0]) != stem_key(pair[1])


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("agreed", "agre"),
        ("plastered", "plaster"),
        ("motoring", "motor"),
        ("hopping", "hop"),
        ("falling", "fall"),
        ("filing", "file"),
        ("relational", "relat"),
        ("conditional", "condit"),
        ("vietnamization", "vietnam"),
        ("electrical", "electr"),
        ("hopeful", "hope"),
        ("adjustment", "adjust"),
        ("adoption", "adopt"),
        ("probate", "probat"),
        ("controll", "control"),
        ("sky", "sky"),
    ],
)
def test_stems_are_those_of_the_published_examples(word: str, expected: str) -> None:
    assert stem(word) == expected
