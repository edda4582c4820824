"""The tables of a graph, from what its papers say.

papers, accounts ──▶ statements ──▶ links, communities, related concepts ──▶ tables
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from kg import tables
from kg.accounts import Account
from kg.communities import find_communities, name_communities
from kg.extraction import Extractions
from kg.links import Linker
from kg.model import Paper
from kg.readers import Papers
from kg.relations import relate_concepts
from kg.results import report
from kg.statements import Finding, Statements, definitions_of, state
from kg.tables import from_records, to_table
from kg.vocabulary import Vocabulary

_LABEL_LENGTH = 80


def state_all(
    papers: Iterable[Paper],
    accounts: Mapping[str, Account],
    extracted: Mapping[str, Extractions],
    thesaurus: Vocabulary,
    authority: Vocabulary,
) -> Statements:
    """Return what a corpus says.

    Args:
        papers: The papers.
        accounts: By paper id; papers without one say nothing.
        extracted: Paper id -> what each extractor says of it beside its mentions.
        thesaurus: What the user says of names.
        authority: The user's list of concepts.
    """
    findings: list[Finding] = []
    for paper in papers:
        if paper.id in accounts:
            findings += accounts[paper.id].findings(paper)
    definitions = (
        definition
        for paper, answers in extracted.items()
        for definition in definitions_of(paper, answers.values())
    )
    return state(findings, definitions, thesaurus=thesaurus, authority=authority)


def make_tables(
    read: Papers,
    statements: Statements,
    accounts: Mapping[str, Account],
    extracted: Mapping[str, Extractions],
) -> dict[str, pa.Table]:
    """Return the tables of a graph by name.

    Args:
        read: The papers and the account of what was read.
        statements: What they say.
        accounts: By paper id.
        extracted: Paper id -> what each extractor says of it beside its mentions.
    """
    ids = [paper.id for paper in read.papers]
    edges, concepts = statements.edges, statements.concepts
    mentions, kinds = zip(*statements.mentions, strict=True) if statements.mentions else ((), ())
    vectors = _vectors(ids, accounts)
    links = Linker(ids, edges, concepts, vectors).links()
    communities = find_communities(ids, links)
    names = name_communities(communities, edges, concepts)
    frequency = Counter(edge.concept for edge in edges)
    made = {
        "papers": to_table(
            "papers", map(_paper_row, read.papers, _labels(read.papers, statements))
        ),
        "mentions": from_records("mentions", mentions, kind=kinds),
        "abbreviations": to_table("abbreviations", _abbreviation_rows(extracted)),
        "concepts": from_records("concepts", concepts, papers=[frequency[c.id] for c in concepts]),
        "merges": from_records("merges", statements.merges),
        "kinds": from_records("kinds", statements.votes),
        "edges": from_records(
            "edges", edges, mentions=[statements.counts[e.paper, e.concept] for e in edges]
        ),
        "related": from_records("related", links),
        "related_concepts": from_records(
            "related_concepts", relate_concepts(len(ids), edges, concepts)
        ),
        "communities": from_records(
            "communities",
            (),
            paper=list(communities),
            community=list(communities.values()),
            label=[names[number] for number in communities.values()],
        ),
        "vectors": from_records("vectors", (), paper=ids, vector=list(vectors)),
        "results": from_records("results", list(report(read.papers, extracted, mentions))),
        "skipped": to_table(
            "skipped",
            (asdict(item.source) | {"reason": item.reason} for item in sorted(read.skipped)),
        ),
    }
    return {name: made[name] for name in tables.SCHEMAS}


def _vectors(papers: Sequence[str], accounts: Mapping[str, Account]) -> npt.NDArray[np.float32]:
    """Return a unit vector a paper, shape (n, d); zero where there is no account of it."""
    from extractors.models import document_vectors

    known = next(iter(accounts.values()), None)
    d = len(known.vector) if known else document_vectors([]).shape[1]
    vectors = np.zeros((len(papers), d), dtype=np.float32)
    for i, paper in enumerate(papers):
        if paper in accounts:
            vectors[i] = accounts[paper].vector
    return vectors


def _labels(papers: Iterable[Paper], statements: Statements) -> Iterator[str]:
    """Yield a display label a paper: its title, what it proposes, or its first words."""
    proposed: dict[str, str] = {}
    edges = (edge for edge in statements.edges if edge.role == "proposes")
    for edge in sorted(edges, key=lambda e: (e.paper, -e.confidence, e.start)):
        proposed.setdefault(edge.paper, edge.quote)
    for paper in papers:
        yield paper.title or proposed.get(paper.id) or _first_words(paper.abstract)


def _first_words(text: str) -> str:
    if len(text) <= _LABEL_LENGTH:
        return text
    return text[:_LABEL_LENGTH].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def _paper_row(paper: Paper, label: str) -> dict[str, Any]:
    row = {name: getattr(paper, name) for name in Paper.__slots__ if name != "source"}
    source = {f"source_{name}": value for name, value in asdict(paper.source).items()}
    return row | {"label": label} | source


def _abbreviation_rows(extracted: Mapping[str, Extractions]) -> Iterator[dict[str, Any]]:
    for paper, answers in sorted(extracted.items()):
        pairs = {pair for answer in answers.values() for pair in answer.abbreviations}
        for pair in sorted(pairs):
            yield {"paper": paper} | asdict(pair)
