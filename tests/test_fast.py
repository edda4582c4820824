"""The fast recogniser: what it finds, how steady its answers are, that it needs spaCy alone."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from extractors import fast
from extractors.encoder import allowed, best_tags, entity_ranges
from extractors.fast import (
    LABELS,
    MODEL,
    TAGS,
    FastEntityExtractor,
    FastRecogniser,
    fitting_tags,
    read_document,
)
from extractors.mention import ModelError, Text, check

TEXT = (
    "We present GraphFold, a graph neural network (GNN) for molecule generation. "
    "It is trained on ZINC and reaches an accuracy of 91.2% on QM9."
)
MORE = (
    TEXT,
    "Another text, about Transformers on ImageNet.",
    "",
    "We train a support vector machine for sentiment analysis on movie reviews.",
)
SIZE_LIMIT = 4_000_000  # bytes


@pytest.fixture(scope="module")
def recogniser() -> FastRecogniser:
    return FastRecogniser()


def test_names_what_a_text_speaks_of(recogniser: FastRecogniser) -> None:
    found = {TEXT[s:e]: label for s, e, label, _ in recogniser.predict(TEXT)}
    assert found["graph neural network"] == "Method"
    assert found["GNN"] == "Method"
    assert found["molecule generation"] == "Task"


@pytest.mark.parametrize(
    ("text", "name", "label"),
    [
        ("We tackle the task of bird song recognition with a new model.", "song", "Task"),
        ("The lexical mixture network is trained with gradient noise.", "mixture", "Method"),
        ("Experiments on the WaterQA dataset show that it works.", "WaterQA", "Dataset"),
    ],
)
def test_names_that_nobody_curated_are_told_by_the_words_around(
    recogniser: FastRecogniser, text: str, name: str, label: str
) -> None:
    assert any(name in text[s:e] and label == told for s, e, told, _ in recogniser.predict(text))


def test_spans_lie_in_the_text_in_order_and_apart(recogniser: FastRecogniser) -> None:
    spans = recogniser.predict(TEXT)
    assert spans
    assert all(TEXT[s:e].strip() == TEXT[s:e] != "" for s, e, *_ in spans)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    assert all(label in LABELS and 0 < score <= 1 for *_, label, score in spans)


def test_offsets_count_code_points(recogniser: FastRecogniser) -> None:
    text = "Ünïcödé 𝔾 naïve 日本. We train a support vector machine."
    assert "support vector machine" in {text[s:e] for s, e, *_ in recogniser.predict(text)}


def test_long_texts_are_read_to_the_end(recogniser: FastRecogniser) -> None:
    text = "We study trees. " * 400 + "We use a support vector machine."
    assert any(s > 6400 for s, *_ in recogniser.predict(text))


@pytest.mark.parametrize("text", ["", " ", "\n\n", ".", "∑", "x" * 5000, "\x00<b>'; --"])
def test_odd_texts_have_an_answer(recogniser: FastRecogniser, text: str) -> None:
    assert isinstance(recogniser.predict(text), list)


@settings(deadline=None)
@given(st.text(max_size=200))
def test_spans_of_any_text_lie_in_it_and_apart(text: str) -> None:
    spans = FastRecogniser().predict(text)
    assert all(0 <= s < e <= len(text) and 0 <= score <= 1 for s, e, _, score in spans)
    assert all(left[1] <= right[0] for left, right in pairwise(spans))


def test_a_text_answers_the_same_alone_and_among_others() -> None:
    texts = [Text(text, title="On names") for text in MORE]
    together = list(FastEntityExtractor().extract(texts))
    assert [next(FastEntityExtractor().extract([text])) for text in texts] == together
    assert list(FastEntityExtractor().extract(texts[::-1])) == together[::-1]
    for text, extraction in zip(texts, together, strict=True):
        check(text, extraction)


def test_the_rules_speak_first_and_the_recogniser_where_they_are_silent() -> None:
    text = Text("We propose FooNet and evaluate it on CIFAR-10.")
    [found] = FastEntityExtractor().extract([text])
    assert [(m.text, m.kind) for m in found.mentions] == [
        ("FooNet", "method"),
        ("CIFAR-10", "dataset"),
    ]
    assert {role.role for role in found.roles} == {"proposes", "evaluates_on"}


def test_it_needs_no_other_library_of_networks() -> None:
    code = (
        "import sys\n"
        "from extractors.fast import FastEntityExtractor\n"
        "from extractors.mention import Text\n"
        f"assert list(FastEntityExtractor().extract([Text({TEXT!r})]))[0].mentions\n"
        "print({'onnxruntime', 'tokenizers', 'torch'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_it_answers_the_same_whatever_the_hash_seed() -> None:
    code = f"from extractors.fast import FastRecogniser; print(FastRecogniser().predict({TEXT!r}))"
    answers = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PATH": ""},
        ).stdout
        for seed in ("1", "2")
    }
    assert answers == {f"{FastRecogniser().predict(TEXT)}\n"}


def test_curated_names_are_marked_for_the_network() -> None:
    doc = read_document("A random forest on CIFAR-10.")
    assert [(e.text, e.label_) for e in doc.ents] == [
        ("random forest", "method"),
        ("CIFAR-10", "dataset"),
    ]


@given(st.integers(0, 10_000), st.integers(1, 12))
def test_tags_that_fit_make_whole_entities(seed: int, length: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(length, len(TAGS))).astype(np.float32)
    path = [TAGS[tag] for tag in fitting_tags(scores)]
    inside = sum(stop - first for first, stop, _ in entity_ranges(path))
    assert inside + path.count("O") == length


@given(st.integers(0, 10_000), st.integers(1, 12))
def test_tags_that_fit_already_are_left_alone(seed: int, length: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(length, len(TAGS))).astype(np.float32)
    scores[np.arange(length), best_tags(scores, allowed(TAGS), TAGS)] += 100
    assert fitting_tags(scores) == list(scores.argmax(axis=1))


def test_a_missing_model_is_an_error_that_names_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fast, "MODEL", tmp_path)
    with pytest.raises(ModelError, match=re.escape(str(tmp_path))):
        fast.load_network.__wrapped__()


def test_the_shipped_files_have_their_checksums_and_fit_into_four_megabytes() -> None:
    lines = (MODEL / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    sums = dict(reversed(line.split("  ")) for line in lines)
    assert set(sums) == {"config.cfg", "weights"}
    card = (MODEL / "README.md").read_text(encoding="utf-8")
    for name, digest in sums.items():
        assert hashlib.sha256((MODEL / name).read_bytes()).hexdigest() == digest, name
        assert digest in card
    assert sum(file.stat().st_size for file in MODEL.iterdir()) <= SIZE_LIMIT
