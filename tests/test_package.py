"""The package: what is in the wheel, that it works elsewhere, and what it costs to import."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NO_NETWORK = """
import socket, sys
def refuse(*args, **kwargs):
    raise AssertionError(f"a connection was opened: {args}")
socket.socket.connect = socket.socket.connect_ex = socket.create_connection = refuse
socket.getaddrinfo = refuse
"""


def python(code: str, *, cwd: Path, **env: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=cwd,
        env=os.environ | env,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    return path


def test_the_wheel_holds_three_packages_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        top = {name.split("/")[0] for name in archive.namelist()}
    assert {name for name in top if not name.endswith(".dist-info")} == {
        "kg",
        "extractors",
        "exports",
    }
    assert wheel.stat().st_size < 40_000_000


def test_the_wheel_works_in_another_place(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    code = f"""{NO_NETWORK}
import kg
assert kg.__file__.startswith({str(tmp_path)!r}), kg.__file__
from importlib.resources import files
graph = kg.build(str(files("kg") / "data" / "sample.bib"), "atlas")
graph.write("graph.nt")
print(len(graph), len(graph.papers(proposes="TernSAGE")))
"""
    assert python(code, cwd=tmp_path, PYTHONPATH=str(tmp_path / "installed")) == "48 1\n"


def test_nothing_of_ours_imports_torch_or_opens_a_connection(tmp_path: Path) -> None:
    code = f"""{NO_NETWORK}
import builtins
found = builtins.__import__
def watch(name, globals=None, locals=None, fromlist=(), level=0):
    ours = (globals or {{}}).get("__name__", "").split(".")[0]
    if name.split(".")[0] in ("torch", "transformers", "sentence_transformers"):
        assert ours not in ("kg", "extractors", "exports"), (ours, name)
    return found(name, globals, locals, fromlist, level)
builtins.__import__ = watch
from kg.cli import app
app(["demo", "-o", "atlas", "--quiet"], standalone_mode=False)
app(["export", "atlas", "--to", "graphml", "-o", "x.graphml", "--quiet"], standalone_mode=False)
print("torch" in sys.modules)
"""
    assert python(code, cwd=tmp_path) == "False\n"


@pytest.mark.parametrize("package", ["kg", "extractors", "exports", "kg.cli"])
def test_an_import_loads_nothing_heavy(package: str, tmp_path: Path) -> None:
    heavy = "spacy keybert sklearn pyvis rdflib pyoxigraph networkx pyarrow scipy numpy pandas"
    code = f"import sys, {package}; print([m for m in {heavy.split()!r} if m in sys.modules])"
    assert python(code, cwd=tmp_path) == "[]\n"


def test_the_lean_requirements_leave_out_torch_and_the_extra_still_asks_for_it() -> None:
    requirements = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert "keybert==" in requirements
    assert "torch" not in requirements
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["optional-dependencies"]["transformers"] == ["sentence-transformers>=3"]
