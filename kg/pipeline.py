"""build(): from files to a graph folder; the only file that knows all the steps.

read ──▶ extract (cached) ──▶ find ──▶ name ──▶ link ──▶ tables, HTML, RDF
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import extractors
from exports import ExportError
from exports.iris import check_base
from extractors.mention import Extraction, Extractor, ExtractorError, Text, check
from kg import cache, folder as folders, tables
from kg.communities import find_communities, name_communities
from kg.concepts import Definition
from kg.errors import ExtractionError, OptionError
from kg.graph import KnowledgeGraph, load
from kg.links import Linker
from kg.model import Paper
from kg.readers import Papers, read_papers
from kg.readers.files import file_name
from kg.statements import Finding, Statements, definitions_of, find, state, to_text

DEFAULT_BASE_IRI = "https://example.org/kg/"
DEFAULT_TITLE = "Paper knowledge graph"
TURTLE_LIMIT = 5000  # papers; above, graph.ttl is written on request only
_PART = 200  # papers; what is lost at most when a run is stopped
_LABEL_LENGTH = 80

Progress = Callable[[str, int, int], None]
Extractions = Mapping[tuple[str, str], Extraction]


def _silent(stage: str, done: int, total: int) -> None:
    """Report nothing."""


@dataclass(slots=True)
class _Clock:
    """CPU seconds by stage."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.process_time()
        yield
        self.seconds[name] = round(time.process_time() - start, 3)


def default_extractors() -> list[Extractor]:
    """Return the extractors of the product, fresh."""
    return [
        extractors.AbbreviationExtractor(),
        extractors.EntityExtractor(),
        extractors.KeywordExtractor(),
    ]


def build(
    inputs: str | Path | Iterable[str | Path],
    output: str | Path,
    *,
    title: str | None = None,
    base_iri: str | None = None,
    replace: bool = False,
    using: Sequence[Extractor] | None = None,
    progress: Progress = _silent,
) -> KnowledgeGraph:
    """Build the graph of some files into a folder, and return it.

    What was extracted before is kept in the folder's cache; after a change of the files
    the result equals a build from nothing.

    Args:
        inputs: Files or folders; or a finished graph folder, to build it again.
        output: The graph's folder.
        title: A name for the graph.
        base_iri: Base of the IRIs in its RDF, ending in "/" or "#".
        replace: Whether a graph of other files in that folder may be replaced.
        using: The extractors; those of `default_extractors` if none are given.
        progress: Called with (stage, done, total) as the work goes on.

    Returns:
        The graph, opened from its folder.

    Raises:
        InputError: If a file is missing or cannot be read.
        NothingFoundError: If there is no abstract in the input.
        FolderError: If the folder holds something else or cannot be written.
        OptionError: If the base IRI cannot name data.
        ExtractionError: If an extractor fails.

    Example:
        >>> graph = build("papers.bib", "atlas")  # doctest: +SKIP
    """
    folder = Path(output)
    paths, title, base_iri = _options(inputs, title, base_iri)
    folders.prepare(folder, paths, replace=replace)
    used = list(using) if using is not None else default_extractors()
    clock = _Clock()
    with clock.stage("read"):
        progress("Reading", 0, 1)
        read = read_papers(paths)
        progress("Reading", 1, 1)
    with clock.stage("extract"):
        extracted = _extract(read.papers, used, folder / folders.CACHE, progress)
    progress("Linking", 0, 1)
    with clock.stage("name"):
        statements = _state(read.papers, extracted)
    with clock.stage("link"):
        made = _tables(read, statements, extracted)
    progress("Linking", 1, 1)
    run = _run(paths, title, base_iri, read, used, made)
    _publish(folder, made, run, clock, progress)
    cache.prune(folder / folders.CACHE, used)
    return load(folder)


def extract(texts: Sequence[Text], using: Sequence[Extractor]) -> list[Extractions]:
    """Return what each extractor says of each text, checked against the contract.

    Raises:
        ExtractionError: If an extractor fails or breaks its contract.
    """
    answers: list[dict[tuple[str, str], Extraction]] = [{} for _ in texts]
    for extractor in using:
        try:
            found = list(extractor.extract(texts))
            for text, answer, extraction in zip(texts, answers, found, strict=True):
                answer[extractor.name, extractor.version] = check(text, extraction)
        except (ExtractorError, ValueError) as error:
            raise ExtractionError(f"the extractor {extractor.name!r} failed: {error}") from error
    return list(answers)


