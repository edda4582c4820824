"""Phrases of a tagged text that may name a subject: noun phrases, their parts, their kin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from extractors.stems import stem
from extractors.words import FUNCTION_WORDS, words

LONGEST = 6
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_MODIFIERS = _NOUNS | {"JJ", "VBN", "VBG", "CD", "FW", "AFX", "HYPH"}
_VERBAL = frozenset({"VBN", "VBG"})
_PARTICIPLES = frozenset({"VBG", "VBN", "VBD"})
_BEFORE_GERUND = frozenset({"DT", "PRP$", "POS", "JJ", "WP$"})
_AUXILIARIES = frozenset({"VB", "VBD", "VBP", "VBZ", "VBN", "VBG", "MD", "RB", "TO"})
_OBJECT = _MODIFIERS | {"DT", "PRP", "PRP$", "JJR", "JJS", "TO", "RB"}

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
    retain retains reveal reveals promise promises guarantee guarantees increases decreases
    supports boosts thanks selects show shows simplify simplifies solve solves struggle
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
    poor included
    remarkable notable promising improved enhanced sophisticated suitable appropriate relevant
    open-ended inherent underlying specific general fundamental primary subsequent
    understanding posing lying
    competitive similar least much successive one two three four five six seven eight
    nine ten e.g. i.e. etc. et al. vs. cf. fig. eq."""
)
"""Words of degree, order and praise that stand outside of a name."""

DEGREES = words(
    """high higher low lower large larger small smaller strong weak multiple general simple unique
    hard competitive efficient fundamental two three"""
)
"""Words of degree that also begin names: low bit rate, weak supervision, two phase flow."""

LIGHT = words(
    """number numbers set sets use uses kind kinds type types lot range variety class classes
    series pair pairs part parts amount amounts couple degree means terms case cases role form
    forms lack view basis presence absence aspect aspects majority plethora family"""
)
"""Nouns that say little before *of*."""


class Word(NamedTuple):
    """A token: its first code point, its letters, the same in lower case, its tag.

    ``opens`` tells whether it is the first of a sentence.
    """

    start: int
    text: str
    lower: str
    tag: str
    opens: bool

    @property
    def end(self) -> int:
        """The code point after its last."""
        return self.start + len(self.text)


class Phrase(NamedTuple):
    """A phrase as a half-open range of words.

    Args:
        first: Its first word.
        stop: The word after its last.
        sort: How it was found: noun (a noun phrase), part (of one), led (a noun phrase with
            a word of degree, an adverb or a verb's form before it), of, gerund.
    """

    first: int
    stop: int
    sort: str


def find_phrases(text: Sequence[Word]) -> list[Phrase]:
    """Return the noun phrases of a text, their useful parts and their kin, in order.

    A phrase stands in one sentence, without article, brackets or comma, and ends with a
    noun or a gerund.
    """
    runs = [bounds for run in _runs(text) if (bounds := _trimmed(text, *run))]
    found = dict[tuple[int, int], str]()
    for bounds in runs:
        _add(found, _parts(text, *bounds), bounds)
        _add(found, _led(text, *bounds), None, "led")
    _add(found, _joined(text, runs), None, "of")
    _add(found, _gerunds(text), None, "gerund")
    return sorted(Phrase(first, stop, sort) for (first, stop), sort in found.items())


def _add(
    found: dict[tuple[int, int], str],
    spans: Iterable[tuple[int, int]],
    whole: tuple[int, int] | None,
    sort: str = "part",
) -> None:
    for span in spans:
        found.setdefault(span, "noun" if span == whole else sort)


