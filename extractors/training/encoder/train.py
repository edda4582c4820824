"""Trains the encoder: all heads together, a batch holding texts of all sets.

python -m extractors.training.encoder.train --gold GOLD --minilm model.safetensors …
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch.nn import functional as F  # noqa: N812 (the name that torch's users know)

from extractors.encoder import (
    Encoder,
    allowed,
    best_tags,
    entity_ranges,
    log_softmax,
    windows,
)
from extractors.training.encoder.batches import (
    TAGS,
    WINDOW,
    Batch,
    Prepared,
    collate,
    epoch,
    prepare,
)
from extractors.training.encoder.network import Network, load_minilm
from extractors.training.encoder.renaming import curated_names, names_of, renamed
from extractors.training.encoder.sources import Annotated, development_texts, training_texts
from extractors.training.encoder.teacher import taught
from extractors.training.encoder.vocabulary import SPECIAL, read_abstracts


def loss_of(
    network: Network, batch: Batch, *, without_names: bool, trust: float, hidden_share: float
) -> torch.Tensor:
    """Return the loss of a batch, by word.

    Args:
        network: The network that learns.
        batch: Windows with gold tags, a teacher's probabilities, or both.
        without_names: Whether to hide the curated names, so that they are no crutch.
        trust: Weight of what the teacher says, the gold tags having 1.
        hidden_share: Share of the pieces to hide, so that the rest has to tell.
    """
    inputs = dict(batch.inputs)
    inputs["pieces"] = some_hidden(inputs["pieces"], hidden_share)
    if without_names:
        inputs["names"] = torch.zeros_like(inputs["names"])
    with torch.autocast("cpu", torch.bfloat16):
        hidden = network(**inputs).flatten(0, 1)
    hidden = hidden.float()
    losses = [
        F.cross_entropy(network.logits(hidden[at], scheme), said[scheme], reduction="sum") * weight
        for places, said, weight in (
            (batch.at, batch.tags, 1.0),
            (batch.taught_at, batch.taught, trust),
        )
        for scheme, at in places.items()
    ]
    gold = sum(len(at) for at in batch.at.values())
    taught = max((len(at) for at in batch.taught_at.values()), default=0)
    return torch.stack(losses).sum() / max(gold, taught)


def some_hidden(pieces: torch.Tensor, share: float) -> torch.Tensor:
    """Return the pieces with a random share of them unknown."""
    return torch.where(torch.rand(pieces.shape) < share, SPECIAL.index("[UNK]"), pieces)


def exact_scores(
    network: Network, texts: Iterable[Prepared], tokenizer: Tokenizer
) -> dict[str, tuple[float, float, float]]:
    """Return precision, recall and F1 of exact spans by scheme, in per cent."""
    network.eval()
    counts = {scheme: [0, 0, 0] for scheme in TAGS}
    for text in texts:
        scheme = text.text.scheme
        found = set(predict(network, text, tokenizer))
        gold = set(text.text.spans)
        for place, number in enumerate((len(found & gold), len(found), len(gold))):
            counts[scheme][place] += number
    network.train()
    return {scheme: _prf(*numbers) for scheme, numbers in counts.items()}


def _prf(right: int, found: int, gold: int) -> tuple[float, float, float]:
    precision, recall = right / max(found, 1), right / max(gold, 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    return round(100 * precision, 2), round(100 * recall, 2), round(100 * f1, 2)


def predict(network: Network, text: Prepared, tokenizer: Tokenizer) -> list[tuple[int, int, str]]:
    """Return the spans that the network finds in one text by the text's own scheme."""
    scheme = text.text.scheme
    names = TAGS[scheme]
    spans = []
    for window in windows(text.text.text, text.words, WINDOW):
        batch = collate([(text, window)], tokenizer)
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
            hidden = network(**batch.inputs).flatten(0, 1)[batch.at[scheme]]
        with torch.no_grad():
            logits = network.logits(hidden.float(), scheme).numpy()
        path = best_tags(log_softmax(logits), allowed(names), names)
        for first, stop, label in entity_ranges([names[tag] for tag in path]):
            start = text.words.starts[window[first]]
            spans.append((start, text.words.ends[window[stop - 1]], label))
    return spans


def parameter_groups(network: Network, rate: float, decay: float) -> list[dict[str, object]]:
    """Return the groups of the optimiser: no weight decay for biases and normalisations."""
    plain = [p for p in network.parameters() if p.ndim < 2]
    matrices = [p for p in network.parameters() if p.ndim >= 2]
    return [
        {"params": matrices, "weight_decay": decay, "lr": rate},
        {"params": plain, "weight_decay": 0.0, "lr": rate},
    ]


def slope(step: int, steps: int, warm: float = 0.1) -> float:
    """Return the factor of the learning rate: up to 1, then straight down to 0."""
    part = step / steps
    return part / warm if part < warm else (1 - part) / (1 - warm)


