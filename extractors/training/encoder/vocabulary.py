"""A smaller vocabulary: the pieces that abstracts need, out of the encoder's 30,522.

Half of the general vocabulary hardly ever occurs in scientific abstracts. A word whose
piece is left out falls into shorter ones, so that nothing becomes unreadable.

    python -m extractors.training.encoder.vocabulary --gold GOLD --tokenizer tokenizer.json …
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from tokenizers import Tokenizer

from extractors.training.encoder.sources import training_texts

GOLD_WEIGHT = 20
"""How often a piece of the annotated texts counts, one of the abstracts counting once."""

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")


def read_abstracts(paths: Iterable[Path], every: int = 4) -> Iterator[str]:
    """Yield every ``every``-th abstract of gzipped JSONL files, for counting pieces."""
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                if number % every == 0:
                    yield json.loads(line)["abstract"]


def count_pieces(tokenizer: Tokenizer, texts: Iterable[str]) -> Counter[str]:
    """Count the pieces of texts."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(tokenizer.encode(text, add_special_tokens=False).tokens)
    return counts


def choose_pieces(tokenizer: Tokenizer, counts: Counter[str], size: int) -> list[str]:
    """Return the pieces to keep: the special ones, single characters, the most frequent."""
    vocabulary = tokenizer.get_vocab()
    single = [p for p in vocabulary if len(p.removeprefix("##")) == 1 and ord(p[-1]) < 0x2600]
    ranked = sorted(counts, key=lambda piece: (-counts[piece], piece))
    kept = dict.fromkeys([*SPECIAL, *sorted(single), *ranked])
    return list(kept)[:size]


def pruned_tokenizer(tokenizer: Tokenizer, pieces: list[str]) -> Tokenizer:
    """Return the tokenizer with only these pieces, numbered in their order."""
    description = json.loads(tokenizer.to_str())
    description["truncation"] = description["padding"] = description["post_processor"] = None
    description["added_tokens"] = [
        {**token, "id": pieces.index(token["content"])}
        for token in description["added_tokens"]
        if token["content"] in pieces
    ]
    description["model"]["vocab"] = {piece: number for number, piece in enumerate(pieces)}
    return Tokenizer.from_str(json.dumps(description))


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gold", type=Path, required=True, help="folder of the annotated sets")
    parser.add_argument("--tokenizer", type=Path, required=True, help="MiniLM's tokenizer.json")
    parser.add_argument("--out", type=Path, required=True, help="the pruned tokenizer.json")
    parser.add_argument("--size", type=int, default=14_000, help="pieces to keep")
    parser.add_argument("abstracts", type=Path, nargs="+", help="gzipped JSONL files")
    options = parser.parse_args()
    tokenizer = Tokenizer.from_file(str(options.tokenizer))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    counts = count_pieces(tokenizer, read_abstracts(options.abstracts, every=8))
    own = count_pieces(tokenizer, (text.text for text in training_texts(options.gold)))
    for piece, count in own.items():
        counts[piece] += GOLD_WEIGHT * count
    pieces = choose_pieces(tokenizer, counts, options.size)
    pruned_tokenizer(tokenizer, pieces).save(str(options.out))


if __name__ == "__main__":
    main()
