"""The command that tells what rises and what falls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kg.cli.console import AsJson, Folder, print_json, print_table, say

if TYPE_CHECKING:
    from kg.graph import KnowledgeGraph
    from kg.trends import Trend

_BARS = "▁▂▃▄▅▆▇█"


class Direction(StrEnum):
    """Which way a concept goes."""

    RISING = "rising"
    FALLING = "falling"


def trends(
    folder: Folder,
    concept: Annotated[
        str | None, typer.Argument(help="A concept, to see it year by year.", show_default=False)
    ] = None,
    kind: Annotated[
        str | None, typer.Option(help="method, dataset, task, metric or keyword.")
    ] = None,
    direction: Annotated[
        Direction | None, typer.Option(help="Only what rises, or only what falls.")
    ] = None,
    since: Annotated[int | None, typer.Option(metavar="YEAR", help="First year to count.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="Rows at most.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List the concepts whose share of the papers rises or falls with the years.

    Only what chance does not explain: eight papers, three years, 5 % false discoveries at most.

    Example: kg trends atlas --kind task --since 2018
    """
    from kg.graph import load

    graph = load(folder)
    if concept is not None:
        _show_concept(graph, graph.trend(concept, since=since), as_json=as_json)
        return
    tested = graph.trends(kind=kind, since=since)
    found = [trend for trend in tested if direction in (None, trend.direction)]
    if as_json:
        print_json([_as_json(graph, trend) for trend in found[:limit]])
        return
    print_table(
        ("", "papers", "kind", "concept", "share", "by year", "a year", "q"),
        [_row(graph, trend) for trend in found[:limit]],
        len(found),
    )
    if not found:
        say("No concept rises or falls more than chance explains.", style="dim")


def _show_concept(graph: KnowledgeGraph, trend: Trend, *, as_json: bool) -> None:
    if as_json:
        print_json(_as_json(graph, trend))
        return
    say(graph.concept(trend.concept).label, style="bold")
    tested = f" (q = {trend.q:.2g})" if trend.z else ""
    say(f"{trend.direction}{tested}, {trend.papers} papers of known year")
    print_table(
        ("year", "papers", "of", "share"),
        [(str(s.year), str(s.papers), str(s.total), f"{s.share:.1%}") for s in trend.shares],
        len(trend.shares),
    )


def _row(graph: KnowledgeGraph, trend: Trend) -> Sequence[str]:
    concept = graph.concept(trend.concept)
    first, last = trend.shares[0], trend.shares[-1]
    return (
        trend.direction,
        str(trend.papers),
        concept.kind,
        concept.label,
        f"{first.share:.1%} → {last.share:.1%}",
        _sparkline(trend),
        f"{100 * trend.slope:+.2f} points",
        f"{trend.q:.1g}",
    )


def _sparkline(trend: Trend) -> str:
    """Return one bar a year, the tallest for the year of the largest share."""
    top = max(share.share for share in trend.shares) or 1.0
    return "".join(_BARS[round(share.share / top * (len(_BARS) - 1))] for share in trend.shares)


def _as_json(graph: KnowledgeGraph, trend: Trend) -> dict[str, Any]:
    concept = graph.concept(trend.concept)
    facts = {"label": concept.label, "kind": concept.kind, "papers": trend.papers}
    return asdict(trend) | facts | {"direction": trend.direction}
