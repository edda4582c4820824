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
        ("evaluation metrics", "evaluation metric"),
        ("topics", "topic"),
        ("knowledge bases", "knowledge base"),
        ("databases", "database"),
        ("orthogonal bases", "orthogonal basis"),
        ("viruses", "virus"),
        ("classes of functions", "class of functions"),
        ("mixtures of experts", "mixture of experts"),
        ("Ψ-nets", "psi-net"),
        ("$\\beta$-VAE", "beta-VAE"),
        ("Fréchet distance", "Frechet distance"),
        ("Schrödinger bridges", "Schrodinger bridge"),
        ("the user's preference", "the user preference"),
        ("LLM’s", "LLM"),
        ("centred kernel alignment", "centered kernel alignment"),
        ("haemorrhage detection", "hemorrhage detection"),
        ("object detectors", "object detection"),
        ("gradient estimators", "gradient estimation"),
        ("dependency parser", "dependency parsing"),
        ("hypothesis tests", "hypothesis testing"),
        ("residual nets", "residual network"),
        ("domain adaption", "domain adaptation"),
        ("dynamical systems", "dynamic system"),
        ("low-resourced languages", "low-resource language"),
        ("graph representation learning", "graph representations"),
        ("deep recurrent networks", "deep recurrent neural networks"),
        ("Safety & Robustness", "safety and robustness"),
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
        ("MATH", "math"),
        ("Adult", "adults"),
        ("detector", "detection"),
        ("image encoder", "image encoding"),
        ("knowledge representation", "knowledge representation learning"),
        ("representation", "representation learning"),
        ("Adam optimizer", "Adam optimization"),
        ("HCFL", "HCFL+"),
        ("CIFAR-10", "CIFAR-100"),
        ("GPT-4", "GPT-4o"),
        ("Llama-2-7B", "Llama-27B"),
        ("Llama-2-7B", "Llama-2-13B"),
        ("SuperGLUE", "SuperGlue"),
        ("mAP", "MAP"),
        ("mAPs", "MAPs"),
        ("FID", "FiD"),
        ("GPT-4o", "GPT-4o-mini"),
        ("GPT-3.5", "GPT-35"),
        ("A*", "A"),
        ("YOLOv5", "YOLOv8"),
        ("SGD", "SGD++"),
        ("top-1 accuracy", "top-5 accuracy"),
        ("ROUGE-1", "ROUGE-L"),
        ("GPS", "GP"),
        ("planning", "plan"),
    ],
)
def test_names_that_carry_meaning_stay_apart(one: str, other: str) -> None:
    assert key(one) != key(other)


@pytest.mark.parametrize(
    "word",
    [
        "bias",
        "analysis",
        "mixed",
        "corpus",
        "physics",
        "class",
        "GPS",
        "loss",
        "series",
        "Bayes",
        "Keras",
        "diabetes",
        "Kubernetes",
        "DevOps",
        "SaaS",
        "biometrics",
        "basis",
        "virus",
    ],
)
def test_what_is_no_plural_stays(word: str) -> None:
    assert singular(word) == word


@pytest.mark.parametrize(
    "word", ["supervised", "noise", "precise", "exercise", "promise", "centroid", "license"]
)
def test_what_is_no_british_spelling_stays(word: str) -> None:
    assert american(word) == word


@given(st.text())
def test_any_string_has_a_key_and_a_key_is_its_own(name: str) -> None:
    assert fold(name) == fold(name.strip())
    assert squash(squash(fold(name))) == squash(fold(name))


@pytest.mark.parametrize(
    ("plural", "single"),
    [("ReLUs", "ReLU"), ("Nash equilibria", "Nash equilibrium"), ("local minima", "local minimum")],
)
def test_a_plural_of_a_name_or_from_latin_is_the_singular(plural: str, single: str) -> None:
    assert fold(plural) == fold(single)
