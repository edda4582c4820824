"""What many tests need: the folder of annotated data, and extractors that know their answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from extractors.mention import Extraction, Mention, Text

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of annotated data; tests that measure on it are skipped where it is missing."""
    if not SHARED.is_dir():
        pytest.skip("measures on annotated data that is not part of the repository")
    return SHARED


class WordExtractor:
    """Finds given names wherever they stand: a real extractor whose answers a test knows."""

    name = "words"

    def __init__(self, version: str = "1", **kinds: Iterable[str]) -> None:
        self.version = version
        self._kinds = {word: kind for kind, words in kinds.items() for word in words}
        self.texts: list[Text] = []

    def extract(self, texts: Iterable[Text]) -> Iterator[Extraction]:
        for text in texts:
            self.texts.append(text)
            yield Extraction(
                tuple(
                    Mention(field, match.start(), match.end(), kind, match.group(), 0.9)
                    for field in ("title", "abstract")
                    for word, kind in self._kinds.items()
                    for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text.field(field))
                )
            )


@pytest.fixture(scope="session")
def words() -> type[WordExtractor]:
    return WordExtractor
