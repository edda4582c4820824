"""What of a paper tells whether another record is the same paper."""

from __future__ import annotations

import hashlib
import re
import unicodedata
import zlib
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from kg.identity import letters
from kg.model import Paper

Shingles: TypeAlias = np.ndarray[Any, np.dtype[np.uint32]]

_SHINGLE = 4  # words
_SAME_TEXT = 40  # letters and digits; shorter abstracts alone make no two records one
_SHORT_TITLE = 12  # letters and digits; "Introduction", "Reply", "Editorial"

_WORD = re.compile(r"\w+")
_ARXIV = re.compile(r"arxiv(?:\.org/(?:abs|pdf)/|[:./ ]+)(\d{4}\.\d{4,5}|[a-z.-]+/\d{7})", re.I)
_PREPRINT = re.compile(
    r"10\.(?:48550|2139|20944|21203|26434|31219|31222|31234|36227)/|10\.1101/\d{4}"
    r"|\b(?:arxiv|corr|[a-z]+rxiv|preprints?|ssrn|openreview)\b",
    re.IGNORECASE,
)
_NOTICE = re.compile(r"[\[(](?:retracted|withdrawn|extended abstract)[\])]:?|^withdrawn?\W*$")
_ATTACHED = re.compile(
    r"(?:addendum|comments?|corrections?|corrigend(?:um|a)|discussion|errat(?:um|a)|invited talk"
    r"|keynote|rejoinder|reply|response|retraction|supplement|tutorial)"
    r"(?= *$| *:| (?:to|of|on|for)\b)"
)
_GENERIC = re.compile(
    r"(?:guest |book |an? |the )*(?:abstracts|author index|conclusions?|contents|editorial"
    r"|foreword|front matter|in memoriam|introduction|letters?|obituary|overview|preface"
    r"|program(?:me)?|reviews?|summary|untitled)(?: *$| *:| (?:to|of|on|for|from)\b)|.*\bpreface$"
)
_SERIAL = re.compile(
    r"\d|^[ivx]{2,}$|^(?:first|second|third|[a-z]*tieth)$"
    r"|^(?:four|fif|six|seven|eigh|nin|ten|eleven|twelf|[a-z]+teen)th$"
)
_LETTERED = re.compile(r"\b(?:part|task|track|vol|volume) ([a-z])\b")
_NOBODY = {"anonymous", "withdrawn", "unknown", "author", "authors", "al", "others", "none"}
_SUFFIXES = {"jr", "sr", "ii", "iii"}
_MIXERS = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5],
    dtype=np.uint64,
)


@dataclass(frozen=True, slots=True, eq=False)
class Traits:
    """What is compared of a paper.

    Args:
        id: The paper's id.
        doi: Its DOI, else empty.
        arxiv: Its number at arXiv, found in its DOI, id or address, else empty.
        title: Letters and digits of its title, without notices such as "[RETRACTED]".
        words: The words of its title of more than two letters.
        serials: What tells the titles of a series apart: numbers, ordinals, "Task A",
            "Erratum", "Reply".
        people: Last names of its authors, without accents; empty where they are not known.
        year: Year of publication.
        series: The venue without numbers and ordinals.
        is_preprint: Whether it is found on a preprint server.
        is_generic: Whether many papers have that title.
        has_abstract: Whether it has an abstract.
        text: A hash of the letters and digits of its abstract; empty where they are few.
        shingles: Hashes of all runs of four words in its abstract, sorted, each once.
    """

    id: str
    doi: str
    arxiv: str
    title: str
    words: frozenset[str]
    serials: frozenset[str]
    people: frozenset[str]
    year: int | None
    series: str
    is_preprint: bool
    is_generic: bool
    has_abstract: bool
    text: str
    shingles: Shingles


def traits_of(paper: Paper) -> Traits:
    """Return what is compared of a paper."""
    places = " ".join((paper.doi, paper.id, paper.url, paper.venue))
    number = _ARXIV.search(places)
    title = _NOTICE.sub("", paper.title.casefold()).strip()
    key = title_key(title)
    words = _WORD.findall(_plain(title))
    abstract = letters(paper.abstract)
    return Traits(
        id=paper.id,
        doi=paper.doi,
        arxiv=number.group(1).lower() if number else "",
        title=key,
        words=frozenset(word for word in words if len(word) > 2),
        serials=_serials(words) | frozenset(_LETTERED.findall(title)) | _attachment(title),
        people=_people(paper),
        year=paper.year,
        series=_series(paper.venue),
        is_preprint=bool(_PREPRINT.search(places)),
        is_generic=len(key) <= _SHORT_TITLE or bool(_attachment(title) or _GENERIC.match(title)),
        has_abstract=bool(abstract),
        text=hashlib.sha256(abstract.encode()).hexdigest() if len(abstract) >= _SAME_TEXT else "",
        shingles=shingles(paper.abstract),
    )


def title_key(title: str) -> str:
    """Return the letters and digits of a title, and the signs that tell C from C++ and C#.

    Example:
        >>> title_key("Hyperbolic networks++") == title_key("Hyperbolic Networks")
        False
    """
    return letters(title.replace("+", "plus").replace("#", "sharp"))


def shingles(text: str) -> Shingles:
    """Return the hashes of all runs of four words in a text, sorted, each once.

    Example:
        >>> len(shingles("a rose is a rose is a rose"))
        3
    """
    words = _WORD.findall(text.casefold())
    codes = np.array(list(map(zlib.crc32, map(str.encode, words))), dtype=np.uint64)
    count = max(len(codes) - _SHINGLE + 1, 0)
    hashes = np.zeros(count, dtype=np.uint64)
    for place, mixer in enumerate(_MIXERS):
        hashes = (hashes ^ (hashes >> np.uint64(29))) * mixer + codes[place : place + count]
    hashes = (hashes ^ (hashes >> np.uint64(32))) * _MIXERS[0]
    return np.unique((hashes >> np.uint64(32)).astype(np.uint32))


def _serials(words: list[str]) -> frozenset[str]:
    return frozenset(word for word in words if _SERIAL.search(word))


def _attachment(title: str) -> frozenset[str]:
    """Return the word that makes a title that of another paper's erratum, reply or talk."""
    found = _ATTACHED.match(title)
    return frozenset([found.group()]) if found else frozenset()


def _people(paper: Paper) -> frozenset[str]:
    """Return last names in Latin letters; other scripts cannot be compared with them."""
    names = ([w for w in _WORD.findall(_plain(a)) if w not in _SUFFIXES] for a in paper.authors)
    last = {name[-1] for name in names if name}
    return frozenset(name for name in last - _NOBODY if name.isascii())


def _series(venue: str) -> str:
    words = _WORD.findall(_plain(venue))
    return "".join(word for word in words if not _SERIAL.search(word))


def _plain(text: str) -> str:
    """Return a text in lower case, without accents."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in folded if not unicodedata.combining(char))
