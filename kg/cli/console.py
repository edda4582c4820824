"""How the command line speaks: tables, JSON, progress, errors; the only file that prints."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from kg.choice import DEFAULT, EXTRACTORS, Choice

if TYPE_CHECKING:
    from kg.pipeline import Progress


class Scheme(StrEnum):
    """Whose conventions entities follow; the names are those of `extractors.schemes`."""

    DEFAULT = "default"
    SCIERC = "scierc"
    SCIREX = "scirex"
    TDMSCI = "tdmsci"


Schemes = Annotated[
    Scheme, typer.Option(help="Whose entities: our own, or by the rules of a data set.")
]
_ENGINES = "; ".join(f"{name}: {engine.about}" for name, engine in EXTRACTORS.items())
ExtractorName = Annotated[
    str | None,
    typer.Option(
        "--extractor",
        metavar="NAME",
        help=f"What finds entities. {_ENGINES}; or module:Class, one of your own.",
        autocompletion=lambda: list(EXTRACTORS),
    ),
]
Fast = Annotated[bool, typer.Option("--fast", help="The same as --extractor fast.")]
Endpoint = Annotated[
    str | None,
    typer.Option(metavar="URL", help="Server for --extractor llm, as http://localhost:11434/v1."),
]
Model = Annotated[
    str | None,
    typer.Option(
        metavar="NAME", help="Model for --extractor llm or gliner; a folder for the latter."
    ),
]
EmbedderName = Annotated[
    str | None,
    typer.Option(
        "--embedder",
        metavar="NAME",
        help="A sentence-transformers model, by folder or name, to rank key phrases with.",
    ),
]
Thesaurus = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE",
        help="Your names, as for VOSviewer: label, tab, replace by (nothing: leave it out; !name: "
        "never that). May be given again.",
        show_default=False,
    ),
]
Authority = Annotated[
    list[Path] | None,
    typer.Option(
        metavar="FILE",
        help="Your concepts with their IRIs: SKOS (ttl, nt, rdf, jsonld), or a table of label and "
        "IRI (tsv). May be given again.",
        show_default=False,
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        min=1,
        help="Processes; default: one a core, where it pays.",
        show_default=False,
    ),
]
Folder = Annotated[Path, typer.Argument(help="A graph folder, as kg build makes it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON, for programs.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say more: times, reasons.")]

_PIPE_WIDTH = 160  # characters of a table that is not read on a terminal


def chosen(
    extractor: str | None,
    fast: bool,
    endpoint: str | None,
    model: str | None,
    embedder: str | None,
) -> Choice | None:
    """Return the extractor that the options choose; None if they say nothing."""
    if fast and extractor not in (None, "fast"):
        raise typer.BadParameter("is the same as --extractor fast", param_hint="--fast")
    if not (fast or extractor or endpoint or model or embedder):
        return None
    if extractor and ":" in extractor:
        sys.path.insert(0, str(Path.cwd()))  # where one's own module is expected
    name = "fast" if fast else extractor or DEFAULT
    return Choice(name, endpoint or "", model or "", embedder or "")


def out() -> Console:
    """Return the console of standard output."""
    return Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH)


def say(text: str, *, style: str = "") -> None:
    """Print a text as it is, without mark-up, folding or colours of its own."""
    out().print(text, style=style, markup=False, highlight=False, soft_wrap=True)


def warn(text: str) -> None:
    """Print one line on standard error."""
    line = f"kg: {' '.join(text.split())}"
    Console(stderr=True).print(line, markup=False, highlight=False, soft_wrap=True)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], total: int) -> None:
    """Print rows under their columns, and how many of the total they are."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    shown = 0
    for row in rows:
        table.add_row(*map(escape, row))
        shown += 1
    if shown:
        out().print(table, highlight=False)
    say(f"{shown} of {total}" if shown < total else f"{total} found", style="dim")


def print_json(value: object) -> None:
    """Print a value as JSON, whatever the terminal."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


@contextmanager
def progress(*, quiet: bool) -> Iterator[Progress]:
    """Give a function that shows how far the work is, on a terminal only."""
    from rich import progress as rich_progress

    console = Console(stderr=True)
    bar = rich_progress.Progress(
        rich_progress.TextColumn("{task.description:<10}"),
        rich_progress.BarColumn(),
        rich_progress.MofNCompleteColumn(),
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
