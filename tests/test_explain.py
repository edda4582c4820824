"""Why is this one concept? Asked of a graph, answered with the rule and the papers."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import kg
from kg.concepts import Merge
from kg.errors import UnknownNameError
from kg.explanation import reason
from kg.graph import KnowledgeGraph
from kg.names import RULES

TEXTS = {
    "p1": "We train a spiral ridge net (SRN) on Reddit. The SRN is large.",
    "p2": "An SRN is compared with graph neural networks.",
    "p3": "The GNN beats the SRN on Reddit; nothing else does. The boilerplate is long.",
}


@pytest.fixture
def graph(words, write: Callable[..., Path], tmp_path: Path) -> KnowledgeGraph:
    from extractors.abbreviations import AbbreviationExtractor

    names = ["spiral ridge net", "SRN", "graph neural networks", "GNN", "boilerplate"]
    lines = (json.dumps({"id": name, "abstract": text}) for name, text in TEXTS.items())
    papers = write("\n".join(lines), "papers.jsonl")
    using = [words(method=names, dataset=["Reddit"]), AbbreviationExtractor()]
    said = write("boilerplate\t\n", "mine.txt")
    return kg.build(papers, tmp_path / "atlas", using=using, thesaurus=[said])


def test_a_short_form_is_explained_by_the_rules_that_decided(graph: KnowledgeGraph) -> None:
    found = graph.explain("SRNs")
    assert found.concept is not None
    assert found.concept.label == "spiral ridge net"
    assert [(m.form, m.rule, m.support) for m in found.meanings] == [
        ("SRN", "majority", 2),
        ("SRN", "definition", 1),
    ]
    assert [(m.form, m.rule) for m in found.forms] == [("spiral ridge net", "spelling")]
    assert reason(found.meanings[1]) == "defined as 'spiral ridge net' where it stands"


def test_what_the_thesaurus_leaves_out_is_explained_too(graph: KnowledgeGraph) -> None:
    found = graph.explain("boilerplate")
    assert (found.concept, [m.rule for m in found.meanings]) == (None, ["left out"])


def test_a_name_that_no_paper_writes_is_an_error_with_suggestions(graph: KnowledgeGraph) -> None:
    with pytest.raises(UnknownNameError, match="SRN"):
        graph.explain("SRNN")


def test_a_part_of_a_graph_explains_its_own_concepts(graph: KnowledgeGraph) -> None:
    part = graph.subgraph(["p2"])
    assert {row["concept"] for row in part.tables["merges"].to_pylist()} == {
        concept.id for concept in part.concepts()
    }


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_words(rule: str) -> None:
    assert reason(Merge("a", "b", rule, "c", 1))


def test_the_command_says_it_in_a_table_or_as_json(graph: KnowledgeGraph, tmp_path: Path) -> None:
    def run(*args: str) -> str:
        command = [sys.executable, "-c", "from kg.cli import main; main()", "explain"]
        folder = str(tmp_path / "atlas")
        done = subprocess.run(
            [*command, folder, *args],
            capture_output=True,
            encoding="utf-8",
            check=True,
            timeout=300,
        )
        return done.stdout

    assert "the curated list has it under 'graph neural network'" in run("GNN")
    said = json.loads(run("GNN", "--json"))
    assert said["concept"]["id"] == "graph neural network"
    assert said["meanings"][0]["rule"] == "curated"


def test_a_folder_that_is_older_than_the_table_can_still_be_opened(graph, tmp_path: Path) -> None:
    for name in ("merges", "kinds"):
        (tmp_path / "atlas" / f"{name}.parquet").unlink()
    assert kg.load(tmp_path / "atlas").explain("GNN").meanings == ()
