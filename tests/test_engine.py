"""The engine: the same answers from one process or many, whatever happens to a process."""

from __future__ import annotations

import importlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest

import kg
from kg.annotate import annotate
from kg.engine import in_order, map_parts, parts_of, processes, usable_cores
from kg.errors import ExtractionError, OptionError
from kg.model import Record, Skipped, Source

WORK = '''
"""Work that other processes can import."""

import os
import re
import time
from pathlib import Path

from extractors.mention import Extraction, Mention


def lengths(words):
    return [len(word) for word in words]


def threads(names):
    return [os.environ[name] for name in names]


def end_at(fatal, words):
    if fatal in words:
        os.abort()
    return lengths(words)


def refuse(words):
    raise ValueError(f"cannot count {words[0]}")


class Capitals:
    """Finds words in capitals; ends the process at KABOOM, is slow at SLOW."""

    name, version = "capitals", "1"

    def __init__(self, log=None):
        self.log = log

    def extract(self, texts):
        for text in texts:
            if "KABOOM" in text.abstract:
                os.abort()
            if "SLOW" in text.abstract:
                time.sleep(0.1)
            if self.log:
                with Path(self.log).open("a") as file:
                    file.write(text.abstract + "\\n")
            yield Extraction(
                tuple(
                    Mention("abstract", m.start(), m.end(), "method", m[0], 0.9)
                    for m in re.finditer(r"[A-Z]{3,}", text.abstract)
                )
            )
'''

BUILD = """
import sys

import engine_work

import kg

if __name__ == "__main__":
    try:
        kg.build("papers.jsonl", "atlas", using=[engine_work.Capitals()], jobs=2)
    except KeyboardInterrupt:
        sys.exit(130)
"""

posix = pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals")


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module above, where spawned processes find it too."""
    (tmp_path / "engine_work.py").write_text(WORK, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "engine_work", raising=False)
    return importlib.import_module("engine_work")


def write_papers(path: Path, count: int, words: str = "") -> Path:
    lines = (
        {"id": f"p{i:03}", "abstract": f"We train the model ABC on data set D{'XYZ'[i % 3] * 3}. "
         f"This is run number {i} of the study. {words}"}
        for i in range(count)
    )  # fmt: skip
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def published(folder: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if path.is_file() and path.name != "run.json"
    }


def test_a_pool_gives_the_answers_of_one_process(work) -> None:
    words = ["a" * n for n in range(40)]
    alone = map_parts(work.lengths, parts_of(words, 7), jobs=1)
    pool = map_parts(work.lengths, parts_of(words, 7), jobs=2)
    assert list(in_order(pool)) == list(in_order(alone)) == list(range(40))


def test_a_worker_uses_one_thread_and_its_parent_as_many_as_before(work) -> None:
    before = dict(os.environ)
    names = ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"]
    assert list(map_parts(work.threads, [names], jobs=2)) == [(0, ["1", "1"])]
    assert dict(os.environ) == before


@posix
def test_a_worker_that_is_killed_is_replaced_and_no_process_stays(work) -> None:
    words = ["a" * n for n in range(60)]
    answers = map_parts(work.lengths, parts_of(words, 2), jobs=2)
    found = [next(answers)]
    for victim in multiprocessing.active_children():
        os.kill(victim.pid, signal.SIGKILL)
    found += answers
    assert list(in_order(found)) == list(range(60))
    assert multiprocessing.active_children() == []


def test_an_item_that_ends_the_process_is_set_aside_alone(work) -> None:
    words = ["one", "three", "bomb", "four", "eleven", "six"]
    found = map_parts(partial(work.end_at, "bomb"), parts_of(words, 4), jobs=2)
    assert list(in_order(found)) == [3, 5, None, 4, 6, 3]


def test_work_that_ends_every_process_is_given_up(work) -> None:
    found = map_parts(partial(work.end_at, "bomb"), [["bomb"], ["bomb"], ["bomb"]], jobs=2)
    with pytest.raises(ExtractionError, match=r"die of every text.*--jobs 1"):
        list(found)


def test_an_error_in_a_worker_is_raised_as_it_is(work) -> None:
    with pytest.raises(ValueError, match="cannot count x"):
        list(map_parts(work.refuse, [["x"]], jobs=2))
    assert multiprocessing.active_children() == []


def test_work_that_cannot_be_sent_names_the_remedy() -> None:
    with pytest.raises(ExtractionError, match=r"cannot be sent.*jobs=1"):
        list(map_parts(lambda words: words, [["x"]], jobs=2))


def test_parts_are_drawn_as_they_are_needed(work) -> None:
    drawn: list[str] = []
    words = (drawn.append(word) or word for word in "abcdefghij")
    answers = map_parts(work.lengths, parts_of(words, 1), jobs=2)
    next(answers)
    assert len(drawn) <= 5
    answers.close()
    assert multiprocessing.active_children() == []


def test_a_few_texts_start_no_process() -> None:
    assert processes(None, 10) == 1
    assert processes(None, 10**6) == usable_cores()
    assert processes(3, 10) == 3
    with pytest.raises(OptionError, match="0 jobs"):
        processes(0, 10)


def test_the_number_of_processes_changes_no_byte(work, tmp_path: Path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 60)
    for jobs in (1, 2):
        kg.build(papers, tmp_path / str(jobs), using=[work.Capitals()], jobs=jobs)
    assert published(tmp_path / "1") == published(tmp_path / "2")


def test_a_paper_that_ends_the_process_is_skipped_and_the_account_adds_up(work, tmp_path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 20)
    with papers.open("a", encoding="utf-8") as file:
        file.write('{"id": "bad", "abstract": "We study KABOOM on graphs of some size."}\n')
    graph = kg.build(papers, tmp_path / "atlas", using=[work.Capitals()], jobs=2)
    [lost] = graph.skipped
    assert (lost.source.line, lost.source.record) == (21, "bad")
    assert "ends the process" in lost.reason
    counts = graph.run["counts"]
    assert (counts["records"], counts["papers"], counts["skipped"]) == (21, 20, 1)
    assert all(graph.evidence(paper, "ABC") for paper in graph.papers())


def test_a_new_extractor_is_asked_and_the_others_are_not(work, tmp_path: Path) -> None:
    class Newer(work.Capitals):
        name = "newer"

    papers = write_papers(tmp_path / "papers.jsonl", 3)
    old, new = tmp_path / "old.log", tmp_path / "new.log"
    kg.build(papers, tmp_path / "atlas", using=[work.Capitals(old)])
    write_papers(papers, 4)
    kg.build(papers, tmp_path / "atlas", using=[work.Capitals(old), Newer(new)])
    assert len(old.read_text().splitlines()) == len(new.read_text().splitlines()) == 4


def test_annotations_come_in_the_order_of_the_records(work) -> None:
    texts = ["SLOW is the first of them.", *(f"Here is ABC, run {i}." for i in range(60))]
    records = [Record(Source(), text, identifier=f"p{i}") for i, text in enumerate(texts)]
    alone = list(annotate(records, using=[work.Capitals()], jobs=1))
    assert [item["id"] for item in alone] == [record.identifier for record in records]
    assert list(annotate(records, using=[work.Capitals()], jobs=2)) == alone


def test_a_record_that_ends_the_process_is_reported(work) -> None:
    records = [Record(Source("f", 1), "Here is KABOOM.")]
    skipped: list[Skipped] = []
    assert not list(annotate(records, using=[work.Capitals()], jobs=2, skipped=skipped))
    assert [item.source.line for item in skipped] == [1]


def start(folder: Path, script: str) -> subprocess.Popen[str]:
    """Run a script in a process group of its own, as a terminal does."""
    (folder / "build.py").write_text(script, encoding="utf-8")
    return subprocess.Popen(
        [sys.executable, "build.py"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A background job inherits an ignored SIGINT; a person's terminal does not.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def wait_for_a_part(folder: Path, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 120
    while not list(folder.glob("atlas/cache/*/*.parquet")):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


def all_gone(group: int) -> bool:
    """Wait until no process of a group is left."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@posix
