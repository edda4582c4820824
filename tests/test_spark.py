"""Spark as the engine: a real cluster on this machine gives what one process gives."""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from spark.cluster import QUICK_START, Cluster, missing, standalone
from typer.testing import CliRunner

import kg
from kg.choice import extractors_named
from kg.cli import app
from kg.engine import in_order, map_parts, parts_of
from kg.errors import ExtractionError, InputError, OptionError

if TYPE_CHECKING:
    from kg.engine.spark import Spark

WORK = '''
"""Work that Spark's workers can import."""

import os
import re
import time

from threadpoolctl import threadpool_info

from extractors.mention import Extraction, Mention


def lengths(words):
    return [len(word) for word in words]


def end_at(fatal, words):
    if fatal in words:
        os.abort()
    return lengths(words)


def slowly(words):
    time.sleep(1)
    return lengths(words)


def refuse(words):
    raise LookupError(f"cannot count {words[0]}")


def threads(names):
    import numpy

    return [(os.environ["OMP_NUM_THREADS"], [pool["num_threads"] for pool in threadpool_info()])]


class Loader:
    def __init__(self):
        self.loads = 0

    def __call__(self, words):
        self.loads += 1
        return [(os.getpid(), self.loads)] * len(words)


class Capitals:
    """Finds words in capitals, ten texts a second."""

    name, version = "capitals", "1"

    def extract(self, texts):
        for text in texts:
            time.sleep(0.1)
            yield Extraction(
                tuple(
                    Mention("abstract", m.start(), m.end(), "method", m[0], 0.9)
                    for m in re.finditer(r"[A-Z]{3,}", text.abstract)
                )
            )
'''

