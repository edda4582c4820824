"""Whether stores and parsers read what we write alike: counts of triples, answers to queries.

    python tests/bench/triple_stores.py atlas
    python tests/bench/triple_stores.py atlas --node NODE_MODULES \
        --endpoint http://localhost:8890/sparql-graph-crud-auth http://localhost:8890/sparql dba

Always: pyoxigraph and rdflib; the Oxigraph server, rapper and N3.js with Comunica where they are
installed; any store over HTTP by the two addresses where it takes graphs and queries and, if it
wants one, a user, whose password is in KG_STORE_PASSWORD. Virtuoso 7.2.5 comes to a deadlock where
it replaces half a million triples: --pushes 1 into an empty one. A line that differs from the first
has an exclamation mark, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal, InvalidOperation
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import rdflib
import requests

import kg
from exports.graph_store import Endpoint
from exports.push import push
from exports.queries import ready_queries
from exports.vocabulary import PREFIXES

Rows = list[tuple[str, ...]]

_PREFIXES = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())
QUERIES = {
    "triples": "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }",
    "roles": "SELECT ?role (COUNT(*) AS ?n) WHERE { ?a a kgo:Assertion ; rdf:predicate ?role }"
    " GROUP BY ?role",
    "authors": "SELECT ?name (COUNT(?paper) AS ?n) WHERE { ?paper kgo:hasAuthorship ?a ."
    " ?a kgo:ordinal 1 ; kgo:nameAsWritten ?name } GROUP BY ?name",
    "data sets": "SELECT ?label (COUNT(DISTINCT ?paper) AS ?n) WHERE { ?paper kgo:evaluatesOn ?d ."
    " ?d a kgo:Dataset ; skos:prefLabel ?label } GROUP BY ?label",
    "quotes": "SELECT ?quote ?begin ?end ?sentence WHERE { ?a rdf:predicate kgo:proposes ;"
    " kgo:quote ?quote ; kgo:begin ?begin ; kgo:end ?end ; kgo:sentence ?sentence }",
    "links": "SELECT ?a ?b ?weight WHERE { ?l kgo:source ?a ; kgo:target ?b ; kgo:weight ?weight }",
}
COMMON = {name: _PREFIXES + text for name, text in QUERIES.items()}
COMMON["classes"] = ready_queries()["counts"].text
COMMON["papers without evidence"] = ready_queries()["papers-without-evidence"].text

_COMUNICA = """
const { QueryEngine } = require('@comunica/query-sparql-rdfjs');
const N3 = require('n3');
const [path, queries] = process.argv.slice(1);
const text = require('fs').readFileSync(path, 'utf8');
const store = new N3.Store(new N3.Parser({ format: 'N-Triples' }).parse(text));
const plain = row => Object.fromEntries([...row].map(([v, term]) => [v.value, term.value]));
(async () => {
  const answers = {};
  for (const [name, query] of Object.entries(JSON.parse(queries))) {
    const found = await new QueryEngine().queryBindings(query, { sources: [store] });
    answers[name] = (await found.toArray()).map(plain);
  }
  console.log(JSON.stringify(answers));
})();
"""


def digest(rows: Rows) -> str:
    """Return how many rows there are, and a mark that is the same for the same rows."""
    lines = "\n".join(sorted("\t".join(map(normal, row)) for row in rows))
    return f"{len(rows)} rows {sha256(lines.encode()).hexdigest()[:8]}"


def normal(value: object) -> str:
    """Return a value; of a number, which stores write as they like, the number."""
    text = "" if value is None else str(value)
    try:
        return str(Decimal(text).normalize()) if re.fullmatch(r"-?[\d.]+", text) else text
    except InvalidOperation:
        return text


def in_pyoxigraph(path: Path) -> dict[str, Rows]:
    """Return the answers of the embedded store."""
    store = ox.Store()
    store.bulk_load(path=str(path), format=ox.RdfFormat.N_TRIPLES)
    found: dict[str, Any] = {name: store.query(text) for name, text in COMMON.items()}
    return {
        name: [tuple(v.value if v else "" for v in row) for row in rows]
        for name, rows in found.items()
    }


def in_rdflib(path: Path) -> dict[str, Rows]:
    """Return the answers of rdflib."""
    graph = rdflib.Graph().parse(path, format="nt")
    return {
        name: [tuple(map(str, row)) for row in graph.query(text)] for name, text in COMMON.items()
    }


def in_comunica(path: Path, modules: Path) -> dict[str, Rows]:
    """Return the answers of N3.js with Comunica."""
    done = subprocess.run(
        ["node", "--max-old-space-size=8192", "-e", _COMUNICA, str(path), json.dumps(COMMON)],
        env=os.environ | {"NODE_PATH": str(modules)},
        capture_output=True,
        check=True,
    )
    return {name: rows_of(COMMON[name], found) for name, found in json.loads(done.stdout).items()}


def over_http(
    graph: kg.KnowledgeGraph, store: str, query: str, user: str, pushes: int
) -> dict[str, Rows]:
    """Return the answers of a store that the graph is pushed to so many times."""
    for _ in range(pushes):
        with Endpoint(store, user=user, password=os.environ.get("KG_STORE_PASSWORD", "")) as target:
            push(graph.view, target)
    answers = {}
    for name, text in COMMON.items():
        answer = requests.post(
            query,
            data={"query": from_layers(text, f"{graph.run['base_iri']}graph/")},
            headers={"Accept": "application/sparql-results+json"},
            timeout=600,
        )
        answer.raise_for_status()
        bindings = answer.json()["results"]["bindings"]
        found = [{key: cell["value"] for key, cell in row.items()} for row in bindings]
        answers[name] = rows_of(text, found)
    return answers


def from_layers(text: str, prefix: str) -> str:
    """Return a query of ours that asks the layers alone, whatever else the store holds."""
    layers = ("papers", "concepts", "evidence", "links", "results", "provenance", "dataset")
    named = " ".join(f"FROM <{prefix}{layer}>" for layer in layers)
    return text.replace(" WHERE ", f" {named} WHERE ", 1)


def rows_of(text: str, found: list[dict[str, str]]) -> Rows:
    """Return solutions as tuples in the order of the query's columns."""
    columns = [variable.value for variable in ox.Store().query(text).variables]
    return [tuple(row.get(column, "") for column in columns) for row in found]


