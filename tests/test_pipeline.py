"""Building: from files to a folder, the same whatever the order, again without waste."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import kg
from kg.errors import ExtractionError, FolderError, NothingFoundError

ABSTRACTS = {
    "p1": "We propose RidgeWalk, a sampler for graphs. RidgeWalk is trained on Reddit with Adam.",
    "p2": "We compare RidgeWalk with GraphSAGE on Reddit. Both of them are trained with Adam.",
    "p3": "Protein folding is studied with AlphaFold. No graph is used anywhere in this study.",
}


def write_jsonl(path: Path, abstracts: dict[str, str]) -> Path:
    lines = (json.dumps({"id": name, "abstract": text}) for name, text in abstracts.items())
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def published(folder: Path) -> dict[str, bytes]:
    """The files that a reader relies on: cache and run.json are exempt."""
    return {
        path.name: path.read_bytes()
        for path in sorted(folder.iterdir())
        if path.is_file() and path.name != "run.json"
    }


@pytest.fixture
def extractor(words):
    return words(method=["RidgeWalk", "GraphSAGE", "Adam", "AlphaFold"], dataset=["Reddit"])


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    return write_jsonl(tmp_path / "papers.jsonl", ABSTRACTS)


def test_a_folder_holds_the_tables_the_html_and_the_rdf(papers, extractor, tmp_path) -> None:
    kg.build(papers, tmp_path / "atlas", using=[extractor])
    assert set(published(tmp_path / "atlas")) == {
        "abbreviations.parquet", "communities.parquet", "concepts.parquet", "edges.parquet",
        "graph.html", "graph.ttl", "kinds.parquet", "mentions.parquet", "merges.parquet",
        "papers.parquet", "related.parquet", "related_concepts.parquet", "results.parquet",
        "skipped.parquet", "vectors.parquet",
    }  # fmt: skip


def test_what_was_built_is_what_is_loaded(papers, extractor, tmp_path) -> None:
    built = kg.build(papers, tmp_path / "atlas", using=[extractor])
    loaded = kg.load(tmp_path / "atlas")
    assert loaded.papers() == built.papers()
    assert loaded.edges() == built.edges()
    assert [c.label for c in loaded.concepts("dataset")] == ["Reddit"]


def test_every_edge_quotes_the_text_that_supports_it(papers, extractor, tmp_path) -> None:
    graph = kg.build(papers, tmp_path / "atlas", using=[extractor])
    edges = graph.edges()
    assert len(edges) == 8
    for edge in edges:
        text = graph.paper(edge.paper).abstract
        assert text[edge.start : edge.end] == edge.quote
        assert text[edge.sentence_start :].startswith(edge.sentence)
        assert edge.quote in edge.sentence


def test_the_order_of_the_files_changes_no_byte(papers, extractor, tmp_path) -> None:
    more = write_jsonl(tmp_path / "more.jsonl", {"p9": "AlphaFold and Adam are used on Reddit."})
    kg.build([papers, more], tmp_path / "one", using=[extractor])
    kg.build([more, papers], tmp_path / "two", using=[extractor])
    assert published(tmp_path / "one") == published(tmp_path / "two")


def test_a_second_build_extracts_only_what_is_new(papers, extractor, words, tmp_path) -> None:
    kg.build(papers, tmp_path / "atlas", using=[extractor])
    extractor.texts.clear()
    write_jsonl(papers, ABSTRACTS | {"p4": "AlphaFold is trained on Reddit, of all places."})
    kg.build(papers, tmp_path / "atlas", using=[extractor])
    assert [text.abstract for text in extractor.texts] == [
        "AlphaFold is trained on Reddit, of all places."
    ]


def test_a_removed_or_changed_paper_leaves_no_trace(papers, extractor, tmp_path) -> None:
    kg.build(papers, tmp_path / "atlas", using=[extractor])
    write_jsonl(papers, {"p1": ABSTRACTS["p1"], "p2": "Now this abstract names only GraphSAGE."})
    kg.build(papers, tmp_path / "atlas", using=[extractor])
    kg.build(papers, tmp_path / "fresh", using=[extractor])
    assert published(tmp_path / "atlas") == published(tmp_path / "fresh")
    labels = {concept.label for concept in kg.load(tmp_path / "atlas").concepts()}
    assert "AlphaFold" not in labels


def test_new_papers_among_old_ones_give_the_bytes_of_a_build_from_nothing(
    papers, extractor, tmp_path
) -> None:
    kg.build(papers, tmp_path / "atlas", using=[extractor])
    more = {f"n{i}": f"Run {i}: RidgeWalk and AlphaFold meet on Reddit." for i in range(40)}
    write_jsonl(papers, ABSTRACTS | more)
    kg.build(papers, tmp_path / "atlas", using=[extractor])
    kg.build(papers, tmp_path / "fresh", using=[extractor])
    assert published(tmp_path / "atlas") == published(tmp_path / "fresh")


def test_a_cache_without_what_is_made_of_it_is_used_and_a_damaged_part_made_again(
    papers, extractor, tmp_path
) -> None:
    kg.build(papers, tmp_path / "atlas", using=[extractor])
    before, cache = published(tmp_path / "atlas"), tmp_path / "atlas" / "cache"
    (accounts,) = cache.glob("accounts-*")
    shutil.rmtree(accounts)
    extractor.texts.clear()
    kg.build(papers, tmp_path / "atlas", using=[extractor])
    assert extractor.texts == []
    for part in cache.glob("*/*.parquet"):
        part.write_bytes(b"PAR1 and no more")
    kg.build(papers, tmp_path / "atlas", using=[extractor])
    assert len(extractor.texts) == 3
    assert published(tmp_path / "atlas") == before


def test_a_new_version_of_an_extractor_is_asked_again(papers, words, tmp_path) -> None:
    kg.build(papers, tmp_path / "atlas", using=[words("1", method=["RidgeWalk"])])
    newer = words("2", method=["GraphSAGE"])
    graph = kg.build(papers, tmp_path / "atlas", using=[newer])
    assert len(newer.texts) == 3
    assert [concept.label for concept in graph.concepts()] == ["GraphSAGE"]


def test_a_folder_as_input_is_built_again_with_its_own_options(papers, extractor, tmp_path) -> None:
    iri = "https://example.com/mine/"
    kg.build(papers, tmp_path / "atlas", using=[extractor], title="Mine", base_iri=iri)
    again = kg.build(tmp_path / "atlas", tmp_path / "atlas", using=[extractor])
    assert (again.run["title"], again.run["base_iri"]) == ("Mine", iri)


def test_an_extractor_that_breaks_its_contract_is_named(papers, tmp_path) -> None:
    class Liar:
        name, version = "liar", "1"

        def extract(self, texts):
            from extractors import Extraction, Mention

            for _ in texts:
                yield Extraction((Mention("abstract", 0, 3, "method", "not there", 1.0),))

    with pytest.raises(ExtractionError, match=r"liar.*not there"):
        kg.build(papers, tmp_path / "atlas", using=[Liar()])
    with pytest.raises(FolderError, match=r"not finished|holds no graph"):
        kg.load(tmp_path / "atlas")


def test_a_failed_build_leaves_the_old_graph_whole(papers, extractor, tmp_path) -> None:
    kg.build(papers, tmp_path / "atlas", using=[extractor])
    before = published(tmp_path / "atlas")
    papers.write_text("", encoding="utf-8")
    with pytest.raises(NothingFoundError):
        kg.build(papers, tmp_path / "atlas", using=[extractor])
    assert published(tmp_path / "atlas") == before
    assert len(kg.load(tmp_path / "atlas")) == 3


def _another_graph(folder: Path) -> None:
    other = write_jsonl(folder.parent / "other.jsonl", {"q": "Quite another text about Adam."})
    kg.build(other, folder, using=[])


def _foreign_files(folder: Path) -> None:
    folder.mkdir()
    (folder / "thesis.docx").write_text("years of work", encoding="utf-8")


def _other_schema(folder: Path) -> None:
    _another_graph(folder)
    run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    (folder / "run.json").write_text(json.dumps(run | {"schema": 99}), encoding="utf-8")


def _file(folder: Path) -> None:
    folder.write_text("a file", encoding="utf-8")


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (_another_graph, "graph of other files.*--replace"),
        (_foreign_files, "not empty and holds no graph"),
        (_other_schema, "schema 99"),
        (_file, "is a file"),
    ],
)
def test_an_output_folder_in_the_way_is_left_alone(
    prepare: Callable[[Path], None], message: str, papers, extractor, tmp_path
) -> None:
    folder = tmp_path / "atlas"
    prepare(folder)
    before = published(folder) if folder.is_dir() else folder.read_bytes()
    with pytest.raises(FolderError, match=message):
        kg.build(papers, folder, using=[extractor])
    assert before == (published(folder) if folder.is_dir() else folder.read_bytes())


def test_another_graph_is_replaced_when_asked(papers, extractor, tmp_path) -> None:
    _another_graph(tmp_path / "atlas")
    graph = kg.build(papers, tmp_path / "atlas", using=[extractor], replace=True)
    assert len(graph) == 3


def as_an_ordinary_user(*command: str) -> list[str]:
    """The command without the superuser's right to write everywhere."""
    if os.geteuid() != 0:
        return list(command)
    return ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override", *command]


@pytest.mark.skipif(
    os.name == "nt" or (os.geteuid() == 0 and shutil.which("setpriv") is None),
    reason="a superuser writes everywhere, and there is no setpriv to give that up",
)
def test_a_read_only_folder_gives_one_line(papers, tmp_path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(0o555)
    kg_build = [sys.executable, "-c", "from kg.cli import main; main()", "build", str(papers)]
    done = subprocess.run(
        as_an_ordinary_user(*kg_build, "-o", str(folder)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == f"kg: cannot write to {folder}: Permission denied\n"


def test_the_account_adds_up(papers, extractor, tmp_path) -> None:
    with papers.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"id": "twin", "abstract": ABSTRACTS["p1"]}) + "\n")
        file.write("{broken\n" + json.dumps({"id": "empty"}) + "\n")
    graph = kg.build(papers, tmp_path / "atlas", using=[extractor])
    counts = graph.run["counts"]
    assert counts["records"] == 6
    assert (counts["papers"], counts["joined"], counts["skipped"]) == (3, 1, 2)
    assert {item.source.line for item in graph.skipped} == {5, 6}
