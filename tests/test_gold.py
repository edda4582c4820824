"""Annotated data as people have it: every format is read, every slip is named with its place."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kg.errors import InputError
from kg.evaluation import Entity, read_gold

DATA = Path(__file__).parent / "data" / "evaluation"
KG = [sys.executable, "-c", "from kg.cli import main; main()"]
TEXT = "MossNet, a moss network, is compared with BERT and ResNets on SQuAD."


def span(words: str, label: str = "Method", role: str = "", concept: str = "") -> Entity:
    """The first place of these words in TEXT."""
    start = TEXT.index(words)
    return Entity(start, start + len(words), label, role, concept)


def write(path: Path, *records: object) -> Path:
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return path


def test_jsonl_with_entities_as_lists(tmp_path: Path) -> None:
    record = {
        "id": 3,
        "text": TEXT,
        "entities": [[42, 46, "Method", 0.5, "uses"], [62, 67, "Dataset", "Material"]],
        "ignore": [[9, 23, "Generic"]],
        "keyphrases": [["moss", 0.9], "network"],
        "pairs": [["MN", "MossNet"], {"short": "B", "long": "BERT"}],
    }
    (read,) = read_gold(write(tmp_path / "gold.jsonl", record))
    assert read.id == "3"
    assert read.spans == (span("BERT", role="uses"), span("SQuAD", "Dataset"))
    assert [read.words(s) for s in read.ignored] == ["a moss network"]
    assert read.keyphrases == ("moss", "network")
    assert read.abbreviations == (("MN", "MossNet"), ("B", "BERT"))


def test_jsonl_with_entities_as_objects(tmp_path: Path) -> None:
    bert = {"start": 42, "end": 46, "label": "Method", "surface": "BERT", "role": "compares"}
    squad = {"start": 62, "end": 67, "label": "Dataset", "optional": True, "canonical": "SQuAD"}
    (read,) = read_gold(write(tmp_path / "a.jsonl", {"raw": TEXT, "entities": [bert, squad]}))
    assert read.id == "1"
    assert read.spans == (span("BERT", role="compares_with"),)
    assert read.ignored == (span("SQuAD", "Dataset", concept="SQuAD"),)


@pytest.mark.parametrize(
    "record",
    [
        {"text": TEXT, "label": [[42, 46, "Method"]]},
        {"text": TEXT, "spans": [{"start": 42, "end": 46, "label": "Method", "token_start": 9}]},
        {"text": TEXT, "entities": [{"start_offset": 42, "end_offset": 46, "label": "Method"}]},
        {"title": TEXT[:-1], "abstract": "More.", "entities": [[42, 46, "Method"]]},
    ],
)
def test_jsonl_of_annotation_tools(record: dict[str, object], tmp_path: Path) -> None:
    (read,) = read_gold(write(tmp_path / "a.jsonl", record))
    assert [(s.label, read.words(s)) for s in read.spans] == [("Method", "BERT")]


def test_what_was_not_annotated_is_told_from_what_was_not_there(tmp_path: Path) -> None:
    (read,) = read_gold(write(tmp_path / "a.jsonl", {"text": TEXT, "entities": []}))
    assert read.entities == ()
    assert read.keyphrases is None
    assert read.abbreviations is None


def test_conll_joins_tokens_by_blanks_and_reads_every_kind_of_tag() -> None:
    first, second = read_gold(DATA / "tags.conll")
    assert (first.id, first.text) == ("1", "We train Moss Net on SQuAD .")
    assert [(s.label, first.words(s)) for s in first.spans] == [
        ("Method", "Moss Net"),
        ("Dataset", "SQuAD"),
    ]
    assert second.id == "ridge"
    assert [(s.label, second.words(s)) for s in second.spans] == [
        ("Method", "RidgeWalk"),
        ("Method", "graph neural networks"),
        ("Method", "MossNet"),
        ("Metric", "F1"),
    ]


def test_b_begins_a_span_even_beside_one_of_the_same_label(tmp_path: Path) -> None:
    (tmp_path / "a.bio").write_text("BERT B-Method\nGPT B-Method\n2 I-Method\n", encoding="utf-8")
    (read,) = read_gold(tmp_path / "a.bio")
    assert [read.words(s) for s in read.spans] == ["BERT", "GPT 2"]


def test_brat_folders_with_roles_pieces_and_line_ends() -> None:
    ridge, moss = read_gold(DATA / "brat")
    assert (ridge.id, moss.id) == ("more/ridge", "moss")
    assert [(s.label, s.role, moss.words(s)) for s in moss.spans] == [
        ("Method", "proposes", "MossNet"),
        ("Dataset", "evaluates_on", "SQuAD"),
        ("Dataset", "", "GLUE"),
        ("Method", "", "slow network"),
    ]
    assert [ridge.words(s) for s in ridge.spans] == ["RidgeWalk"]


def test_brat_offsets_survive_a_change_of_line_ends(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"One.\r\nMossNet.")
    for start in (6, 5):  # as written on Windows, and changed to it after the annotation
        (tmp_path / "a.ann").write_text(f"T1\tMethod {start} {start + 7}\tMossNet\r\n")
        (read,) = read_gold(tmp_path / "a.ann")
        assert [read.words(s) for s in read.spans] == ["MossNet"]


JSONL = "one.jsonl:2: "


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{oops", "Expecting"),
        ("[1, 2]", "no JSON object"),
        ('{"text": "a b", "entities": [[0, 1]]}', r"no entity; write \[start, end, label\]"),
        ('{"text": "a b", "entities": [["0", 1, "M"]]}', "no entity"),
        ('{"text": "a b", "entities": [[2, 9, "M"]]}', "M at 2 to 9 lies outside .* 3 characters"),
        ('{"text": "a b", "entities": [[1, 1, "M"]]}', "outside"),
        ('{"text": "a b", "entities": [[0, 1, "M", 1, "eats"]]}', "no role; roles are proposes"),
        (
            '{"text": "a b", "entities": [{"start": 0, "end": 1, "label": "M", "surface": "b"}]}',
            'the text has "a" at 0 to 1, not "b"',
        ),
        ('{"text": "a b", "keyphrases": [3]}', "no key phrase"),
        ('{"text": "a b", "pairs": ["AB"]}', "no abbreviation"),
        ('{"text": "a b", "id": "x"}', "the id 'x' is that of one.jsonl:1 too"),
    ],
)
def test_a_bad_line_is_named(line: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text('{"id": "x", "text": "fine", "entities": []}\n' + line, encoding="utf-8")
    with pytest.raises(InputError, match=JSONL + ".*" + message):
        read_gold(path)


def test_a_token_without_a_tag_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text("We O\nuse O\nBERT Method\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.conll:3: 'BERT Method' has no BIO tag"):
        read_gold(path)


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        ("T1\tMethod 0 4\tBERT", r"a\.ann:1: 'BERT' is not what the text has there, 'Moss'"),
        ("T1 Method 0 4 Moss", r"a\.ann:1: .* no entity of brat's"),
        ("T1\tMethod 0 4\tMoss\nA1\tRole T1 eats", r"a\.ann:2: 'eats' is no role"),
        ("T1\tMethod 4 90", r"a\.ann: Method at 4 to 90 lies outside"),
    ],
)
def test_brat_annotations_that_do_not_fit_are_named(
    annotation: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("Moss grows.", encoding="utf-8")
    (tmp_path / "a.ann").write_text(annotation, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_gold(tmp_path)


def test_missing_and_empty_input_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file"):
        read_gold(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match=r"holds no \.ann file"):
        read_gold(tmp_path)
    (tmp_path / "b.ann").touch()
    with pytest.raises(InputError, match=r"no file '.*b\.txt'"):
        read_gold(tmp_path)
    (tmp_path / "empty.jsonl").touch()
    with pytest.raises(InputError, match="holds no annotated text"):
        read_gold(tmp_path / "empty.jsonl")


# ------------------------------------------------------------------ the command


def kg(*args: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*KG, *map(str, args)],
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a gold file and predictions for it."""
    write(
        tmp_path / "gold.jsonl",
        {
            "id": "a",
            "text": TEXT,
            "entities": [[42, 46, "Method", "", "uses"], [62, 67, "Dataset"]],
            "keyphrases": ["moss network"],
        },
    )
    write(
        tmp_path / "found.jsonl",
        {
            "id": "a",
            "text": TEXT,
            "entities": [[42, 46, "Method", 0.9, "uses"], [51, 58, "Metric", 0.9, "uses"]],
            "keyphrases": [["moss networks", 0.7], ["BERT", 0.4]],
        },
    )
    return tmp_path


