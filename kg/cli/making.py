"""Commands that make things: demo, build, extract."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kg.cli.console import (
    AsJson,
    Authority,
    EmbedderName,
    Endpoint,
    ExtractorName,
    Fast,
    Jobs,
    Model,
    Quiet,
    Scheme,
    Schemes,
    Thesaurus,
    Verbose,
    chosen,
    print_json,
    progress,
    say,
    warn,
)
from kg.errors import KGError

if TYPE_CHECKING:
    from kg.engine.spark import Spark
    from kg.graph import KnowledgeGraph


class EngineName(StrEnum):
    """Where texts are extracted."""

    LOCAL = "local"
    SPARK = "spark"


_FEW = 10  # reasons that a summary lists
_REJECTED = "answers of the model left out, as the text does not bear them out: {}"
Columns = Annotated[
    str | None,
    typer.Option(
        "--map",
        metavar="FIELD=COLUMN,…",
        help="Columns of a table whose names do not tell: title=TI,abstract=AB.",
    ),
]
Strict = Annotated[
    bool, typer.Option("--strict", help="A record that cannot be read is an error (exit code 1).")
]
Inputs = Annotated[
    list[str],
    typer.Argument(
        help="Files of the formats below, folders, zip archives, patterns, - for the standard "
        "input; or a graph folder. With Spark, also Parquet and JSON Lines at an address that it "
        "reads: s3a://bucket/works."
    ),
]
EngineChoice = Annotated[
    EngineName, typer.Option("--engine", help="What extracts: this machine, or a Spark that runs.")
]
Master = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="For --engine spark: spark://host:7077, yarn, local[4]; default: as Spark's own "
        "configuration says.",
    ),
]
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
        graph = _build([sample], output, quiet=quiet, title="Sample corpus", replace=True)
    _summary(graph, output, quiet=quiet, verbose=verbose)
    if not quiet:
        say(f"\nNext: kg papers {output} --uses BERT · kg build YOUR-FILE -o atlas", style="dim")


def build(
    inputs: Inputs,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Folder to write; default: atlas.")
    ] = None,
    title: Annotated[str | None, typer.Option(help="A name for the graph.")] = None,
    base_iri: Annotated[
        str | None, typer.Option(help="Base of the IRIs in the RDF, ending in / or #.")
    ] = None,
    replace: Replace = False,
    columns: Columns = None,
    strict: Strict = False,
    extractor: ExtractorName = None,
    fast: Fast = False,
    endpoint: Endpoint = None,
    model: Model = None,
    embedder: EmbedderName = None,
    thesaurus: Thesaurus = None,
    authority: Authority = None,
    jobs: Jobs = None,
    engine: EngineChoice = EngineName.LOCAL,
    master: Master = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Read papers, extract concepts, link them: files in, a graph folder out.

    The folder has graph.html to browse, graph.ttl to load into a triple store, and Parquet
    tables. What was extracted once is kept: a second build does only what is new. With a
    graph folder as input, it is built again with the options that it remembers.

    Formats, told by their content: BibTeX; RIS; PubMed (nbib, XML); Web of Science; EndNote
    (enw, XML); CSV, TSV and Excel tables (Scopus, IEEE, Springer, Lens, Dimensions, OpenAlex
    and others); JSON of OpenAlex, OpenReview, Semantic Scholar, Crossref and CSL; XML of arXiv,
    the ACL Anthology, Crossref and OAI; JSON Lines; Markdown and plain text. Files may be packed
    (gzip, bzip2, Zstandard, zip). What cannot be read is counted and named, with its line.

    Example: kg build papers.bib scopus.csv more.jsonl.gz -o atlas
    """
    again = len(inputs) == 1 and (Path(inputs[0]) / "run.json").is_file()
    target = output or Path(inputs[0] if again else "atlas")
    using = chosen(extractor, fast, endpoint, model, embedder)
    graph = _build(
        inputs,
        target,
        quiet=quiet or as_json,
        title=title,
        base_iri=base_iri,
        replace=replace,
        columns=_columns(columns),
        strict=strict,
        using=using,
        thesaurus=thesaurus or (),
        authority=authority or (),
        jobs=jobs,
        engine=engine,
        master=master,
    )
    if as_json:
        print_json({"folder": str(target), **graph.run["counts"], **_account(graph)})
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
    columns: Columns = None,
    strict: Strict = False,
    extractor: ExtractorName = None,
    fast: Fast = False,
    endpoint: Endpoint = None,
    model: Model = None,
    embedder: EmbedderName = None,
    jobs: Jobs = None,
    quiet: Quiet = False,
) -> None:
    """Extract methods, data sets, tasks, metrics, key phrases: one JSON line a text.

    Each line has id, text, entities (start, end, label, score, role), keyphrases (phrase,
    score) best first, and abbreviations; offsets count in the text that is returned.

    Example: kg extract abstracts.jsonl -o found.jsonl
    """
    from kg.annotate import annotate
    from kg.choice import extractors_named
    from kg.model import Skipped
    from kg.readers import iter_records

    choice = chosen(extractor, fast, endpoint, model, embedder)
    if choice and scheme != Scheme.DEFAULT:
        raise typer.BadParameter("has an extractor of its own", param_hint="--scheme")
    using = extractors_named(**choice.options) if choice else None
    skipped: list[Skipped] = []
    rejected: list[str] = []

    def records() -> Iterator[Any]:
        for item in iter_records(inputs, columns=_columns(columns), strict=strict):
            if isinstance(item, Skipped):
                skipped.append(item)
            else:
                yield item

    def lines() -> Iterator[str]:
        for item in annotate(
            records(), clean=clean, scheme=scheme.value, using=using, jobs=jobs, skipped=skipped
        ):
            rejected.extend(item.get("rejected", ()))
            yield json.dumps(item, ensure_ascii=False) + "\n"

    _write_lines(lines(), output)
    if rejected and not quiet:
        warn(f"{_REJECTED.format(len(rejected))}, such as {rejected[0]}")
    if skipped and not quiet:
        for item in skipped[:5]:
            warn(f"skipped {item.source}: {item.reason}")
        warn(f"{len(skipped)} records skipped")


