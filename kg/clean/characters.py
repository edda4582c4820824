"""Characters: what cannot be seen, what was decoded wrongly, ligatures, white space."""

from __future__ import annotations

import re

_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069"
    "\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
# "\x02" is what PDF extraction leaves of the hyphen at a line's end.
_LINE_HYPHEN = re.compile("(?<=[a-z])\x02\\s*(?=[a-z])")

_LIGATURES = {
    "ﬀ": "ff",
    "ﬁ": "fi",
    "ﬂ": "fl",
    "ﬃ": "ffi",
    "ﬄ": "ffl",
    "ﬅ": "st",
    "ﬆ": "st",
}
_LIGATURE = re.compile("[\ufb00-\ufb06]")
_C1 = re.compile("[\x80-\x9f]")
_CLOSING_QUOTE = re.compile(r"â€(?=[\s.,;:!?)\]]|$)")  # its third byte has no sign
_MOJIBAKE = re.compile("[\x80-\x9f]|[\xc2-\xf4][^\x00-\x7f]")


def drop_unprintable(text: str) -> str:
    """Remove control characters, lone surrogates and marks that only steer the display."""
    if text.isprintable():
        return text
    text = _LINE_HYPHEN.sub("- ", text)
    return _UNPRINTABLE.sub("", text)


def repair_mojibake(text: str) -> str:
    """Repair text that was decoded with a wrong encoding ("MÃ¶bius", C1 controls)."""
    if not _MOJIBAKE.search(text):
        return text
    import ftfy

    fixed = ftfy.fix_text(
        text,
        unescape_html=False,
        remove_terminal_escapes=False,
        fix_latin_ligatures=False,
        fix_character_width=False,
        uncurl_quotes=False,
        fix_line_breaks=False,
        remove_control_chars=False,
        normalization=None,
    )
    return _C1.sub("", _CLOSING_QUOTE.sub("”", fixed))


def expand_ligatures(text: str) -> str:
    """Write the Latin ligatures U+FB00 to U+FB06 as letters; superscripts stay as they are."""
    return text if text.isascii() else _LIGATURE.sub(lambda found: _LIGATURES[found[0]], text)


def collapse_space(text: str) -> str:
    """Make every run of white space one space, and none at the ends."""
    if text.isprintable() and "  " not in text:
        return text.strip()
    return " ".join(text.split())