def test_the_command_prints_a_table(files: Path) -> None:
    done = kg("evaluate", "gold.jsonl", "--predictions", "found.jsonl", cwd=files)
    assert done.returncode == 0, done.stderr
    rows = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert rows[0] == "1 texts, 1 with predictions"
    assert "Method 100.00 100.00 100.00 1 1 1" in rows
    assert "Dataset 0.00 0.00 0.00 0 0 1" in rows
    assert "micro 50.00 50.00 50.00 1 2 2" in rows
    assert "uses 100.00 100.00 100.00 1 1 1" in rows
    assert "@5 micro 50.00 100.00 66.67 1 2 1" in rows
    assert "Metric" in done.stderr
    assert "--labels" in done.stderr


def test_the_command_writes_json(files: Path) -> None:
    done = kg(
        "evaluate", "gold.jsonl", "--predictions", "found.jsonl", "--json",
        "--task", "entities", "--labels", "Method,Dataset", cwd=files,
    )  # fmt: skip
    assert done.stderr == ""
    report = json.loads(done.stdout)
    assert report["entities"]["exact"]["Method"] == {
        "precision": 1.0, "recall": 1.0, "f1": 1.0, "right": 1, "found": 1, "wanted": 1,
    }  # fmt: skip
    assert report["entities"]["exact"]["micro"]["f1"] == pytest.approx(2 / 3, abs=1e-6)
    assert "keyphrases" not in report


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("nowhere.jsonl",), "no file"),
        (("gold.jsonl", "--task", "abbreviations", "--predictions", "found.jsonl"), "in the gold"),
        (("gold.jsonl", "--predictions", "bad.jsonl"), "bad.jsonl:1:"),
    ],
)
def test_an_error_is_one_line_that_names_the_place(
    args: tuple[str, ...], message: str, files: Path
) -> None:
    (files / "bad.jsonl").write_text("{oops", encoding="utf-8")
    done = kg("evaluate", *args, cwd=files)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


