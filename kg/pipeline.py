"""build(): from files to a graph folder; the only file that knows all the steps.

read ──▶ extract (cached) ──▶ find ──▶ name ──▶ link ──▶ tables, HTML, RDF
"""

from __future__ import annotations

import gc
import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace as copy
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from exports import ExportError
from exports.iris import check_base
from extractors.mention import Extractor
from kg import folder as folders, tables
from kg.accounts import Accounts, unnested
from kg.assemble import finished, make_tables, state_all
from kg.authority import read_authority
from kg.cache import Cache, prune
from kg.choice import Choice, extractors_named, remembered
from kg.errors import ExtractionError, OptionError
from kg.extraction import CRASHED, extract_missing
from kg.findings import to_text
from kg.graph import KnowledgeGraph, load
from kg.model import Skipped
from kg.readers import Papers
from kg.readers.files import file_name
from kg.sources import absolute, read_sources
from kg.thesaurus import read_thesaurus
from kg.vocabulary import joined

if TYPE_CHECKING:
    from kg.engine.spark import Spark

DEFAULT_BASE_IRI = "https://example.org/kg/"
DEFAULT_TITLE = "Paper knowledge graph"
TURTLE_LIMIT = 5000  # papers; above, graph.ttl is written on request only

Progress = Callable[[str, int, int], None]


def _silent(stage: str, done: int, total: int) -> None:
    """Report nothing."""


@dataclass(slots=True)
class _Clock:
    """CPU seconds by stage; the next one may have the room of what it made and let go."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.process_time()
        yield
        pa.default_memory_pool().release_unused()
        self.seconds[name] = round(time.process_time() - start, 3)


@contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """Let the collector rest: records have no cycles, and among millions it searches for long."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def build(
    inputs: str | Path | Iterable[str | Path],
    output: str | Path,
    *,
    title: str | None = None,
    base_iri: str | None = None,
    replace: bool = False,
    columns: Mapping[str, str] | None = None,
    strict: bool = False,
    using: Choice | Sequence[Extractor] | None = None,
    thesaurus: Sequence[str | Path] = (),
    authority: Sequence[str | Path] = (),
    jobs: int | None = 1,
    engine: Spark | None = None,
    progress: Progress = _silent,
) -> KnowledgeGraph:
    """Build the graph of some files into a folder, and return it.

    What was extracted before is kept in the folder's cache; after a change of the files
    the result equals a build from nothing.

    Args:
        inputs: Files or folders; or a finished graph folder, to build it again. With Spark, also
            what it reads, such as ``s3a://bucket/works``.
        output: The graph's folder.
        title: A name for the graph.
        base_iri: Base of the IRIs in its RDF, ending in "/" or "#".
        replace: Whether a graph of other files in that folder may be replaced.
        columns: The columns of a table by the field that they hold, where their names do not
            tell: ``{"title": "TI", "abstract": "AB"}``.
        strict: Whether a record that is skipped is an error.
        using: A choice by name, which the folder remembers, or the extractors themselves; if
            none are given, those that a graph folder as input remembers, else our own.
        thesaurus: Tables of two columns, label and replacement: names to merge, to leave out (no
            replacement) or to keep apart ("!" and a name); the first file counts most.
        authority: SKOS in any syntax, or tables of label and IRI: names of one concept, and links
            to it in other vocabularies.
        jobs: Processes that extract; None for as many as pay, at most one a core. With more
            than one, a script must do its work under ``if __name__ == "__main__":``, and
            extractors of one's own must be defined in a module.
        engine: A `kg.engine.spark.Spark` that extracts instead of processes of this machine.
        progress: Called with (stage, done, total) as the work goes on.

    Returns:
        The graph, opened from its folder.

    Raises:
        InputError: If a file is missing or cannot be read; with ``strict``, if a record is skipped.
        NothingFoundError: If there is no paper in the input.
        FolderError: If the folder holds something else or cannot be written.
        OptionError: If the base IRI cannot name data, or there is no such extractor.
        ExtractionError: If an extractor fails.

    Example:
        >>> graph = build("papers.bib", "atlas")  # doctest: +SKIP
    """
    folder = Path(output)
    inputs = [inputs] if isinstance(inputs, str | Path) else list(inputs)
    reading = _reading(inputs, columns, strict=strict)
    paths, title, base_iri, using = _options(inputs, title, base_iri, using)
    knowledge = _knowledge(inputs, thesaurus=thesaurus, authority=authority)
    thesauri = joined(read_thesaurus(Path(path)) for path in knowledge.get("thesaurus", ()))
    authorities = joined(read_authority(Path(path)) for path in knowledge.get("authority", ()))
    used = extractors_named(**using.options) if isinstance(using, Choice) else list(using)
    with folders.prepared(folder, paths, replace=replace):
        clock = _Clock()
        with clock.stage("read"), _no_search_for_cycles():
            progress("Reading", 0, 1)
            read = read_sources(paths, engine, cache=folder / folders.CACHE, **reading)
            progress("Reading", 1, 1)
        with clock.stage("extract"):
            read, accounts = _extract(read, used, folder / folders.CACHE, jobs, engine, progress)
        progress("Linking", 0, 1)
        with clock.stage("name"), _no_search_for_cycles():
            statements = state_all(accounts, thesauri, authorities)
        accounts = accounts.drop_columns("findings")  # the statements have them
        with clock.stage("link"), _no_search_for_cycles():
            made = make_tables(read, statements, accounts)
        progress("Linking", 1, 1)
        run = _run(paths, title, base_iri, read, used, made)
        run["options"] |= using.options if isinstance(using, Choice) else {}
        run["options"] |= reading | knowledge
        run["unused_lines"] = [*thesauri.warnings, *authorities.warnings]
        if knowledge:
            run["knowledge"] = {
                option: list(map(_file, paths)) for option, paths in knowledge.items()
            }
            run["configuration"] = _digest([run["configuration"], run["knowledge"]])
        run["rejected"] = unnested(accounts, "rejected").to_pylist()
        run["counts"]["rejected"] = len(run["rejected"])
        del read, accounts, statements  # the tables say it all, and take less room
        _publish(folder, made, run, clock, progress)
        stores = [Cache(folder / folders.CACHE, extractor).folder for extractor in used]
        prune(folder / folders.CACHE, [Accounts(folder / folders.CACHE, used).folder, *stores])
    return load(folder)


