"""Keywords: cased phrases with their places, the same whatever stands beside the text."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from extractors.keywords import KeywordExtractor
from extractors.mention import Extraction, Extractor, Mention, Text, check
from extractors.models import model_version

ABSTRACT = (
    "Graph neural networks (GNNs) predict properties of molecules. We propose RingNet, a graph "
    "neural network that reads ring systems as single nodes. On the MoleculeNet benchmark, "
    "RingNet improves property prediction over GIN and GraphSAGE. Our ablation study shows that "
    "ring systems matter most. RingNet needs few parameters."
)
TITLE = "RingNet: Ring Systems as Nodes for Molecular Property Prediction"


def extract(*texts: Text, top_n: int = 10) -> list[Extraction]:
    return list(KeywordExtractor(top_n).extract(texts))


def ranked(abstract: str, title: str = "") -> list[str]:
    return [phrase for phrase, _ in KeywordExtractor().rank(Text(abstract, title))]


def surfaces(extraction: Extraction) -> set[str]:
    return {mention.text for mention in extraction.mentions}


def test_it_is_an_extractor_whose_version_names_the_model() -> None:
    extractor = KeywordExtractor()
    assert isinstance(extractor, Extractor)
    assert extractor.name == "keywords"
    assert model_version() in extractor.version
    assert KeywordExtractor(5).version != extractor.version


def test_what_a_text_is_about_comes_first() -> None:
    best = ranked(ABSTRACT, TITLE)
    assert {"graph neural network", "RingNet"} <= set(best[:5]) | {
        phrase.removesuffix("s").lower() if phrase[0] == "G" else phrase for phrase in best[:5]
    }
    assert not {"parameters", "ablation study", "benchmark"} & set(best[:5])


def test_each_keyword_is_mentioned_at_every_place_in_title_and_abstract() -> None:
    [extraction] = extract(Text(ABSTRACT, TITLE))
    found = [(m.field, m.start) for m in extraction.mentions if m.text == "RingNet"]
    places = [("abstract", m.start()) for m in re.finditer("RingNet", ABSTRACT)]
    assert found == [*places, ("title", 0)]
    assert {m.kind for m in extraction.mentions} == {"keyword"}


def test_plural_and_capitals_are_one_keyword() -> None:
    best = [phrase.lower().removesuffix("s") for phrase in ranked(ABSTRACT)]
    assert len(best) == len(set(best))
    [extraction] = extract(Text(ABSTRACT))
    assert {"Graph neural networks", "graph neural network"} <= surfaces(extraction)


def test_names_with_capitals_are_found_as_written() -> None:
    assert {"GraphSAGE", "BERT"} <= set(ranked("GraphSAGE and BERT are compared."))


@pytest.mark.parametrize("name", ["C4", "GPT-4", "k-means", "L2D", "CIFAR-10", "β-VAE"])
def test_names_are_kept_whole(name: str) -> None:
    text = "We compare GPT-4 and k-means in L2D on CIFAR-10, C4 and β-VAE."
    [extraction] = extract(Text(text))
    assert name in surfaces(extraction)
    assert not {"GPT", "means", "CIFAR", "VAE"} & surfaces(extraction)


def test_an_acronym_is_not_the_word_of_its_letters() -> None:
    [extraction] = extract(Text("IT systems fail. We fix IT, and it works as it did."))
    assert {m.text for m in extraction.mentions if m.text.lower() == "it"} <= {"IT"}


def test_a_name_is_not_found_inside_a_longer_one() -> None:
    [extraction] = extract(Text("GPT writes text. We compare GPT with GPT-4 and with MyGPT."))
    assert [m.start for m in extraction.mentions if m.text == "GPT"] == [0, 28]


def test_a_link_holds_no_keyword() -> None:
    text = "RingNet is a network for molecules. Code: https://example.org/RingNet/molecules/tool."
    [extraction] = extract(Text(text))
    assert {"RingNet", "molecules"} <= surfaces(extraction)
    assert all(mention.end < text.index("https") for mention in extraction.mentions)


def test_what_is_no_whole_word_is_no_keyword() -> None:
    assert ranked("0D_") == []
    assert extract(Text("0D_")) == [Extraction()]


def test_no_keyword_is_the_tail_of_a_better_one() -> None:
    best = [phrase.lower() for phrase in ranked(ABSTRACT, TITLE)]
    for i, phrase in enumerate(best):
        assert not any(better.endswith(f" {phrase}") for better in best[:i])


def test_no_keyword_has_only_a_generic_word_more_than_a_better_one() -> None:
    best = ranked(
        "Active learning saves labels. Active learning methods ask. Active learning wins."
    )
    assert "Active learning" in best
    assert "Active learning methods" not in best


def test_a_part_of_a_better_keyword_needs_weight_of_its_own() -> None:
    inside = "Sparse graph kernels compare molecules. We train sparse graph kernels."
    assert "graph kernels" not in map(str.lower, ranked(inside))
    alone = f"{inside} " + "Sparse graphs help. Sparse graphs win. " * 3
    assert "sparse graphs" in map(str.lower, ranked(alone))


def test_a_short_text_has_few_keywords() -> None:
    assert len(ranked("We prune decision trees.")) <= 2
    assert len(ranked("Results are good and the effects are large.")) <= 1


def test_generic_terms_are_no_keywords() -> None:
    best = ranked("We present a method. The method solves the problem. Results are good.")
    assert not {"method", "problem", "result", "results"} & set(map(str.lower, best))


def test_texts_without_a_subject_have_no_keywords() -> None:
    for text in ("", "   ", "the of and", "12 345", "...", "We do it."):
        assert extract(Text(text)) == [Extraction()]
        assert ranked(text) == []


def test_each_text_has_its_answer_and_a_list_of_one_is_a_list() -> None:
    texts = [
        Text(abstract)
        for abstract in ("Graph models improve retrieval.", "Diffusion models.", "", "the of and")
    ]
    together = extract(*texts)
    assert [extract(text) for text in texts] == [[extraction] for extraction in together]
    assert [bool(extraction.mentions) for extraction in together] == [True, True, False, False]


def test_at_most_so_many_keywords() -> None:
    assert len(KeywordExtractor(3).rank(Text(ABSTRACT, TITLE))) == 3
    assert ranked(ABSTRACT, TITLE)[:3] == [
        phrase for phrase, _ in KeywordExtractor(3).rank(Text(ABSTRACT, TITLE))
    ]


def test_scores_fall_from_best_to_last() -> None:
    scores = [score for _, score in KeywordExtractor().rank(Text(ABSTRACT, TITLE))]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score < 1 for score in scores)


def test_the_authors_own_keywords_are_certain() -> None:
    text = Text("We prune trees.", keywords=("decision trees", " pruning ", "", "C++"))
    [extraction] = extract(text)
    check(text, extraction)
    own = [m for m in extraction.mentions if m.field == "keywords"]
    assert own == [
        Mention("keywords", 0, 14, "keyword", "decision trees", 1.0),
        Mention("keywords", 17, 24, "keyword", "pruning", 1.0),
        Mention("keywords", 29, 32, "keyword", "C++", 1.0),
    ]


@pytest.mark.parametrize(
    ("code", "topic"),
    [
        ("Machine Learning: ML: Online learning", "Online learning"),
        ("Computer Vision: General", "Computer Vision"),
        ("General", "General"),
        ("std::vector", "std::vector"),
    ],
)
def test_a_subject_code_names_its_last_part(code: str, topic: str) -> None:
    text = Text("We prune trees.", keywords=("trees", code))
    [extraction] = extract(text)
    check(text, extraction)
    assert [m.text for m in extraction.mentions if m.field == "keywords"] == ["trees", topic]


PIECES = st.sampled_from(
    [
        *("graph", "neural networks", "GPT-4", "k-means", "β-VAE", "the", "of", "novel", "HCFL+"),
        *("(", ")", ", ", ". ", "\n", "-", "–", "'s ", "e.g. ", "𝔽", "naïve Bayes", "É", "12", "%"),
        *("learns", "training", "state-of-the-art", "Learning to Rank", "http://x.y/z ", "[", "*"),
    ]
)
WORDS = st.lists(PIECES, max_size=25).map(" ".join) | st.lists(PIECES, max_size=25).map("".join)


@settings(max_examples=60, deadline=None)
@given(WORDS | st.text(max_size=60), WORDS, st.lists(WORDS, max_size=2).map(tuple))
def test_every_answer_keeps_the_contract(
    abstract: str, title: str, keywords: tuple[str, ...]
) -> None:
    text = Text(abstract, title, keywords)
    [extraction] = extract(text)
    check(text, extraction)
    mentioned = surfaces(extraction)
    assert {phrase for phrase, _ in KeywordExtractor().rank(text)} <= mentioned


@settings(max_examples=15, deadline=None)
@given(st.lists(st.builds(Text, WORDS, WORDS), min_size=2, max_size=4))
def test_alone_and_in_a_batch_the_answers_are_the_same(texts: list[Text]) -> None:
    assert extract(*texts) == [extraction for text in texts for extraction in extract(text)]


def test_a_long_text_is_read_to_its_end() -> None:
    text = Text(f"{ABSTRACT} " * 100 + "no stops " * 5000 + "The axolotl genome. " * 30)
    [extraction] = extract(text, top_n=20)
    check(text, extraction)
    assert "axolotl genome" in surfaces(extraction)
    assert any(m.start > len(text.abstract) - 40 for m in extraction.mentions)


GUARDED = """
import socket, sys
def refuse(*args, **kwargs):
    raise AssertionError("a connection was tried")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
