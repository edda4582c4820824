"""Words that a line's end broke in two.

"net- works" is one word, "pre- and post-training" is as it should be, and
"state-of-the- art" has lost nothing but its line. Which of these a pair is, is told by a
list of words (``words.txt``: those that occur in at least 20 of some 110,000 abstracts of
machine learning and computational linguistics, and there oftener in one than with a hyphen).
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_BROKEN = re.compile(r"(?<![\w’'-])([^\W_][\w’'-]*|\d)-(\s+)([^\W_][\w’'-]*)")
_HYPHEN_THEN_SPACE = re.compile(r"-\s")
_SOFT = re.compile("\xad\\s*")


def _names(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


# After these the hyphen hangs on purpose: "pre- and post-training", "the model- which".
_HANGING = _names(
    """and or nor to but than versus vs und oder et ou y e o the a an in of for with on at by as is
    are was which that this it we from into via through plus not only rather i.e e.g"""
)
_KEEPS_HYPHEN_AFTER = _names(
    """non not new old web multi self cross semi low high well one two few zero long short fine real
    large small end state mid all top k n ai qa c3 ill pre post co meta pseudo quasi best worst"""
)
_KEEPS_HYPHEN_BEFORE = _names(
    """based aware level specific related like free guided driven oriented wise dependent style
    enhanced agnostic centric sensitive scale constrained augmented time invariant trained tuned
    of art order off up out"""
)


def join_hyphenated(text: str) -> str:
    """Join the words that a soft hyphen or a hyphen at the end of a line parted."""
    if "\xad" in text:
        text = _SOFT.sub("", text)
    return _BROKEN.sub(_joined, text) if _HYPHEN_THEN_SPACE.search(text) else text


def _joined(found: re.Match[str]) -> str:
    left, space, right = found.groups()
    hangs = right.casefold().rstrip("'’-") in _HANGING or _is_dash(left, right)
    if hangs and "\n" not in space:
        return found[0]
    if _is_compound(left, right):
        return f"{left}-{right}"
    return left + right


def _is_dash(left: str, right: str) -> bool:
    """Tell whether the hyphen is a dash that lacks the space before it ("models- BERT and")."""
    return left.islower() and left.isalpha() and right[0].isupper() and left in _words()


def _is_compound(left: str, right: str) -> bool:
    """Tell whether the hyphen belongs there though the break does not."""
    plain = (left[:1].isupper() or left[:1].islower()) and left[1:].islower() and left.isalpha()
    if not plain or not right[:1].islower():
        return True
    head = right.split("-")[0].rstrip("'’").casefold()
    left = left.casefold()
    if left + head in _words():
        return False
    if left in _KEEPS_HYPHEN_AFTER or head in _KEEPS_HYPHEN_BEFORE:
        return True
    return head in _words() and (left in _words() or len(left) > 4)


@cache
def _words() -> frozenset[str]:
    return frozenset(files("kg.clean").joinpath("words.txt").read_text("utf-8").split())
