"""What a paper calls its own: the names that a text proposes, with the kind it gives them.

We introduce Deep Foo (DFoo), a ...      X: A Benchmark for ...      our method, called X
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from extractors.abbreviations import is_short_form
from extractors.coined import coined_names
from extractors.kinds import kind_of_head, kind_of_name, kind_of_words
from extractors.markup import bare, with_raised
from extractors.mention import Abbreviation
from extractors.proposal_cues import (
    ACTIVE,
    ADJECTIVE,
    APPOSITION,
    CALL,
    CALL_SURE,
    CALLED_WORD,
    CODE,
    CONJUNCTION,
    EVIDENCE,
    HERE,
    IN_BRACKETS,
    IS_NEW,
    LEAD,
    OF_A_STUDY,
    OWN,
    PASSIVE,
    RESULT,
    SINGLE_WORD,
    STOP,
    STUDIES,
    SURE_SUBJECT,
    TAKEN,
    TITLE,
    VERB,
)
from extractors.proposal_kinds import kind_behind, kind_of_proposal, kind_told
from extractors.reading import Reading, read
from extractors.shapes import Name, is_shaped
from extractors.words import FUNCTION_WORDS, METHOD_HEADS, PRAISE


@dataclass(frozen=True, slots=True, order=True)
class Proposal:
    """A span that names something of the paper's own.

    Args:
        field: title or abstract.
        start: First code point.
        end: Code point after the last.
        kind: What the text calls it; method where it does not say.
        score: Reliability of the rule that found it, 0..1.
    """

    field: str
    start: int
    end: int
    kind: str
    score: float


@lru_cache(maxsize=64)
def find_proposals(title: str, abstract: str) -> tuple[Proposal, ...]:
    """Return the spans that name what a paper proposes, in the order of the text.

    Example:
        >>> found = find_proposals("", "We introduce FooNet, a new network built on BERT.")
        >>> [(p.start, p.end, p.kind) for p in found]
        [(13, 19, 'method')]
    """
    head, body = read(bare(title), "title"), read(bare(abstract), "abstract")
    found = {*_from_title(head, body), *_from_body(body)}
    if not found:
        found = set(_from_results(body))
    best: dict[tuple[str, int, int], Proposal] = {}
    for proposal in sorted(found, key=lambda p: (-p.score, p)):
        written = title if proposal.field == "title" else abstract
        end = with_raised(written, proposal.end)
        best.setdefault(
            (proposal.field, proposal.start, end),
            Proposal(proposal.field, proposal.start, end, proposal.kind, proposal.score),
        )
    return tuple(sorted(best.values()))


def _from_title(head: Reading, body: Reading) -> Iterator[Proposal]:
    match = TITLE.match(head.text)
    if match is None:
        return
    name, rest = match[1], match[2]
    words_of_name = name.split()
    again = re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", body.text)
    named = len(words_of_name) <= 4 and (
        any(is_shaped(w) for w in words_of_name) or (again and name[:1].isupper())
    )
    curated = any(m.start == match.start(1) and m.end == match.end(1) for m in head.curated)
    if not named or (curated and not again) or _plain_run(words_of_name):
        return
    told = _title_kind(rest) or kind_of_name(name)
    score = 0.95 if again and told else 0.85
    yield Proposal("title", match.start(1), match.end(1), told or "method", score)


def _plain_run(names: list[str]) -> bool:
    """A single everyday word, or a phrase in lower case, is a topic and no name."""
    return not any(n[:1].isupper() or is_shaped(n) for n in names) or all(
        n.lower() in FUNCTION_WORDS | PRAISE for n in names
    )


def _title_kind(rest: str) -> str | None:
    before = re.split(r"\b(?:for|of|with|via|using|in|on|from|to|by)\b", rest, maxsplit=1)[0]
    return kind_of_head(before)


def _from_body(body: Reading) -> Iterator[Proposal]:
    for start, end in body.sentences:
        yield from _from_sentence(body, start, end)
    yield from _from_code(body)


def _from_sentence(body: Reading, start: int, end: int) -> Iterator[Proposal]:
    sentence = body.text[start:end]
    proposing = list(ACTIVE.finditer(sentence)) if VERB.search(sentence) else []
    sure = [m for m in proposing if SURE_SUBJECT.search(m[0]) or _preceded_by_we(sentence, m)]
    for match in sure:
        yield from _from_object(body, start + match.end(), end)
    own = bool(sure) or bool(re.search(r"\b(?:[Ww]e|[Oo]ur|[Tt]his (?:paper|work))\b", sentence))
    for name in body.names_in(start, end):
        if not _curated(body, name.start, name.end):
            yield from _from_cue(body, name, start, end, own=own)
    for pair in body.definitions_in(start, end):
        if start <= pair.long_start and OWN.search(body.text[start : pair.long_start]):
            yield from _from_definition(body, pair, start, "")
    if own:
        yield from _called(body, start, end)
    for coined in coined_names(body.text, start, end):
        if not _curated(body, coined.start, coined.end):
            yield Proposal(body.field, coined.start, coined.end, coined.kind, 0.85)


def _preceded_by_we(sentence: str, match: re.Match[str]) -> bool:
    """Tell whether the subject of a bare "and present X" are the authors."""
    before = sentence[: match.start()]
    if re.search(r"\b(?:[Ww]e|[Tt]his (?:paper|work|article|study))\b", before):
        return not match[0].startswith("to ") or "propos" in match[0]
    return bool(re.match(r"(?:by|through|via)\b", match[0]) and re.search(r"\bour\b", sentence))


def _from_object(body: Reading, start: int, end: int) -> Iterator[Proposal]:
    """Names in the object of "we propose", up to where something else is said of it."""
    stop = STOP.search(body.text, start, end)
    limit = stop.start() if stop else end
    region = body.text[start:limit]
    if _is_study(region):
        return
    for segment_start, segment_end in _segments(body.text, start, limit):
        yield from _from_segment(body, segment_start, segment_end, start, end)
    for pair in body.definitions_in(start, limit):
        if start <= min(pair.long_start, pair.short_start):
            yield from _from_definition(body, pair, start, region)


def _is_study(region: str) -> bool:
    nouns = region.lower().strip(" .,").split()
    return bool(nouns) and nouns[-1] in STUDIES


def _of_a_study(words: str) -> bool:
    """Tell whether the words before a name make it a matter of experiments or results."""
    return OF_A_STUDY.search(words) is not None


def _segments(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The conjuncts of an object: "A and B", "two methods, A, and B"."""
    place = start
    for match in CONJUNCTION.finditer(text, start, end):
        yield place, match.start()
        place = match.end()
    yield place, end


