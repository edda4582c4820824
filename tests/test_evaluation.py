"""Scores are those of the literature: small cases worked out by hand, and a reference scorer."""

from __future__ import annotations

import importlib.util
import io
import json
import random
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from kg.errors import InputError, OptionError, UnknownNameError
from kg.evaluation import (
    Counts,
    Document,
    Entity,
    Rates,
    evaluate,
    read_documents,
    read_gold,
    total,
)
from kg.evaluation.phrases import stem_phrase
from kg.evaluation.spans import matched

TEXT = "MossNet, a moss network, is compared with BERT and ResNets on SQuAD."


def span(words: str, label: str = "Method", role: str = "", concept: str = "") -> Entity:
    """The first place of these words in TEXT."""
    start = TEXT.index(words)
    return Entity(start, start + len(words), label, role, concept)


def document(*entities: Entity, **more: Any) -> Document:
    return Document("d", TEXT, entities=entities, **more)


def phrases(*listed: str, text: str = "", name: str = "d") -> Document:
    return Document(name, text, keyphrases=listed)


def pairs(*listed: tuple[str, str], neutral: tuple[tuple[str, str], ...] = ()) -> Document:
    return Document("d", abbreviations=listed, neutral_abbreviations=neutral)


# ------------------------------------------------------------------ rates


def test_rates_follow_from_counts() -> None:
    assert Counts(right=3, found=4, wanted=6).rates == Rates(0.75, 0.5, 0.6)
    assert Counts().rates == Rates(0.0, 0.0, 0.0)


# ------------------------------------------------------------------ entities


def test_entities_by_label_and_together() -> None:
    gold = document(span("MossNet"), span("BERT"), span("ResNets"), span("SQuAD", "Dataset"))
    found = document(span("MossNet"), span("BERT and"), span("SQuAD"), span("moss network"))
    scores = evaluate([gold], [found]).entities
    assert scores is not None
    assert scores.exact == {"Method": Counts(1, 4, 3), "Dataset": Counts(0, 0, 1)}
    assert scores.overlap == {"Method": Counts(2, 4, 3), "Dataset": Counts(0, 0, 1)}
    assert total(scores.exact.values()) == Counts(1, 4, 4)
    assert total(scores.exact.values()).rates.f1 == pytest.approx(0.25)


def test_names_are_compared_as_a_set_of_stemmed_words_for_each_text() -> None:
    text = "Neural networks. A neural network. NEURAL-NETWORK."
    gold = Document("d", text, entities=(Entity(0, 15, "Method"), Entity(19, 33, "Method")))
    found = Document("d", text, entities=(Entity(35, 49, "Method"), Entity(0, 6, "Method")))
    scores = evaluate([gold], [found]).entities
    assert scores is not None
    assert scores.names["Method"] == Counts(right=1, found=2, wanted=1)


def test_one_prediction_matches_one_span_only() -> None:
    long, first, second = Entity(0, 20, "X"), Entity(0, 5, "X"), Entity(10, 15, "X")
    assert matched([long], [first, second]) == 1
    assert matched([first, second], [long]) == 1
    assert matched([Entity(0, 5, "X")], [Entity(5, 9, "X")]) == 0


def test_matching_finds_as_many_pairs_as_there_can_be() -> None:
    wide, narrow = Entity(0, 20, "X"), Entity(0, 5, "X")
    left, right = Entity(0, 5, "X"), Entity(12, 20, "X")
    assert matched([wide, narrow], [left, right]) == 2


def test_a_prediction_on_an_ignored_span_is_neither_right_nor_wrong() -> None:
    gold = document(span("BERT"), ignored=(span("moss network", "Generic"), span("BERT and")))
    found = document(span("a moss network"), span("BERT"), span("SQuAD"))
    scores = evaluate([gold], [found]).entities
    assert scores is not None
    assert scores.exact["Method"] == Counts(right=1, found=2, wanted=1)
    assert scores.ignored == 1


