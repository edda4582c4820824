"""What the fast recogniser learns from: documents, each token with the probabilities of its tags.

Annotators speak by one scheme each; the shipped encoder (its head ``scirex``) speaks of all
texts by the same one, with its doubts. A lesson mixes both. What a scheme does not annotate
(methods, in TDMSci) is the encoder's to say.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from spacy.tokens import Doc

from extractors.encoder import Encoder, Floats, Words
from extractors.fast import LABELS, TAGS, read_document
from extractors.training.encoder.renaming import curated_names, names_of, renamed
from extractors.training.encoder.sources import Annotated

SCHEME = "scirex"
GOLD_SHARE: Mapping[str, float] = {"scirex": 0.4, "scierc": 0.3, "tdmsci": 0.5}
"""Weight of the annotators' word, the encoder's being the rest."""

ANNOTATED: Mapping[str, frozenset[str]] = {
    "scirex": frozenset(LABELS),
    "scierc": frozenset(LABELS),
    "tdmsci": frozenset(LABELS) - {"Method"},
}
_LABELS = {"Material": "Dataset"}
_PLACES = {(True, True): "S", (True, False): "B", (False, False): "I", (False, True): "E"}


@dataclass(frozen=True, slots=True)
class Lesson:
    """A document, and ``(tokens, tags)`` probabilities of its tags."""

    doc: Doc
    tags: Floats


def lessons(
    texts: Sequence[Annotated], teacher: Encoder, *, copies: int, seed: int
) -> list[Lesson]:
    """Return a lesson a text, and some of copies in which other names stand.

    Args:
        texts: The annotated texts.
        teacher: An encoder with the head `SCHEME`.
        copies: Copies of each text.
        seed: Decides what is renamed.
    """
    names, curated, chance = names_of(texts), curated_names(), random.Random(seed)  # noqa: S311
    more = [renamed(t, names, curated, chance) for _ in range(copies) for t in texts]
    return [lesson(text, teacher) for text in [*texts, *more]]


def lesson(text: Annotated, teacher: Encoder) -> Lesson:
    """Return the document of an annotated text, with what annotators and teacher say of it."""
    doc = read_document(text.text)
    said = by_teacher(doc, teacher)
    gold = by_annotators(doc, known_spans(text))
    free, others = gold[:, 0] == 1, said + gold * 1e-6
    others[:, [tag[2:] in ANNOTATED[text.scheme] for tag in TAGS]] = 0
    gold[free] = _normal(others)[free]
    share = GOLD_SHARE[text.scheme]
    return Lesson(doc, share * gold + (1 - share) * said)


def known_spans(text: Annotated) -> Iterator[tuple[int, int, str]]:
    """Yield the annotated spans whose label, or the one that means the same, is one of ours."""
    for start, end, label in text.spans:
        ours = _LABELS.get(label, label)
        if ours in ANNOTATED[text.scheme]:
            yield start, end, ours


def by_annotators(doc: Doc, spans: Iterable[tuple[int, int, str]]) -> Floats:
    """Return ``(tokens, tags)``: 1 for the tag that the annotated spans ask for, else 0."""
    rows = np.zeros((len(doc), len(TAGS)), dtype=np.float32)
    rows[:, 0] = 1
    done = 0
    for start, end, label in spans:
        found = doc.char_span(start, end, alignment_mode="expand")
        if found is None or found.start < done:
            continue
        done = found.end
        rows[found.start : done, 0] = 0
        for token in found:
            edges = token.i == found.start, token.i == done - 1
            rows[token.i, TAGS.index(f"{_PLACES[edges]}-{label}")] = 1
    return rows


def by_teacher(doc: Doc, teacher: Encoder) -> Floats:
    """Return ``(tokens, tags)`` probabilities: the encoder's words fitted into tokens.

    Of a token with several of the encoder's words the first says whether an entity begins
    there, and the last whether it ends.
    """
    words = teacher.words(doc.text)
    rows = [teacher.tag_scores(words, w, (SCHEME,))[0] for w in teacher.windows(doc.text, words)]
    said = np.exp(np.concatenate(rows)) if rows else np.zeros((0, len(TAGS)), np.float32)
    return _normal(np.array([_token_row(said, at) for at in _places(doc, words)], np.float32))


def _places(doc: Doc, words: Words) -> Iterator[range]:
    """Yield for each token the numbers of the encoder's words in it."""
    for token in doc:
        first, stop = np.searchsorted(words.starts, (token.idx, token.idx + len(token)))
        yield range(int(first), int(stop))


def _token_row(said: Floats, at: range) -> Floats:
    row = np.zeros(len(TAGS), dtype=np.float32)
    row[0] = 1
    if not at:
        return row
    first, last = said[at[0]], said[at[-1]]
    if len(at) == 1:
        row[:] = first
        return row
    row[0] = first[0]
    for b in range(1, len(TAGS), 4):
        begins, goes_on = first[b] + first[b + 3], first[b + 1] + first[b + 2]
        ends, stays = last[b + 2] + last[b + 3], last[b] + last[b + 1]
        ending = ends / (ends + stays + 1e-9)
        row[b : b + 4] = (
            begins * (1 - ending),
            goes_on * (1 - ending),
            goes_on * ending,
            begins * ending,
        )
    return row


def _normal(rows: Floats) -> Floats:
    sums = rows.sum(axis=-1, keepdims=True)
    result: Floats = rows / np.maximum(sums, 1e-9)
    return result


def without_names(given: Lesson) -> Lesson:
    """Return the lesson with its curated names hidden, so that the words around have to tell."""
    doc = given.doc.copy()
    doc.set_ents([])
    return replace(given, doc=doc)