def _build(
    inputs: Sequence[str | Path],
    output: Path,
    *,
    quiet: bool,
    jobs: int | None = None,
    engine: EngineName = EngineName.LOCAL,
    master: str | None = None,
    **options: Any,
) -> KnowledgeGraph:
    from kg.pipeline import build as build_graph

    try:
        with _started(engine, master, jobs) as started, progress(quiet=quiet) as report:
            options |= {"jobs": jobs, "engine": started, "progress": report}
            return build_graph(inputs, output, **options)
    except KeyboardInterrupt:
        warn("stopped; what was extracted is kept, the same command goes on from there")
        raise typer.Exit(130) from None


def _started(
    engine: EngineName, master: str | None, jobs: int | None
) -> AbstractContextManager[Spark | None]:
    if engine == EngineName.LOCAL:
        if master:
            raise typer.BadParameter("goes with --engine spark", param_hint="--master")
        return nullcontext()
    if jobs:
        raise typer.BadParameter("is for this machine, not for Spark", param_hint="--jobs")
    from kg.engine.spark import Spark

    return Spark(master)


def _summary(graph: KnowledgeGraph, folder: Path, *, quiet: bool, verbose: bool) -> None:
    if quiet:
        return
    counts = graph.run["counts"]
    joined = f", {counts['joined']} joined as duplicates" if counts["joined"] else ""
    skipped = f", {counts['skipped']} skipped" if counts["skipped"] else ""
    say(f"{counts['records']} records: {counts['papers']} papers{joined}{skipped}")
    if titles := counts.get("titles_alone"):
        say(f"  {titles} × a title without an abstract: kept, concepts come from the title")
    reasons = Counter(_reasons(graph)).most_common()
    for reason, number in reasons if verbose else reasons[:_FEW]:
        place = next((item.source for item in graph.skipped if item.reason == reason), None)
        say(
            f"  {number} × {reason}"
            + (f" ({'first: ' if number > 1 else ''}{place})" if place else "")
        )
    if len(reasons) > _FEW and not verbose:
        say(f"  and {len(reasons) - _FEW} other reasons; --verbose lists them")
    warnings = graph.run["warnings"]
    for warning in warnings if verbose else ():
        say(f"  {warning}")
    if warnings and not verbose:
        say(f"  {len(warnings)} odd records, read all the same; --verbose lists them")
    unused = graph.run.get("unused_lines", [])
    for line in unused if verbose else unused[:1]:
        say(f"  {line}")
    if len(unused) > 1 and not verbose:
        say(f"  and {len(unused) - 1} more such lines of your files; --verbose lists them")
    rejected = graph.run.get("rejected", [])
    if rejected:
        say(f"  {_REJECTED.format(len(rejected))}")
    for item in rejected if verbose else ():
        say(f"    {item['paper']}: {item['said']}")
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


def _columns(said: str | None) -> dict[str, str]:
    """Return what --map says, the name of a column by the field that it holds."""
    pairs = [pair.partition("=") for pair in (said or "").split(",") if pair.strip()]
    for field, sign, column in pairs:
        if not (field.strip() and sign and column.strip()):
            raise typer.BadParameter("write FIELD=COLUMN,FIELD=COLUMN", param_hint="--map")
    return {field.strip().lower(): column.strip() for field, _, column in pairs}


def _account(graph: KnowledgeGraph) -> dict[str, Any]:
    """Return what became of the records that are no papers, for programs."""
    skipped = [asdict(item.source) | {"reason": item.reason} for item in graph.skipped]
    unused = graph.run.get("unused_lines", [])
    return {"reasons": _reasons(graph), "skipped_records": skipped, "unused_lines": unused}


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
