"""The list of the model's files with their checksums, whose hash is the model's version."""

from __future__ import annotations

import hashlib
from pathlib import Path

FILES = ("phrases.tsv.gz", "ranker.json")


def write_checksums(model: Path) -> None:
    """Write ``SHA256SUMS`` into the folder of the model.

    Args:
        model: The folder that holds the pipeline, the table of phrases and the ranker.
    """
    paths = [*(model / name for name in FILES), *(model / "en_abstracts").rglob("*")]
    sums = [f"{_sha256(p)}  {p.relative_to(model).as_posix()}\n" for p in paths if p.is_file()]
    sums.sort(key=lambda line: line[66:])
    (model / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