@pytest.mark.parametrize("args", [("--task", "names"), ("--map", "Method")])
def test_wrong_usage_exits_with_2(args: tuple[str, ...], files: Path) -> None:
    assert kg("evaluate", "gold.jsonl", *args, cwd=files).returncode == 2


def test_without_predictions_our_own_extractors_are_measured(tmp_path: Path) -> None:
    text = "As $x$ grows,  we propose RidgeWalk, a sampler for graph neural networks (GNNs)."
    start = text.index("RidgeWalk")
    record = {
        "text": text,  # as it is: what cleaning would take out counts in the offsets
        "entities": [[start, start + 9, "Method", "", "proposes"]],
        "keyphrases": ["graph neural network"],
        "abbreviations": [["GNNs", "graph neural networks"]],
    }
    write(tmp_path / "gold.jsonl", record)
    done = kg("evaluate", "gold.jsonl", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["entities"]["exact"]["Method"]["right"] == 1
    assert report["roles"]["accuracy"] == 1.0
    assert report["keyphrases"]["all"]["M"]["micro"]["right"] == 1
    assert report["abbreviations"]["pairs"]["f1"] == 1.0


def test_the_help_has_an_example(tmp_path: Path) -> None:
    done = kg("evaluate", "--help", cwd=tmp_path)
    assert done.returncode == 0
    assert "Example:" in done.stdout
