"""Entities: what is found in a text and of which kind, and what is left alone."""

import time

import pytest
from hypothesis import example, given, settings, strategies as st

from extractors.entities import EntityExtractor, find_entities
from extractors.kinds import kind_of_words
from extractors.matcher import find_names
from extractors.mention import Extractor, Text, check
from extractors.shapes import find_shapes


def kinds(abstract: str, title: str = "") -> dict[str, str]:
    return {m.text: m.kind for m in find_entities(Text(abstract, title))}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # curated names
        ("We use graph neural networks.", {"graph neural networks": "method"}),
        ("Graph Neural Networks are popular.", {"Graph Neural Networks": "method"}),
        ("We train it on CIFAR-10 and CIFAR10.", {"CIFAR-10": "dataset", "CIFAR10": "dataset"}),
        ("a model for named entity recognition", {"named entity recognition": "task"}),
        ("GPT-4 answers the questions.", {"GPT-4": "method"}),
        ("We apply finetuning to BERT.", {"finetuning": "method", "BERT": "method"}),
        # proposals give a kind
        ("We propose MossNet, a new network.", {"MossNet": "method"}),
        ("We introduce QuillQA, a corpus of letters.", {"QuillQA": "dataset"}),
        ("We present TarnScore, a metric for captions.", {"TarnScore": "metric"}),
        ("We release a new benchmark, OrchardX.", {"OrchardX": "dataset"}),
        # cues next to a name
        ("It is tested on the Kelp5 dataset.", {"Kelp5 dataset": "dataset"}),
        ("Datasets such as Kelp5 and FernX exist.", {"Kelp5": "dataset", "FernX": "dataset"}),
        ("It outperforms ZorbX by far.", {"ZorbX": "method"}),
        ("We compare the ZorbX and YalmX algorithms.", {"ZorbX": "method", "YalmX": "method"}),
        # a list shares its kind
        (
            "We test on ImageNet, KelpY and FernX.",
            {"ImageNet": "dataset", "KelpY": "dataset", "FernX": "dataset"},
        ),
        # definitions: both forms
        (
            "We use stochastic moss sampling (SMS). SMS is fast.",
            {"stochastic moss sampling": "method", "SMS": "method"},
        ),
        # technical words before a curated name belong to it
        (
            "We study hierarchical reinforcement learning.",
            {"hierarchical reinforcement learning": "method"},
        ),
        ("A novel reinforcement learning agent.", {"reinforcement learning": "method"}),
        # everyday words count with a number
        ("It reaches an accuracy of 93.1%.", {"accuracy": "metric"}),
    ],
)
def test_found(text: str, expected: dict[str, str]) -> None:
    assert kinds(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The second transformation is complex, and its precision matters.",
        "We thank the reviewers of ICML and the staff of NVIDIA for GPUs.",
        "Machine learning and artificial intelligence change the world.",
        "Our code is written in PyTorch and stands on GitHub.",
        "The U.S. and the EU agree in case II.",
        "We propose transferring existing models to new domains.",
        "It costs 5K per 3D print and takes 10ms.",
        "See https://github.com/lab/FooNet for more.",
        "There is a GAP between the two, as the MATH shows.",
    ],
)
def test_left_alone(text: str) -> None:
    assert kinds(text) == {}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We train on C4 and compare GPT-4 with k-means.", {"C4", "GPT-4", "k-means"}),
        ("Models such as Llama3-8B-Instruct win.", {"Llama3-8B-Instruct"}),
        ("We propose β-MVAE, a model.", {"β-MVAE"}),
        ("We propose HXFL+, a method.", {"HXFL+"}),
        ("We propose Moss SHAP, a modification of Kernel SHAP.", {"Moss SHAP", "Kernel SHAP"}),
        ("We propose Self-AX. Self-AX is good.", {"Self-AX"}),
    ],
)
def test_names_stay_whole(text: str, names: set[str]) -> None:
    assert names <= set(kinds(text))


def test_every_occurrence_of_a_name_is_a_mention_also_in_the_title() -> None:
    text = Text(
        "We propose MossNet. MossNets grow; see MossNet-based work.", title="MossNet: Slow Nets"
    )
    found = [m for m in find_entities(text) if m.text.startswith("Moss")]
    assert [(m.field, m.text) for m in found] == [
        ("abstract", "MossNet"),
        ("abstract", "MossNets"),
        ("abstract", "MossNet"),
        ("title", "MossNet"),
    ]
    assert {m.kind for m in found} == {"method"}