def _runs(text: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """Yield the longest runs of words that may be one noun phrase each."""
    first = None
    for i, word in enumerate(text):
        belongs = _belongs(word) or (word.tag == "POS" and first is not None)
        if first is not None and (word.opens or not belongs or not _may_follow(word, text[i - 1])):
            yield first, i
            first = None
        if first is None and _belongs(word) and _may_begin(word, text, i):
            first = i
    if first is not None:
        yield first, len(text)


def _belongs(word: Word) -> bool:
    return (
        word.tag in _MODIFIERS
        and word.lower not in BETWEEN
        and word.lower not in VERBS
        and any(map(str.isalnum, word.text))
        and "@" not in word.text
        and "://" not in word.text
    )


def _may_follow(word: Word, before: Word) -> bool:
    """Tell whether a word may go on with a run: not a participle behind its noun."""
    if word.tag not in _VERBAL or "-" in word.text:
        return True
    return before.tag not in _NOUNS or (word.tag == "VBG" and before.tag != "NNS")


def _may_begin(word: Word, text: Sequence[Word], i: int) -> bool:
    """Tell whether a run may begin here; a participle may after an article, not after a verb."""
    if word.tag not in _VERBAL or "-" in word.text:
        return True
    before = text[i - 1].tag if i and not word.opens else "."
    if word.tag == "VBG":
        return before in _BEFORE_GERUND
    return before not in _AUXILIARIES


def _trimmed(text: Sequence[Word], first: int, stop: int) -> tuple[int, int] | None:
    """Return the bounds of a run without words of degree before it and no noun behind it."""
    begin = first
    while first < stop and _is_outside(text[first]):
        first += 1
    if begin < first < stop - 1 and _is_graded(*text[first - 1 : first + 2]):
        first += 1
    while stop > first and not _is_head(text, stop - 1, first):
        stop -= 1
    return (first, stop) if first < stop else None


def _is_graded(before: Word, word: Word, behind: Word) -> bool:
    """Tell whether a noun belongs to the word of degree before it: high quality smooth maps."""
    return before.lower in DEGREES and word.tag in _NOUNS and behind.tag == "JJ"


def _parts(text: Sequence[Word], first: int, stop: int) -> Iterator[tuple[int, int]]:
    for start in range(first, stop):
        if _is_outside(text[start]):
            continue
        for end in range(start + 1, min(stop, start + LONGEST) + 1):
            if _is_head(text, end - 1, start) and (end - start > 1 or _is_name(text[start])):
                yield start, end


def _is_outside(word: Word) -> bool:
    letters = word.text
    return (
        word.lower in OUTSIDE
        or word.tag == "POS"
        or not letters[0].isalnum()
        or not any(map(str.isalpha, letters))
    )


def _is_head(text: Sequence[Word], i: int, first: int) -> bool:
    """Tell whether a word can end a phrase: a noun, or a gerund behind another word."""
    word = text[i]
    if not any(map(str.isalpha, word.text)):
        return word.text.isdigit() and i > first and text[i - 1].tag in {"NNP", "NNPS"}
    if not (word.text[-1].isalnum() or word.text[-1] in "+#*"):
        return False
    return word.tag in _NOUNS or (word.tag == "VBG" and i > first)


def _is_name(word: Word) -> bool:
    return len(word.text) > 1 and word.lower not in FUNCTION_WORDS


def _led(text: Sequence[Word], first: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield the phrase with what stands before it, if that may belong to the name."""
    if first == 0 or text[first].opens or stop - first >= LONGEST:
        return
    word, adverb = text[first - 1], _is_adverb(text[first - 1])
    if word.tag in _PARTICIPLES and stem(word.lower) not in _VERB_STEMS:
        start = first - 1
        if start and not word.opens and _is_adverb(text[start - 1]):
            start -= 1
        if word.lower not in OUTSIDE | BETWEEN and word.text[0].isalnum():
            yield start, stop
    elif word.lower in DEGREES or (adverb and text[first].tag in {"VBN", "JJ"}):
        yield first - 1, stop


def _is_adverb(word: Word) -> bool:
    return word.tag == "RB" and word.lower.endswith("ly")


def _joined(text: Sequence[Word], runs: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield short phrases joined by of: quality of service, internet of things."""
    begins = dict(runs)
    for first, stop in runs:
        of = stop < len(text) and text[stop].lower == "of" and not text[stop].opens
        behind = begins.get(stop + 1)
        if of and behind and behind - stop <= 3 and text[stop - 1].lower not in LIGHT:
            for start in {max(first, stop - 2), stop - 1}:
                yield start, behind


def _gerunds(text: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """Yield gerunds that stand for an activity: pruning, web crawling."""
    for i, word in enumerate(text):
        if word.tag != "VBG" or len(word.text) < 6 or stem(word.lower) in _VERB_STEMS:
            continue
        behind = text[i + 1].tag if i + 1 < len(text) else "."
        if behind not in _OBJECT and word.lower not in OUTSIDE and word.text[0].isalpha():
            yield i, i + 1


_VERB_STEMS = frozenset(map(stem, VERBS | words("be have make get give keep find help lead do")))