def test_a_span_predicted_twice_counts_once_and_one_outside_the_text_not_at_all() -> None:
    found = document(span("BERT"), replace(span("BERT"), role="uses"), Entity(60, 99, "Method"))
    scores = evaluate([document(span("BERT"))], [found]).entities
    assert scores is not None
    assert scores.exact["Method"] == Counts(1, 1, 1)
    assert scores.outside == 1


def test_a_text_without_prediction_counts_and_a_prediction_without_text_does_not() -> None:
    gold = [document(span("BERT")), replace(document(span("SQuAD")), id="e")]
    found = [document(span("BERT")), replace(document(span("SQuAD")), id="f")]
    report = evaluate(gold, found)
    assert (report.documents, report.predicted, report.unknown) == (2, 1, ("f",))
    assert report.entities is not None
    assert report.entities.exact["Method"] == Counts(1, 1, 2)


def test_the_case_of_a_label_is_no_matter_and_a_label_may_be_mapped() -> None:
    gold = document(span("BERT", "METHOD"), span("SQuAD", "Material"))
    found = document(span("BERT", "Method"), span("SQuAD", "Dataset"), span("ResNets", "Task"))
    report = evaluate([gold], [found], renamed={"material": "Dataset"})
    assert report.entities is not None
    assert report.entities.exact["METHOD"] == Counts(1, 1, 1)
    assert report.entities.exact["Dataset"] == Counts(1, 1, 1)
    assert (report.not_annotated, report.not_predicted) == (("Task",), ())


def test_labels_choose_what_counts_on_both_sides() -> None:
    gold = document(span("BERT"), span("SQuAD", "Dataset"))
    found = document(span("ResNets"), span("SQuAD", "Dataset"))
    report = evaluate([gold], [found], labels=["dataset"])
    assert report.entities is not None
    assert report.entities.exact == {"Dataset": Counts(1, 1, 1)}
    with pytest.raises(UnknownNameError, match="did you mean 'Dataset'"):
        evaluate([gold], [found], labels=["Datset"])


SPANS = st.builds(
    lambda start, length, label: Entity(start, start + length, label),
    st.integers(0, 40),
    st.integers(1, 25),
    st.sampled_from(["Method", "Task"]),
)
DOCUMENTS = st.lists(SPANS, max_size=8).map(lambda spans: document(*spans))


@given(DOCUMENTS, DOCUMENTS)
def test_precision_and_recall_change_places_with_gold_and_prediction(
    one: Document, other: Document
) -> None:
    there, back = (evaluate([a], [b]).entities for a, b in ((one, other), (other, one)))
    assert there is not None
    assert back is not None
    for name in ("exact", "overlap", "names"):
        ways = (total(getattr(scores, name).values()) for scores in (there, back))
        first, second = ways
        assert (first.right, first.found) == (second.right, second.wanted)
        assert first.right <= min(first.found, first.wanted)
    assert total(there.overlap.values()).right >= total(there.exact.values()).right


@given(DOCUMENTS)
def test_whoever_says_what_the_gold_says_is_right(gold: Document) -> None:
    scores = evaluate([gold], [gold]).entities
    assert scores is not None
    for table in (scores.exact, scores.overlap, scores.names):
        assert all(counts.rates.f1 == 1.0 for counts in table.values())


# ------------------------------------------------------------------ key phrases


def test_key_phrases_up_to_a_cut() -> None:
    gold = phrases("a a", "b b", "c c", "d d")
    found = phrases("a a", "x", "b b", "y", "z", "c c")
    scores = evaluate([gold], [found]).keyphrases
    assert scores is not None
    assert scores.all["5"].micro == Counts(right=2, found=5, wanted=4)
    assert scores.all["10"].micro == scores.all["M"].micro == Counts(3, 6, 4)
    assert scores.all["5"].macro.f1 == pytest.approx(2 * 0.4 * 0.5 / 0.9)


