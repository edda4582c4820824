"""Between concepts: which ones papers name together more often than chance has it.

Normalised pointwise mutual information (G. Bouma, 2009), over papers: 1 where two concepts
only ever come together, 0 where they do so as often as by chance. It favours what is rare, so
pairs are ranked by it times the discount of P. Pantel & D. Lin (2002), near 0 for few papers.
Pairs of which one is the more general are left out, as `Concept.broader` already says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pyarrow as pa
from scipy import sparse

from kg.incidence import Floats, Places, lineage, places
from kg.model import Concept
from kg.tables import SCHEMAS

MIN_TOGETHER = 3
"""Papers that must name both; two may be one group's habit."""

MIN_NPMI = 0.1
"""Concepts that come together little more than by chance are not related."""

_BLOCK = 1024  # concepts whose partners are counted at a time


def relate_concepts(
    papers: int, edges: pa.Table, concepts: Iterable[Concept], k: int = 10
) -> pa.Table:
    """Return the pairs that are among the ``k`` closest of either concept, sorted.

    Time and memory grow with the pairs that papers hold, not with the square of the corpus.

    Args:
        papers: How many papers the corpus has.
        edges: One row a paper and concept, in any order: columns paper and concept.
        concepts: The concepts, with their broader ones.
        k: Partners of a concept at most; of frequent partners of others it may have more.

    Returns:
        The table "related_concepts" of `kg.tables`.

    Example:
        >>> edges = pa.table({"paper": list("pqrpqr"), "concept": list("xxxyyy")})
        >>> concepts = [Concept("x", "x", "task"), Concept("y", "y", "task")]
        >>> relate_concepts(9, edges, concepts).to_pylist()
        [{'concept': 'x', 'other': 'y', 'papers': 3, 'npmi': 1.0, 'weight': 0.5625}]
    """
    known: dict[str, Sequence[str]] = dict.fromkeys(edges["concept"].unique().to_pylist(), ())
    known |= {concept.id: concept.broader for concept in concepts}
    broader = dict(sorted(known.items()))
    frequent, named = _named(edges, list(broader))
    one, other, together = _pairs(named)
    frequency = np.asarray(named.sum(axis=0)).ravel()
    npmi = _npmi(together, frequency[one], frequency[other], papers)
    weight = _discounted(npmi, together, np.minimum(frequency[one], frequency[other]))
    kin = _kin(broader, frequent)
    close = (npmi >= MIN_NPMI) & ~np.isin(one * len(frequent) + other, kin)
    best = np.flatnonzero(close)[_strongest(one[close], other[close], weight[close], k)]
    ids = pa.array(broader, pa.string()).take(pa.array(frequent))
    columns = [ids.take(pa.array(end[best])) for end in (one, other)]
    columns += [pa.array(number[best]) for number in (together, npmi, weight)]
    return pa.table(columns, SCHEMAS["related_concepts"].names).cast(SCHEMAS["related_concepts"])


def _named(edges: pa.Table, concepts: Sequence[str]) -> tuple[Places, sparse.csc_matrix]:
    """Return the places of the concepts of enough papers, and papers x those: who names what."""
    papers = edges["paper"].unique()
    at = places(edges["paper"], papers), places(edges["concept"], concepts)
    shape = len(papers), len(concepts)
    named = sparse.coo_matrix((np.ones(edges.num_rows), at), shape=shape).tocsc()
    named.data[:] = 1  # also where two rows say the same
    frequent = np.flatnonzero(np.diff(named.indptr) >= MIN_TOGETHER)
    return frequent, named[:, frequent]


def _pairs(named: sparse.csc_matrix) -> tuple[Places, Places, Floats]:
    """Return each pair of concepts that enough papers name both, once, and how many do."""
    found = []
    for start in range(0, named.shape[1], _BLOCK):
        product = named[:, start : start + _BLOCK].T @ named[:, start:]
        block = product.sorted_indices().tocoo()
        enough = (block.data >= MIN_TOGETHER) & (block.row < block.col)
        found.append((block.row[enough] + start, block.col[enough] + start, block.data[enough]))
    one, other, together = map(np.concatenate, zip(*found, strict=True)) if found else ((),) * 3
    return np.asarray(one, np.intp), np.asarray(other, np.intp), np.asarray(together, float)


def _kin(broader: Mapping[str, Sequence[str]], frequent: Places) -> Places:
    """Return the pairs of frequent concepts of which one is above the other, as single numbers.

    The pair of the i-th and the j-th, i < j, is i * len(frequent) + j.
    """
    number = np.full(len(broader), -1)
    number[frequent] = np.arange(len(frequent))
    pairs = number[np.stack(lineage(broader, damping=1.0).nonzero())]
    low, high = np.sort(pairs[:, (pairs >= 0).all(axis=0)], axis=0)
    numbers: Places = low * len(frequent) + high
    return numbers


def _strongest(one: Places, other: Places, weight: Floats, k: int) -> Places:
    """Return which pairs are among the ``k`` of most weight of either side, in their order."""
    pair = np.tile(np.arange(len(one)), 2)
    side, partner = np.concatenate([one, other]), np.concatenate([other, one])
    order = np.lexsort((partner, -weight[pair], side))
    rank = np.arange(len(order)) - np.searchsorted(side[order], side[order])
    chosen = np.zeros(len(one), dtype=bool)
    chosen[pair[order][rank < k]] = True
    return np.flatnonzero(chosen)


def _npmi(together: Floats, one: Floats, other: Floats, papers: int) -> Floats:
    """Return the normalised information of each pair, -1..1, rounded to six decimals."""
    joint = together / papers
    information = np.log(joint * papers**2 / (one * other))
    npmi = np.zeros(len(joint))
    np.divide(information, -np.log(joint), out=npmi, where=joint < 1)  # in all papers: by chance
    return np.round(npmi, 6)


def _discounted(npmi: Floats, together: Floats, rarer: Floats) -> Floats:
    """Return each pair's weight: less the fewer papers name both, or the rarer of the two."""
    weights: Floats = npmi * together / (together + 1) * rarer / (rarer + 1)
    return np.round(weights, 6)