class NotInstalled:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"torch", "transformers", "sentence_transformers", "tensorflow"}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, NotInstalled())
from extractors.keywords import KeywordExtractor
from extractors.mention import Text
from extractors.models import document_vectors
assert document_vectors(["graph kernels"]).any()
print(KeywordExtractor().rank(Text("Graph kernels compare molecules with GPT-4.")))
assert not {"torch", "transformers", "sentence_transformers", "tensorflow"} & set(sys.modules)
"""


def test_it_works_without_network_and_without_torch() -> None:
    results = [
        subprocess.run(
            [sys.executable, "-c", GUARDED],
            capture_output=True,
            text=True,
            check=True,
            encoding="utf-8",
            env={"PYTHONHASHSEED": seed, "PATH": ""},
        ).stdout
        for seed in ("1", "2")
    ]
    assert results[0] == results[1]
    assert "GPT-4" in results[0]


@pytest.mark.shared
@pytest.mark.parametrize(
    ("gold", "cut", "least"), [("inspec_dev", 10, 0.41), ("ml_iclr2018", 5, 0.21)]
)
def test_keywords_are_those_that_people_chose(
    shared: Path, gold: str, cut: int, least: float
) -> None:
    lines = (shared / "keyphrases" / f"{gold}.jsonl").read_text(encoding="utf-8").splitlines()
    hits = given = wanted = 0
    for record in map(json.loads, lines[:150]):
        chosen = {_key(phrase) for phrase in record["keyphrases"]}
        best = {_key(p) for p in ranked(f"{record['title']}. {record['abstract']}")[:cut]}
        hits, given, wanted = hits + len(best & chosen), given + len(best), wanted + len(chosen)
    assert 2 * hits / (given + wanted) >= least


def _key(phrase: str) -> str:
    from extractors.stems import stem_key

    return stem_key(phrase)