needs_spark = pytest.mark.skipif(bool(missing()), reason=missing() or "-")
SAMPLE = Path(str(files("kg") / "data" / "sample.bib"))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the module above, which the workers of a cluster find."""
    folder = tmp_path_factory.mktemp("library")
    (folder / "spark_work.py").write_text(WORK, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(folder))
        patch.setenv("JDK_JAVA_OPTIONS", QUICK_START)
        patch.syspath_prepend(folder)
        yield folder


@pytest.fixture(scope="module")
def work(library: Path) -> ModuleType:
    return importlib.import_module("spark_work")


@pytest.fixture(scope="module")
def cluster(library: Path) -> Iterator[Cluster]:
    with standalone() as running:
        yield running


@pytest.fixture(scope="module")
def engine(cluster: Cluster) -> Iterator[Spark]:
    from kg.engine.spark import Spark

    with Spark(cluster.master) as spark:
        yield spark


def published(folder: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if path.is_file() and path.name != "run.json"
    }


def papers_of(folder: Path) -> list[dict[str, Any]]:
    """Return the papers of a graph folder, without the places where they stood."""
    rows: list[dict[str, Any]] = pq.read_table(folder / "papers.parquet").to_pylist()
    return [
        {name: value for name, value in row.items() if not name.startswith("source_")}
        for row in rows
    ]


@needs_spark
def test_spark_gives_the_answers_of_one_process(engine, work) -> None:
    words = ["a" * n for n in range(40)]
    alone = map_parts(work.lengths, parts_of(words, 7), jobs=1)
    spark = engine.map_parts(work.lengths, parts_of(words, 7))
    assert list(in_order(spark)) == list(in_order(alone))


@needs_spark
def test_serial_pool_and_spark_publish_the_same_bytes(engine, tmp_path: Path) -> None:
    kg.build(SAMPLE, tmp_path / "serial", jobs=1)
    kg.build(SAMPLE, tmp_path / "pool", jobs=2)
    kg.build(SAMPLE, tmp_path / "spark", engine=engine)
    assert published(tmp_path / "serial") == published(tmp_path / "pool")
    assert published(tmp_path / "serial") == published(tmp_path / "spark")


@needs_spark
def test_what_spark_extracted_is_in_the_cache(engine, work, tmp_path: Path) -> None:
    class NeverAsked(work.Capitals):
        def extract(self, texts):
            yield from (pytest.fail(f"asked for {text}") for text in texts)

    papers = tmp_path / "papers.jsonl"
    papers.write_text('{"id": "a", "abstract": "We train the model ABC on graphs."}\n')
    kg.build(papers, tmp_path / "atlas", using=[work.Capitals()], engine=engine)
    graph = kg.build(papers, tmp_path / "atlas", using=[NeverAsked()])
    assert graph.evidence("a", "ABC")


@needs_spark
def test_a_worker_has_one_thread_and_loads_its_work_once(engine, work) -> None:
    [(variable, pools)] = in_order(engine.map_parts(work.threads, [["x"]]))
    assert variable == "1"
    assert set(pools) <= {1}
    calls = list(in_order(engine.map_parts(work.Loader(), parts_of("abcdefgh", 1))))
    loads: dict[int, set[int]] = {}
    for process, number in calls:
        loads.setdefault(process, set()).add(number)
    assert len(loads) <= engine.slots
    assert sum(map(len, loads.values())) == 8  # no process began to count again


@needs_spark
def test_an_error_of_the_work_is_raised_as_it_is(engine, work) -> None:
    with pytest.raises(LookupError, match="cannot count x"):
        list(engine.map_parts(work.refuse, [["x"]]))


@needs_spark
def test_an_item_that_ends_the_process_is_set_aside_alone(engine, work) -> None:
    words = ["one", "three", "bomb", "four"]
    found = engine.map_parts(partial(work.end_at, "bomb"), parts_of(words, 3))
    assert list(in_order(found)) == [3, 5, None, 4]


@needs_spark
def test_work_that_the_workers_lack_names_the_remedy(engine, tmp_path, monkeypatch) -> None:
    (tmp_path / "only_here.py").write_text("def lengths(words):\n    return words\n")
    monkeypatch.syspath_prepend(tmp_path)
    here = importlib.import_module("only_here")
    with pytest.raises(ExtractionError, match=r"cannot load the extractors.*only_here"):
        list(engine.map_parts(here.lengths, [["x"]]))


@needs_spark
def test_a_killed_python_process_changes_no_answer(cluster, engine, work) -> None:
    words = ["a" * n for n in range(12)]
    answers = engine.map_parts(work.slowly, parts_of(words, 1))
    found = [next(answers)]
    victims = cluster.python_workers()
    os.kill(victims[0], signal.SIGKILL)
    assert list(in_order([*found, *answers])) == list(range(12))


@needs_spark
@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_papers_are_read_from_an_address(engine, work, tmp_path: Path, form: str) -> None:
    rows = [
        {"id": f"p{i}", "title": f"On ABC {i}", "abstract": f"We use <b>ABC</b> {i} times.",
         "authors": ["Ada Moth", "Ben Fly"], "year": 2020 + i, "code`s": "x"}
        for i in range(6)
    ]  # fmt: skip
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    here = tmp_path / "here.jsonl"
    here.write_text(lines, encoding="utf-8")
    there = tmp_path / "there"
    there.mkdir()
    if form == "jsonl":
        (there / "part_000.jsonl").write_text(lines + '\n{"broken\n', encoding="utf-8")
    else:
        pq.write_table(pa.Table.from_pylist(rows), there / "part-0.parquet")
    kg.build(here, tmp_path / "a", using=[work.Capitals()])
    graph = kg.build(f"file://{there}", tmp_path / "b", using=[work.Capitals()], engine=engine)
    assert papers_of(tmp_path / "a") == papers_of(tmp_path / "b")
    assert {str(paper.source) for paper in graph.papers()} == {
        f"{path.name} (p{i})" for path in there.iterdir() for i in range(6)
    }
    assert [item.reason.partition(":")[0] for item in graph.skipped] == (
        ["no JSON"] if form == "jsonl" else []
    )


@needs_spark
def test_columns_of_parquet_are_named_by_their_field(engine, work, tmp_path: Path) -> None:
    rows = [{"key": "a", "TI": "On graphs", "AB": "We train the model ABC on graphs."}]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "works.parquet")
    [paper] = kg.build(
        f"file://{tmp_path}/works.parquet",
        tmp_path / "atlas",
        columns={"title": "TI", "abstract": "AB"},
        using=[work.Capitals()],
        engine=engine,
    ).papers()
    assert (paper.id, paper.title) == ("a", "On graphs")
    assert paper.abstract == "We train the model ABC on graphs."


@needs_spark
def test_works_of_openalex_are_read_from_parquet(engine, work, tmp_path: Path) -> None:
    words = {"We": [0], "train": [1], "ABC": [2, 4], "on": [3]}
    index = pa.array([list(words.items())], pa.map_(pa.string(), pa.list_(pa.int32())))
    authors = [[{"author": {"display_name": "Ada Moth"}}]]
    columns = {
        "id": ["https://openalex.org/W7"],
        "title": ["On graphs"],
        "abstract_inverted_index": index,
        "authorships": authors,
    }
    pq.write_table(pa.table(columns), tmp_path / "works.parquet")
    [paper] = kg.build(
        f"file://{tmp_path}", tmp_path / "atlas", using=[work.Capitals()], engine=engine
    ).papers()
    assert (paper.id, paper.abstract) == ("W7", "We train ABC on ABC")
    assert paper.authors == ("Ada Moth",)


@needs_spark
def test_an_address_that_spark_cannot_read_is_named(engine, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Spark cannot read it.*nowhere"):
        kg.build(f"file://{tmp_path}/nowhere", tmp_path / "atlas", engine=engine)


@needs_spark
def test_a_session_of_another_master_is_not_taken_for_ours(engine) -> None:
    from kg.engine.spark import Spark

    with pytest.raises(OptionError, match=r"session of spark://.* is active"):
        Spark("local[1]")


@needs_spark
def test_a_machine_lost_in_mid_extraction_changes_no_byte(library, work, tmp_path: Path) -> None:
    papers = tmp_path / "papers.jsonl"
    papers.write_text(
        "".join(
            json.dumps({"id": f"p{i:03}", "abstract": f"We train ABC on D{'XYZ'[i % 3] * 3} {i}."})
            + "\n"
            for i in range(300)
        ),
        encoding="utf-8",
    )
    command = [sys.executable, "-c", "from kg.cli import main; main()", "build", str(papers)]
    command += [
        "-o",
        str(tmp_path / "atlas"),
        "--extractor",
        "spark_work:Capitals",
        "--engine",
        "spark",
        "--master",
    ]
    with standalone() as cluster:
        build = subprocess.Popen(
            [*command, cluster.master], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        deadline = time.monotonic() + 180
        while not list(tmp_path.glob("atlas/cache/capitals-1/*.parquet")):
            assert build.poll() is None, build.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.05)
        cluster.kill_worker(0)
        kept = len(list(tmp_path.glob("atlas/cache/capitals-1/*.parquet")))
        output, errors = build.communicate(timeout=300)
    assert build.returncode == 0, errors
    assert kept < 12
    assert "300 papers" in output
    using = extractors_named("spark_work:Capitals")
    kg.build(papers, tmp_path / "alone", using=using)
    assert published(tmp_path / "atlas") == published(tmp_path / "alone")


def test_spark_that_is_not_installed_is_named_with_its_remedy(monkeypatch) -> None:
    from kg.engine.spark import Spark

    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(OptionError, match=r"pip install 'paperkg\[spark\]'"):
        Spark("local[1]")


def test_an_address_without_spark_says_what_to_add(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="add --engine spark"):
        kg.build("s3a://bucket/works", tmp_path / "atlas")


@pytest.mark.parametrize("args", [("--master", "local[1]"), ("--engine", "spark", "--jobs", "2")])
def test_options_that_do_not_go_together_are_refused(args: tuple[str, ...], tmp_path) -> None:
    result = CliRunner().invoke(app, ["build", str(SAMPLE), "-o", str(tmp_path / "a"), *args])
    assert result.exit_code == 2
    assert not (tmp_path / "a").exists()
