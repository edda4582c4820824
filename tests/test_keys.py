"""The canonical key: one for the spellings of a name, different for different names."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from kg.keys import american, fold, singular, squash


def key(name: str) -> str:
    return squash(fold(name))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Graph Neural Networks", "graph neural network"),
        ("graph-neural network", "graph neural network"),
        ("fine-tuning", "finetuning"),
        ("fine tuning", "fine-tuning"),
        ("data sets", "dataset"),
        ("Bayesian optimisation", "Bayesian optimization"),
        ("behaviour modelling", "behavior modeling"),
        ("neighbourhood sampling", "neighborhood sampling"),
        ("β-VAE", "beta-VAE"),
        ("GANs", "GAN"),
        ("corpora", "corpus"),
        ("KANs", "KAN"),
        ("GPT-4", "GPT4"),
        ("“few-shot” learning", "few-shot learning"),
        ("sentiment analyses", "sentiment analysis"),
    ],
)
def test_spellings_of_one_name_have_one_key(one: str, other: str) -> None:
    assert key(one) == key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("BERT", "SciBERT"),
        ("C", "C++"),
        ("C++", "C#"),
        ("HCFL", "HCFL+"),
        ("CIFAR-10", "CIFAR-100"),
        ("GPT-4", "GPT-4o"),
        ("Llama-2-7B", "Llama-27B"),
        ("Llama-2-7B", "Llama-2-13B"),
        ("SuperGLUE", "SuperGlue"),
    ],
)
def test_names_that_carry_meaning_stay_apart(one: str, other: str) -> None:
    assert key(one) != key(other)


@pytest.mark.parametrize(
    "word", ["bias", "analysis", "mixed", "corpus", "physics", "class", "GPS", "loss", "series"]
)
def test_what_is_no_plural_stays(word: str) -> None:
    assert singular(word) == word


@pytest.mark.parametrize("word", ["supervised", "noise", "precise", "exercise", "promise"])
def test_what_is_no_british_spelling_stays(word: str) -> None:
    assert american(word) == word


@given(st.text())
def test_any_string_has_a_key_and_a_key_is_its_own(name: str) -> None:
    assert fold(name) == fold(name.strip())
    assert squash(squash(fold(name))) == squash(fold(name))
