"""The tables as a networkx graph of plain JSON values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx
    import pyarrow as pa

CONCEPT_PREFIX = "concept:"
_ROLE_ATTRIBUTES = (
    "role", "field", "start", "end", "quote", "sentence", "sentence_start", "confidence",
    "extractor", "version",
)  # fmt: skip


def to_networkx(tables: Mapping[str, pa.Table]) -> nx.MultiDiGraph:
    """Return papers and concepts as nodes; roles, broader and related as edges.

    Args:
        tables: The tables of a graph folder.

    Returns:
        A directed multigraph; a paper's node key is its id, a concept's ``concept:`` and its
        id; the edge from a paper to a concept has the role as key. A paper that reports
        results has them in the attribute ``results``, a list of the table's rows; a concept has
        the ids of those that papers name together with it in ``related``.
    """
    import networkx as nx

    graph = nx.MultiDiGraph()
    community = {row["paper"]: row for row in tables["communities"].to_pylist()}
    results = defaultdict(list)
    for row in tables["results"].to_pylist():
        results[row.pop("paper")].append(row)
    for row in tables["papers"].to_pylist():
        number = community.get(row["id"], {}).get("community")
        name = row["id"]
        reported = {"results": results[name]} if name in results else {}
        graph.add_node(name, **row, **reported, type="paper", community=number)
    together = defaultdict(list)
    for row in tables["related_concepts"].to_pylist():
        together[row["concept"]].append(row["other"])
        together[row["other"]].append(row["concept"])
    for row in tables["concepts"].to_pylist():
        others = sorted(together[row["id"]])
        graph.add_node(CONCEPT_PREFIX + row["id"], **row, related=others, type="concept")
    _add_edges(graph, tables)
    return graph


def _add_edges(graph: nx.MultiDiGraph, tables: Mapping[str, pa.Table]) -> None:
    for row in tables["edges"].to_pylist():
        attributes = {name: row[name] for name in _ROLE_ATTRIBUTES}
        target = CONCEPT_PREFIX + row["concept"]
        graph.add_edge(row["paper"], target, key=row["role"], type="role", **attributes)
    for row in tables["concepts"].to_pylist():
        for broader in row["broader"]:
            source, target = CONCEPT_PREFIX + row["id"], CONCEPT_PREFIX + broader
            graph.add_edge(source, target, key="broader", type="broader")
    for row in tables["related"].to_pylist():
        attributes = {name: row[name] for name in ("weight", "shared", "similarity", "concepts")}
        graph.add_edge(row["source"], row["target"], key="related", type="related", **attributes)
