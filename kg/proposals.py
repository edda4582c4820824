"""Papers that share most with a paper, but for the concepts that many papers name."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
from scipy import sparse

from kg.incidence import Floats, Places

FREQUENCY_CAP = 1000  # a concept of more papers proposes none, though it counts in scores
CANDIDATES = 128  # papers of most shared concepts that are proposed
_PLACE_BITS = 24  # of a number that orders proposals: those that tell papers of one value apart
_ODD = 0x9E3779B1  # times which no two places are alike in their last bits
SIZE = 10_000  # papers; both numbers grow with the root of what a corpus has more


class Proposals:
    """Proposes papers to score in full.

    Args:
        features: Papers x concepts: how much each paper has to do with each concept.
        idf: What each concept tells.

    Attributes:
        frequent: Which concepts propose none.

    Example:
        >>> features = sparse.csr_matrix([[1.0, 0.0], [0.5, 1.0], [0.0, 1.0]])
        >>> others, shared = Proposals(features, np.ones(2)).of(0, 1)
        >>> sorted(zip(others[0].tolist(), shared[0].tolist()))[-2:]
        [(0, 1.0), (1, 0.5)]
    """

    def __init__(self, features: sparse.csr_matrix, idf: Floats) -> None:
        growth = max(1.0, math.sqrt(features.shape[0] / SIZE))
        self._most = int(CANDIDATES * growth)
        self.frequent = frequencies(features) > FREQUENCY_CAP * growth
        rare = features.copy()
        rare.data[self.frequent[rare.indices]] = 0
        rare.eliminate_zeros()
        self._told = scaled(rare, idf)
        # Two numbers in one, so that one product adds up both what is told and what is shared.
        self._both = (self._told + 1j * rare).T.tocsr()

    def of(self, start: int, stop: int) -> tuple[Places, Floats]:
        """Return the papers that share most with each of some papers, and how much they share.

        Rare concepts count more in the choice than in what is shared. A paper may be among
        its own.

        Args:
            start: Place of the first paper.
            stop: Place after the last.

        Returns:
            Places, -1 where there are fewer, and what is shared but for frequent concepts; both of
            shape (stop - start, n), in no order.
        """
        product = self._told[start:stop] @ self._both
        ranks = _ranks(product.data.real.copy(), product.indices)
        cells = _largest(product.indptr, ranks, self._most)
        others, shared = np.append(product.indices, -1), np.append(product.data.imag, 0.0)
        return others[cells], shared[cells]


def frequencies(features: sparse.csr_matrix) -> Places:
    """Return how many papers have to do with each concept."""
    found: Places = np.bincount(features.indices, minlength=features.shape[1])
    return found


def scaled(features: sparse.csr_matrix, idf: Floats) -> sparse.csr_matrix:
    """Return papers x concepts, times what each concept tells."""
    weighted = features.copy()
    weighted.data *= idf[weighted.indices]
    return weighted


def _ranks(values: Floats, places: Places) -> Places:
    """Return numbers in the order of the values, and of the same value in an order of their own.

    No two are alike, so that any machine chooses the same of these. The last bits of a value,
    which make no difference, give way to the place; its bits are mixed, or the first papers
    would be everybody's.

    Args:
        values: 0 and more.
        places: Below 2 ** _PLACE_BITS, of one row each once.
    """
    mask = (1 << _PLACE_BITS) - 1
    ranks: Places = (values.view(np.int64) & ~mask) | (places.astype(np.int64) * _ODD & mask)
    return ranks


def _largest(starts: Places, values: Places, n: int) -> Places:
    """Return the places of the ``n`` largest values of each row, else -1.

    Args:
        starts: Where each row starts, and the last one ends.
        values: Those of all rows.
        n: How many.
    """
    found = np.full((len(starts) - 1, n), -1)
    descending = -values
    for row, (start, end) in enumerate(pairwise(starts.tolist())):
        if end - start > n:
            found[row] = start + np.argpartition(descending[start:end], n)[:n]
        else:
            found[row, : end - start] = np.arange(start, end)
    return found
