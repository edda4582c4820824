"""Characters: what cannot be seen, what was decoded wrongly, ligatures, white space."""

from __future__ import annotations

import re

# "(cid:12)" and "\x02" are what PDF extraction leaves of a ligature and of a line's hyphen;
# a tab before "extbf{" is a "\t" that a JSON or Python string took for an escape.
_CID = {"11": "ff", "12": "fi", "13": "fl", "14": "ffi", "15": "ffl"}
_CID_LIGATURE = re.compile(r"\(cid:(1[1-5])\)")
_EATEN_ESCAPE = re.compile(r"[\t\x08\x0c](?=(?:ext[a-z]{2}|imes|heta|ilde|eta|rac)\b)")
_EATEN_TIMES = re.compile(r"(?<=[\d$]) (?=imes\b)")
_ESCAPED = {"\t": "\\t", "\x08": "\\b", "\x0c": "\\f"}

_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069"
    "\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
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
_MOJIBAKE = re.compile("[\x80-\x9f]|[\xc2-\xf4][^\x00-\x7f]")


def drop_unprintable(text: str) -> str:
    """Remove control characters, lone surrogates and marks that only steer the display."""
    if "imes" in text:
        text = _EATEN_TIMES.sub(r"\\t", text)
    if text.isprintable():
        return text
    text = _EATEN_ESCAPE.sub(lambda found: _ESCAPED[found[0]], text)
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
    return _C1.sub("", fixed)


def expand_ligatures(text: str) -> str:
    """Write the Latin ligatures U+FB00 to U+FB06 as letters; superscripts stay as they are."""
    if "(cid:" in text:
        text = _CID_LIGATURE.sub(lambda found: _CID[found[1]], text)
    return text if text.isascii() else _LIGATURE.sub(lambda found: _LIGATURES[found[0]], text)


def collapse_space(text: str) -> str:
    """Make every run of white space one space, and none at the ends."""
    return " ".join(text.split())
