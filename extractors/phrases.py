"""Noun phrases of a tagged text, as offsets: what may name a subject."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from extractors.words import words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

LONGEST = 6
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_MODIFIERS = _NOUNS | {"JJ", "VBN", "VBG", "CD", "FW", "AFX", "HYPH"}
_VERBAL = frozenset({"VBN", "VBG"})
_BEFORE_GERUND = frozenset({"DT", "PRP$", "POS", "JJ", "WP$"})
_AUXILIARIES = frozenset({"VB", "VBD", "VBP", "VBZ", "VBN", "VBG", "MD", "RB", "TO"})

BETWEEN = words(
    """the an this these those such same other own many several various more most less few fewer
    et al"""
)
"""Words that no name holds anywhere."""

VERBS = words(
    """achieve achieves acquire acquires address addresses affects aims align allow allows apply
    applies argue argues arise arises automate automates avoid avoids become becomes capture
    captures combine combines compare compares comprises compute computes conduct conducts confirm
    confirms consider considers consist consists construct constructs contain contains converges
    correspond corresponds define defines demonstrate demonstrates depend depends derive derives
    describe describes determine determines develop develops differ differs discover discovers
    eliminate eliminates emerge emerges employ employs enable enables encourage encourages enhance
    enhances ensure ensures establish establishes evaluate evaluates exceed exceeds exhibit
    exhibits exist exists explain explains exploit exploits explore explores extend extends
    facilitate facilitates fail fails focuses follows generate generates identify identifies
    illustrate illustrates improve improves include includes incorporate incorporates indicate
    indicates induce induces infer infers integrate integrates introduce introduces investigate
    investigates involve involves lead leads learn learns leverages maintain maintains maximizes
    minimizes mitigate mitigates obtain obtains occur occurs offer offers outperform outperforms
    overcome overcomes perform performs permits poses predict predicts present presents preserve
    preserves produce produces propose proposes prove proves provide provides reconstruct
    reconstructs reduce reduces relies rely remain remains represent represents require requires
    retain retains reveal reveals selects show shows simplify simplifies solve solves struggle
    struggles suffer suffers suggest suggests surpass surpasses tackle tackles take takes unifies
    unify use uses utilize utilizes yields vary varies"""
)
"""Verbs of scientific prose that a tagger takes for nouns at times (the study shows that)."""

OUTSIDE = words(
    """novel new proposed existing different recent called named termed dubbed given based used
    certain particular respective corresponding resulting following above-mentioned aforementioned
    previous prior current first second third last next main major minor important significant
    crucial essential interesting promising possible potential available additional
    further overall entire whole considerable substantial numerous multiple diverse good better
    best great large larger largest small smaller smallest high higher highest low lower lowest
    strong stronger weak simple simpler easy difficult hard challenging key common popular typical
    usual widespread state-of-the-art sota well-known comprehensive extensive excellent superior
    vast powerful effective efficient desired desirable unique distinct prevalent accompanying
    remarkable notable promising improved enhanced sophisticated suitable appropriate relevant
    open-ended inherent underlying specific general fundamental primary subsequent
    understanding posing lying
    competitive similar least much successive one two three four five six seven eight
    nine ten e.g. i.e. etc. et al. vs. cf. fig. eq."""
)
"""Words of degree, order and praise that stand outside of a name."""


@dataclass(frozen=True, slots=True, order=True)
class Phrase:
    """A noun phrase, or a part of one that is a noun phrase itself.

    Args:
        start: First code point.
        end: Code point after the last.
        whole: Whether no longer noun phrase holds it.
    """

    start: int
    end: int
    whole: bool


def noun_phrases(doc: Doc) -> list[Phrase]:
    """Return the noun phrases of a tagged document and their useful parts, in order.

    A phrase stands in one sentence, without article, brackets, comma or words of degree,
    and ends with a noun.

    Args:
        doc: A document with ``tag_`` and sentence bounds, as our pipeline makes it.
    """
    found = (part for run in _runs(doc) for part in _parts(run))
    return sorted(found)


def _runs(doc: Doc) -> Iterator[list[Token]]:
    """Yield the longest runs of tokens that may be one noun phrase each."""
    run: list[Token] = []
    for token in doc:
        if token.is_sent_start:
            yield run
            run = []
        if not (_belongs(token) and _may_follow(token, run)):
            yield run
            run = []
        if _belongs(token) and (run or _may_begin(token)):
            run.append(token)
    yield run


def _belongs(token: Token) -> bool:
    return (
        token.tag_ in _MODIFIERS
        and any(char.isalnum() for char in token.text)
        and not token.like_url
        and not token.like_email
        and token.lower_ not in BETWEEN
        and token.lower_ not in VERBS
    )


def _may_follow(token: Token, run: list[Token]) -> bool:
    """Tell whether a token may go on with a run: not a participle behind its noun."""
    if not run or token.tag_ not in _VERBAL or "-" in token.text:
        return True
    return run[-1].tag_ not in _NOUNS or (token.tag_ == "VBG" and run[-1].tag_ != "NNS")


def _may_begin(token: Token) -> bool:
    """Tell whether a run may begin here; a participle may after an article, not after a verb."""
    if token.tag_ not in _VERBAL or "-" in token.text:
        return True
    before = token.nbor(-1).tag_ if token.i and not token.is_sent_start else "."
    if token.tag_ == "VBG":
        return before in _BEFORE_GERUND
    return before not in _AUXILIARIES


def _parts(run: list[Token]) -> Iterator[Phrase]:
    first, last = _trimmed(run)
    for start in range(first, last):
        for end in range(start + 1, min(last, start + LONGEST) + 1):
            if _stands_alone(run[start:end]):
                whole = start == first and end == last
                tail = run[end - 1]
                yield Phrase(run[start].idx, tail.idx + len(tail), whole)


def _trimmed(run: list[Token]) -> tuple[int, int]:
    """Return the bounds of a run without words of degree before it and no noun behind it."""
    first, last = 0, len(run)
    while first < last and _is_outside(run[first]):
        first += 1
    while last > first and not _is_head(run, last - 1):
        last -= 1
    return first, last


def _is_outside(token: Token) -> bool:
    text = token.text
    return token.lower_ in OUTSIDE or not text[0].isalnum() or not any(map(str.isalpha, text))


def _is_head(run: list[Token], index: int) -> bool:
    """Tell whether a token can end a phrase: a noun, or a gerund behind another word."""
    token, before = run[index], run[index - 1].tag_ if index else ""
    if not any(map(str.isalpha, token.text)):
        return token.text.isdigit() and before in {"NNP", "NNPS"}
    if not (token.text[-1].isalnum() or token.text[-1] in "+#*"):
        return False
    return token.tag_ in _NOUNS or (token.tag_ == "VBG" and bool(before))


def _stands_alone(tokens: list[Token]) -> bool:
    first = tokens[0]
    if _is_outside(first) or not _is_head(tokens, len(tokens) - 1):
        return False
    return len(tokens) > 1 or (len(first) > 1 and not first.is_stop)
