"""The words of a text with their tags, as the shipped language model reads them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import nullcontext
from functools import cache
from typing import TYPE_CHECKING, Any

from extractors.models import load_pipeline
from extractors.phrases import Word
from extractors.sentences import sentence_spans

if TYPE_CHECKING:
    from extractors.networks import Convolutions

PIECE = 20_000
"""Code points that are tagged at once; an abstract has a few thousand at most."""
REMEMBERED = 50_000
"""Words that the tokenizer keeps from text to text; what comes later it forgets again."""


def tagged_words(text: str) -> list[Word]:
    """Return the words of a text with their tags; a very long text is read in pieces.

    Example:
        >>> [(word.text, word.tag) for word in tagged_words("We train them.")]
        [('We', 'PRP'), ('train', 'VBP'), ('them', 'PRP'), ('.', '.')]
    """
    vocab = load_pipeline().vocab
    found: list[Word] = []
    for offset, piece in _pieces(text):
        with nullcontext() if len(vocab) < REMEMBERED else load_pipeline().memory_zone():
            words = _tagged(piece)
        found += [w._replace(start=w.start + offset) for w in words] if offset else words
    return found


def _tagged(text: str) -> list[Word]:
    network, labels = _tagger()
    doc = load_pipeline().tokenizer(text)
    tags = network.scores(doc).argmax(axis=1).tolist()
    starts, lengths = doc.to_array(["IDX", "LENGTH"]).T.tolist()
    opening = {bisect_left(starts, start) for start, _ in sentence_spans(text)}
    letters = [text[start : start + length] for start, length in zip(starts, lengths, strict=True)]
    return [
        Word(start, word, word.lower(), labels[tag], number in opening)
        for number, (start, word, tag) in enumerate(zip(starts, letters, tags, strict=True))
    ]


@cache
def _tagger() -> tuple[Convolutions, tuple[str, ...]]:
    from extractors.networks import Convolutions

    nlp = load_pipeline()
    tagger: Any = nlp.get_pipe("tagger")
    return Convolutions(tagger.model, nlp.vocab.vectors), tagger.labels


def _pieces(words: str) -> Iterator[tuple[int, str]]:
    """Yield a text with its offset; a very long one in pieces, which bounds the memory."""
    start = 0
    while len(words) - start > PIECE:
        stop = start + PIECE
        cut = words.rfind(". ", start + 1, stop) + 1 or words.rfind(" ", start + 1, stop) or stop
        cut = cut if cut > start else stop
        yield start, words[start:cut]
        start = cut
    if words[start:]:
        yield start, words[start:]
