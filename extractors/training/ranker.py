"""The weights of the ranker of keywords: ``python -m extractors.training.ranker``.

A logistic regression with a ridge, fitted by Newton's method: a few dozen numbers, the
same on every run.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from extractors.keywords import read_signals
from extractors.mention import Text
from extractors.stems import stem_key
from extractors.training.checksums import write_checksums

SHARES = {"keyphrases/inspec_train.jsonl": 1.0, "gold/seed_000.jsonl": 10.0}
"""The annotated abstracts, and how much one of each counts."""

RIDGE = 10.0
STEPS = 10
BIAS = "bias"


def main() -> None:
    """Read the options, fit the ranker, write its weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, required=True, help="folder of keyphrases, gold")
    parser.add_argument("--out", type=Path, required=True, help="folder for the weights")
    options = parser.parse_args()
    weights = as_json(fit_ranker(options.shared))
    (options.out / "ranker.json").write_text(weights, encoding="utf-8")
    write_checksums(options.out)


def as_json(weights: dict[str, float]) -> str:
    r"""Return the weights as text, one a line.

    Example:
        >>> as_json({"hyphen": 0.5, "bias": -2.0})
        '{\n  "bias": -2.0,\n  "hyphen": 0.5\n}\n'
    """
    return json.dumps(weights, indent=2, sort_keys=True) + "\n"


def fit_ranker(shared: Path) -> dict[str, float]:
    """Return the weights, to four decimals, fitted on the annotated abstracts of a folder."""
    rows, chosen, shares = [], [], []
    for file, share in SHARES.items():
        for text, keys in _annotated(shared / file):
            for candidate, signals in read_signals(text):
                rows.append(signals)
                chosen.append(float(candidate.key in keys))
                shares.append(share)
    names = sorted(rows[0])
    table = np.array([[row[name] for name in names] for row in rows])
    weights = fit(table, np.array(chosen), np.array(shares))
    return dict(zip([*names, BIAS], (round(float(w), 4) for w in weights), strict=True))


def fit(
    table: NDArray[np.float64], chosen: NDArray[np.float64], shares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the weights of a logistic regression, the bias last.

    Args:
        table: One row a candidate, shape (n, d).
        chosen: Whether it is a keyword, 0 or 1, shape (n,).
        shares: How much it counts, shape (n,).

    Returns:
        Shape (d + 1,), for signals as they are; the ridge is on standardised ones.
    """
    middle, spread = table.mean(axis=0), table.std(axis=0) + 1e-9
    data = np.hstack([(table - middle) / spread, np.ones((len(table), 1))])
    ridge = np.full(data.shape[1], RIDGE)
    ridge[-1] = 1e-6
    weights = np.zeros(data.shape[1])
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-(data @ weights)))
        gradient = data.T @ (shares * (likely - chosen)) + ridge * weights
        curvature = (data.T * (shares * likely * (1 - likely))) @ data + np.diag(ridge)
        weights -= np.linalg.solve(curvature, gradient)
    plain = weights[:-1] / spread
    return np.append(plain, weights[-1] - plain @ middle)


def _annotated(file: Path) -> Iterator[tuple[Text, set[str]]]:
    for line in file.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        yield _text(record), set(map(stem_key, record["keyphrases"]))


def _text(record: dict[str, str]) -> Text:
    if "cleaned" in record:
        return Text(record["cleaned"])
    return Text(record["abstract"], record["title"])


if __name__ == "__main__":
    main()