def test_macro_is_the_mean_of_the_texts_and_a_text_without_gold_is_left_out() -> None:
    gold = [phrases("a", name="1"), phrases("b", "c", name="2"), phrases(name="3")]
    found = [phrases("a", name="1"), phrases("x", "b", name="2"), phrases("y", name="3")]
    scores = evaluate(gold, found).keyphrases
    assert scores is not None
    assert scores.documents == 2
    assert scores.all["M"].micro == Counts(2, 3, 3)
    assert scores.all["M"].macro == Rates(0.75, 0.75, 0.75)


def test_key_phrases_are_compared_by_their_stems_each_once() -> None:
    gold = phrases("Graph Neural Networks", "optimisation")
    found = phrases("graph-neural network", "graph neural networks", "Optimised")
    scores = evaluate([gold], [found]).keyphrases
    assert scores is not None
    assert scores.all["5"].micro == Counts(2, 2, 2)


def test_phrases_that_the_text_holds_are_scored_apart() -> None:
    gold = phrases("slow walks", "mountaineering", text="We walk on slow. A slow walk is long.")
    scores = evaluate([gold], [phrases("slow walk")]).keyphrases
    assert scores is not None
    assert scores.all["M"].micro == Counts(1, 1, 2)
    assert scores.present["M"].micro == Counts(1, 1, 1)


@pytest.mark.parametrize(
    ("phrase", "stems"),
    [
        ("Relational databases", "relat databas"),
        ("C++ and C#", "c++ and c#"),
        ("RefCOCO+ (val.)", "refcoco val"),
        ("state-of-the-art", "state of the art"),
        ("hopping, falling, filing", "hop fall file"),
        ("β-VAEs", "β vae"),
    ],
)
def test_stems_are_those_of_porter(phrase: str, stems: str) -> None:
    assert stem_phrase(phrase) == stems


# ------------------------------------------------------------------ abbreviations


def test_abbreviations_are_pairs_whose_long_form_has_no_case() -> None:
    gold = pairs(("SVM", "support vector machine"), ("GNNs", "graph neural networks"))
    found = pairs(("SVM", "Support  Vector\nMachine"), ("GNNs", "neural networks"), ("X", "ex"))
    scores = evaluate([gold], [found]).abbreviations
    assert scores is not None
    assert scores.pairs == Counts(1, 3, 2)
    assert scores.short_forms == Counts(2, 3, 2)


def test_a_neutral_pair_is_neither_right_nor_wrong() -> None:
    svm = ("SVM", "support vector machine")
    gold = pairs(svm, neutral=(("LR", "regression"), svm))  # what is wanted is never neutral
    found = pairs(svm, ("LR", "regression"))
    scores = evaluate([gold], [found]).abbreviations
    assert scores is not None
    assert scores.pairs == Counts(1, 1, 1)


# ------------------------------------------------------------------ roles


def test_roles_are_scored_on_concepts() -> None:
    gold = document(
        span("MossNet", role="proposes", concept="moss network"),
        span("moss network", role="proposes", concept="moss network"),
        span("BERT", role="compares_with"),
        span("ResNets", role="uses"),
        span("SQuAD", "Dataset", role="evaluates_on"),
    )
    found = document(
        span("MossNet", role="uses"),
        span("moss network", role="proposes"),  # the stronger one of the concept counts
        span("BERT", role="uses"),
        span("SQuAD", "Method", role="evaluates_on"),  # the label is another question
        span("compared", "Method", role="uses"),  # no concept of the gold
    )
    scores = evaluate([gold], [found]).roles
    assert scores is not None
    assert (scores.concepts, scores.matched, scores.right) == (4, 3, 2)
    assert scores.accuracy == pytest.approx(2 / 3)
    assert scores.roles["proposes"] == Counts(1, 1, 1)
    assert scores.roles["uses"] == Counts(right=0, found=2, wanted=1)
    assert scores.roles["evaluates_on"] == Counts(1, 1, 1)
    assert scores.roles["compares_with"] == Counts(0, 0, 1)


