"""Entities that a GLiNER model finds, for users who bring one.

GLiNER (U. Zaratiana et al., "GLiNER: Generalist model for named entity recognition using
bidirectional transformer", NAACL 2024) takes the labels as words beside the text. It needs
PyTorch: ``pip install 'paperkg[gliner]'``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from importlib.util import find_spec
from typing import Any

from extractors.mention import Extraction, Mention, ModelError, Text
from extractors.models import source_version
from extractors.sentences import sentence_spans

KINDS = ("method", "dataset", "task", "metric")
THRESHOLD = 0.5
LONGEST = 200
"""Words that are read at once; models cut what is longer than 384 of their words in silence."""

CODE_VERSION = "1"
_FIELDS = ("title", "abstract")
_WORD = re.compile(r"\w+(?:[-_]\w+)*|\S")  # as GLiNER counts them


class GLiNERExtractor:
    """Finds methods, data sets, tasks and metrics with a GLiNER model.

    Args:
        model: A folder with a model, or the name of one on the Hugging Face hub, which is
            downloaded if it was not before.

    Raises:
        ModelError: If GLiNER is not installed, or (on the first text) the model cannot be loaded.

    Example:
        >>> extractor = GLiNERExtractor("urchade/gliner_medium-v2.1")  # doctest: +SKIP
    """

    name = "gliner"

    def __init__(self, model: str) -> None:
        if find_spec("gliner") is None:
            raise ModelError("GLiNER is not installed; pip install 'paperkg[gliner]'")
        self._source = model

    @cached_property
    def version(self) -> str:
        """The code's version and the model's name, for a folder with a hash of its files."""
        return f"{CODE_VERSION}-{THRESHOLD}-{source_version(self._source)}"

    def extract(self, texts: Iterable[Text]) -> Iterator[Extraction]:
        """Yield one extraction a text, in order; alone or in a batch the same."""
        for text in texts:
            mentions = (m for field in _FIELDS for m in self._mentions(text.field(field), field))
            yield Extraction(tuple(sorted(mentions)))

    def _mentions(self, words: str, field: str) -> Iterator[Mention]:
        for begin, stop in windows(words):
            found = self._model.predict_entities(
                words[begin:stop], list(KINDS), threshold=THRESHOLD
            )
            for entity in found:
                start, end = begin + int(entity["start"]), begin + int(entity["end"])
                score = round(min(1.0, max(0.0, float(entity["score"]))), 6)
                yield Mention(field, start, end, entity["label"], words[start:end], score)

    @cached_property
    def _model(self) -> Any:
        from gliner import GLiNER

        try:
            return GLiNER.from_pretrained(self._source)
        except Exception as error:  # whatever the hub, torch or a damaged file raises
            raise ModelError(
                f"cannot load the GLiNER model {self._source!r} ({type(error).__name__}); "
                "--model takes a folder, or a name on the Hugging Face hub"
            ) from error

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_model"}


def windows(words: str) -> Iterator[tuple[int, int]]:
    """Yield spans of whole sentences that a model can read at once; longer sentences are cut.

    Example:
        >>> list(windows("We use BERT. It works."))
        [(0, 22)]
    """
    begin = stop = count = 0
    for start, end in _pieces(words):
        length = sum(1 for _ in _WORD.finditer(words, start, end))
        if count and count + length > LONGEST:
            yield begin, stop
            count = 0
        if not count:
            begin = start
        stop, count = end, count + length
    if count:
        yield begin, stop


def _pieces(words: str) -> Iterator[tuple[int, int]]:
    """Yield sentences, in stretches of at most `LONGEST` words."""
    for start, end in sentence_spans(words):
        ends = [match.end() for match in _WORD.finditer(words, start, end)]
        cuts = [*ends[LONGEST - 1 : -1 : LONGEST], end]
        for cut in cuts:
            yield start, cut
            start = cut
