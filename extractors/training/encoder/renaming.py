"""Annotated texts with other names in place of theirs, so that a network learns what is around.

Mention replacement as in Dai and Adel, "An Analysis of Simple Data Augmentation for Named
Entity Recognition", COLING 2020.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from extractors.gazetteer import entries
from extractors.training.encoder.sources import Annotated, Gold

SHARE = 0.25
"""Share of the names of a text that are replaced."""

CURATED = 0.5
"""Share of the replacements that are curated names, where the label has such."""

Names = Mapping[tuple[str, str], Sequence[str]]

_KINDS = {
    "Method": "method",
    "Task": "task",
    "Metric": "metric",
    "Dataset": "dataset",
    "Material": "dataset",
}
_KEPT = frozenset({"Generic"})  # "this method" says nothing in another place


def names_of(texts: Iterable[Annotated]) -> Names:
    """Return the names that annotated texts hold, by scheme and label, sorted."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for text in texts:
        for start, end, label in text.spans:
            found[text.scheme, label].add(text.text[start:end])
    return {key: sorted(names) for key, names in found.items()}


def curated_names() -> dict[str, list[str]]:
    """Return the curated names by kind, sorted."""
    found: dict[str, set[str]] = defaultdict(set)
    for entry in entries():
        found[entry.kind].update(entry.names)
    return {kind: sorted(names) for kind, names in found.items()}


def renamed(
    text: Annotated, names: Names, curated: Mapping[str, Sequence[str]], chance: random.Random
) -> Annotated:
    """Return a text in which some names are replaced by others of the same label.

    A name that occurs twice is replaced by the same other name both times.

    Args:
        text: The text with its spans.
        names: Names by scheme and label, as `names_of` gives them.
        curated: Names by kind, as `curated_names` gives them.
        chance: Decides which are replaced, and by what.
    """
    chosen: dict[str, str] = {}
    parts: list[str] = []
    spans: list[Gold] = []
    length = done = 0
    for start, end, label in text.spans:
        name = text.text[start:end]
        if name not in chosen:
            chosen[name] = _other(name, text.scheme, label, names, curated, chance)
        between, new = text.text[done:start], chosen[name]
        parts += [between, new]
        length += len(between)
        spans.append((length, length + len(new), label))
        length, done = length + len(new), end
    parts.append(text.text[done:])
    return replace(text, text="".join(parts), spans=tuple(spans))


def _other(
    name: str,
    scheme: str,
    label: str,
    names: Names,
    curated: Mapping[str, Sequence[str]],
    chance: random.Random,
) -> str:
    if label in _KEPT or chance.random() >= SHARE:
        return name
    ours = curated.get(_KINDS.get(label, ""), ())
    return chance.choice(ours if ours and chance.random() < CURATED else names[scheme, label])
