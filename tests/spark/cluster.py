"""A standalone Spark on this machine: a master and workers, each a process of its own.

python tests/spark/cluster.py --workers 2 --cores 1

It says the address of the master and runs until it is interrupted. Needs pyspark and Java 17.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

QUICK_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Options with which Java spends little on a short run."""

_PATIENCE = 90  # seconds
_CLASS = "org.apache.spark.deploy"
_MASTER = re.compile(r"Starting Spark master at (spark://\S+)")
_REGISTERED = "Successfully registered with master"
_EXECUTOR = "CoarseGrainedExecutorBackend"


def missing() -> str:
    """Return what a cluster lacks here; empty if nothing."""
    if find_spec("pyspark") is None:
        return "needs pyspark: pip install 'paperkg[spark]'"
    if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        return "needs Java 17 or newer"
    return ""


class Cluster:
    """A master and its workers.

    Args:
        folder: For their logs and the folders of their work.
        workers: How many.
        cores: Of each, which is how many Python processes it runs.
    """

    def __init__(self, folder: Path, *, workers: int = 2, cores: int = 1) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self.master = self._said(self._start("master.Master"), _MASTER.pattern)
        for _ in range(workers):
            limits = ("--cores", str(cores), "--memory", "1g")
            self._said(self._start("worker.Worker", *limits, self.master), _REGISTERED)

    def executors(self) -> list[int]:
        """Return the process ids of the executors that run now."""
        workers = {process.pid for process in self._processes[1:]}
        return [
            pid
            for pid, parent, command in _processes()
            if parent in workers and _EXECUTOR in command
        ]

    def python_workers(self) -> list[int]:
        """Return the process ids of the Python processes that extract."""
        executors = set(self.executors())
        daemons = {pid for pid, parent, _ in _processes() if parent in executors}
        return [pid for pid, parent, _ in _processes() if parent in daemons]

    def kill_worker(self, number: int) -> None:
        """Kill a worker and its executors, as a machine that fails."""
        worker = self._processes[1 + number]
        children = [pid for pid, parent, _ in _processes() if parent == worker.pid]
        for pid in (worker.pid, *children):
            os.kill(pid, signal.SIGKILL)
        worker.wait()

    def stop(self) -> None:
        """End all processes."""
        for process in reversed(self._processes):
            process.terminate()
        for process in self._processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self, name: str, *arguments: str) -> Path:
        import pyspark

        home = Path(pyspark.__file__).parent
        place = ("--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        log = self._folder / f"{len(self._processes)}.log"
        environment = os.environ | {
            "SPARK_HOME": str(home),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_WORKER_DIR": str(self._folder / "work"),
            "SPARK_DAEMON_MEMORY": "256m",
            "JDK_JAVA_OPTIONS": QUICK_START,
        }
        command = [home / "bin" / "spark-class", f"{_CLASS}.{name}", *place, *arguments]
        with log.open("wb") as file:
            self._processes.append(
                subprocess.Popen(command, stdout=file, stderr=file, env=environment)
            )
        return log

    def _said(self, log: Path, pattern: str) -> str:
        """Wait until the log of the last process says something, and return the last group."""
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline and self._processes[-1].poll() is None:
            if found := re.search(pattern, log.read_text(errors="replace")):
                return found[found.lastindex or 0]
            time.sleep(0.1)
        self.stop()
        raise RuntimeError(f"no {pattern!r} in {log}: {log.read_text(errors='replace')[-2000:]}")


@contextmanager
def standalone(*, workers: int = 2, cores: int = 1) -> Iterator[Cluster]:
    """Run a cluster for the time of the block."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        cluster = Cluster(Path(folder), workers=workers, cores=cores)
        try:
            yield cluster
        finally:
            cluster.stop()


def _processes() -> list[tuple[int, int, str]]:
    """Return the id, the parent and the command of each process of this machine."""
    listed = subprocess.run(
        ["ps", "-eo", "pid=,ppid=,args=", "-ww"], capture_output=True, text=True, check=True
    )
    rows = (line.split(None, 2) for line in listed.stdout.splitlines())
    return [(int(row[0]), int(row[1]), row[2]) for row in rows if len(row) == 3]


def main() -> None:
    """Run a cluster until it is interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--cores", type=int, default=1)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with standalone(workers=options.workers, cores=options.cores) as cluster:
        sys.stdout.write(f"{cluster.master}\n")
        sys.stdout.flush()
        try:
            signal.pause()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
