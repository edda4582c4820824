"""Commands for a survey: what is used with what, what joins two papers, what is central."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kg.cli.asking import Kind, Limit, open_graph, related_json
from kg.cli.console import AsJson, Folder, print_json, print_table, say
from kg.cli.selecting import Narrower
from kg.model import Concept, Paper

if TYPE_CHECKING:
    from kg.bridges import Bridge
    from kg.graph import KnowledgeGraph
    from kg.model import Evidence
    from kg.paths import Hop, Route
    from kg.usage import Use

_FEW = 5  # concepts that a line of a table names


def used_with(
    folder: Folder,
    concept: Annotated[str, typer.Argument(help="A concept, by any of its names.")],
    kind: Kind = None,
    narrower: Narrower = False,
    limit: Limit = 10,
    as_json: AsJson = False,
) -> None:
    """List what papers use together with a concept: its data sets, its methods, its metrics.

    A paper counts that works with both; a mere mention is not enough. The sentences are those
    of the paper that says it most clearly; --json has all papers.

    Example: kg with atlas GNN --kind dataset --narrower
    """
    graph = open_graph(folder)
    found = graph.used_with(concept, kind=kind, narrower=narrower)
    if as_json:
        print_json(
            [
                {
                    **_concept_json(item.concept, item.papers),
                    "because": [_use_json(graph, use) for use in item.because],
                }
                for item in found
            ]
        )
        return
    print_table(
        ("papers", "kind", "concept", "as in", "because it says"),
        (
            (
                str(item.papers),
                item.concept.kind,
                item.concept.label,
                graph.label(item.because[0].paper),
                _sentences(item.because[0].here, item.because[0].there),
            )
            for item in found[:limit]
        ),
        len(found),
    )


def common(
    folder: Folder,
    paper: Annotated[str, typer.Argument(help="Id, DOI or title of a paper.")],
    other: Annotated[str, typer.Argument(help="Another one.")],
    as_json: AsJson = False,
) -> None:
    """List the concepts that two papers have in common, the rarest first.

    For each, how many papers name it, and what either paper does with it, in its own words.

    Example: kg common atlas vega2021graph almgren2018tern
    """
    graph = open_graph(folder)
    found = graph.common(paper, other)
    if as_json:
        print_json(
            [
                {
                    **_concept_json(item.concept, item.papers),
                    "here": asdict(item.here),
                    "there": asdict(item.there),
                }
                for item in found
            ]
        )
        return
    print_table(
        ("papers", "kind", "concept", "the one", "the other"),
        (
            (
                str(item.papers),
                item.concept.kind,
                item.concept.label,
                _says(item.here),
                _says(item.there),
            )
            for item in found
        ),
        len(found),
    )
    if not found:
        say("Nothing in common; kg path looks for what joins them over others.", style="dim")


def path(
    folder: Folder,
    source: Annotated[str, typer.Argument(help="A paper (id, DOI, title) or a concept.")],
    target: Annotated[str, typer.Argument(help="Another one.")],
    as_json: AsJson = False,
) -> None:
    """Show the most convincing path between two papers, two concepts, or one of each.

    It leads through what few papers name rather than through what many do, and quotes the
    sentence behind each hop. With --json, null where nothing joins the two.

    Example: kg path atlas "graph neural network" "federated learning"
    """
    graph = open_graph(folder)
    route = graph.path(source, target)
    if as_json:
        print_json(route and _route_json(graph, route))
    elif route is None:
        say(f"No chain of papers and concepts leads from {source!r} to {target!r}.")
    else:
        _print_route(graph, route)


def central(
    folder: Folder,
    kind: Kind = None,
    limit: Limit = 10,
    as_json: AsJson = False,
) -> None:
    """List the most central concepts, by PageRank in the network of papers and concepts.

    What papers propose, study and use counts more than what they mention, so the order is not
    that of the numbers of papers; kg concepts has that.

    Example: kg central atlas --kind method
    """
    found = open_graph(folder).central(kind, n=limit)
    if as_json:
        print_json(
            [asdict(i.concept) | {"papers": i.papers, "pagerank": i.pagerank} for i in found]
        )
        return
    print_table(
        ("pagerank", "papers", "kind", "concept"),
        ((f"{i.pagerank:.6f}", str(i.papers), i.concept.kind, i.concept.label) for i in found),
        len(found),
    )


def bridges(
    folder: Folder,
    limit: Limit = 10,
    as_json: AsJson = False,
) -> None:
    """List the papers that bridge two communities, the strongest bridge first.

    Strength: the weight of a paper's links into its own community or into the other, whichever is
    less. Spread: its participation coefficient, 0 to 1 (Guimerà and Amaral 2005).

    Example: kg bridges atlas --limit 5
    """
    graph = open_graph(folder)
    found = graph.bridges(n=limit)
    if as_json:
        print_json([_bridge_json(graph, bridge) for bridge in found])
        return
    print_table(
        ("strength", "spread", "paper", "of", "leads to", "because of"),
        (
            (
                f"{bridge.strength:.2f}",
                f"{bridge.participation:.2f}",
                graph.label(bridge.paper),
                bridge.home,
                bridge.other,
                _labels(bridge.concepts) or "similar words",
            )
            for bridge in found
        ),
        len(found),
    )
    if not found:
        say("No paper is linked to another community than its own.", style="dim")


def _print_route(graph: KnowledgeGraph, route: Route) -> None:
    say(_name(graph, route.source), style="bold")
    for hop in route:
        say(f"  {hop.arrow} {_name(graph, hop.target)}")
        if hop.evidence:
            say(f"      {hop.evidence.sentence}", style="dim")
    hops = "1 hop" if len(route) == 1 else f"{len(route)} hops"
    say(f"{hops}, cost {route.cost:.2f} (the less, the more convincing)", style="dim")


def _route_json(graph: KnowledgeGraph, route: Route) -> dict[str, Any]:
    return {
        "source": _end_json(graph, route.source),
        "target": _end_json(graph, route.target),
        "cost": route.cost,
        "hops": [_hop_json(graph, hop) for hop in route],
    }


def _hop_json(graph: KnowledgeGraph, hop: Hop) -> dict[str, Any]:
    return {
        "source": _end_json(graph, hop.source),
        "relation": hop.relation,
        "target": _end_json(graph, hop.target),
        "cost": hop.cost,
        "evidence": asdict(hop.evidence) if hop.evidence else None,
    }


def _end_json(graph: KnowledgeGraph, node: Paper | Concept) -> dict[str, str]:
    kind = "concept" if isinstance(node, Concept) else "paper"
    return {"type": kind, "id": node.id, "label": _name(graph, node)}


def _concept_json(concept: Concept, papers: int) -> dict[str, Any]:
    return {"concept": concept.id, "label": concept.label, "kind": concept.kind, "papers": papers}


def _use_json(graph: KnowledgeGraph, use: Use) -> dict[str, Any]:
    return {
        "paper": use.paper.id,
        "label": graph.label(use.paper),
        "here": asdict(use.here),
        "there": asdict(use.there),
    }


def _bridge_json(graph: KnowledgeGraph, bridge: Bridge) -> dict[str, Any]:
    return {
        "paper": bridge.paper.id,
        "label": graph.label(bridge.paper),
        "home": bridge.home,
        "other": bridge.other,
        "strength": bridge.strength,
        "participation": bridge.participation,
        "concepts": [concept.label for concept in bridge.concepts],
        "links": [related_json(graph, link) for link in bridge.links],
    }


def _name(graph: KnowledgeGraph, node: Paper | Concept) -> str:
    return node.label if isinstance(node, Concept) else graph.label(node)


def _says(evidence: Evidence) -> str:
    return f"{evidence.role}: {evidence.sentence}"


def _sentences(here: Evidence, there: Evidence) -> str:
    """Return the sentences of both, in the order of the text; once where they are one."""
    places = sorted({(e.field != "title", e.sentence_start, e.sentence) for e in (here, there)})
    return " … ".join(sentence for _, _, sentence in places)


def _labels(concepts: Iterable[Concept]) -> str:
    return ", ".join([concept.label for concept in concepts][:_FEW])
