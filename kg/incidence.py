"""Papers x concepts as a sparse matrix, from the columns of the edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]


def places(column: pa.ChunkedArray, names: Sequence[str]) -> Places:
    """Return where each value of a column stands among some names, -1 where it does not.

    Example:
        >>> places(pa.chunked_array([["b", "a", "x"]]), ["a", "b"]).tolist()
        [1, 0, -1]
    """
    place = pc.index_in(column.cast(pa.string()), value_set=pa.array(names, pa.string()))
    found: Places = place.fill_null(-1).to_numpy().astype(np.intp)
    return found


def weights(column: pa.ChunkedArray, known: Mapping[str, float], other: float) -> Floats:
    """Return the weight of each value of a column.

    Args:
        column: Strings, such as the roles of edges.
        known: Value -> weight.
        other: The weight of all other values.

    Example:
        >>> weights(pa.chunked_array([["uses", "sells"]]), {"uses": 0.8}, other=0.5).tolist()
        [0.8, 0.5]
    """
    return np.array([*known.values(), other])[places(column, list(known))]


def incidence(
    edges: pa.Table,
    papers: Sequence[str],
    broader: Mapping[str, Sequence[str]],
    strengths: Floats,
    damping: float,
) -> sparse.csr_matrix:
    """Return papers x concepts: the strongest tie of a paper with a concept or a narrower one.

    Args:
        edges: Columns paper and concept.
        papers: Ids of the papers, a row each.
        broader: Concept -> those directly above; the concepts in this order are the columns.
        strengths: Of each edge, above 0.
        damping: What is left of a tie's strength one concept further up, 0..1.

    Raises:
        KeyError: If an edge's paper or concept is not among them.

    Example:
        >>> edges = pa.table({"paper": ["p", "q"], "concept": ["sgd", "optimizer"]})
        >>> broader = {"sgd": ["optimizer"], "optimizer": []}
        >>> incidence(edges, ["p", "q"], broader, np.ones(2), damping=0.5).toarray()
        array([[1. , 0.5],
               [0. , 1. ]])
    """
    rows, columns = places(edges["paper"], papers), places(edges["concept"], list(broader))
    if (rows < 0).any() or (columns < 0).any():
        raise KeyError("an edge's paper or concept is unknown")
    above = lineage(broader, damping)
    counts = np.diff(above.indptr)[columns]
    edge = np.repeat(np.arange(len(rows)), counts)
    step = np.arange(len(edge)) - np.repeat(np.cumsum(counts) - counts, counts)
    cell = above.indptr[columns][edge] + step
    keys = rows[edge] * len(broader) + above.indices[cell]
    values = strengths[edge] * above.data[cell]
    order = np.lexsort((-values, keys))
    keys, values = keys[order], values[order]
    first = np.diff(keys, prepend=-1) > 0
    at = np.divmod(keys[first], max(len(broader), 1))
    return sparse.csr_matrix((values[first], at), shape=(len(papers), len(broader)))


def lineage(broader: Mapping[str, Sequence[str]], damping: float) -> sparse.csr_matrix:
    """Return concepts x concepts: each with itself and with all those above it.

    Args:
        broader: Concept -> those directly above; circles do no harm.
        damping: The value of one further up, as a part of that of the one below.

    Example:
        >>> lineage({"optimizer": [], "sgd": ["optimizer"]}, damping=0.5).toarray()
        array([[1. , 0. ],
               [0.5, 1. ]])
    """
    place = {concept: i for i, concept in enumerate(broader)}
    counts = np.fromiter(map(len, broader.values()), np.intp, len(broader))
    ups = np.fromiter((place[up] for above in broader.values() for up in above), np.intp)
    starts = np.concatenate([[0], np.cumsum(counts)])
    shape = len(broader), len(broader)
    direct = sparse.csr_matrix((np.ones(len(ups), dtype=bool), ups, starts), shape=shape)
    level = seen = sparse.eye_array(len(broader), dtype=bool, format="csr")
    found, value = seen.astype(np.float64), damping
    while level.nnz:
        level = (level @ direct) > seen
        seen, found, value = seen + level, found + value * level, value * damping
    return sparse.csr_matrix(found)
