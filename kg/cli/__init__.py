"""The command line: arguments, progress, exit codes.

Exit codes: 0 done, 1 an error that the message explains, 2 wrong usage, 130 stopped.
"""

from __future__ import annotations

import sys

import typer

from extractors.mention import ExtractorError
from kg.cli import asking, evaluating, fetching, making, trends
from kg.cli.console import warn
from kg.errors import KGError

__all__ = ["app", "main"]

app = typer.Typer(
    name="kg",
    help="A knowledge graph of scientific papers, built from their abstracts, offline.\n\n"
    "Start with: kg demo. Then: kg build papers.bib -o atlas, and open atlas/graph.html.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)

for _command in (
    making.demo,
    making.build,
    making.extract,
    asking.papers,
    asking.concepts,
    asking.related,
    asking.show,
    asking.explain,
    trends.trends,
    making.export,
    asking.query,
    evaluating.evaluate,
    fetching.fetch,
):
    app.command()(_command)


def main() -> None:
    """Run the command line; every foreseen error is one line on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        app()
    except (KGError, ExtractorError) as error:
        _fail(str(error), 1)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)


def _fail(message: str, code: int) -> None:
    warn(message)
    sys.exit(code)
