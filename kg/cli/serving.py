"""The command that shows a graph in the browser and answers SPARQL."""

from __future__ import annotations

import signal
import sys
from typing import Annotated

import typer

from kg.cli.console import Folder, Quiet, say, warn
from kg.errors import KGError


def serve(
    folder: Folder,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Where to listen; 0: any port that is free.")
    ] = 8765,
    host: Annotated[
        str,
        typer.Option(metavar="NAME", help="An address of this machine, for others to reach it."),
    ] = "127.0.0.1",
    timeout: Annotated[
        int, typer.Option(min=1, metavar="SECONDS", help="How long a query may take.")
    ] = 30,
    quiet: Quiet = False,
) -> None:
    """Show the graph in the browser, with a page for SPARQL queries and an endpoint, until Ctrl-C.

    Only this machine reaches it, unless --host says otherwise; nothing can be changed by it.
    Programs ask at /sparql, by the SPARQL 1.1 Protocol: JSON, XML, CSV, TSV, Turtle.

    Example: kg serve atlas

    Example: kg serve atlas --port 0 --timeout 5
    """
    from exports import ExportError
    from exports.serve import serving
    from kg.graph import load

    graph = load(folder)
    page = folder / "graph.html"
    explorer = page.read_text(encoding="utf-8") if page.is_file() else ""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with serving(graph.view, host=host, port=port, seconds=timeout, explorer=explorer) as site:
            if site.is_open_to_others:
                warn(f"whoever reaches this machine can read the graph at {site.url}")
            if not quiet:
                say(f"Explorer  {site.url}")
                say(f"Queries   {site.url}query")
                say(f"SPARQL    {site.url}sparql")
                say("Ctrl-C ends it", style="dim")
                sys.stdout.flush()
            site.serve_forever()
    except KeyboardInterrupt:
        if not quiet:
            say("Ended")
    except ExportError as error:
        raise KGError(str(error)) from None
