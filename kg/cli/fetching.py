"""The command that fetches; the only one that asks a service for papers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from kg.cli.console import Quiet, progress, say, warn
from kg.fetch import SOURCES, fetch as fetch_records, find_source

_WHAT = "; ".join(f"{name}: {service.asks}" for name, service in SOURCES.items())


def fetch(
    source: Annotated[
        str,
        typer.Argument(help=f"One of: {', '.join(SOURCES)}.", autocompletion=lambda: list(SOURCES)),
    ],
    query: Annotated[
        list[str],
        typer.Argument(help=f"What to fetch; - reads it from the standard input. For {_WHAT}."),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="File to write, JSON Lines.")],
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, help="Records at most.")
    ] = None,
    mail: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help="Your address, for the service to write to you."),
    ] = "",
    address: Annotated[
        str, typer.Option(metavar="URL", help="Another server that speaks the same protocol.")
    ] = "",
    quiet: Quiet = False,
) -> None:
    """Fetch records from a service into a file, which kg build then reads.

    It asks slowly, as the services want it, and waits where they are busy. A run that stops
    goes on with the same command. OpenAlex takes the key in OPENALEX_API_KEY, OpenReview the
    account in OPENREVIEW_USERNAME and OPENREVIEW_PASSWORD.

    Example: kg fetch openalex "graph neural networks" --limit 500 -o papers.jsonl
    """
    service = find_source(source, address)
    text = sys.stdin.read() if query == ["-"] else " ".join(query)
    try:
        with progress(quiet=quiet) as report:
            found = fetch_records(service, text, output, limit=limit, mail=mail, progress=report)
    except KeyboardInterrupt:
        warn("stopped; what was fetched is kept, the same command goes on from there")
        raise typer.Exit(130) from None
    if not quiet:
        of = f" of {found.total}" if found.total > found.records else ""
        before = f", {found.before} of them by an earlier run" if found.before else ""
        say(f"Wrote {found.path}: {found.records}{of} records{before}")
        say(f"\nNext: kg build {found.path} -o atlas", style="dim")
