"""Entities quickly: the product's rules with a small recogniser that needs spaCy alone.

    text ──▶ tokens, curated names ──▶ convolutions ──▶ tags that fit ──▶ spans

Tokens and word vectors are those of the language model (`extractors.models`), whose files the
recogniser shares. Where the rules are silent it is asked in the place of the encoder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from extractors.encoder import Floats, Span, allowed, best_tags, entity_ranges, log_softmax, tags
from extractors.entities import EntityExtractor
from extractors.matcher import find_names
from extractors.mention import ModelError
from extractors.models import load_pipeline, model_version

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span as TokenSpan
    from thinc.api import Model

    from extractors.networks import Convolutions

MODEL = Path(__file__).parent / "model" / "fast"
LABELS = ("Method", "Task", "Metric", "Dataset")
TAGS = tuple(tags(LABELS))

_ALLOWED = allowed(TAGS)


class FastRecogniser:
    """The shipped convolutional network as a recogniser.

    Example:
        >>> FastRecogniser().predict("We train BERT on SQuAD.")  # doctest: +SKIP
        [(9, 13, 'Method', 0.98), (17, 22, 'Dataset', 0.97)]
    """

    least: Mapping[str, float] = {"method": 0.8, "task": 0.8, "dataset": 0.6}
    """Least confidence by kind. From here on what the rules find with its help is as precise as
    what they find alone, on three annotated sets; higher ones lose recall and gain nothing."""

    @property
    def version(self) -> str:
        """Version of the weights, and of the language model that gives tokens and vectors."""
        return f"{_weights_version()}-{model_version()}"

    def predict(self, text: str) -> list[Span]:
        """Return the entities of a text.

        Args:
            text: A cleaned field, of any length.

        Returns:
            Start, end (code points, half-open), label (one of `LABELS`) and confidence in
            0..1, the geometric mean of its tags' probabilities; in order, without overlaps.

        Raises:
            ModelError: If the model's files are missing or do not fit.
        """
        doc = read_document(text)
        if not len(doc):
            return []
        return list(spans(doc, log_softmax(_convolutions().scores(doc))))


class FastEntityExtractor(EntityExtractor):
    """Finds methods, data sets, tasks and metrics as `EntityExtractor` does, without an encoder.

    Example:
        >>> from extractors.mention import Text
        >>> text = Text("We propose FooNet and evaluate it on CIFAR-10.")
        >>> [found] = FastEntityExtractor().extract([text])
        >>> [(m.text, m.kind) for m in found.mentions]
        [('FooNet', 'method'), ('CIFAR-10', 'dataset')]
    """

    name = "fast"

    def __init__(self) -> None:
        super().__init__(FastRecogniser())


@cache
def load_network() -> Model[list[Doc], list[Floats]]:
    """Return the shipped network: documents in, a row of scores a token out.

    Raises:
        ModelError: If its files are missing or do not fit the installed spaCy.
    """
    from spacy.util import registry
    from thinc.api import Config

    from extractors.inference import quick_products

    try:
        config = Config().from_disk(MODEL / "config.cfg")
        with quick_products():
            network: Model[list[Doc], list[Floats]] = registry.resolve(config)["network"]
        return network.from_disk(MODEL / "weights")
    except Exception as error:  # the libraries raise bare exceptions
        raise ModelError(f"cannot load the fast recogniser from {MODEL}: {error}") from error


@cache
def _convolutions() -> Convolutions:
    from extractors.networks import Convolutions

    return Convolutions(load_network(), load_pipeline().vocab.vectors)


def read_document(text: str) -> Doc:
    """Return a text's tokens, its curated names marked as entities: what the network reads."""
    doc = load_pipeline().tokenizer(text)
    doc.set_ents(list(_curated_spans(doc)))
    return doc


def _curated_spans(doc: Doc) -> Iterator[TokenSpan]:
    """Yield the curated names; two that share a token are one too many."""
    done = 0
    for match in find_names(doc.text):
        kind = match.entries[0].kind
        found = doc.char_span(match.start, match.end, kind, alignment_mode="expand")
        if found is not None and found.start >= done:
            yield found
            done = found.end


def spans(doc: Doc, scores: Floats) -> Iterator[Span]:
    """Yield the entities that a document's tags make, as `FastRecogniser.predict` gives them.

    Args:
        doc: The document, not empty.
        scores: Logarithms of the tags' probabilities, ``(tokens, tags)``.
    """
    path = fitting_tags(scores)
    chosen = scores[np.arange(len(path)), path]
    for first, stop, label in entity_ranges([TAGS[tag] for tag in path]):
        last = doc[stop - 1]
        score = float(np.exp(chosen[first:stop].mean()))
        yield doc[first].idx, last.idx + len(last), label, round(min(score, 1.0), 6)


def fitting_tags(scores: Floats) -> list[int]:
    """Return the best tag of each token, mended where neighbouring ones do not fit together.

    A run of tokens that are none of them O is mended as a whole, by the best allowed sequence.

    Args:
        scores: Logarithms of the tags' probabilities, ``(tokens, tags)``.
    """
    best = np.pad(scores.argmax(axis=1), 1)
    unfit = _ALLOWED[best[:-1], best[1:]] < 0
    edges: Any = np.flatnonzero(np.diff(best != 0))
    for first, stop in edges.reshape(-1, 2):
        if unfit[first : stop + 1].any():
            best[first + 1 : stop + 1] = best_tags(scores[first:stop], _ALLOWED, TAGS)
    path: list[int] = best[1:-1].tolist()
    return path


@cache
def _weights_version() -> str:
    try:
        return hashlib.sha256((MODEL / "SHA256SUMS").read_bytes()).hexdigest()[:12]
    except OSError as error:
        raise ModelError(f"cannot read the checksums of the fast recogniser: {error}") from error
