"""The command that writes a graph, or a part of it, in another format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kg.cli.console import Folder, Quiet, say
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
from kg.errors import KGError

if TYPE_CHECKING:
    from kg.graph import KnowledgeGraph


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
    rdf12: Annotated[
        bool | None,
        typer.Option("--rdf-12", help="For RDF: assertions also reify their triple (RDF 1.2)."),
    ] = None,
    abstracts: Annotated[
        str | None, typer.Option(help="full (default), evidence (sentences only) or none.")
    ] = None,
    title: Annotated[
        str | None, typer.Option(help="For html: heading; default: the graph's name.")
    ] = None,
    max_nodes: Annotated[
        int | None,
        typer.Option(min=1, help="For html: papers and concepts at most; default: 20000."),
    ] = None,
    around: Annotated[
        str | None,
        typer.Option(metavar="CONCEPT", help="For html: only what lies near this concept."),
    ] = None,
    hops: Annotated[
        int | None,
        typer.Option(min=0, help="With --around: steps from it; default: 2."),
    ] = None,
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
    quiet: Quiet = False,
) -> None:
    """Write the graph, or a part of it, in another format.

    Formats: html to browse, pyvis for a small graph; RDF as ttl, nt, nq, trig, jsonld; graphml,
    gexf; csv, json; bibtex, ris, csl. The options that name what papers use, who wrote them and
    so on select the papers, as in kg papers.

    Example: kg export atlas --uses GNN --year 2020-2024 -o gnn.bib

    Example: kg export atlas --around "federated learning" --hops 2 -o federated.html
    """
    from exports import WRITERS, find_format
    from kg.graph import load

    if to is None and output is None:
        raise typer.BadParameter(f"say --to, one of: {', '.join(WRITERS)}")
    if hops is not None and around is None:
        raise typer.BadParameter("goes with --around CONCEPT", param_hint="--hops")
    form = to or (find_format(output) if output else "")
    suffix = (WRITERS[form].suffix if form in WRITERS else "") or form
    target = output or Path(f"{folder.absolute().name}.{suffix}")
    conditions = {
        "proposes": proposes,
        "uses": uses,
        "evaluates_on": evaluates_on,
        "compares_with": compares_with,
        "studies": studies,
        "about": about,
        "author": author,
        "venue": venue,
        "year": years(year),
        "text": text,
    }
    graph = _selection(load(folder), _said(conditions), narrower=narrower)
    options = {
        "evidence": evidence,
        "rdf12": rdf12,
        "abstracts": abstracts,
        "title": title,
        "max_nodes": max_nodes,
        "around": graph.concept(around).id if around is not None else None,
        "hops": hops,
    }
    graph.write(target, to=form, **_said(options))
    if not quiet:
        say(f"Wrote {target}")


def _said(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _selection(
    graph: KnowledgeGraph, conditions: dict[str, Any], *, narrower: bool
) -> KnowledgeGraph:
    if not conditions:
        return graph
    papers = graph.papers(**conditions, narrower=narrower)
    if not papers:
        raise KGError("no paper fits all conditions; kg papers shows what each of them finds")
    return graph.subgraph(papers)
