"""Annotation schemes: the encoder's heads, each with its data set's labels and conventions.

For comparison with the literature; the product's own extractor is `extractors.entities`.
Labels are those of the others where they mean the same: SciERC's Material is a Dataset. Its
Generic mentions ("the method") name nothing and are left out. A text is read twice, as a whole and
by sentences, which costs twice the time.
"""

from __future__ import annotations

from extractors.encoder import shipped_encoder

SCHEMES = ("scierc", "scirex", "tdmsci")
_LABELS = {"Material": "Dataset", "OtherScientificTerm": "OtherTerm"}
_UNNAMED = "Generic"

Span = tuple[int, int, str, float]


def scheme_entities(text: str, scheme: str) -> list[Span]:
    """Return the entities of a text by one scheme, without the product's rules.

    Args:
        text: A text of any length.
        scheme: One of `SCHEMES`.

    Returns:
        Start, end (code points, half-open), label and confidence 0..1, in order.

    Raises:
        ValueError: If there is no such scheme.

    Example:
        >>> [label for *_, label, _ in scheme_entities("We train BERT on SQuAD.", "scirex")]
        ['Method', 'Dataset']
    """
    return [
        (start, end, _LABELS.get(label, label), score)
        for start, end, label, score in shipped_encoder().predict(text, scheme, twice=True)
        if label != _UNNAMED
    ]
