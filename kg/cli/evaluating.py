"""The command that measures: evaluate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, fields, is_dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kg.cli.console import AsJson, Scheme, Schemes, print_json, progress, say, warn

if TYPE_CHECKING:
    from kg.evaluation import (
        Counts,
        Document,
        KeyphraseScores,
        PairScores,
        Rates,
        Report,
        RoleScores,
        SpanScores,
    )


class Task(StrEnum):
    """What is measured."""

    ENTITIES = "entities"
    ROLES = "roles"
    KEYPHRASES = "keyphrases"
    ABBREVIATIONS = "abbreviations"


def evaluate(
    gold: Annotated[
        Path, typer.Argument(help="Annotated texts: JSONL, CoNLL (BIO tags), or a brat folder.")
    ],
    task: Annotated[
        Task | None, typer.Option(help="Measure this alone; default: all that the gold has.")
    ] = None,
    predictions: Annotated[
        Path | None,
        typer.Option(help="Score this file, as kg extract writes it; default: extract now."),
    ] = None,
    labels: Annotated[
        str | None, typer.Option(help="Count these entities alone, such as Method,Dataset.")
    ] = None,
    rename: Annotated[
        list[str] | None,
        typer.Option("--map", help="Count a label of the gold as another: Material=Dataset."),
    ] = None,
    scheme: Schemes = Scheme.DEFAULT,
    as_json: AsJson = False,
) -> None:
    """Measure extraction on annotated texts: precision, recall and F1.

    A line of JSONL has id, text, and any of entities, ignore, keyphrases and abbreviations, as
    kg extract writes them: correct its file by hand, and it is gold. An entity is a list of
    start, end, label, score and role, of which the last two may be missing, or an object. In
    CoNLL each sentence is a text, called 1, 2 and so on.

    Entities are compared by exact span, by overlap, and as the set of names in each text; names
    and key phrases by the stems of their words.

    Example: kg evaluate gold.jsonl --task entities --labels Method,Dataset
    """
    from kg.evaluation import evaluate as score, read_documents, read_gold

    texts = read_gold(gold)
    renamed = _renamed(rename or [])
    found = read_documents(predictions) if predictions else _extracted(texts, scheme, quiet=as_json)
    report = score(
        texts,
        found,
        tasks=[task] if task else (),
        labels=[name.strip() for name in labels.split(",") if name.strip()] if labels else (),
        renamed=renamed,
    )
    for note in _notes(report):
        warn(note)
    if as_json:
        print_json(_as_json(report))
    else:
        for line in _lines(report):
            say(line)


def _renamed(pairs: Iterable[str]) -> dict[str, str]:
    split = [pair.partition("=") for pair in pairs]
    if not all(old and new for old, _, new in split):
        raise typer.BadParameter("write OLD=NEW, such as Material=Dataset", param_hint="--map")
    return {old.strip(): new.strip() for old, _, new in split}


def _extracted(texts: list[Document], scheme: Scheme, *, quiet: bool) -> list[Document]:
    from kg.evaluation import extract

    found = []
    with progress(quiet=quiet) as report:
        for document in extract(texts, scheme=scheme.value):
            found.append(document)
            report("extract", len(found), len(texts))
    return found


def _notes(report: Report) -> Iterator[str]:
    """Yield what may be wrong with the data rather than with the extraction."""
    if report.unknown:
        first = ", ".join(map(repr, report.unknown[:3]))
        yield f"{len(report.unknown)} predictions are of no annotated text, such as {first}"
    if report.entities is None:
        return
    if report.entities.outside:
        yield f"{report.entities.outside} predicted entities lie outside their texts"
    if report.not_annotated and report.not_predicted:
        yield (
            f"the gold has no {', '.join(report.not_annotated)}, the predictions have no "
            f"{', '.join(report.not_predicted)}; --map OLD=NEW matches labels, --labels chooses"
        )
    elif report.not_annotated:
        yield (
            f"{', '.join(report.not_annotated)} is predicted and not in the gold, which counts as "
            "wrong; --labels chooses what counts"
        )


def _lines(report: Report) -> Iterator[str]:
    yield f"{report.documents} texts, {report.predicted} with predictions"
    if report.entities:
        yield from _entity_lines(report.entities)
    if report.roles:
        yield from _role_lines(report.roles)
    if report.keyphrases:
        yield from _keyphrase_lines(report.keyphrases)
    if report.abbreviations:
        yield from _pair_lines(report.abbreviations)


def _entity_lines(scores: SpanScores) -> Iterator[str]:
    for title, table in (
        ("entities, exact span", scores.exact),
        ("entities, overlap", scores.overlap),
        ("entities, names in each text", scores.names),
    ):
        yield from _table(title, _with_micro(table))
    if scores.ignored:
        yield f"{scores.ignored} predictions on ignored spans left out"


def _role_lines(scores: RoleScores) -> Iterator[str]:
    seen = {role: counts for role, counts in scores.roles.items() if counts.found or counts.wanted}
    yield from _table("roles of concepts", seen)
    yield (
        f"{scores.matched} of {scores.concepts} concepts found, {scores.right} of these with the "
        f"right role: accuracy {_percent(scores.accuracy).strip()}"
    )


def _keyphrase_lines(scores: KeyphraseScores) -> Iterator[str]:
    for title, number, rankings in (
        ("key phrases", scores.documents, scores.all),
        ("key phrases that the text holds", scores.with_present, scores.present),
    ):
        yield from _table(title, {f"@{cut} micro": r.micro for cut, r in rankings.items()})
        for cut, ranking in rankings.items():
            yield _row(f"@{cut} macro", ranking.macro)
        yield f"{number} texts with such a phrase"


def _pair_lines(scores: PairScores) -> Iterator[str]:
    return _table("abbreviations", {"pairs": scores.pairs, "short forms": scores.short_forms})


def _with_micro(rows: Mapping[str, Counts]) -> dict[str, Counts]:
    from kg.evaluation import total

    return {**rows, "micro": total(rows.values())}


def _table(title: str, rows: Mapping[str, Counts]) -> Iterator[str]:
    yield f"\n{title:<32}precision  recall      F1   right   found    gold"
    for name, counts in rows.items():
        numbers = "".join(f"{n:>8}" for n in (counts.right, counts.found, counts.wanted))
        yield _row(name, counts.rates) + numbers


def _row(name: str, rates: Rates) -> str:
    return f"  {name:<31}{_percent(rates.precision)}{_percent(rates.recall)}{_percent(rates.f1)}"


def _percent(share: float) -> str:
    return f"{100 * share:8.2f}"


def _as_json(report: Report) -> dict[str, Any]:
    """Return the report with rates (shares 0..1) beside the counts."""
    value: dict[str, Any] = _plain(report)
    if report.roles:
        value["roles"]["accuracy"] = round(report.roles.accuracy, 6)
    if report.entities:
        for name in ("exact", "overlap", "names"):
            value["entities"][name] = _plain(_with_micro(getattr(report.entities, name)))
    return value


def _plain(value: Any) -> Any:
    """Return scores as what JSON has, without what was not measured."""
    from kg.evaluation import Counts, Rates

    if isinstance(value, Rates):
        return {name: round(rate, 6) for name, rate in asdict(value).items()}
    if isinstance(value, Counts):
        return _plain(value.rates) | asdict(value)
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if is_dataclass(value):
        found = {field.name: getattr(value, field.name) for field in fields(value)}
        return {name: _plain(item) for name, item in found.items() if item is not None}
    return value