def test_an_abbreviation_is_the_concept_of_its_long_form() -> None:
    text = "We use support vector machines (SVMs). An SVM is old."
    pair = (("SVMs", "support vector machines"),)
    gold = Document(
        "d", text, entities=(Entity(7, 30, "Method", "uses"), Entity(32, 36, "Method", "uses"))
    )
    found = Document("d", text, entities=(Entity(42, 45, "Method", "uses"),))
    scores = evaluate([replace(gold, abbreviations=pair)], [found]).roles
    assert scores is not None
    assert (scores.concepts, scores.matched) == (1, 1)


def test_concepts_without_a_role_or_ignored_are_neither_right_nor_wrong() -> None:
    gold = document(
        span("BERT", role="uses"),
        span("moss network"),
        span("SQuAD", "Task"),
        ignored=(span("ResNets", role="uses"),),
    )
    found = document(
        span("BERT", role="uses"),
        span("moss network", role="studies"),
        span("ResNets", role="studies"),
        span("compared", "Task", role="studies"),
    )
    scores = evaluate([gold], [found]).roles
    assert scores is not None
    assert scores.roles["studies"] == Counts()
    assert (scores.concepts, scores.matched, scores.right) == (1, 1, 1)


# ------------------------------------------------------------------ what can be compared


def test_without_a_choice_all_is_measured_that_both_sides_have() -> None:
    gold = document(span("BERT", role="uses"), keyphrases=("moss",))
    report = evaluate([gold], [document(span("BERT"), keyphrases=("moss",))])
    assert report.entities is not None
    assert report.keyphrases is not None
    assert report.roles is None
    assert report.abbreviations is None


def test_a_task_that_a_side_lacks_is_an_error_that_says_what_it_has() -> None:
    gold = document(span("BERT"), keyphrases=("moss",))
    with pytest.raises(InputError, match="no roles in the gold, which have entities, keyphrases"):
        evaluate([gold], [gold], tasks=["roles"])
    with pytest.raises(InputError, match="no entities in the predictions"):
        evaluate([gold], [phrases("moss")], tasks=["entities"])
    with pytest.raises(InputError, match="nothing to compare"):
        evaluate([gold], [pairs()])
    with pytest.raises(OptionError, match="no task named 'names'"):
        evaluate([gold], [gold], tasks=["names"])


def test_offsets_of_another_text_are_refused() -> None:
    with pytest.raises(InputError, match="'d' are of another text"):
        evaluate([document(span("BERT"))], [replace(document(span("BERT")), abstract="cleaned")])


# ------------------------------------------------------------------ the reference scorer


@pytest.fixture(scope="module")
def reference(shared: Path) -> Callable[..., dict[str, dict[str, float]]]:
    """The scorer beside the annotated data, as a function of its arguments."""
    spec = importlib.util.spec_from_file_location("score", shared / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)

    def score(*args: str | Path) -> dict[str, dict[str, float]]:
        output = io.StringIO()
        with redirect_stdout(output):
            module.main([*map(str, args), "--json"])
        return dict(json.loads(output.getvalue().splitlines()[-1]))

    return score


