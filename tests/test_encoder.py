"""The encoder: words, windows, tags, and what the shipped weights answer."""

import hashlib
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from extractors.encoder import (
    MODEL,
    Encoder,
    allowed,
    best_tags,
    entity_ranges,
    shipped_encoder,
    tags,
    windows,
)
from extractors.mention import ModelError
from extractors.word_features import names, shape

TEXT = (
    "GraphFold: learning to fold graphs\n"
    "We present GraphFold, a graph neural network (GNN) for molecule generation. "
    "It is trained on ZINC and reaches an accuracy of 91.2% on QM9."
)


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return shipped_encoder()


def test_names_what_a_text_speaks_of(encoder: Encoder) -> None:
    found = {TEXT[s:e]: label for s, e, label, _ in encoder.predict(TEXT, "scirex")}
    assert found["graph neural network"] == "Method"
    assert found["GNN"] == "Method"
    assert found["molecule generation"] == "Task"


@pytest.mark.parametrize("scheme", ["scierc", "scirex", "tdmsci"])
def test_spans_lie_in_the_text_in_order_and_apart(encoder: Encoder, scheme: str) -> None:
    spans = encoder.predict(TEXT, scheme)
    assert spans
    assert all(0 <= s < e <= len(TEXT) and TEXT[s:e].strip() == TEXT[s:e] for s, e, *_ in spans)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    assert all(label in encoder.labels(scheme) and 0 < score <= 1 for *_, label, score in spans)


def test_all_schemes_at_once_equal_each_alone(encoder: Encoder) -> None:
    together = encoder.predict_all(TEXT)
    assert together == {scheme: encoder.predict(TEXT, scheme) for scheme in encoder.schemes}


def test_a_text_answers_the_same_after_others(encoder: Encoder) -> None:
    alone = Encoder().predict(TEXT, "scirex")
    encoder.predict("Another text, about Transformers on ImageNet.", "scirex")
    assert encoder.predict(TEXT, "scirex") == alone


def test_offsets_count_code_points(encoder: Encoder) -> None:
    before = "Ünïcödé 𝔾 naïve 日本. "
    text = before + "We train a support vector machine."
    assert "support vector machine" in {text[s:e] for s, e, *_ in encoder.predict(text, "scirex")}


def test_long_texts_are_read_to_the_end(encoder: Encoder) -> None:
    text = "We study trees. " * 200 + "We use a support vector machine."
    assert any(s > 3200 for s, *_ in encoder.predict(text, "scirex"))


@pytest.mark.parametrize("text", ["", " ", "\n\n", ".", "∑", "x" * 5000])
def test_odd_texts_have_an_answer(encoder: Encoder, text: str) -> None:
    assert isinstance(encoder.predict(text, "scirex"), list)


def test_an_unknown_scheme_is_named_with_the_known_ones(encoder: Encoder) -> None:
    with pytest.raises(ValueError, match=r"nope.*scierc"):
        encoder.predict(TEXT, "nope")


def test_a_missing_model_is_an_error_that_names_the_folder(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=str(tmp_path)):
        Encoder(tmp_path)


@given(st.integers(8, 60))
def test_windows_cover_all_words_once(limit: int) -> None:
    encoder = shipped_encoder()
    words = encoder.words(TEXT)
    found = windows(TEXT, words, limit)
    assert [i for window in found for i in window] == list(range(len(words.starts)))
    assert all(sum(len(words.pieces[i]) for i in window) <= limit for window in found)


@given(st.integers(0, 10_000), st.integers(1, 12))
def test_the_best_tags_make_whole_entities(seed: int, length: int) -> None:
    known = tags(["A", "B"])
    scores = np.random.default_rng(seed).normal(size=(length, len(known))).astype(np.float32)
    path = [known[tag] for tag in best_tags(scores, allowed(known), known)]
    inside = sum(stop - first for first, stop, _ in entity_ranges(path))
    assert inside + path.count("O") == length


@given(st.integers(0, 10_000), st.integers(1, 6), st.sampled_from([0.3, 1, 4]))
def test_no_allowed_sequence_of_tags_is_better(seed: int, length: int, spread: float) -> None:
    known = tags(["A"])
    rng = np.random.default_rng(seed)
    scores = (spread * rng.normal(size=(length, len(known)))).astype(np.float32)
    scores[:, 0] += rng.choice([0, spread])  # texts are O for the most part
    may_follow = allowed(known) == 0
    whole = [
        path
        for path in product(range(len(known)), repeat=length)
        if all(may_follow[pair] for pair in pairwise((0, *path, 0)))
    ]
    best = max(whole, key=lambda path: float(scores[range(length), path].sum()))
    assert best_tags(scores, allowed(known), known) == list(best)


def test_shapes_tell_names_from_words() -> None:
    spaced = [shape(word, spaced=True) for word in ("bert", "Bert", "BERT", "BiLSTM", "T5", "5")]
    assert len(set(spaced)) == len(spaced)
    assert shape("bert", spaced=True) != shape("bert", spaced=False)


def test_short_curated_names_count_in_their_own_case_only() -> None:
    assert names(["the", "GAP", "dataset"]) != names(["the", "gap", "dataset"])
    assert names(["Random", "Forest"]) == names(["random", "forest"])


def test_the_shipped_files_have_their_checksums_and_the_models_fit_into_forty_megabytes() -> None:
    lines = (MODEL / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    sums = dict(reversed(line.split("  ")) for line in lines)
    assert set(sums) == {"encoder.json", "encoder.onnx", "tokenizer.json"}
    for name, digest in sums.items():
        assert hashlib.sha256((MODEL / name).read_bytes()).hexdigest() == digest, name
    assert sum(f.stat().st_size for f in MODEL.parent.rglob("*") if f.is_file()) <= 40_000_000
