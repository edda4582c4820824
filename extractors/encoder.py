"""The shipped encoder: one small transformer that reads a text once and names what it finds.

    text ──▶ words, pieces, features ──▶ windows ──▶ network ──▶ best allowed tags ──▶ spans

Each scheme (``scierc``, ``scirex``, ``tdmsci``) is a head of its own, with the labels and
the conventions of the data set that it learned from. A window holds whole sentences and
is run alone, so that a text has the same answer alone and among others.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from extractors.mention import ModelError
from extractors.sentences import sentence_spans
from extractors.word_features import names, shape

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MODEL = Path(__file__).parent / "model" / "encoder"

Floats = npt.NDArray[np.float32]
Span = tuple[int, int, str, float]

_NEVER = -1e9
_SHORT = 60  # pieces of a short window: a sentence or two


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text and the pieces that the network reads.

    Args:
        starts: First code point of each word.
        ends: Code point after the last of each word.
        pieces: The vocabulary numbers of each word's pieces.
        shapes: The shape of each word.
        names: The curated-name feature of each word.
    """

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    pieces: tuple[tuple[int, ...], ...]
    shapes: tuple[int, ...]
    names: tuple[int, ...]


def read_words(tokenizer: Tokenizer, text: str) -> Words:
    """Cut a text into words (runs of letters and digits, or single signs) and pieces."""
    encoding = tokenizer.encode(text, add_special_tokens=False)
    starts: list[int] = []
    ends: list[int] = []
    pieces: list[list[int]] = []
    last = None
    for number, (start, end), word in zip(
        encoding.ids, encoding.offsets, encoding.word_ids, strict=True
    ):
        if word != last:
            starts.append(start)
            ends.append(end)
            pieces.append([])
        ends[-1] = end
        pieces[-1].append(number)
        last = word
    surface = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    spaced = [start == 0 or text[start - 1].isspace() for start in starts]
    return Words(
        tuple(starts),
        tuple(ends),
        tuple(map(tuple, pieces)),
        tuple(shape(word, spaced=gap) for word, gap in zip(surface, spaced, strict=True)),
        tuple(names(surface)),
    )


def windows(text: str, words: Words, limit: int) -> list[range]:
    """Return ranges of words that hold whole sentences and at most ``limit`` pieces.

    A sentence that is longer by itself is cut between words. The ranges do not overlap
    and cover all words.

    Args:
        text: The text that the words were read from.
        words: Its words.
        limit: Most pieces a window may hold, the two marks at its ends aside.
    """
    found: list[range] = []
    begin = size = 0
    for sentence in _sentences(text, words):
        for part in _parts(words, sentence, limit):
            length = sum(len(words.pieces[i]) for i in part)
            if size + length > limit:
                found.append(range(begin, part.start))
                begin, size = part.start, 0
            size += length
    found.append(range(begin, len(words.starts)))
    return [window for window in found if window]


def _sentences(text: str, words: Words) -> Iterator[range]:
    position, count = 0, len(words.starts)
    for _, end in sentence_spans(text):
        first = position
        while position < count and words.starts[position] < end:
            position += 1
        yield range(first, position)
    yield range(position, count)


def _parts(words: Words, sentence: range, limit: int) -> Iterator[range]:
    begin = sentence.start
    size = 0
    for index in sentence:
        length = len(words.pieces[index])
        if size + length > limit:
            yield range(begin, index)
            begin, size = index, 0
        size += length
    yield range(begin, sentence.stop)


def tags(labels: Sequence[str]) -> list[str]:
    """Return the tags of a scheme: O, then begin, inside, end and single of each label.

    Example:
        >>> tags(["Task"])
        ['O', 'B-Task', 'I-Task', 'E-Task', 'S-Task']
    """
    return ["O", *(f"{place}-{label}" for label in labels for place in "BIES")]


def allowed(tag_names: Sequence[str]) -> Floats:
    """Return ``(n, n)`` additive scores of tag to tag: 0 where it may follow, else very low."""
    scores = np.zeros((len(tag_names), len(tag_names)), dtype=np.float32)
    for i, left in enumerate(tag_names):
        for j, right in enumerate(tag_names):
            goes_on = left[0] in "BI"
            if goes_on != (right[0] in "IE") or (goes_on and left[2:] != right[2:]):
                scores[i, j] = _NEVER
    return scores


