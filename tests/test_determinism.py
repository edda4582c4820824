"""The same papers give the same bytes, whatever their order, the hash seed and the processes."""

from __future__ import annotations

import csv
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

Record = dict[str, Any]

BUILD = """
import json
import sys
from dataclasses import asdict

import kg
from kg.trends import find_trends

if __name__ == "__main__":
    jobs, *inputs = sys.argv[1:]
    graph = kg.build(inputs, "atlas", jobs=int(jobs))
    years = {paper.id: paper.year for paper in graph.papers()}
    with open("atlas/trends.json", "w", encoding="utf-8") as file:
        json.dump([asdict(trend) for trend in find_trends(years, graph.edges())], file)
    for ending in "nt nq trig jsonld graphml gexf csv json bib ris".split():
        graph.write(f"atlas/export.{ending}")
"""

THEMES = {
    "moss": ["graph neural networks", "node classification", "MossConv", "Cora"],
    "kelp": ["reinforcement learning", "continuous control", "KelpPilot", "MuJoCo"],
    "fern": ["federated learning", "differential privacy", "FernAvg", "CIFAR-10"],
    "tern": ["machine translation", "low-resource languages", "TernMT", "WMT14"],
}
SENTENCES = [
    "We propose {own}-{n}, a method for {task}, and train it with {method}.",
    "Experiments on {data} show that {own} reaches an accuracy of {n}.{m}% on {task}.",
    "{method} (see also {own}) is compared with BERT, with ResNet-50 and with GPT-4.",
    "In contrast to earlier work on {task}, no labels of {data} are needed.",
    "It is trained on {data} and on the {own} corpus, with Adam and with LoRA.",
    "We study how far {method} depends on the size of {data}.",
]
MEANINGS = ["mean tidal offset", "moss transport operator"]  # of MTO, for most and for some


def abstract(rng: random.Random, number: int) -> str:
    theme = sorted(THEMES)[number % len(THEMES)]
    method, task, own, data = THEMES[theme]
    written = [method, method.title(), method.upper()][rng.randrange(3)]
    words = {"method": written, "task": task, "own": own, "data": data, "n": number, "m": theme}
    text = [s.format(**words | {"m": rng.randrange(10)}) for s in rng.sample(SENTENCES, 3)]
    if number % 3 == 0:
        text.append(f"The {MEANINGS[number % 9 == 0]} (MTO) is reported too. MTO falls.")
    if number % 3 == 1:
        text.append("We report the MTO and the area under the curve.")
    return " ".join(text)


def generated(count: int = 60) -> list[Record]:
    """Papers of four themes over ten years; some twice, in part; some that are none."""
    rng = random.Random(11)
    papers: list[Record] = []
    for number in range(count):
        theme = sorted(THEMES)[number % len(THEMES)]
        paper = {
            "id": f"g{number:03}",
            "title": f"Report {number} on {theme} and {THEMES[theme][1]}",
            "abstract": abstract(rng, number),
            "year": 2015 + (number // 2 if theme == "kelp" else rng.randrange(count)) % 10,
            "keywords": "; ".join(rng.sample(THEMES[theme], 2)),
            "doi": f"10.5555/g.{number}" if number % 2 else "",
        }
        papers.append(paper)
        if number % 10 == 0:
            papers.append(paper | {"id": f"copy{number}", "keywords": "", "year": ""})
    return [*papers, {"id": "empty"}, {"id": "blank", "title": " ", "abstract": "-"}]


def write_jsonl(path: Path, records: Iterable[Record]) -> Path:
    lines = [json.dumps(record) for record in records]
    path.write_text("\n".join([*lines, "{broken"]) + "\n", encoding="utf-8")
    return path


def write_csv(path: Path, records: Sequence[Record]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(records[0]))
        writer.writeheader()
        writer.writerows(records)
    return path


def build(folder: Path, inputs: Iterable[Path], seed: int, jobs: int) -> Path:
    """Build in a process of its own, and write every format beside the tables."""
    script = folder / "build.py"
    script.write_text(BUILD, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, script, str(jobs), *map(str, inputs)],
        cwd=folder,
        env=os.environ | {"PYTHONHASHSEED": str(seed)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder / "atlas"


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The sample corpus and generated papers in two files."""
    folder = tmp_path_factory.mktemp("inputs")
    sample = Path(str(files("kg") / "data" / "sample.bib"))
    papers = generated()
    return [
        Path(shutil.copy(sample, folder / "sample.bib")),
        write_jsonl(folder / "one.jsonl", papers[:40]),
        write_csv(folder / "two.csv", papers[40:]),
    ]


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory, inputs: list[Path]) -> Path:
    """The graph that the others must equal."""
    return build(tmp_path_factory.mktemp("first"), inputs, seed=1, jobs=1)


def published(folder: Path) -> dict[str, bytes]:
    """All files but those that may tell one build from another: run.json and the cache."""
    paths = (path for path in folder.iterdir() if path.is_file() and path.name != "run.json")
    return {path.name: path.read_bytes() for path in paths}


def tables(folder: Path) -> dict[str, pa.Table]:
    """The tables without the places in the input files."""
    found = {}
    for path in sorted(folder.glob("*.parquet")):
        table = pq.read_table(path)
        places = {"source_file", "source_line", "source_record", "file", "line", "record"}
        found[path.stem] = table.select([c for c in table.column_names if c not in places])
    found["skipped"] = found["skipped"].sort_by("reason")
    return found


def test_the_corpus_needs_all_that_may_depend_on_an_order(atlas: Path) -> None:
    found = {name: table.to_pylist() for name, table in tables(atlas).items()}
    assert len({row["community"] for row in found["communities"]}) > 3
    assert {"majority", "definition", "curated"} <= {row["rule"] for row in found["merges"]}
    assert len(found["skipped"]) == 3
    assert any(row["also_known_as"] for row in found["papers"])
    assert min(len(found[name]) for name in ("kinds", "related_concepts", "results")) > 2
    trends = json.loads((atlas / "trends.json").read_text())
    assert sum(trend["q"] < 1 for trend in trends) > 10


def test_the_order_of_files_the_hash_seed_and_the_processes_change_no_byte(
    atlas: Path, inputs: list[Path], tmp_path: Path
) -> None:
    other = published(build(tmp_path, reversed(inputs), seed=2, jobs=2))
    first = published(atlas)
    assert first.keys() == other.keys()
    assert [name for name in first if first[name] != other[name]] == []


def test_papers_in_any_order_and_in_other_files_change_no_row(
    atlas: Path, inputs: list[Path], tmp_path: Path
) -> None:
    papers = generated()
    random.Random(3).shuffle(papers)
    dealt = [
        write_csv(tmp_path / "a.csv", papers[:20]),
        inputs[0],
        write_jsonl(tmp_path / "b.jsonl", papers[20:]),
    ]
    folder = build(tmp_path, dealt, seed=3, jobs=3)
    first, other = tables(atlas), tables(folder)
    assert [name for name in first if not first[name].equals(other[name])] == []
    assert (folder / "trends.json").read_bytes() == (atlas / "trends.json").read_bytes()
