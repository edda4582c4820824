"""Trains the fast recogniser.

OMP_NUM_THREADS=1 python -m extractors.training.fast.train --gold GOLD --out MODEL
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from spacy.tokens import Doc
from spacy.util import registry
from thinc.api import (
    Adam,
    Config,
    Model,
    fix_random_seed,
    set_dropout_rate,
)

from extractors.encoder import Floats, shipped_encoder
from extractors.inference import quick_products
from extractors.training.encoder.sources import training_texts
from extractors.training.fast.lessons import Lesson, lessons, without_names

SEED = 1
WIDTH = 64
EPOCHS = 5
COPIES = 3
TOKENS_A_BATCH = 1500
RATE = 0.002
WARM_UP = 0.05
DROPOUT = 0.2
HIDDEN = 0.3
"""Share of the documents whose curated names are hidden."""

_STEP = 50.0  # gradients are means over tokens times this, so that clipping seldom bites

CONFIG: dict[str, Any] = {
    "network": {
        "@architectures": "spacy.Tagger.v2",
        "nO": None,
        "tok2vec": {
            "@architectures": "spacy.Tok2Vec.v2",
            "embed": {
                "@architectures": "spacy.MultiHashEmbed.v2",
                "width": WIDTH,
                "attrs": ["NORM", "SUFFIX", "SHAPE", "ENT_TYPE", "ENT_IOB"],
                "rows": [2000, 1000, 500, 50, 50],
                "include_static_vectors": True,
            },
            "encode": {
                "@architectures": "spacy.MaxoutWindowEncoder.v2",
                "width": WIDTH,
                "window_size": 1,
                "maxout_pieces": 3,
                "depth": 4,
            },
        },
    }
}

Network = Model[list[Doc], list[Floats]]
_log = logging.getLogger("extractors.training.fast")


def train(given: Sequence[Lesson], *, epochs: int = EPOCHS, seed: int = SEED) -> Network:
    """Return a network that has learned, its weights averaged over the steps.

    Args:
        given: The lessons.
        epochs: How often each is learned from.
        seed: Decides first weights, order, and what is hidden.
    """
    fix_random_seed(seed)
    chance = random.Random(seed)  # noqa: S311 - reproducible, not secret
    network: Network = registry.resolve(Config(CONFIG))["network"]
    network.initialize([x.doc for x in given[:10]], [x.tags for x in given[:10]])
    set_dropout_rate(network, DROPOUT)
    optimizer: Any = Adam(RATE, L2=0.01, grad_clip=1.0, use_averages=True, L2_is_weight_decay=True)
    total = epochs * sum(len(x.doc) for x in given)
    done = 0
    for epoch in range(epochs):
        loss = 0.0
        for batch in _batches(given, chance):
            optimizer.learn_rate = RATE * _schedule(done / total)
            loss += _learn(network, batch, optimizer)
            done += sum(len(x.doc) for x in batch)
        _log.info("epoch %d, loss a token %.4f", epoch + 1, loss * epochs / total)
    _average(network, optimizer)
    return network


def _schedule(share: float) -> float:
    """Return what part of the full rate holds: a short way up, then straight down."""
    return min(1.0, share / WARM_UP + WARM_UP) * (1 - share) + 1e-3


def _learn(network: Network, batch: Sequence[Lesson], optimizer: Any) -> float:
    """Take one step, and return the cross entropy, summed over the tokens."""
    said, backprop = network.begin_update([x.doc for x in batch])
    tokens = sum(len(x.doc) for x in batch)
    backprop([(y - x.tags) * (_STEP / tokens) for y, x in zip(said, batch, strict=True)])
    network.finish_update(optimizer)
    return -sum(float((x.tags * np.log(y + 1e-9)).sum()) for y, x in zip(said, batch, strict=True))


def _batches(given: Sequence[Lesson], chance: random.Random) -> Iterator[list[Lesson]]:
    """Yield the lessons in another order, some without their curated names."""
    batch: list[Lesson] = []
    size = 0
    for lesson in chance.sample(given, len(given)):
        batch.append(without_names(lesson) if chance.random() < HIDDEN else lesson)
        size += len(lesson.doc)
        if size >= TOKENS_A_BATCH:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _average(network: Network, optimizer: Any) -> None:
    with network.use_params(optimizer.averages):
        averaged = network.to_bytes()
    network.from_bytes(averaged)
    set_dropout_rate(network, 0.0)


def save(network: Network, out: Path) -> None:
    """Write the network's configuration, its weights and their checksums."""
    out.mkdir(parents=True, exist_ok=True)
    Config(CONFIG).to_disk(out / "config.cfg")
    network.to_disk(out / "weights")
    names = ("config.cfg", "weights")
    sums = [f"{hashlib.sha256((out / n).read_bytes()).hexdigest()}  {n}\n" for n in names]
    (out / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")


def main() -> None:
    """Read the options and train."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gold", type=Path, required=True, help="folder of the annotated sets")
    parser.add_argument("--out", type=Path, required=True, help="folder for the model")
    options = parser.parse_args()
    texts = list(training_texts(options.gold))
    given = lessons(texts, shipped_encoder(), copies=COPIES, seed=SEED)
    _log.info("%d lessons, %d tokens", len(given), sum(len(x.doc) for x in given))
    with quick_products():
        save(train(given), options.out)


if __name__ == "__main__":
    main()
