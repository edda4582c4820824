"""Noun phrases: what may name a subject, and what may not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import spacy
from hypothesis import given, strategies as st
from spacy.tokens import Doc

from extractors.phrases import Phrase, Word, find_phrases

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


def found(doc: Doc) -> list[Phrase]:
    return find_phrases([Word(t.idx, t.text, t.lower_, t.tag_, bool(t.is_sent_start)) for t in doc])


def phrases(sentence: str, *sorts: str) -> list[str]:
    doc = tagged(sentence)
    return [doc[p.first : p.stop].text for p in found(doc) if not sorts or p.sort in sorts]


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
    assert phrases(sentence, "noun") == expected


def test_a_phrase_ends_with_its_sentence() -> None:
    assert "net graph" not in phrases("a/DT net/NN |graph/NN kernels/NNS help/VBP")


def test_an_empty_document_has_none() -> None:
    assert found(Doc(VOCAB)) == []


@pytest.mark.parametrize(
    ("sentence", "sort", "expected"),
    [
        ("a/DT high/JJ bit/NN rate/NN", "led", ["high bit rate"]),
        ("a/DT fully/RB connected/VBN network/NN", "led", ["fully connected network"]),
        ("for/IN scripting/VBG languages/NNS", "led", ["scripting languages"]),
        ("by/IN improving/VBG languages/NNS", "led", []),
        ("the/DT best/JJS network/NN", "led", []),
        ("quality/NN of/IN service/NN", "of", ["quality of service"]),
        ("a/DT number/NN of/IN services/NNS", "of", []),
        ("quality/NN of/IN the/DT service/NN", "of", []),
        ("by/IN clustering/VBG ./.", "gerund", ["clustering"]),
        ("by/IN clustering/VBG graphs/NNS", "gerund", []),
        ("by/IN improving/VBG ./.", "gerund", []),
    ],
)
def test_kin_of_noun_phrases(sentence: str, sort: str, expected: list[str]) -> None:
    assert phrases(sentence, sort) == expected


def test_a_name_with_an_apostrophe_is_one_phrase() -> None:
    assert phrases("Fieller/NNP 's/POS theorem/NN", "noun") == ["Fieller 's theorem"]
    assert not any(p.startswith("'s") for p in phrases("Fieller/NNP 's/POS theorem/NN"))


def test_the_noun_of_a_word_of_degree_goes_with_it() -> None:
    sentence = "high/JJ quality/NN photorealistic/JJ renders/NNS"
    assert phrases(sentence, "noun") == ["photorealistic renders"]
    assert phrases("high/JJ bit/NN rate/NN", "noun") == ["bit rate"]


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
    for phrase in found(doc):
        span = doc[phrase.first : phrase.stop]
        assert len(span) > 0
        assert not any(token.is_sent_start for token in span[1:])
        assert not {token.text for token in span} & {"(", ",", "."}
        assert phrase.sort == "led" or span[0].lower_ not in {"the", "novel"}
        assert phrase.sort in {"noun", "part", "led", "of", "gerund"}
