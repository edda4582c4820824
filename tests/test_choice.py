"""Choosing an extractor: by name, by class, as a folder remembers it, and what is refused."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

import kg
from extractors import ModelError
from extractors.mention import Extractor
from kg.choice import EXTRACTORS, Choice, extractors_named, remembered
from kg.errors import OptionError

LOCAL = "http://localhost:11434/v1"
OWN = """
import re
from extractors import Extraction, Mention

class Shouts:
    name = "shouts"

    def __init__(self, model="A-Z"):
        self.model = model

    @property
    def version(self):
        return f"1-{self.model}"

    def extract(self, texts):
        for text in texts:
            yield Extraction(tuple(
                Mention("abstract", m.start(), m.end(), "method", m[0], 0.9)
                for m in re.finditer(rf"[{self.model}]{{3,}}", text.abstract)
            ))

class Mute:
    pass
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "loud.py").write_text(OWN, encoding="utf-8")
    (tmp_path / "in.jsonl").write_text(
        json.dumps({"id": "a", "abstract": "We read the words of a text with BERT and with MOSS."})
    )
    monkeypatch.syspath_prepend(tmp_path)
    sys.modules.pop("loud", None)
    return tmp_path


def names(using: list[Extractor]) -> list[str]:
    return [extractor.name for extractor in using]


def test_entities_are_found_as_chosen_abbreviations_and_keywords_stay(own: Path) -> None:
    default = names(extractors_named())
    assert {"abbreviations", "entities", "keywords"} <= set(default)
    llm = extractors_named("llm", endpoint=LOCAL, model="moss")
    assert names(llm) == ["llm" if name == "entities" else name for name in default]
    loud = extractors_named("loud:Shouts")
    assert names(loud) == ["shouts" if name == "entities" else name for name in default]


@pytest.mark.parametrize("name", EXTRACTORS)
def test_every_engine_is_a_class_whose_needs_are_its_arguments(name: str) -> None:
    module, _, class_name = EXTRACTORS[name].path.partition(":")
    if find_spec(module) is None:
        pytest.skip("not part of this build")
    found = getattr(importlib.import_module(module), class_name)
    arguments = found.__init__.__code__.co_varnames if EXTRACTORS[name].needs else ()
    assert set(EXTRACTORS[name].needs) <= set(arguments)
    assert found.__doc__


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (Choice("fats"), "did you mean 'fast'.*default, fast, gliner, llm, or module:Class"),
        (Choice("llm", model="m"), "llm needs --endpoint"),
        (Choice("llm", endpoint=LOCAL), "llm needs --model"),
        (Choice("gliner"), "gliner needs --model"),
        (Choice(endpoint=LOCAL), "--endpoint goes with --extractor llm"),
        (Choice(model="m"), "--model goes with --extractor gliner or llm"),
        (Choice("nowhere:Class"), "No module named 'nowhere'"),
        (Choice("loud:Missing"), "no attribute 'Missing'"),
        (Choice("loud:"), "cannot be used"),
        (Choice(":Class"), "cannot be used"),
        (Choice("loud:Mute"), "no name, version and extract"),
        (Choice("loud:Shouts", endpoint=LOCAL), "unexpected keyword argument 'endpoint'"),
    ],
)
def test_what_cannot_be_chosen_is_said_in_one_line(choice: Choice, message: str, own: Path) -> None:
    with pytest.raises(OptionError, match=message) as caught:
        extractors_named(**choice.options)
    assert "\n" not in str(caught.value)


def test_a_missing_extra_gives_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("extractors.gliner.find_spec", lambda name: None)
    with pytest.raises(ModelError, match=r"pip install 'paperkg\[gliner\]'"):
        extractors_named("gliner", model="a/b")
    pyproject = Path(__file__).parents[1] / "pyproject.toml"
    assert "gliner" in tomllib.loads(pyproject.read_text())["project"]["optional-dependencies"]


def test_a_folder_remembers_the_choice_and_repeats_it(own: Path) -> None:
    choice = Choice("loud:Shouts", model="BERT")
    first = kg.build(own / "in.jsonl", own / "atlas", using=choice, jobs=1)
    again = kg.build(own / "atlas", own / "atlas", jobs=1)
    assert again.run["options"] == first.run["options"]
    assert [c.label for c in again.concepts() if c.kind == "method"] == ["BERT"]
    other = kg.build(own / "atlas", own / "atlas", using=Choice("loud:Shouts"), jobs=1)
    assert {c.label for c in other.concepts() if c.kind == "method"} == {"BERT", "MOSS"}


@pytest.mark.parametrize(
    "choice",
    [
        Choice("llm", endpoint=LOCAL, model="m"),
        Choice("llm", endpoint="http://127.0.0.1:8000/v1", model="m"),
        Choice("llm", endpoint="http://[::1]:8000/v1", model="m"),
        Choice("fast"),
        Choice(),
    ],
)
def test_what_stays_on_this_machine_is_repeated(choice: Choice) -> None:
    assert remembered(choice.options) == choice


@pytest.mark.parametrize(
    "choice",
    [
        Choice("llm", endpoint="https://example.org/v1", model="m"),
        Choice("llm", endpoint="http://localhost.example.org/v1", model="m"),
        Choice("llm", endpoint="http://localhost@example.org/v1", model="m"),
        Choice("loud:Shouts", endpoint="http://10.0.0.1/v1"),
        Choice("gliner", model="somebody/model"),
        Choice(embedder="somebody/model"),
    ],
)
def test_no_folder_opens_a_connection_to_another_machine(choice: Choice) -> None:
    with pytest.raises(OptionError, match=f"--extractor {choice.extractor}"):
        remembered(choice.options)


def test_a_graph_of_extractors_given_as_objects_remembers_none(own: Path, words) -> None:
    using = [words(method=["BERT"])]
    graph = kg.build(own / "in.jsonl", own / "atlas", using=using, jobs=1)
    assert "extractor" not in graph.run["options"]


def run(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from kg.cli import main; main()", *args]
    return subprocess.run(
        command, cwd=cwd, capture_output=True, encoding="utf-8", timeout=300, check=False
    )


def test_ones_own_module_is_found_in_the_current_folder_when_asked_for(own: Path) -> None:
    done = run("extract", "in.jsonl", "--extractor", "loud:Shouts", cwd=own)
    found = json.loads(done.stdout)
    assert [found["text"][s:e] for s, e, *_ in found["entities"]] == ["BERT", "MOSS"]


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (("build", "in.jsonl", "--extractor", "fats"), 1, "did you mean 'fast'"),
        (("build", "in.jsonl", "--fast", "--extractor", "llm"), 2, "--extractor fast"),
        (("extract", "in.jsonl", "--extractor", "llm"), 1, "llm needs --endpoint"),
        (("extract", "in.jsonl", "--fast", "--scheme", "scierc"), 2, "--scheme"),
    ],
)
def test_a_wrong_choice_writes_nothing(
    args: tuple[str, ...], code: int, message: str, own: Path
) -> None:
    done = run(*args, cwd=own)
    assert done.returncode == code
    assert message in done.stderr
    assert not (own / "atlas").exists()


def test_the_help_names_every_engine(tmp_path: Path) -> None:
    for command in ("build", "extract"):
        shown = run(command, "--help", cwd=tmp_path).stdout
        assert all(f"{name}:" in shown for name in EXTRACTORS)
