"""What each part of the entity extractor brings: exact scores with one part left out at a time.

python -m extractors.training.ablation GOLD.jsonl [Method,Task,Dataset]
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from extractors.entities import PARTS, EntityExtractor
from extractors.mention import Text

Spans = set[tuple[int, int, str]]


def read_gold(path: Path) -> list[tuple[str, Spans, Spans]]:
    """Return the texts of a JSONL file, the spans to find, and those to ignore."""
    with path.open(encoding="utf-8") as lines:
        return [_document(json.loads(line)) for line in lines]


def _document(record: dict[str, Any]) -> tuple[str, Spans, Spans]:
    wanted: Spans = set()
    optional: Spans = {(start, end, label) for start, end, label in record.get("ignore", ())}
    for entity in record["entities"]:
        if isinstance(entity, dict):
            span = entity["start"], entity["end"], entity["label"]
            (optional if entity.get("optional") else wanted).add(span)
        else:
            wanted.add((entity[0], entity[1], entity[2]))
    return record.get("raw") or record["text"], wanted, optional


def score(
    extractor: EntityExtractor, gold: Sequence[tuple[str, Spans, Spans]], labels: frozenset[str]
) -> tuple[float, float, float]:
    """Return precision, recall and F1 of exact spans, in per cent."""
    right = found = wanted = 0
    for text, spans, optional in gold:
        said = {span for span in _said(extractor, text) if span[2] in labels}
        said = {span for span in said if span in spans or not _touches(span, optional)}
        asked = {span for span in spans if span[2] in labels}
        right += len(said & asked)
        found += len(said)
        wanted += len(asked)
    precision, recall = right / max(found, 1), right / max(wanted, 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-9)
    return round(100 * precision, 1), round(100 * recall, 1), round(100 * f1, 1)


def _said(extractor: EntityExtractor, text: str) -> Iterator[tuple[int, int, str]]:
    for extraction in extractor.extract([Text(text)]):
        yield from ((m.start, m.end, m.kind.title()) for m in extraction.mentions)


def _touches(span: tuple[int, int, str], others: Spans) -> bool:
    return any(start < span[1] and span[0] < end for start, end, _ in others)


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path, help="JSONL with text and entities")
    parser.add_argument("labels", nargs="?", default="Method,Task,Dataset")
    options = parser.parse_args()
    gold = read_gold(options.gold)
    for part in (None, *PARTS):
        extractor = EntityExtractor(without=[part] if part else [])
        figures = score(extractor, gold, frozenset(options.labels.split(",")))
        name = f"without {part}" if part else "all parts"
        print(f"| {name} | {' | '.join(map(str, figures))} |", flush=True)  # noqa: T201 (a command)


if __name__ == "__main__":
    main()
