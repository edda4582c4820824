"""Make the shipped model: ``python -m extractors.training --shared DIR --out DIR``."""

from __future__ import annotations

import argparse
import gzip
import json
import logging
from pathlib import Path
from typing import Any

from spacy.language import Language

from extractors.frequencies import read_table
from extractors.training.checksums import write_checksums
from extractors.training.corpus import Record, read_corpus
from extractors.training.frequencies import phrase_table
from extractors.training.tagger import accuracy, train_tagger
from extractors.training.tokens import blank_pipeline, lines_of_tokens
from extractors.training.treebank import read_treebank
from extractors.training.vectors import add_vectors, damp, train_vectors

EVERY = 20
"""One abstract in so many is looked at to centre the vectors."""

_META = {
    "name": "abstracts",
    "version": "1.0.0",
    "spacy_version": ">=3.8,<4",
    "description": "Tokens and Penn Treebank tags of English scientific abstracts, with vectors.",
    "license": "CC BY-SA 4.0",
    "author": "The paperkg authors",
}
_log = logging.getLogger("extractors.training")


def main() -> None:
    """Read the options and make the model."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, required=True, help="folder of corpora, treebank")
    parser.add_argument("--out", type=Path, required=True, help="folder for the weights")
    options = parser.parse_args()
    records = list(read_corpus(options.shared / "corpora"))
    _log.info("%d abstracts", len(records))
    table = phrase_table(records)
    _log.info("%d words and phrases", table.count("\n"))
    nlp = _pipeline(records, table, options.shared / "treebank")
    save(nlp, table, options.out)


def save(nlp: Language, table: str, out: Path) -> None:
    """Write the pipeline, the document frequencies and the checksums."""
    nlp.to_disk(out / "en_abstracts")
    tagger: Any = nlp.get_pipe("tagger")
    strings = {*blank_pipeline().vocab.strings, *tagger.labels}
    kept = json.dumps(sorted(strings), indent=0, ensure_ascii=False)
    (out / "en_abstracts" / "vocab" / "strings.json").write_text(kept, encoding="utf-8")
    (out / "phrases.tsv.gz").write_bytes(gzip.compress(table.encode("utf-8"), 9, mtime=0))
    write_checksums(out)


def _pipeline(records: list[Record], table: str, treebank: Path) -> Language:
    texts = [text for record in records for text in (record.title, record.abstract)]
    vectors = train_vectors(lines_of_tokens(blank_pipeline(), texts))
    _log.info("vectors trained")
    nlp = blank_pipeline()
    add_vectors(nlp, vectors)
    damp(nlp, (record.abstract for record in records[::EVERY]), read_table(table))
    train_tagger(nlp, read_treebank(treebank / "ewt_train.conllu.gz", nlp))
    share = accuracy(nlp, list(read_treebank(treebank / "ewt_dev.conllu.gz", nlp)))
    _log.info("tagger trained, %.4f of the tags right", share)
    nlp.meta.update(_META, performance={"tag_acc": round(share, 4)})
    return nlp


if __name__ == "__main__":
    main()
