"""One idea is one concept, two ideas are two, whatever the order of the papers."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from kg.concepts import Concept, Definition, Form, Names, implied_definitions, name_concepts

DATA = Path(__file__).parent / "data"


def form(text: str, paper: str = "p1", kind: str = "method", field: str = "abstract") -> Form:
    return Form(paper, text, kind, 0.9, field)


def labels(*names: str) -> list[str]:
    return [c.label for c in name_concepts([form(n) for n in names], Names([]))]


def pairs(name: str) -> list[tuple[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        next(rows)
        return [(row[0], row[1]) for row in rows]


def test_all_forms_of_one_idea_are_one_concept_under_its_usual_name() -> None:
    forms = [
        form("Graph Neural Networks", "p1"),
        form("graph neural network", "p2"),
        form("GNNs", "p3"),
        form("GNN", "p4"),
    ]
    assert name_concepts(forms, Names([])) == [
        Concept(
            id="graph neural network",
            label="graph neural network",
            kind="method",
            aliases=("Graph Neural Networks",),
            abbreviations=("GNN",),
        )
    ]


def test_similar_proper_names_never_merge() -> None:
    names = ["BERT", "SciBERT", "SciBERT-NLI", "RoBERTa"]
    assert len(labels(*names)) == 4


@pytest.mark.parametrize(("one", "other"), pairs("traps.tsv"))
def test_traps_are_two_concepts(one: str, other: str) -> None:
    assert Names([]).key(one, "p") != Names([]).key(other, "p")


def test_a_paper_s_own_definition_decides_what_its_short_form_means() -> None:
    names = Names([Definition("p2", "RAG", "Random Attention Graph")])
    assert names.key("RAG", "p2") == names.key("random attention graph", "p1")
    assert names.key("RAG", "p1") == names.key("retrieval-augmented generation", "p1")


def test_the_corpus_s_majority_decides_where_a_paper_says_nothing() -> None:
    defined = [Definition(p, "ZQM", "zonal quota matching") for p in ("p1", "p2", "p3")]
    names = Names([*defined, Definition("p4", "ZQM", "zero quasi-metric")])
    assert names.key("ZQM", "p9") == names.key("zonal quota matching", "p9")
    assert names.key("ZQM", "p4") == names.key("zero quasi-metric", "p4")


def test_an_ambiguous_short_form_is_left_alone_where_nothing_decides() -> None:
    assert Names([]).key("RL", "p") != Names([]).key("reinforcement learning", "p")


def test_an_ambiguous_short_form_beside_its_long_form_means_that() -> None:
    forms = [form("RL", "p1"), form("reinforcement learning", "p1")]
    names = Names(implied_definitions(forms))
    assert len(name_concepts(forms, names)) == 1


def test_one_concept_has_one_kind_by_vote_and_a_keyword_never_outvotes_a_kind() -> None:
    forms = [
        form("RidgeWalk", "p1", "dataset"),
        form("RidgeWalk", "p2", "method"),
        form("RidgeWalk", "p3", "method"),
        *(form("RidgeWalk", f"q{i}", "keyword") for i in range(20)),
    ]
    assert [c.kind for c in name_concepts(forms, Names([]))] == ["method"]


def test_the_head_of_a_longer_name_is_broader() -> None:
    forms = [form("one-shot federated learning"), form("federated learning")]
    found = {c.label: c.broader for c in name_concepts(forms, Names([]))}
    assert found == {
        "one-shot federated learning": ("federated learning",),
        "federated learning": (),
    }


def test_a_plain_word_at_the_end_of_a_name_is_not_broader() -> None:
    found = name_concepts([form("private state"), form("state")], Names([]))
    assert all(concept.broader == () for concept in found)


def test_a_label_is_a_form_as_written_running_text_before_titles() -> None:
    forms = [form("Zonal Quota Matching", "p1", field="title"), form("zonal quota matching", "p1")]
    (concept,) = name_concepts(forms, Names([]))
    assert (concept.label, concept.aliases) == ("zonal quota matching", ("Zonal Quota Matching",))


NAMES = st.sampled_from(
    ["GNN", "GNNs", "graph neural networks", "LoRA", "k-NN", "kNN", "RL", "deep RL", "β-VAE"]
)
FORMS = st.lists(
    st.builds(
        Form,
        paper=st.sampled_from(["p1", "p2", "p3"]),
        text=NAMES,
        kind=st.sampled_from(["method", "keyword", "task"]),
        score=st.sampled_from([0.3, 0.9]),
    ),
    max_size=12,
)


@given(FORMS, st.randoms(use_true_random=False))
def test_the_order_of_the_papers_does_not_matter(forms: list[Form], rng: random.Random) -> None:
    definitions = [
        Definition("p1", "RL", "reinforcement learning"),
        Definition("p2", "RL", "rule list"),
    ]
    first = name_concepts(forms, Names(definitions))
    rng.shuffle(forms)
    rng.shuffle(definitions)
    assert name_concepts(forms, Names(definitions)) == first
