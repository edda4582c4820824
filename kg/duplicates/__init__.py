"""Duplicates: records of one paper joined into it, each with the rule that joined it.

papers ──▶ traits ──▶ candidates (pairs worth comparing) ──▶ rules (one paper or two?)
       ──▶ clusters (chains, unless they would join what differs) ──▶ fields merged
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from operator import attrgetter
from typing import Any, TypeVar

from kg.duplicates.candidates import candidates
from kg.duplicates.clusters import Cluster, cluster
from kg.duplicates.rules import RULES
from kg.duplicates.traits import Traits, fingerprint
from kg.identity import text_id
from kg.model import Paper, Source

__all__ = ["RULES", "Joined", "fingerprint", "join"]

T = TypeVar("T")

_VALUES = attrgetter(*Paper.__slots__)
_FIELDS = [name for name in Paper.__slots__ if name not in ("id", "also_known_as", "source")]


@dataclass(frozen=True, slots=True, order=True)
class Joined:
    """A record that was joined into a paper, and why.

    Args:
        paper: The id of the paper.
        record: The id that the record has alone.
        rule: What they have in common: ``doi``, ``identifier``, ``title`` (and year, authors
            and abstract as far as known), or ``abstract`` (nearly equal, under another title).
        source: Where the record stood.
    """

    paper: str
    record: str
    rule: str
    source: Source


def join(
    papers: Sequence[Paper], fingerprints: Sequence[bytes] = ()
) -> tuple[tuple[Paper, ...], tuple[Joined, ...]]:
    """Return the papers with duplicates joined, and which records were, whatever their order.

    The fuller record wins field by field; the others' ids stay in ``also_known_as``. Versions
    of one paper are joined, papers that only share a title or an abstract are not. Different
    papers under one id stay apart: each id is completed by the hash of its text.

    Args:
        papers: Cleaned papers.
        fingerprints: The `fingerprint` of each, where they are known.

    Returns:
        The papers, sorted by id, and the records that were joined into them, sorted; both
        together are as many as the papers given.

    Example:
        >>> versions = [Paper("a", "", title="Ridge walks on large graphs", year=2020)]
        >>> versions += [Paper("b", "We walk.", title="Ridge Walks on Large Graphs")]
        >>> join(versions)[0][0].also_known_as
        ('b',)
    """
    fingerprints = fingerprints or [fingerprint(paper) for paper in papers]
    order = _by_fullness(papers)
    ordered = [papers[place] for place in order]
    traits = [Traits(papers[place], fingerprints[place]) for place in order]
    clusters = cluster(traits, candidates(traits))
    merged = [_merge([ordered[place] for place in members]) for members in clusters]
    named = list(zip(_told_apart(merged), clusters, strict=True))
    joined = (item for paper, members in named for item in _account(paper, members, ordered))
    return tuple(sorted((paper for paper, _ in named), key=lambda p: p.id)), tuple(sorted(joined))


def _account(paper: Paper, members: Cluster, ordered: Sequence[Paper]) -> Iterator[Joined]:
    for place, rule in members.items():
        if rule:
            yield Joined(paper.id, ordered[place].id, rule, ordered[place].source)


def _merge(group: Sequence[Paper]) -> Paper:
    """Return the paper of these records, the fuller first."""
    if len(group) == 1:
        return group[0]
    best = min(group, key=_id_rank)
    names = {paper.id for paper in group} | {n for p in group for n in p.also_known_as}
    fields: dict[str, Any] = {
        name: _first(getattr(paper, name) for paper in group) for name in _FIELDS
    }
    fields["doi"] = best.doi or fields["doi"]
    return replace(group[0], **fields, id=best.id, also_known_as=tuple(sorted(names - {best.id})))


def _told_apart(papers: Sequence[Paper]) -> list[Paper]:
    """Return the papers in their order, each with an id that no other has."""
    sharing = Counter(paper.id for paper in papers)
    taken: Counter[str] = Counter()
    apart = []
    for paper in papers:
        name = paper.id
        if sharing[name] > 1:
            digest = text_id(f"{paper.title}\n{paper.abstract}").removeprefix("sha-")[:8]
            name = f"{paper.id}~{digest}"
        taken[name] += 1
        if taken[name] > 1:
            name = f"{name}-{taken[name]}"
        apart.append(paper if paper.id == name else replace(paper, id=name))
    return apart


def _id_rank(paper: Paper) -> tuple[int, str]:
    """Order ids: a DOI, then a source's id, then a hash; the smallest of equals."""
    return (0 if paper.id == paper.doi else 2 if paper.id.startswith("sha-") else 1), paper.id


def _by_fullness(papers: Sequence[Paper]) -> list[int]:
    """Return the places of the papers: the fuller first, then by what they say."""
    ranks = [_fullness(paper) for paper in papers]
    alike = Counter(ranks)

    def rank(place: int) -> tuple[tuple[int, int, str], str]:
        found = ranks[place]
        return found, str(astuple(papers[place])) if alike[found] > 1 else ""

    return sorted(range(len(papers)), key=rank)


def _fullness(paper: Paper) -> tuple[int, int, str]:
    """Order records: more fields first, then the longer abstract, then by id."""
    return -sum(map(bool, _VALUES(paper))), -len(paper.abstract), paper.id


def _first(values: Iterable[T]) -> T | None:
    value = None
    for value in values:
        if value:
            return value
    return value
