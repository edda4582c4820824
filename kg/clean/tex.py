"""LaTeX as tokens: groups, arguments, and the spaces that symbols want around them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from kg.clean.typography import URL

_TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\\|[${}^_]|[^\\${}^_]+", re.DOTALL)
_URL = re.compile(f"({URL.pattern})")
_ESCAPED_IN_LINK = re.compile(r"\\([_%#&~])")
_DEEPEST = 40

# What a symbol wants around it: a space on both sides, a space towards letters alone, or
# after it no more space than before it.
WIDE, THIN, EVEN = "\x00", "\x01", "\x02"
_AT_EVEN = re.compile(r"(?<!\s)(\S)\x02\s+(?=\d|[^\W_]\b|[√(|])")
_AT_WIDE = re.compile(r"\s*\x00[\s\x00]*")
_AT_BRACKET = re.compile(r"(?<=[(\[{⟨])\x00|\x00(?=[)\]}⟩,])")
_AT_THIN = re.compile(r"(?<=[\w)\]}²³*|])\s*\x01[\s\x01]*(?=[\w√∑∏∫‖])")


@dataclass
class Out:
    """What has been written so far of a piece of text or maths."""

    maths: bool
    parts: list[str] = field(default_factory=list)

    def last(self) -> str:
        """Return the last two characters that can be seen, or fewer."""
        seen = ""
        for part in reversed(self.parts):
            seen = part[-4:].rstrip(WIDE + THIN + EVEN) + seen
            if len(seen) > 1:
                break
        return seen[-2:]

    def take_last(self) -> None:
        """Take back the last character, and the space before it."""
        self.parts[-1] = self.parts[-1][:-1]
        self.take_space()

    def take_space(self) -> None:
        """Take back the space (or tie) before something that vanishes."""
        while self.parts and not self.parts[-1].strip(" \t\r\n\xa0~"):
            self.parts.pop()
        if self.parts:
            self.parts[-1] = self.parts[-1].rstrip(" \t\r\n\xa0~")

    def finish(self) -> str:
        """Return the piece with the spaces that its symbols want."""
        text = "".join(self.parts)
        if EVEN in text:
            text = _AT_EVEN.sub(r"\1", text).replace(EVEN, "")
        if WIDE in text:
            text = _AT_BRACKET.sub("", _AT_WIDE.sub(WIDE, text))
            text = text.strip(WIDE).replace(WIDE, " ")
        return _AT_THIN.sub(" ", text).replace(THIN, "") if THIN in text else text


@dataclass
class Source:
    """The tokens of a text, with the other end of each brace, dollar and bracket."""

    tokens: list[str]
    pair: dict[int, int]
    grouping: bool
    handlers: Mapping[str, Handler]
    depth: int = 0

    @classmethod
    def of(cls, text: str, handlers: Mapping[str, Handler]) -> Source:
        """Return the tokens of a text.

        Args:
            text: The text.
            handlers: What writes each special character; that of the backslash, a command.
        """
        tokens: list[str] = []
        for n, part in enumerate(_URL.split(text)):
            tokens += [part] if n % 2 else _TOKEN.findall(part)
        return cls(tokens, _pairs(tokens), "\\" in text or "$" in text, handlers)

    def text(self, start: int, end: int, maths: bool = False) -> str:
        """Return the plain text of the tokens from start to end."""
        if self.depth > _DEEPEST:
            return "".join(token for token in self.tokens[start:end] if token not in "{}")
        self.depth += 1
        out = Out(maths)
        i = start
        while i < end:
            i = self.step(i, end, out)
        self.depth -= 1
        return out.finish()

    def step(self, i: int, end: int, out: Out) -> int:
        """Write what token i begins, and return the index after that."""
        token = self.tokens[i]
        command = token[0] == "\\" and len(token) > 1
        if command or (token != "\\" and token in self.handlers):
            return self.handlers["\\" if command else token](self, i, end, out)
        out.parts.append(_ESCAPED_IN_LINK.sub(r"\1", token))
        return i + 1

    def closes(self, i: int, end: int) -> int:
        """Return the index of the brace that closes the group at i, 0 where there is none."""
        close = self.pair.get(i, end) if i < end and self.tokens[i] == "{" else end
        return close if close < end else 0

    def argument(self, i: int, end: int, maths: bool) -> tuple[str, int]:
        """Return the argument that begins at token i, and the index after it."""
        if i + 1 < end and self.tokens[i].isspace():
            i += 1
        if i >= end or self.tokens[i] in ("$", "}"):
            return "", i
        if close := self.closes(i, end):
            return self.text(i + 1, close, maths), close + 1
        token = self.tokens[i].lstrip()
        if token[:1] == "\\" and self.depth <= _DEEPEST:
            self.depth += 1
            out = Out(maths)
            i = self.step(i, end, out)
            self.depth -= 1
            return out.finish(), i
        if not token or token[0] in "\\{":
            return "", i
        self.tokens[i] = token[1:]
        return token[0], i if token[1:] else i + 1

    def groups(self, i: int, end: int, maths: bool) -> tuple[list[str], int]:
        """Return the arguments in braces that follow, options in brackets left out."""
        found: list[str] = []
        while close := self.closes(at := self.after_option(i, end), end):
            found.append(self.text(at + 1, close, maths))
            i = close + 1
        return found, i

    def after_option(self, i: int, end: int) -> int:
        """Return the index after options such as ``[width=2cm]`` that stand before a brace."""
        if i < end and self.tokens[i][0] == "[" and self.closes(i + 1, end):
            return i + 1 if self.tokens[i].rstrip()[-1] == "]" else i
        return i


def _pairs(tokens: list[str]) -> dict[int, int]:
    """Map each opening brace or bracket to its other end, and each dollar to the next."""
    pair: dict[int, int] = {}
    braces: list[int] = []
    last: dict[str, int] = {}
    for i, token in enumerate(tokens):
        if token == "{":
            braces.append(i)
        elif token == "}" and braces:
            pair[braces.pop()] = i
        elif token in ("\\)", "\\]") and (opened := last.pop(token, None)) is not None:
            pair[opened] = i
        elif token in ("\\(", "\\["):
            last[{"\\(": "\\)", "\\[": "\\]"}[token]] = i
        elif token == "$":
            if "$" in last:
                pair[last["$"]] = i
            last["$"] = i
    return pair


Handler: TypeAlias = Callable[[Source, int, int, Out], int]
"""Writes what begins at a token of the source, and returns the index after it."""
