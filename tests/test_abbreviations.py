"""Abbreviations: which definitions are found, which brackets are none."""

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from extractors.abbreviations import AbbreviationExtractor, find_abbreviations, is_short_form
from extractors.mention import Extractor, Text, check

SHARED = Path(__file__).parents[2] / "shared"


def pairs(text: str) -> dict[str, str]:
    return {a.short: a.long for a in find_abbreviations(text)}


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("We study graph neural networks (GNNs) here.", "GNNs", "graph neural networks"),
        ("a Learning-to-Rank (LTR) system", "LTR", "Learning-to-Rank"),
        ("We follow machine to text (M2T) rules.", "M2T", "machine to text"),
        ("the Middle School Maths 5K (MSM5K) problems", "MSM5K", "Middle School Maths 5K"),
        ("the Clean Crawled Chinese Corpus (C4) is used", "C4", "Clean Crawled Chinese Corpus"),
        ("advantage actor-critic (A2C) agents", "A2C", "advantage actor-critic"),
        ("BLAH (broad language and audio hub) is open.", "BLAH", "broad language and audio hub"),
        (
            "the Speech Reading Challenge 2023 (“SRC 2023”)",
            "SRC 2023",
            "Speech Reading Challenge 2023",
        ),
        ("the International Forum on Trees (IFT 2019)", "IFT", "International Forum on Trees"),
        ("a Bayesian Nonlinear Sparse Map (BNSM)", "BNSM", "Bayesian Nonlinear Sparse Map"),
        ("ReFlective Tree Models (RF-TMs) win.", "RF-TMs", "ReFlective Tree Models"),
        ("a Moss Layer Pruning method (ML-Prune)", "ML-Prune", "Moss Layer Pruning"),
        ("an autoencoder (AE) with noise", "AE", "autoencoder"),
        ("Area Under the Curve (AUC; higher is better)", "AUC", "Area Under the Curve"),
        ("non-negative matrix factorization (NMF)", "NMF", "non-negative matrix factorization"),
        ("Retrieval-Augmented Parsing [RAP]", "RAP", "Retrieval-Augmented Parsing"),
    ],
)
def test_found(text: str, short: str, long: str) -> None:
    assert pairs(text) == {short: long}


@pytest.mark.parametrize(
    "text",
    [
        "Give it to the poor (and rich), said the first pilot (aviator).",
        "We report means (see Table 2) and totals (Left) for all (n = 12).",
        "The second case (ii) and the third (III) are alike.",
        "It was held last spring (2021) at noon (12).",
        "An efficient network (PPO) is trained.",
        "It grows (Smith, 2019; Lee, 2020).",
        "We use BERT (a language model) throughout.",
        "Nothing is in brackets here, not even GNN.",
        "An empty pair () and a lone ( bracket.",
    ],
)
def test_not_found(text: str) -> None:
    assert pairs(text) == {}


def test_the_article_stays_outside() -> None:
    assert pairs("This is the Trusted Answer Tree (TAT).") == {"TAT": "Trusted Answer Tree"}


def test_definitions_keep_the_order_of_the_text() -> None:
    text = "Hidden Markov models (HMMs) precede conditional random fields (CRFs)."
    assert [a.short for a in find_abbreviations(text)] == ["HMMs", "CRFs"]


@pytest.mark.parametrize("word", ["GNN", "LLMs", "L2D", "GSM8K", "CF-CBMs", "mAP", "β-VAE", "TOP"])
def test_short_forms(word: str) -> None:
    assert is_short_form(word)


@pytest.mark.parametrize(
    "word", ["", "a", "brains", "2024", "3.5", "iv", "XII", "Fig", "e.g", "95%"]
)
def test_no_short_forms(word: str) -> None:
    assert not is_short_form(word)


def test_the_extractor_reads_title_and_abstract() -> None:
    extractor = AbbreviationExtractor()
    assert isinstance(extractor, Extractor)
    text = Text("We adopt tree search (TS).", title="Mossy Bark Nets (MBN)")
    (extraction,) = extractor.extract([text])
    found = check(text, extraction).abbreviations
    assert {(a.field, a.short) for a in found} == {("title", "MBN"), ("abstract", "TS")}


@given(st.text() | st.text(alphabet="aBc D(e)[F]2-s.;,'İß", max_size=60))
def test_offsets_hold_in_any_text(text: str) -> None:
    for pair in find_abbreviations(text):
        assert text[pair.short_start : pair.short_end] == pair.short
        assert text[pair.long_start : pair.long_end] == pair.long
        assert len(pair.long) > len(pair.short)


@pytest.mark.shared
def test_pairs_of_an_annotated_set() -> None:
    path = SHARED / "abbrev" / "sdu21_dev.jsonl"
    if not path.exists():
        pytest.skip("the annotated set lies beside the checkout, and is not there")
    right = found = wanted = 0
    for record in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        gold = {(p["short"].strip(), " ".join(p["long"].lower().split())) for p in record["pairs"]}
        told = {(s, " ".join(x.lower().split())) for s, x in pairs(record["text"]).items()}
        right, found, wanted = right + len(gold & told), found + len(told), wanted + len(gold)
    assert 2 * right / (found + wanted) >= 0.95
