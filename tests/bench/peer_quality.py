"""How right we are beside what else there is: F1 on annotated texts, in one table.

    python tests/bench/peer_quality.py --peers PEERS/bin/python \\
        --keyphrases inspec.jsonl --names scier.jsonl --datasets sentences.jsonl

The files are what `kg evaluate` reads, and it is the one that counts; the environments are those of
`peers.py`. Each peer runs as it comes; KeyBERT, which gives five single words, also as its manual
teaches. No entity of spaCy is a method, a task or a data set, so that names are compared by their
spans, without the types; ours with its types besides. Take sets that ours was not trained on.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from peers import measured, write

from kg.evaluation import (
    Document,
    Entity,
    evaluate,
    extract,
    read_documents,
    read_gold,
    total,
)

KEYPHRASES = {
    "KeyBERT": "peers",
    "KeyBERT, 10": "peers",
    "KeyBERT, 10 of 1-3 words": "peers",
    "KeyBERT, 10 noun chunks": "peers",
    "pytextrank": "peers",
    "YAKE": "peers",
    "cso-classifier": "cso",
}
"""The peers that find key phrases, and the option that names the environment of each."""

NUMBERS = {"CARDINAL", "DATE", "MONEY", "ORDINAL", "PERCENT", "QUANTITY", "TIME"}
CHUNK = "NOUN_CHUNK"

SPANS: dict[str, Callable[[str], bool]] = {
    "spaCy, entities": lambda label: label != CHUNK,
    "spaCy, entities but numbers": lambda label: label not in {CHUNK, *NUMBERS},
    "spaCy, noun chunks": lambda label: label == CHUNK,
}
"""Which of the spans that the pipeline finds a user would take for names."""


def found_by(tool: str, python: str, gold: Iterable[Document]) -> list[Document] | str:
    """Return what a peer finds in the texts, or why it cannot."""
    with tempfile.TemporaryDirectory(prefix="peers-") as name:
        papers = ({"id": document.id, "abstract": document.text} for document in gold)
        folder = write(papers, Path(name) / "texts")
        result = measured(tool, python, folder, "cpu")
        return result if isinstance(result, str) else read_documents(folder / "found.jsonl")


def untyped(documents: Iterable[Document], keep: Callable[[str], bool]) -> list[Document]:
    """Return the documents with the spans whose labels are kept, all under one label."""
    return [
        replace(
            document,
            entities=tuple(
                Entity(span.start, span.end, "name") for span in document.spans if keep(span.label)
            ),
        )
        for document in documents
    ]


def phrase_row(gold: Sequence[Document], found: Sequence[Document] | str) -> str:
    """Return F1 of the best five and ten, precision and recall of ten, and how many a text has."""
    if isinstance(found, str):
        return f"  {found}"
    scores = evaluate(gold, found, tasks=["keyphrases"]).keyphrases
    assert scores is not None
    five, ten = scores.all["5"].micro, scores.all["10"].micro
    rates = (five.rates.f1, ten.rates.f1, ten.rates.precision, ten.rates.recall)
    return percent(*rates) + f"{ten.found / scores.documents:8.1f}"


def span_row(
    gold: Sequence[Document], found: Sequence[Document], labels: Collection[str] = ()
) -> str:
    """Return the rates of exact spans, and F1 of overlapping ones and of the names in a text."""
    scores = evaluate(gold, found, tasks=["entities"], labels=labels).entities
    assert scores is not None
    exact, overlap, names = (
        total(table.values()).rates for table in (scores.exact, scores.overlap, scores.names)
    )
    return percent(exact.precision, exact.recall, exact.f1, overlap.f1, names.f1)


def percent(*shares: float) -> str:
    return "".join(f"{100 * share:8.1f}" for share in shares)


def keyphrases(gold: Sequence[Document], pythons: dict[str, str]) -> Iterator[str]:
    """Yield the table of key phrases."""
    yield f"{'':<30}    F1@5   F1@10    P@10    R@10   given"
    yield f"{'ours':<30}{phrase_row(gold, list(extract(gold)))}"
    for tool, where in KEYPHRASES.items():
        python = pythons[where]
        found = found_by(tool, python, gold) if python else f"needs --{where}"
        yield f"{tool:<30}{phrase_row(gold, found)}"


def spans(
    gold: Sequence[Document], pythons: dict[str, str], labels: Collection[str]
) -> Iterator[str]:
    """Yield the table of names of some labels."""
    yield f"{'':<30}       P       R      F1 overlap   names"
    own = list(extract(gold))
    wanted = {label.casefold() for label in labels}

    def counts(label: str) -> bool:
        return label.casefold() in wanted

    names = untyped(gold, counts)
    yield f"{'ours, with their types':<30}{span_row(gold, own, labels)}"
    yield f"{'ours':<30}{span_row(names, untyped(own, counts))}"
    found = found_by("spaCy", pythons["peers"], gold) if pythons["peers"] else "needs --peers"
    for tool, keep in SPANS.items():
        row = f"  {found}" if isinstance(found, str) else span_row(names, untyped(found, keep))
        yield f"{tool:<30}{row}"


def sampled(path: Path, count: int) -> list[Document]:
    """Return the texts of a file, or so many of them, always the same."""
    gold = read_gold(path)
    kept = sorted(random.Random(0).sample(range(len(gold)), min(count or len(gold), len(gold))))
    return [gold[place] for place in kept]


def main() -> None:
    """Measure all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for option in ("--keyphrases", "--names", "--datasets"):
        parser.add_argument(option, type=Path, nargs="+", default=[], metavar="GOLD")
    parser.add_argument("--sample", type=int, default=0, help="texts of a set; default: all")
    parser.add_argument("--peers", metavar="PYTHON", default="", help="of the peers' environment")
    parser.add_argument("--cso", metavar="PYTHON", default="", help="of that of cso-classifier")
    asked = parser.parse_args()
    pythons = {"peers": asked.peers, "cso": asked.cso}

    def show(what: str, path: Path, table: Callable[[list[Document]], Iterator[str]]) -> None:
        gold = sampled(path, asked.sample)
        print(f"\n{what}, {path.stem}: {len(gold)} texts", flush=True)
        for line in table(gold):
            print(line, flush=True)

    for path in asked.names:
        show(
            "methods, tasks, data sets",
            path,
            lambda gold: spans(gold, pythons, ("Method", "Task", "Dataset")),
        )
    for path in asked.datasets:
        show("data sets", path, lambda gold: spans(gold, pythons, ("Dataset",)))
    for path in asked.keyphrases:
        show("key phrases", path, lambda gold: keyphrases(gold, pythons))


if __name__ == "__main__":
    main()
