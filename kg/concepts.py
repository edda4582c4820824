"""Naming: all the names of one idea become one concept, and no two ideas become one.

    forms in papers ──▶ key of each ──▶ groups ──▶ Concept(label, kind, aliases, broader)

A form's key is found by the first rule that decides: the paper's own definition of a short
form, the corpus's majority, curated knowledge, the spelling itself. Similarity never merges.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from extractors import gazetteer
from kg.keys import fold, head_suffixes, singular, squash
from kg.model import Concept

KEYWORD = "keyword"  # the kind of a phrase of which no more is known
_KEYWORD_VOTE = 0.01  # a keyword says nothing of the kind: it decides only where nobody else votes
_MAJORITY = 2 / 3


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
class Definition:
    """A short form and the long form that a paper gives it."""

    paper: str
    short: str
    long: str


class Names:
    """Which names mean the same, as the definitions of a corpus and curated knowledge say.

    Args:
        definitions: The abbreviations that the papers define, in any order.

    Example:
        >>> names = Names([Definition("p1", "GNNs", "Graph Neural Networks")])
        >>> names.key("GNN", "p1") == names.key("graph neural network", "p2")
        True
    """

    def __init__(self, definitions: Iterable[Definition]) -> None:
        self._own: dict[tuple[str, str], str] = {}
        self.readable: dict[str, str] = {}
        votes: dict[str, Counter[str]] = defaultdict(Counter)
        for item in sorted(set(definitions), key=lambda d: (d.paper, d.short, d.long)):
            short = singular(item.short)
            readable = fold(item.long)
            key = _curated_key(squash(readable))
            self.readable.setdefault(key, readable)
            if (item.paper, short) not in self._own:
                self._own[item.paper, short] = key
                votes[short][key] += 1
        majorities = {short: _majority(count) for short, count in votes.items()}
        self._corpus = {short: key for short, key in majorities.items() if key is not None}
        self.short_forms: dict[str, set[str]] = defaultdict(set)
        for (_, short), key in self._own.items():
            self.short_forms[key].add(short)

    def key(self, text: str, paper: str) -> str:
        """Return the key of the concept that a name means in a paper."""
        short = singular(text)
        own = self._own.get((paper, short))
        if own is not None:
            return own
        if _looks_short(short):
            curated = _curated_short(short)
            corpus = self._corpus.get(short)
            if corpus is not None and curated in (None, corpus):
                return corpus
            if curated is not None:
                return curated
        return _curated_key(squash(fold(text)))


@dataclass(slots=True)
class _Group:
    forms: Counter[str] = field(default_factory=Counter)  # surface form -> papers
    in_text: Counter[str] = field(default_factory=Counter)  # the same, outside titles
    votes: dict[str, float] = field(default_factory=lambda: defaultdict(float))  # kind -> score

    def add(self, form: Form) -> None:
        self.forms[form.text] += 1
        if form.field == "abstract":
            self.in_text[form.text] += 1
        vote = form.score * (_KEYWORD_VOTE if form.kind == KEYWORD else 1.0)
        self.votes[form.kind] += vote


def implied_definitions(forms: Iterable[Form]) -> set[Definition]:
    """Return short forms that a paper does not define but whose long form it names.

    Only curated pairs count: "RL" beside "reinforcement learning" means that, alone it may not.

    Example:
        >>> forms = [Form("p", "RL", "method", 1), Form("p", "reinforcement learning", "method", 1)]
        >>> implied_definitions(forms)
        {Definition(paper='p', short='RL', long='reinforcement learning')}
    """
    named: dict[str, dict[str, str]] = defaultdict(dict)
    shorts: dict[str, set[str]] = defaultdict(set)
    for form in forms:
        named[form.paper][_curated_key(squash(fold(form.text)))] = form.text
        if _looks_short(singular(form.text)):
            shorts[form.paper].add(singular(form.text))
    return {
        Definition(paper, short, entry.label)
        for paper, found in shorts.items()
        for short in found
        for entry in _entries_by_short().get(short, ())
        if squash(fold(entry.label)) in named[paper]
    }


def name_concepts(forms: Iterable[Form], names: Names) -> list[Concept]:
    """Return the concepts that the forms name, sorted by id, whatever the forms' order.

    Args:
        forms: Names as they stand in papers; one form may come many times.
        names: What is known of the corpus's short forms.

    Example:
        >>> names = ("Graph Neural Networks", "GNN")
        >>> forms = [Form("p", name, "method", 1.0) for name in names]
        >>> [concept.label for concept in name_concepts(forms, Names([]))]
        ['graph neural network']
    """
    groups: dict[str, _Group] = defaultdict(_Group)
    for form in sorted(set(forms), key=lambda f: (f.paper, f.text, f.kind, f.score, f.field)):
        groups[names.key(form.text, form.paper)].add(form)
    ids = {key: _concept_id(key, group, names.readable) for key, group in groups.items()}
    kinds = {key: _kind(group) for key, group in groups.items()}
    concepts = [
        _concept(key, group, ids, kinds, names.short_forms.get(key, set()))
        for key, group in groups.items()
    ]
    return sorted(concepts, key=lambda concept: concept.id)


def concept_ids(concepts: Iterable[Concept]) -> dict[str, str]:
    """Return key -> id, to find the concept of a form through `Names.key`."""
    return {_curated_key(squash(concept.id)): concept.id for concept in concepts}


def _concept(
    key: str,
    group: _Group,
    ids: Mapping[str, str],
    kinds: Mapping[str, str],
    defined: Iterable[str],
) -> Concept:
    entry = _curated().get(key)
    curated_short = {singular(name) for name in entry.abbreviations} if entry else set()
    short_forms = curated_short | set(defined)
    label = entry.label if entry else _best_form(group, short_forms)
    short = {form for form in group.forms if singular(form) in short_forms}
    abbreviations = {singular(form) for form in short} | set(defined)
    aliases = {form for form in group.forms if form not in short}
    return Concept(
        id=ids[key],
        label=label,
        kind=kinds[key],
        aliases=tuple(sorted(aliases - {label})),
        abbreviations=tuple(sorted(abbreviations - {label})),
        broader=_broader(key, ids, kinds),
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
    entry = _curated().get(key)
    if entry is not None:
        return fold(entry.label)
    own = {folded for form in group.forms if squash(folded := fold(form)) == key}
    own |= {readable[key]} if key in readable else set()
    return min(own, key=lambda folded: (-folded.count(" "), folded))


def _kind(group: _Group) -> str:
    return min(group.votes, key=lambda kind: (-round(group.votes[kind], 6), kind))


def _broader(key: str, ids: Mapping[str, str], kinds: Mapping[str, str]) -> tuple[str, ...]:
    """Return the nearest more general concepts: curated, and the longest head of the name."""
    found = set()
    entry = _curated().get(key)
    if entry and entry.broader:
        found.add(_curated_key(squash(fold(entry.broader))))
    for head in head_suffixes(ids[key]):
        head_key = _curated_key(squash(head))
        if head_key in ids and (" " in head or head_key in _curated()):
            found.add(head_key)
            break
    return tuple(
        sorted(ids[k] for k in found if k in ids and k != key and _comparable(kinds[key], kinds[k]))
    )


def _comparable(narrow: str, broad: str) -> bool:
    return narrow == broad or KEYWORD in (narrow, broad)


def _looks_short(text: str) -> bool:
    return len(text) <= 10 and " " not in text and sum(map(str.isupper, text)) >= 2


def _majority(count: Counter[str]) -> str | None:
    (key, top), *_ = sorted(count.items(), key=lambda item: (-item[1], item[0]))
    return key if top >= _MAJORITY * count.total() else None


@cache
def _curated() -> dict[str, gazetteer.Entry]:
    """Curated entries by the key of their label; the more frequent one holds a key."""
    found: dict[str, gazetteer.Entry] = {}
    for entry in gazetteer.entries():
        found.setdefault(squash(fold(entry.label)), entry)
    return found


@cache
def _curated_names() -> dict[str, str]:
    """Key of each long name -> key of its label."""
    found: dict[str, str] = {}
    for entry in gazetteer.entries():
        label = squash(fold(entry.label))
        for name in (entry.label, *entry.aliases):
            found.setdefault(squash(fold(name)), label)
    return found


@cache
def _entries_by_short() -> dict[str, list[gazetteer.Entry]]:
    found: dict[str, list[gazetteer.Entry]] = defaultdict(list)
    for entry in gazetteer.entries():
        for short in entry.abbreviations:
            found[singular(short)].append(entry)
    return dict(found)


def _curated_short(short: str) -> str | None:
    """Return the key that a short form has in every text, None where it may mean more."""
    entries = _entries_by_short().get(short, [])
    if len(entries) != 1 or entries[0].ambiguous:
        return None
    return squash(fold(entries[0].label))


def _curated_key(key: str) -> str:
    return _curated_names().get(key, key)
