"""Reading from the command line: columns by name, strictness, and an account for programs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[..., Path]

KG = [sys.executable, "-c", "from kg.cli import main; main()"]
LAMP = (
    "We propose LampNet, a graph neural network for moths. It is evaluated on ImageNet, and "
    "accuracy rises from 93.1 to 95.4 at the same cost as before."
)
TABLE = f'Titel,Inhalt\nLampNet,"{LAMP}"\n,\n"  ",None\n'


def kg(*args: str | Path, cwd: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*KG, *map(str, args)],
        cwd=cwd,
        env=os.environ | {"COLUMNS": "100"},
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def test_columns_are_named_and_the_account_is_whole(write: Write, tmp_path: Path) -> None:
    write(TABLE, "moths.csv")
    done = kg("build", "moths.csv", "--map", "title=Titel,abstract=Inhalt", "--json", cwd=tmp_path)
    said = json.loads(done.stdout)
    assert (said["records"], said["papers"], said["joined"], said["skipped"]) == (2, 1, 0, 1)
    assert said["skipped_records"] == [
        {"file": "moths.csv", "line": 4, "record": "", "reason": "no abstract and no title"}
    ]
    again = kg("build", "atlas", cwd=tmp_path)
    assert "1 × no abstract and no title (moths.csv:4)" in again.stdout


@pytest.mark.parametrize("command", ["build", "extract"])
def test_strict_ends_at_what_is_skipped(command: str, write: Write, tmp_path: Path) -> None:
    write("@misc{a, title={Never closed\n", "broken.bib")
    done = kg(command, "broken.bib", "--strict", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("kg: broken.bib:1 (a): broken BibTeX: ")
    assert done.stderr.count("\n") == 1


def test_a_table_comes_through_a_pipe(tmp_path: Path) -> None:
    done = kg("extract", "-", "--map", "title=Titel,abstract=Inhalt", cwd=tmp_path, stdin=TABLE)
    assert json.loads(done.stdout.splitlines()[0])["text"] == f"LampNet. {LAMP}"


@pytest.mark.parametrize(
    ("said", "code", "what"),
    [("title", 2, "FIELD=COLUMN"), ("titel=Titel", 1, "no field 'titel'"), ("title=TI", 1, "'TI'")],
)
def test_a_wrong_map_is_answered(
    said: str, code: int, what: str, write: Write, tmp_path: Path
) -> None:
    write(TABLE, "moths.csv")
    done = kg("build", "moths.csv", "--map", said, cwd=tmp_path)
    assert (done.returncode, what in done.stderr) == (code, True)
    assert not (tmp_path / "atlas" / "run.json").exists()
