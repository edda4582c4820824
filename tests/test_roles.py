"""Roles: what a text proposes, uses, evaluates on, compares with, studies, or just mentions."""

import json
from pathlib import Path

import pytest

from extractors.entities import EntityExtractor
from extractors.mention import ROLES, Mention, Text
from extractors.proposals import find_proposals
from extractors.roles import assign_roles

SHARED = Path(__file__).parents[2] / "shared"


def roles(abstract: str, title: str = "") -> dict[str, str]:
    """The strongest role of each name."""
    text = Text(abstract, title)
    extraction = next(EntityExtractor().extract([text]))
    best: dict[str, str] = {}
    for role in sorted(extraction.roles, key=lambda r: -ROLES.index(r.role)):
        best[text.field(role.field)[role.start : role.end]] = role.role
    return best


def proposed(abstract: str, title: str = "") -> set[str]:
    fields = {"title": title, "abstract": abstract}
    return {fields[p.field][p.start : p.end] for p in find_proposals(title, abstract)}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We propose MossNet, a slow network.", {"MossNet"}),
        ("In this paper, we introduce Moss SHAP, a light variant of SHAP.", {"Moss SHAP"}),
        ("We present a Gentle Moss Layer (GML), which grows.", {"Gentle Moss Layer", "GML"}),
        (
            "We present MossCC (mossy conditional computation).",
            {"MossCC", "mossy conditional computation"},
        ),
        (
            "This work introduces a framework, named HXFL, and a method called HXFL+.",
            {"HXFL", "HXFL+"},
        ),
        ("We propose a Moss Layer Pruning method, called ML-Prune.", {"ML-Prune"}),
        ("We describe two methods, MossA1 and MossB2, for pruning.", {"MossA1", "MossB2"}),
        ("We introduce Voyageur, the first agent that sails.", {"Voyageur"}),
        ("We address this by introducing MossNet, a network.", {"MossNet"}),
        ("A new sampler, which we call MossMC, is derived.", {"MossMC"}),
        ("MossCBM, proposed in this article, asks experts.", {"MossCBM"}),
        ("Our MossNet runs on phones.", {"MossNet"}),
        ("We train nets. MossNet is at https://github.com/lab/mossnet.", {"MossNet"}),
        (
            "We study moss sampling at zero temperature (MSZT). We show that MSZT outperforms all.",
            {"moss sampling at zero temperature", "MSZT"},
        ),
        ("We propose MossNet based on BERT.", {"MossNet"}),
    ],
)
def test_proposed(text: str, names: set[str]) -> None:
    assert proposed(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "We propose a new probabilistic modelling approach.",
        "We propose transferring existing models to new domains.",
        "We introduce a BERT-based approach with a convolutional neural network (CNN).",
        "We present results of GPT-4 on SQuAD.",
        "We present an analysis of MossNet.",
        "BERT was proposed by Devlin et al. and is large.",
        "Previous work introduced MossNet and FernNet.",
        "They propose MossNet.",
        "We use a model called BERT.",
        "The so-called XQ effect is known.",
        "We provide evidence that MossNet fails.",
    ],
)
def test_nothing_proposed(text: str) -> None:
    assert proposed(text) == set()


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("MossNet: A Slow Network", {"MossNet"}),
        ("Thoughts on Growth: A Survey", set()),
        ("A View of BERT", set()),
    ],
)
def test_titles(title: str, names: set[str]) -> None:
    assert proposed("Nothing else is said.", title) == names


@pytest.mark.parametrize(
    ("text", "name", "role"),
    [
        ("We propose MossNet based on BERT.", "MossNet", "proposes"),
        ("We propose MossNet based on BERT.", "BERT", "uses"),
        ("We build upon ResNet-50 to part scenes.", "ResNet-50", "uses"),
        ("We propose a BERT-based parser.", "BERT", "uses"),
        ("Our method leverages contrastive learning.", "contrastive learning", "uses"),
        ("We propose MossNet. Experiments on CIFAR-10 show gains.", "CIFAR-10", "evaluates_on"),
        ("We propose MossNet. On ImageNet, it gains 2.1 points.", "ImageNet", "evaluates_on"),
        ("We propose MossNet. It outperforms RoBERTa.", "RoBERTa", "compares_with"),
        ("We propose MossNet. It is faster than the LSTM.", "LSTM", "compares_with"),
        ("We propose MossNet. Compared to BERT, it is small.", "BERT", "compares_with"),
        ("We investigate in-context learning.", "in-context learning", "studies"),
        ("We analyse the limits of graph neural networks.", "graph neural networks", "studies"),
        ("Transformers are everywhere. We propose MossNet.", "Transformers", "mentions"),
        ("Existing methods rely on LSTMs. We propose MossNet.", "LSTMs", "mentions"),
    ],
)
def test_roles(text: str, name: str, role: str) -> None:
    assert roles(text)[name] == role


@pytest.mark.parametrize(
    ("title", "name", "role"),
    [
        ("Parsing with Graph Neural Networks", "Graph Neural Networks", "uses"),
        ("On the Limits of In-Context Learning", "In-Context Learning", "studies"),
        ("MossNet: Pruning via Knowledge Distillation", "Knowledge Distillation", "uses"),
    ],
)
def test_roles_in_titles(title: str, name: str, role: str) -> None:
    assert roles("We do it.", title)[name] == role


def test_the_sentence_shows_the_role() -> None:
    text = Text("Parsing is old. We propose MossNet. It is fast.")
    mention = Mention("abstract", 27, 34, "method", "MossNet", 1.0)
    (role,) = assign_roles(text, [mention], ())
    assert text.abstract[role.sentence_start : role.sentence_end] == "We propose MossNet."
    assert (role.start, role.end, role.role) == (27, 34, "proposes")


def test_mentions_of_other_fields_are_passed_over() -> None:
    text = Text("We do it.", keywords=("trees",))
    assert assign_roles(text, [Mention("keywords", 0, 5, "keyword", "trees", 1.0)], ()) == ()


@pytest.mark.shared
def test_proposed_names_of_annotated_abstracts() -> None:
    path = SHARED / "gold" / "seed_000.jsonl"
    if not path.exists():
        pytest.skip("the annotated abstracts lie beside the checkout, and are not there")
    found = wanted = 0
    for record in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        names = {name.casefold().removesuffix("s") for name in proposed(record["cleaned"])}
        firm = {e["canonical"] for e in record["entities"] if not e["optional"]}
        for canonical in set(record["proposed"]) & firm:
            forms = {canonical} | {
                e["surface"] for e in record["entities"] if e["canonical"] == canonical
            }
            wanted += 1
            found += bool(names & {form.casefold().removesuffix("s") for form in forms})
    assert wanted == 12
    assert found >= 10
