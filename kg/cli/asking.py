"""Commands that ask a graph: papers, concepts, related, show, explain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kg.cli.console import AsJson, Folder, print_json, print_table, say
from kg.cli.selecting import (
    About,
    Author,
    ComparesWith,
    EvaluatesOn,
    Narrower,
    Proposes,
    Studies,
    Uses,
    Venue,
    Words,
    Year,
    years,
)
from kg.errors import UnknownNameError

if TYPE_CHECKING:
    from kg.graph import KnowledgeGraph
    from kg.model import Evidence, Paper, Related, Result

Kind = Annotated[str | None, typer.Option(help="method, dataset, task, metric or keyword.")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, help="Rows at most.")]


def papers(
    folder: Folder,
    proposes: Proposes = None,
    uses: Uses = None,
    evaluates_on: EvaluatesOn = None,
    compares_with: ComparesWith = None,
    studies: Studies = None,
    about: About = None,
    author: Author = None,
    venue: Venue = None,
    year: Year = None,
    text: Words = None,
    narrower: Narrower = False,
    limit: Limit = 50,
    as_json: AsJson = False,
) -> None:
    """List the papers that fit all conditions.

    A concept may be named by label, alias or abbreviation.

    Example: kg papers atlas --uses GNN --year 2020-2024
    """
    graph = open_graph(folder)
    found = graph.papers(
        proposes=proposes,
        uses=uses,
        evaluates_on=evaluates_on,
        compares_with=compares_with,
        studies=studies,
        about=about,
        author=author,
        venue=venue,
        year=years(year),
        text=text,
        narrower=narrower,
    )
    if as_json:
        print_json([_paper_json(graph, paper) for paper in found])
        return
    print_table(
        ("id", "year", "venue", "paper"),
        ((p.id, str(p.year or ""), p.venue, graph.label(p)) for p in found[:limit]),
        len(found),
    )


def concepts(
    folder: Folder,
    kind: Kind = None,
    limit: Limit = 50,
    as_json: AsJson = False,
) -> None:
    """List the concepts, those of most papers first.

    Example: kg concepts atlas --kind dataset
    """
    graph = open_graph(folder)
    found = graph.concepts(kind)
    if as_json:
        print_json([asdict(c) | {"papers": graph.frequency(c)} for c in found])
        return
    print_table(
        ("papers", "kind", "concept", "also"),
        (
            (str(graph.frequency(c)), c.kind, c.label, ", ".join(c.abbreviations + c.aliases))
            for c in found[:limit]
        ),
        len(found),
    )


def related(
    folder: Folder,
    paper: Annotated[str, typer.Argument(help="Id, DOI or title of a paper.")],
    limit: Limit = 10,
    as_json: AsJson = False,
) -> None:
    """List the papers that relate most to one, with the concepts that say why.

    Example: kg related atlas vega2021graph
    """
    graph = open_graph(folder)
    found = graph.related(paper, n=limit)
    if as_json:
        print_json([related_json(graph, item) for item in found])
        return
    print_table(
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


def show(
    folder: Folder,
    name: Annotated[str, typer.Argument(help="A paper (id, DOI, title) or a concept.")],
    as_json: AsJson = False,
) -> None:
    """Show one paper or one concept, with the sentences that support each statement.

    Example: kg show atlas "graph neural network"
    """
    graph = open_graph(folder)
    try:
        paper = graph.paper(name)
    except UnknownNameError as no_paper:
        try:
            _show_concept(graph, name, as_json=as_json)
        except UnknownNameError as no_concept:
            raise no_concept if no_concept.suggestions else no_paper from None
    else:
        _show_paper(graph, paper, as_json=as_json)


def explain(
    folder: Folder,
    name: Annotated[str, typer.Argument(help="A name of a concept, as papers write it.")],
    as_json: AsJson = False,
) -> None:
    """Say why a name stands for its concept: which rule merged it, in how many papers.

    Example: kg explain atlas GNN
    """
    from kg.explanation import reason

    found = open_graph(folder).explain(name)
    if as_json:
        print_json(asdict(found))
        return
    if found.concept:
        say(f"{found.concept.label} ({found.concept.kind})", style="bold")
        for iri in found.concept.same_as:
            say(f"same as {iri}", style="dim")
    rows = [*found.meanings, *found.forms]
    print_table(
        ("papers", "form", "stands for", "because"),
        ((str(m.support), m.form, m.concept or "nothing", reason(m)) for m in rows),
        len(rows),
    )
    for vote in found.kinds:
        say(f"{vote.papers} papers say {vote.kind} (weight {vote.weight:.2f})", style="dim")


def open_graph(folder: Path) -> KnowledgeGraph:
    """Return the graph of a folder, imported when it is asked."""
    from kg.graph import load

    return load(folder)


def related_json(graph: KnowledgeGraph, item: Related) -> dict[str, Any]:
    """Return a related paper for programs: its weights, and the sentences that say why."""
    return {
        "paper": item.paper.id,
        "label": graph.label(item.paper),
        "weight": item.weight,
        "shared": item.shared,
        "similarity": item.similarity,
        "concepts": [concept.label for concept in item.concepts],
        "because": [
            {
                "concept": shared.concept.label,
                "here": shared.here.sentence,
                "there": shared.there.sentence,
            }
            for shared in item.because
        ],
    }


def _show_paper(graph: KnowledgeGraph, paper: Paper, *, as_json: bool) -> None:
    edges, results = graph.edges(paper=paper), graph.results(paper=paper)
    if as_json:
        statements = [asdict(edge) for edge in edges]
        reported = [asdict(result) for result in results]
        print_json(_paper_json(graph, paper) | {"statements": statements, "results": reported})
        return
    say(graph.label(paper), style="bold")
    facts = (", ".join(paper.authors), paper.venue, str(paper.year or ""), paper.id)
    say(" · ".join(fact for fact in facts if fact), style="dim")
    say(f"\n{paper.abstract}\n")
    _print_edges(edges, [graph.concept(edge.concept).label for edge in edges])
    if results:
        _print_results(results)


def _show_concept(graph: KnowledgeGraph, name: str, *, as_json: bool) -> None:
    concept = graph.concept(name)
    edges, related = graph.edges(concept=concept), graph.related_concepts(concept)
    if as_json:
        statements = [asdict(edge) for edge in edges]
        others = [asdict(r) | {"concept": r.concept.id, "label": r.concept.label} for r in related]
        print_json(asdict(concept) | {"related": others, "statements": statements})
        return
    say(concept.label, style="bold")
    say(f"{concept.kind} of {len(edges)} papers")
    for what in ("abbreviations", "aliases", "broader", "same_as"):
        if values := getattr(concept, what):
            say(f"{what}: {', '.join(values)}", style="dim")
    if related:
        together = (f"{r.concept.label} ({r.papers} papers)" for r in related)
        say(f"together with: {', '.join(together)}", style="dim")
    say("")
    _print_edges(edges, [graph.label(edge.paper) for edge in edges])


def _print_edges(edges: Sequence[Evidence], names: Sequence[str]) -> None:
    print_table(
        ("role", "", "because it says"),
        ((e.role, name, e.sentence) for e, name in zip(edges, names, strict=True)),
        len(edges),
    )


def _print_results(results: Sequence[Result]) -> None:
    print_table(
        ("metric", "result", "on", "by", "because it says"),
        (
            (
                r.metric,
                " ".join(filter(None, ("" if r.relation == "value" else r.relation, r.quote))),
                r.dataset or r.task,
                r.method,
                r.sentence,
            )
            for r in results
        ),
        len(results),
    )


def _paper_json(graph: KnowledgeGraph, paper: Paper) -> dict[str, Any]:
    return asdict(paper) | {"label": graph.label(paper)}
