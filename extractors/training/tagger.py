"""A part-of-speech tagger for scientific prose, from a treebank of web text.

Web text has few headings in capitals and few names such as GPT-4. Each pass therefore
writes some sentences in lower case, some in title case, and gives some proper nouns
the shape of such a name.
"""

from __future__ import annotations

import random
import string
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import Adam, Optimizer, fix_random_seed

_T = TypeVar("_T")

SEED = 1
PASSES = 10
TEXTS_A_BATCH = 24
SENTENCES_A_TEXT = 3
_MODEL: dict[str, Any] = {
    "@architectures": "spacy.Tagger.v2",
    "tok2vec": {
        "@architectures": "spacy.HashEmbedCNN.v2",
        "width": 96,
        "depth": 4,
        "embed_size": 2000,
        "window_size": 1,
        "maxout_pieces": 3,
        "subword_features": True,
        "pretrained_vectors": True,
    },
}
_FUNCTION_TAGS = frozenset({"IN", "DT", "CC", "TO", "PRP", "PRP$", "MD"})


def train_tagger(nlp: Language, sentences: Iterable[Doc], passes: int = PASSES) -> None:
    """Add a tagger to the pipeline and train it on tagged sentences."""
    fix_random_seed(SEED)
    rng = random.Random(SEED)  # noqa: S311 - reproducible, not secret
    docs = list(sentences)
    tagger: Any = nlp.add_pipe("tagger", config={"model": _MODEL})
    optimizer = nlp.initialize(lambda: [_example(nlp, doc) for doc in docs], sgd=_optimizer())
    for _ in range(passes):
        rng.shuffle(docs)
        examples = [_example(nlp, text) for text in _joined(varied(doc, rng) for doc in docs)]
        for batch in _groups(examples, TEXTS_A_BATCH):
            nlp.update(batch, sgd=optimizer, drop=0.1, losses={})
    with tagger.model.use_params(optimizer.averages):
        averaged = tagger.model.to_bytes()
    tagger.model.from_bytes(averaged)


def accuracy(nlp: Language, gold: Sequence[Doc]) -> float:
    """Return the share of tokens that the pipeline tags as the gold documents do, 0..1."""
    tagged = nlp.pipe(_untagged(nlp, doc) for doc in gold)
    right = [
        ours.tag_ == theirs.tag_
        for doc, answer in zip(gold, tagged, strict=True)
        for ours, theirs in zip(answer, doc, strict=True)
    ]
    return sum(right) / len(right)


def varied(doc: Doc, rng: random.Random) -> Doc:
    """Return the sentence as it is, or in another case, with names of other shapes."""
    tags = [token.tag_ for token in doc]
    words = [
        _name(rng) if t == "NNP" and rng.random() < 0.2 else w.text
        for w, t in zip(doc, tags, strict=True)
    ]
    style = rng.random()
    if style < 0.08:
        words = [word.lower() for word in words]
    elif style < 0.2:
        words = [
            w if t in _FUNCTION_TAGS else w[:1].upper() + w[1:]
            for w, t in zip(words, tags, strict=True)
        ]
    return Doc(doc.vocab, words, [bool(token.whitespace_) for token in doc], tags=tags)


def _one(docs: list[Doc]) -> Doc:
    joined = Doc.from_docs(docs)
    if joined is None:
        raise ValueError("no documents to join")
    return joined


def _joined(sentences: Iterable[Doc]) -> Iterator[Doc]:
    """Yield texts of a few sentences, so that a full stop is also seen amid a text."""
    for group in _groups(sentences, SENTENCES_A_TEXT):
        yield _one(group)


def _name(rng: random.Random) -> str:
    """Return an invented name of the shapes that methods and data sets have."""
    capitals = "".join(rng.choices(string.ascii_uppercase, k=rng.randint(2, 5)))
    syllables = "".join(rng.choice("bdfgklmnprst") + rng.choice("aeiou") for _ in range(2))
    return rng.choice(
        [
            capitals,
            f"{capitals}-{rng.randint(1, 100)}",
            f"{syllables.title()}{capitals[:3]}",
            f"{capitals[0]}{syllables.title()}",
            f"{syllables.title()}-{rng.randint(1, 70)}B",
            f"{capitals}-{syllables.title()}",
        ]
    )


def _optimizer() -> Optimizer:
    optimizer: Optimizer = Adam(
        0.001, L2=0.01, grad_clip=1.0, use_averages=True, L2_is_weight_decay=True
    )
    return optimizer


def _groups(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    stream = iter(items)
    while group := list(islice(stream, size)):
        yield group


def _example(nlp: Language, doc: Doc) -> Example:
    return Example(_untagged(nlp, doc), doc)


def _untagged(nlp: Language, doc: Doc) -> Doc:
    return Doc(nlp.vocab, [t.text for t in doc], [bool(t.whitespace_) for t in doc])
