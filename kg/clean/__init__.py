"""Cleaning: a chain of small functions from text to text, one concern each.

Raw fields come with LaTeX, Markdown, HTML and the debris of PDF files; `clean_text` gives
them as a person would want to read them. It is idempotent, and never empties a text that
had words, save for those that say that there is none ("[No abstract available]").
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from kg.clean.boilerplate import drop_copyright, drop_missing, drop_prefix
from kg.clean.characters import (
    collapse_space,
    drop_unprintable,
    expand_ligatures,
    repair_mojibake,
)
from kg.clean.damage import decode_glyphs, restore_commands, restore_escapes
from kg.clean.hyphens import join_hyphenated
from kg.clean.latex import drop_braces, latex_to_text
from kg.clean.markdown import markdown_to_text
from kg.clean.markup import decode_entities, strip_tags
from kg.clean.typography import tex_typography

__all__ = ["clean_name", "clean_text", "drop_braces"]

Step = Callable[[str], str]


def _tidy_name(name: str) -> str:
    """Remove the braces of a name, and what parted it from the next one."""
    return name.replace("{", "").replace("}", "").strip(" ,;")


class _Chain(NamedTuple):
    """Steps in their order, and those of them that a text without debris may need."""

    steps: tuple[Step, ...]
    few: tuple[Step, ...]


_TEXT = _Chain(
    steps=(
        repair_mojibake,
        decode_glyphs,
        strip_tags,
        decode_entities,
        restore_commands,
        latex_to_text,
        tex_typography,
        markdown_to_text,
        drop_unprintable,
        expand_ligatures,
        join_hyphenated,
        drop_prefix,
        collapse_space,
        drop_copyright,
        drop_missing,
    ),
    few=(drop_prefix, collapse_space, drop_copyright, drop_missing),
)
_NAME = _Chain(
    steps=(
        repair_mojibake,
        decode_glyphs,
        strip_tags,
        decode_entities,
        restore_commands,
        latex_to_text,
        tex_typography,
        drop_unprintable,
        expand_ligatures,
        _tidy_name,
        collapse_space,
        drop_missing,
    ),
    few=(_tidy_name, collapse_space, drop_missing),
)

# Without one of these a text holds nothing that more than the few steps would change.
_DEBRIS = re.compile(r"[\\$&<*_`~{}#\x80-\x9f\xad\ufb00-\ufb06]")
_HYPHEN = re.compile(r"-[- \n\r\t]")
_DEBRIS_PAIRS = ("''", "](", "(cid:")
_BROKEN_ENCODING = re.compile(r"[\xc2-\xf4][^\x00-\x7f]")
_ROUNDS = 8


def clean_text(raw: str) -> str:
    r"""Return a title, an abstract or a keyword as a person would want to read it.

    Args:
        raw: The field as its source gives it.

    Returns:
        One line of NFC text; empty where the field says that there is none.

    Example:
        >>> clean_text(r"HCFL$^{+}$ beats \textsc{CoLA} \citep{doe2020} by 5\%.")
        'HCFL+ beats CoLA by 5%.'
    """
    return _run(_TEXT, raw)


def clean_name(raw: str) -> str:
    r"""Return the name of a person or a venue with its accents as Unicode.

    Args:
        raw: The name as its source gives it.

    Example:
        >>> clean_name(r"Paul Erd{\H o}s")
        'Paul Erdős'
    """
    return _run(_NAME, raw)


def _run(chain: _Chain, raw: str) -> str:
    """Apply the steps until nothing changes, so that a second cleaning changes nothing."""
    text = drop_unprintable(restore_escapes(raw))
    for _ in range(_ROUNDS):
        before = text
        for step in chain.steps if _has_debris(text) else chain.few:
            text = step(text)
        text = _normal(text)
        if text == before:
            break
    seen = text or _visible(raw)
    return seen if text or seen == raw else _run(chain, seen)


def _has_debris(text: str) -> bool:
    """Tell whether there is anything that more than a few of the steps could change."""
    if _DEBRIS.search(text) or _HYPHEN.search(text) or any(map(text.__contains__, _DEBRIS_PAIRS)):
        return True
    return not text.isascii() and bool(_BROKEN_ENCODING.search(text))


def _visible(raw: str) -> str:
    """Return what can be seen of a text of which the steps leave nothing."""
    return drop_missing(_normal(collapse_space(repair_mojibake(drop_unprintable(raw)))))


def _normal(text: str) -> str:
    """Return the text with composed accents (NFC)."""
    return unicodedata.normalize("NFC", text)
