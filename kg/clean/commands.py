"""What each LaTeX command is written as."""

from __future__ import annotations

import re

from kg.clean import macros
from kg.clean.scripts import superscript
from kg.clean.tex import EVEN, THIN, WIDE, Handler, Out, Source

_EMPTIED = re.compile(r"\(\)|\[\]|[,;][)\],;.]")
_BESIDE = re.compile(r"\s+[A-Za-z(]")
_GLUED = re.compile(rf"({macros.GLUED})(.+)", re.DOTALL)
_ABBREVIATED = re.compile(r"(?:c|bb|bf|bs|cal|mc|sc|scr|frak|b|v)([A-Z])")
_BRACKETS = re.compile(r"\([^()]*\)")
_CARRIERS = "∇∂·"
_COMPOUND = re.compile(r"[\s+\-−±×·/]")


def write_command(source: Source, i: int, end: int, out: Out) -> int:
    """Write what the command at i stands for."""
    name = source.tokens[i][1:]
    name = name.rstrip("*") or name
    if name in macros.ACCENTS and _accentable(source, i, end, out):
        return _accent(source, i, end, out)
    if not (name.isascii() and name.isalpha()):
        return _escaped(source, i, end, out)
    if name in _COMMANDS:
        return _COMMANDS[name](source, i, end, out)
    if "cite" in name.lower():
        return _drop(source, i, end, out)
    return _other(source, i, end, out)


def _escaped(source: Source, i: int, end: int, out: Out) -> int:
    r"""Write an escaped character, a space, or maths in ``\( \)``."""
    name = source.tokens[i][1:]
    close = source.pair.get(i, end)
    if name in ("(", "[") and close < end and not out.maths:
        out.parts.append(source.text(i + 1, close, maths=True).strip())
        return close + 1
    spaces = macros.MATHS_SPACES if out.maths else macros.TEXT_SPACES
    out.parts.append(spaces.get(name, name))
    return i + 1


def _accentable(source: Source, i: int, end: int, out: Out) -> bool:
    """Tell whether a letter that can carry the accent follows, bare or in braces."""
    if i + 1 >= end:
        return False
    follows = source.tokens[i + 1]
    if close := source.closes(i + 1, end):
        inner = "".join(source.tokens[i + 2 : min(close, i + 5)]).strip()
        return out.maths or (close == i + 3 and (len(inner) == 1 or inner in ("\\i", "\\j")))
    if source.tokens[i][1:].isalpha():  # \H o, but not \HH
        return out.maths or (follows[:1].isspace() and follows.lstrip()[:1].isalpha())
    return not out.maths and (follows[:1].isalpha() or follows in ("\\i", "\\j"))


def _accent(source: Source, i: int, end: int, out: Out) -> int:
    mark = macros.ACCENTS[source.tokens[i][1:].rstrip("*")]
    letter, after = source.argument(i + 1, end, out.maths)
    letter = {"ı": "i", "ȷ": "j"}.get(letter, letter)
    carries = len(letter) == 1 and (letter.isalnum() or letter in _CARRIERS)
    out.parts.append(letter + mark if carries else letter)
    return after


def _skip_space(source: Source, i: int, end: int) -> int:
    """Remove the space at the beginning of token i, which only ended a command."""
    if i < end and source.tokens[i][0].isspace():
        source.tokens[i] = source.tokens[i].lstrip()
        return i if source.tokens[i] else i + 1
    return i


def _switch(source: Source, i: int, end: int, out: Out) -> int:
    after = _skip_space(source, i + 1, end)
    if source.tokens[i] in ("\\left", "\\right") and after < end and source.tokens[after][0] == ".":
        source.tokens[after] = source.tokens[after][1:] or " "
    return after


def _space(source: Source, i: int, end: int, out: Out) -> int:
    out.parts.append(" ")
    return i + 1


def _drop(source: Source, i: int, end: int, out: Out) -> int:
    """Leave out a command with its options and its first argument."""
    after = source.after_option(i + 1, end)
    close = source.closes(after, end)
    after = close + 1 if close else after
    if source.tokens[i] not in ("\\begin", "\\end"):
        out.take_space()
        while after < end and _EMPTIED.fullmatch(pair := out.last()[-1:] + source.tokens[after][0]):
            out.take_last()
            if pair in ("()", "[]"):
                source.tokens[after] = source.tokens[after][1:] or " "
                break
    return after


def _last(source: Source, i: int, end: int, out: Out) -> int:
    found, after = source.groups(i + 1, end, out.maths)
    out.parts += found[-1:]
    return after


def _font(source: Source, i: int, end: int, out: Out) -> int:
    name = source.tokens[i][1:].rstrip("*")
    argument, after = source.argument(i + 1, end, out.maths and name not in macros.TEXT)
    out.parts.append(macros.BLACKBOARD.get(argument, argument) if "bb" in name else argument)
    return after


def _function(source: Source, i: int, end: int, out: Out) -> int:
    name = source.tokens[i][1:].rstrip("*")
    out.parts.append(THIN + macros.LARGE.get(name, name) + THIN)
    return i + 1


def _operator_name(source: Source, i: int, end: int, out: Out) -> int:
    argument, after = source.argument(i + 1, end, True)
    out.parts.append(THIN + argument + THIN)
    return after


