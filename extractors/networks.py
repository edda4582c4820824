"""spaCy's convolutional networks, run for their answers alone.

    words ──▶ rows of tables, vectors ──▶ mixed ──▶ convolutions ──▶ scores of each token

The arithmetic is that of spaCy (`HashEmbedCNN`, `Tok2Vec` with `MultiHashEmbed` and
`MaxoutWindowEncoder`), step by step and to the last bit, without what training needs besides;
what depends on a word alone is kept from text to text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
from thinc.api import NumpyOps

from extractors.inference import one_thread

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.vectors import Vectors  # type: ignore[import-not-found]  # compiled, no stubs
    from thinc.api import Model

Floats = npt.NDArray[np.float32]
Keys = npt.NDArray[np.uint64]

REMEMBERED = 10_000
"""Most words whose features are kept, 2 kB each."""

_OPS = NumpyOps()


class _Layer(NamedTuple):
    """Maxout and normalisation: weights ``(inputs, outputs * pieces)``, offsets, two scales."""

    weights: Floats
    offsets: Floats
    scale: Floats
    shift: Floats

    def __call__(self, x: Floats) -> Floats:
        """Return the answer, ``(n, outputs)``, to inputs ``(n, inputs)``."""
        product = x @ self.weights
        product += self.offsets
        y: Floats = _OPS.maxout(product.reshape(len(x), len(self.scale), -1))[0]
        y -= y.mean(axis=1, keepdims=True)
        variance = (y * y).mean(axis=1, keepdims=True)
        variance += 1e-08
        y *= variance**-0.5
        y *= self.scale
        y += self.shift
        return y


class Convolutions:
    """A network of spaCy over the tokens of one text.

    Args:
        network: Made by ``spacy.Tagger.v2``, with vectors and a window of one word.
        vectors: The vectors that it was trained with.

    Raises:
        KeyError: If the network is of another make.
    """

    def __init__(self, network: Model[Any, Any], vectors: Vectors) -> None:
        reader = network.get_ref("tok2vec")
        embed, encode, last = reader.get_ref("embed"), reader.get_ref("encode"), network.layers[-1]
        [features], [static] = _nodes(embed, "extract_features"), _nodes(embed, "static_vectors")
        [softmax] = _nodes(last, "softmax")
        self._columns = [*features.attrs["columns"], vectors.attr]
        self._vectors = vectors
        self._tables = [(_parameter(n, "E"), n.attrs["seed"]) for n in _nodes(embed, "hashembed")]
        self._static = _parameter(static, "W").T
        [self._mix] = _layers(embed)
        self._convolutions = _layers(encode)
        self._margin = encode.attrs["pad"]
        self._last = _parameter(softmax, "W").T, _parameter(softmax, "b")
        self._known: dict[tuple[int, ...], Floats] = {}

    def scores(self, doc: Doc) -> Floats:
        """Return the scores of each token's labels, ``(tokens, labels)``, before any softmax.

        Args:
            doc: A text's tokens, one at least.
        """
        tokens: Any = doc.to_array(self._columns)
        with one_thread():
            found = self._mixed(np.concatenate(self._of_words(tokens)).reshape(len(tokens), -1))
            length, width = found.shape
            inside = slice(self._margin, self._margin + length)
            x = np.zeros((length + 2 * self._margin, width), dtype=np.float32)
            x[inside] = found
            for layer in self._convolutions:
                x += layer(_windows(x))
            weights, offsets = self._last
            scores: Floats = x[inside] @ weights
            scores += offsets
            return scores

    def _of_words(self, tokens: Keys) -> list[Floats]:
        """Return what is kept of each token's word, worked out where it is new."""
        words = list(map(tuple, tokens.tolist()))
        new = [word for word in dict.fromkeys(words) if word not in self._known]
        if new and len(self._known) + len(new) > REMEMBERED:
            self._known.clear()
            new = list(dict.fromkeys(words))
        if new:
            self._known.update(zip(new, self._read(np.array(new, dtype=np.uint64)), strict=True))
        return [self._known[word] for word in words]

    def _read(self, words: Keys) -> Floats:
        """Return what the tables hold for each word, and behind it its vector."""
        columns = words.T.copy()
        rows = [
            _OPS.gather_add(table, _OPS.hash(column, seed) % len(table))
            for column, (table, seed) in zip(columns, self._tables, strict=False)
        ]
        return np.concatenate([*rows, self._vectors.get_batch(columns[-1])], axis=1)

    def _mixed(self, features: Floats) -> Floats:
        size = len(self._static)
        by_letters = features[:, -size:] @ self._static
        return self._mix(np.concatenate([features[:, :-size], by_letters], axis=1))


def _windows(x: Floats) -> Floats:
    """Return each row between its neighbours, ``(n, 3 * width)``; zeros stand beyond the ends."""
    width = x.shape[1]
    found = np.zeros((len(x), 3 * width), dtype=np.float32)
    found[1:, :width] = x[:-1]
    found[:, width : 2 * width] = x
    found[:-1, 2 * width :] = x[1:]
    return found


def _layers(part: Model[Any, Any]) -> list[_Layer]:
    pairs = zip(_nodes(part, "maxout"), _nodes(part, "layernorm"), strict=True)
    return [
        _Layer(
            weights=_parameter(maxout, "W").reshape(-1, maxout.get_dim("nI")).T,
            offsets=_parameter(maxout, "b").ravel(),
            scale=_parameter(norm, "G"),
            shift=_parameter(norm, "b"),
        )
        for maxout, norm in pairs
    ]


def _nodes(part: Model[Any, Any], name: str) -> list[Model[Any, Any]]:
    return [node for node in part.walk() if node.name == name]


def _parameter(node: Model[Any, Any], name: str) -> Floats:
    found: Any = node.get_param(name)
    return np.asarray(found, dtype=np.float32)