def test_a_killed_command_leaves_no_process_and_goes_on_from_its_parts(work, tmp_path) -> None:
    papers = write_papers(tmp_path / "papers.jsonl", 150, "SLOW")
    process = start(tmp_path, BUILD)
    wait_for_a_part(tmp_path, process)
    process.kill()
    process.communicate()
    assert all_gone(process.pid)
    kept = list((tmp_path / "atlas").glob("cache/capitals-1/*.parquet"))
    log = tmp_path / "log"
    kg.build(papers, tmp_path / "atlas", using=[work.Capitals(log)], jobs=2)
    assert len(log.read_text().splitlines()) == 150 - 25 * len(kept)
    kg.build(papers, tmp_path / "undisturbed", using=[work.Capitals()])
    assert published(tmp_path / "atlas") == published(tmp_path / "undisturbed")


@posix
def test_ctrl_c_stops_all_processes_without_a_word_and_keeps_parts(work, tmp_path) -> None:
    write_papers(tmp_path / "papers.jsonl", 300, "SLOW")
    process = start(tmp_path, BUILD)
    wait_for_a_part(tmp_path, process)
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=30) == ("", "")
    assert process.returncode == 130
    assert all_gone(process.pid)
    assert list((tmp_path / "atlas").glob("cache/*/*.parquet"))


@posix
def test_a_script_without_a_guard_is_told_so(work, tmp_path: Path) -> None:
    write_papers(tmp_path / "papers.jsonl", 60)
    unguarded = "import engine_work, kg\nkg.build('papers.jsonl', 'atlas', jobs=2, using=[{}])\n"
    process = start(tmp_path, unguarded.format("engine_work.Capitals()"))
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    last = errors.strip().splitlines()[-1]
    assert "worker processes cannot start" in last
    assert '__name__ == "__main__"' in last
    assert all_gone(process.pid)