def best_tags(
    log_probabilities: Floats, transitions: Floats, tag_names: Sequence[str]
) -> list[int]:
    """Return the most probable allowed sequence of tags.

    Each word has its best tag but in the stretches where these do not fit together.

    Args:
        log_probabilities: ``(words, tags)``.
        transitions: ``(tags, tags)``, added from one word to the next.
        tag_names: The tags, O first; a sequence neither begins nor ends within an entity.
    """
    best = np.pad(log_probabilities.argmax(axis=1), 1)  # beyond the ends stands O
    fits = transitions[best[:-1], best[1:]] == 0
    if not fits.all():
        for first, stop in _unfit(log_probabilities, best[1:-1], fits):
            best[first + 1 : stop + 1] = _viterbi(
                log_probabilities[first:stop], transitions, tag_names
            )
    path: list[int] = best[1:-1].tolist()
    return path


def _unfit(
    log_probabilities: Floats, best: npt.NDArray[np.intp], fits: npt.NDArray[np.bool_]
) -> list[tuple[int, int]]:
    """Return half-open stretches outside of which the best tags stay in the best sequence.

    O at every word of a stretch is allowed and costs ``gain``. Words around it that would cost
    more than that if they were not O stay O, so that no entity reaches out of the stretch.
    """
    others = log_probabilities[:, 1:].max(axis=1)
    gain = (others - log_probabilities[:, 0]).astype(np.float64).tolist()
    edges: Any = np.flatnonzero(np.diff(np.pad(best != 0, 1)))
    runs = [(a, b) for a, b in edges.reshape(-1, 2).tolist() if not fits[a : b + 1].all()]
    found: list[tuple[int, int]] = []
    for first, stop in runs:
        wide = _widened(gain, first, stop)
        while found and wide[0] <= found[-1][1]:
            wide = _widened(gain, found.pop()[0], wide[1])
        found.append(wide)
    return found


def _widened(gain: Sequence[float], first: int, stop: int) -> tuple[int, int]:
    """Return a stretch with the words around it that may not stay O."""
    loss = sum(g for g in gain[first:stop] if g > 0)
    before = after = 0.0
    while (left := first > 0 and before <= loss) or (stop < len(gain) and after <= loss):
        first, stop = (first - 1, stop) if left else (first, stop + 1)
        taken = gain[first] if left else gain[stop - 1]
        loss += max(0.0, taken)
        before, after = (
            (before + max(0.0, -taken), after) if left else (before, after + max(0.0, -taken))
        )
    return first, stop


def _viterbi(log_probabilities: Floats, transitions: Floats, tag_names: Sequence[str]) -> list[int]:
    may_begin = np.array([0 if tag[0] in "OBS" else _NEVER for tag in tag_names], np.float32)
    may_end = np.array([0 if tag[0] in "OES" else _NEVER for tag in tag_names], np.float32)
    score = log_probabilities[0] + may_begin
    back = np.zeros(log_probabilities.shape, dtype=np.int64)
    columns = np.arange(len(tag_names))
    incoming = np.ascontiguousarray(transitions.T)
    for step in range(1, len(log_probabilities)):
        through = incoming + score
        back[step] = through.argmax(axis=1)
        score = through[columns, back[step]] + log_probabilities[step]
    path = [int((score + may_end).argmax())]
    for step in range(len(log_probabilities) - 1, 0, -1):
        path.append(int(back[step, path[-1]]))
    return path[::-1]


