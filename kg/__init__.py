"""A knowledge graph of scientific papers, built from their abstracts.

>>> import kg
>>> graph = kg.build("papers.bib", "atlas")  # doctest: +SKIP
>>> graph.papers(uses="graph neural network")  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kg.errors import (
    ExtractionError,
    FolderError,
    InputError,
    KGError,
    NothingFoundError,
    OptionError,
    QueryError,
    UnknownNameError,
)
from kg.model import (
    Concept,
    Evidence,
    Link,
    Paper,
    Related,
    RelatedConcept,
    Result,
    Shared,
    Skipped,
    Source,
)

if TYPE_CHECKING:
    from kg.answers import Answers
    from kg.bridges import Bridge
    from kg.centrality import Central
    from kg.graph import KnowledgeGraph, load
    from kg.neighbours import Common
    from kg.paths import Hop, Route
    from kg.pipeline import build
    from kg.readers import Papers, iter_papers, read_papers
    from kg.trends import Trend
    from kg.usage import Use, UsedWith

__all__ = [
    "Answers",
    "Bridge",
    "Central",
    "Common",
    "Concept",
    "Evidence",
    "ExtractionError",
    "FolderError",
    "Hop",
    "InputError",
    "KGError",
    "KnowledgeGraph",
    "Link",
    "NothingFoundError",
    "OptionError",
    "Paper",
    "Papers",
    "QueryError",
    "Related",
    "RelatedConcept",
    "Result",
    "Route",
    "Shared",
    "Skipped",
    "Source",
    "Trend",
    "UnknownNameError",
    "Use",
    "UsedWith",
    "build",
    "iter_papers",
    "load",
    "read_papers",
]

_LAZY = {
    "Answers": "answers",
    "Bridge": "bridges",
    "Central": "centrality",
    "Common": "neighbours",
    "Hop": "paths",
    "KnowledgeGraph": "graph",
    "Papers": "readers",
    "Route": "paths",
    "Trend": "trends",
    "Use": "usage",
    "UsedWith": "usage",
    "build": "pipeline",
    "iter_papers": "readers",
    "load": "graph",
    "read_papers": "readers",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(f"kg.{_LAZY[name]}"), name)
    raise AttributeError(f"module 'kg' has no attribute {name!r}")