def _relation(source: Source, i: int, end: int, out: Out) -> int:
    symbol = macros.symbols()[source.tokens[i][1:]]
    spaced = not out.maths and out.last()[-1:].isspace()
    out.parts.append(symbol if spaced else WIDE + symbol + WIDE)
    return i + 1


def _operator(source: Source, i: int, end: int, out: Out) -> int:
    out.parts.append(macros.symbols()[source.tokens[i][1:]] + EVEN)
    return i + 1


def _letter(source: Source, i: int, end: int, out: Out) -> int:
    out.parts.append(macros.symbols()[source.tokens[i][1:]])
    return _skip_space(source, i + 1, end)


def _negated(source: Source, i: int, end: int, out: Out) -> int:
    argument, after = source.argument(i + 1, end, True)
    out.parts.append(f"{WIDE}{argument}\u0338{WIDE}" if len(argument) == 1 else argument)
    return after


def _fraction(source: Source, i: int, end: int, out: Out) -> int:
    over, after = source.argument(i + 1, end, True)
    under, after = source.argument(after, end, True)
    out.parts.append(f"{_bracketed(over)}/{_bracketed(under)}")
    return after


def _binomial(source: Source, i: int, end: int, out: Out) -> int:
    over, after = source.argument(i + 1, end, True)
    under, after = source.argument(after, end, True)
    out.parts.append(f"({over} choose {under})")
    return after


def _root(source: Source, i: int, end: int, out: Out) -> int:
    degree = ""
    at = source.after_option(i + 1, end)
    if at > i + 1:
        degree = superscript("x", source.tokens[i + 1].strip("[] ")).lstrip("^")
    argument, after = source.argument(at, end, True)
    argument = argument.strip(THIN)
    alone = len(argument) < 2 or not (source.closes(at, end) or _COMPOUND.search(argument))
    out.parts.append(f"{degree}√" + (argument if alone else f"({argument})") + THIN * alone)
    return after


def _bracketed(text: str) -> str:
    """Put brackets around a sum or product, which a bar no longer holds together."""
    text = text.strip()
    return f"({text})" if _COMPOUND.search(_BRACKETS.sub("", text)) else text


def _in_maths(source: Source, i: int, end: int, out: Out) -> int:
    argument, after = source.argument(i + 1, end, True)
    out.parts.append(argument)
    return after


def _footnote(source: Source, i: int, end: int, out: Out) -> int:
    found, after = source.groups(i + 1, end, False)
    out.parts += [f" ({note.strip()})" for note in found[:1] if note.strip()]
    return after


def _link(source: Source, i: int, end: int, out: Out) -> int:
    """Write a link: its label, and the address where the label does not show it."""
    found, after = source.groups(i + 1, end, False)
    address = found[0].strip() if found else ""
    label = found[-1].strip() if len(found) > 1 else ""
    shown = label.removeprefix("https://").removeprefix("http://").rstrip("/")
    out.parts.append(address if not label or shown in address else f"{label} ({address})")
    return after


def _other(source: Source, i: int, end: int, out: Out) -> int:
    """Write a symbol, or of a command that nobody knows the argument, else the name."""
    name = source.tokens[i][1:].rstrip("*")
    known = macros.symbols().get(name)
    if known is not None:
        out.parts.append(known)
        beside = out.maths and i + 1 < end and _BESIDE.match(source.tokens[i + 1])
        return _skip_space(source, i + 1, end) if beside and known.isalpha() else i + 1
    found, after = source.groups(i + 1, end, out.maths)
    if any(found):
        out.parts.append(" ".join(found))
    elif letter := _ABBREVIATED.fullmatch(name):
        out.parts.append(letter[1])
    elif glued := _GLUED.fullmatch(name):
        out.parts.append(_reglued(source, glued[1], glued[2], out.maths))
    else:
        out.parts.append(THIN + name + THIN)
    return after


def _reglued(source: Source, name: str, rest: str, maths: bool) -> str:
    """Return the plain text of a command whose braces were lost ("mathcalO", "emphnon")."""
    if name in ("begin", "end"):
        return " "
    lost = Source.of(f"\\{name}{{{rest[0]}}}{rest[1:]}", source.handlers)
    return lost.text(0, len(lost.tokens), maths)


_COMMANDS: dict[str, Handler] = {
    **dict.fromkeys(macros.SWITCHES, _switch),
    **dict.fromkeys(macros.SPACES, _space),
    **dict.fromkeys(macros.DROPPED, _drop),
    **dict.fromkeys(macros.LAST, _last),
    **dict.fromkeys(macros.ONE, _font),
    **dict.fromkeys((*macros.FUNCTIONS, *macros.LARGE), _function),
    **dict.fromkeys(macros.RELATIONS, _relation),
    **dict.fromkeys(macros.OPERATORS, _operator),
    **dict.fromkeys((*macros.LETTERS, *macros.OPENING), _letter),
    **dict.fromkeys(("frac", "dfrac", "tfrac", "nicefrac", "sfrac"), _fraction),
    **dict.fromkeys(("binom", "dbinom", "tbinom"), _binomial),
    **dict.fromkeys(("url", "nolinkurl", "path", "href"), _link),
    **dict.fromkeys(("footnote", "footnotetext"), _footnote),
    "sqrt": _root,
    "not": _negated,
    "ensuremath": _in_maths,
    "operatorname": _operator_name,
}
