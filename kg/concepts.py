"""Naming: all the names of one idea become one concept, and no two ideas become one.

    forms in papers ──▶ key of each ──▶ groups ──▶ Concept(label, kind, aliases, broader)

What a form means `kg.names` decides; here the forms of one key become a concept, and every merge
is written down with the rule that made it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from kg import curated
from kg.curated import name_key
from kg.hierarchy import without_circles
from kg.keys import fold, head_suffixes, singular, squash
from kg.model import Concept
from kg.names import Decision, Definition, Names, definitions_inside, looks_short

_OF_ONE_NATURE = {"method", "task"}  # "one-shot federated learning" and "federated learning"
KEYWORD = "keyword"  # the kind of a phrase of which no more is known
_KEYWORD_VOTE = 0.05  # a keyword says nothing of the kind: only many of them outweigh one who does


@dataclass(frozen=True, slots=True)
class Form:
    """A name as it stands in a paper.

    Args:
        paper: The paper's id.
        text: The words as written.
        kind: The kind that the extractor says.
        score: The extractor's confidence, 0..1.
        field: title, abstract or keywords.
    """

    paper: str
    text: str
    kind: str
    score: float
    field: str = "abstract"


@dataclass(frozen=True, slots=True)
class Merge:
    """Why a form stands for a concept.

    Args:
        form: The name as written in papers.
        concept: The concept's id; empty where the form makes none.
        rule: The rule that decided, of `kg.names.RULES`.
        via: The name by which it decided, such as a long form; empty for a spelling.
        support: Papers in which it did.
    """

    form: str
    concept: str
    rule: str
    via: str
    support: int


@dataclass(frozen=True, slots=True)
class KindVote:
    """A kind that some papers say of a concept on which they do not agree.

    Args:
        concept: The concept's id.
        kind: The kind.
        weight: Sum of the scores of those who say so.
        papers: How many papers say so.
    """

    concept: str
    kind: str
    weight: float
    papers: int


@dataclass(frozen=True, slots=True)
class Naming:
    """The concepts of a corpus and how they came about.

    Args:
        concepts: Sorted by id.
        ids: Concept id by the key of `Names.key`.
        merges: One a form, concept and reason, sorted.
        votes: The kinds of each concept of which papers say different ones, sorted.
    """

    concepts: tuple[Concept, ...]
    ids: Mapping[str, str]
    merges: tuple[Merge, ...]
    votes: tuple[KindVote, ...]


@dataclass(slots=True)
class _Group:
    forms: Counter[str] = field(default_factory=Counter)  # surface form -> papers
    in_text: Counter[str] = field(default_factory=Counter)  # the same, outside titles
    votes: dict[str, float] = field(default_factory=lambda: defaultdict(float))  # kind -> score
    voters: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  # kind -> papers

    def add(self, form: Form) -> None:
        self.forms[form.text] += 1
        if form.field == "abstract":
            self.in_text[form.text] += 1
        vote = form.score * (_KEYWORD_VOTE if form.kind == KEYWORD else 1.0)
        self.votes[form.kind] += vote
        self.voters[form.kind].add(form.paper)


def definitions_in(forms: Iterable[Form]) -> set[Definition]:
    """Return the definitions that names hold themselves, as authors' keywords often do.

    Example:
        >>> definitions_in([Form("p", "Graph Neural Network (GNN)", "keyword", 1)])
        {Definition(paper='p', short='GNN', long='Graph Neural Network')}
    """
    return {item for form in forms for item in definitions_inside(form.paper, form.text)}


def implied_definitions(forms: Iterable[Form]) -> set[Definition]:
    """Return short forms that a paper does not define but whose long form it names.

    Only curated pairs count: "RL" beside "reinforcement learning" means that, alone it may not;
    beside two long forms that it may stand for it means neither.

    Example:
        >>> forms = [Form("p", "RL", "method", 1), Form("p", "reinforcement learning", "method", 1)]
        >>> implied_definitions(forms)
        {Definition(paper='p', short='RL', long='reinforcement learning')}
    """
    named: dict[str, set[str]] = defaultdict(set)
    shorts: dict[str, set[str]] = defaultdict(set)
    resolved = cache(lambda text: curated.resolved(name_key(text)))
    for form in forms:
        named[form.paper].add(resolved(form.text))
        if looks_short(singular(form.text)):
            shorts[form.paper].add(singular(form.text))
    found = set()
    for paper, written in shorts.items():
        for short in written:
            entries = curated.entries_with(short)
            beside = [e.label for e in entries if name_key(e.label) in named[paper]]
            found |= {Definition(paper, short, long) for long in beside if len(beside) == 1}
    return found


def name_concepts(forms: Iterable[Form], names: Names) -> Naming:
    """Return the concepts that the forms name and why, whatever the forms' order.

    Args:
        forms: Names as they stand in papers; one form may come many times.
        names: What is known of names.

    Example:
        >>> names = ("Graph Neural Networks", "GNN")
        >>> forms = [Form("p", name, "method", 1.0) for name in names]
        >>> [concept.label for concept in name_concepts(forms, Names([])).concepts]
        ['graph neural network']
    """
    groups: dict[str, _Group] = defaultdict(_Group)
    reasons: dict[tuple[str, Decision], set[str]] = defaultdict(set)
    for form in sorted(set(forms), key=lambda f: (f.paper, f.text, f.kind, f.score, f.field)):
        decision = names.decide(form.text, form.paper)
        reasons[form.text, decision].add(form.paper)
        if decision.key:
            groups[decision.key].add(form)
    ids = {key: _concept_id(key, group, names.readable) for key, group in groups.items()}
    kinds = {key: _kind(key, group) for key, group in groups.items()}
    broader = _broader(ids, kinds)
    concepts = [
        _concept(key, group, ids, kinds[key], broader.get(ids[key], ()), names)
        for key, group in groups.items()
    ]
    return Naming(
        concepts=tuple(sorted(concepts, key=lambda concept: concept.id)),
        ids=ids,
        merges=_merges(reasons, ids),
        votes=_conflicts(groups, ids),
    )


def _merges(
    reasons: Mapping[tuple[str, Decision], set[str]], ids: Mapping[str, str]
) -> tuple[Merge, ...]:
    merges = (
        Merge(form, ids.get(decision.key, ""), decision.rule, decision.via, len(papers))
        for (form, decision), papers in reasons.items()
    )
    return tuple(sorted(merges, key=lambda m: (m.concept, m.form, m.rule, m.via)))


def _conflicts(groups: Mapping[str, _Group], ids: Mapping[str, str]) -> tuple[KindVote, ...]:
    votes = (
        KindVote(ids[key], kind, round(weight, 6), len(group.voters[kind]))
        for key, group in groups.items()
        if len(group.votes.keys() - {KEYWORD}) > 1
        for kind, weight in group.votes.items()
        if kind != KEYWORD
    )
    return tuple(sorted(votes, key=lambda v: (v.concept, -v.weight, v.kind)))


def _concept(
    key: str,
    group: _Group,
    ids: Mapping[str, str],
    kind: str,
    broader: tuple[str, ...],
    names: Names,
) -> Concept:
    entry = curated.entry_of(key)
    defined = names.short_forms.get(key, set())
    short_forms = {singular(name) for name in entry.abbreviations} if entry else set()
    short_forms |= defined
    label = names.labels.get(key) or (entry.label if entry else _best_form(group, short_forms))
    short = {form for form in group.forms if singular(form) in short_forms}
    abbreviations = {singular(form) for form in short} | defined
    aliases = {form for form in group.forms if form not in short}
    return Concept(
        id=ids[key],
        label=label,
        kind=kind,
        aliases=tuple(sorted(aliases - {label})),
        abbreviations=tuple(sorted(abbreviations - {label})),
        broader=broader,
        same_as=names.same_as.get(key, ()),
    )


def _best_form(group: _Group, short_forms: set[str]) -> str:
    """Return the most usual form; running text counts before Title Case, long before short."""
    return min(
        group.forms,
        key=lambda form: (
            singular(form) in short_forms,
            not group.in_text[form],
            -group.in_text[form],
            -group.forms[form],
            len(form),
            form,
        ),
    )


def _concept_id(key: str, group: _Group, readable: Mapping[str, str]) -> str:
    entry = curated.entry_of(key)
    if entry is not None:
        return fold(entry.label)
    own = {folded for form in group.forms if squash(folded := fold(form)) == key}
    own |= {readable[key]} if key in readable else set()
    return min(own or {key}, key=lambda folded: (-folded.count(" "), folded))


def _kind(key: str, group: _Group) -> str:
    """Return the kind of most weight; the curated list knows that of a mere keyword."""
    kind = min(group.votes, key=lambda kind: (-round(group.votes[kind], 6), kind))
    entry = curated.entry_of(key) if kind == KEYWORD else None
    return entry.kind if entry else kind


def _broader(ids: Mapping[str, str], kinds: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the nearest more general concepts by id: curated, and the longest head of the name.

    Where they contradict each other the curated ones hold.
    """
    keys = sorted(ids, key=ids.__getitem__)
    pairs = [(key, find(key, ids)) for find in (_curated_above, _head) for key in keys]
    return without_circles(
        (ids[key], ids[above])
        for key, above in pairs
        if above and _comparable(kinds[key], kinds[above])
    )


def _curated_above(key: str, ids: Mapping[str, str]) -> str:
    entry = curated.entry_of(key)
    above = curated.resolved(name_key(entry.broader)) if entry and entry.broader else ""
    return above if above in ids else ""


def _head(key: str, ids: Mapping[str, str]) -> str:
    """Return the key of the longest end of a name that is a concept; empty where none is."""
    for head in head_suffixes(ids[key]):
        head_key = curated.resolved(squash(head))
        if head_key in ids and (" " in head or curated.entry_of(head_key)):
            return head_key
    return ""


def _comparable(narrow: str, broad: str) -> bool:
    return narrow == broad or KEYWORD in (narrow, broad) or {narrow, broad} == _OF_ONE_NATURE
