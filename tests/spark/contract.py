"""Whether one process, a pool and Spark make the same graph, even if a machine is lost.

python tests/spark/contract.py papers.jsonl --fast --lose

Builds three graphs of the files, the last on a standalone cluster of two workers, and says how
long each took. The exit code is 1 if a published file differs in a byte.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cluster import Cluster, missing, standalone

ENGINES = {
    "serial": ["--jobs", "1"],
    "pool": ["--jobs", str(os.cpu_count())],
    "spark": ["--engine", "spark", "--master", "{master}"],
}
_COMMAND = [sys.executable, "-c", "from kg.cli import main; main()", "build"]


def published(folder: Path) -> dict[str, bytes]:
    """Return the content of the files of a graph folder, but for times and options."""
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if path.is_file() and path.name != "run.json"
    }


def lose_a_machine(cluster: Cluster, folder: Path, build: subprocess.Popen[bytes]) -> None:
    """Kill a worker, its executor and its Python processes once a first part is extracted."""
    while build.poll() is None and not list(folder.glob("cache/*/*.parquet")):
        time.sleep(0.1)
    cluster.kill_worker(0)
    sys.stdout.write("killed a worker after the first part\n")


def timed(name: str, command: list[str], cluster: Cluster | None, folder: Path) -> None:
    """Run a build, and say how long it took; lose a machine of the cluster if there is one."""
    start = time.monotonic()
    build = subprocess.Popen(command)
    if cluster:
        lose_a_machine(cluster, folder, build)
    if build.wait():
        sys.exit(f"{name} failed")
    sys.stdout.write(f"{name:<8} {time.monotonic() - start:8.1f} s\n")
    sys.stdout.flush()


def main() -> None:
    """Build with each engine and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", nargs="+")
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--lose", action="store_true", help="kill a worker in mid-extraction")
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=list(ENGINES))
    options = parser.parse_args()
    if lacking := missing():
        sys.exit(lacking)
    how = ["--fast"] if options.fast else []
    with tempfile.TemporaryDirectory(prefix="contract-") as name, standalone() as cluster:
        folder = Path(name)
        for engine in options.engines:
            said = [word.format(master=cluster.master) for word in ENGINES[engine]]
            output = folder / engine
            command = [*_COMMAND, *options.papers, "-o", str(output), *how, *said]
            loses = options.lose and engine == "spark"
            timed(engine, command, cluster if loses else None, output)
        first, *others = (published(folder / engine) for engine in options.engines)
        different = sorted({n for other in others for n in first if first[n] != other.get(n)})
    sys.stdout.write(f"different: {', '.join(different)}\n" if different else "all equal\n")
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