def _options(
    inputs: str | Path | Iterable[str | Path], title: str | None, base_iri: str | None
) -> tuple[list[str], str, str]:
    """Return absolute paths, title and base IRI; those of a graph folder if that is the input."""
    given = [inputs] if isinstance(inputs, str | Path) else list(inputs)
    stored: dict[str, Any] = {}
    if len(given) == 1 and (Path(given[0]) / folders.RUN).is_file():
        stored = folders.read_run(Path(given[0]))["options"]
        given = stored["inputs"]
    base = base_iri or stored.get("base_iri") or DEFAULT_BASE_IRI
    try:
        check_base(base)
    except ExportError as error:
        raise OptionError(str(error)) from None
    paths = [str(Path(path).absolute()) if str(path) != "-" else "-" for path in given]
    return paths, title or stored.get("title") or DEFAULT_TITLE, base


def _extract(
    papers: Sequence[Paper], used: Sequence[Extractor], folder: Path, progress: Progress
) -> dict[str, Extractions]:
    """Return paper id -> extractions; only what the cache does not hold is extracted."""
    texts = {paper.id: to_text(paper) for paper in papers if paper.language in ("", "en")}
    keys = {paper: cache.text_key(text) for paper, text in texts.items()}
    found: dict[str, dict[tuple[str, str], Extraction]] = {paper: {} for paper in texts}
    for i, extractor in enumerate(used):
        store = cache.Cache(folder, extractor)
        known = store.read()
        missing = {keys[paper]: text for paper, text in texts.items() if keys[paper] not in known}
        done, total = i * len(texts) + len(texts) - len(missing), len(used) * len(texts)
        progress("Extracting", done, total)
        for part in _parts(sorted(missing.items(), key=lambda item: item[0])):
            fresh = dict(zip([key for key, _ in part], _one(part, extractor), strict=True))
            store.write(fresh)
            known.update(fresh)
            done += len(fresh)
            progress("Extracting", done, total)
        for paper in texts:
            found[paper][extractor.name, extractor.version] = known[keys[paper]]
    return {paper: dict(answers) for paper, answers in found.items()}


def _parts(items: Sequence[tuple[str, Text]]) -> Iterator[Sequence[tuple[str, Text]]]:
    for start in range(0, len(items), _PART):
        yield items[start : start + _PART]


def _one(part: Sequence[tuple[str, Text]], extractor: Extractor) -> Iterator[Extraction]:
    for answers in extract([text for _, text in part], [extractor]):
        yield from answers.values()


def _state(papers: Iterable[Paper], extracted: Mapping[str, Extractions]) -> Statements:
    findings: list[Finding] = []
    definitions: list[Definition] = []
    for paper in papers:
        answers = extracted.get(paper.id, {})
        findings += find(paper, answers)
        definitions += definitions_of(paper.id, answers.values())
    return state(findings, definitions)


def _tables(
    read: Papers, statements: Statements, extracted: Mapping[str, Extractions]
) -> dict[str, pa.Table]:
    ids = [paper.id for paper in read.papers]
    vectors = _vectors(read.papers)
    links = Linker(ids, statements.edges, statements.concepts, vectors).links()
    communities = find_communities(ids, links)
    names = name_communities(communities, statements.edges, statements.concepts)
    labels = _labels(read.papers, statements)
    counts: dict[str, int] = {}
    for edge in statements.edges:
        counts[edge.concept] = counts.get(edge.concept, 0) + 1
    rows: dict[str, Iterable[Mapping[str, Any]]] = {
        "papers": (_paper_row(paper, labels[paper.id]) for paper in read.papers),
        "mentions": (asdict(item) | {"kind": kind} for item, kind in statements.mentions),
        "abbreviations": _abbreviation_rows(extracted),
        "concepts": (asdict(c) | {"papers": counts.get(c.id, 0)} for c in statements.concepts),
        "edges": (
            asdict(edge) | {"mentions": statements.counts[edge.paper, edge.concept]}
            for edge in statements.edges
        ),
        "related": (asdict(link) for link in links),
        "communities": (
            {"paper": paper, "community": number, "label": names[number]}
            for paper, number in communities.items()
        ),
        "vectors": (
            {"paper": paper, "vector": vector.tolist()}
            for paper, vector in zip(ids, vectors, strict=True)
        ),
        "results": (),
        "skipped": (asdict(item.source) | {"reason": item.reason} for item in read.skipped),
    }
    return {name: tables.to_table(name, rows[name]) for name in tables.SCHEMAS}


