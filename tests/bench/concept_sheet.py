"""The concepts of a graph that a person should look at: the most frequent, the most alike.

    python tests/bench/concept_sheet.py atlas            # figures against the stored verdicts
    python tests/bench/concept_sheet.py atlas --write    # store the sheet; new rows unjudged

Verdicts, given by hand in ``tests/data/concept_sheet``: of a concept ok, duplicate (another node
is the same idea), merged (two ideas in one node), generic (no concept) or kind (of the wrong
kind); of a pair apart, duplicate or debatable. A row that was judged once keeps its verdict; what
is stored was read on 10,000 abstracts of machine learning.
"""

from __future__ import annotations

import argparse
import csv
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

import kg
from kg.model import Concept

SHEET = Path(__file__).parents[1] / "data" / "concept_sheet"
ROWS = 300
LEAST = 3  # papers of a concept whose label is compared with others
UNJUDGED = "?"


def frequent(graph: kg.KnowledgeGraph) -> list[tuple[str, ...]]:
    """Return label, kind and papers of the concepts of most papers."""
    return [(c.label, c.kind, str(graph.frequency(c))) for c in graph.concepts()[:ROWS]]


def alike(concepts: list[Concept]) -> list[tuple[str, ...]]:
    """Return the pairs of labels with the most character sequences in common, with the cosine."""
    labels = sorted(concept.label for concept in concepts)
    vectors = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 4)).fit_transform(labels)
    cosines = (vectors @ vectors.T).tocoo()
    upper = cosines.row < cosines.col
    one, other, cosine = cosines.row[upper], cosines.col[upper], cosines.data[upper].round(4)
    best = np.lexsort((other, one, -cosine))[:ROWS]
    return [(labels[one[i]], labels[other[i]], f"{cosine[i]:.3f}") for i in best]


def judged(name: str, keys: int) -> dict[tuple[str, ...], str]:
    """Return the stored verdicts by the first columns of their rows."""
    path = SHEET / f"{name}.tsv"
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    return {tuple(row[:keys]): row[-1] for row in rows}


def write(name: str, header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    """Write a sheet."""
    SHEET.mkdir(parents=True, exist_ok=True)
    with (SHEET / f"{name}.tsv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t", lineterminator="\n").writerows([header, *rows])


def main() -> None:
    """Print the figures; store the sheet where asked."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("atlas", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    graph = kg.load(options.atlas)
    compared = [c for c in graph.concepts() if graph.frequency(c) >= LEAST]
    sheets = {
        "frequent": (("label", "kind", "papers", "verdict"), frequent(graph)),
        "alike": (("one", "other", "cosine", "verdict"), alike(compared)),
    }
    for name, (header, found) in sheets.items():
        verdicts = judged(name, 2)
        rows = [(*row, verdicts.get(row[:2], UNJUDGED)) for row in found]
        print(name, dict(Counter(row[-1] for row in rows).most_common()))
        if options.write:
            write(name, header, rows)


if __name__ == "__main__":
    main()
