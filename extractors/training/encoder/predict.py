"""Writes what the exported encoder finds in an annotated set, for a scorer to compare.

python -m extractors.training.encoder.predict --model MODEL --scheme scirex GOLD.jsonl OUT.jsonl
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from extractors.encoder import Encoder


def predictions(encoder: Encoder, gold: Path, scheme: str) -> Iterator[dict[str, object]]:
    """Yield one record for each record of a JSONL file, with the entities found."""
    with gold.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            text = record.get("text") or record["raw"]
            yield {"id": record["id"], "entities": encoder.predict(text, scheme)}


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="folder of the exported model")
    parser.add_argument("--scheme", required=True, help="scierc, scirex or tdmsci")
    parser.add_argument("gold", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    encoder = Encoder(options.model)
    with options.out.open("w", encoding="utf-8") as out:
        for record in predictions(encoder, options.gold, options.scheme):
            out.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
