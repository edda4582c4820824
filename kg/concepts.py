"""Naming: all the names of one idea become one concept, and no two ideas become one.

    forms in papers ──▶ key of each ──▶ groups ──▶ Concept(label, kind, aliases, broader)

What a form means `kg.names` decides; here the forms of one key become a concept, and every merge
is written down with the rule that made it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kg import curated
from kg.coding import Coded, Codes, coded
from kg.curated import name_key
from kg.groups import KEYWORD, Groups, Vote, Written
from kg.hierarchy import without_circles
from kg.keys import Spellings, fold, head_suffixes, singular, squash
from kg.model import Concept
from kg.names import Decision, Definition, Names, definitions_inside, looks_short
from kg.tables import SCHEMAS

FORMS = pa.schema(
    {
        "paper": pa.string(),
        "text": pa.string(),  # the name as written
        "kind": pa.string(),  # as the extractor says
        "score": pa.float64(),  # its confidence, 0..1
        "field": pa.string(),  # title, abstract or keywords
    }
)
"""Names as they stand in papers, one row each; columns of strings may be dictionaries."""

_OF_ONE_NATURE = {"method", "task"}  # "one-shot federated learning" and "federated learning"


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
        of_forms: The place among them of each form's concept, shape (n,); -1 where it makes none.
        merges: The table "merges" of `kg.tables`: one row a form, concept and reason, sorted.
        kinds: The table "kinds": those of each concept of which papers say different ones, sorted.
    """

    concepts: tuple[Concept, ...]
    of_forms: Codes = field(compare=False)  # as the rows come
    merges: pa.Table
    kinds: pa.Table


def definitions_in(forms: pa.Table) -> set[Definition]:
    """Return the definitions that names hold themselves, as authors' keywords often do.

    Args:
        forms: Columns paper and text of `FORMS`.

    Example:
        >>> forms = pa.table({"paper": ["p"], "text": ["Graph Neural Network (GNN)"]})
        >>> definitions_in(forms)
        {Definition(paper='p', short='GNN', long='Graph Neural Network')}
    """
    with_bracket = forms.filter(pc.match_substring(forms["text"], "("))
    rows = zip(with_bracket["paper"].to_pylist(), with_bracket["text"].to_pylist(), strict=True)
    return {item for paper, text in rows for item in definitions_inside(paper, text)}


def implied_definitions(forms: pa.Table, spellings: Spellings | None = None) -> set[Definition]:
    """Return short forms that a paper does not define but whose long form it names.

    Only curated pairs count: "RL" beside "reinforcement learning" means that, alone it may not;
    beside two long forms that it may stand for it means neither.

    Args:
        forms: Columns paper and text of `FORMS`.
        spellings: Those of names as far as they are known; takes those that are not.

    Example:
        >>> forms = pa.table({"paper": ["p", "p"], "text": ["RL", "reinforcement learning"]})
        >>> implied_definitions(forms)
        {Definition(paper='p', short='RL', long='reinforcement learning')}
    """
    known = Spellings() if spellings is None else spellings
    paper, text = coded(forms["paper"]), coded(forms["text"])
    shorts = _pairs(paper, text, map(_curated_short, text.values))
    entries = {short: curated.entries_with(short) for _, short in shorts}
    long_forms = {name_key(entry.label) for found in entries.values() for entry in found}
    keys = (curated.resolved(known[name].key) for name in text.values)
    named = _pairs(paper, text, (key if key in long_forms else "" for key in keys))
    found = set()
    for where, short in shorts:
        beside = [e.label for e in entries[short] if (where, name_key(e.label)) in named]
        found |= {Definition(where, short, long) for long in beside if len(beside) == 1}
    return found


def _pairs(paper: Coded, text: Coded, read: Iterable[str]) -> set[tuple[str, str]]:
    """Return each paper with what its texts are read as, where they are read as something."""
    readings = list(read)
    wanted = np.array(list(map(bool, readings)), dtype=np.bool_)[text.codes]
    rows = zip(paper.codes[wanted].tolist(), text.codes[wanted].tolist(), strict=True)
    return {(paper.values[p], readings[t]) for p, t in rows}


