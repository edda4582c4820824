"""The command line: arguments, progress, exit codes; the only file that prints.

Exit codes: 0 done, 1 an error that the message explains, 2 wrong usage, 130 stopped.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from kg.errors import KGError

if TYPE_CHECKING:
    from kg.graph import KnowledgeGraph
    from kg.model import Evidence, Paper
    from kg.pipeline import Progress

app = typer.Typer(
    name="kg",
    help="A knowledge graph of scientific papers, built from their abstracts, offline.\n\n"
    "Start with: kg demo. Then: kg build papers.bib -o atlas, and open atlas/graph.html.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)

Folder = Annotated[Path, typer.Argument(help="A graph folder, as kg build makes it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON, for programs.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say more: times, reasons.")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, help="Rows at most.")]
Replace = Annotated[
    bool, typer.Option("--replace", help="Replace a graph of other files in the output folder.")
]


@app.command()
def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write.")] = Path(
        "paperkg-demo"
    ),
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Build the graph of the sample corpus: 48 invented papers with real methods and data.

    It needs no input and no network; open the HTML file that it names.
    """
    from importlib.resources import as_file, files

    with as_file(files("kg") / "data" / "sample.bib") as sample:
        graph = _build([sample], output, "Sample corpus", None, replace=True, quiet=quiet)
    _summary(graph, output, quiet=quiet, verbose=verbose)
    if not quiet:
        _out().print(
            f"\nNext: kg papers {output} --uses BERT · kg build YOUR-FILE -o atlas", style="dim"
        )


