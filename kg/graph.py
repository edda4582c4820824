"""KnowledgeGraph: the thin face of a graph's tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from extractors.mention import RELATIONS, ROLES
from kg import folder as folders
from kg.answers import Answers, pandas
from kg.errors import FolderError, OptionError, UnknownNameError
from kg.model import Concept, Evidence, Paper, Result, Skipped, Source
from kg.query import Years, matches
from kg.questions import Questions

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd
    import pyarrow as pa

    from exports.stores import Answer
    from kg.explanation import Explanation


class KnowledgeGraph(Questions):
    """A graph of papers and concepts, asked from Python.

    Made by `kg.build` or `kg.load`.

    Args:
        tables: The tables by name, as `kg.tables` describes them.
        run: How the graph was made: the content of run.json.
        folder: Where the tables stand; None for a graph in memory.
    """

    def __init__(
        self, tables: Mapping[str, pa.Table], run: Mapping[str, Any], folder: Path | None = None
    ) -> None:
        super().__init__(tables)
        self.run = run
        self.folder = folder

    def __repr__(self) -> str:
        counts = ", ".join(
            f"{self.tables[name].num_rows} {name}" for name in ("papers", "concepts", "edges")
        )
        return f"KnowledgeGraph({counts})"

    def _repr_html_(self) -> str:
        """Show how large the graph is and, where it is small, its explorer: for notebooks."""
        from exports.notebook import display

        return display(self.view)

    def __len__(self) -> int:
        return int(self.tables["papers"].num_rows)

    def label(self, paper: Paper | str) -> str:
        """Return a paper's display label: title, else what it proposes, else first words."""
        return self._catalog.labels[paper.id if isinstance(paper, Paper) else paper]

    def papers(
        self,
        *,
        proposes: str | None = None,
        uses: str | None = None,
        evaluates_on: str | None = None,
        compares_with: str | None = None,
        studies: str | None = None,
        about: str | None = None,
        author: str | None = None,
        venue: str | None = None,
        year: Years | None = None,
        text: str | None = None,
        narrower: bool = False,
    ) -> Answers[Paper]:
        """Return the papers that fit all conditions, sorted by id; without any, all papers.

        Args:
            proposes: Name of a concept that the paper proposes; likewise the other roles.
            uses: A concept that it uses.
            evaluates_on: A concept that it evaluates on.
            compares_with: A concept that it compares with.
            studies: A concept that it studies.
            about: A concept, in any role.
            author: Part of an author's name, case and accents aside.
            venue: Part of the venue's name.
            year: A year, a range, or (first, last) with both included.
            text: Part of the title or the abstract.
            narrower: Whether narrower concepts count too.

        Raises:
            UnknownNameError: If the graph has no concept of that name, with suggestions.

        Example:
            >>> graph = load("atlas")  # doctest: +SKIP
            >>> found = graph.papers(uses="GNN", year=(2020, 2024))  # doctest: +SKIP
        """
        asked: list[tuple[tuple[str, ...], str]] = [
            ((role,), name)
            for role, name in zip(
                ROLES, (proposes, uses, evaluates_on, compares_with, studies), strict=False
            )
            if name is not None
        ]
        asked += [(ROLES, about)] if about is not None else []
        sets = [self._catalog.papers_with(name, roles, narrower=narrower) for roles, name in asked]
        ids = (paper for paper in self._catalog.papers if all(paper in found for found in sets))
        return Answers(
            paper
            for paper in map(self._catalog.papers.__getitem__, ids)
            if matches(paper, author=author, venue=venue, year=year, text=text)
        )

    def edges(
        self, *, paper: Paper | str | None = None, concept: Concept | str | None = None
    ) -> Answers[Evidence]:
        """Return one edge a paper and concept with its best evidence, the strongest role first."""
        if paper is not None:
            found = self._catalog.edges_of_paper.get(self._paper_id(paper), [])
            wanted = None if concept is None else self._concept_id(concept)
            return Answers(edge for edge in found if wanted in (None, edge.concept))
        if concept is not None:
            return Answers(self._catalog.edges_of_concept.get(self._concept_id(concept), ()))
        return Answers(self._catalog.edges)

    def evidence(self, paper: Paper | str, concept: Concept | str) -> Answers[Evidence]:
        """Return every place where a paper names a concept, the strongest first.

        Raises:
            UnknownNameError: If there is no such paper or concept.
        """
        return Answers(self._catalog.evidence(self._paper_id(paper), self._concept_id(concept)))

    def results(
        self,
        *,
        metric: str | None = None,
        dataset: str | None = None,
        task: str | None = None,
        method: str | None = None,
        paper: Paper | str | None = None,
        relation: str | None = None,
    ) -> Answers[Result]:
        """Return the reported results that fit all conditions, sorted by paper and place.

        Args:
            metric: Name of a concept, or the words of a result; likewise the next three.
            dataset: On which data.
            task: For which task.
            method: Of which method.
            paper: Of which paper: itself, or its id, DOI or title.
            relation: "value" for values alone; or one of better, worse, higher, lower.

        Raises:
            UnknownNameError: If there is no such name, paper or relation, with suggestions.

        Example:
            >>> graph = load("atlas")  # doctest: +SKIP
            >>> best = graph.results(metric="accuracy", dataset="CIFAR-10")  # doctest: +SKIP
        """
        if relation is not None and relation not in RELATIONS:
            raise UnknownNameError("relation", relation, RELATIONS)
        asked = {"metric": metric, "dataset": dataset, "task": task, "method": method}
        wanted = None if paper is None else self._paper_id(paper)
        found = self._catalog.results_of(wanted, {k: v for k, v in asked.items() if v is not None})
        return Answers(result for result in found if relation in (None, result.relation))

    def explain(self, name: str) -> Explanation:
        """Return why a name stands for its concept: the rule, and in how many papers it decided.

        Raises:
            UnknownNameError: If no paper writes the name, with suggestions.

        Example:
            >>> load("atlas").explain("GNN").meanings  # doctest: +SKIP
            (Merge(form='GNN', concept='graph neural network', rule='definition', ...),)
        """
        from kg.explanation import explain

        try:
            concept = self.concept(name)
        except UnknownNameError:
            concept = None
        return explain(name, concept, self.tables)

    def subgraph(self, papers: Iterable[Paper | str]) -> KnowledgeGraph:
        """Return the graph of some of the papers, with their concepts and the links among them.

        Args:
            papers: The papers, or their ids, DOIs or titles.

        Raises:
            UnknownNameError: If there is no such paper.

        Example:
            >>> graph = load("atlas")  # doctest: +SKIP
            >>> graph.subgraph(graph.papers(uses="GNN")).write("gnn.bib")  # doctest: +SKIP
        """
        from kg.subgraph import subset

        tables = subset(self.tables, {self._paper_id(paper) for paper in papers})
        counts = {name: table.num_rows for name, table in tables.items()}
        run = {**self.run, "counts": {**self.run.get("counts", {}), **counts}}
        return KnowledgeGraph(tables, run)

    @property
    def skipped(self) -> list[Skipped]:
        """What was read and not taken, with the reason."""
        return [
            Skipped(Source(row["file"], row["line"], row["record"]), row["reason"])
            for row in self.tables["skipped"].to_pylist()
        ]

    def sparql(self, query: str, bindings: Mapping[str, Any] | None = None) -> Answer:
        """Answer a SPARQL query (SELECT, ASK, CONSTRUCT) over the graph's RDF.

        Args:
            query: SPARQL; common prefixes are known.
            bindings: Values of some of its variables, by name, as terms of pyoxigraph.

        Raises:
            QueryError: If the query is wrong, or asks for more than reading this graph.
        """
        from exports import stores
        from kg.errors import QueryError

        try:
            return stores.answer(self._store, query, bindings)
        except stores.QueryRefusedError as error:
            raise QueryError(str(error)) from None

    def to_frame(self, table: str = "edges") -> pd.DataFrame:
        """Return one of the tables as a pandas data frame.

        Raises:
            UnknownNameError: If there is no such table.
            KGError: If pandas is not installed.
        """
        if table not in self.tables:
            raise UnknownNameError("table", table, self.tables)
        pandas()
        return self.tables[table].to_pandas()

    @cached_property
    def nx(self) -> nx.MultiDiGraph:
        """The graph as networkx, of plain JSON values, made when first asked for.

        A paper's node is its id, a concept's is ``concept:`` and its id; the attribute
        ``type`` says which. Edges: role (keyed by it), broader, related.
        """
        from kg.networkx_graph import to_networkx

        return to_networkx(self.tables)

    def write(self, path: str | Path, *, to: str | None = None, **options: Any) -> Path:
        """Write the graph to a file; its format is that of the suffix, or ``to``.

        Args:
            path: The file.
            to: A format of `exports.WRITERS`.
            options: Passed on to the writer.

        Raises:
            UnknownNameError: If the format is unknown.
            OptionError: If the format has no such option.
            FolderError: If the file cannot be written.
        """
        from exports import WRITERS, ExportError, find_format

        target = Path(path)
        name = to or find_format(target)
        if name not in WRITERS:
            raise UnknownNameError("format", name, WRITERS)
        try:
            WRITERS[name](self.view, target, **options)
        except ExportError as error:
            raise OptionError(str(error)) from None
        except OSError as error:
            raise FolderError(f"cannot write {target}: {error.strerror or error}") from None
        return target

    @cached_property
    def view(self) -> Any:
        """The graph as the stream of records that every writer reads."""
        from exports.view import TableView

        return TableView(self.tables, self.run)

    @cached_property
    def _store(self) -> Any:
        from exports import stores

        return stores.load(self.view)


def load(folder: str | Path) -> KnowledgeGraph:
    """Open a graph folder.

    Raises:
        FolderError: If it is missing, not finished, or of another schema.

    Example:
        >>> load("atlas").papers(uses="GNN")  # doctest: +SKIP
    """
    path = Path(folder)
    run = folders.read_run(path)
    return KnowledgeGraph(folders.read_tables(path), run, path)