def _curated_short(text: str) -> str:
    """Return a curated short form in the singular, of which there may be many; else nothing."""
    short = "" if " " in text else singular(text)
    return short if looks_short(short) and curated.entries_with(short) else ""


def name_concepts(forms: pa.Table, names: Names) -> Naming:
    """Return the concepts that the forms name and why, whatever the forms' order.

    Args:
        forms: A table of `FORMS`; a row may come many times.
        names: What is known of names.

    Example:
        >>> said = {"kind": ["method"] * 2, "score": [1.0] * 2, "field": ["abstract"] * 2}
        >>> forms = pa.table({"paper": ["p", "p"], "text": ["Graph Neural Networks", "GNN"]} | said)
        >>> [concept.label for concept in name_concepts(forms, Names([])).concepts]
        ['graph neural network']
    """
    paper, text = coded(forms["paper"]), coded(forms["text"])
    decided, decisions = _decide(paper, text, names)
    keys = sorted({decision.key for decision in decisions if decision.key})
    place = {key: i for i, key in enumerate(keys)}
    of_decision = np.array([place.get(d.key, -1) for d in decisions], dtype=np.int64)
    groups = Groups(forms, paper, text, of_decision[decided], len(keys))
    named = _concepts(keys, groups, names)
    order = sorted(range(len(keys)), key=lambda i: named[i].id)
    rank = np.append(np.argsort(order), -1)  # the last one for what has no key
    ids = np.array([*(concept.id for concept in named), ""], dtype=object)
    return Naming(
        concepts=tuple(named[i] for i in order),
        of_forms=rank[of_decision][decided],
        merges=_merges(paper, text, decided, decisions, ids[of_decision].tolist()),
        kinds=_conflicts(named, groups),
    )


def _decide(paper: Coded, text: Coded, names: Names) -> tuple[Codes, list[Decision]]:
    """Return the place of each row's decision among all that are made, and these."""
    number: dict[Decision, int] = {}

    def decided(name: str, where: str) -> int:
        return number.setdefault(names.decide(name, where), len(number))

    alone = [-1 if names.depends(name) else decided(name, "") for name in text.values]
    rows = np.array(alone, dtype=np.int64)[text.codes]
    left = np.flatnonzero(rows < 0)
    size = max(len(text.values), 1)
    pairs, pair = np.unique(paper.codes[left] * size + text.codes[left], return_inverse=True)
    places = zip(*(column.tolist() for column in np.divmod(pairs, size)), strict=True)
    found = [decided(text.values[t], paper.values[p]) for p, t in places]
    rows[left] = np.array(found, dtype=np.int64)[pair]
    return rows, list(number)


