"""Results: which numbers of an abstract are facts, what each is, and where it leads."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings, strategies as st

import kg
from exports import WRITERS
from exports.view import GraphView, TableView
from exports.vocabulary import ontology, shapes
from extractors.mention import (
    RELATIONS,
    Abbreviation,
    ContractError,
    Extraction,
    Mention,
    Result,
    Text,
    check,
)
from extractors.results import ResultExtractor, find_results
from kg.errors import UnknownNameError

NAMES = {
    "method": ("FernNet", "MossNet", "TarnFormer"),
    "dataset": ("LeafBench", "BarkQA", "RootSet"),
    "task": ("leaf parsing", "bark recognition"),
}


def mentions(text: str) -> list[Mention]:
    """Return where the names of this test stand."""
    return [
        Mention("abstract", start, start + len(name), kind, name, 1.0)
        for kind, names in NAMES.items()
        for name in names
        for start in range(len(text))
        if text.startswith(name, start)
    ]


def found(text: str, title: str = "") -> tuple[Result, ...]:
    return find_results(Text(text, title), mentions(text))


def facts(text: str) -> list[tuple[str, str, float, str]]:
    return [(r.metric, r.relation, r.value, r.unit) for r in found(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It reaches an accuracy of 93.1%.", [("accuracy", 93.1, "%")]),
        ("It achieves 34.2 BLEU.", [("BLEU", 34.2, "")]),
        ("It achieves 93% in accuracy.", [("accuracy", 93, "%")]),
        ("A fern wins (F1 = 0.87).", [("F1", 0.87, "")]),
        ("The micro-F1 score was 0.59.", [("micro-F1 score", 0.59, "")]),
        ("It has a 42.8% length-controlled win rate.", [("length-controlled win rate", 42.8, "%")]),
        ("We see a word error rate (WER) of 9.6%.", [("word error rate", 9.6, "%")]),
        ("The top-1 accuracy is 81.5 %.", [("top-1 accuracy", 81.5, "%")]),
        ("It gives a 2.7x inference speedup.", [("inference speedup", 2.7, "×")]),
        ("It yields 31.2 dB PSNR.", [("PSNR", 31.2, "dB")]),
        (
            "It has a precision of 96%, a recall of 90%, and an F1-score of 93%.",
            [("precision", 96, "%"), ("recall", 90, "%"), ("F1-score", 93, "%")],
        ),
        (
            "It has precision, recall and F1 of 0.9, 0.8 and 0.85.",
            [("precision", 0.9, ""), ("recall", 0.8, ""), ("F1", 0.85, "")],
        ),
        ("It scores 58.7 and 62.6 BLEU.", [("BLEU", 58.7, ""), ("BLEU", 62.6, "")]),
        ("A kappa of 0.71 and 82.3% correctness result.", [("kappa", 0.71, "")]),
    ],
)
def test_values(text: str, expected: list[tuple[str, float, str]]) -> None:
    assert facts(text) == [(metric, "value", value, unit) for metric, value, unit in expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It improves accuracy by 3.2%.", ("accuracy", "better", 3.2, "%")),
        ("It reduces the WER by 12%.", ("WER", "lower", 12, "%")),
        ("The error rate increases by 5%.", ("error rate", "higher", 5, "%")),
        ("Noise degrades accuracy by 2 points.", ("accuracy", "worse", 2, "points")),
        ("It outperforms all others by 3.2 BLEU.", ("BLEU", "better", 3.2, "")),
        ("It outperforms them by 2.1 BLEU points.", ("BLEU", "better", 2.1, "points")),
        ("A 3% improvement in accuracy results.", ("accuracy", "better", 3, "%")),
        ("A 3% accuracy gain is seen.", ("accuracy", "better", 3, "%")),
        ("An improvement of 3.1% in accuracy is seen.", ("accuracy", "better", 3.1, "%")),
        ("Accuracy gains of 3.1% are seen.", ("Accuracy", "better", 3.1, "%")),
        ("It is 5.9 F1 higher than before.", ("F1", "higher", 5.9, "")),
        ("It has 34% higher throughput.", ("throughput", "higher", 34, "%")),
        ("It runs 6x faster.", ("speed", "higher", 6, "×")),
        ("A 2.5× reduction in latency is seen.", ("latency", "lower", 2.5, "×")),
        ("We see a 1.4% absolute increase in recall.", ("recall", "higher", 1.4,
                                                        "percentage points")),
    ],
)  # fmt: skip
def test_a_difference_never_looks_like_a_value(
    text: str, expected: tuple[str, str, float, str]
) -> None:
    assert facts(text) == [expected]


def test_a_list_of_differences_goes_on() -> None:
    text = "It improves quality by up to 2.9 BLEU over the rest and up to 3.2 BLEU over rules."
    assert [(r.relation, r.qualifier, r.value) for r in found(text)] == [
        ("better", "up to", 2.9),
        ("better", "up to", 3.2),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Accuracy matters, and 93% of users agree.",
        "We use 12 metrics such as BLEU and 3 data sets.",
        "In 2024 precision rose.",
        "It improves performance by 6.16% over the best.",
        "The score is 71.4.",
        "Accuracy improves by 2 to 13 points.",
        "To reach a confidence of 95% accuracy is needed.",
        "The corpus has 4933 high accuracy facts.",
        "It reduces cost and latency by 97% and 91%.",
        "It improves accuracy over others but also reduces memory by 85%.",
        "We gain 2 orders of magnitude in latency.",
        "Success rates of 2.7% and 16.7% higher than before are seen.",
        "It gains much (52.7 in terms of fluency, accuracy aside).",
        "A gap of less than 1% AUROC difference stays.",
    ],
)
def test_no_result(text: str) -> None:
    assert facts(text) == []


@pytest.mark.parametrize(
    ("words", "qualifier"),
    [("up to", "up to"), ("more than", "over"), ("nearly", "about"), ("at least", "at least"),
     ("below", "under"), ("only", "")],
)  # fmt: skip
def test_what_limits_a_number_is_said(words: str, qualifier: str) -> None:
    (result,) = found(f"It reaches {words} 90% accuracy.")
    assert (result.value, result.qualifier) == (90, qualifier)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ("It improves accuracy from 65.5 to 72.0.", 65.5, 72.0),
        ("It lifts the success rate from 48% to 75%.", 48, 75),
        ("It goes from 37.4% to 40.3% mAP.", 37.4, 40.3),
        ("It has a 91% success rate (compared to 73% for the baseline).", 73, 91),
        ("It reaches an accuracy of 93%, compared to 91% for MossNet.", 91, 93),
    ],
)
def test_a_compared_value(text: str, old: float, new: float) -> None:
    (result,) = found(text)
    assert (result.relation, result.compared_value, result.value) == ("value", old, new)


@pytest.mark.parametrize(
    ("text", "datasets"),
    [
        ("It reaches 90% accuracy on LeafBench.", ["LeafBench"]),
        ("On LeafBench, it reaches 90% accuracy.", ["LeafBench"]),
        ("It has 90% accuracy on LeafBench and 81.0 F1 on BarkQA.", ["LeafBench", "BarkQA"]),
        ("It has 90% and 80% accuracy on LeafBench and BarkQA.", ["LeafBench", "BarkQA"]),
        ("It has 90% accuracy on LeafBench and BarkQA.", [""]),
        ("It has 90% accuracy on LeafBench and Unknown-7.", [""]),
        ("It has 90% accuracy when trained on LeafBench.", [""]),
        ("It has 90% LeafBench accuracy.", ["LeafBench"]),
    ],
)
def test_the_data_set_is_that_of_the_clause_or_none(text: str, datasets: list[str]) -> None:
    assert [r.dataset for r in found(text)] == datasets


@pytest.mark.parametrize(
    ("text", "method"),
    [
        ("FernNet achieves 90% accuracy.", "FernNet"),
        ("Our FernNet model further improves accuracy by 3%.", "FernNet"),
        ("FernNet beats the rest, reaching 90% accuracy.", "FernNet"),
        ("A tree based on MossNet achieves 90% accuracy.", ""),
        ("Moreover, FernNet achieves 90% accuracy.", "FernNet"),
        ("FernNet and MossNet achieve 90% accuracy.", ""),
        ("FernNet, MossNet achieve 90% accuracy.", ""),
        ("It beats training with plain MossNet, improving accuracy by 3%.", ""),
        ("FernNet surpasses the human accuracy of 69%.", ""),
        ("We see that 90% accuracy is common.", ""),
        ("We propose FernNet, a network. Our method achieves 90% accuracy.", "FernNet"),
        ("We propose FernNet, a network. On MossNet, we achieve 90% accuracy.", ""),
    ],
)
def test_the_method_is_the_subject_or_none(text: str, method: str) -> None:
    assert [r.method for r in found(text)] == [method]


def test_a_proposed_method_goes_by_its_short_form() -> None:
    abstract = "We propose Fern Tree Network (FTN), a network. We achieve 90% accuracy."
    pair = Abbreviation("abstract", 30, 33, 11, 28, "FTN", "Fern Tree Network")
    assert [r.method for r in find_results(Text(abstract), (), (pair,))] == ["FTN"]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("FernNet outperforms MossNet by 3.2 BLEU.", "MossNet"),
        ("It has a 34.5% lower MSE than MossNet.", "MossNet"),
        ("It outperforms MossNet and TarnFormer by 3.2 BLEU.", ""),
        ("It outperforms MossNet planners by 3.2 BLEU.", ""),
    ],
)
def test_a_compared_method(text: str, other: str) -> None:
    assert [r.compared_method for r in found(text)] == [other]


def test_the_sentence_and_the_number_are_located() -> None:
    text = "We study ferns. It reaches an accuracy of about 93.1% on LeafBench. Ferns win."
    (result,) = found(text)
    sentence = text[result.sentence_start : result.sentence_end]
    assert sentence == "It reaches an accuracy of about 93.1% on LeafBench."
    assert text[result.start : result.end] == "about 93.1%"


def test_a_title_may_report() -> None:
    (result,) = found("", title="Ferns at 93% Accuracy Everywhere, with 2× Speedup")
    assert (result.field, result.metric, result.value) == ("title", "Speedup", 2)


def test_the_extractor_alone_says_what_the_function_says() -> None:
    texts = [Text("FernNet reaches an accuracy of 93.1% on CIFAR-10."), Text("")]
    together = list(ResultExtractor().extract(texts))
    assert [len(e.results) for e in together] == [1, 0]
    assert together == [next(ResultExtractor().extract([text])) for text in texts]
    assert together[0].results[0].dataset == "CIFAR-10"


@pytest.mark.parametrize("wrong", [{"relation": "more"}, {"end": 99}, {"metric": ""}])
def test_a_result_that_breaks_the_contract_is_refused(wrong: dict[str, object]) -> None:
    text = Text("It reaches an accuracy of 93%.")
    (result,) = find_results(text, ())
    assert check(text, Extraction(results=(result,)))
    with pytest.raises(ContractError, match="relation"):
        check(text, Extraction(results=(replace(result, **wrong),)))


_PIECES = st.sampled_from(
    ["FernNet ", "achieves ", "accuracy ", "of ", "93.1% ", "by ", "3 ", "and ", ", ", "BLEU ",
     "improves ", "from ", "to ", "(", ") ", "on LeafBench ", "points ", "\ue000", "×", ". ",
     "İ", "1,000.5", "up to ", "higher ", "-", "F1 ", "win rate "]
)  # fmt: skip


@settings(max_examples=200)
@given(st.lists(_PIECES, max_size=20).map("".join) | st.text(max_size=80))
def test_the_contract_holds_for_any_text(abstract: str) -> None:
    text = Text(abstract)
    results = found(abstract)
    check(text, Extraction(results=results))
    assert list(results) == sorted(results, key=lambda r: (r.start, r.metric, r.value))
    for result in results:
        assert result.sentence_start <= result.start < result.end <= result.sentence_end
        assert result.relation in RELATIONS
        assert result.metric == result.metric.strip() != ""


def test_private_characters_of_a_text_stand_for_nothing() -> None:
    assert facts("It reaches an \ue001 of \ue000.") == []


@pytest.mark.parametrize("piece", ["accuracy of ", "5% and ", "improves ", "(", "F1 score 3 "])
def test_a_very_long_text_is_read(piece: str) -> None:
    assert isinstance(found(piece * (20_000 // len(piece))), tuple)


# The graph

ABSTRACT = (
    "We propose FernNet, a sampler. FernNet reaches an accuracy of 93.1% on LeafBench. "
    "It improves recall by up to 3.2% over MossNet."
)


class Reporter:
    """Finds the names of this test and what is reported of them."""

    name, version = "reporter", "1"

    def extract(self, texts: Iterable[Text]) -> Iterator[Extraction]:
        for text in texts:
            names = mentions(text.abstract)
            start = text.abstract.find("accuracy")
            names += [Mention("abstract", start, start + 8, "metric", "accuracy", 1.0)]
            yield Extraction(tuple(names), results=find_results(text, names))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("results")
    papers = [
        {"id": "p1", "title": "FernNet", "abstract": ABSTRACT},
        {"id": "p2", "title": "Bark", "abstract": "MossNet has 81% accuracy on BarkQA, we find."},
    ]
    (where / "papers.jsonl").write_text("\n".join(map(json.dumps, papers)), encoding="utf-8")
    kg.build(where / "papers.jsonl", where / "atlas", using=[Reporter()])
    return where / "atlas"


@pytest.fixture(scope="module")
def graph(folder: Path) -> kg.KnowledgeGraph:
    return kg.load(folder)


def test_a_graph_tells_results_with_their_concepts_and_sentence(graph: kg.KnowledgeGraph) -> None:
    first, second, third = graph.results()
    assert (first.paper, first.metric, first.value, first.unit) == ("p1", "accuracy", 93.1, "%")
    assert graph.concept(first.metric_concept).label == "accuracy"
    assert graph.concept(first.dataset_concept).label == "LeafBench"
    assert graph.concept(first.method_concept).label == "FernNet"
    assert first.quote == "93.1%" in first.sentence
    assert (second.metric, second.metric_concept) == ("recall", None)
    assert (second.relation, second.qualifier) == ("better", "up to")
    assert graph.concept(second.compared_concept).label == "MossNet"
    assert third.paper == "p2"
    for result in graph.results():
        abstract = graph.paper(result.paper).abstract
        assert abstract[result.start : result.end] == result.quote
        assert abstract[result.sentence_start :].startswith(result.sentence)


def test_results_are_found_by_name(graph: kg.KnowledgeGraph) -> None:
    assert [r.value for r in graph.results(metric="Accuracy")] == [93.1, 81]
    assert [r.value for r in graph.results(metric="recall")] == [3.2]
    assert [r.value for r in graph.results(metric="accuracy", dataset="barkqa")] == [81]
    assert [r.value for r in graph.results(method="FernNet", relation="value")] == [93.1]
    assert [r.value for r in graph.results(paper="Bark")] == [81]
    assert graph.results(paper="p2", dataset="LeafBench") == []


@pytest.mark.parametrize(
    "asked", [{"metric": "acuracy"}, {"paper": "p9"}, {"relation": "more"}, {"task": "flying"}]
)
def test_an_unknown_name_is_an_error(graph: kg.KnowledgeGraph, asked: dict[str, str]) -> None:
    with pytest.raises(UnknownNameError):
        graph.results(**asked)


def test_the_networkx_graph_has_the_results_of_each_paper(graph: kg.KnowledgeGraph) -> None:
    stored = list(TableView(graph.tables, graph.run).results())
    assert [row["value"] for row in graph.nx.nodes["p1"]["results"]] == [93.1, 3.2]
    assert list(GraphView(graph.nx, graph.view.run()).results()) == stored
    without = graph.nx.copy()
    without.remove_node(f"concept:{graph.concept('accuracy').id}")
    assert {r.metric_concept for r in GraphView(without, graph.view.run()).results()} == {""}


def test_results_are_asked_with_sparql(graph: kg.KnowledgeGraph) -> None:
    answer = graph.sparql(
        "PREFIX kgo: <https://w3id.org/paperkg/ontology#>"
        "PREFIX skos: <http://www.w3.org/2004/02/skos/core#>"
        "SELECT ?value ?name WHERE { ?r a kgo:Result ; kgo:value ?value ; kgo:relation 'value' ;"
        " kgo:dataset ?d ; kgo:reportedIn ?paper . ?d skos:prefLabel ?name } ORDER BY ?value"
    )
    assert answer.rows == (("81", "BarkQA"), ("93.1", "LeafBench"))


def test_the_vocabulary_declares_what_results_say(graph: kg.KnowledgeGraph, tmp_path: Path) -> None:
    graph.write(tmp_path / "g.nt")
    said = (tmp_path / "g.nt").read_text(encoding="utf-8")
    names = """reportedIn relation value unit qualifier metricAsWritten metric dataset method
        comparedMethod comparedMethodAsWritten"""
    for name in names.split():
        assert f"ontology#{name}>" in said
        assert f"kgo:{name} a owl:" in ontology()
    assert "sh:targetClass kgo:Result" in shapes()


def test_abstracts_that_are_not_published_keep_the_numbers(
    graph: kg.KnowledgeGraph, tmp_path: Path
) -> None:
    WRITERS["json"](graph.view, tmp_path / "g.json", abstracts="none")
    rows = json.loads((tmp_path / "g.json").read_text(encoding="utf-8"))["results"]
    assert [(row["value"], row["sentence"]) for row in rows] == [(93.1, ""), (3.2, ""), (81.0, "")]


def test_a_folder_of_before_there_were_results_opens(folder: Path, tmp_path: Path) -> None:
    old = tmp_path / "old"
    shutil.copytree(folder, old)
    table = pq.read_table(old / "results.parquet").slice(0, 0)
    few = table.select(["paper", "field", "sentence", "metric", "value", "unit", "dataset"])
    pq.write_table(few, old / "results.parquet")
    assert kg.load(old).results() == []
