"""The README tells the truth: its examples run, its commands and formats are those that exist."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from exports import WRITERS
from kg.cli import app

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("code", EXAMPLES, ids=lambda code: code.split("\n", 1)[0])
def test_an_example_runs(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sample = (files("kg") / "data" / "sample.bib").read_bytes()
    (tmp_path / "papers.bib").write_bytes(sample)
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102 - our own text


def test_every_command_is_documented() -> None:
    documented = set(re.findall(r"^\| `kg (\w+)", README, re.MULTILINE))
    commands = {c.name or c.callback.__name__ for c in app.registered_commands if c.callback}
    assert documented == commands


def test_every_format_is_documented() -> None:
    table = README.split("| out (`--to`) |")[1].split("\n\n")[0]
    assert set(re.findall(r"`(\w+)`", table)) >= set(WRITERS)


def test_every_link_leads_somewhere() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (Path(__file__).parents[1] / target).exists(), target