def spoilt_spans(record: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The gold's spans with errors of every kind."""
    end = len(record["text"])
    spans = []
    for start, stop, label, *_ in [*record["entities"], *record.get("ignore", [])]:
        spans.append([start, stop, label, 0.5] if rng.random() < 0.5 else [start, stop + 4, label])
        if rng.random() < 0.3:
            spans.append([max(0, start - 15), stop + 15, label])
        if rng.random() < 0.2:
            spans.append([start, stop, rng.choice(["Method", "Task", "Other"])])
    spans += [[p, p + 9, "Method"] for p in rng.sample(range(end), min(2, end))]
    return {"id": record["id"], "entities": rng.sample(spans, len(spans) * 3 // 4)}


def spoilt_phrases(record: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    words = f"{record['title']} {record['abstract']}".split()
    others = [" ".join(words[i : i + 2]) for i in rng.sample(range(len(words)), 8)]
    listed = [*record["keyphrases"], *others]
    return {"id": record["id"], "keyphrases": rng.sample(listed, rng.randint(0, len(listed)))}


def spoilt_pairs(record: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    listed = [[p["short"], p["long"].title()] for p in record["pairs"] if rng.random() < 0.8]
    return {"id": record["id"], "abbreviations": listed + [["XY", "ex why"]] * (rng.random() < 0.1)}


def spoilt(
    gold: Path,
    path: Path,
    spoil: Callable[[dict[str, Any], random.Random], dict[str, Any]],
) -> list[Document]:
    """Write predictions for nine in ten of the gold's texts, and read them."""
    rng = random.Random(7)
    lines = gold.read_text(encoding="utf-8").splitlines()
    kept = [spoil(json.loads(line), rng) for line in lines if rng.random() < 0.9]
    path.write_text("\n".join(map(json.dumps, kept)), encoding="utf-8")
    return read_documents(path)


def same(counts: Counts, row: dict[str, float]) -> bool:
    rates = counts.rates
    ours = (counts.right, counts.found, counts.wanted, rates.precision, rates.recall, rates.f1)
    return ours == pytest.approx([row[n] for n in ("tp", "pred", "gold", "p", "r", "f1")])


@pytest.mark.shared
@pytest.mark.parametrize("labels", [(), ("Method", "Dataset")])
@pytest.mark.parametrize("name", ["scierc_dev", "scier_dev", "tdmsci_train"])
def test_entities_score_as_in_the_reference(
    name: str,
    labels: Iterable[str],
    shared: Path,
    tmp_path: Path,
    reference: Callable[..., dict[str, dict[str, float]]],
) -> None:
    gold = shared / "gold" / f"{name}.jsonl"
    found = spoilt(gold, tmp_path / "found.jsonl", spoilt_spans)
    scores = evaluate(read_gold(gold), found, labels=tuple(labels)).entities
    option = ("--labels", ",".join(labels)) if labels else ()
    rows = reference(gold, tmp_path / "found.jsonl", *option)
    for key, row in rows.items():
        table, label = key.split(":")
        counts = getattr(scores, {"set": "names"}.get(table, table))
        assert same(total(counts.values()) if label == "micro" else counts[label], row), key
    assert len(rows) >= 9


@pytest.mark.shared
@pytest.mark.parametrize("present", [False, True])
@pytest.mark.parametrize("name", ["inspec_dev", "ml_iclr2018"])
def test_key_phrases_score_as_in_the_reference(
    name: str,
    present: bool,
    shared: Path,
    tmp_path: Path,
    reference: Callable[..., dict[str, dict[str, float]]],
) -> None:
    gold = shared / "keyphrases" / f"{name}.jsonl"
    found = spoilt(gold, tmp_path / "found.jsonl", spoilt_phrases)
    scores = evaluate(read_gold(gold), found).keyphrases
    assert scores is not None
    option = ["--present"] if present else []
    for cut, row in reference("--kp", gold, tmp_path / "found.jsonl", *option).items():
        ranking = (scores.present if present else scores.all)[cut.removeprefix("@")]
        for kind, rates in (("micro", ranking.micro.rates), ("macro", ranking.macro)):
            ours = (rates.precision, rates.recall, rates.f1)
            assert ours == pytest.approx([row[f"{kind}_{n}"] for n in ("p", "r", "f1")])


@pytest.mark.shared
def test_abbreviations_score_as_in_the_reference(
    shared: Path, tmp_path: Path, reference: Callable[..., dict[str, dict[str, float]]]
) -> None:
    gold = shared / "abbrev" / "sdu21_dev.jsonl"
    found = spoilt(gold, tmp_path / "found.jsonl", spoilt_pairs)
    scores = evaluate(read_gold(gold), found).abbreviations
    assert scores is not None
    rows = reference("--abbrev", gold, tmp_path / "found.jsonl")
    assert same(scores.pairs, rows["abbrev:pairs"])
    assert same(scores.short_forms, rows["abbrev:short forms"])
