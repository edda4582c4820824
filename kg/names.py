"""What a name means in a paper, and which rule says so.

The first rule that decides is heard: the user's thesaurus; the paper's own definition of a short
form; the long form beside it; the corpus's majority; the user's authority file; curated
knowledge; the spelling. Similarity never decides.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from extractors.abbreviations import find_abbreviations
from kg import curated
from kg.curated import name_key
from kg.keys import Spellings, fold, singular
from kg.vocabulary import NOTHING, Vocabulary

RULES: Mapping[str, str] = {
    "thesaurus": "the thesaurus replaces it by {via}",
    "left out": "the thesaurus leaves it out",
    "apart": "the thesaurus keeps it apart from {via}",
    "definition": "defined as {via} where it stands",
    "context": "stands beside {via} in the same paper",
    "majority": "papers that define it say {via}",
    "authority": "the authority file has it under {via}",
    "curated": "the curated list has it under {via}",
    "ambiguous": "may be short for {via} or something else; nothing decides",
    "generic": "too general a term for a concept",
    "spelling": "its spelling, but for case, hyphens, plural and the like",
}
"""What each rule says of a form, the first that decides before the others."""

_MAJORITY = 2 / 3
_CONVINCING = 2  # papers whose majority overrules curated knowledge
_LONGEST_BRACKET = 300  # characters of a name in which a definition is looked for


@dataclass(frozen=True, slots=True)
class Definition:
    """A short form and the long form that a paper gives it."""

    paper: str
    short: str
    long: str


class Decision(NamedTuple):
    """What a name means.

    Args:
        key: The key of its concept; empty where the name makes none.
        rule: The rule that decides, of `RULES`.
        via: The name by which it decides; empty where the spelling does.
    """

    key: str
    rule: str
    via: str = ""


class Names:
    """Which names mean the same, as definitions, a user's files and curated knowledge say.

    Args:
        definitions: The abbreviations that the papers define, in any order.
        context: Short forms whose long form the paper names without a definition.
        thesaurus: A user's word on single names, which is heard first.
        authority: A user's list of concepts with their names, heard before the curated one.
        spellings: Those of names as far as they are known; takes those that are not.

    Example:
        >>> names = Names([Definition("p1", "GNNs", "Graph Neural Networks")])
        >>> names.key("GNN", "p1") == names.key("graph neural network", "p2")
        True
    """

    def __init__(
        self,
        definitions: Iterable[Definition],
        context: Iterable[Definition] = (),
        *,
        thesaurus: Vocabulary = NOTHING,
        authority: Vocabulary = NOTHING,
        spellings: Spellings | None = None,
    ) -> None:
        self.spellings = Spellings() if spellings is None else spellings
        self.labels: dict[str, str] = {}
        self.readable: dict[str, str] = {}
        self.same_as: dict[str, tuple[str, ...]] = {}
        self._own: dict[tuple[str, str], Decision] = {}
        self._corpus: dict[str, Decision] = {}
        self._decided: dict[tuple[str, Decision], Decision] = {}
        self._listed: dict[str, str] = {}
        self._replaced: dict[str, str] = {}
        self._exact = frozenset(_exact(thesaurus.apart))
        self._left_out = frozenset(map(self._spelled, thesaurus.left_out))
        self._read_apart(thesaurus)
        self._read_authority(authority)
        self._read_definitions(definitions, context)
        self._defined = {short for _, short in self._own}
        self._read_thesaurus(thesaurus)
        self._read_links(thesaurus, authority)
        self.short_forms = self._short_forms()

    def key(self, text: str, paper: str) -> str:
        """Return the key of the concept that a name means in a paper, empty if it makes none."""
        return self.decide(text, paper).key

    def decide(self, text: str, paper: str) -> Decision:
        """Return what a name means in a paper, and by which rule."""
        own = self._own.get((paper, _short_of(text)))
        if own is None or self._first:
            return self._decide(text, paper)
        if (text, own) not in self._decided:
            self._decided[text, own] = self._decide(text, paper)
        return self._decided[text, own]

    def depends(self, text: str) -> bool:
        """Tell whether a name may mean one thing in one paper and something else in another."""
        return bool(self._first) or _short_of(text) in self._defined

    def _decide(self, text: str, paper: str) -> Decision:
        own = self._spelled(text)
        said = self._said(own)
        if said is not None:
            return said
        found = self._by_rules(text, own, paper)
        rival = self._rival(own, found.key, paper)
        if rival is not None:
            return Decision(own, "apart", rival)
        return self._said(found.key) or found

    def _by_rules(self, text: str, own: str, paper: str) -> Decision:
        if long := _defined_inside(text):
            return Decision(self._long_key(long), "definition", long)
        short = _short_of(text)
        defined = self._own.get((paper, short))
        if defined is not None:
            return defined
        if looks_short(short):
            return self._short(short, own)
        return self._long(own)

    def _short(self, short: str, own: str) -> Decision:
        listed = self._listed.get(own)
        known = curated.meaning_of(short)
        corpus = self._corpus.get(short)
        if corpus is not None:
            return corpus
        if listed is not None:
            return self._by_list(listed)
        if known is not None:
            found = self._long(known)
            return found if found.via else Decision(known, "curated", _label(known))
        found = self._long(own)
        entries = curated.entries_with(short)
        if found.rule == "spelling" and entries:
            return Decision(own, "ambiguous", " or ".join(sorted(e.label for e in entries)))
        return found

    def _long(self, own: str) -> Decision:
        if own in self._listed:
            return self._by_list(self._listed[own])
        known = curated.resolved(own)
        if known in self._listed:
            return self._by_list(self._listed[known])
        if known == own:
            return Decision("", "generic") if curated.is_generic(own) else Decision(own, "spelling")
        return Decision(known, "curated", _label(known))

    def _by_list(self, label: str) -> Decision:
        return Decision(self._listed_key(label), "authority", label)

    def _long_key(self, long: str) -> str:
        return self._long(self._spelled(long)).key

    def _listed_key(self, label: str) -> str:
        known = curated.meaning_of(singular(label))
        return known or curated.resolved(self._spelled(label))

    def _spelled(self, text: str) -> str:
        exact = text.strip()
        return exact if exact in self._exact else self.spellings[text].key

    def _said(self, key: str) -> Decision | None:
        """Return what the thesaurus says of a key; a circle of replacements says nothing."""
        if key in self._left_out:
            return Decision("", "left out")
        label, seen = "", {key}
        while key in self._replaced:
            label = self._replaced[key]
            key = self._target(label)
            if key in self._left_out:
                return Decision("", "left out")
            if key in seen:
                break
            seen.add(key)
        return Decision(key, "thesaurus", label) if label else None

    def _target(self, label: str) -> str:
        return self._by_rules(label, self._spelled(label), "").key

    def _rival(self, own: str, key: str, paper: str) -> str | None:
        """Return a name that must not share the concept ``key`` with that of the key ``own``.

        The first of two names goes where the other is not; the other must not follow it there.
        """
        if key == own:
            return None
        for other in self._first.get(own, ()):
            if key in (
                self._spelled(other),
                self._by_rules(other, self._spelled(other), paper).key,
            ):
                return other
        for one in self._second.get(own, ()):
            if key == self._spelled(one):
                return one
        return None

    def _read_apart(self, thesaurus: Vocabulary) -> None:
        self._first: dict[str, list[str]] = defaultdict(list)
        self._second: dict[str, list[str]] = defaultdict(list)
        for one, other in thesaurus.apart:
            self._first[self._spelled(one)].append(other)
            self._second[self._spelled(other)].append(one)
        self.readable.update((name, name) for name in self._exact)

    def _read_authority(self, authority: Vocabulary) -> None:
        for name, label in authority.merged:
            self._listed.setdefault(self._spelled(name), label)
            self.readable.setdefault(self._listed_key(label), fold(label))

    def _read_definitions(
        self, definitions: Iterable[Definition], context: Iterable[Definition]
    ) -> None:
        votes: dict[str, Counter[str]] = defaultdict(Counter)
        long_forms: dict[str, str] = {}
        for rule, items in (("definition", definitions), ("context", context)):
            for item in sorted(set(items), key=lambda d: (d.paper, d.short, d.long)):
                short, key = singular(item.short), self._long_key(item.long)
                self.readable.setdefault(key, self.spellings[item.long].readable)
                long_forms[key] = min(item.long, long_forms.get(key, item.long))
                if (item.paper, short) not in self._own:
                    self._own[item.paper, short] = Decision(key, rule, item.long)
                    votes[short][key] += 1
        for short, count in votes.items():
            meaning = _majority(short, count)
            if meaning is not None:
                self._corpus[short] = Decision(meaning, "majority", long_forms[meaning])

    def _read_thesaurus(self, thesaurus: Vocabulary) -> None:
        for name, label in thesaurus.merged:
            self._replaced.setdefault(self._spelled(name), label)
        for name, label in thesaurus.merged:
            said = self._said(self._spelled(name))
            if said is not None and said.key:
                self.labels.setdefault(said.key, said.via)
                self.readable.setdefault(said.key, fold(said.via) or label)

    def _short_forms(self) -> dict[str, set[str]]:
        """Return the short forms that papers define, by the key that they mean in the end."""
        found: dict[str, set[str]] = defaultdict(set)
        for paper, short in self._own:
            found[self.key(short, paper)].add(short)
        return dict(found)

    def _read_links(self, *vocabularies: Vocabulary) -> None:
        found: dict[str, set[str]] = defaultdict(set)
        for vocabulary in vocabularies:
            for label, iri in vocabulary.same_as:
                if key := self.key(label, ""):
                    found[key].add(iri)
        self.same_as = {key: tuple(sorted(iris)) for key, iris in found.items()}


@lru_cache(maxsize=1 << 12)
def _short_of(text: str) -> str:
    """Return how a name is looked up among the short forms."""
    return singular(text.replace("'s", "").replace("’s", ""))


def looks_short(text: str) -> bool:
    """Tell whether a word looks like an abbreviation.

    Example:
        >>> looks_short("k-NN"), looks_short("Adam")
        (True, False)
    """
    return len(text) <= 10 and " " not in text and sum(map(str.isupper, text)) >= 2


def definitions_inside(paper: str, name: str) -> Iterable[Definition]:
    """Yield the definition that a name holds itself: "Graph Neural Networks (GNNs)"."""
    if "(" in name and len(name) <= _LONGEST_BRACKET:
        for pair in find_abbreviations(name):
            yield Definition(paper, pair.short, pair.long)


@lru_cache(maxsize=1 << 12)
def _defined_inside(name: str) -> str:
    """Return the long form of a name that is nothing but a definition, else nothing."""
    text = name.strip()
    if not text.endswith(")") or len(text) > _LONGEST_BRACKET:
        return ""
    for pair in find_abbreviations(text):
        first, last = sorted([(pair.short_start, pair.short_end), (pair.long_start, pair.long_end)])
        rest = text[: first[0]] + text[first[1] : last[0]] + text[last[1] :]
        if not any(map(str.isalnum, rest)):
            return pair.long
    return ""


def _exact(pairs: Iterable[tuple[str, str]]) -> Iterable[str]:
    """Yield the names that only their exact spelling keeps apart from another."""
    for one, other in pairs:
        if one.strip() != other.strip() and name_key(one) == name_key(other):
            yield (other if one.strip() == fold(one) else one).strip()


def _label(key: str) -> str:
    entry = curated.entry_of(key)
    return entry.label if entry else key


def _majority(short: str, count: Counter[str]) -> str | None:
    """Return the meaning of most papers; a single one decides only what nobody else disputes."""
    (key, top), *_ = sorted(count.items(), key=lambda item: (-item[1], item[0]))
    if top < _MAJORITY * count.total():
        return None
    known = {name_key(entry.label) for entry in curated.entries_with(short)}
    return key if top >= _CONVINCING or not known or known == {key} else None
