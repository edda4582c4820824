"""How well the letters of a short form fit the words of a long form.

After A. Schwartz and M. Hearst, "A simple algorithm for identifying abbreviation
definitions in biomedical text" (2003), with a cost instead of a yes or no: letters that
begin a word are free, letters from within cost, and so do words that are passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from extractors.words import lower, words

_PART = re.compile(r"(?:[Nn]on[-–])?[^\W_]+")
_PASSED = words("a an and as at by for from in of on or over per the to under via with & using")
_HEADS = words("algorithm approach framework method model network scheme system technique task")
_SOUNDS = {
    "1": words("one first single"),
    "2": words("to two too second"),
    "3": words("three third"),
    "4": words("for four fourth"),
    "5": words("five fifth"),
    "6": words("six sixth"),
}

INFINITE = float("inf")
_INNER, _SEQUEL, _LOST, _SKIP, _SKIP_SMALL, _SKIP_HEAD = 0.8, 0.3, 0.5, 1.0, 0.15, 0.5
_SKIP_TAIL = 0.5


@dataclass(frozen=True, slots=True)
class Part:
    """A word, or a part of a hyphenated one, with its offsets.

    ``tail`` says that a hyphen joins it to the part before.
    """

    text: str
    start: int
    end: int
    tail: bool = False


def parts_of(text: str, start: int, end: int) -> tuple[Part, ...]:
    """Return the words of ``text[start:end]``, hyphenated ones in parts."""
    return tuple(
        Part(m[0], m.start(), m.end(), m.start() > start and text[m.start() - 1] in "-–/")
        for m in _PART.finditer(text, start, end)
    )


@cache
def readings(short: str) -> tuple[str, ...]:
    """Return the letter sequences for which a short form may stand.

    Example:
        >>> readings("LLMs")
        ('LLM', 'LLMs')
        >>> "CCCC" in readings("C4")
        True
    """
    plain = "".join(c for c in short if c.isalnum())
    forms = [plain]
    if len(plain) > 2 and plain[-1] == "s" and not plain[-2].islower():
        forms.insert(0, plain[:-1])
    return tuple(dict.fromkeys(form for base in forms for form in (base, *_repeated(base))))


def _repeated(form: str) -> tuple[str, ...]:
    """C4 as CCCC: a digit after a letter says how often the letter comes."""
    pieces = [
        (match[0], match[1] * int(match[2]))
        for match in re.finditer(r"([^\W\d_])([2-4])(?!\d)", form)
    ]
    if not pieces:
        return ()
    result = form
    for written, meant in pieces:
        result = result.replace(written, meant, 1)
    return (result,)


def cost(short: str, parts: tuple[Part, ...]) -> float:
    """Return what it costs to read a short form off the words, per letter; 0 is perfect.

    The first letter has to begin the first word.
    """
    return min((_cost(form, parts) / len(form) for form in readings(short)), default=INFINITE)


def _cost(form: str, parts: tuple[Part, ...]) -> float:
    """Return the cheapest way to use up all letters and all words, in order."""
    table = {0: 0.0}
    for index, part in enumerate(parts):
        after: dict[int, float] = {}
        for used, spent in table.items():
            for more, price in _uses(form, used, part, first=index == 0):
                total = spent + price
                if total < after.get(used + more, INFINITE):
                    after[used + more] = total
        table = after
    return min(
        (spent + _lost(form[used:]) for used, spent in table.items() if used), default=INFINITE
    )


def _lost(rest: str) -> float:
    """Letters at the end that no word gives: dear, unless they are lower-case ("Tune")."""
    return sum((_LOST if c.islower() else 3.0 for c in rest), 0.0)


def _uses(form: str, used: int, part: Part, *, first: bool) -> list[tuple[int, float]]:
    """Return the numbers of letters that a word can give, each with its price."""
    options = [] if first else [(0, _skip(part))]
    rest = lower(form[used:])
    lowered = lower(part.text)
    if rest[:1] and rest[0] in _SOUNDS and lowered in _SOUNDS[rest[0]]:
        options.append((1, 0.0))
    if rest[:1] == "x" and lowered.startswith(("cross", "ex", "trans")):
        options.append((1, 0.1))
    options += _letters(rest, part.text, lowered, first=first)
    return options


def _skip(part: Part) -> float:
    word = part.text
    if word.lower() in _PASSED:
        return _SKIP_SMALL
    if part.tail:
        return _SKIP_TAIL
    return _SKIP_HEAD if word.lower().removesuffix("s") in _HEADS else _SKIP


def _letters(rest: str, word: str, lowered: str, *, first: bool) -> list[tuple[int, float]]:
    options: list[tuple[int, float]] = []
    place, price = -1, 0.0
    for count, letter in enumerate(rest, 1):
        found = lowered.find(letter, place + 1)
        capital = word.find(letter.upper(), place + 1) if letter.isalpha() else -1
        if found < 0 or (first and count == 1 and found != 0 and capital < 0):
            break
        if found != place + 1 and capital > 0:
            found = capital
        price += _price(word, found, place)
        place = found
        options.append((count, price + (0.4 if lowered in _PASSED else 0.0)))
    return options


def _price(word: str, found: int, place: int) -> float:
    if found == 0 or (word[found].isupper() and not word.isupper()):
        return 0.0
    if found == place + 1:
        return 0.05 if word[found].isdigit() or word.isupper() else _SEQUEL
    return _INNER
