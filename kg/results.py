"""Results as the graph knows them: of a paper, with the concepts that their names mean."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from extractors.matcher import singular
from kg.sentences import words_of
from kg.tables import SCHEMAS

_NAMED = {
    "metric_concept": "metric",
    "dataset_concept": "dataset",
    "task_concept": "task",
    "method_concept": "method",
    "compared_concept": "compared_method",
}


def report(results: pa.Table, mentions: pa.Table, papers: pa.Table) -> pa.Table:
    """Return the results of all papers, in their order, with what they name.

    Args:
        results: As accounts have them, with their paper.
        mentions: Every place that names a concept: columns paper, quote, concept; a name means in
            a result what it means there.
        papers: The table "papers" of `kg.tables`.

    Returns:
        The table "results" of `kg.tables`.
    """
    concepts = _concepts(mentions, results["paper"])
    rows, words = results.to_pylist(), words_of(papers)
    for row in rows:
        field = words(row["paper"], row["field"])
        row["quote"] = field[row["start"] : row["end"]]
        row["sentence"] = field[row["sentence_start"] : row["sentence_end"]]
        for name, said in _NAMED.items():
            row[name] = concepts.get((row["paper"], _form(row[said])))
    return pa.Table.from_pylist(rows, schema=SCHEMAS["results"])


def _concepts(mentions: pa.Table, papers: pa.ChunkedArray) -> dict[tuple[str, str], str]:
    """Return what a name means in each of some papers."""
    known = papers.unique().cast(pa.string())
    inside = pc.is_in(mentions["paper"].cast(pa.string()), value_set=known)
    columns = (mentions.filter(inside)[name].to_pylist() for name in ("paper", "quote", "concept"))
    return {(paper, _form(quote)): concept for paper, quote, concept in zip(*columns, strict=True)}


def _form(words: str) -> str:
    return singular(words).casefold()
