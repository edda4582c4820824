"""Commands that make things: demo, build, extract, export."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kg.cli.console import (
    AsJson,
    Folder,
    Quiet,
    Scheme,
    Schemes,
    Verbose,
    print_json,
    progress,
    say,
    warn,
)
from kg.errors import KGError

if TYPE_CHECKING:
    from kg.graph import KnowledgeGraph

Replace = Annotated[
    bool, typer.Option("--replace", help="Replace a graph of other files in the output folder.")
]


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
        say(f"\nNext: kg papers {output} --uses BERT · kg build YOUR-FILE -o atlas", style="dim")


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
        print_json({"folder": str(target), **graph.run["counts"], "reasons": _reasons(graph)})
    else:
        _summary(graph, target, quiet=quiet, verbose=verbose)


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
    scheme: Schemes = Scheme.DEFAULT,
    quiet: Quiet = False,
) -> None:
    """Extract methods, data sets, tasks, metrics, key phrases: one JSON line a text.

    Each line has id, text, entities (start, end, label, score, role), keyphrases (phrase,
    score) best first, and abbreviations; offsets count in the text that is returned.

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

    found = annotate(records(), clean=clean, scheme=scheme.value)
    lines = (json.dumps(item, ensure_ascii=False) + "\n" for item in found)
    _write_lines(lines, output)
    if skipped and not quiet:
        for item in skipped[:5]:
            warn(f"skipped {item.source}: {item.reason}")
        warn(f"{len(skipped)} records skipped")


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
    from kg.graph import load

    if to is None and output is None:
        raise typer.BadParameter(f"say --to, one of: {', '.join(WRITERS)}")
    form = to or (output.suffix.lstrip(".").lower() if output else "")
    target = output or Path(f"{folder.absolute().name}.{form}")
    options = {"evidence": evidence, "abstracts": abstracts}
    load(folder).write(target, to=form, **{k: v for k, v in options.items() if v is not None})
    if not quiet:
        say(f"Wrote {target}")


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

    try:
        with progress(quiet=quiet) as report:
            return build_graph(
                inputs, output, title=title, base_iri=base_iri, replace=replace, progress=report
            )
    except KeyboardInterrupt:
        warn("stopped; what was extracted is kept, the same command goes on from there")
        raise typer.Exit(130) from None


def _summary(graph: KnowledgeGraph, folder: Path, *, quiet: bool, verbose: bool) -> None:
    if quiet:
        return
    counts = graph.run["counts"]
    joined = f", {counts['joined']} joined as duplicates" if counts["joined"] else ""
    skipped = f", {counts['skipped']} skipped" if counts["skipped"] else ""
    say(f"{counts['records']} records: {counts['papers']} papers{joined}{skipped}")
    for reason, number in _reasons(graph).items():
        say(f"  {number} × {reason}")
    warnings = graph.run["warnings"]
    for warning in warnings if verbose else ():
        say(f"  {warning}")
    if warnings and not verbose:
        say(f"  {len(warnings)} odd records, read all the same; --verbose lists them")
    kinds = Counter(sorted(concept.kind for concept in graph.concepts()))
    listed = ", ".join(f"{number} {kind}" for kind, number in kinds.most_common())
    say(
        f"{counts['concepts']} concepts ({listed}), {counts['edges']} statements, "
        f"{counts['related']} links between papers",
    )
    if verbose:
        for item in graph.skipped:
            say(f"  skipped {item.source}: {item.reason}")
        for stage, seconds in graph.run["cpu_seconds"].items():
            say(f"  {stage:<8} {seconds:8.2f} s CPU")
    say(f"\nOpen {(folder / 'graph.html').absolute()}")


def _reasons(graph: KnowledgeGraph) -> dict[str, int]:
    found = Counter(item.reason for item in graph.skipped)
    found.update(
        f"kept, not extracted: language {paper.language}"
        for paper in graph.papers()
        if paper.language not in ("", "en")
    )
    return dict(sorted(found.items()))


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
