"""The account of a text: all that later steps need of what its extractors say, kept on disk.

    extractions of a text ──▶ Account (mentions with roles, definitions, results, vector)

It depends on one text alone, so it is drawn up where the text is extracted, on any core.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from sys import intern

import numpy as np
import numpy.typing as npt
import pyarrow as pa

import extractors
from extractors.mention import FIELDS, Extraction, Extractor, Mention, Text
from kg import keys, statements
from kg.cache import decode, encode, read_parts, write_part
from kg.model import Paper
from kg.statements import Finding, find, to_text

_SCHEMA = pa.schema(
    [("text", pa.string()), ("said", pa.string()), ("vector", pa.list_(pa.float32()))]
)


@dataclass(frozen=True, slots=True)
class Account:
    """What the extractors say of a text, in few bytes.

    Args:
        said: JSON: the extractors, the findings, and the rest of each extraction.
        vector: The unit vector of title and abstract, shape (d,).
    """

    said: str
    vector: npt.NDArray[np.float32]

    def findings(self, paper: Paper) -> list[Finding]:
        """Return the mentions with their roles, sorted by place.

        Args:
            paper: The paper whose text it is.
        """
        said = json.loads(self.said)
        names = [(intern(name), intern(version)) for name, version in said["extractors"]]
        fields = {field: to_text(paper).field(field) for field in FIELDS}
        sentences: dict[tuple[str, int, int], str] = {}
        found = []
        for field, start, end, kind, score, role, confidence, first, last, number in said["found"]:
            text = fields[field]
            mention = Mention(
                intern(field), start, end, intern(kind), intern(text[start:end]), score
            )
            sentence = sentences.setdefault((field, first, last), text[first:last])
            row = intern(role), confidence, sentence, first, *names[number]
            found.append(Finding(paper.id, mention, *row))
        return found

    def extractions(self) -> dict[tuple[str, str], Extraction]:
        """Return what each extractor says, by name and version, without mentions and roles."""
        said = json.loads(self.said)
        names = map(tuple, said["extractors"])
        return dict(zip(names, map(decode, said["rest"]), strict=True))


def account_of(text: Text, extractions: Mapping[tuple[str, str], Extraction]) -> Account:
    """Return the account of a text.

    Args:
        text: The text.
        extractions: (extractor, version) -> what it says of the text.

    Example:
        >>> mention = Mention("abstract", 7, 11, "method", "BERT", 1.0)
        >>> text, said = Text("We use BERT."), {("words", "1"): Extraction((mention,))}
        >>> [f.role for f in account_of(text, said).findings(Paper("p", text.abstract))]
        ['uses']
    """
    from extractors.models import document_vectors

    paper = Paper("", text.abstract, title=text.title, keywords=text.keywords)
    names = sorted(extractions)
    said = {
        "extractors": names,
        "found": [_row(finding, names) for finding in find(paper, extractions)],
        "rest": [encode(replace(extractions[who], mentions=(), roles=())) for who in names],
    }
    words = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    return Account(words, document_vectors([f"{text.title}\n{text.abstract}"])[0])


def _row(finding: Finding, names: Sequence[tuple[str, str]]) -> list[object]:
    m, first = finding.mention, finding.sentence_start
    place = [m.field, m.start, m.end, m.kind, m.score, finding.role, finding.confidence]
    last = first + len(finding.sentence)
    return [*place, first, last, names.index((finding.extractor, finding.version))]


class Accounts:
    """The accounts of a graph folder.

    Args:
        folder: The cache's folder.
        using: The extractors that are heard.
    """

    def __init__(self, folder: Path, using: Iterable[Extractor]) -> None:
        heard = sorted((extractor.name, extractor.version) for extractor in using)
        content = json.dumps([heard, _rules_version()])
        self.folder = folder / f"accounts-{hashlib.sha256(content.encode()).hexdigest()[:16]}"

    def read(self) -> dict[str, Account]:
        """Return all accounts by `kg.cache.text_key`."""
        found: dict[str, Account] = {}
        for part in read_parts(self.folder, _SCHEMA):
            texts, said = part["text"].to_pylist(), part["said"].to_pylist()
            numbers = part["vector"].combine_chunks().flatten().to_numpy()
            vectors = numbers.reshape(len(texts), -1)
            found.update(zip(texts, map(Account, said, vectors), strict=True))
        return found

    def write(self, accounts: Mapping[str, Account]) -> None:
        """Write one finished part; nothing if it is empty."""
        if accounts:
            rows = [
                {"text": key, "said": account.said, "vector": account.vector}
                for key, account in sorted(accounts.items())
            ]
            write_part(self.folder, pa.Table.from_pylist(rows, schema=_SCHEMA))


@cache
def _rules_version() -> str:
    """Return a hash of all that accounts are drawn up by: code, lists, sums of the models."""
    package = Path(extractors.__file__).parent
    endings = ("*.py", "*.tsv", "*.txt", "*SUMS")
    rules = (path for ending in endings for path in package.rglob(ending))
    own = [Path(module.__file__ or "") for module in (keys, statements)]
    digest = hashlib.sha256()
    for path in sorted({*rules, *own, Path(__file__)}):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
