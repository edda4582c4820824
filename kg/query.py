"""Questions to a graph, answered from its tables.

Names are looked up by label, alias, abbreviation or id, case, accents and plural aside.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import permutations
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from extractors.mention import ROLES
from kg.errors import UnknownNameError, suggest
from kg.hierarchy import with_broader
from kg.keys import fold, squash
from kg.model import Concept, Evidence, Link, Paper, RelatedConcept, Result, Source
from kg.rows import Rows

_FIRST = re.compile(r"[\W_]*([^\W_])")

Years = int | range | tuple[int, int]


class Catalog:
    """The records of a graph, with the indexes that questions need.

    Args:
        tables: The tables of a graph folder, by name.
    """

    def __init__(self, tables: Mapping[str, pa.Table]) -> None:
        self._tables = tables

    @cached_property
    def papers(self) -> Mapping[str, Paper]:
        """Papers by id, sorted."""
        return Rows(self._tables["papers"], _paper)

    @cached_property
    def labels(self) -> dict[str, str]:
        """Display label by paper id."""
        table = self._tables["papers"]
        return dict(zip(table["id"].to_pylist(), table["label"].to_pylist(), strict=True))

    @cached_property
    def concepts(self) -> Mapping[str, Concept]:
        """Concepts by id, sorted."""
        return Rows(self._tables["concepts"], _concept)

    @cached_property
    def frequency(self) -> dict[str, int]:
        """Number of papers by concept id."""
        table = self._tables["concepts"]
        return dict(zip(table["id"].to_pylist(), table["papers"].to_pylist(), strict=True))

    @cached_property
    def edges(self) -> list[Evidence]:
        """One a paper and concept, with its best evidence."""
        return [_evidence(row) for row in self._tables["edges"].to_pylist()]

    @cached_property
    def edges_of_paper(self) -> dict[str, list[Evidence]]:
        """Edges by paper id, the strongest role first."""
        return _grouped(self.edges, "paper")

    @cached_property
    def edges_of_concept(self) -> dict[str, list[Evidence]]:
        """Edges by concept id, the strongest role first."""
        return _grouped(self.edges, "concept")

    @cached_property
    def relations(self) -> dict[str, list[RelatedConcept]]:
        """Related concepts by concept id, the closest first."""
        found: dict[str, list[RelatedConcept]] = defaultdict(list)
        for row in self._tables["related_concepts"].to_pylist():
            numbers = row["papers"], row["npmi"], row["weight"]
            for one, other in permutations((row["concept"], row["other"])):
                found[one].append(RelatedConcept(self.concepts[other], *numbers))
        for others in found.values():
            others.sort(key=lambda item: (-item.weight, item.concept.id))
        return dict(found)

    @cached_property
    def broader(self) -> dict[str, tuple[str, ...]]:
        """Concept id -> ids of the concepts directly above it."""
        return {concept.id: concept.broader for concept in self.concepts.values()}

    @cached_property
    def narrower(self) -> dict[str, set[str]]:
        """Concept id -> ids of the concepts that name it as broader."""
        found: dict[str, set[str]] = defaultdict(set)
        for concept in self.concepts.values():
            for broader in concept.broader:
                found[broader].add(concept.id)
        return dict(found)

    @cached_property
    def reach(self) -> dict[str, int]:
        """Number of papers by concept id, those of narrower concepts included."""
        papers: dict[str, set[str]] = defaultdict(set)
        for edge in self.edges:
            for concept, _ in with_broader(edge.concept, self.broader):
                papers[concept].add(edge.paper)
        return {concept: len(papers[concept]) for concept in self.concepts}

    @cached_property
    def communities(self) -> dict[str, int]:
        """Number of its community by paper id; papers without links have none."""
        table = self._tables["communities"]
        return dict(zip(table["paper"].to_pylist(), table["community"].to_pylist(), strict=True))

    @cached_property
    def community_names(self) -> dict[int, str]:
        """Name by a community's number."""
        return {
            row["community"]: row["label"] or f"community {row['community']}"
            for row in self._tables["communities"].to_pylist()
        }

    @cached_property
    def links_of_paper(self) -> dict[str, list[Link]]:
        """Links by the id of either paper, the strongest first."""
        found: dict[str, list[Link]] = defaultdict(list)
        for row in self._tables["related"].to_pylist():
            link = Link(**row | {"concepts": tuple(row["concepts"])})
            found[link.source].append(link)
            found[link.target].append(link)
        for links in found.values():
            links.sort(key=lambda link: (-link.weight, link.source, link.target))
        return dict(found)

    @cached_property
    def results(self) -> list[Result]:
        """Reported results, sorted by paper and place."""
        return [_result(row) for row in self._tables["results"].to_pylist()]

    def results_of(self, paper: str | None, asked: Mapping[str, str]) -> list[Result]:
        """Return the results of a paper, or of all, that have the asked name in each part.

        Args:
            paper: The paper's id; None for all papers.
            asked: Part (metric, dataset, task or method) -> name.

        Raises:
            UnknownNameError: If neither a concept nor a result of the graph has a name.
        """
        found = [result for result in self.results if paper in (None, result.paper)]
        for part, name in asked.items():
            found = self.results_with(found, part, name)
        return found

    def results_with(self, results: Iterable[Result], part: str, name: str) -> list[Result]:
        """Return the results whose metric, data set, task or method has this name.

        Args:
            results: Which results.
            part: metric, dataset, task or method.
            name: A name of a concept, or the words that a result has.

        Raises:
            UnknownNameError: If neither a concept nor a result of the graph has the name.
        """
        key = _name_key(name)
        concept = self._concept_named(name)
        if concept is None and all(_name_key(getattr(r, part)) != key for r in self.results):
            raise UnknownNameError(part, name, {getattr(r, part) for r in self.results} - {""})
        return [
            result
            for result in results
            if (concept is not None and getattr(result, f"{part}_concept") == concept)
            or _name_key(getattr(result, part)) == key
        ]

    def paper(self, name: str) -> Paper:
        """Return the paper of an id, a former id, a DOI, a title or a label.

        Raises:
            UnknownNameError: If there is none, with suggestions.
        """
        if name in self.papers:
            return self.papers[name]
        found = self._paper_names.get(_plain(name))
        if found is None:
            raise UnknownNameError("paper", name, (*self.papers, *self.labels.values()))
        return self.papers[found]

    def concept(self, name: str) -> Concept:
        """Return the concept of a label, alias, abbreviation or id.

        Raises:
            UnknownNameError: If there is none, with suggestions.
        """
        found = self._concept_named(name)
        if found is None:
            raise UnknownNameError("concept", name, self._all_names())
        return self.concepts[found]

    def find(self, name: str) -> Paper | Concept:
        """Return what has a name: a paper by its id, else a concept, else a paper by any name.

        Raises:
            UnknownNameError: If there is none, with suggestions.
        """
        if name in self.papers:
            return self.papers[name]
        try:
            return self.concept(name)
        except UnknownNameError:
            pass
        if found := self._paper_names.get(_plain(name)):
            return self.papers[found]
        names = (*self._all_names(), *self.papers, *self.labels.values())
        raise UnknownNameError("paper or concept", name, names)

    def of_kind(self, kind: str | None) -> list[Concept]:
        """Return the concepts, of one kind if one is given, those of most papers first.

        Raises:
            UnknownNameError: If the kind looks like one of the graph's, and is none.
        """
        kinds = {concept.kind for concept in self.concepts.values()}
        if kind is not None and kind not in kinds and suggest(kind, sorted(kinds)):
            raise UnknownNameError("kind", kind, sorted(kinds))
        found = [c for c in self.concepts.values() if kind in (None, c.kind)]
        return sorted(found, key=lambda c: (-self.frequency[c.id], c.id))

    def with_narrower(self, concept: str) -> set[str]:
        """Return a concept's id and those of all its narrower ones."""
        found, fresh = {concept}, [concept]
        while fresh:
            fresh = [n for c in fresh for n in self.narrower.get(c, ()) if n not in found]
            found.update(fresh)
        return found

    def papers_with(self, name: str, roles: Sequence[str], *, narrower: bool) -> set[str]:
        """Return the ids of the papers that have an edge of these roles to a concept."""
        concept = self.concept(name).id
        concepts = self.with_narrower(concept) if narrower else {concept}
        edges = self._tables["edges"]
        named = pc.is_in(edges["concept"], pa.array(sorted(concepts), pa.string()))
        meant = pc.is_in(edges["role"], pa.array(roles, pa.string()))
        return set(edges["paper"].filter(pc.and_(named, meant)).to_pylist())

    def evidence(self, paper: str, concept: str) -> list[Evidence]:
        """Return every place in a paper that names a concept, the strongest first."""
        return sorted(
            (e for e in self._mentions.get(paper, ()) if e.concept == concept), key=_strength
        )

    @cached_property
    def _mentions(self) -> dict[str, list[Evidence]]:
        return _grouped(map(_evidence, self._tables["mentions"].to_pylist()), "paper")

    @cached_property
    def _paper_names(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for paper in self.papers.values():
            for name in (paper.doi, paper.title, *paper.also_known_as, self.labels[paper.id]):
                if name:
                    found.setdefault(_plain(name), paper.id)
        return found

    def _concept_named(self, name: str) -> str | None:
        """Return the id of the concept of a name: by its label before an abbreviation or alias.

        Of two concepts that have it in the same way, it is that of more papers.
        """
        if name in self.concepts:
            return name
        key, initial = _name_key(name), _initial(name)
        found = [
            (how, -self.frequency[concept], concept)
            for letter in ({initial, ""} if initial else self._concepts_by_initial)
            for how, other, concept in self._concepts_by_initial.get(letter, ())
            if _name_key(other) == key
        ]
        return min(found)[2] if found else None

    @cached_property
    def _concepts_by_initial(self) -> dict[str, list[tuple[int, str, str]]]:
        """How a concept has a name (0 as a label), the name, its id: by `_initial` of the name."""
        table = self._tables["concepts"]
        columns = (table[name].to_pylist() for name in ("id", "label", "abbreviations", "aliases"))
        found: dict[str, list[tuple[int, str, str]]] = defaultdict(list)
        for concept, label, *others in zip(*columns, strict=True):
            for how, names in enumerate(((label, concept), *others)):
                for name in names or ():
                    found[_initial(name)].append((how, name, concept))
        return dict(found)

    def _all_names(self) -> Iterator[str]:
        for concept in self.concepts.values():
            yield concept.label
            yield from concept.abbreviations
            yield from concept.aliases


def matches(
    paper: Paper, *, author: str | None, venue: str | None, year: Years | None, text: str | None
) -> bool:
    """Tell whether a paper is of an author, a venue and a year, and holds a text.

    Args:
        paper: The paper.
        author: A part of an author's name, case and accents aside.
        venue: A part of the venue's name.
        year: A year, a range, or (first, last) with both included.
        text: A part of the title or the abstract.
    """
    return (
        (author is None or any(_plain(author) in _plain(name) for name in paper.authors))
        and (venue is None or _plain(venue) in _plain(paper.venue))
        and (year is None or (paper.year is not None and paper.year in _years(year)))
        and (text is None or _plain(text) in _plain(f"{paper.title} {paper.abstract}"))
    )


def _years(year: Years) -> range:
    if isinstance(year, range):
        return year
    first, last = (year, year) if isinstance(year, int) else year
    return range(first, last + 1)


def _plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(c for c in decomposed if not unicodedata.combining(c)).split())