def _reading(
    inputs: Sequence[str | Path], columns: Mapping[str, str] | None, *, strict: bool
) -> dict[str, Any]:
    """Return the options of reading that are set, or that a graph folder as input remembers."""
    stored: dict[str, Any] = {}
    if len(inputs) == 1 and (Path(inputs[0]) / folders.RUN).is_file():
        stored = folders.read_run(Path(inputs[0]))["options"]
    chosen = {"columns": columns or stored.get("columns"), "strict": strict or stored.get("strict")}
    return {name: value for name, value in chosen.items() if value}


def _knowledge(inputs: Sequence[str | Path], **given: Sequence[str | Path]) -> dict[str, list[str]]:
    """Return the paths of a user's files on names, given or as a graph folder remembers them."""
    stored: dict[str, Any] = {}
    if len(inputs) == 1 and (Path(inputs[0]) / folders.RUN).is_file():
        stored = folders.read_run(Path(inputs[0]))["options"]
    chosen = {option: paths or stored.get(option, ()) for option, paths in given.items()}
    return {
        option: [str(Path(path).absolute()) for path in paths]
        for option, paths in chosen.items()
        if paths
    }


def _options(
    inputs: str | Path | Iterable[str | Path],
    title: str | None,
    base_iri: str | None,
    using: Choice | Sequence[Extractor] | None,
) -> tuple[list[str], str, str, Choice | Sequence[Extractor]]:
    """Return absolute paths, title, base IRI, extractors; what is not given, as a folder has it."""
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
    paths = [absolute(path) for path in given]
    if using is None:
        using = remembered(stored)
    return paths, title or stored.get("title") or DEFAULT_TITLE, base, using


def _extract(
    read: Papers,
    used: Sequence[Extractor],
    folder: Path,
    jobs: int | None,
    engine: Spark | None,
    progress: Progress,
) -> tuple[Papers, pa.Table]:
    """Return the papers that could be extracted, the others as skipped, and their accounts."""
    texts = {paper.id: to_text(paper) for paper in read.papers if paper.language in ("", "en")}
    report = partial(progress, "Extracting")
    found = extract_missing(texts, used, folder, jobs=jobs, report=report, engine=engine)
    missing = texts.keys() - set(found["paper"].to_pylist())
    lost = [paper for paper in read.papers if paper.id in missing]
    if not lost:
        return read, found
    if len(lost) == len(read.papers):
        raise ExtractionError(f"no paper is left: {lost[0].source}: {CRASHED}")
    papers = tuple(paper for paper in read.papers if paper not in lost)
    skipped = (*read.skipped, *(Skipped(paper.source, CRASHED) for paper in lost))
    return copy(read, papers=papers, skipped=skipped), found


def _run(
    paths: Sequence[str],
    title: str,
    base_iri: str,
    read: Papers,
    used: Iterable[Extractor],
    made: Mapping[str, pa.Table],
) -> dict[str, Any]:
    names = [{"name": extractor.name, "version": extractor.version} for extractor in used]
    return {
        "schema": tables.SCHEMA_VERSION,
        "version": version("paperkg"),
        "title": title,
        "base_iri": base_iri,
        "configuration": _digest([title, base_iri, names]),
        "extractors": sorted(names, key=lambda item: item["name"]),
        "inputs": [_file(path) for path in sorted(map(Path, paths)) if path.is_file()],
        "counts": {name: table.num_rows for name, table in made.items()}
        | {
            "joined": read.joined,
            "records": read.total,
            "titles_alone": sum(not paper.abstract for paper in read.papers),
        },
        "warnings": list(read.warnings),
        "joined": [asdict(item) for item in read.duplicates],
        "options": {"inputs": list(paths), "title": title, "base_iri": base_iri},
    }


def _file(path: str | Path) -> dict[str, str]:
    """Return a file's name and the hash of its content."""
    path = Path(path)
    return {"name": file_name(path), "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _publish(
    folder: Path,
    made: dict[str, pa.Table],
    run: dict[str, Any],
    clock: _Clock,
    progress: Progress,
) -> None:
    with folders.publishing(folder, run) as staging:
        progress("Writing", 0, 3)
        with clock.stage("tables"):
            for name, table in finished(made):
                tables.write(staging, name, table)
        graph = KnowledgeGraph(folders.read_tables(staging), run)
        progress("Writing", 1, 3)
        with clock.stage("html"), _no_search_for_cycles():
            graph.write(staging / "graph.html")
        progress("Writing", 2, 3)
        if len(graph) <= TURTLE_LIMIT:
            with clock.stage("turtle"):
                graph.write(staging / folders.TURTLE)
        run["cpu_seconds"] = clock.seconds
        progress("Writing", 3, 3)
