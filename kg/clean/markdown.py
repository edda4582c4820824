"""Markdown: emphasis, code, links and headings become their words."""

from __future__ import annotations

import re

from kg.clean.typography import URL

_LINK = re.compile(r"!?\[([^\[\]\n]{1,300})\]\((https?://[^\s()]+|[\w-]+(?:\.[\w-]+)+/?[^\s()]*)\)")
_HEADING = re.compile(r"^#{1,6}[ \t]+(?=\S)", re.MULTILINE)
_CODE = re.compile(r"(?<![\w`])`([^`\n]{1,200})`(?![\w`])")
_DUNDER = re.compile(r"(?<![\w_])__(?=[^\s_])([^_\n]{1,300}?)(?<=[^\s_])__(?![\w_])")
_PYTHON = frozenset(
    ("init", "main", "call", "name", "file", "getitem", "len", "iter", "next", "new")
)
_RUN = re.compile(URL.pattern + r"|\*+|(?<![^\W_])_(?=[^\W_])|(?<=[^\s_])_(?![\w])")
_FARTHEST = 600

_OPENS_AFTER = re.compile(r"[\s(\[{<\"'“‘«„—–\-/|:;,.*_]")
_OPENS_BEFORE = re.compile(r"[\w(\[{\"'“‘«$\\`&+#@~√∑≤≥<]")


def markdown_to_text(text: str) -> str:
    """Return the text without the marks of Markdown; asterisks that stand alone stay."""
    if "](" in text:
        text = _LINK.sub(_link, text)
    if "#" in text:
        text = _HEADING.sub("", text)
    if "`" in text:
        text = _CODE.sub(r"\1", text)
    if "__" in text:
        text = _DUNDER.sub(lambda it: it[0] if it[1] in _PYTHON else it[1], text)
    return _drop_emphasis(text) if "*" in text or "_" in text else text


def _link(found: re.Match[str]) -> str:
    label, address = found[1].strip("*_` "), found[2]
    shown = re.sub(r"^https?://|/$", "", label)
    return address if shown in address else f"{label} ({address})"


def _drop_emphasis(text: str) -> str:
    """Remove pairs of runs of ``*`` or ``_`` that enclose words."""
    opened: dict[str, re.Match[str]] = {}
    dropped: list[tuple[int, int]] = []
    for run in _RUN.finditer(text):
        mark = run[0]
        if mark[0] not in "*_" or len(mark) > 3:
            continue
        begin = opened.get(mark)
        if begin and _closes(text, run) and run.start() - begin.end() <= _FARTHEST:
            dropped += [begin.span(), run.span()]
            del opened[mark]
        elif _opens(text, run):
            opened[mark] = run
    return _without(text, sorted(dropped)) if dropped else text


def _opens(text: str, run: re.Match[str]) -> bool:
    before, after = text[max(0, run.start() - 1) : run.start()], text[run.end() : run.end() + 1]
    inside_word = len(run[0]) > 1 and before.isalpha() and after.isalpha()
    edge = not before or bool(_OPENS_AFTER.match(before)) or inside_word
    bold = len(run[0]) > 1 and not after.isspace() and before != "*"
    return edge and bool((bold and after) or _OPENS_BEFORE.match(after))


def _closes(text: str, run: re.Match[str]) -> bool:
    before, after = text[run.start() - 1], text[run.end() : run.end() + 1]
    return not before.isspace() and (run[0][0] == "*" or not after.isalnum())


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    kept: list[str] = []
    at = 0
    for start, end in spans:
        kept.append(text[at:start])
        at = end
    return "".join([*kept, text[at:]])