@contextmanager
def oxigraph_server() -> Iterator[str]:
    """Give the address of a running, empty Oxigraph server."""
    program = shutil.which("oxigraph", path=str(Path(sys.executable).parent))
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    process = subprocess.Popen(
        [str(program), "serve", "--bind", address],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(100):
            time.sleep(0.1)
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", int(address.rpartition(":")[2]))) == 0:
                    break
        yield f"http://{address}"
    finally:
        process.terminate()
        process.wait(10)


def counted_by_rapper(folder: Path) -> dict[str, str]:
    """Return how many triples Raptor reads of each file."""
    syntaxes = {"ttl": "turtle", "nt": "ntriples", "nq": "nquads", "trig": "trig"}
    counts = {}
    for suffix, syntax in syntaxes.items():
        done = subprocess.run(
            ["rapper", "-c", "-i", syntax, str(folder / f"graph.{suffix}")],
            capture_output=True, encoding="utf-8", check=False,
        )  # fmt: skip
        found = re.search(r"returned (\d+) triples", done.stderr)
        counts[suffix] = found[1] if found and done.returncode == 0 else "refused"
    return counts


def main() -> int:
    """Ask all that are there; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--node", type=Path, help="node_modules with n3 and @comunica/query-sparql-rdfjs"
    )
    parser.add_argument("--endpoint", nargs="+", action="append", default=[])
    parser.add_argument("--pushes", type=int, default=2)
    said = parser.parse_args()
    graph = kg.load(said.folder)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for suffix in ("nt", "ttl", "nq", "trig"):
            graph.write(folder / f"graph.{suffix}")
        path = folder / "graph.nt"
        answers = {"pyoxigraph": in_pyoxigraph(path), "rdflib": in_rdflib(path)}
        if shutil.which("oxigraph", path=str(Path(sys.executable).parent)):
            with oxigraph_server() as address:
                places = (f"{address}/store", f"{address}/query")
                answers["Oxigraph server"] = over_http(graph, *places, "", said.pushes)
        if said.node:
            answers["N3.js, Comunica"] = in_comunica(path, said.node)
        for store, query, *user in said.endpoint:
            answers[store] = over_http(graph, store, query, user[0] if user else "", said.pushes)
        counts = counted_by_rapper(folder) if shutil.which("rapper") else {}
    return report(answers, counts)


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{line}\n")


def report(answers: dict[str, dict[str, Rows]], counts: dict[str, str]) -> int:
    """Print what each answers; return 1 if they differ."""
    first = next(iter(answers.values()))
    differ = 0
    for query in COMMON:
        for who, found in answers.items():
            wrong = digest(found[query]) != digest(first[query])
            differ |= wrong
            say(f"{query:24} {who:60.60} {digest(found[query])}{' !' if wrong else ''}")
    [(triples,)] = first["triples"]
    for suffix, count in counts.items():
        differ |= count != triples
        say(f"rapper, {suffix:16} {count} triples{'' if count == triples else ' !'}")
    say(f"triples: {triples}")
    return int(differ)


if __name__ == "__main__":
    sys.exit(main())
