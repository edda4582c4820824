"""Words around a text that are no part of it: a label, a copyright, a note that it is missing."""

from __future__ import annotations

import re

# "Abstract:", "Abstract We propose" and "Abstract Neural networks are", but not "Abstract
# Meaning Representation" or "Abstract interpretation".
_PREFIX = re.compile(
    r"^\W{0,3}(?:"
    r"(?:abstract|summary|resume|résumé|zusammenfassung|kurzfassung|resumen|resumo|riassunto|摘要)"
    r"\s*(?:[:.–—―：]|-(?=\s))[\s*_]*"
    r"|abstract\s*\n\s*"
    r"|abstract\s+(?=(?:we|the|this|these|in|an?|our|it|recent\w*|existing|while|although|to)\s)"
    r"|abstract\s+(?=(?:background|objectives?|purpose|motivation|introduction|aims?|context)\b"
    r"\s*[:—–])"
    r"|(?-i:[Aa]bstract)\s+(?!(?-i:Meaning|Interpretation|Syntax|Argumentation|Dialectical|State"
    r"|Reasoning|Data|Algebra|Wikipedia|Visual|Text|Concept|Domain|Machine)s?\b)"
    r"(?-i:(?=[A-Z][a-z]+\s+[a-z]))"
    r"|(?-i:ABSTRACT|SUMMARY)\s+(?-i:(?=(?:[A-Z][a-z]+|A)\s+[a-z]))"
    r")(?=\S)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"[\W_]*(?:abstract|summary|resum|résumé|zusammenf|kurzf|riass|摘要)", re.IGNORECASE
)

_TAIL = 500  # characters from the end in which a copyright is looked for
_YEAR = r"(?:19|20)\d\d"
_HOLDER = r"(?:the )?authors?\b|IEEE|ACM|Elsevier|Springer|Wiley|Taylor|APA|IOP|the \w+ society"
_MARK = rf"(?:(?:crown )?copyright\s*(?:©|\(c\))|(?:crown )?copyright(?=\W{{1,3}}{_YEAR})|©|\(c\))"
_COPYRIGHT = re.compile(
    rf"\s+(?={_MARK}.{{0,120}}(?:rights reserved|published by|{_HOLDER}))"
    rf"|(?:^|(?<=[.!?)\]\"”])\s*)(?:{_MARK}\W{{0,3}}(?:{_YEAR}|{_HOLDER})"
    r"|\(?psycinfo database record\b|this article is protected by copyright"
    r"|published by (?:elsevier|springer|wiley|john wiley|oxford university|cambridge university)"
    r"|all rights (?:are )?reserved\W*$)",
    re.IGNORECASE,
)
_FIRST = re.compile(
    rf"{_MARK}\W{{0,3}}{_YEAR}[^.]{{0,80}}\.(?:\s+(?:ltd|inc|b\.?v)\.)?"
    r"(?:\s+all rights reserved\.)?\s+(?=[A-Z])",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"\b(?:[Ww]e|[Oo]ur|[Rr]esults?|[Ss]how(?:s|n)?)\b")
_HINTS = ("©", "opyright", "(c)", "(C)", "eserved", "ublished by")

_NOT_THERE = r"(?:not|un)[\s-]?(?:available|provided|supplied|found|given|specified)"
_FOR_THIS = r"(?: for this (?:article|paper|record|item|entry|title|publication|content|chapter))?"
_MISSING = re.compile(
    rf"""\W*(?:
      none|null|nan|nil|n/a|n\.?a\.?|<na>|undefined|abstract|placeholder|tb[acd]|lorem\ ipsum
    | not\ (?:available|provided|applicable)
    | (?:there\ is\ )?no\ (?:abstract|summary|title)
      (?:\ (?:is\ |was\ )?(?:available|provided|found|supplied|given|submitted|text|needed))?
      {_FOR_THIS.replace(" ", "[ ]")}
    | (?:the\ |an\ )?(?:abstract|summary|title)\ (?:is\ |was\ )?(?:currently\ )?{_NOT_THERE}
      {_FOR_THIS.replace(" ", "[ ]")}
    | th(?:is|e)\ (?:article|paper|chapter)\ (?:has\ no|does\ not\ have\ an)\ abstract
    | (?:please\ )?(?:enter|insert|type|write|paste|add)\ (?:your\ |the\ |an\ )?
      abstract(?:\ text)?\ here
    | (?:(?:the\ |an\ )?abstract\ )?(?:is\ |will\ be\ |to\ be\ )?
      (?:to\ be\ (?:added|announced|provided|completed)|added\ later|coming\ soon|forthcoming)
    | (?:(?:this|the)\ )?(?:paper|submission|article|manuscript)\ (?:has\ been|was|is)\ withdrawn
      (?:\ by\ (?:the\ )?authors?)?
    | withdrawn(?:\ (?:paper|submission|article))?
    | (?:preface|foreword|editorial|front\ ?matter|back\ ?matter|title\ page|table\ of\ contents
        |(?:author|subject|keyword)\ index|masthead|call\ for\ papers)
    | (?:preface|foreword)\ (?:to|of|for)\ [^.!?:]{{1,80}}
    )\W*""",
    re.IGNORECASE | re.VERBOSE,
)
_FRONT_MATTER = re.compile(
    r"presents the (?:front cover|title page|table of contents|introductory welcome)"
    r"|provides a (?:listing of (?:current|the)|schedule of conference)"
    r"|presents an index of the authors|conference proceedings front matter may contain"
    r"|prospective authors are requested to submit|advertisement, ieee"
    r"|an abstract is not available for this content"
    r"|this is a preview of subscription content",
    re.IGNORECASE,
)
_LONGEST = 140
_LONGEST_FRONT_MATTER = 320


def drop_prefix(text: str) -> str:
    """Remove a label such as "Abstract:" from the beginning."""
    return _PREFIX.sub("", text, count=1) if _LABEL.match(text) else text


def drop_copyright(text: str) -> str:
    """Remove the note on copyright that publishers put after an abstract, or before it.

    Example:
        >>> drop_copyright("We show it. © 2019 Elsevier Ltd. All rights reserved.")
        'We show it.'
    """
    if not any(map(text.__contains__, _HINTS)):
        return text
    if first := _FIRST.match(text):
        text = text[first.end() :]
    found = _COPYRIGHT.search(text, max(0, len(text) - _TAIL))
    if not found or _GOES_ON.search(text, found.end()):
        return text
    return text[: found.start()].rstrip() or text


def is_missing(text: str) -> bool:
    """Tell whether an exporter or a publisher wrote these words for "there is none"."""
    if len(text) > _LONGEST:
        return len(text) <= _LONGEST_FRONT_MATTER and bool(_FRONT_MATTER.match(text))
    return bool(_MISSING.fullmatch(text) or _FRONT_MATTER.match(text)) or not _has_signs(text)


def drop_missing(text: str) -> str:
    """Return the empty string for words that say that there is no text."""
    return "" if is_missing(text) else text


def _has_signs(text: str) -> bool:
    """Tell whether there is more than punctuation."""
    return text[:1].isalnum() or any(map(str.isalnum, text))
