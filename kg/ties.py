"""How strongly papers are tied to concepts, and how much a concept tells."""

from __future__ import annotations

import math

from kg.links import ROLE_WEIGHTS
from kg.model import Evidence
from kg.query import Catalog

_KIND_WEIGHTS = {"metric": 0.5}  # that two papers report recall joins them little; else 1


def strength(edge: Evidence) -> float:
    """Return how much a paper has to do with a concept, 0..1: its role times its confidence."""
    return ROLE_WEIGHTS.get(edge.role, ROLE_WEIGHTS["mentions"]) * edge.confidence


def telling(catalog: Catalog, concept: str) -> float:
    """Return how much it tells of papers that they name a concept, 0..1.

    Its idf, as a part of that of a concept of one paper; less where it is no more than what papers
    measure. Papers that name a narrower concept count, too: what is general is common.

    Args:
        catalog: The graph's records.
        concept: The concept's id.
    """
    papers = len(catalog.papers) + 1
    rarity = math.log(papers / max(catalog.reach[concept], 1)) / math.log(papers)
    return rarity * _KIND_WEIGHTS.get(catalog.concepts[concept].kind, 1.0)
