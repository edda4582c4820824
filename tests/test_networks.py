"""spaCy's networks run for their answers alone: to the last bit what spaCy computes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from spacy.tokens import Doc

from extractors import networks, tagger
from extractors.fast import load_network, read_document
from extractors.models import load_pipeline
from extractors.networks import Convolutions
from extractors.tagger import PIECE, tagged_words

TEXTS = (
    "We propose FooNet, a random forest, and don't test it on CIFAR-10.",
    "GPT-4",
    "Zoë's β-VAE  beats\n\nk-means (by 3.2%). Why? İt can't 𝔾!",
    "Adult and Adults adopt a new newspaper. " * 30,
)
TEXT = st.one_of(st.sampled_from(TEXTS), st.text(min_size=1, max_size=60))


def spacy_tagger() -> Any:
    tagging: Any = load_pipeline().get_pipe("tagger")
    return tagging.model


def plain(text: str) -> Doc:
    return load_pipeline().tokenizer(text)


NETWORKS = [
    pytest.param(spacy_tagger, plain, id="tagger"),
    pytest.param(load_network, read_document, id="fast"),
]
Load = Callable[[], Any]
Read = Callable[[str], Doc]


def fresh(load: Load) -> Convolutions:
    return Convolutions(load(), load_pipeline().vocab.vectors)


@pytest.mark.parametrize(("load", "read"), NETWORKS)
@settings(max_examples=40, deadline=None)
@given(text=TEXT)
def test_the_scores_are_those_of_spacy_to_the_last_bit(load: Load, read: Read, text: str) -> None:
    [expected] = load().predict([read(text)])
    assert np.array_equal(fresh(load).scores(read(text)), expected)


@pytest.mark.parametrize(("load", "read"), NETWORKS)
def test_a_text_has_the_same_scores_alone_and_behind_others(load: Load, read: Read) -> None:
    warm = fresh(load)
    for text in (*TEXTS, *TEXTS[::-1]):
        assert np.array_equal(warm.scores(read(text)), fresh(load).scores(read(text)))


@pytest.mark.parametrize(("load", "read"), NETWORKS)
def test_words_that_were_forgotten_are_worked_out_again(
    load: Load, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = [fresh(load).scores(read(text)) for text in TEXTS * 2]
    monkeypatch.setattr(networks, "REMEMBERED", 8)
    small = fresh(load)
    for text, scores in zip(TEXTS * 2, expected, strict=True):
        assert np.array_equal(small.scores(read(text)), scores)


def test_a_network_of_another_make_is_an_error() -> None:
    with pytest.raises(KeyError, match="tok2vec"):
        Convolutions(spacy_tagger().layers[-1], load_pipeline().vocab.vectors)


@settings(max_examples=60, deadline=None)
@given(TEXT)
def test_words_and_tags_are_those_of_the_pipeline(text: str) -> None:
    doc = load_pipeline()(text)
    assert [tuple(word) for word in tagged_words(text)] == [
        (t.idx, t.text, t.lower_, t.tag_, bool(t.is_sent_start)) for t in doc
    ]


def test_the_places_in_a_long_text_are_those_of_its_letters() -> None:
    text = "We train large trees. " * (2 * PIECE // 20)
    found = tagged_words(text)
    assert [text[word.start : word.end] for word in found] == [word.text for word in found]
    assert "".join(word.text.strip() for word in found) == text.replace(" ", "")


def test_words_are_the_same_when_the_vocabulary_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [tagged_words(text) for text in TEXTS]
    monkeypatch.setattr(tagger, "REMEMBERED", 0)
    assert [tagged_words(text) for text in TEXTS] == expected
