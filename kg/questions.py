"""Questions about how papers and concepts hang together."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from kg.answers import Answers
from kg.errors import UnknownNameError
from kg.model import Concept, Paper, Related, RelatedConcept
from kg.query import Catalog

if TYPE_CHECKING:
    import pyarrow as pa

    from kg.bridges import Bridge
    from kg.centrality import Central
    from kg.links import Linker
    from kg.neighbours import Common
    from kg.paths import PathFinder, Route
    from kg.trends import Trend
    from kg.usage import UsedWith


class Questions:
    """What a graph answers of its concepts, and between its papers.

    Args:
        tables: The tables by name, as `kg.tables` describes them.
    """

    def __init__(self, tables: Mapping[str, pa.Table]) -> None:
        self.tables = tables
        self._catalog = Catalog(tables)

    def paper(self, name: str) -> Paper:
        """Return the paper of an id, a DOI, a title or a label.

        Raises:
            UnknownNameError: If there is none, with suggestions.
        """
        return self._catalog.paper(name)

    def concept(self, name: str) -> Concept:
        """Return the concept of a label, alias, abbreviation or id.

        Raises:
            UnknownNameError: If there is none, with suggestions.
        """
        return self._catalog.concept(name)

    def concepts(self, kind: str | None = None) -> Answers[Concept]:
        """Return the concepts, of one kind if one is given, those of most papers first.

        Raises:
            UnknownNameError: If the kind is misspelt, with suggestions.
        """
        return Answers(self._catalog.of_kind(kind))

    def frequency(self, concept: Concept | str) -> int:
        """Return the number of papers that have an edge to a concept."""
        name = concept.id if isinstance(concept, Concept) else self.concept(concept).id
        return self._catalog.frequency[name]

    def related(self, paper: Paper | str, n: int = 10) -> Answers[Related]:
        """Return the ``n`` papers that relate most to a paper, with the concepts that say why.

        Raises:
            UnknownNameError: If there is no such paper.
        """
        from kg.neighbours import find_related

        return Answers(find_related(self._catalog, self._linker, self._paper_id(paper), n))

    def related_concepts(self, name: Concept | str, n: int = 10) -> Answers[RelatedConcept]:
        """Return the ``n`` concepts that papers name together with one more than by chance.

        Raises:
            UnknownNameError: If there is no such concept.
        """
        return Answers(self._catalog.relations.get(self._concept_id(name), ()))[: max(n, 0)]

    def used_with(
        self, name: Concept | str, *, kind: str | None = None, narrower: bool = False
    ) -> Answers[UsedWith]:
        """Return the concepts that papers use together with one, those of most papers first.

        The data sets of a method, the methods of a data set, the metrics of a task. A paper
        counts that works with both, in any role but a mere mention.

        Args:
            name: The concept, or a name of it.
            kind: Only concepts of this kind.
            narrower: Whether papers count that work with a narrower concept.

        Raises:
            UnknownNameError: If there is no such concept or kind, with suggestions.

        Example:
            >>> for answer in load("atlas").used_with("GNN", kind="dataset"):  # doctest: +SKIP
            ...     print(answer.concept.label, answer.papers, answer.because[0].there.sentence)
        """
        from kg.usage import find_used_with

        concept = self._concept_id(name)
        asked = self._catalog.with_narrower(concept) if narrower else {concept}
        return Answers(find_used_with(self._catalog, asked, kind))

    def common(self, paper: Paper | str, other: Paper | str) -> Answers[Common]:
        """Return the concepts that two papers have in common, the rarest first.

        Raises:
            UnknownNameError: If there is no such paper, with suggestions.

        Example:
            >>> for item in load("atlas").common("p1", "p2"):  # doctest: +SKIP
            ...     print(item.concept.label, item.here.role, item.there.role)
        """
        from kg.neighbours import find_common

        return Answers(find_common(self._catalog, self._paper_id(paper), self._paper_id(other)))

    def path(self, source: Paper | Concept | str, target: Paper | Concept | str) -> Route | None:
        """Return the most convincing path between two papers, two concepts, or one of each.

        What few papers name joins better than what many do, and what a paper proposes or studies
        better than what it mentions.

        Args:
            source: A paper or a concept, or its name; a concept's before a paper's title.
            target: Likewise.

        Returns:
            The path with the evidence of each hop; None if nothing joins the two.

        Raises:
            UnknownNameError: If there is no such paper or concept, with suggestions.

        Example:
            >>> print(load("atlas").path("GNN", "federated learning"))  # doctest: +SKIP
            graph neural network ←uses– Graphs at the Edge –studies→ federated learning
        """
        one, other = (self._catalog.find(e) if isinstance(e, str) else e for e in (source, target))
        return self._paths.find(one, other)

    def central(self, kind: str | None = None, n: int = 10) -> Answers[Central]:
        """Return the ``n`` most central concepts, by PageRank between papers and concepts.

        Args:
            kind: Only concepts of this kind.
            n: How many at most.

        Raises:
            UnknownNameError: If the kind is misspelt, with suggestions.

        Example:
            >>> load("atlas").central(kind="method", n=1)  # doctest: +SKIP
            [Central('transformer', papers=96, pagerank=0.008213)]
        """
        wanted = set(self._catalog.of_kind(kind))
        return Answers(item for item in self._central if item.concept in wanted)[: max(n, 0)]

    def bridges(self, n: int = 10) -> Answers[Bridge]:
        """Return the ``n`` papers that link their community most strongly to another one.

        Example:
            >>> for bridge in load("atlas").bridges(n=3):  # doctest: +SKIP
            ...     print(bridge.paper.title, bridge.home, bridge.other, bridge.concepts[0].label)
        """
        from kg.bridges import find_bridges

        return Answers(find_bridges(self._catalog, n))

    def trends(
        self, *, kind: str | None = None, n: int | None = None, since: int | None = None
    ) -> Answers[Trend]:
        """Return the concepts that rise or fall with the years, the surest first.

        Args:
            kind: Only concepts of this kind.
            n: How many at most; all if none is given.
            since: First year that counts.

        Example:
            >>> for trend in load("atlas").trends(kind="task", n=5):  # doctest: +SKIP
            ...     print(trend.concept, trend.direction)
        """
        wanted = {concept.id for concept in self.concepts(kind)}
        found = (t for t in self._trends(since) if t.concept in wanted and t.direction != "steady")
        return Answers(found)[:n]

    def trend(self, name: Concept | str, *, since: int | None = None) -> Trend:
        """Return a concept's share of the papers of each year, and whether it rises or falls.

        Raises:
            UnknownNameError: If there is no such concept, or none of its papers has a year.
        """
        concept = self._concept_id(name)
        found = {trend.concept: trend for trend in self._trends(since)}
        if concept not in found:
            raise UnknownNameError("concept with years", str(name), found)
        return found[concept]

    def _trends(self, since: int | None) -> list[Trend]:
        from kg.trends import find_trends

        years = {paper.id: paper.year for paper in self._catalog.papers.values()}
        return find_trends(years, self._catalog.edges, since)

    @cached_property
    def _central(self) -> list[Central]:
        from kg.centrality import rank_concepts

        return rank_concepts(self._catalog)

    @cached_property
    def _paths(self) -> PathFinder:
        from kg.paths import PathFinder

        return PathFinder(self._catalog)

    @cached_property
    def _linker(self) -> Linker:
        from kg.neighbours import linker_of

        return linker_of(self._catalog, self.tables["edges"], self.tables["vectors"])

    def _paper_id(self, paper: Paper | str) -> str:
        return paper.id if isinstance(paper, Paper) else self.paper(paper).id

    def _concept_id(self, concept: Concept | str) -> str:
        return concept.id if isinstance(concept, Concept) else self.concept(concept).id
