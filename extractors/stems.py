"""Word stems, so that optimise, optimised and optimises, or network and networks, meet.

The rules are those of M. F. Porter, "An algorithm for suffix stripping", Program 14(3),
1980.
"""

from __future__ import annotations

import re
from functools import lru_cache

_PARTS = re.compile(r"[^\W_]+(?:\+\+?|#)?")
_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize",
    "abli": "able", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous",
    "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive",
    "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
}  # fmt: skip
_STEP_3 = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
_STEP_4 = dict.fromkeys(
    re.findall(
        r"\w+",
        "al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize",
    ),
    "",
) | {"sion": "s", "tion": "t"}


def parts(phrase: str) -> list[str]:
    """Return the lower-case words of a phrase; a hyphen parts words.

    Example:
        >>> parts("Self-supervised C++ (GPT-4)")
        ['self', 'supervised', 'c++', 'gpt', '4']
    """
    return _PARTS.findall(phrase.lower())


def stem_key(phrase: str) -> str:
    """Return what all spellings of a phrase share: its words' stems, parted by blanks.

    Example:
        >>> stem_key("Graph Neural Networks") == stem_key("graph-neural network")
        True
    """
    return " ".join(map(stem, parts(phrase)))


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; what is no plain word stays as it is.

    Example:
        >>> stem("optimization"), stem("networks"), stem("gpt4")
        ('optim', 'network', 'gpt4')
    """
    if len(word) <= 2 or not (word.isascii() and word.isalpha()):
        return word
    word = _past_and_progressive(_plural(word))
    if word.endswith("y") and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    word = _replace(word, _STEP_2, 0)
    word = _replace(word, _STEP_3, 0)
    word = _replace(word, _STEP_4, 1)
    return _last_letters(word)


def _shape(word: str) -> str:
    """Return one letter per letter: v for a vowel, c for a consonant."""
    shape = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if vowel else "c"
    return shape


def _measure(word: str) -> int:
    return len(re.findall("v+c", _shape(word)))


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past_and_progressive(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        root = word.removesuffix(suffix)
        if root != word and "v" in _shape(root):
            return _mended(root)
    return word


def _mended(root: str) -> str:
    """Return what stands before -ed or -ing, as a word: hop for hopp, file for fil."""
    if root.endswith(("at", "bl", "iz")):
        return root + "e"
    if root[-1:] == root[-2:-1] and _shape(root)[-1] == "c" and root[-1] not in "lsz":
        return root[:-1]
    return root + "e" if _measure(root) == 1 and _is_short(root) else root


def _is_short(word: str) -> bool:
    """Tell whether a word ends as in hop: consonant, vowel, consonant, the last not w, x, y."""
    return _shape(word)[-3:] == "cvc" and word[-1] not in "wxy"


def _replace(word: str, endings: dict[str, str], least: int) -> str:
    """Return the word with its longest ending replaced if enough stands before it."""
    for length in range(min(7, len(word) - 1), 1, -1):
        if word[-length:] in endings:
            root, new = word[:-length], endings[word[-length:]]
            before = root + new if endings is _STEP_4 else root  # -sion and -tion keep s and t
            return root + new if _measure(before) > least else word
    return word


def _last_letters(word: str) -> str:
    if word.endswith("e"):
        root = word[:-1]
        if _measure(root) > 1 or (_measure(root) == 1 and not _is_short(root)):
            word = root
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word
