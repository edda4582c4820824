"""Windows of annotated texts as numbers, gathered into batches of similar length."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import torch
from tokenizers import Tokenizer
from torch import Tensor

from extractors.encoder import Words, network_inputs, read_words, tags, windows
from extractors.training.encoder.sources import SCHEMES, Annotated

WINDOW = 254
HalfFloats = npt.NDArray[np.float16]
TAGS = {scheme: tags(labels) for scheme, labels in SCHEMES.items()}


@dataclass(frozen=True, slots=True)
class Prepared:
    """A text cut into words, with a tag for each word.

    Args:
        text: The text; without annotation its scheme is empty.
        words: Its words.
        tags: The tag of each word, none without annotation.
        taught: By scheme, a teacher's probabilities of the tags, ``(words, tags)``.
    """

    text: Annotated
    words: Words
    tags: tuple[int, ...]
    taught: Mapping[str, HalfFloats] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Batch:
    """Windows as tensors, padded; ``at`` and ``tags`` list the words of each scheme.

    Args:
        inputs: ``pieces``, ``shapes``, ``names`` and ``mask``, each ``(windows, pieces)``.
        at: By scheme, the index of each word's first piece in the flattened windows.
        tags: By scheme, each word's tag.
        taught_at: By scheme, the same as ``at`` for the words of which a teacher spoke.
        taught: By scheme, the teacher's probabilities ``(words, tags)``.
    """

    inputs: dict[str, Tensor]
    at: dict[str, Tensor]
    tags: dict[str, Tensor]
    taught_at: dict[str, Tensor]
    taught: dict[str, Tensor]


def prepare(tokenizer: Tokenizer, text: Annotated) -> Prepared:
    """Cut a text into words and tag them; a span counts for every word it touches."""
    words = read_words(tokenizer, text.text)
    numbers = {tag: number for number, tag in enumerate(TAGS.get(text.scheme, ()))}
    found = [0] * len(words.starts)
    for start, end, label in text.spans:
        inside = [i for i in range(len(found)) if words.starts[i] < end and start < words.ends[i]]
        for index, place in zip(inside, _places(len(inside)), strict=True):
            found[index] = numbers[f"{place}-{label}"]
    return Prepared(text, words, tuple(found))


def _places(count: int) -> str:
    return "S" if count == 1 else "B" + "I" * (count - 2) + "E"


def epoch(
    texts: Sequence[Prepared], tokenizer: Tokenizer, chance: random.Random, budget: int
) -> list[Batch]:
    """Return the batches of one epoch, in random order.

    A third of the texts is cut into shorter windows, so that the network also learns to
    read single sentences.

    Args:
        texts: What to learn from.
        tokenizer: Gives the numbers of the marks at the ends of a window.
        chance: Decides windows and order.
        budget: Most pieces a batch holds, padding included.
    """
    rows: list[Row] = []
    for text in texts:
        limit = WINDOW if chance.random() < 0.65 else chance.randint(16, 100)
        rows.extend((text, window) for window in windows(text.text.text, text.words, limit))
    chance.shuffle(rows)
    batches = list(_batches(rows, tokenizer, budget))
    chance.shuffle(batches)
    return batches


Row = tuple[Prepared, range]


def _batches(rows: Sequence[Row], tokenizer: Tokenizer, budget: int) -> Iterator[Batch]:
    """Cut rows, sorted by length within stretches, into batches."""
    for begin in range(0, len(rows), 256):
        stretch = sorted(rows[begin : begin + 256], key=lambda row: _length(*row))
        chosen: list[Row] = []
        for row in stretch:
            if chosen and (len(chosen) + 1) * _length(*row) > budget:
                yield collate(chosen, tokenizer)
                chosen = []
            chosen.append(row)
        yield collate(chosen, tokenizer)


def _length(text: Prepared, window: range) -> int:
    return 2 + sum(len(text.words.pieces[i]) for i in window)


def collate(rows: Sequence[Row], tokenizer: Tokenizer) -> Batch:
    """Return windows as one batch."""
    width = max(_length(*row) for row in rows)
    begin, end = (tokenizer.token_to_id(mark) or 0 for mark in ("[CLS]", "[SEP]"))
    inputs: dict[str, list[list[int]]] = {"pieces": [], "shapes": [], "names": [], "mask": []}
    own, taught = _Targets(), _Targets()
    for number, (text, window) in enumerate(rows):
        numbers, firsts = network_inputs(text.words, window, begin, end)
        numbers["mask"] = [1] * len(numbers["pieces"])
        for name, row in numbers.items():
            inputs[name].append(row + [0] * (width - len(row)))
        places = torch.tensor(firsts) + number * width
        if text.text.scheme:
            tags_here = torch.tensor(text.tags[window.start : window.stop])
            own.add(text.text.scheme, places, tags_here)
        for scheme, probabilities in text.taught.items():
            here = torch.from_numpy(probabilities[window.start : window.stop]).float()
            taught.add(scheme, places, here)
    tensors = {name: torch.tensor(matrix) for name, matrix in inputs.items()}
    tensors["mask"] = tensors["mask"].bool()
    return Batch(tensors, *own.joined(), *taught.joined())


class _Targets:
    """Gathers, by scheme, places of words and what is to be said of them."""

    def __init__(self) -> None:
        self.at: dict[str, list[Tensor]] = {}
        self.say: dict[str, list[Tensor]] = {}

    def add(self, scheme: str, at: Tensor, say: Tensor) -> None:
        self.at.setdefault(scheme, []).append(at)
        self.say.setdefault(scheme, []).append(say)

    def joined(self) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
        at = {scheme: torch.cat(parts) for scheme, parts in self.at.items()}
        return at, {scheme: torch.cat(parts) for scheme, parts in self.say.items()}
