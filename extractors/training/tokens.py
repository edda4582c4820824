"""The tokens of scientific prose: names stay whole."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import spacy
from spacy.lang.char_classes import (
    ALPHA,
    ALPHA_LOWER,
    ALPHA_UPPER,
    CONCAT_QUOTES,
    LIST_ELLIPSES,
    LIST_ICONS,
)
from spacy.lang.punctuation import TOKENIZER_PREFIXES, TOKENIZER_SUFFIXES
from spacy.language import Language
from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex

_UNSPLIT_SUFFIXES = ("(?<=[0-9])(?:km|", r"(?<=[0-9])\+")

INFIXES = (
    *LIST_ELLIPSES,
    *LIST_ICONS,
    r"(?<=[0-9])[*^](?=[0-9-])",
    rf"(?<=[{ALPHA_LOWER}{CONCAT_QUOTES}])\.(?=[{ALPHA_UPPER}{CONCAT_QUOTES}])",
    rf"(?<=[{ALPHA}]),(?=[{ALPHA}])",
    rf"(?<=[{ALPHA}0-9])(?:--|---|—|~)(?=[{ALPHA}])",
    rf"(?<=[{ALPHA}0-9])[:<>=/(\[](?=[{ALPHA}0-9])",
    rf"(?<=[{ALPHA}0-9])[)\]](?=-?[{ALPHA}0-9])",
)
"""As English of spaCy has them, without the hyphen: GPT-4 and state-of-the-art are one token."""

SUFFIXES = (r"(?<=[0-9])%", rf"(?<=[{ALPHA_LOWER}0-9\-–][{ALPHA_UPPER}])\.")
"""Besides those of spaCy: a full stop behind L2D or BigGAN-X."""


def blank_pipeline() -> Language:
    """Return an English pipeline with our tokenizer and nothing else.

    Example:
        >>> [token.text for token in blank_pipeline()("GPT-4 and k-means.")]
        ['GPT-4', 'and', 'k-means', '.']
    """
    nlp = spacy.blank("en")
    suffixes = [s for s in TOKENIZER_SUFFIXES if not s.startswith(_UNSPLIT_SUFFIXES)]
    tokenizer: Any = nlp.tokenizer
    tokenizer.prefix_search = compile_prefix_regex(TOKENIZER_PREFIXES).search
    tokenizer.suffix_search = compile_suffix_regex([*suffixes, *SUFFIXES]).search
    tokenizer.infix_finditer = compile_infix_regex(INFIXES).finditer
    tokenizer.add_special_case("C#", [{"ORTH": "C#"}])
    return nlp


def lines_of_tokens(nlp: Language, texts: Iterable[str]) -> Iterable[str]:
    """Yield each text as one line of lower-case tokens parted by blanks."""
    for text in texts:
        tokens = (token.lower_ for token in nlp.make_doc(text) if not token.is_space)
        yield " ".join(tokens)