def train(
    network: Network,
    texts: Sequence[Sequence[Prepared]],
    tokenizer: Tokenizer,
    options: argparse.Namespace,
) -> None:
    """Train a network in place and save it after each epoch.

    Args:
        network: The network that learns.
        texts: Each text in its versions, of which an epoch takes one: as it is every second
            time.
        tokenizer: Cuts the texts that are kept back.
        options: The command's.
    """
    chance = random.Random(options.seed)  # noqa: S311 (no secret)
    optimiser = torch.optim.AdamW(parameter_groups(network, options.rate, 0.01), fused=True)
    extra = list(unlabelled(options, tokenizer))
    first = [*(versions[0] for versions in texts), *extra[: options.portion]]
    sample = epoch(first, tokenizer, random.Random(0), options.budget)  # noqa: S311 (no secret)
    steps = options.epochs * len(sample)
    rates = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda s: slope(min(s, steps), steps))
    development = [prepare(tokenizer, text) for text in development_texts(options.gold)]
    for number in range(1, options.epochs + 1):
        begun, total = time.process_time(), 0.0
        portion = extra[(number - 1) * options.portion : number * options.portion]
        batches = epoch([*drawn(texts, chance), *portion], tokenizer, chance, options.budget)
        for batch in batches:
            hide = chance.random() < options.without_names
            loss = loss_of(
                network, batch, without_names=hide, trust=options.trust, hidden_share=options.hide
            )
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
            torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            rates.step()
            total += loss.item()
        save_file(network.state_dict(), options.out / "network.safetensors")
        scores = exact_scores(network, development, tokenizer) if number >= options.look else {}
        report = {
            "epoch": number,
            "loss": round(total / len(batches), 4),
            "cpu_s": round(time.process_time() - begun),
            "development": scores,
        }
        print(json.dumps(report), flush=True)  # noqa: T201 (a command's progress)
        with (options.out / "log.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(report) + "\n")


def drawn(texts: Sequence[Sequence[Prepared]], chance: random.Random) -> list[Prepared]:
    """Return one version of each text: the first every second time, else one of the others."""
    return [
        versions[0] if len(versions) == 1 or chance.random() < 0.5 else chance.choice(versions[1:])
        for versions in texts
    ]


def versions_of(texts: Sequence[Annotated], count: int, seed: int) -> list[list[Annotated]]:
    """Return each text as it is and with other names, ``count`` times."""
    names, curated = names_of(texts), curated_names()
    chance = random.Random(seed)  # noqa: S311 (no secret)
    return [
        [text, *(renamed(text, names, curated, chance) for _ in range(count))] for text in texts
    ]


def unlabelled(options: argparse.Namespace, tokenizer: Tokenizer) -> list[Prepared]:
    """Return abstracts without annotation, with what the teacher says of them."""
    if not options.unlabelled:
        return []
    abstracts = list(read_abstracts(options.unlabelled, every=5))
    random.Random(0).shuffle(abstracts)  # noqa: S311 (no secret)
    wanted = [a for a in abstracts if a.strip()][: options.epochs * options.portion]
    texts = (prepare(tokenizer, Annotated("", "", text, ())) for text in wanted)
    return list(taught(list(map(Encoder, options.teacher)), texts))


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gold", type=Path, required=True, help="folder of the annotated sets")
    parser.add_argument("--minilm", type=Path, required=True, help="MiniLM's model.safetensors")
    parser.add_argument("--tokenizer", type=Path, required=True, help="MiniLM's tokenizer.json")
    parser.add_argument("--pruned", type=Path, required=True, help="the pruned tokenizer.json")
    parser.add_argument("--out", type=Path, required=True, help="folder for network and log")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--budget", type=int, default=1024, help="pieces a batch")
    parser.add_argument("--without-names", type=float, default=0.3, help="share of batches")
    parser.add_argument("--hide", type=float, default=0.1, help="share of pieces hidden")
    parser.add_argument("--renamed", type=int, default=0, help="versions with other names")
    parser.add_argument("--look", type=int, default=1, help="first epoch that is measured")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--teacher", type=Path, nargs="*", help="exported models to learn from")
    parser.add_argument("--trust", type=float, default=0.4, help="weight of the teacher's word")
    parser.add_argument("--unlabelled", type=Path, nargs="*", default=[], help="gzipped abstracts")
    parser.add_argument("--portion", type=int, default=400, help="unlabelled abstracts an epoch")
    parser.add_argument("--all", action="store_true", help="learn from the development parts too")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    tokenizer = Tokenizer.from_file(str(options.pruned))
    network = Network(tokenizer.get_vocab_size(), {name: len(t) for name, t in TAGS.items()})
    original = Tokenizer.from_file(str(options.tokenizer)).get_vocab()
    ours = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    kept = torch.tensor([original[piece] for piece, _ in ours])
    load_minilm(network, load_file(str(options.minilm)), kept)
    texts = list(training_texts(options.gold))
    if options.all:
        texts += development_texts(options.gold)
    versions = versions_of(texts, options.renamed, options.seed)
    prepared = [[prepare(tokenizer, text) for text in each] for each in versions]
    if options.teacher:
        teachers = [Encoder(folder) for folder in options.teacher]
        prepared = [list(taught(teachers, each)) for each in prepared]
    train(network, prepared, tokenizer, options)


if __name__ == "__main__":
    main()
