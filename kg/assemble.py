"""The tables of a graph, from what its papers say.

papers, accounts ──▶ statements ──▶ links, communities, related concepts ──▶ tables
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kg import tables
from kg.accounts import unnested
from kg.coding import whole
from kg.communities import find_communities, name_communities
from kg.links import Linker
from kg.model import Paper, Source
from kg.names import Definition
from kg.readers import Papers
from kg.relations import relate_concepts
from kg.results import report
from kg.sentences import with_sentences
from kg.statements import Statements, state
from kg.tables import from_records, to_table
from kg.vocabulary import Vocabulary

_LABEL_LENGTH = 80
_WITH_SENTENCES = ("mentions", "edges")
_LINKING = pa.schema(
    [tables.SCHEMAS["edges"].field(name) for name in ("paper", "concept", "role", "confidence")]
)


def state_all(accounts: pa.Table, thesaurus: Vocabulary, authority: Vocabulary) -> Statements:
    """Return what a corpus says.

    Args:
        accounts: Of its papers, as `kg.accounts.of_papers` gives them.
        thesaurus: What the user says of names.
        authority: The user's list of concepts.
    """
    pairs = unnested(accounts, "abbreviations").select(["paper", "short", "long"])
    definitions = (Definition(**row) for row in pairs.to_pylist())
    findings = unnested(accounts, "findings")
    return state(findings, definitions, thesaurus=thesaurus, authority=authority)


def make_tables(read: Papers, statements: Statements, accounts: pa.Table) -> dict[str, pa.Table]:
    """Return the tables of a graph by name, ready to be `finished`.

    Args:
        read: The papers and the account of what was read.
        statements: What they say.
        accounts: Of the papers, as `kg.accounts.of_papers` gives them.
    """
    ids = [paper.id for paper in read.papers]
    edges, concepts = statements.edges, statements.concepts
    vectors = _vectors(ids, accounts)
    said = edges.select(_LINKING.names).cast(_LINKING)
    links = Linker(ids, said, concepts, vectors).links()
    communities = find_communities(ids, links)
    names = name_communities(communities, said, concepts)
    frequency = Counter(said["concept"].to_pylist())
    papers = _papers(read.papers, edges)
    made = {
        "papers": papers,
        "mentions": statements.mentions,
        "abbreviations": unnested(accounts, "abbreviations").cast(tables.SCHEMAS["abbreviations"]),
        "concepts": from_records("concepts", concepts, papers=[frequency[c.id] for c in concepts]),
        "merges": statements.merges,
        "kinds": statements.kinds,
        "edges": edges,
        "related": links,
        "related_concepts": relate_concepts(len(ids), said, concepts),
        "communities": from_records(
            "communities",
            (),
            paper=list(communities),
            community=list(communities.values()),
            label=[names[number] for number in communities.values()],
        ),
        "vectors": _vector_table(ids, vectors),
        "results": report(unnested(accounts, "results"), statements.mentions, papers),
        "skipped": to_table(
            "skipped",
            (asdict(item.source) | {"reason": item.reason} for item in sorted(read.skipped)),
        ),
    }
    return {name: made[name] for name in tables.SCHEMAS}


def finished(made: dict[str, pa.Table]) -> Iterator[tuple[str, pa.Table]]:
    """Yield each table as it is written, and let it go; those with sentences need much room.

    Args:
        made: What `make_tables` made; empty in the end.
    """
    papers = made["papers"]
    while made:
        name, table = made.popitem()
        yield name, with_sentences(table, papers) if name in _WITH_SENTENCES else table


def _vectors(papers: Sequence[str], accounts: pa.Table) -> npt.NDArray[np.float32]:
    """Return a unit vector a paper, shape (n, d); zero where there is no account of it."""
    from extractors.models import document_vectors

    known = whole(accounts["vector"]).flatten().to_numpy()
    d = len(known) // accounts.num_rows if accounts.num_rows else document_vectors([]).shape[1]
    vectors = np.zeros((len(papers), d), dtype=np.float32)
    place = {paper: i for i, paper in enumerate(papers)}
    rows = [place[paper] for paper in accounts["paper"].to_pylist()]
    vectors[rows] = known.reshape(-1, d)
    return vectors


def _vector_table(papers: Sequence[str], vectors: npt.NDArray[np.float32]) -> pa.Table:
    n, d = vectors.shape
    offsets = pa.array(np.arange(n + 1) * d, pa.int32())
    lists = pa.ListArray.from_arrays(offsets, pa.array(vectors.ravel()))
    return pa.table([papers, lists], schema=tables.SCHEMAS["vectors"])


def _papers(papers: Sequence[Paper], edges: pa.Table) -> pa.Table:
    sources = {
        f"source_{name}": [getattr(paper.source, name) for paper in papers]
        for name in Source.__slots__
    }
    return from_records("papers", papers, label=list(_labels(papers, edges)), **sources)


def _labels(papers: Iterable[Paper], edges: pa.Table) -> Iterator[str]:
    """Yield a display label a paper: its title, what it proposes, or its first words."""
    chosen = edges.filter(pc.equal(edges["role"].cast(pa.string()), "proposes"))
    rows = chosen.select(["paper", "confidence", "start", "quote"]).to_pylist()
    proposed: dict[str, str] = {}
    for row in sorted(rows, key=lambda row: (row["paper"], -row["confidence"], row["start"])):
        proposed.setdefault(row["paper"], row["quote"])
    for paper in papers:
        yield paper.title or proposed.get(paper.id) or _first_words(paper.abstract)


def _first_words(text: str) -> str:
    if len(text) <= _LABEL_LENGTH:
        return text
    return text[:_LABEL_LENGTH].rsplit(" ", 1)[0].rstrip(",;:") + "…"
