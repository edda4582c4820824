r"""What programs did to a text before it came here, where it can be told and undone.

A tab before "extbf{" is a "\t" that a JSON or Python string took for an escape, "emph{" has
lost its backslash altogether, and "(cid:12)" is the number that a font gives to a sign.
"""

from __future__ import annotations

import re

_EATEN_ESCAPE = re.compile(r"[\t\x08\x0c](?=(?:ext[a-z]{2}|imes|heta|ilde|eta|rac)\b)")
_EATEN_TIMES = re.compile(r"(?<=[\d$]) (?=imes\b)")
_ESCAPED = {"\t": "\\t", "\x08": "\\b", "\x0c": "\\f"}

_FIRST_LETTERS = {
    "mph": "emph", "imes": "times", "heta": "theta", "ilde": "tilde", "rac": "frac",
    "ightarrow": "rightarrow", "abla": "nabla", "lpha": "alpha", "psilon": "epsilon",
    **{f"ext{font}": f"text{font}" for font in ("", "bf", "it", "tt", "sc", "rm", "sf", "sl")},
}  # fmt: skip
_NO_BACKSLASH = re.compile(
    r"(?:(?<=[(\[]) (?=[a-z]+\{))?(?<![\\A-Za-z])"
    r"(?:(?P<font>e?mph|t?ext(?:bf|it|tt|sc|rm|sf|sl)|ext|underline|mbox|url|href|cite[pt]?"
    r"|math(?:bb|bf|cal|it|rm|sf|tt)|begin|end|sqrt|frac)(?=\{)"
    r"|(?<=\$)\s?(?P<maths>imes|heta|ilde|rac|ightarrow|abla|lpha|psilon)(?![A-Za-z]))"
)
_NOTE = re.compile(r"(?<!\\)(?<!\\f)f?ootnote(?=\{)")
_SWITCH = re.compile(r"\{(?=(?:it|em|bf|tt|sc|sl) [^{}]{1,300}\})")
_CODE_POINT = re.compile(r"\\u([0-9a-fA-F]{4})(?![0-9a-fA-F])")

_GLYPH = re.compile(r"\(cid:(\d{1,3})\)")
_LIGATURES = {2: "fi", 3: "fl", 11: "ff", 12: "fi", 13: "fl", 14: "ffi", 15: "ffl", 222: "fi"}
_SIGNS = {
    0: "−", 1: "·", 2: "×", 6: "±", 11: "α", 12: "β", 13: "γ", 14: "δ", 15: "ε", 22: "μ", 28: "≪",
    96: "ℓ",
}  # fmt: skip
_SOFT_HYPHEN = 173


def restore_escapes(text: str) -> str:
    r"""Write "\t", "\b" and "\f" again for the controls that stand before a command's rest."""
    if "imes" in text:
        text = _EATEN_TIMES.sub(r"\\t", text)
    return text if text.isprintable() else _EATEN_ESCAPE.sub(lambda it: _ESCAPED[it[0]], text)


def restore_commands(text: str) -> str:
    r"""Give LaTeX commands back the backslash and the letters that they have lost.

    Example:
        >>> restore_commands(r"a mph{fast} {it and small} \u03b2-model")
        'a \\emph{fast} {\\it and small} β-model'
    """
    if "\\u" in text:
        text = _CODE_POINT.sub(lambda it: chr(int(it[1], 16)), text)
    if "{" in text or "$" in text:
        text = _NO_BACKSLASH.sub(_command, _SWITCH.sub(r"{\\", text))
        text = _NOTE.sub(r"\\footnote", text) if "ootnote" in text else text
    return text


def _command(found: re.Match[str]) -> str:
    name = found["font"] or found["maths"]
    return "\\" + _FIRST_LETTERS.get(name, name)


def decode_glyphs(text: str) -> str:
    """Write the glyph numbers that PDF extraction leaves as the signs of the usual fonts.

    Those below 128 are TeX's, a ligature beside a small letter and a sign of maths elsewhere;
    those above are of Windows-1252.

    Example:
        >>> decode_glyphs("e(cid:14)cient (cid:15)-tubes of Nystr(cid:246)m")
        'efficient ε-tubes of Nyström'
    """
    return _GLYPH.sub(_glyph, text) if "(cid:" in text else text


def _glyph(found: re.Match[str]) -> str:
    number = int(found[1])
    text, start, end = found.string, found.start(), found.end()
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    if number == _SOFT_HYPHEN:
        return "- " if after.isalnum() else "-"
    if number == 0 and before.isalnum() and after.isalnum():
        return "-"
    if number in _LIGATURES and (before.islower() or after.islower()):
        return _LIGATURES[number]
    windows = bytes([number]).decode("cp1252", "ignore") if 128 <= number < 256 else ""
    return _SIGNS.get(number) or windows or found[0]
