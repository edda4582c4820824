"""Identity: from a raw record to a cleaned paper with an id.

The id is the DOI, else the source's id, else a hash of the raw abstract's letters and digits,
so that better cleaning moves no id.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from sys import intern

from kg.clean import clean_name, clean_text
from kg.language import detect
from kg.model import Paper, Record, Skipped

_DOI = re.compile(r"10\.\d+(?:\.\d+)*/\S+")
_URL = re.compile(r"(?:https?://|\b(?=[\w.-]+\.\w+/))[^\s<>\"{}|\\^`]+")
_CODE = re.compile(
    r"(github|gitlab|bitbucket|huggingface|codeberg|sourceforge|zenodo|anonymous\.4open\.science)\b",
    re.IGNORECASE,
)
_NO_ALNUM = re.compile(r"[\W_]+")
_ASCII_SIGNS = bytes(code for code in range(128) if not chr(code).isalnum())
_URL_TAIL = ".,;:!?'\"”’)]}"
_RESERVED = "concept:"


def to_paper(record: Record) -> Paper | Skipped:
    r"""Return a record as a cleaned paper, or why it is none.

    Example:
        >>> from kg.model import Source
        >>> to_paper(Record(Source("a.txt", 1), r"We \emph{show} it.")).abstract
        'We show it.'
    """
    abstract, title = clean_text(record.abstract), clean_text(record.title)
    if not abstract and not title:
        return Skipped(record.source, "no abstract and no title")
    doi, source_id = _doi(record.doi), _source_id(record.identifier)
    return Paper(
        id=doi or source_id or text_id(record.abstract or record.title),
        abstract=abstract,
        title=title,
        authors=tuple(filter(None, map(clean_name, record.authors))),
        year=record.year,
        venue=intern(clean_name(record.venue)),
        doi=doi,
        url=_plain(record.url),
        keywords=tuple(dict.fromkeys(filter(None, map(clean_text, record.keywords)))),
        code_urls=tuple(dict.fromkeys(code_urls(abstract))),
        language=detect(f"{title} {abstract}"),
        also_known_as=(source_id,) if doi and source_id not in ("", doi) else (),
        source=record.source,
    )


def text_id(raw: str) -> str:
    """Return the id of a text: a hash of its letters and digits, case and form aside.

    Example:
        >>> text_id("We show it.") == text_id("WE  SHOW-IT")
        True
    """
    return "sha-" + hashlib.sha256(letters(raw).encode()).hexdigest()[:16]


def code_urls(text: str) -> Iterator[str]:
    """Yield the links to code in a cleaned text, without what follows them.

    Example:
        >>> list(code_urls("Code: https://github.com/a/b."))
        ['https://github.com/a/b']
    """
    if "/" not in text or not _CODE.search(text):
        return
    for match in _URL.finditer(text):
        url = match.group().rstrip(_URL_TAIL)
        if _CODE.search(url):
            yield url if "://" in url else f"https://{url}"


def letters(text: str) -> str:
    """Return the letters and digits of a text, case and form aside.

    Example:
        >>> letters("GPT-4 (large)")
        'gpt4large'
    """
    folded = unicodedata.normalize("NFKC", text).casefold().encode(errors="surrogatepass")
    found = folded.translate(None, _ASCII_SIGNS).decode(errors="surrogatepass")
    return found if found.isascii() else _NO_ALNUM.sub("", found)


def _doi(raw: str) -> str:
    found = _DOI.search(_plain(raw))
    return found.group().rstrip(_URL_TAIL).lower() if found else ""


def _source_id(raw: str) -> str:
    name = _plain(raw)
    return f"id:{name}" if name.startswith(_RESERVED) else name


def _plain(text: str) -> str:
    """Return a text without control characters, lone surrogates and outer blanks."""
    text = text.replace("\\_", "_").replace("\\%", "%")
    return (text if text.isprintable() else "".join(filter(str.isprintable, text))).strip()
