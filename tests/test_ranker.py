"""The ranker of keywords: numbers with names, fitted the same way every time."""

from __future__ import annotations

import json

import numpy as np
from hypothesis import given, strategies as st

from extractors import models
from extractors.candidates import find_candidates
from extractors.keywords import read_signals
from extractors.mention import Text
from extractors.signals import text_signals
from extractors.training.ranker import BIAS, as_json, fit

TEXT = Text(
    "We train graph kernels (GKs) for the classification of molecules. Fully connected graph "
    "kernels need few labels, and the kernels of trees fewer. Molecules have labels.",
    "Graph kernels",
)


def signals_of(label: str) -> dict[str, float]:
    return {candidate.label.lower(): signals for candidate, signals in read_signals(TEXT)}[label]


def test_each_signal_has_one_weight_and_each_weight_its_signal() -> None:
    for _, signals in read_signals(TEXT):
        assert {*signals, BIAS} == set(models.load_ranker())
        assert all(map(np.isfinite, signals.values()))


def test_it_is_a_few_dozen_plain_numbers() -> None:
    weights = json.loads(models.RANKER.read_text(encoding="utf-8"))
    assert len(weights) < 80
    assert all(isinstance(weight, float) for weight in weights.values())


def test_the_likeness_to_the_text_counts_for_a_phrase() -> None:
    assert models.load_ranker()["similarity"] > 0


def test_what_the_text_says_of_a_phrase() -> None:
    kernels = signals_of("graph kernels")
    assert kernels["two words"] == kernels["whole phrase"] == kernels["in the opening"] == 1
    assert kernels["before a bracket"] == kernels["opens a sentence"] == 1
    assert kernels["number"] == kernels["hyphen"] == kernels["of"] == 0
    assert kernels["frequency"] > signals_of("classification")["frequency"]
    assert signals_of("classification")["lateness"] > kernels["lateness"]
    assert signals_of("classification")["after the"] == 1


def test_a_text_without_candidates_has_no_signals() -> None:
    assert text_signals([]) == []
    assert find_candidates(Text("")) == []


@given(st.integers(0, 5))
def test_the_fit_finds_the_weights_of_a_logistic_law(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = rng.normal(3, 2, size=(6000, 3))
    law = np.array([1.0, -0.5, 0.0])
    likely = 1 / (1 + np.exp(-(table @ law - 1)))
    chosen = (rng.random(6000) < likely).astype(float)
    found = fit(table, chosen, np.ones(6000))
    assert np.allclose(found, [*law, -1.0], atol=0.25)
    assert np.array_equal(found, fit(table, chosen, np.ones(6000)))


def test_what_counts_twice_is_there_twice() -> None:
    rng = np.random.default_rng(1)
    table, chosen = rng.normal(size=(200, 2)), (rng.random(200) < 0.3).astype(float)
    doubled = fit(np.vstack([table, table]), np.tile(chosen, 2), np.ones(400))
    assert np.allclose(fit(table, chosen, np.full(200, 2.0)), doubled)


def test_the_file_is_the_same_whatever_the_order() -> None:
    assert as_json({"a": 1.0, "b": 2.0}) == as_json({"b": 2.0, "a": 1.0})
