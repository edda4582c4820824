"""CPU seconds and memory of a build by stage, for growing corpora, and how each stage grows.

    python tests/bench/stages.py papers.jsonl /tmp/stages --sizes 1000 10000 --fast

Each size is built twice in processes of their own: the first extracts what is new, the second
finds all of it kept and is measured. The exponent of a stage is the slope of its time between the
smallest and the largest size, both as logarithms: 1 is linear. The links are compared with those
of an exact scoring of 500 papers against all others.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import kg
from kg import assemble
from kg.choice import Choice
from kg.links import Linker
from kg.neighbours import linker_of

SAMPLE = 500  # papers whose links are compared with the exact ones
STAGES = ("find_communities", "name_communities", "relate_concepts")


def main() -> None:
    """Measure all sizes, each in processes of its own, and print a table."""
    options = parsed()
    if options.one:
        print(json.dumps(measured(options)))
        return
    rows: dict[int, dict[str, float]] = {}
    for size in options.sizes:
        command = [sys.executable, __file__, *sys.argv[1:], "--one", str(size)]
        for _ in ("extracted", "kept"):
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        rows[size] = json.loads(done.stdout.splitlines()[-1])
        print(size, rows[size], flush=True)
    print_table(rows)


def parsed() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=Path, help="JSON lines")
    parser.add_argument("folder", type=Path, help="where the graph and its cache are kept")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10000])
    parser.add_argument("--fast", action="store_true", help="the extractor for large corpora")
    parser.add_argument("--jobs", type=int, default=None)
    parser.add_argument("--one", type=int, default=0, help=argparse.SUPPRESS)
    return parser.parse_args()


def measured(options: argparse.Namespace) -> dict[str, float]:
    """Build the first papers and return CPU seconds by stage, megabytes and the links' recall."""
    options.folder.mkdir(parents=True, exist_ok=True)
    papers = options.folder / "papers.jsonl"
    with options.papers.open(encoding="utf-8") as lines:
        papers.write_text("".join(islice(lines, options.one)), encoding="utf-8")
    seconds: dict[str, float] = defaultdict(float)
    for name in STAGES:
        setattr(assemble, name, timed(getattr(assemble, name), name, seconds))
    setattr(Linker, "links", timed(Linker.links, "links", seconds))  # noqa: B010
    using = Choice("fast") if options.fast else None
    graph = kg.build(papers, options.folder / "atlas", using=using, jobs=options.jobs)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    asked = time.process_time()
    kg.load(options.folder / "atlas").papers(uses="Adam")
    seconds["load and ask"] = time.process_time() - asked
    return {**graph.run["cpu_seconds"], **seconds, "MB": megabytes, "recall@10": recall(graph)}


def timed(function: Callable[..., Any], name: str, seconds: dict[str, float]) -> Callable[..., Any]:
    """Return the function, adding its CPU time to the seconds under a name."""

    def run(*args: Any, **options: Any) -> Any:
        start = time.process_time()
        try:
            return function(*args, **options)
        finally:
            seconds[name] += time.process_time() - start

    return run


def recall(graph: kg.KnowledgeGraph, k: int = 10) -> float:
    """Return how many of the exact ``k`` nearest papers of a sample are linked, 0..1."""
    catalog = graph._catalog
    linker = linker_of(catalog, graph.tables["vectors"])
    ids, linked = list(catalog.papers), defaultdict(set)
    ends = (graph.tables["related"][column].to_pylist() for column in ("source", "target"))
    for one, other in zip(*ends, strict=True):
        linked[one].add(other)
        linked[other].add(one)
    sample = random.Random(1).sample(range(len(ids)), min(SAMPLE, len(ids)))
    found = [
        ids[score.index] in linked[ids[place]]
        for place in sample
        for score in linker.scores(place)[:k]
    ]
    return sum(found) / max(len(found), 1)


def print_table(rows: dict[int, dict[str, float]]) -> None:
    """Print one line a stage: its figure for each size, and its exponent."""
    first, last = min(rows), max(rows)
    print(f"{'':18}" + "".join(f"{size:>10,}" for size in rows) + "  exponent")
    for name, figure in rows[last].items():
        line = f"{name:18}" + "".join(f"{rows[size].get(name, 0):10.3f}" for size in rows)
        if first < last and rows[first].get(name, 0) > 0:
            slope = math.log(figure / rows[first][name]) / math.log(last / first)
            line += f"{slope:10.2f}"
        print(line)


if __name__ == "__main__":
    main()