@app.command()
def build(
    inputs: Annotated[
        list[Path],
        typer.Argument(
            help="Files (text, BibTeX, JSONL; also .gz) or folders of them; or a graph folder."
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Folder to write; default: atlas.")
    ] = None,
    title: Annotated[str | None, typer.Option(help="A name for the graph.")] = None,
    base_iri: Annotated[
        str | None, typer.Option(help="Base of the IRIs in the RDF, ending in / or #.")
    ] = None,
    replace: Replace = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Read papers, extract concepts, link them: files in, a graph folder out.

    The folder has graph.html to browse, graph.ttl to load into a triple store, and Parquet
    tables. What was extracted once is kept: a second build does only what is new. With a
    graph folder as input, it is built again with the options that it remembers.

    Example: kg build papers.bib more.jsonl.gz -o atlas
    """
    again = len(inputs) == 1 and (inputs[0] / "run.json").is_file()
    target = output or (inputs[0] if again else Path("atlas"))
    graph = _build(inputs, target, title, base_iri, replace=replace, quiet=quiet or as_json)
    if as_json:
        _print_json({"folder": str(target), **graph.run["counts"], "reasons": _reasons(graph)})
    else:
        _summary(graph, target, quiet=quiet, verbose=verbose)


@app.command()
def extract(
    inputs: Annotated[
        list[Path], typer.Argument(help='JSONL lines {"id", "text"}, or what kg build reads.')
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write; default: the screen.")
    ] = None,
    clean: Annotated[
        bool, typer.Option("--clean/--no-clean", help="Remove LaTeX, HTML and PDF debris first.")
    ] = True,
    quiet: Quiet = False,
) -> None:
    """Extract methods, data sets, tasks, metrics, key phrases: one JSON line a text.

    Each line has id, text, entities [start, end, label, score, role], keyphrases [phrase,
    score] best first, and abbreviations; offsets count in the text that is returned.

    Example: kg extract abstracts.jsonl -o found.jsonl
    """
    from kg.annotate import annotate
    from kg.model import Skipped
    from kg.readers import iter_records

    skipped: list[Skipped] = []

    def records() -> Iterator[Any]:
        for item in iter_records(inputs):
            if isinstance(item, Skipped):
                skipped.append(item)
            else:
                yield item

    lines = (json.dumps(a, ensure_ascii=False) + "\n" for a in annotate(records(), clean=clean))
    _write_lines(lines, output)
    if skipped and not quiet:
        for item in skipped[:5]:
            _err().print(f"kg: skipped {item.source}: {item.reason}", markup=False)
        _err().print(f"kg: {len(skipped)} records skipped", markup=False)


@app.command()
def papers(
    folder: Folder,
    proposes: Annotated[str | None, typer.Option(help="Name of a concept.")] = None,
    uses: Annotated[str | None, typer.Option(help="Name of a concept.")] = None,
    evaluates_on: Annotated[str | None, typer.Option(help="Name of a data set.")] = None,
    compares_with: Annotated[str | None, typer.Option(help="Name of a concept.")] = None,
    studies: Annotated[str | None, typer.Option(help="Name of a concept.")] = None,
    about: Annotated[str | None, typer.Option(help="Name of a concept, in any role.")] = None,
    author: Annotated[str | None, typer.Option(help="Part of an author's name.")] = None,
    venue: Annotated[str | None, typer.Option(help="Part of the venue's name.")] = None,
    year: Annotated[str | None, typer.Option(help="A year, or a range: 2020-2024.")] = None,
    text: Annotated[str | None, typer.Option(help="Part of title or abstract.")] = None,
    narrower: Annotated[
        bool, typer.Option("--narrower", help="Count narrower concepts too.")
    ] = False,
    limit: Limit = 50,
    as_json: AsJson = False,
) -> None:
    """List the papers that fit all conditions.

    A concept may be named by label, alias or abbreviation.

    Example: kg papers atlas --uses GNN --year 2020-2024
    """
    graph = _load(folder)
    found = graph.papers(
        proposes=proposes,
        uses=uses,
        evaluates_on=evaluates_on,
        compares_with=compares_with,
        studies=studies,
        about=about,
        author=author,
        venue=venue,
        year=_years(year),
        text=text,
        narrower=narrower,
    )
    if as_json:
        _print_json([_paper_json(graph, paper) for paper in found])
        return
    _print_table(
        ("id", "year", "venue", "paper"),
        ((p.id, str(p.year or ""), p.venue, graph.label(p)) for p in found[:limit]),
        len(found),
    )


@app.command()
def concepts(
    folder: Folder,
    kind: Annotated[
        str | None, typer.Option(help="method, dataset, task, metric or keyword.")
    ] = None,
    limit: Limit = 50,
    as_json: AsJson = False,
) -> None:
    """List the concepts, those of most papers first.

    Example: kg concepts atlas --kind dataset
    """
    graph = _load(folder)
    found = graph.concepts(kind)
    if as_json:
        _print_json([asdict(c) | {"papers": graph.frequency(c)} for c in found])
        return
    _print_table(
        ("papers", "kind", "concept", "also"),
        (
            (str(graph.frequency(c)), c.kind, c.label, ", ".join(c.abbreviations + c.aliases))
            for c in found[:limit]
        ),
        len(found),
    )


@app.command()
def related(
    folder: Folder,
    paper: Annotated[str, typer.Argument(help="Id, DOI or title of a paper.")],
    limit: Limit = 10,
    as_json: AsJson = False,
) -> None:
    """List the papers that relate most to one, with the concepts that say why.

    Example: kg related atlas vega2021graph
    """
    graph = _load(folder)
    found = graph.related(paper, n=limit)
    if as_json:
        _print_json(
            [
                {
                    "paper": item.paper.id,
                    "label": graph.label(item.paper),
                    "weight": item.weight,
                    "shared": item.shared,
                    "similarity": item.similarity,
                    "concepts": [concept.label for concept in item.concepts],
                }
                for item in found
            ]
        )
        return
    _print_table(
        ("weight", "shared", "similar", "id", "paper", "because of"),
        (
            (
                f"{item.weight:.2f}",
                f"{item.shared:.2f}",
                f"{item.similarity:.2f}",
                item.paper.id,
                graph.label(item.paper),
                ", ".join(concept.label for concept in item.concepts[:4]) or "similar words",
            )
            for item in found
        ),
        len(found),
    )


@app.command()
def show(
    folder: Folder,
    name: Annotated[str, typer.Argument(help="A paper (id, DOI, title) or a concept.")],
    as_json: AsJson = False,
) -> None:
    """Show one paper or one concept, with the sentences that support each statement.

    Example: kg show atlas "graph neural network"
    """
    graph = _load(folder)
    try:
        paper = graph.paper(name)
    except KGError as no_paper:
        try:
            _show_concept(graph, name, as_json=as_json)
        except KGError as no_concept:
            raise no_concept if no_concept.suggestions else no_paper from None  # type: ignore[attr-defined]  # both are UnknownNameError
    else:
        _show_paper(graph, paper, as_json=as_json)


@app.command()
def export(
    folder: Folder,
    to: Annotated[
        str | None, typer.Option("--to", help="A format; default: the suffix of the output.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File (or folder, for csv) to write.")
    ] = None,
    evidence: Annotated[
        str | None, typer.Option(help="For RDF: none, assertion (default) or full.")
    ] = None,
    abstracts: Annotated[
        str | None, typer.Option(help="full (default), evidence (sentences only) or none.")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Write the graph in another format: html, ttl, nt, nq, trig, jsonld, graphml, csv.

    Example: kg export atlas --to nt -o atlas.nt
    """
    from exports import WRITERS

    if to is None and output is None:
        raise typer.BadParameter(f"say --to, one of: {', '.join(WRITERS)}")
    form = to or (output.suffix.lstrip(".").lower() if output else "")
    target = output or Path(f"{folder.absolute().name}.{form}")
    options = {"evidence": evidence, "abstracts": abstracts}
    _load(folder).write(target, to=form, **{k: v for k, v in options.items() if v is not None})
    if not quiet:
        _out().print(f"Wrote {target}", markup=False, highlight=False)


@app.command()
def query(
    folder: Folder,
    sparql: Annotated[str, typer.Argument(help="A SPARQL query; - reads it from standard input.")],
    as_json: AsJson = False,
) -> None:
    """Answer a SPARQL query over the graph's RDF; only reading, no connection.

    Example: kg query atlas 'SELECT (COUNT(*) AS ?n) WHERE { ?p a schema:ScholarlyArticle }'
    """
    text = sys.stdin.read() if sparql == "-" else sparql
    answer = _load(folder).sparql(text)
    if as_json:
        _print_json([dict(zip(answer.variables, row, strict=True)) for row in answer.rows])
        return
    rows = (tuple(cell or "" for cell in row) for row in answer.rows)
    _print_table(answer.variables, rows, len(answer.rows))


def main() -> None:
    """Run the command line; every foreseen error is one line on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        app()
    except KGError as error:
        _fail(str(error), 1)
    except KeyboardInterrupt:
        _fail("stopped; what was extracted is kept, the same command goes on from there", 130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)


def _fail(message: str, code: int) -> None:
    _err().print(f"kg: {' '.join(message.split())}", markup=False, highlight=False, soft_wrap=True)
    sys.exit(code)


def _out() -> Console:
    return Console(width=None if sys.stdout.isatty() else 160)


def _err() -> Console:
    return Console(stderr=True)


def _load(folder: Path) -> KnowledgeGraph:
    from kg.graph import load

    return load(folder)


def _build(
    inputs: Sequence[Path],
    output: Path,
    title: str | None,
    base_iri: str | None,
    *,
    replace: bool,
    quiet: bool,
) -> KnowledgeGraph:
    from kg.pipeline import build as build_graph

    with _progress(quiet=quiet) as progress:
        return build_graph(
            inputs, output, title=title, base_iri=base_iri, replace=replace, progress=progress
        )


@contextmanager
def _progress(*, quiet: bool) -> Iterator[Progress]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    console = _err()
    bar = Progress(
        TextColumn("{task.description:<10}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=console,
        disable=quiet or not console.is_terminal,
    )
    tasks: dict[str, Any] = {}
    with bar:

        def report(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bar.add_task(stage, total=total)
            bar.update(tasks[stage], completed=done, total=total)

        yield report


def _summary(graph: KnowledgeGraph, folder: Path, *, quiet: bool, verbose: bool) -> None:
    if quiet:
        return
    counts = graph.run["counts"]
    out = _out()
    joined = f", {counts['joined']} joined as duplicates" if counts["joined"] else ""
    skipped = f", {counts['skipped']} skipped" if counts["skipped"] else ""
    out.print(
        f"{counts['records']} records: {counts['papers']} papers{joined}{skipped}", highlight=False
    )
    for reason, number in _reasons(graph).items():
        out.print(f"  {number} × {reason}", markup=False, highlight=False)
    kinds: dict[str, int] = {}
    for concept in graph.concepts():
        kinds[concept.kind] = kinds.get(concept.kind, 0) + 1
    listed = ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items(), key=lambda k: -k[1]))
    out.print(
        f"{counts['concepts']} concepts ({listed}), {counts['edges']} statements, "
        f"{counts['related']} links between papers",
        highlight=False,
    )
    if verbose:
        for item in graph.skipped:
            out.print(f"  skipped {item.source}: {item.reason}", markup=False, highlight=False)
        for stage, seconds in graph.run["cpu_seconds"].items():
            out.print(f"  {stage:<8} {seconds:8.2f} s CPU", highlight=False)
    out.print(f"\nOpen {(folder / 'graph.html').absolute()}", markup=False, soft_wrap=True)


def _reasons(graph: KnowledgeGraph) -> dict[str, int]:
    found: dict[str, int] = {}
    for item in graph.skipped:
        found[item.reason] = found.get(item.reason, 0) + 1
    others: dict[str, int] = {}
    for paper in graph.papers():
        if paper.language not in ("", "en"):
            others[paper.language] = others.get(paper.language, 0) + 1
    kept = {f"kept, not extracted: language {code}": n for code, n in sorted(others.items())}
    return dict(sorted(found.items())) | kept


def _show_paper(graph: KnowledgeGraph, paper: Paper, *, as_json: bool) -> None:
    edges = graph.edges(paper=paper)
    if as_json:
        _print_json(_paper_json(graph, paper) | {"statements": [asdict(edge) for edge in edges]})
        return
    out = _out()
    out.print(graph.label(paper), style="bold", markup=False)
    facts = (", ".join(paper.authors), paper.venue, str(paper.year or ""), paper.id)
    out.print(" · ".join(fact for fact in facts if fact), style="dim", markup=False)
    out.print(f"\n{paper.abstract}\n", markup=False, highlight=False)
    _print_edges(edges, [graph.concept(edge.concept).label for edge in edges])


def _show_concept(graph: KnowledgeGraph, name: str, *, as_json: bool) -> None:
    concept = graph.concept(name)
    edges = graph.edges(concept=concept)
    if as_json:
        _print_json(asdict(concept) | {"statements": [asdict(edge) for edge in edges]})
        return
    out = _out()
    out.print(f"[bold]{escape(concept.label)}[/bold]  {escape(concept.kind)}, {len(edges)} papers")
    for what in ("abbreviations", "aliases", "broader", "same_as"):
        if values := getattr(concept, what):
            out.print(f"{what}: {', '.join(values)}", style="dim", markup=False)
    out.print()
    _print_edges(edges, [graph.label(edge.paper) for edge in edges])


def _print_edges(edges: Sequence[Evidence], names: Sequence[str]) -> None:
    _print_table(
        ("role", "", "because it says"),
        ((e.role, name, e.sentence) for e, name in zip(edges, names, strict=True)),
        len(edges),
    )


def _paper_json(graph: KnowledgeGraph, paper: Paper) -> dict[str, Any]:
    return asdict(paper) | {"label": graph.label(paper)}


def _years(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    first, _, last = text.replace("–", "-").partition("-")
    try:
        return int(first), int(last or first)
    except ValueError:
        raise typer.BadParameter(
            "say a year or a range, such as 2020-2024", param_hint="--year"
        ) from None


def _print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], total: int) -> None:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    shown = 0
    for row in rows:
        table.add_row(*map(escape, row))
        shown += 1
    out = _out()
    if shown:
        out.print(table, highlight=False)
    out.print(f"{shown} of {total}" if shown < total else f"{total} found", style="dim")


def _print_json(value: object) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def _write_lines(lines: Iterable[str], output: Path | None) -> None:
    if output is None:
        sys.stdout.writelines(lines)
        return
    temporary = output.with_name(output.name + ".unfinished")
    try:
        with temporary.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(lines)
        temporary.replace(output)
    except OSError as error:
        raise KGError(f"cannot write {output}: {error.strerror}") from None
    finally:
        temporary.unlink(missing_ok=True)
