"""The titles and abstracts from which word statistics and vectors are counted."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FILES = ("acl.jsonl.gz", "ml.jsonl.gz")
HELD_OUT = ("iclr2018:", "iclr2021:")
"""Collections whose authors' keywords measure the result, so that they are not counted."""

_MARK_UP = (
    (re.compile(r"\\(?:cite[a-z]*|ref|label|url|href)\*?\{[^}]*\}"), " "),
    (re.compile(r"<[^<>]{1,40}>"), " "),
    (re.compile(r"\\[a-zA-Z]+\*?"), " "),
    (re.compile(r"[${}\\]"), ""),
    (re.compile(r"https?://\S+"), " "),
    (re.compile(r"\s+"), " "),
)
_FUNCTION_WORD = re.compile(r"\b(?:the|of|and|to|in|a|is|for)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Record:
    """A paper of the corpus: title, abstract, authors' keywords."""

    title: str
    abstract: str
    keywords: tuple[str, ...]


def read_corpus(folder: Path) -> Iterator[Record]:
    """Yield the English papers of a folder's corpora, each abstract once, mark-up taken out."""
    seen: set[str] = set()
    for name in FILES:
        with gzip.open(folder / name, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                abstract = plain(row.get("abstract") or "")
                if abstract not in seen and _is_english(abstract):
                    seen.add(abstract)
                    held_out = row["id"].startswith(HELD_OUT)
                    keywords = () if held_out else tuple(row.get("keywords") or ())
                    yield Record(plain(row.get("title") or ""), abstract, keywords)


def plain(text: str) -> str:
    r"""Return a text without most of its mark-up.

    Example:
        >>> plain(r"We reach \textbf{$5$} points \cite{x}.")
        'We reach 5 points .'
    """
    for pattern, replacement in _MARK_UP:
        text = pattern.sub(replacement, text)
    return text.strip()


def _is_english(text: str) -> bool:
    return len(_FUNCTION_WORD.findall(text)) > 0.1 * len(text.split())
