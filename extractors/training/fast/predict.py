"""Writes what the fast recogniser finds in an annotated set, for a scorer to compare.

python -m extractors.training.fast.predict GOLD.jsonl OUT.jsonl
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from extractors.fast import FastRecogniser


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    recogniser = FastRecogniser()
    with options.gold.open(encoding="utf-8") as lines, options.out.open("w") as out:
        for record in map(json.loads, lines):
            found = recogniser.predict(record.get("text") or record["raw"])
            out.write(json.dumps({"id": record["id"], "entities": found}) + "\n")


if __name__ == "__main__":
    main()
