"""GLiNER behind the protocol: windows that it can read, offsets in the whole text, clear errors."""

from __future__ import annotations

import pickle
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from extractors import ModelError, Text
from extractors.gliner import LONGEST, GLiNERExtractor, windows


def test_it_reads_title_and_abstract(gliner) -> None:
    [found] = GLiNERExtractor("a/model").extract([Text("We use BERT.", "On SHAP")])
    assert [(m.field, m.start, m.text, m.kind, m.score) for m in found.mentions] == [
        ("abstract", 7, "BERT", "method", 0.9),
        ("title", 3, "SHAP", "method", 0.9),
    ]


def test_a_long_text_is_read_to_its_end(gliner) -> None:
    text = Text("It is known. " * 300 + "We use BERT. " + "no stop " * 500 + "then SHAP.")
    [found] = GLiNERExtractor("a/model").extract([text])
    assert [m.text for m in found.mentions] == ["BERT", "SHAP"]


@given(st.lists(st.sampled_from(["word", "It", ". ", " ", "-", "\n\n", "é"]), max_size=900))
def test_windows_hold_every_word_once_and_not_too_many(pieces: list[str]) -> None:
    words = "".join(pieces)
    spans = list(windows(words))
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    assert "".join("".join(words[s:e].split()) for s, e in spans) == "".join(words.split())
    assert all(len(words[s:e].split()) <= LONGEST for s, e in spans)


def test_a_model_that_cannot_be_loaded_is_named(gliner) -> None:
    with pytest.raises(ModelError, match=r"'missing'.*--model takes a folder"):
        list(GLiNERExtractor("missing").extract([Text("We use BERT.")]))


def test_the_version_of_a_folder_follows_its_files_and_hides_its_place(
    gliner, tmp_path: Path
) -> None:
    folder = tmp_path / "private" / "moss"
    folder.mkdir(parents=True)
    (folder / "model.safetensors").write_bytes(b"1")
    before = GLiNERExtractor(str(folder)).version
    (folder / "model.safetensors").write_bytes(b"2")
    assert GLiNERExtractor(str(folder)).version != before
    assert "moss" in before
    assert "private" not in before


def test_the_model_stays_here_when_the_extractor_is_sent_elsewhere(gliner) -> None:
    extractor = GLiNERExtractor("a/model")
    list(extractor.extract([Text("We use BERT.")]))
    assert b"GLiNER\x94" not in pickle.dumps(extractor)