def test_a_short_form_that_means_something_else_follows_its_definition() -> None:
    assert kinds("We study claustral sheep (CS).").get("CS") is None
    assert kinds("Continual learning (CL) is hard. CL forgets.")["CL"] == "task"
    assert kinds("Contrastive learning (CL) works. CL is used.")["CL"] == "method"
    assert "CL" not in kinds("CL is undefined here.")


def test_the_longest_name_wins() -> None:
    assert kinds("We use deep reinforcement learning.") == {"deep reinforcement learning": "method"}


def test_scores_tell_how_reliable_a_rule_is() -> None:
    found = {m.text: m.score for m in find_entities(Text("We propose MossNet; it beats ZorbX."))}
    assert found["MossNet"] > found["ZorbX"]


@pytest.mark.parametrize(
    ("text", "shapes"),
    [
        ("We call Shared-AX, not BERT-based or non-IID.", ["Shared-AX", "BERT"]),
        ("Out-of-Distribution and Self-Supervised", []),
        ("word2vec, t-SNE, e-commerce", ["word2vec", "t-SNE"]),
        ("SO(3)-equivariant maps", []),
        ("MAKING ALL WORDS SHOUT", []),
        ("Llama 3.1 and SQuAD 2.0", ["SQuAD 2.0"]),
    ],
)
def test_shapes(text: str, shapes: list[str]) -> None:
    assert [text[n.start : n.end] for n in find_shapes(text)] == shapes


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("data sets of k-Means", ["k-means"]),
        ("Imagenet and SECOND, not second", ["ImageNet", "SECOND"]),
        ("a complex react call", []),
        ("generalised linear models", ["generalized linear model"]),
    ],
)
def test_curated_names_mind_spelling_and_case(text: str, labels: list[str]) -> None:
    assert [m.entries[0].label for m in find_names(text)] == labels


def test_last_words_tell_the_kind() -> None:
    assert kind_of_words("slow moss sampling") == "method"
    assert kind_of_words("mean moss error") == "metric"
    assert kind_of_words("moss detection") == "task"
    assert kind_of_words("Alzheimer's disease") is None


def test_alone_or_in_a_batch_the_same_answer() -> None:
    extractor = EntityExtractor()
    assert isinstance(extractor, Extractor)
    texts = [Text("We propose MossNet."), Text(""), Text("BERT on SQuAD.", title="On SQuAD")]
    together = list(extractor.extract(texts))
    assert together == [next(extractor.extract([text])) for text in texts]
    assert len(together) == 3
    assert together[1].mentions == ()


_PIECES = st.sampled_from(
    [
        "We propose ",
        "MossNet",
        " (MN)",
        ", a ",
        "BERT",
        "-based ",
        "method ",
        "İß",
        "on the ",
        ". ",
        "GPT-4o ",
        "Deep Moss Tree ",
        "(DMT) ",
        "dataset ",
        "called ",
        "“X2”",
        "\n\n",
        "accuracy of 5% ",
    ]
)


@settings(max_examples=150)
@example("MossNetmethod dataset BERT", "")
@given(st.lists(_PIECES, max_size=14).map("".join) | st.text(max_size=80), st.text(max_size=30))
def test_the_contract_holds_for_any_text(abstract: str, title: str) -> None:
    text = Text(abstract, title)
    extraction = check(text, next(EntityExtractor().extract([text])))
    assert len(extraction.roles) == len(extraction.mentions)
    place = {"title": 0, "abstract": 0}
    for mention in extraction.mentions:
        assert mention.start >= place[mention.field]
        place[mention.field] = mention.end


@pytest.mark.parametrize("piece", ["a-", "(", "We propose ", "X1 ", "graph networks use BERT, "])
def test_a_very_long_text_is_read_in_linear_time(piece: str) -> None:
    before = time.process_time()
    find_entities(Text(piece * (60_000 // len(piece))))
    assert time.process_time() - before < 20


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("Electronic Health Records are long. We use Health Records.", {}),
        ("We test on ReCoRD.", {"ReCoRD": "dataset"}),
        ("The renderer draws 3D shapes from images.", {}),
        ("We test on 3D Shapes.", {"3D Shapes": "dataset"}),
    ],
)
def test_plain_words_do_not_spell_a_data_set(text: str, data: dict[str, str]) -> None:
    assert {name: kind for name, kind in kinds(text).items() if kind == "dataset"} == data


def test_a_name_whose_kind_nothing_tells_is_left_out_by_the_rules() -> None:
    text = Text("XQZ is mentioned without any cue.")
    assert find_entities(text, without=["recogniser"]) == ()
