"""The command line as a person meets it: real processes, real files, one-line errors."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import zlib
from base64 import b64decode
from pathlib import Path

import pytest

KG = [sys.executable, "-c", "from kg.cli import main; main()"]
COMMANDS = (
    "demo",
    "build",
    "extract",
    "papers",
    "concepts",
    "with",
    "related",
    "common",
    "path",
    "central",
    "bridges",
    "show",
    "explain",
    "export",
    "fetch",
    "query",
    "push",
    "validate",
    "serve",
    "evaluate",
    "trends",
)

PLAIN = """ICLR 2025 Papers

We propose RidgeWalk, a new sampler for graph neural networks (GNNs). RidgeWalk is evaluated on \
Reddit and compared with GraphSAGE; accuracy rises from 93.1 to 95.4 at the same cost.

Large language models (LLMs) are fine-tuned with LoRA in most of the recent work. We study how \
LoRA behaves on GSM8K when the rank is small, and find that accuracy depends on the data.
"""


def kg(*args: str | Path, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*KG, *map(str, args)],
        cwd=cwd,
        env=os.environ | env,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo, built once by the real command in an empty folder."""
    folder = tmp_path_factory.mktemp("newcomer")
    done = kg("demo", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "paperkg-demo"


def test_the_demo_names_a_page_that_is_there_and_writes_nothing_else(atlas: Path) -> None:
    assert (atlas / "graph.html").stat().st_size > 100_000
    assert [path.name for path in atlas.parent.iterdir()] == ["paperkg-demo"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command: str, tmp_path: Path) -> None:
    done = kg(command, "--help", cwd=tmp_path, COLUMNS="120")
    assert done.returncode == 0
    assert "Example:" in done.stdout or command == "demo"


def test_papers_are_listed_by_what_they_use(atlas: Path) -> None:
    done = kg("papers", atlas, "--proposes", "TernSAGE", "--json", cwd=atlas.parent)
    assert [paper["year"] for paper in json.loads(done.stdout)] == [2018]


def test_a_concept_is_found_by_its_abbreviation_and_shows_its_sentences(atlas: Path) -> None:
    done = kg("show", atlas, "GNN", cwd=atlas.parent)
    assert done.stdout.startswith("graph neural network")
    assert "because it says" in done.stdout


def test_related_papers_say_why(atlas: Path) -> None:
    done = kg("related", atlas, "almgren2018tern", "--json", cwd=atlas.parent)
    if done.returncode:
        done = kg("related", atlas, "10.5555/paperkg.0001", "--json", cwd=atlas.parent)
    first = json.loads(done.stdout)[0]
    assert first["weight"] > 0
    assert first["concepts"] or first["similarity"] > 0


def test_concepts_are_listed_by_kind(atlas: Path) -> None:
    done = kg("concepts", atlas, "--kind", "dataset", "--json", cwd=atlas.parent)
    listed = json.loads(done.stdout)
    assert {concept["kind"] for concept in listed} == {"dataset"}
    assert [c["papers"] for c in listed] == sorted((c["papers"] for c in listed), reverse=True)


def test_the_data_sets_of_a_method_are_listed_with_papers_and_sentences(atlas: Path) -> None:
    asked = ("with", atlas, "GNN", "--kind", "dataset", "--narrower")
    first, *_ = json.loads(kg(*asked, "--json", cwd=atlas.parent).stdout)
    assert (first["kind"], first["papers"]) == ("dataset", len(first["because"]))
    assert all(use["here"]["sentence"] and use["there"]["sentence"] for use in first["because"])
    table = kg(*asked, "-n", "1", cwd=atlas.parent).stdout
    assert first["label"] in table
    assert "1 of " in table


def test_a_path_is_shown_hop_by_hop_with_its_sentences(atlas: Path) -> None:
    ends = "federated learning", "retrieval-augmented generation"
    found = json.loads(kg("path", atlas, *ends, "--json", cwd=atlas.parent).stdout)
    assert (found["source"]["label"], found["target"]["label"]) == ends
    shown = kg("path", atlas, *ends, cwd=atlas.parent).stdout
    assert shown.startswith("federated learning\n")
    for hop in found["hops"]:
        assert hop["target"]["label"] in shown
        assert hop["relation"] in shown
        assert hop["evidence"]["sentence"] in shown


def test_where_no_path_leads_that_is_the_answer(tmp_path: Path) -> None:
    said = "Protein folding is studied in the abstract of this paper, which is a short one."
    (tmp_path / "papers.txt").write_text(f"{PLAIN}\n{said}\n", encoding="utf-8")
    assert kg("build", "papers.txt", "-o", "atlas", cwd=tmp_path).returncode == 0
    ends = "RidgeWalk", "protein folding"
    done = kg("path", "atlas", *ends, cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout == "No chain of papers and concepts leads from {!r} to {!r}.\n".format(*ends)
    assert json.loads(kg("path", "atlas", *ends, "--json", cwd=tmp_path).stdout) is None


def test_a_bridge_has_in_common_with_the_other_side_what_it_says(atlas: Path) -> None:
    bridges = json.loads(kg("bridges", atlas, "-n", "3", "--json", cwd=atlas.parent).stdout)
    assert len(bridges) == 3
    assert all(bridge["home"] != bridge["other"] for bridge in bridges)
    bridge, link = next((b, k) for b in bridges for k in b["links"] if k["because"])
    ends = bridge["paper"], link["paper"]
    common = json.loads(kg("common", atlas, *ends, "--json", cwd=atlas.parent).stdout)
    assert {item["label"] for item in common} & {shared["concept"] for shared in link["because"]}
    assert [item["papers"] for item in common] == sorted(item["papers"] for item in common)
    shown = kg("common", atlas, *ends, cwd=atlas.parent).stdout
    assert all(item["label"] in shown for item in common)
    assert "GPT-4" in kg("bridges", atlas, cwd=atlas.parent).stdout


def test_central_concepts_are_listed_by_kind(atlas: Path) -> None:
    asked = ("central", atlas, "--kind", "method", "-n", "3")
    found = json.loads(kg(*asked, "--json", cwd=atlas.parent).stdout)
    assert [item["kind"] for item in found] == ["method"] * 3
    assert found[0]["label"] == "graph neural network"
    table = kg(*asked, cwd=atlas.parent).stdout
    assert table.index(found[0]["label"]) < table.index(found[2]["label"])


@pytest.mark.parametrize(
    ("args", "hint"),
    [
        (("with", "GraphSAGEE"), "'GraphSAGE'"),
        (("central", "--kind", "datasets"), "'dataset'"),
        (("path", "GNN", "federated lerning"), "'federated learning'"),
    ],
)
def test_questions_answer_a_misspelt_name_with_suggestions(
    args: tuple[str, ...], hint: str, atlas: Path
) -> None:
    done = kg(args[0], atlas, *args[1:], cwd=atlas.parent)
    assert done.returncode == 1
    assert f"did you mean {hint}".casefold() in done.stderr.casefold()


def test_sparql_counts_the_papers(atlas: Path) -> None:
    sparql = (
        "PREFIX schema: <https://schema.org/> "
        "SELECT (COUNT(*) AS ?n) WHERE { ?p a schema:ScholarlyArticle }"
    )
    done = kg("query", atlas, sparql, "--json", cwd=atlas.parent)
    assert json.loads(done.stdout) == [{"n": "48"}]


@pytest.mark.parametrize(
    "form", ["html", "pyvis", "ttl", "nt", "nq", "trig", "jsonld", "graphml", "gexf", "json"]
)
def test_every_format_is_written(form: str, atlas: Path, tmp_path: Path) -> None:
    done = kg("export", atlas, "--to", form, "-o", tmp_path / "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out").stat().st_size > 1000


def test_what_lies_near_a_concept_is_written_as_a_page_of_its_own(
    atlas: Path, tmp_path: Path
) -> None:
    told = ("--around", "GNNs", "--hops", "1", "--title", "Near GNNs", "--abstracts", "none")
    done = kg("export", atlas, *told, "-o", tmp_path / "near.html", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "near.html").read_text(encoding="utf-8")
    assert "<title>Near GNNs</title>" in page
    assert "within 1 step of graph neural network" in page
    assert (tmp_path / "near.html").stat().st_size < (atlas / "graph.html").stat().st_size
    few = kg("export", atlas, "--max-nodes", "40", "-o", "few.html", cwd=tmp_path)
    assert few.returncode == 0, few.stderr
    assert "of 48 papers" in (tmp_path / "few.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("told", "message"),
    [
        (("--around", "grph neural network"), "graph neural network"),
        (("--max-nodes", "9", "--to", "ttl"), "no option 'max_nodes'"),
        (("--hops", "1"), "--around"),
    ],
)
def test_a_wrong_option_of_an_export_is_named(
    told: tuple[str, ...], message: str, atlas: Path, tmp_path: Path
) -> None:
    done = kg("export", atlas, "--to", "html", *told, "-o", tmp_path / "out", cwd=tmp_path)
    assert done.returncode in (1, 2)
    assert message in done.stderr
    assert not (tmp_path / "out").exists()


def test_csv_is_written_as_a_folder_of_tables(atlas: Path, tmp_path: Path) -> None:
    done = kg("export", atlas, "--to", "csv", "-o", tmp_path / "tables", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "tables" / "papers.csv").read_text(encoding="utf-8").count("\n") >= 49


def test_extract_gives_offsets_into_the_text_that_it_returns(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(
        json.dumps({"id": "a", "text": "We propose RidgeWalk, a sampler. We use BERT on SQuAD."})
        + "\n"
        + json.dumps({"id": "b", "text": "Große Sprachmodelle werden in dieser Arbeit untersucht, "
                      "und zwar mit Methoden, die nicht neu sind, aber gut."})
        + "\n",
        encoding="utf-8",
    )  # fmt: skip
    done = kg("extract", "in.jsonl", "-o", "out.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    first, second = map(json.loads, lines)
    found = {first["text"][s:e]: (label, role) for s, e, label, _, role in first["entities"]}
    assert found["RidgeWalk"] == ("Method", "proposes")
    assert found["BERT"][0] == "Method"
    assert found["SQuAD"][0] == "Dataset"
    assert (second["id"], second["entities"], second["keyphrases"]) == ("b", [], [])


def test_extract_leaves_the_text_alone_when_told_to(tmp_path: Path) -> None:
    raw = r"We use \textbf{BERT} for  everything."
    (tmp_path / "in.jsonl").write_text(json.dumps({"id": "a", "text": raw}), encoding="utf-8")
    done = kg("extract", "in.jsonl", "--no-clean", cwd=tmp_path)
    assert json.loads(done.stdout)["text"] == raw


def test_half_a_character_is_replaced_and_moves_no_offset(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"id": "a", "text": "\\ud800 We use BERT."}')
    done = kg("extract", "in.jsonl", "--no-clean", "-o", "out.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "out.jsonl").read_text(encoding="utf-8"))
    assert found["text"] == "\ufffd We use BERT."
    assert [found["text"][start:end] for start, end, *_ in found["entities"]] == ["BERT"]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("build", "missing.bib"), "missing.bib"),
        (("papers", "nowhere"), "no graph folder"),
        (("build", "empty.txt"), "no paper"),
        (("build", "noise.bin"), "noise.bin"),
        (("extract", "missing.jsonl"), "missing.jsonl"),
    ],
)
def test_an_error_is_one_line_and_leaves_nothing_behind(
    args: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    (tmp_path / "empty.txt").touch()
    (tmp_path / "noise.bin").write_bytes(bytes(range(256)) * 64)
    before = sorted(tmp_path.rglob("*"))
    done = kg(*args, cwd=tmp_path, COLUMNS="40")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("kg: ")
    assert message in done.stderr
    assert [p for p in sorted(tmp_path.rglob("*")) if p not in before and p.is_file()] == []


def test_a_misspelt_name_is_answered_with_suggestions(atlas: Path) -> None:
    done = kg("papers", atlas, "--uses", "TernSAEG", cwd=atlas.parent)
    assert done.returncode == 1
    assert "did you mean 'TernSAGE'" in done.stderr


@pytest.mark.parametrize("args", [("papers",), ("export", "x"), ("build", "--no-such-option")])
def test_wrong_usage_exits_with_2(args: tuple[str, ...], tmp_path: Path) -> None:
    assert kg(*args, cwd=tmp_path).returncode == 2


def test_plain_text_under_a_heading_gives_venue_and_year(tmp_path: Path) -> None:
    (tmp_path / "papers.txt").write_text(PLAIN, encoding="utf-8")
    done = kg("build", "papers.txt", "-o", "atlas", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["papers"] == 2
    listed = kg("papers", "atlas", "--venue", "iclr", "--year", "2025", "--json", cwd=tmp_path)
    assert {paper["title"] for paper in json.loads(listed.stdout)} == {""}
    assert len(json.loads(listed.stdout)) == 2


def test_an_ascii_locale_loses_no_letter(tmp_path: Path) -> None:
    text = PLAIN.replace("RidgeWalk", "β-Größe-Walk")
    (tmp_path / "größe.txt").write_text(text, encoding="utf-8")
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": ""}
    done = kg("build", "größe.txt", "-o", "atlas", cwd=tmp_path, **ascii_only)
    assert done.returncode == 0, done.stderr
    shown = kg("papers", "atlas", "--json", cwd=tmp_path, **ascii_only)
    assert "β-Größe-Walk" in shown.stdout
    assert "β-Größe-Walk" in (tmp_path / "atlas" / "graph.ttl").read_text(encoding="utf-8")
    page = (tmp_path / "atlas" / "graph.html").read_text(encoding="utf-8")
    head = re.search(r'id="head">(.*?)</script>', page)
    assert head
    body = zlib.decompress(b64decode(json.loads(head[1])["body"]), -zlib.MAX_WBITS)
    assert "β-Größe-Walk" in body.decode("utf-8")


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_ctrl_c_leaves_a_folder_that_goes_on(tmp_path: Path) -> None:
    lines = (
        json.dumps({"id": f"p{i}", "abstract": f"We propose Ridge{i}. " + f"Bed {i} is red. " * 20})
        for i in range(600)
    )
    (tmp_path / "many.jsonl").write_text("\n".join(lines), encoding="utf-8")
    process = subprocess.Popen(
        [*KG, "build", "many.jsonl", "-o", "atlas"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A background job inherits an ignored SIGINT; a person's terminal does not.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    deadline = time.monotonic() + 120
    while not list((tmp_path / "atlas").glob("cache/keywords-*/*.parquet")):
        assert process.poll() is None, process.stderr
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130
    assert errors.decode().startswith("kg: stopped")
    assert "not finished" in kg("papers", "atlas", cwd=tmp_path).stderr
    kept = {path.name for path in (tmp_path / "atlas").glob("cache/*/*.parquet")}
    done = kg("build", "many.jsonl", "-o", "atlas", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["papers"] == 600
    assert kept <= {path.name for path in (tmp_path / "atlas").glob("cache/*/*.parquet")}
