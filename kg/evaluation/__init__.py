"""How well extraction does on annotated texts, in the measures of the literature.

    gold ──▶ Document ┐
                      ├─▶ evaluate ──▶ Report(entities, roles, keyphrases, abbreviations)
    prediction ───────┘

`read_gold` and `read_documents` read files, `extract` runs our own extractors; all else is a
pure function of documents.
"""

from __future__ import annotations

from kg.evaluation.counts import Counts, Rates, mean, total
from kg.evaluation.documents import Document, Entity
from kg.evaluation.gold import read_documents, read_gold
from kg.evaluation.pairs import PairScores
from kg.evaluation.phrases import KeyphraseScores, Ranking
from kg.evaluation.predicted import extract
from kg.evaluation.report import TASKS, Report, evaluate
from kg.evaluation.roles import RoleScores
from kg.evaluation.spans import SpanScores

__all__ = [
    "TASKS",
    "Counts",
    "Document",
    "Entity",
    "KeyphraseScores",
    "PairScores",
    "Ranking",
    "Rates",
    "Report",
    "RoleScores",
    "SpanScores",
    "evaluate",
    "extract",
    "mean",
    "read_documents",
    "read_gold",
    "total",
]
