"""What of a paper tells whether another record is the same paper."""

from __future__ import annotations

import hashlib
import re
import unicodedata
import zlib
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from kg.identity import letters
from kg.model import Paper

Shingles: TypeAlias = np.ndarray[Any, np.dtype[np.uint32]]
SHINGLE = np.dtype("<u4")
NAMES = np.dtype(("<u8", 4))

_RUN = 4  # words
_SKETCH = 8  # shingles
_DIGEST = 16  # bytes
_HEAD = _DIGEST + NAMES.itemsize
_SAME_TEXT = 40  # letters and digits; shorter abstracts alone make no two records one
_SHORT_TITLE = 12  # letters and digits; "Introduction", "Reply", "Editorial"

_WORD = re.compile(r"\w+")
_PARTED = bytes(code if chr(code).isalnum() or code == ord("_") else 32 for code in range(128))
_PARTED += bytes(range(128, 256))
_29, _32 = np.uint64(29), np.uint64(32)
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


class Traits:
    """What is compared of a paper; what few comparisons need is made when it is asked for.

    Args:
        paper: The paper.
        fingerprint: As `fingerprint` gives it.

    Attributes:
        id: The paper's id.
        doi: Its DOI, else empty.
        year: Year of publication.
        arxiv: Its number at arXiv, found in its DOI, id or address, else empty.
        title: Letters and digits of its title, without notices such as "[RETRACTED]".
        text: A hash of the letters and digits of its abstract; empty where they are few.
        names: A bit for each of `people`, as bytes: who has no bit in common has nobody.
        sketch: The smallest `shingles` of its abstract, sorted, as bytes.
    """

    def __init__(self, paper: Paper, fingerprint: bytes) -> None:
        self._paper = paper
        self.id, self.doi, self.year = paper.id, paper.doi, paper.year
        self._title = _NOTICE.sub("", paper.title.casefold()).strip()
        self.title = title_key(self._title)
        self.arxiv = _arxiv(self._places)
        self.text = fingerprint[:_DIGEST] if any(fingerprint[:_DIGEST]) else b""
        self.names = fingerprint[_DIGEST:_HEAD]
        self.sketch = fingerprint[_HEAD:]

    @property
    def _places(self) -> str:
        return " ".join((self.doi, self.id, self._paper.url, self._paper.venue))

    @cached_property
    def _title_words(self) -> list[str]:
        return _WORD.findall(_plain(self._title))

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of its title of more than two letters."""
        return frozenset(word for word in self._title_words if len(word) > 2)

    @cached_property
    def serials(self) -> frozenset[str]:
        """What tells titles of a series apart: numbers, ordinals, "Task A", "Erratum", "Reply"."""
        lettered = frozenset(_LETTERED.findall(self._title))
        return _serials(self._title_words) | lettered | _attachment(self._title)

    @cached_property
    def people(self) -> frozenset[str]:
        """Last names of its authors, without accents; empty where they are not known."""
        return _people(self._paper)

    @cached_property
    def series(self) -> str:
        """The venue without numbers and ordinals."""
        words = _WORD.findall(_plain(self._paper.venue))
        return "".join(word for word in words if not _SERIAL.search(word))

    @cached_property
    def is_preprint(self) -> bool:
        """Whether it is found on a preprint server."""
        return bool(_PREPRINT.search(self._places))

    @cached_property
    def is_generic(self) -> bool:
        """Whether many papers have that title."""
        short = len(self.title) <= _SHORT_TITLE
        return short or bool(_attachment(self._title) or _GENERIC.match(self._title))

    @cached_property
    def has_abstract(self) -> bool:
        """Whether it has an abstract."""
        return bool(self.text or letters(self._paper.abstract))

    @cached_property
    def shingles(self) -> Shingles:
        """Hashes of all runs of four words in its abstract, sorted, each once."""
        return shingles(self._paper.abstract)


def fingerprint(paper: Paper) -> bytes:
    """Return what of a paper finds others like it: a hash of the abstract's letters, a sketch.

    The sketch is the smallest of the abstract's shingles (bottom-k, Broder 1997): two abstracts
    that share half of their shingles have none of the eight in common once in 256 times. Between
    both stands a bit for each author.

    Example:
        >>> fingerprint(Paper("a", "We walk.")) == fingerprint(Paper("b", "WE WALK"))
        True
    """
    said = letters(paper.abstract)
    digest = hashlib.sha256(said.encode()).digest() if len(said) >= _SAME_TEXT else bytes(_DIGEST)
    bits = {1 << zlib.crc32(name.encode()) % (8 * NAMES.itemsize) for name in _people(paper)}
    sketch = shingles(paper.abstract)[:_SKETCH].astype(SHINGLE)
    return digest[:_DIGEST] + sum(bits).to_bytes(NAMES.itemsize, "little") + sketch.tobytes()


def _arxiv(places: str) -> str:
    found = _ARXIV.search(places)
    return found[1].lower() if found else ""


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
    words = _words(text)
    codes = np.fromiter(map(zlib.crc32, words), np.uint64, len(words))
    count = max(len(codes) - _RUN + 1, 0)
    hashes = codes[:count]
    for place, mixer in enumerate(_MIXERS[1:], 1):
        hashes = (hashes ^ (hashes >> _29)) * mixer + codes[place : place + count]
    hashes = (hashes ^ (hashes >> _32)) * _MIXERS[0]
    return _distinct((hashes >> _32).astype(np.uint32))


def _words(text: str) -> list[bytes]:
    """Return the words of a text: cut at ASCII signs, which is quick, then at any others."""
    parts = text.casefold().encode().translate(_PARTED).split()
    if text.isascii():
        return parts
    words: list[bytes] = []
    for part in parts:
        words += [part] if part.isascii() else map(str.encode, _WORD.findall(part.decode()))
    return words


def _distinct(hashes: Shingles) -> Shingles:
    """Return hashes sorted, each once; for so few, `numpy.unique` takes much longer."""
    hashes.sort()
    is_new = np.ones(len(hashes), dtype=bool)
    np.not_equal(hashes[1:], hashes[:-1], out=is_new[1:])
    return hashes[is_new]


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


def _plain(text: str) -> str:
    """Return a text in lower case, without accents."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in folded if not unicodedata.combining(char))
