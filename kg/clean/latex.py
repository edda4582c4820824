r"""LaTeX to plain text: one pass over tokens, linear in the length of the text.

    text ──▶ tokens ──▶ pairs (braces, dollars) ──▶ plain text, groups within groups

Formatting goes and its argument stays, maths becomes readable Unicode, citations vanish with
the space before them, links stay, and a command that nobody knows keeps its argument.
"""

from __future__ import annotations

import re

from kg.clean import macros
from kg.clean.commands import write_command
from kg.clean.scripts import subscript, superscript
from kg.clean.tex import THIN, Handler, Out, Source

_TRIGGER = re.compile(r"[\\${}]")

# \" and \' are accents in LaTeX, and quotes escaped by a program elsewhere.
_ESCAPED_QUOTE = re.compile(r"(?<!\w)\\\"(?=\w)|\\\"(?![\w{\\])")
_ESCAPED_APOSTROPHE = re.compile(r"(?<=[A-Za-z])\\'(?=(?:s|t|re|ve|ll|d|m)\b)")
_ESCAPED_TWICE = re.compile(r"\\(?=\\(?:[A-Za-z]{2,}\{|[%&#_]))")

_MONEY = re.compile(r"\d[\d.,]*\s?(?:[kKMBb]\b|million|billion|thousand)?[\s,;:)–—-]")
_PROSE = re.compile(r"(?<![A-Za-z])[a-z]{2,}(?![A-Za-z(])")
_ONE_SYMBOL = re.compile(r"[^\W_]{1,2}|[<>=≤≥]|\d+(?:\.\d+)?")
_UNCITED = re.compile(r"(?<! ) ?\((?:see(?: also)?|e\.?g\.?|cf\.?|as in)[,;]? ?\)")
_DECIMAL = re.compile(r"\d+\.\d+")
_WITHIN_BRACKETS = re.compile(r"(?<=[(\[]) +|(?<! ) +(?=[)\]])")
_RELATION = re.compile(r"[-−+<>=≤≥≠±×~≈.]{1,3}")
_PROTECTED = re.compile(r"[A-Z][\w-]*|[,.;:]|[–—-]{1,3}")


def latex_to_text(text: str) -> str:
    r"""Return the text with its LaTeX as plain Unicode.

    Args:
        text: Text that may hold LaTeX; money ("$600") and "5%" stay as they are.

    Example:
        >>> latex_to_text(r"a \emph{fast} $O(n\log n)$ bound \cite{doe}.")
        'a fast O(n log n) bound.'
    """
    if not _TRIGGER.search(text):
        return text
    text = _ESCAPED_TWICE.sub("", text) if "\\\\" in text else text
    if '\\"' in text and re.search(r"\\\"(?![\w{\\])", text):
        text = _ESCAPED_QUOTE.sub('"', text)
    source = Source.of(_ESCAPED_APOSTROPHE.sub("'", text), _HANDLERS)
    plain = source.text(0, len(source.tokens))
    return _UNCITED.sub("", plain) if "cite" in text else plain


def drop_braces(text: str) -> str:
    r"""Return the text without braces that only group letters, as BibTeX fields have them.

    Braces that hold the argument of a command, or stand in maths, stay.

    Example:
        >>> drop_braces(r"{{B}uilding} \emph{one} {OCL} part")
        'Building \\emph{one} OCL part'
    """
    if "{" not in text:
        return text
    source = Source.of(text, _HANDLERS)
    dropped: set[int] = set()
    arguments: set[int] = set()
    maths = False
    for i, token in enumerate(source.tokens):
        maths ^= token == "$"
        if token == "{" and i in source.pair:
            before = source.tokens[i - 1] if i else ""
            follows = before[:1] == "\\" and before[1:] not in macros.ESCAPED
            if maths or follows or before in ("^", "_") or i - 1 in arguments:
                arguments.add(source.pair[i])
            elif source.tokens[i + 1][0] != "\\":
                dropped.update((i, source.pair[i]))
    return "".join(token for i, token in enumerate(source.tokens) if i not in dropped)


def _is_maths(body: str, after: str) -> bool:
    """Tell whether what stands between two dollars is maths, or text between two prices."""
    if "\n\n" in body or len(body) > 2000 or not body.strip():
        return False
    if "\\" in body or _RELATION.fullmatch(body):
        return True
    if after[:1].isdigit():
        return False
    if not body[0].isspace() and not body[-1].isspace():
        return not (_MONEY.match(body) and _PROSE.search(body))
    if body[0].isdigit():
        return False
    return "^" in body or "_" in body or bool(_ONE_SYMBOL.fullmatch(body.strip()))


def _maths(source: Source, i: int, end: int, out: Out) -> int:
    """Write maths between dollars; a dollar of a price stays."""
    if out.maths:
        return i + 1
    tokens = source.tokens
    close = source.pair.get(i, end)
    if close == i + 1:  # $$ … $$
        close = source.pair.get(close, end)
        if close + 1 < end and tokens[close + 1] == "$":
            out.parts.append(" " + _tight(source.text(i + 2, close, maths=True)) + " ")
            return close + 2
    elif close < end:
        after = tokens[close + 1] if close + 1 < len(tokens) else ""
        if _is_maths("".join(tokens[i + 1 : close]), after):
            out.parts.append(_tight(source.text(i + 1, close, maths=True)))
            return close + 1
    out.parts.append("$")
    return i + 1


def _tight(maths: str) -> str:
    """Return maths without the spaces that brackets do not want inside."""
    return _WITHIN_BRACKETS.sub("", maths.strip())


def _group(source: Source, i: int, end: int, out: Out) -> int:
    """Write a group that no command has taken."""
    close = source.closes(i, end)
    if not close:
        return _stray(source, i, end, out)
    led = source.tokens[i + 1][0] == "\\" and len(source.tokens[i + 1]) > 2
    inner = source.text(i + 1, close, out.maths)
    after = source.tokens[close + 1] if close + 1 < len(source.tokens) else ""
    hugs = not inner or out.last()[-1:].isalnum() or after[:1].isalnum()
    groups = source.grouping or hugs or _PROTECTED.fullmatch(inner)
    bare = out.maths or led or (groups and "," not in inner.strip(","))
    out.parts.append(inner if bare else "{" + inner + "}")
    return close + 1


def _stray(source: Source, i: int, end: int, out: Out) -> int:
    """Write a brace without its other half."""
    if not out.maths:
        out.parts.append(source.tokens[i])
    return i + 1


def _script(source: Source, i: int, end: int, out: Out) -> int:
    """Write a superscript or subscript; in text only one in braces."""
    if not out.maths and not source.closes(i + 1, end):
        out.parts.append(source.tokens[i])
        return i + 1
    argument, after = _decimal(source, i + 1, end) or source.argument(i + 1, end, maths=True)
    write = superscript if source.tokens[i] == "^" else subscript
    held = bool(out.parts) and out.parts[-1].endswith(THIN)
    if held:
        out.parts[-1] = out.parts[-1].rstrip(THIN)
    out.parts.append(write(out.last(), argument) + THIN * held)
    return after


def _decimal(source: Source, i: int, end: int) -> tuple[str, int] | None:
    """Return a decimal number that lacks its braces, as in "n^1.5", and the index after it."""
    number = _DECIMAL.match(source.tokens[i]) if i < end else None
    if not number:
        return None
    source.tokens[i] = source.tokens[i][number.end() :]
    return number[0], i if source.tokens[i] else i + 1


_HANDLERS: dict[str, Handler] = {
    "\\": write_command,
    "$": _maths,
    "{": _group,
    "}": _stray,
    "^": _script,
    "_": _script,
}
