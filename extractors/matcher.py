"""Curated names in a text: the longest match wins, and case counts where it should.

A name is compared by a key without blanks, hyphens, plural endings and British spellings,
so that "fine-tuning" meets "finetuning" and "data sets" meets "dataset". Short and
proper names must keep their case besides.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from extractors.gazetteer import Entry, entries, generic_terms

TOKEN = re.compile(r"[^\W_]+")
_GAP = re.compile(r"|[ \n]|[-–‐/.^*+&'’:@_]| [&-] |[’']s ")
_AFTER = re.compile(
    r"[-–](?!(?:based|aware|like|style|driven|guided|free|trained|tuned|specific|powered|enhanced"
    r"|type|inspired|oriented|optimal|generated|assisted|level|only|to|and|or)\b)[^\W_]"
)
_LONGEST, _PREFIX = 8, 12


@dataclass(frozen=True, slots=True)
class Match:
    """A curated name found in a text.

    Args:
        start: First code point.
        end: Code point after the last.
        name: The name as curated.
        entries: The concepts that bear it, the most frequent first.
        short: Whether it is a short form of theirs.
    """

    start: int
    end: int
    name: str
    entries: tuple[Entry, ...]
    short: bool


@lru_cache(maxsize=128)
def find_names(text: str) -> tuple[Match, ...]:
    """Return the curated names of a text from left to right, without overlap.

    Example:
        >>> [m.entries[0].label for m in find_names("Graph neural networks on CIFAR-10.")]
        ['graph neural network', 'CIFAR-10']
    """
    return tuple(_names(text, list(TOKEN.finditer(text))))


def _names(text: str, tokens: list[re.Match[str]]) -> Iterator[Match]:
    prefixes = _prefixes()
    index = 0
    while index < len(tokens):
        if _last(tokens[index][0])[:_PREFIX] not in prefixes:
            index += 1
            continue
        match, length = _longest(text, tokens, index)
        if match is not None:
            yield match
        index += length


def key(name: str) -> str:
    """Return what two spellings of a name have in common.

    Example:
        >>> key("Fine-Tuning") == key("finetuning")
        True
        >>> key("generalised linear models") == key("generalized linear model")
        True
    """
    tokens = TOKEN.findall(name)
    return "".join([*map(_folded, tokens[:-1]), *map(_last, tokens[-1:])])


def _longest(text: str, tokens: list[re.Match[str]], index: int) -> tuple[Match | None, int]:
    start = tokens[index].start()
    best: tuple[Match | None, int] = (None, 1)
    if not _may_begin(text, start):
        return best
    forms, prefixes = _index(), _prefixes()
    joined = ""
    for length, token in enumerate(tokens[index : index + _LONGEST], 1):
        if length > 1 and not _GAP.fullmatch(text, tokens[index + length - 2].end(), token.start()):
            break
        name = joined + _last(token[0])
        if name in forms and (found := _match(text, start, token.end(), name)):
            best = (found, length)
        joined += _folded(token[0])
        if joined[:_PREFIX] not in prefixes:
            break
    return best


def _match(text: str, start: int, end: int, name: str) -> Match | None:
    surface = text[start:end]
    forms = [form for form in _index()[name] if _same_case(surface, form.name)]
    if not forms or surface.lower() in generic_terms() or _AFTER.match(text, end):
        return None
    exact = [form for form in forms if form.name == surface] or [
        form for form in forms if form.name == _singular(surface)
    ]
    chosen = exact or forms
    found = tuple(dict.fromkeys(form.entry for form in chosen))
    return Match(start, end, chosen[0].name, found, all(form.short for form in chosen))


def _may_begin(text: str, start: int) -> bool:
    """A name does not begin behind a hyphen, except after a bare prefix."""
    return start == 0 or text[start - 1] not in "-–@_\\"


@dataclass(frozen=True, slots=True)
class _Form:
    name: str
    short: bool
    entry: Entry


@cache
def _index() -> dict[str, tuple[_Form, ...]]:
    table: dict[str, list[_Form]] = defaultdict(list)
    for entry in entries():
        for name in entry.names:
            if len(key(name)) > 1:
                table[key(name)].append(_Form(name, name in entry.abbreviations, entry))
    return {name: tuple(forms) for name, forms in table.items()}


@cache
def _prefixes() -> frozenset[str]:
    return frozenset(name[:length] for name in _index() for length in range(1, _PREFIX + 1))


def _same_case(surface: str, name: str) -> bool:
    """Tell whether the case of a surface form allows it to be this name."""
    if name.islower():
        return True
    bare, wanted = _letters(_singular(surface)), _letters(_singular(name))
    if bare == wanted:
        return True
    if " " in name or "-" in name:
        return len(wanted) >= 10 and bare.lower() == wanted.lower() and not name[:1].isdigit()
    if wanted in _ALSO_LOWER:
        return not bare[1:].isupper()
    if len(wanted) < 6 or wanted in _KEPT or bare.islower():
        return bare.islower() and any(c.isdigit() for c in bare[1:-1])
    return not wanted.isupper() or any(c.isdigit() for c in wanted)


_KEPT = frozenset({"ComplEx", "SuperGLUE", "SuperGlue"})
_ALSO_LOWER = frozenset({"Transformer", "Lasso"})


def _letters(name: str) -> str:
    return "".join(c for c in name if c.isalnum())


@lru_cache(maxsize=20_000)
def _singular(token: str) -> str:
    """Return a name without a plural ending; short forms lose a lower-case s alone."""
    if len(token) < 3 or not token.endswith("s") or token.endswith(("ss", "us", "is")):
        return token
    if token.endswith("ies") and len(token) > 4:
        return token[:-3] + "y"
    if token.endswith(("sses", "shes", "ches", "xes")):
        return token[:-2]
    return token[:-1]


@lru_cache(maxsize=20_000)
def _folded(token: str) -> str:
    token = token.lower()
    if len(token) > 6:
        token = re.sub(r"is(e[ds]?|ing|ation|er)$", r"iz\1", token)
        token = token.replace("elling", "eling").replace("elled", "eled").replace("our", "or")
    return token


@lru_cache(maxsize=20_000)
def _last(token: str) -> str:
    """Return a token as the last of a name is compared."""
    return _folded(_singular(token))


def singular(name: str) -> str:
    """Return a name without its plural ending.

    Example:
        >>> [singular(n) for n in ("LLMs", "graph neural networks", "bias", "analysis")]
        ['LLM', 'graph neural network', 'bia', 'analysis']
    """
    return _singular(name)
