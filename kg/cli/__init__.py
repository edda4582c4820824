"""The command line: arguments, progress, exit codes.

Exit codes: 0 done, 1 an error that the message explains, 2 wrong usage, 130 stopped.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import typer

from extractors.mention import ExtractorError
from kg.cli import (
    asking,
    evaluating,
    exporting,
    fetching,
    linked_data,
    making,
    serving,
    surveying,
    trends,
)
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

COMMANDS: dict[str, Callable[..., None]] = {
    "demo": making.demo,
    "build": making.build,
    "extract": making.extract,
    "papers": asking.papers,
    "concepts": asking.concepts,
    "with": surveying.used_with,
    "related": asking.related,
    "common": surveying.common,
    "path": surveying.path,
    "central": surveying.central,
    "bridges": surveying.bridges,
    "show": asking.show,
    "explain": asking.explain,
    "trends": trends.trends,
    "export": exporting.export,
    "query": linked_data.query,
    "push": linked_data.push,
    "validate": linked_data.validate,
    "serve": serving.serve,
    "evaluate": evaluating.evaluate,
    "fetch": fetching.fetch,
}

for _name, _command in COMMANDS.items():
    app.command(_name)(_command)


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
