"""Results that an abstract reports: metric, value, unit, data set, task, method, comparison.

    sentence ──▶ skeleton (numbers, metrics, names folded) ──▶ patterns ──▶ results

Precision comes before recall: a number that no pattern joins to a metric is no result, and a
data set, task or method that the clause does not name beyond doubt stays empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from extractors.matcher import singular
from extractors.mention import Abbreviation, Extraction, Mention, Result, Text
from extractors.proposals import find_proposals
from extractors.reading import read
from extractors.result_cues import (
    AFTER,
    AGAINST_VALUE,
    BEFORE,
    CHANGED,
    CHANGES,
    CONTINUED,
    COUNTS,
    DATASET,
    ELSEWHERE,
    FASTER,
    FOLDED,
    FROM_TO,
    LEADING,
    LISTED,
    METHOD,
    METRIC,
    NAMED_SUBJECT,
    NO_RESULT,
    NOT_FINITE,
    NOT_HERE,
    NOT_SUBJECT,
    OWN_SUBJECT,
    QUANTITY,
    RESULT_VERB,
    STATED,
    TASK,
    TASK_FOLLOWS,
    TASK_NAME,
    THAN,
    TRAINED,
    VAGUE,
)
from extractors.skeleton import Skeleton, fold
from extractors.words import FUNCTION_WORDS

RESULTS_VERSION = "1"
_FIELDS = ("title", "abstract")
_DIGIT = re.compile(r"\d")
_MORE = re.compile(r"(?:,? and|,? or|,|/|,? as well as) ?(?:the |on )*[A-Z]")
_TEAM = re.compile(r"@| at ")  # "FooLab at SemEval" names who, not what
_OPEN_LIST = re.compile(r"(?:\b(?:and|or)|,) ?\Z")
_NO_NAME = FUNCTION_WORDS | {"higher", "lower", "better", "improved", "increased", "reduced"}
_NO_NAME |= {"points", "absolute", "relative", "decreased", "greater", "high", "low", "better"}


class ResultExtractor:
    """Finds results alone; `EntityExtractor` gives them too, beside its mentions.

    Example:
        >>> text = Text("FooNet reaches an accuracy of 93.1% on CIFAR-10.")
        >>> [(r.metric, r.value, r.unit) for r in next(ResultExtractor().extract([text])).results]
        [('accuracy', 93.1, '%')]
    """

    name = "results"

    @property
    def version(self) -> str:
        """Version of the rules, and of the entities that they join."""
        from extractors.entities import EntityExtractor

        return EntityExtractor().version

    def extract(self, texts: Iterable[Text]) -> Iterator[Extraction]:
        """Yield one extraction a text, in order."""
        from extractors.entities import find_entities

        for text in texts:
            yield Extraction(results=find_results(text, find_entities(text)))


@dataclass(frozen=True, slots=True)
class _Fact:
    """A number of the skeleton with the metric that a pattern joined to it."""

    at: int
    span: tuple[int, int]
    metric: str
    unit: str
    relation: str = "value"
    old: float | None = None
    place: int = 0  # among the numbers of one list
    listed: int = 1


def find_results(
    text: Text, mentions: Sequence[Mention], abbreviations: Sequence[Abbreviation] = ()
) -> tuple[Result, ...]:
    """Return the results that a title and an abstract report, in the order of the text.

    Args:
        text: The text.
        mentions: Its data sets, tasks and methods, as `extractors.entities` finds them.
        abbreviations: Definitions in it, to know a proposed method by its short form.

    Example:
        >>> text = Text("It improves accuracy by 3.2%, from 65.5 to 68.7.")
        >>> [(r.metric, r.relation, r.value, r.unit) for r in find_results(text, ())]
        [('accuracy', 'better', 3.2, '%')]
    """
    found: list[Result] = []
    own: str | None = None
    for name in _FIELDS:
        content = text.field(name)
        for start, end in read(content, name).sentences if _DIGIT.search(content) else ():
            if not _DIGIT.search(content, start, end):
                continue
            skeleton = fold(content, start, end, [m for m in mentions if m.field == name])
            facts = _facts(skeleton)
            if facts and own is None:
                own = _own_method(text, abbreviations)
            found += (_result(skeleton, f, facts, own or "", (name, start, end)) for f in facts)
    return tuple(sorted(set(found), key=lambda r: (r.field, r.start, r.metric, r.value)))


def _facts(skeleton: Skeleton) -> list[_Fact]:
    """Return the numbers that a pattern joins to a metric, each once."""
    facts: list[_Fact] = []
    for pattern in (*FROM_TO, *CHANGED, *STATED, FASTER):
        for match in pattern.finditer(skeleton.text):
            fresh = _read(skeleton, match)
            facts += fresh
            skeleton.used.update(fact.at for fact in fresh)
    return sorted(facts, key=lambda fact: fact.at)


def _read(skeleton: Skeleton, match: re.Match[str]) -> list[_Fact]:
    """Return the facts of one match: as many metrics as numbers, or one metric for all."""
    named = match.groupdict()
    numbers = skeleton.within(match.span("qs"), QUANTITY)
    if skeleton.used.intersection(numbers) or NO_RESULT.search(skeleton.text, 0, match.start()):
        return []
    relation = _relation(skeleton, match)
    metrics = _metrics(skeleton, match, len(numbers))
    if len(metrics) != len(numbers) or (named.get("mods") and _no_name(named["mods"])):
        return []
    if len(numbers) > 1 and _OPEN_LIST.search(named.get("gap") or ""):
        return []
    if any(_counts(skeleton, at) for at in numbers):
        return []
    old = skeleton.items[match.start("old")].value if named.get("old") else None
    units = [skeleton.items[at].unit for at in numbers]
    last = "points" if named.get("points") else units[-1]
    return [
        _Fact(at, match.span(), metric, unit or last, relation, old, i, len(numbers))
        for i, (at, metric, unit) in enumerate(zip(numbers, metrics, units, strict=True))
    ]


def _counts(skeleton: Skeleton, at: int) -> bool:
    """Tell whether a whole number without unit counts things: "2 orders", "4933 sentences"."""
    item = skeleton.items[at]
    if item.unit or "." in item.text:
        return False
    return len(item.text) > 3 or COUNTS.match(skeleton.text, at + 1) is not None


def _metrics(skeleton: Skeleton, match: re.Match[str], wanted: int) -> list[str]:
    if "ms" not in match.re.groupindex:
        return ["speed"] if skeleton.items[match.start("qs")].unit == "×" else []
    start, end = match.span("ms")
    places = skeleton.within((start, end), METRIC)
    places = [at for at in places if skeleton.text[at - 1 : at] != "(" or at == places[0]]
    names = [_metric_name(skeleton.items[at].text) for at in places]
    if mods := match.groupdict().get("mods"):
        names[0] = _metric_name(_unfold(skeleton, match.span("mods")) + names[0]) if mods else ""
    if wanted == 1 and len(names) > 1 and skeleton.text[:start].endswith(f"{QUANTITY} "):
        names = names[-1:]
    return names * wanted if len(names) == 1 else names


def _unfold(skeleton: Skeleton, span: tuple[int, int]) -> str:
    """Return the words of a span, without the data sets in it."""
    parts = [
        ("" if skeleton.text[at] == DATASET else skeleton.items[at].text)
        if at in skeleton.items
        else skeleton.text[at]
        for at in range(*span)
    ]
    return " ".join("".join(parts).split()) + " "


def _metric_name(words: str) -> str:
    name = " ".join(words.split())
    return VAGUE.sub("", name) or name


def _no_name(words: str) -> bool:
    return any(word.lower() in _NO_NAME for word in words.split())


def _relation(skeleton: Skeleton, match: re.Match[str]) -> str:
    word = match.groupdict().get("change")
    if not word and "mods" in match.re.groupindex:
        before = CONTINUED.search(skeleton.text, 0, match.start())
        word = before and (before["change"] or before["gain"])
    return _difference(word) if word else "value"


def _difference(word: str) -> str:
    return next(name for name, forms in CHANGES.items() if re.match(forms, word, re.IGNORECASE))


def _result(
    skeleton: Skeleton, fact: _Fact, facts: Sequence[_Fact], own: str, place: tuple[str, int, int]
) -> Result:
    item = skeleton.items[fact.at]
    clause = _clause(skeleton, fact, facts)
    return Result(
        *place,
        metric=fact.metric,
        value=item.value,
        unit=fact.unit,
        dataset=_named(skeleton, fact, clause, "dataset"),
        task=_named(skeleton, fact, clause, "task"),
        method=_subject(skeleton, fact, own),
        compared_value=_old_value(skeleton, fact, (fact.span[1], clause[1])),
        relation=fact.relation,
        compared_method=_other(skeleton, fact, clause),
        qualifier=item.qualifier,
        start=item.start,
        end=item.end,
    )


def _clause(skeleton: Skeleton, fact: _Fact, facts: Sequence[_Fact]) -> tuple[int, int]:
    """Return where the words around a fact end: at the numbers of the facts beside it."""
    left = max((f.span[1] for f in facts if f.span[1] <= fact.span[0]), default=0)
    right = min((f.span[0] for f in facts if f.span[0] >= fact.span[1]), default=None)
    return left, len(skeleton.text) if right is None else right


def _named(skeleton: Skeleton, fact: _Fact, clause: tuple[int, int], kind: str) -> str:
    """Return the data set or task that a fact is about, where the clause names just that."""
    inner = skeleton.within(fact.span, FOLDED[kind])
    if inner:
        return skeleton.items[inner[0]].text if len(inner) == 1 else ""
    after = AFTER[kind].match(skeleton.text, fact.span[1], clause[1])
    if after and not NOT_HERE.search(after["lead"]) and not TRAINED.search(after["lead"]):
        return _of_list(skeleton, after.span("names"), fact, FOLDED[kind])
    befores = list(BEFORE[kind].finditer(skeleton.text, 0, fact.span[0]))
    if not befores or ELSEWHERE.search(skeleton.text, befores[-1].end(), fact.span[0]):
        return ""
    return _of_list(skeleton, befores[-1].span("names"), fact, FOLDED[kind])


def _of_list(skeleton: Skeleton, span: tuple[int, int], fact: _Fact, char: str) -> str:
    places = [at for at in skeleton.within(span, char) if skeleton.text[at - 1] != "("]
    if len(places) != fact.listed or _MORE.match(skeleton.text, span[1]):
        return ""
    name = skeleton.items[places[fact.place]].text
    shaped = char == TASK and TASK_NAME.search(name)
    return "" if shaped and not TASK_FOLLOWS.match(skeleton.text, span[1]) else name


def _subject(skeleton: Skeleton, fact: _Fact, own: str) -> str:
    """Return the method that stands as the subject of the verb nearest before a fact."""
    verbs = list(RESULT_VERB.finditer(skeleton.text, 0, max(fact.span[0], fact.at)))
    if verbs and fact.relation == "value" and LEADING.match(verbs[-1]["verb"]):
        return ""  # "it surpasses the accuracy of 69% of humans"
    for verb in reversed(verbs):
        before = skeleton.text[: verb.start()]
        if named := NAMED_SUBJECT.search(before):
            unsure = NOT_SUBJECT.match(named["before"].strip().lower())
            listed = before[: named.start("name")].rstrip(", ").endswith(METHOD)
            return "" if unsure or listed else skeleton.items[named.start("name")].text
        if OWN_SUBJECT.search(before):
            others = skeleton.within((0, fact.at), METHOD)
            return own if all(skeleton.items[at].text == own for at in others) else ""
        if not NOT_FINITE.match(verb["verb"]):
            return ""
    return ""


def _other(skeleton: Skeleton, fact: _Fact, clause: tuple[int, int]) -> str:
    """Return the one method that a fact compares with."""
    if fact.relation == "value":
        return ""
    start = fact.span[0] if clause[0] else 0
    for found in THAN.finditer(skeleton.text, start, clause[1]):
        if not LISTED.match(found["after"]) and found.start("name") in skeleton.items:
            return skeleton.items[found.start("name")].text
    return ""


def _old_value(skeleton: Skeleton, fact: _Fact, clause: tuple[int, int]) -> float | None:
    if fact.old is not None or fact.relation != "value" or fact.listed > 1:
        return fact.old
    against = AGAINST_VALUE.search(skeleton.text, *clause)
    if not against or skeleton.within((clause[0], against.start("old")), QUANTITY):
        return None
    return skeleton.items[against.start("old")].value


def _own_method(text: Text, abbreviations: Iterable[Abbreviation]) -> str:
    """Return the name of the one method that a paper proposes, empty where there are more."""
    shorts = {singular(pair.long).casefold(): pair.short for pair in abbreviations}
    names = {
        shorts.get(singular(name).casefold(), name)
        for p in find_proposals(text.title, text.abstract)
        if p.kind == "method"
        for name in (text.field(p.field)[p.start : p.end],)
    }
    names = {name for name in names if not _TEAM.search(name)}
    return names.pop() if len(names) == 1 else ""
