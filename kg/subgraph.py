"""A part of a graph: the tables of some of its papers."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pyarrow as pa
import pyarrow.compute as pc


def subset(tables: Mapping[str, pa.Table], papers: Collection[str]) -> dict[str, pa.Table]:
    """Return the tables of some of the papers, in their order.

    Concepts stay that one of the papers names, or that are broader than such a one; how many
    papers each has is counted anew. Links stay between two of the papers.

    Args:
        tables: The tables of a graph, by name.
        papers: Ids of the papers that stay.
    """
    ids = pa.array(sorted(papers), pa.string())
    kept = dict(tables)
    for name, table in tables.items():
        column = "id" if name == "papers" else "paper"
        if column in table.column_names and name != "concepts":
            kept[name] = table.filter(_among(table[column], ids))
    related = tables["related"]
    within = pc.and_(_among(related["source"], ids), _among(related["target"], ids))
    kept["related"] = related.filter(within)
    kept["concepts"] = _named(tables["concepts"], kept["edges"], kept["results"])
    known = kept["concepts"]["id"].combine_chunks()
    pairs = tables["related_concepts"]
    both = pc.and_(_among(pairs["concept"], known), _among(pairs["other"], known))
    kept["related_concepts"] = pairs.filter(both)
    for name in ("merges", "kinds"):
        kept[name] = tables[name].filter(_among(tables[name]["concept"], known))
    kept["skipped"] = tables["skipped"].slice(0, 0)
    return kept


def _named(concepts: pa.Table, edges: pa.Table, results: pa.Table) -> pa.Table:
    """Return the concepts of edges and results, and those broader, with their papers counted."""
    pairs = edges.group_by(["paper", "concept"]).aggregate([])
    counts = {row["values"]: row["counts"] for row in pc.value_counts(pairs["concept"]).to_pylist()}
    broader = dict(zip(concepts["id"].to_pylist(), concepts["broader"].to_pylist(), strict=True))
    columns = [name for name in results.column_names if name.endswith("_concept")]
    measured = {concept for name in columns for concept in results[name].to_pylist() if concept}
    wanted, todo = set[str](), [*counts, *measured]
    while todo:
        concept = todo.pop()
        if concept not in wanted:
            wanted.add(concept)
            todo += broader.get(concept) or ()
    kept = concepts.filter(_among(concepts["id"], pa.array(sorted(wanted), pa.string())))
    papers = pa.array([counts.get(concept, 0) for concept in kept["id"].to_pylist()], pa.int32())
    return kept.set_column(kept.column_names.index("papers"), "papers", papers)


def _among(column: pa.ChunkedArray, ids: pa.Array) -> pa.ChunkedArray:
    return pc.is_in(column, value_set=ids)