def _vectors(papers: Sequence[Paper]) -> np.ndarray[Any, np.dtype[np.float32]]:
    from extractors.models import document_vectors

    words = (
        f"{paper.title}\n{paper.abstract}" if paper.language in ("", "en") else ""
        for paper in papers
    )
    return np.asarray(document_vectors(words), dtype=np.float32)


def _labels(papers: Iterable[Paper], statements: Statements) -> dict[str, str]:
    """Return a display label a paper: its title, what it proposes, or its first words."""
    proposed: dict[str, str] = {}
    for edge in sorted(statements.edges, key=lambda e: (e.paper, -e.confidence, e.start)):
        if edge.role == "proposes":
            proposed.setdefault(edge.paper, edge.quote)
    return {
        paper.id: paper.title or proposed.get(paper.id) or _first_words(paper.abstract)
        for paper in papers
    }


def _first_words(text: str) -> str:
    if len(text) <= _LABEL_LENGTH:
        return text
    return text[:_LABEL_LENGTH].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def _paper_row(paper: Paper, label: str) -> dict[str, Any]:
    row = asdict(paper) | {"label": label}
    source = row.pop("source")
    return row | {f"source_{name}": value for name, value in source.items()}


def _abbreviation_rows(extracted: Mapping[str, Extractions]) -> Iterator[dict[str, Any]]:
    for paper, answers in sorted(extracted.items()):
        pairs = {pair for answer in answers.values() for pair in answer.abbreviations}
        for pair in sorted(pairs):
            yield {"paper": paper} | asdict(pair)


def _run(
    paths: Sequence[str],
    title: str,
    base_iri: str,
    read: Papers,
    used: Iterable[Extractor],
    made: Mapping[str, pa.Table],
) -> dict[str, Any]:
    names = [{"name": extractor.name, "version": extractor.version} for extractor in used]
    configuration = json.dumps([title, base_iri, names], sort_keys=True)
    return {
        "schema": tables.SCHEMA_VERSION,
        "version": version("paperkg"),
        "title": title,
        "base_iri": base_iri,
        "configuration": hashlib.sha256(configuration.encode()).hexdigest(),
        "extractors": sorted(names, key=lambda item: item["name"]),
        "inputs": [
            {"name": file_name(path), "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
            for path in sorted(map(Path, paths))
            if path.is_file()
        ],
        "counts": {name: table.num_rows for name, table in made.items()}
        | {"joined": read.joined, "records": read.total},
        "warnings": list(read.warnings),
        "options": {"inputs": list(paths), "title": title, "base_iri": base_iri},
    }


def _publish(
    folder: Path,
    made: Mapping[str, pa.Table],
    run: dict[str, Any],
    clock: _Clock,
    progress: Progress,
) -> None:
    graph = KnowledgeGraph(made, run)
    with folders.publishing(folder, run) as staging:
        progress("Writing", 0, 3)
        with clock.stage("tables"):
            for name, table in made.items():
                tables.write(staging, name, table)
        progress("Writing", 1, 3)
        with clock.stage("html"):
            graph.write(staging / "graph.html")
        progress("Writing", 2, 3)
        if len(graph) <= TURTLE_LIMIT:
            with clock.stage("turtle"):
                graph.write(staging / "graph.ttl")
        elif (folder / "graph.ttl").exists():
            (folder / "graph.ttl").unlink()  # that of a smaller corpus
        run["cpu_seconds"] = clock.seconds
        progress("Writing", 3, 3)