def _initial(name: str) -> str:
    """Return the first letter or digit of a name's key, "" where spelling rules may change it."""
    found = _FIRST.match(name) if name.isascii() and "\\" not in name else None
    return found[1].lower() if found else ""


def _name_key(name: str) -> str:
    return _plain(squash(fold(name)))


def _strength(evidence: Evidence) -> tuple[int, float, str, str, str, int]:
    rank = ROLES.index(evidence.role) if evidence.role in ROLES else len(ROLES)
    return (
        rank, -evidence.confidence, evidence.paper, evidence.concept, evidence.field, evidence.start
    )  # fmt: skip


def _grouped(edges: Iterable[Evidence], attribute: str) -> dict[str, list[Evidence]]:
    found: dict[str, list[Evidence]] = defaultdict(list)
    for edge in sorted(edges, key=_strength):
        found[getattr(edge, attribute)].append(edge)
    return dict(found)


def _paper(row: Mapping[str, Any]) -> Paper:
    return Paper(
        id=row["id"],
        abstract=row["abstract"],
        title=row["title"],
        authors=tuple(row["authors"]),
        year=row["year"],
        venue=row["venue"],
        doi=row["doi"],
        url=row["url"],
        keywords=tuple(row["keywords"]),
        code_urls=tuple(row["code_urls"]),
        language=row["language"],
        also_known_as=tuple(row["also_known_as"]),
        source=Source(row["source_file"], row["source_line"], row["source_record"]),
    )


def _concept(row: Mapping[str, Any]) -> Concept:
    lists = ("aliases", "abbreviations", "broader", "same_as")
    return Concept(
        row["id"], row["label"], row["kind"], **{name: tuple(row[name]) for name in lists}
    )


def _result(row: Mapping[str, Any]) -> Result:
    return Result(**{name: row[name] for name in Result.__slots__})


def _evidence(row: Mapping[str, Any]) -> Evidence:
    return Evidence(**{name: row[name] for name in Evidence.__slots__})