def _merges(
    paper: Coded, text: Coded, decided: Codes, decisions: Sequence[Decision], ids: Sequence[str]
) -> pa.Table:
    """Return which form stands for which concept, why, and in how many papers."""
    papers = max(len(paper.values), 1)
    form = text.codes * max(len(decisions), 1) + decided
    forms, support = np.unique(np.unique(form * papers + paper.codes) // papers, return_counts=True)
    texts, places = (column.tolist() for column in np.divmod(forms, max(len(decisions), 1)))
    columns = {
        "form": [text.values[t] for t in texts],
        "concept": [ids[i] for i in places],
        "rule": [decisions[i].rule for i in places],
        "via": [decisions[i].via for i in places],
        "support": support,
    }
    merges = pa.table(columns, schema=SCHEMAS["merges"])
    order = ("concept", "form", "rule", "via")
    return merges.sort_by([(name, "ascending") for name in order]).combine_chunks()


def _concepts(keys: Sequence[str], groups: Groups, names: Names) -> list[Concept]:
    """Return the concept of each key."""
    concepts = {
        key: _concept(key, groups.forms(i), groups.votes(i), names) for i, key in enumerate(keys)
    }
    broader = _broader(concepts)
    return [
        replace(concept, broader=broader[concept.id]) if concept.id in broader else concept
        for concept in concepts.values()
    ]


def _conflicts(concepts: Sequence[Concept], groups: Groups) -> pa.Table:
    """Return the kinds of each concept of which papers say different ones."""
    rows = [
        (concepts[i].id, vote.kind, round(vote.weight, 6), vote.papers)
        for i in groups.disputed()
        for vote in groups.votes(i)
        if vote.kind != KEYWORD
    ]
    rows.sort(key=lambda row: (row[0], -row[2], row[1]))
    columns = zip(*rows, strict=True) if rows else ((),) * 4
    return pa.table(list(map(list, columns)), schema=SCHEMAS["kinds"])


def _concept(key: str, forms: Sequence[Written], votes: Sequence[Vote], names: Names) -> Concept:
    """Return the concept of a key, without more general ones."""
    entry = curated.entry_of(key)
    defined = names.short_forms.get(key, set())
    short_forms = {singular(name) for name in entry.abbreviations} if entry else set()
    short_forms |= defined
    label = names.labels.get(key) or (entry.label if entry else _best_form(forms, short_forms))
    short = {form.text for form in forms if short_forms and singular(form.text) in short_forms}
    abbreviations = {singular(text) for text in short} | defined
    aliases = {form.text for form in forms if form.text not in short}
    return Concept(
        id=_concept_id(key, forms, names),
        label=label,
        kind=_kind(key, votes),
        aliases=tuple(sorted(aliases - {label})),
        abbreviations=tuple(sorted(abbreviations - {label})),
        same_as=names.same_as.get(key, ()),
    )


def _best_form(forms: Sequence[Written], short_forms: Collection[str]) -> str:
    """Return the most usual form; running text counts before Title Case, long before short."""
    if len(forms) == 1:
        return forms[0].text
    best = min(
        forms,
        key=lambda form: (
            singular(form.text) in short_forms,
            not form.in_text,
            -form.in_text,
            -form.times,
            len(form.text),
            form.text,
        ),
    )
    return best.text


def _concept_id(key: str, forms: Sequence[Written], names: Names) -> str:
    entry = curated.entry_of(key)
    if entry is not None:
        return fold(entry.label)
    spellings = (names.spellings[form.text] for form in forms)
    own = {spelling.readable for spelling in spellings if spelling.key == key}
    own |= {names.readable[key]} if key in names.readable else set()
    return min(own or {key}, key=lambda readable: (-readable.count(" "), readable))


def _kind(key: str, votes: Sequence[Vote]) -> str:
    """Return the kind of most weight; the curated list knows that of a mere keyword."""
    kind = min(votes, key=lambda vote: (-round(vote.weight, 6), vote.kind)).kind
    entry = curated.entry_of(key) if kind == KEYWORD else None
    return entry.kind if entry else kind


def _broader(concepts: Mapping[str, Concept]) -> dict[str, tuple[str, ...]]:
    """Return the nearest more general concepts by id: curated, and the longest head of the name.

    Where they contradict each other the curated ones hold.
    """
    keys = sorted(concepts, key=lambda key: concepts[key].id)
    pairs = [(key, find(key, concepts)) for find in (_curated_above, _head) for key in keys]
    return without_circles(
        (concepts[key].id, concepts[above].id)
        for key, above in pairs
        if above and _comparable(concepts[key].kind, concepts[above].kind)
    )


def _curated_above(key: str, concepts: Mapping[str, Concept]) -> str:
    entry = curated.entry_of(key)
    above = curated.resolved(name_key(entry.broader)) if entry and entry.broader else ""
    return above if above in concepts else ""


def _head(key: str, concepts: Mapping[str, Concept]) -> str:
    """Return the key of the longest end of a name that is a concept; empty where none is."""
    for head in head_suffixes(concepts[key].id):
        head_key = curated.resolved(squash(head))
        if head_key in concepts and (" " in head or curated.entry_of(head_key)):
            return head_key
    return ""


def _comparable(narrow: str, broad: str) -> bool:
    return narrow == broad or KEYWORD in (narrow, broad) or {narrow, broad} == _OF_ONE_NATURE
