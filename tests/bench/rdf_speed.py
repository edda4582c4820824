"""How fast RDF is written, loaded and asked, beside rdflib on the same triples, in CPU seconds.

    python tests/bench/rdf_speed.py atlas --triples 100000 1000000

The graph is cut to as many papers as make so many triples. Each figure is of a process of its own:
from the loaded tables to the closed file here; there, from the triples as plain tuples, over
rdflib's terms and graph, to its file. Memory is the peak above what is held before. Ready queries
are asked nine times with values that are usual in the graph.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyoxigraph as ox
import rdflib

import kg
from exports import stores
from exports.examples import usual_values
from exports.iris import Iris
from exports.queries import ready_queries
from exports.rdf import iter_quads, write_nt, write_ttl

PROC = Path("/proc/self")
Plain = tuple[str, str, str, str, str]  # subject, predicate, value, its data type, its language


def graph_of(folder: Path, triples: int) -> kg.KnowledgeGraph:
    """Return the graph of as many papers as make about so many triples."""
    graph = kg.load(folder)
    papers = list(graph.papers())
    whole = sum(1 for _ in iter_quads(graph.view))
    if whole <= triples:
        return graph
    count = len(papers) * triples // whole
    for _ in range(4):
        part = graph.subgraph(papers[:count])
        count = round(count * triples / sum(1 for _ in iter_quads(part.view)))
    return graph.subgraph(papers[:count])


def measured(work: Callable[[], object]) -> dict[str, float]:
    """Return CPU seconds and the peak of memory above what is held before, in MB."""
    (PROC / "clear_refs").write_text("5")  # the peak is counted anew
    before = _peak()
    began = time.process_time()
    work()
    return {"seconds": time.process_time() - began, "megabytes": (_peak() - before) / 1024}


def _peak() -> int:
    lines = (PROC / "status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1])


def plain(graph: kg.KnowledgeGraph) -> Iterator[Plain]:
    """Yield the triples as strings, of which rdflib makes its own terms."""
    for quad in iter_quads(graph.view):
        subject, value = quad.subject, quad.object
        assert isinstance(subject, ox.NamedNode) and not isinstance(value, ox.Triple)
        kind = value.datatype.value if isinstance(value, ox.Literal) else ""
        language = (value.language or "") if isinstance(value, ox.Literal) else ""
        yield subject.value, quad.predicate.value, value.value, kind, language


def by_rdflib(triples: list[Plain], path: Path, syntax: str) -> None:
    """Write the triples as one does with rdflib."""
    graph = rdflib.Graph()
    string = str(rdflib.XSD.string)
    for subject, predicate, value, kind, language in triples:
        node: rdflib.URIRef | rdflib.Literal
        if not kind:
            node = rdflib.URIRef(value)
        elif language:
            node = rdflib.Literal(value, lang=language)
        elif kind == string:
            node = rdflib.Literal(value)
        else:
            node = rdflib.Literal(value, datatype=rdflib.URIRef(kind))
        graph.add((rdflib.URIRef(subject), rdflib.URIRef(predicate), node))
    graph.serialize(path, format=syntax, encoding="utf-8")


def asked(graph: kg.KnowledgeGraph) -> dict[str, float]:
    """Return the median of the CPU milliseconds of each ready query."""
    store = stores.load(graph.view)
    store.optimize()
    iris, values = Iris(graph.run["base_iri"]), usual_values(graph.view)
    medians = {}
    for ready in ready_queries().values():
        said = {name: values[name] for name in ready.parameters}
        bindings = ready.bindings(iris, said)
        spent = []
        for _ in range(9):
            began = time.process_time()
            stores.answer(store, ready.text, bindings)
            spent.append(time.process_time() - began)
        medians[ready.name] = 1000 * statistics.median(spent)
    return medians


def one(what: str, graph: kg.KnowledgeGraph, folder: Path) -> dict[str, float]:
    """Return one measurement, by its name."""
    view = graph.view
    if what == "queries":
        return asked(graph)
    if what.startswith("rdflib"):
        triples = list(plain(graph))
        syntax = what.split()[1]
        return measured(lambda: by_rdflib(triples, folder / "theirs", syntax))
    work: dict[str, Callable[[], object]] = {
        "ours turtle": lambda: write_ttl(view, folder / "ours.ttl"),
        "ours nt": lambda: write_nt(view, folder / "ours.nt"),
        "load": lambda: stores.load(view),
    }
    return measured(work[what])


def apart(what: str, folder: Path, triples: int) -> dict[str, float]:
    """Return one measurement of a process of its own."""
    command = [sys.executable, __file__, str(folder), "--triples", str(triples), "--one", what]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def report(folder: Path, triples: int) -> None:
    """Print all measurements of one size."""
    count = sum(1 for _ in iter_quads(graph_of(folder, triples).view))
    print(f"{count:,} triples")
    for syntax in ("turtle", "nt"):
        ours, theirs = (apart(f"{who} {syntax}", folder, triples) for who in ("ours", "rdflib"))
        print(
            f"  {syntax:8} {ours['seconds']:6.2f} s, {ours['megabytes']:4.0f} MB;"
            f" rdflib {theirs['seconds']:6.1f} s, {theirs['megabytes']:5.0f} MB:"
            f" {theirs['seconds'] / ours['seconds']:.1f} times"
        )
    load = apart("load", folder, triples)
    print(f"  load     {load['seconds']:6.2f} s: {count / load['seconds']:,.0f} triples a second")
    for name, milliseconds in apart("queries", folder, triples).items():
        print(f"  {name:26} {milliseconds:7.1f} ms")


def main() -> None:
    """Measure each size, each thing in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--triples", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--one", help=argparse.SUPPRESS)
    said = parser.parse_args()
    if not said.one:
        for triples in said.triples:
            report(said.folder, triples)
        return
    with tempfile.TemporaryDirectory() as name:
        found = one(said.one, graph_of(said.folder, said.triples[0]), Path(name))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