def _from_segment(
    body: Reading, start: int, end: int, region_start: int, sentence_end: int
) -> Iterator[Proposal]:
    """A name at the start of a conjunct, or just before or behind its head noun."""
    lead = LEAD.match(body.text, start, end)
    first = lead.end() if lead else start
    for name in _candidates(body, start, end):
        if _of_a_study(body.text[region_start : name.start]):
            continue
        after = body.text[name.end : sentence_end]
        if name.start == first:
            known = _curated(body, name.start, name.end)
            if (known and not _apposed(after)) or not _stands_alone(name, after, lead):
                continue
        elif _curated(body, name.start, name.end) or not _behind_head(body.text, start, name.start):
            continue
        kind = _kind(body, name, region_start, after)
        yield Proposal(body.field, name.start, name.end, kind, 0.9)
        if short := _bracketed(body.text, name.end):
            yield Proposal(body.field, *short, kind, 0.9)


def _bracketed(text: str, end: int) -> tuple[int, int] | None:
    """Return the short form in brackets right behind a name, if there is one."""
    match = IN_BRACKETS.match(text, end)
    return match.span(1) if match and is_short_form(match[1]) else None


def _candidates(body: Reading, start: int, end: int) -> Iterator[Name]:
    """Names of the segment, and a single capitalised word at its start ("Voyager, ...")."""
    inside = _whole_names(body, start, end)
    yield from inside
    match = SINGLE_WORD.match(body.text, start, min(len(body.text), end + 6))
    if match and not _taken(body, inside, match.start(1), start, end):
        yield Name(match.start(1), match.end(1), False)


def _whole_names(body: Reading, start: int, end: int) -> list[Name]:
    """Return the names of a stretch that are no mere part of a long form."""
    longs = [(p.long_start, p.long_end) for p in body.definitions_in(start, end)]
    return [
        n
        for n in body.names_in(start, end)
        if not any(a <= n.start and n.end <= b and (a, b) != (n.start, n.end) for a, b in longs)
    ]


def _taken(body: Reading, names: Iterable[Name], place: int, start: int, end: int) -> bool:
    """Tell whether a place is part of a name, or of a long form."""
    inside = any(n.start <= place < n.end for n in names)
    definitions = body.definitions_in(start, end)
    return inside or any(p.long_start <= place < p.long_end for p in definitions)


def _apposed(after: str) -> bool:
    return APPOSITION.match(after) is not None


def _stands_alone(name: Name, after: str, lead: re.Match[str] | None) -> bool:
    """A shaped name does; "a Bayesian Network that ..." is a description, "Deep Foo, a" a name."""
    following = re.match(r"[\s-]+([a-z-]+)", after)
    noun = following[1] if following else ""
    if noun in STUDIES:
        return False
    if name.shaped:
        head = noun.rstrip("s") in METHOD_HEADS or kind_of_head(noun or " ") is not None
        article = lead is not None and re.search(r"\b(?:a|an)\b", lead[0]) is not None
        return not noun or head or not article or noun in FUNCTION_WORDS
    return _apposed(after) or re.match(r"\s*(?:\(|\.|$)", after) is not None


def _behind_head(text: str, start: int, end: int) -> bool:
    """Tell whether a head noun stands before a name, as in "a new framework X"."""
    before = text[start:end].lower().rstrip(" \"'“‘*(:,—–-").split()
    return (
        bool(before)
        and "-" not in before[-1]
        and (before[-1].rstrip("s") in METHOD_HEADS or kind_of_head(before[-1]) is not None)
    )


