"""Words that have the shape of a name: CamelCase, capitals, digits, hyphenated names.

Shared-AE   HCFL+   Llama3-8B-Instruct   GPT-4o   CIFAR-10   word2vec   Kernel SHAP
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from extractors.words import COMMON_NAMES, FUNCTION_WORDS, NOT_NAMES, PRAISE, words

_WORD = re.compile(
    r"(?<![\w@\\$^])[^\W_]\w*(?:[-–‐&@][^\W_]\w*|\.\d\w*|[’'](?!s\b)[^\W_]\w*)*(?:\+{1,2})?"
)
_WEB = re.compile(
    r"(?:https?://|www\.)\S+|[^\s@]{1,64}@[^\s@]{1,64}\.\w+"
    r"|\b[\w.-]{1,64}\.(?:com|org|io|edu|net|ai)\b(?:/\S*)?"
)
_NUMBER_UNIT = re.compile(r"\d[\d.,]*(?:[KMBkmGTx%]|[DF]|th|nd|st|rd|ms|GB|MB)?(?:[-–]\w+)?")
_ADJECTIVES = re.compile(
    r"(?<=[\w+])[-–‐](?:(?:based|aware|like|style|driven|guided|free|oriented|specific|level"
    r"|friendly|efficient|inspired|agnostic|centric|only|type|wise|hard|complete|shot|to|and|or)\b"
    r"|[a-z]+(?:ed|able|al|ic|ing)\b(?<!learning)(?<!tuning)(?<!ranking))[\w-]*\Z"
)
_PREFIX = re.compile(
    r"(?:non|pre|post|multi|cross|inter|intra|anti|sub|semi|self|co|re|un|zero|one|few|high|low"
    r"|open|top|single|two|three)[-–‐]",
    re.IGNORECASE,
)
_VERSION = re.compile(r"\s(?:v?\d+(?:\.\d+)+[A-Za-z]?|v\d+|(?:19|20)\d\d)(?![\w%.]|\.\d)")
_LONGEST = 60
_CALL = re.compile(r"\((?:\d|\w\))")
_NO_LEAD = words(
    """using use code thus hence we given like unlike following combining leveraging existing
    building inspired motivated instead specifically notably additionally experiments results
    compared comparing training applying evaluating extending our recent current although both
    english chinese german french spanish modern popular various different state
    models model methods method dataset datasets benchmark benchmarks figure table section
    ieee google meta openai microsoft nvidia"""
)


@dataclass(frozen=True, slots=True, order=True)
class Name:
    """A span in the shape of a name.

    ``shaped`` tells a run with at least one word that cannot be plain text ("Kernel SHAP")
    from one of capitalised words alone ("Visual Genome").
    """

    start: int
    end: int
    shaped: bool


def find_shapes(text: str) -> tuple[Name, ...]:
    """Return the name-shaped spans of a text, in order, without overlap.

    Example:
        >>> text = "We compare Shared-AE with BERT-based models on Visual Genome."
        >>> [text[n.start : n.end] for n in find_shapes(text)]
        ['Shared-AE', 'BERT', 'Visual Genome']
    """
    if text.isupper():
        return ()
    return tuple(_runs(text, [_Word.of(text, *span) for span in _word_spans(text)]))


def is_shaped(word: str) -> bool:
    """Tell whether a single word can only be a name.

    Example:
        >>> [is_shaped(w) for w in ("GPT-4o", "wav2vec", "k-NN", "Graph", "3D", "state-of-the-art")]
        [True, True, True, False, False, False]
    """
    letters = [c for c in word if c.isalpha()]
    if len(letters) < 2 or _NUMBER_UNIT.fullmatch(word) or word in NOT_NAMES:
        return False
    if word.lower() in FUNCTION_WORDS:
        return False
    upper = sum(c.isupper() for c in letters)
    if upper < 3 and len(letters) > 7 and word[0].islower() and not any(c.isdigit() for c in word):
        return bool(re.match(r"[a-z]{1,3}[A-Z]", word))
    if upper >= 2 or (upper and any(c.isupper() for c in word[1:])):
        return not _is_title_case(word)
    digit = any(c.isdigit() for c in word)
    if digit and re.search(r"[^\W\d_]\d+[^\W\d_]", word) and not re.search(r"\d[-–]\d", word):
        return "-" not in word or upper > 0
    if digit and upper:
        return True
    return re.fullmatch(r"[^\W\d_][-–‐][^\W\d_]\w+", word) is not None and word[0] not in "xIe"


def _is_title_case(word: str) -> bool:
    """Out-of-Distribution, Self-Supervised: capitals that only begin words."""
    parts = re.split(r"[-–‐.&']", word)
    plain = all(p.islower() or (p[1:].islower() and len(p) > 2) for p in parts if p)
    return len(parts) > 1 and plain


@dataclass(frozen=True, slots=True)
class _Word:
    start: int
    end: int
    text: str
    shaped: bool
    capital: bool

    @classmethod
    def of(cls, text: str, start: int, end: int) -> _Word:
        start, end = _bare(text, start, end)
        word = text[start:end]
        capital = word[:1].isupper() and word[1:2].islower() and word.lower() not in FUNCTION_WORDS
        return cls(start, end, word, is_shaped(word), capital and word not in NOT_NAMES)


def _word_spans(text: str) -> Iterator[tuple[int, int]]:
    webs = [m.span() for m in _WEB.finditer(text)]
    for match in _WORD.finditer(text):
        if (match[0].isalpha() and match[0].islower()) or len(match[0]) > _LONGEST:
            continue
        if not any(start <= match.start() < end for start, end in webs):
            yield match.span()


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    """Cut what surrounds a name in a hyphenated word: "non-X", "X-based", "X's"."""
    word = text[start:end]
    if (prefix := _PREFIX.match(word)) and is_shaped(word[prefix.end() :]) and word[0].islower():
        start += prefix.end()
    tail = _ADJECTIVES.search(text[start:end])
    if tail and (is_shaped(text[start : start + tail.start()]) or text[start].isupper()):
        end = start + tail.start()
    return start, end


def _runs(text: str, found: list[_Word]) -> Iterator[Name]:
    index = 0
    while index < len(found):
        last = index
        while last + 1 < len(found) and _joined(text, found, index, last):
            last += 1
        yield from _name(text, found[index : last + 1])
        index = last + 1


def _joined(text: str, found: list[_Word], first: int, last: int) -> bool:
    here, after = found[last], found[last + 1]
    if text[here.end : after.start] != " " or not (here.shaped or here.capital):
        return False
    return (after.shaped or after.capital) and here.text.lower() not in _NO_LEAD


def _name(text: str, run: list[_Word]) -> Iterator[Name]:
    """A run from its first word that may lead a name; of title-case words, two at least."""
    if _begins_sentence(text, run[0].start) and not run[0].shaped and len(run) > 1:
        run = run[1:] if _plain(run[0].text) else run
    if not any(word.shaped for word in run):
        if len(run) > 1:
            yield Name(run[0].start, run[-1].end, False)
        return
    end = run[-1].end
    if _CALL.match(text, end):
        return
    if version := _VERSION.match(text, end):
        end = version.end()
    yield Name(run[0].start, end, True)


def _plain(word: str) -> bool:
    lower = word.lower()
    return lower in FUNCTION_WORDS | PRAISE | COMMON_NAMES | _NO_LEAD or lower.endswith(
        ("ly", "ing", "ed", "s")
    )


def _begins_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \n\"'“‘(")
    return not before or before[-1] in ".!?:;"
