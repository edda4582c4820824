"""Tagged sentences from CoNLL-U, with the tokens that our tokenizer makes of their text."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from spacy.language import Language
from spacy.tokens import Doc

_MODIFIERS = frozenset({"amod", "compound", "nummod", "nmod", "nmod:attmod", "obl:npmod"})


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the treebank.

    Args:
        start: Its first code point in the sentence.
        end: The code point after its last.
        tag: Its Penn Treebank tag.
        head: Index of its head in the sentence, -1 for the root.
        relation: Its dependency relation to the head.
    """

    start: int
    end: int
    tag: str
    head: int
    relation: str


def read_treebank(path: Path, nlp: Language) -> Iterator[Doc]:
    """Yield each sentence of a gzipped CoNLL-U file as a tagged document."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for block in lines.read().split("\n\n"):
            if block.strip():
                yield _tagged(nlp, *_parse(block))


def merged_tag(words: list[Word], first: int, last: int) -> str:
    """Return the tag of one token that covers the words from ``first`` to ``last``.

    A hyphenated compound before its noun is an adjective, as Penn Treebank has it;
    elsewhere it has the tag of the word that the others depend on.
    """
    inside = range(first, last + 1)
    top = next((i for i in inside if words[i].head not in inside), last)
    if first == last or "HYPH" not in {words[i].tag for i in inside}:
        return words[top].tag
    if words[top].relation in _MODIFIERS and words[top].head > last:
        proper = all(words[i].tag in {"NNP", "HYPH", "CD"} for i in inside)
        return "NNP" if proper else "JJ"
    return words[top].tag


def _parse(block: str) -> tuple[str, list[Word]]:
    text, words = "", []
    for line in block.splitlines():
        columns = line.split("\t")
        if len(columns) == 10 and columns[0].isdigit():
            end = len(text) + len(columns[1])
            head = int(columns[6]) - 1
            words.append(Word(len(text), end, columns[4], head, columns[7].strip()))
            text += columns[1] + ("" if "SpaceAfter=No" in columns[9] else " ")
    return text.rstrip(), words


def _tagged(nlp: Language, text: str, words: list[Word]) -> Doc:
    doc = nlp.make_doc(text)
    for token in doc:
        end = token.idx + len(token)
        covered = [i for i, w in enumerate(words) if w.start < end and token.idx < w.end]
        token.tag_ = merged_tag(words, covered[0], covered[-1]) if covered else "_SP"
    return doc