def _kind(body: Reading, name: Name, start: int, after: str) -> str:
    return kind_of_proposal(body.text[start : name.start], body.text[name.start : name.end], after)


def _from_definition(
    body: Reading, pair: Abbreviation, start: int, region: str
) -> Iterator[Proposal]:
    """A long form with its short form in the object: both are the paper's own."""
    long_known = _curated(body, pair.long_start, pair.long_end)
    short_known = _curated(body, pair.short_start, pair.short_end)
    if long_known or (short_known and kind_of_words(pair.long) is None):
        return
    if _of_a_study(region[: max(0, pair.long_start - start)]) or ADJECTIVE.fullmatch(pair.long):
        return
    kind = (
        kind_behind(body.text[max(pair.long_end, pair.short_end) + 1 :][:120])
        or kind_told(pair.long)
        or kind_of_head(region[: max(0, pair.long_start - start)])
        or "method"
    )
    yield Proposal(body.field, pair.long_start, pair.long_end, kind, 0.95)
    yield Proposal(body.field, pair.short_start, pair.short_end, kind, 0.95)


def _from_cue(body: Reading, name: Name, start: int, end: int, *, own: bool) -> Iterator[Proposal]:
    """Propose a name in "our X", "X is proposed" or "X is a novel method"."""
    before, after = body.text[start : name.start], body.text[name.end : end]
    kind = _kind(body, name, max(start, name.start - 60), after)
    if name.shaped and OWN.search(before) and not _is_study(after[:20]):
        yield Proposal(body.field, name.start, name.end, kind, 0.8)
    if name.shaped and HERE.match(after):
        yield Proposal(body.field, name.start, name.end, kind, 0.85)
    if name.shaped and PASSIVE.match(after) and not re.search(r"\[|\(\w+,? \d{4}", after[:60]):
        yield Proposal(body.field, name.start, name.end, kind, 0.75)
    if name.shaped and own and IS_NEW.match(after) and re.search(r"novel|new|first", after[:60]):
        yield Proposal(body.field, name.start, name.end, kind, 0.75)


def _called(body: Reading, start: int, end: int) -> Iterator[Proposal]:
    """Names behind "called" and its like in a sentence of which the authors are the subject."""
    for name in _all_names(body, start, end):
        before = body.text[start : name.start]
        cue = CALL.search(before[-90:])
        if cue is None or _curated(body, name.start, name.end):
            continue
        sure = CALL_SURE.search(cue[0]) is not None and TAKEN.search(before[-150:]) is None
        if not sure and not _proposing(before):
            continue
        if re.search(r"\bso-?\Z", before[: -len(cue[0])].rstrip()):
            continue
        verbs = [m.end() for m in ACTIVE.finditer(before)]
        since = start + verbs[-1] if verbs else max(start, name.start - 90)
        kind = _kind(body, name, since, body.text[name.end : end])
        yield Proposal(body.field, name.start, name.end, kind, 0.9)


def _proposing(before: str) -> bool:
    return any(SURE_SUBJECT.search(m[0]) for m in ACTIVE.finditer(before))


def _all_names(body: Reading, start: int, end: int) -> Iterator[Name]:
    inside = _whole_names(body, start, end)
    yield from inside
    for match in CALLED_WORD.finditer(body.text, start, end):
        if not _taken(body, inside, match.start(1), start, end):
            yield Name(match.start(1), match.end(1), False)


def _from_code(body: Reading) -> Iterator[Proposal]:
    """A repository that bears a name of the text."""
    for match in CODE.finditer(body.text):
        for name in body.names:
            written = body.text[name.start : name.end]
            same = _slug(written) == _slug(match[1].removesuffix(".git"))
            if not (name.shaped and same and name.end <= match.start()):
                continue
            if not _curated(body, name.start, name.end):
                kind = _kind(body, name, name.start, body.text[name.end :])
                yield Proposal(body.field, name.start, name.end, kind, 0.85)


def _slug(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _from_results(body: Reading) -> Iterator[Proposal]:
    """Where nothing is proposed in so many words: "experiments show that X outperforms"."""
    long_forms = {p.short: p for p in body.abbreviations}
    for name in body.names:
        written = body.text[name.start : name.end].removesuffix("s")
        start, end = body.sentence_of(name.start, name.end)
        before, after = body.text[start : name.start], body.text[name.end : end]
        pair = long_forms.get(written)
        if not name.shaped or _curated(body, name.start, name.end):
            continue
        if pair is not None and _curated(body, pair.long_start, pair.long_end):
            continue
        if (
            RESULT.match(after)
            and EVIDENCE.search(before)
            and before.rstrip()[-4:] in ("that", "show")
        ):
            kind = kind_of_name(written) or "method"
            yield Proposal(body.field, name.start, name.end, kind, 0.7)
            if pair is not None:
                yield Proposal(body.field, pair.long_start, pair.long_end, kind, 0.7)


def _curated(body: Reading, start: int, end: int) -> bool:
    """Tell whether a span is a well-known name, or the text's short form of one."""
    written = body.text[start:end].removesuffix("s")
    return body.is_curated(start, end) or written in body.known_shorts
