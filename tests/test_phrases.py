"""Noun phrases: what may name a subject, and what may not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import spacy
from hypothesis import given, strategies as st
from spacy.tokens import Doc

from extractors.phrases import noun_phrases

VOCAB = spacy.blank("en").vocab


def tagged(sentence: str) -> Doc:
    """Make a document of words with their tags: "the/DT graph/NN"; ``|`` begins a sentence."""
    pairs = [item.rsplit("/", 1) for item in sentence.replace("|", "").split()]
    starts: list[bool | int | None] = [True, *("|" in item for item in sentence.split()[1:])]
    return Doc(
        VOCAB,
        [word for word, _ in pairs],
        tags=[tag for _, tag in pairs],
        sent_starts=starts,
    )


def phrases(sentence: str, *, whole: bool = False) -> list[str]:
    doc = tagged(sentence)
    return [doc.text[p.start : p.end] for p in noun_phrases(doc) if p.whole or not whole]


def test_a_phrase_and_the_parts_that_are_phrases_themselves() -> None:
    assert set(phrases("safe/JJ ship/NN control/NN")) == {
        "safe ship control",
        "safe ship",
        "ship control",
        "ship",
        "control",
    }


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("the/DT novel/JJ graph/NN kernel/NN", ["graph kernel"]),
        ("GPT-4/NNP and/CC k-means/NN", ["GPT-4", "k-means"]),
        ("the/DT model/NN of/IN trees/NNS", ["model", "trees"]),
        ("graphs/NNS ,/, trees/NNS", ["graphs", "trees"]),
        ("graph/NN (/-LRB- GNN/NNP )/-RRB- model/NN", ["graph", "GNN", "model"]),
        ("we/PRP train/VBP neural/JJ nets/NNS", ["neural nets"]),
        ("visual/JJ question/NN answering/VBG", ["visual question answering"]),
        ("using/VBG deep/JJ nets/NNS", ["deep nets"]),
        ("the/DT learning/VBG rate/NN", ["learning rate"]),
        ("pre-trained/VBN models/NNS", ["pre-trained models"]),
        ("have/VBP shown/VBN results/NNS", ["results"]),
        ("factors/NNS leading/VBG to/IN errors/NNS", ["factors", "errors"]),
        ("a/DT method/NN ,/, called/VBN HCFL+/NNP", ["method", "HCFL+"]),
        ("graphs/NNS ./. |Trees/NNS grow/VBP", ["graphs", "Trees"]),
        ("good/JJ", []),
        ("the/DT of/IN and/CC", []),
        ("2024/CD", []),
    ],
)
def test_whole_phrases(sentence: str, expected: list[str]) -> None:
    assert phrases(sentence, whole=True) == expected


def test_a_phrase_ends_with_its_sentence() -> None:
    assert "net graph" not in phrases("a/DT net/NN |graph/NN kernels/NNS help/VBP")


def test_an_empty_document_has_none() -> None:
    assert noun_phrases(Doc(VOCAB)) == []


TAGS = ("NN", "NNS", "NNP", "JJ", "VBG", "VBN", "DT", "IN", ",", "-LRB-", "CD", "VBZ", "HYPH")
WORDS = ("graph", "GPT-4", "β-VAE", "the", "novel", "(", ",", ".", "12", "-based", "such", "C++")


@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(TAGS), st.booleans())))
def test_phrases_lie_in_one_sentence_without_punctuation(
    tokens: Sequence[tuple[str, str, bool]],
) -> None:
    doc = Doc(
        VOCAB,
        [word for word, _, _ in tokens],
        tags=[tag for _, tag, _ in tokens],
        sent_starts=[i == 0 or start for i, (_, _, start) in enumerate(tokens)],
    )
    for phrase in noun_phrases(doc):
        span = doc.char_span(phrase.start, phrase.end)
        assert span is not None
        assert not any(token.is_sent_start for token in span[1:])
        assert not {token.text for token in span} & {"(", ",", ".", "such"}
        assert span[0].text[0].isalnum()
        assert span[0].lower_ not in {"the", "novel"}
