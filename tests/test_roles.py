"""Roles: what a text proposes, uses, evaluates on, compares with, studies, or just mentions."""

import json
import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from extractors.entities import EntityExtractor, find_entities
from extractors.markup import bare
from extractors.mention import ROLES, Extraction, Mention, Text, check
from extractors.proposals import find_proposals
from extractors.reading import read
from extractors.roles import assign_roles

SHARED = Path(__file__).parents[2] / "shared"
WORDS = tuple(
    re.findall(
        r"\S+",
        r"""We propose MossNet , a method called gentle mossing ( GM ) . BERT GPT-4 uses LSTMs than
        on CIFAR-10 and these models show that outperforms i.e. the our new $^{+}$ \textbf{X}""",
    )
)


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
        # names in lower case
        ("We propose gentle mossing, a method for walls.", {"gentle mossing"}),
        ("We introduce mossy, an open-source library for walls.", {"mossy"}),
        ("We present a sampler called backward mossing for walls.", {"backward mossing"}),
        ("We introduce the notion of higher-order moss losses.", {"higher-order moss losses"}),
        (
            "We propose to rank walls by their mossing score, i.e., the chance of moss.",
            {"mossing score"},
        ),
        # behind "our": the long form and the short one
        ("Walls are ranked by our new Central Moss Model (CMM).", {"Central Moss Model", "CMM"}),
        # mark-up around a name, and above its last letter
        (r"We propose a method, named $\texttt{Moss-Tune}$, that grows.", {"Moss-Tune"}),
        ("We introduce *Gentle MOSS*, a light variant.", {"Gentle MOSS"}),
        ("We propose a method called HXFL$^{+}$ for walls.", {"HXFL$^{+}$"}),
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
        "We propose pruning, a well-known method.",
        "We propose two sampling methods, a slow one and a fast one.",
        "We study the task of named entity recognition.",
        "We study a phenomenon that we call moss creep.",
        "We show gains on what is also called moss sampling.",
        "We provide experiments comparing the Moss-adjusted Wall algorithm (MAWA) with others.",
        "We describe the MOSS-UNI team's system.",
        "We use the pretrained model named MossT5 for it.",
        "We evaluate our methods on WallXR, a large archive.",
        "We devise an ε-locally-mossy-private (ε-LMP) algorithm.",
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
        # a text begins with what its proposal builds upon
        ("Transformers are everywhere. We propose MossNet.", "Transformers", "uses"),
        ("Walls are old. Some use Transformers. We propose MossNet.", "Transformers", "mentions"),
        ("Walls matter. We propose Moss-BERT, a model. It beats BERT.", "BERT", "uses"),
        # the verb, past the preposition and along a list
        ("We propose MossNet. It leverages the power of LSTMs.", "LSTMs", "uses"),
        ("We propose MossNet, which uses a BERT encoder, and an LSTM.", "LSTM", "uses"),
        ("We propose MossNet. It needs no LSTM and works without BERT.", "BERT", "mentions"),
        ("We propose MossNet. Instead of using an LSTM, it waits.", "LSTM", "compares_with"),
        ("We propose MossNet. It beats BERT-based parsers.", "BERT", "compares_with"),
        # language models are put to the test, unless they are an instrument
        ("We propose MossNet. We apply it to GPT-4 on walls.", "GPT-4", "studies"),
        ("We propose MossNet. Scores of GPT-4 fall from 3.1 to 2.0.", "GPT-4", "studies"),
        ("We propose MossNet. We use GPT-4 to label walls.", "GPT-4", "uses"),
        # many votes for one role outweigh one for another
        (
            "We study GANs. We analyse GANs. We investigate GANs on walls. GANs are no LSTM. "
            "We show that noise can be made using GANs.",
            "GANs",
            "studies",
        ),
        # "these models" take up the sentence before
        ("LSTMs are old. We present a unified view of these models.", "LSTMs", "studies"),
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
    assert found >= 11


@pytest.mark.shared
def test_roles_of_annotated_abstracts() -> None:
    """With the spans given, four roles in five are right: 50 of 61 when this was written."""
    path = SHARED / "gold" / "seed_000.jsonl"
    if not path.exists():
        pytest.skip("the annotated abstracts lie beside the checkout, and are not there")
    right = wanted = 0
    for record in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        text = Text(record["raw"])
        entities = [e for e in record["entities"] if not e["optional"]]
        mentions = [
            Mention("abstract", e["start"], e["end"], e["label"].lower(), e["surface"], 0.9)
            for e in entities
        ]
        pairs = read(text.abstract, "abstract").abbreviations
        told = {(r.start, r.end): r.role for r in assign_roles(text, mentions, pairs)}
        concepts: dict[tuple[str, str], set[str]] = {}
        for e in entities:
            if e["role"]:
                key = e["canonical"], e["role"].replace("compares", "compares_with")
                concepts.setdefault(key, set()).add(told[e["start"], e["end"]])
        wanted += len(concepts)
        right += sum(min(found, key=ROLES.index) == role for (_, role), found in concepts.items())
    assert wanted == 61
    assert right >= 48


@given(st.lists(st.sampled_from(WORDS), max_size=40), st.randoms())
def test_roles_of_any_text(words: list[str], random: Random) -> None:
    """Each mention has a role, in a sentence that holds it, whatever the mentions' order."""
    text = Text(" ".join(words))
    mentions = list(find_entities(text))
    pairs = read(text.abstract, "abstract").abbreviations
    found = assign_roles(text, mentions, pairs)
    random.shuffle(mentions)
    assert assign_roles(text, mentions, pairs) == found
    assert [(r.field, r.start, r.end) for r in found] == sorted(
        (m.field, m.start, m.end) for m in mentions
    )
    check(text, Extraction(tuple(mentions), roles=found))


def test_the_next_sentence_shows_the_role_of_what_it_takes_up() -> None:
    text = Text("LSTMs are old. We study these networks.")
    mention = Mention("abstract", 0, 5, "method", "LSTMs", 1.0)
    (role,) = assign_roles(text, [mention], ())
    assert role.role == "studies"
    assert text.abstract[role.sentence_start : role.sentence_end] == "We study these networks."


@given(st.text(alphabet="ab*\\{}$^+ textf", max_size=60))
def test_blanks_for_mark_up_keep_offsets(text: str) -> None:
    blanked = bare(text)
    assert len(blanked) == len(text)
    assert all(new in (old, " ") for old, new in zip(text, blanked, strict=True))


def test_definitions_in_a_stretch() -> None:
    text = "Moss Layer Trees (MLT) grow. Gentle Wall Nets (GWN) do not."
    reading = read(text, "abstract")
    assert [p.short for p in reading.definitions_in(0, 28)] == ["MLT"]
    assert [p.short for p in reading.definitions_in(29, len(text))] == ["GWN"]
    assert [p.short for p in reading.definitions_in(0, len(text))] == ["MLT", "GWN"]
