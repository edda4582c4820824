"""Commands about the graph's RDF: query, push, validate."""

from __future__ import annotations

import csv
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kg.cli.console import AsJson, Folder, Quiet, print_json, print_table, progress, say
from kg.errors import KGError

if TYPE_CHECKING:
    from exports.queries import ReadyQuery
    from exports.stores import Answer
    from exports.validation import Violation
    from kg.graph import KnowledgeGraph

PASSWORD = "KG_STORE_PASSWORD"

_PLACEHOLDER = "https://example.org/"
_NAME_YOUR_OWN = (
    "IRIs begin with {}, a placeholder; your own: kg build {} --base-iri https://your.site/kg/"
)
_NUMBER = re.compile(r"-?\d+(\.\d+)?")
AsCsv = Annotated[bool, typer.Option("--csv", help="Write CSV, for spreadsheets.")]


def query(
    folder: Annotated[
        Path | None, typer.Argument(help="A graph folder, as kg build makes it.")
    ] = None,
    sparql: Annotated[
        str | None,
        typer.Argument(
            help="A SPARQL query; - reads it from standard input. With --example: the name of a "
            "ready query."
        ),
    ] = None,
    example: Annotated[
        bool, typer.Option("--example", help="Ask a ready query by its name; without one, list.")
    ] = False,
    values: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter of a ready query."),
    ] = None,
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Answer a SPARQL query over the graph's RDF; only reading, no connection.

    The usual prefixes (kgo, skos, dcterms, schema, …) need no declaration.

    Example: kg query atlas 'SELECT (COUNT(*) AS ?n) WHERE { ?p a schema:ScholarlyArticle }'

    Example: kg query atlas --example papers-by-role --set role=uses --set concept=BERT
    """
    if folder is None or sparql is None:
        if not example:
            raise typer.BadParameter("say a graph folder and a query, or --example for a list")
        _list_examples(as_json=as_json)
        return
    graph = _load(folder)
    if example:
        _print_answer(_ask(graph, sparql, values or ()), as_json=as_json, as_csv=as_csv)
        return
    if values:
        raise typer.BadParameter("is for ready queries alone", param_hint="--set")
    text = sys.stdin.read() if sparql == "-" else sparql
    _print_answer(graph.sparql(text), as_json=as_json, as_csv=as_csv)


def push(
    folder: Folder,
    store: Annotated[
        Path | None, typer.Option(metavar="DIR", help="A folder for an Oxigraph store.")
    ] = None,
    endpoint: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Where a store takes graphs: Oxigraph …/store, Fuseki …/data, GraphDB and RDF4J "
            "…/rdf-graphs/service, Virtuoso …/sparql-graph-crud-auth.",
        ),
    ] = None,
    graph_prefix: Annotated[
        str,
        typer.Option(
            metavar="IRI",
            help="What names of graphs begin with, ending in / or #; default: base IRI + graph/.",
        ),
    ] = "",
    user: Annotated[
        str,
        typer.Option(
            metavar="NAME", help=f"Who writes; the password is in {PASSWORD}, or is asked for."
        ),
    ] = "",
    evidence: Annotated[
        str, typer.Option(help="none, assertion or full.", show_default=True)
    ] = "assertion",
    abstracts: Annotated[
        str, typer.Option(help="full, evidence (sentences only) or none.", show_default=True)
    ] = "full",
    quiet: Quiet = False,
) -> None:
    """Load the graph into a triple store: a folder, or any that speaks the Graph Store Protocol.

    Each layer (papers, concepts, evidence, links, results, provenance, dataset) is a named
    graph and replaced as a whole, so that the same command again changes nothing. The layer
    dataset comes last: a store that has it has everything.

    Example: kg push atlas --endpoint http://localhost:7878/store
    """
    from exports.graph_store import Endpoint, StoreFolder
    from exports.push import push as push_graph

    if (store is None) == (endpoint is None):
        raise typer.BadParameter("say --store DIR or --endpoint URL")
    graph = _load(folder)
    target: Endpoint | StoreFolder
    with _explained():
        if endpoint:
            target = Endpoint(endpoint, user=user, password=_password(user))
        else:
            target = StoreFolder(store or "")
    with _explained(), target, progress(quiet=quiet) as report:
        counts = push_graph(
            graph.view,
            target,
            graph_prefix=graph_prefix,
            evidence=evidence,
            abstracts=abstracts,
            report=report,
        )
    if not quiet:
        layers = ", ".join(f"{name} {count}" for name, count in counts.items())
        say(f"{sum(counts.values())} triples in {endpoint or store} ({layers})")
        if graph.run["base_iri"].startswith(_PLACEHOLDER):
            say(_NAME_YOUR_OWN.format(graph.run["base_iri"], folder), style="dim")


def _password(user: str) -> str:
    """Return the password from the environment, else ask for it; none for nobody."""
    if not user:
        return ""
    if PASSWORD in os.environ:
        return os.environ[PASSWORD]
    if not sys.stdin.isatty():
        raise KGError(f"the password of {user} is missing; set {PASSWORD}")
    return str(typer.prompt(f"Password of {user}", hide_input=True, err=True))


def validate(
    source: Annotated[Path, typer.Argument(help="A graph folder, or an RDF file.")],
    evidence: Annotated[
        str, typer.Option(help="Of a folder: none, assertion or full.", show_default=True)
    ] = "assertion",
    as_json: AsJson = False,
) -> None:
    """Check RDF against the shapes, by SHACL and by checks of quotes, counts and SKOS.

    The exit code is 0 where all is well, 1 where something is not. It needs pySHACL, which
    pip install 'paperkg[shacl]' brings, and 3 MB of memory for 1,000 triples.

    Example: kg validate atlas
    """
    from exports.validation import load_file, load_view, violations

    with _explained():
        if source.is_dir():
            loaded = load_view(_load(source).view, evidence=evidence)
        else:
            loaded = load_file(source)
        found = violations(loaded)
    if as_json:
        print_json([asdict(violation) for violation in found])
    elif found:
        _print_violations(found)
    else:
        say(f"{len(loaded)} triples, all as they should be")
    if found:
        raise typer.Exit(1)


def _print_violations(found: Sequence[Violation]) -> None:
    """Print one row a rule: how often it is broken, and by what first."""
    by_rule = [(rule, list(group)) for rule, group in groupby(found, key=lambda v: v.rule)]
    by_rule.sort(key=lambda item: -len(item[1]))
    print_table(
        ("times", "what should be", "what is not, first", "because of"),
        ((str(len(group)), rule, group[0].focus, group[0].value) for rule, group in by_rule),
        len(by_rule),
    )


def _list_examples(*, as_json: bool) -> None:
    from exports.queries import ready_queries

    found = ready_queries().values()
    if as_json:
        print_json(
            [
                {
                    "name": q.name,
                    "finds": q.title,
                    "parameters": dict(q.parameters),
                    "sparql": q.text,
                }
                for q in found
            ]
        )
        return
    print_table(
        ("example", "finds", "parameters"),
        ((q.name, q.title, _usage(q)) for q in found),
        len(found),
    )


def _usage(ready: ReadyQuery) -> str:
    return " ".join(f"--set {name}={kind.upper()}" for name, kind in ready.parameters.items())


def _ask(graph: KnowledgeGraph, name: str, said: Iterable[str]) -> Answer:
    """Answer a ready query; concepts and papers may have any of their names."""
    from exports.iris import Iris
    from exports.queries import ready_queries
    from kg.errors import UnknownNameError

    found = ready_queries()
    if name not in found:
        raise UnknownNameError("ready query", name, found)
    ready = found[name]
    values = dict(_pair(text) for text in said)
    for parameter, kind in ready.parameters.items():
        if parameter in values and kind == "concept":
            values[parameter] = graph.concept(values[parameter]).id
        elif parameter in values and kind == "paper":
            values[parameter] = graph.paper(values[parameter]).id
    with _explained():
        bindings = ready.bindings(Iris(graph.run["base_iri"]), values)
    return graph.sparql(ready.text, bindings)


def _pair(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise typer.BadParameter("write NAME=VALUE", param_hint="--set")
    return name.strip(), value.strip()


def _print_answer(answer: Answer, *, as_json: bool, as_csv: bool) -> None:
    if as_json and as_csv:
        raise typer.BadParameter("say --json or --csv, not both")
    if as_json:
        print_json([dict(zip(answer.variables, row, strict=True)) for row in answer.rows])
        return
    if as_csv:
        table = csv.writer(sys.stdout)
        table.writerow(answer.variables)
        table.writerows(map(_cells, answer.rows))
        return
    rows = (tuple(cell or "" for cell in row) for row in answer.rows)
    print_table(answer.variables, rows, len(answer.rows))


def _cells(row: Iterable[str | None]) -> Iterator[str]:
    """Yield the cells of a row; a text that a spreadsheet would compute is guarded."""
    from exports.files import cell

    for value in row:
        yield value if value and _NUMBER.fullmatch(value) else cell(value or "")


@contextmanager
def _explained() -> Iterator[None]:
    """Turn an error of the writers into one of the command line."""
    from exports import ExportError

    try:
        yield
    except ExportError as error:
        raise KGError(str(error)) from None


def _load(folder: Path) -> KnowledgeGraph:
    from kg.graph import load

    return load(folder)
