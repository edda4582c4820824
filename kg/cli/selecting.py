"""Options that select papers, the same for every command that takes them."""

from __future__ import annotations

from typing import Annotated

import typer

Proposes = Annotated[str | None, typer.Option(help="Name of a concept.")]
Uses = Annotated[str | None, typer.Option(help="Name of a concept.")]
EvaluatesOn = Annotated[str | None, typer.Option(help="Name of a data set.")]
ComparesWith = Annotated[str | None, typer.Option(help="Name of a concept.")]
Studies = Annotated[str | None, typer.Option(help="Name of a concept.")]
About = Annotated[str | None, typer.Option(help="Name of a concept, in any role.")]
Author = Annotated[str | None, typer.Option(help="Part of an author's name.")]
Venue = Annotated[str | None, typer.Option(help="Part of the venue's name.")]
Year = Annotated[str | None, typer.Option(help="A year, or a range: 2020-2024.")]
Words = Annotated[str | None, typer.Option("--text", help="Part of title or abstract.")]
Narrower = Annotated[bool, typer.Option("--narrower", help="Count narrower concepts too.")]


def years(text: str | None) -> tuple[int, int] | None:
    """Return the first and the last year of what --year says."""
    if text is None:
        return None
    first, _, last = text.replace("–", "-").partition("-")
    try:
        return int(first), int(last or first)
    except ValueError:
        raise typer.BadParameter(
            "say a year or a range, such as 2020-2024", param_hint="--year"
        ) from None
