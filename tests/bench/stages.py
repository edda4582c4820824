"""CPU seconds and memory of a build by stage, for growing corpora, and how each stage grows.

    python tests/bench/stages.py papers.jsonl /tmp/stages --fast --sizes 1000 10000 34000 100000

Each size is built twice in processes of their own: the first extracts what is new, the second
finds all of it kept and is measured. The exponents of a stage are the slopes of its figures between
the last two sizes, and between the first and the last, all as logarithms: 1 is linear. "build MB"
is the peak of the whole process, "added MB" that of naming and linking above what was in use
before. The links are compared with those of an exact scoring of 500 papers against all others.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import random
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

import kg
from kg import assemble, pipeline
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
    print(machine(), flush=True)
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


def machine() -> str:
    """Return what the figures depend on beside the code."""
    packages = ("paperkg", "numpy", "scipy", "pyarrow", "graspologic-native")
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    cores = f"{len(os.sched_getaffinity(0))} of {os.cpu_count()} cores"
    return f"{platform.machine()}, {cores}, Python {platform.python_version()}, {versions}"


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
    memory: dict[str, float] = {}
    setattr(pipeline, "state_all", before(assemble.state_all, memory))  # noqa: B010
    setattr(pipeline, "make_tables", after(assemble.make_tables, memory))  # noqa: B010
    graph = kg.build(papers, options.folder / "atlas", using=using, jobs=options.jobs)
    added = {
        "build MB": max(memory["peak"], megabytes("VmHWM")),
        "added MB": memory["linked"] - memory["in use"],
    }
    name = graph.concepts()[0].label
    asked = time.process_time()
    kg.load(options.folder / "atlas").papers(uses=name)
    seconds["load and ask"] = time.process_time() - asked
    return {**graph.run["cpu_seconds"], **seconds, **added, "recall@10": recall(graph)}


def timed(function: Callable[..., Any], name: str, seconds: dict[str, float]) -> Callable[..., Any]:
    """Return the function, adding its CPU time to the seconds under a name."""

    def run(*args: Any, **options: Any) -> Any:
        start = time.process_time()
        try:
            return function(*args, **options)
        finally:
            seconds[name] += time.process_time() - start

    return run


def before(function: Callable[..., Any], memory: dict[str, float]) -> Callable[..., Any]:
    """Return the function, noting the memory at its start, and beginning a new peak."""

    def run(*args: Any, **options: Any) -> Any:
        memory.update({"peak": megabytes("VmHWM"), "in use": megabytes("VmRSS")})
        Path("/proc/self/clear_refs").write_text("5")
        return function(*args, **options)

    return run


def after(function: Callable[..., Any], memory: dict[str, float]) -> Callable[..., Any]:
    """Return the function, noting the peak of the memory at its end."""

    def run(*args: Any, **options: Any) -> Any:
        try:
            return function(*args, **options)
        finally:
            memory["linked"] = megabytes("VmHWM")

    return run


def megabytes(line: str) -> float:
    """Return a figure of this process's memory: "VmRSS" in use, "VmHWM" at its peak (Linux)."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split(f"{line}:")[1].split()[0]) / 1024


def recall(graph: kg.KnowledgeGraph, k: int = 10) -> float:
    """Return how many of the exact ``k`` nearest papers of a sample are linked, 0..1."""
    catalog = graph._catalog
    linker = linker_of(catalog, graph.tables["edges"], graph.tables["vectors"])
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
    """Print one line a stage: its figure for each size, and its exponents."""
    sizes = sorted(rows)
    spans = [(sizes[-2], sizes[-1]), (sizes[0], sizes[-1])] if len(sizes) > 1 else []
    heads = [*(f"{size:,}" for size in sizes), *(f"{one:,}–{other:,}" for one, other in spans)]
    print(f"{'':18}" + "".join(f"{head:>16}" for head in heads))
    for name in rows[sizes[-1]]:
        figures = {size: rows[size].get(name, 0.0) for size in sizes}
        slopes = [slope(figures, *span) for span in spans]
        cells = [f"{figure:.3f}" for figure in figures.values()] + slopes
        print(f"{name:18}" + "".join(f"{cell:>16}" for cell in cells))


def slope(figures: dict[int, float], one: int, other: int) -> str:
    """Return the exponent with which a figure grows between two sizes; "" where there is none."""
    if min(figures[one], figures[other]) <= 0:
        return ""
    return f"{math.log(figures[other] / figures[one]) / math.log(other / one):.2f}"


if __name__ == "__main__":
    main()
