"""Which names are language models: things that a paper puts to the test more often than not."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from extractors.gazetteer import entries
from extractors.matcher import find_names, singular

_SIZED = re.compile(r"\d+(?:\.\d+)?[BM]\b|-(?:Instruct|Chat)\b", re.IGNORECASE)
_FAMILIES = frozenset({"large language model", "GPT"})
_NAMED = re.compile(r"(?:language models?|\bLLMs?|\bLMs?)\Z", re.IGNORECASE)


@lru_cache(maxsize=4096)
def is_language_model(name: str) -> bool:
    """Tell whether a name is that of a language model one asks, or of such models at large.

    Models that are built into others (BERT and its kin) are none of these.

    Example:
        >>> [is_language_model(n) for n in ("GPT-4", "LLMs", "Moss-7B-Instruct", "BERT", "SVM")]
        [True, True, True, False, False]
    """
    if _NAMED.search(singular(name)) or _SIZED.search(name):
        return True
    return any(_FAMILIES & _kin(entry.label) for m in find_names(name) for entry in m.entries[:1])


@cache
def _broader() -> dict[str, str]:
    return {entry.label: entry.broader for entry in entries()}


@cache
def _kin(label: str) -> frozenset[str]:
    """Return a curated label with all that are broader."""
    found: list[str] = []
    while label and label not in found:
        found.append(label)
        label = _broader().get(label, "")
    return frozenset(found)