def entity_ranges(path: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield first word, word after the last, and label of each entity in a row of tags.

    Example:
        >>> list(entity_ranges(["O", "B-Task", "E-Task", "S-Metric"]))
        [(1, 3, 'Task'), (3, 4, 'Metric')]
    """
    begin = 0
    for index, tag in enumerate(path):
        if tag[0] in "BS":
            begin = index
        if tag[0] in "ES":
            yield begin, index + 1, tag[2:]


class Encoder:
    """Finds entities in texts with the shipped network.

    Args:
        folder: Holds ``encoder.onnx``, ``encoder.json`` and ``tokenizer.json``.
        threads: Threads of one run.

    Raises:
        ModelError: If the folder lacks a file or one does not fit.

    Example:
        >>> encoder = Encoder()  # doctest: +SKIP
        >>> encoder.predict("We train BERT on SQuAD.", "scirex")  # doctest: +SKIP
        [(9, 13, 'Method', 0.98), (17, 22, 'Dataset', 0.95)]
    """

    def __init__(self, folder: Path = MODEL, *, threads: int = 1) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        try:
            self._about = json.loads((folder / "encoder.json").read_text(encoding="utf-8"))
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            self._network = onnxruntime.InferenceSession(
                str(folder / "encoder.onnx"), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # the libraries raise bare exceptions
            raise ModelError(f"cannot load the encoder from {folder}: {error}") from error
        self._tags = {name: tags(labels) for name, labels in self._about["schemes"].items()}
        self._allowed = {name: allowed(tag_names) for name, tag_names in self._tags.items()}

    @property
    def schemes(self) -> tuple[str, ...]:
        """The heads that can be asked for."""
        return tuple(self._tags)

    def labels(self, scheme: str) -> tuple[str, ...]:
        """Return the labels of a scheme."""
        return tuple(self._about["schemes"][scheme])

    def predict(self, text: str, scheme: str, *, twice: bool = False) -> list[Span]:
        """Return the entities of a text by one scheme.

        Args:
            text: A cleaned field, of any length.
            scheme: One of `schemes`.
            twice: Whether to read it once more in short windows and to average.

        Returns:
            Start, end (code points, half-open), label and confidence in 0..1, in order,
            without overlaps.

        Raises:
            ValueError: If there is no such scheme.
        """
        return self.predict_all(text, (scheme,), twice=twice)[scheme]

    def predict_all(
        self, text: str, schemes: Sequence[str] = (), *, twice: bool = False
    ) -> dict[str, list[Span]]:
        """Return the entities of a text by several schemes (default: all)."""
        asked = tuple(schemes) or self.schemes
        if unknown := set(asked) - set(self.schemes):
            raise ValueError(f"no scheme {sorted(unknown)}; schemes are {', '.join(self.schemes)}")
        words = self.words(text)
        if not words.starts:
            return {scheme: [] for scheme in asked}
        views = [self.windows(text, words), *([windows(text, words, _SHORT)] if twice else [])]
        read = [self._read(words, view, asked) for view in views]
        means = {scheme: _mean([scores[scheme] for scores in read]) for scheme in asked}
        return {scheme: list(self._spans(words, scheme, mean)) for scheme, mean in means.items()}

    def _read(
        self, words: Words, view: Sequence[range], schemes: Sequence[str]
    ) -> dict[str, Floats]:
        scores = [self.tag_scores(words, window, schemes) for window in view]
        rows = zip(*scores, strict=True)
        return {scheme: np.concatenate(parts) for scheme, parts in zip(schemes, rows, strict=True)}

    def words(self, text: str) -> Words:
        """Return the words of a text as the network reads them."""
        return read_words(self._tokenizer, text)

    def windows(self, text: str, words: Words) -> list[range]:
        """Return the ranges of words that the network reads at a time."""
        return windows(text, words, self._about["window"])

    def tag_scores(self, words: Words, window: range, schemes: Sequence[str]) -> list[Floats]:
        """Return for each scheme the logarithms of the tags' probabilities, ``(words, tags)``."""
        rows, firsts = network_inputs(words, window, self._about["begin"], self._about["end"])
        inputs = {name: np.array(row, dtype=np.int64)[None] for name, row in rows.items()}
        outputs = self._network.run(list(schemes), inputs)
        return [log_softmax(output[0, firsts]) for output in outputs]

    def _spans(self, words: Words, scheme: str, scores: Floats) -> Iterator[Span]:
        names_of_tags = self._tags[scheme]
        path = best_tags(scores, self._allowed[scheme], names_of_tags)
        chosen = scores[np.arange(len(path)), path]
        for first, stop, label in entity_ranges([names_of_tags[tag] for tag in path]):
            score = float(np.exp(chosen[first:stop].mean()))
            yield words.starts[first], words.ends[stop - 1], label, round(min(score, 1.0), 6)


def _mean(scores: Sequence[Floats]) -> Floats:
    """Return the logarithms of the mean of probabilities that are given by logarithms."""
    if len(scores) == 1:
        return scores[0]
    total = np.logaddexp.reduce(np.stack(scores), axis=0)
    result: Floats = (total - np.log(len(scores))).astype(np.float32)
    return result


def network_inputs(
    words: Words, window: range, begin: int, end: int
) -> tuple[dict[str, list[int]], list[int]]:
    """Return the rows of numbers that the network reads, and each word's first piece in them."""
    pieces, shapes, features, firsts = [begin], [0], [0], []
    for index in window:
        count = len(words.pieces[index])
        firsts.append(len(pieces))
        pieces.extend(words.pieces[index])
        shapes.extend([words.shapes[index]] * count)
        features.extend([words.names[index]] * count)
    rows = {"pieces": [*pieces, end], "shapes": [*shapes, 0], "names": [*features, 0]}
    return rows, firsts


def log_softmax(logits: Floats) -> Floats:
    """Return the logarithms of the probabilities over the last axis."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    result: Floats = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return result


@cache
def shipped_encoder() -> Encoder:
    """Return the encoder with the shipped weights, loaded once a process."""
    return Encoder()


@cache
def encoder_version() -> str:
    """Return a short hash of the shipped weights, which changes when they do."""
    return hashlib.sha256((MODEL / "SHA256SUMS").read_bytes()).hexdigest()[:12]
