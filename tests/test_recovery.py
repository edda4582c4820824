"""A build that is killed, lacks room or is not alone: nothing is lost, nothing is half done."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import kg
from kg.errors import FolderError

pytestmark = pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals and limits")

EXTRACTOR = '''
"""An extractor that takes its time and writes down what it is asked."""

import os
import re
import time
from pathlib import Path

from extractors.mention import Extraction, Mention


class Slow:
    name, version, log = "slow", "1", "asked.log"

    def extract(self, texts):
        for text in texts:
            time.sleep(0.01)
            if self.log:
                with Path(self.log).open("a") as file:
                    file.write(text.abstract + "\\n")
            yield Extraction(
                tuple(
                    Mention("abstract", m.start(), m.end(), "method", m[0], 0.9)
                    for m in re.finditer(r"[A-Z]{3,}", text.abstract)
                )
            )


class Silent(Slow):
    log = ""


class Waiting(Slow):
    def extract(self, texts):
        Path("begun").touch()
        while not Path("go").exists():
            time.sleep(0.02)
        yield from super().extract(texts)
'''

BUILD = """
import sys

import kg
import slow_words
from kg.errors import FolderError

if __name__ == "__main__":
    folder, extractor, jobs = sys.argv[1:]
    try:
        kg.build("papers.jsonl", folder, using=[getattr(slow_words, extractor)()], jobs=int(jobs))
    except FolderError as error:
        sys.exit(f"kg: {error}")
"""

PART = 25  # texts of a part, which a worker that is killed has in its hands


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with papers, a slow extractor and a script that builds."""
    (tmp_path / "slow_words.py").write_text(EXTRACTOR, encoding="utf-8")
    (tmp_path / "build.py").write_text(BUILD, encoding="utf-8")
    write_papers(tmp_path, 120)
    return tmp_path


def write_papers(place: Path, count: int) -> None:
    lines = (
        {"id": f"p{i:03}", "abstract": f"We train the model ABC on data set D{'XYZ'[i % 3] * 3}. "
         f"This is run number {i} of the study, in which QRS{'TUV'[i % 7 % 3]} is compared."}
        for i in range(count)
    )  # fmt: skip
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (place / "papers.jsonl").write_text(text, encoding="utf-8")


def start(
    place: Path, folder: str, extractor: str = "Slow", jobs: int = 2, **options: object
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "build.py", folder, extractor, str(jobs)],
        cwd=place,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **options,  # type: ignore[call-overload]
    )


def published(folder: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes()
        for path in sorted(folder.iterdir())
        if path.is_file() and path.name != "run.json"
    }


def workers(parent: int) -> list[int]:
    """The processes that extract for a process; another child watches over resources."""
    children = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(parent)], capture_output=True, text=True
    )
    lines = (line.split(maxsplit=1) for line in children.stdout.splitlines())
    return [int(pid) for pid, command in lines if "spawn_main" in command]


def wait_for_the_end(group: int) -> None:
    """Wait until no process of a group is left."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)
    pytest.fail("a process outlives the command")


@pytest.mark.skipif(shutil.which("ps") is None, reason="finds the workers with ps")
def test_killed_at_any_moment_the_next_run_completes_and_equals_an_undisturbed_one(
    place: Path,
) -> None:
    begin = time.monotonic()
    _, errors = (undisturbed := start(place, "undisturbed")).communicate()
    assert undisturbed.returncode == 0, errors
    length = time.monotonic() - begin
    expected = published(place / "undisturbed")
    log, rng = place / "asked.log", random.Random(8)
    log.unlink()
    killed = 0
    for number in range(20):
        process = start(place, "atlas")
        time.sleep(rng.uniform(0.2, 1.0) * length)
        victims = workers(process.pid) if number % 2 else [process.pid]
        for victim in victims[:1]:
            os.kill(victim, signal.SIGKILL)
            killed += 1
        _, errors = process.communicate(timeout=120)
        wait_for_the_end(process.pid)
        if process.returncode == 0:
            assert published(place / "atlas") == expected
            shutil.rmtree(place / "atlas")
            assert len(log.read_text().splitlines()) <= 120 + 2 * PART * killed
            log.unlink()
            killed = 0
        else:
            assert process.returncode == -signal.SIGKILL, errors
    _, errors = (last := start(place, "atlas")).communicate()
    assert last.returncode == 0, errors
    assert published(place / "atlas") == expected
    leftovers = [p for p in (place / "atlas").rglob(".*") if p.name != ".lock"]
    assert leftovers == []
    assert len(kg.load(place / "atlas")) == 120


def test_a_second_run_on_a_folder_is_refused_and_a_killed_one_holds_nothing(place: Path) -> None:
    first = start(place, "atlas", "Waiting", jobs=1)
    while not (place / "begun").exists():
        assert first.poll() is None, first.communicate()
        time.sleep(0.02)
    with pytest.raises(FolderError, match=r"another run is writing to .*atlas; .*-o"):
        kg.build(place / "papers.jsonl", place / "atlas", using=[])
    first.kill()
    first.communicate()
    assert len(kg.build(place / "papers.jsonl", place / "atlas", using=[])) == 120


@pytest.mark.parametrize("room", [2_000, 20_000])
def test_without_room_on_the_disk_the_error_is_one_line_and_the_old_graph_stays(
    place: Path, room: int
) -> None:
    import resource

    write_papers(place, 3)
    kg.build(place / "papers.jsonl", place / "atlas", using=[])
    before = published(place / "atlas")
    write_papers(place, 300)

    def limit() -> None:
        """Let no file grow beyond some bytes, as if the disk were full."""
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    process = start(place, "atlas", "Silent", jobs=1, preexec_fn=limit)
    _, errors = process.communicate()
    assert process.returncode == 1
    assert errors.startswith("kg: cannot write")
    assert len(errors.splitlines()) == 1
    assert published(place / "atlas") == before
    assert len(kg.load(place / "atlas")) == 3
    assert not (place / "atlas" / ".unfinished").exists()


@pytest.mark.skipif(
    os.geteuid() == 0 and shutil.which("setpriv") is None,
    reason="a superuser writes everywhere, and there is no setpriv to give that up",
)
def test_a_graph_that_may_not_be_written_stays_and_the_error_is_one_line(place: Path) -> None:
    kg.build(place / "papers.jsonl", place / "atlas", using=[])
    before = published(place / "atlas")
    for folder in (place / "atlas", place / "atlas" / "cache"):
        folder.chmod(0o555)
    (place / "atlas" / "cache" / ".lock").chmod(0o444)
    command = [sys.executable, "build.py", "atlas", "Slow", "1"]
    if os.geteuid() == 0:
        drop = ["--bounding-set=-dac_override", "--inh-caps=-dac_override"]
        command = ["setpriv", *drop, *command]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "kg: cannot write to atlas: Permission denied\n")
    assert published(place / "atlas") == before
    assert len(kg.load(place / "atlas")) == 120
