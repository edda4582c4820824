"""The language of a text, told without any network by a small bundled model (py3langid)."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

_SHORTEST = 40  # letters; a Chinese or Japanese sign counts as three
_PLENTY = 4 * _SHORTEST  # characters; so many with English words in them hold letters enough
_LONGEST = 2000  # characters; more tell nothing new
_CONFIDENT = 0.7

_LETTER = re.compile(r"[^\W\d_]")
_SIGN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_COMMON = """the of and in that we is this are with which by our be from have has it these was were
    can their using also between based"""
_ENGLISH = frozenset(_COMMON.split())
_SURE = 0.12  # share of the words above at which no model is asked; other languages stay below


def detect(text: str) -> str:
    """Return the language of a cleaned text.

    Only a confident answer counts as another language than English, so that symbols,
    names and formulas make no English abstract foreign.

    Args:
        text: A cleaned abstract, or a title.

    Returns:
        Its ISO 639-1 code; "" where the text is too short to tell.

    Example:
        >>> detect("We present a method for the translation of speech that needs no data.")
        'en'
    """
    text = text[:_LONGEST]
    words = text.casefold().split()
    common = sum(map(_ENGLISH.__contains__, words))
    if len(text) >= _PLENTY and common > _SURE * max(len(words), len(text) / 12):
        return "en"
    if len(_LETTER.findall(text)) + 2 * len(_SIGN.findall(text)) < _SHORTEST:
        return ""
    if common > _SURE * max(len(words), len(text) / 12):
        return "en"
    code, confidence = _identifier().classify(" ".join(text.split()))
    return str(code) if confidence >= _CONFIDENT else "en"


def forget() -> None:
    """Let the model go, which takes 100 MB; it is loaded again where it is needed again."""
    _identifier.cache_clear()


@cache
def _identifier() -> Any:
    """Return the bundled model, for languages that have a code of two letters."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    model = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    model.set_languages([label for label in model.labels if len(label) == 2])
    return model
