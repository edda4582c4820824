"""The account of a text: all that later steps need of what its extractors say, kept on disk.

    extractions of a text ──▶ account (mentions with roles, definitions, results, vector)

It depends on one text alone, so it is drawn up where the text is extracted, on any core. Those of
a corpus are a table, one row a text, that is read from disk as it is used: in columns.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

import extractors
from extractors.mention import Extraction, Extractor, Text
from kg import findings, keys
from kg.cache import read_parts, write_part
from kg.coding import whole
from kg.findings import Finding, find

Account = Mapping[str, Any]
"""A row of `SCHEMA`, without the text's key."""

_WORD = pa.dictionary(pa.int32(), pa.string())  # one of a few
_PLACE = pa.int32()

SCHEMA = pa.schema(
    {
        "text": pa.string(),  # its `kg.cache.text_key`
        # The mentions that count, sorted by place.
        "findings": pa.list_(
            pa.struct(
                {
                    "field": _WORD,
                    "start": _PLACE,
                    "end": _PLACE,
                    "kind": _WORD,
                    "text": pa.string(),
                    "score": pa.float64(),
                    "role": _WORD,
                    "confidence": pa.float64(),
                    "sentence_start": _PLACE,
                    "sentence_end": _PLACE,
                    "extractor": _WORD,
                    "version": _WORD,
                }
            )
        ),
        # As `extractors.mention.Abbreviation`, each once, sorted.
        "abbreviations": pa.list_(
            pa.struct(
                {
                    "field": _WORD,
                    "short_start": _PLACE,
                    "short_end": _PLACE,
                    "long_start": _PLACE,
                    "long_end": _PLACE,
                    "short": pa.string(),
                    "long": pa.string(),
                }
            )
        ),
        # As `extractors.mention.Result`, one a place and metric, sorted.
        "results": pa.list_(
            pa.struct(
                {
                    "field": _WORD,
                    "sentence_start": _PLACE,
                    "sentence_end": _PLACE,
                    "metric": pa.string(),
                    "value": pa.float64(),
                    "unit": pa.string(),
                    "dataset": pa.string(),
                    "task": pa.string(),
                    "method": pa.string(),
                    "compared_value": pa.float64(),
                    "relation": _WORD,
                    "compared_method": pa.string(),
                    "qualifier": _WORD,
                    "start": _PLACE,
                    "end": _PLACE,
                    "extractor": _WORD,
                    "version": _WORD,
                }
            )
        ),
        # What models answered and the text does not bear out.
        "rejected": pa.list_(pa.struct({"extractor": _WORD, "said": pa.string()})),
        "vector": pa.list_(pa.float32()),  # of length 1, of title and abstract
    }
)


def account_of(text: Text, extractions: Mapping[tuple[str, str], Extraction]) -> Account:
    """Return the account of a text.

    Args:
        text: The text.
        extractions: (extractor, version) -> what it says of the text.

    Example:
        >>> from extractors.mention import Mention
        >>> mention = Mention("abstract", 7, 11, "method", "BERT", 1.0)
        >>> text, said = Text("We use BERT."), {("words", "1"): Extraction((mention,))}
        >>> [finding["role"] for finding in account_of(text, said)["findings"]]
        ['uses']
    """
    from extractors.models import document_vectors

    pairs = {pair for extraction in extractions.values() for pair in extraction.abbreviations}
    return {
        "findings": list(map(_row, find(text, extractions))),
        "abbreviations": list(map(asdict, sorted(pairs))),
        "results": _results(extractions),
        "rejected": [
            {"extractor": extractor, "said": said}
            for (extractor, _), extraction in sorted(extractions.items())
            for said in extraction.rejected
        ],
        "vector": document_vectors([f"{text.title}\n{text.abstract}"])[0],
    }


def _row(finding: Finding) -> dict[str, Any]:
    row = asdict(finding)
    return {**row.pop("mention"), **row}


def _results(extractions: Mapping[tuple[str, str], Extraction]) -> list[dict[str, object]]:
    """Return the results of all extractors; of one place and metric, what the first says."""
    found: dict[tuple[str, int, int, str], dict[str, object]] = {}
    for (extractor, version), extraction in sorted(extractions.items()):
        for said in extraction.results:
            place = said.field, said.start, said.end, said.metric
            found.setdefault(place, asdict(said) | {"extractor": extractor, "version": version})
    return [found[place] for place in sorted(found)]


def table_of(accounts: Mapping[str, Account]) -> pa.Table:
    """Return accounts by the key of their text as a table, sorted by it."""
    rows = [{"text": key, **account} for key, account in sorted(accounts.items())]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def of_papers(accounts: pa.Table, texts: Mapping[str, str]) -> pa.Table:
    """Return the accounts of papers, sorted by paper, with its id in the column ``paper``.

    Args:
        accounts: One row a text.
        texts: Paper -> the key of its text; papers of which there is no account are left out.
    """
    papers = sorted(texts)
    asked = pa.array([texts[paper] for paper in papers], pa.string())
    rows = pc.index_in(asked, whole(accounts["text"]))
    found = pa.table({"paper": pa.array(papers, pa.string()), "row": rows}).drop_null()
    chosen = accounts.drop_columns("text").unify_dictionaries().take(found["row"])
    return chosen.add_column(0, "paper", found["paper"]).combine_chunks()


def unnested(accounts: pa.Table, name: str) -> pa.Table:
    """Return the items that a column of accounts lists, one row each, with their ``paper``.

    Args:
        accounts: As `of_papers` gives them.
        name: The column, such as ``findings``.

    Example:
        >>> accounts = pa.table({"paper": ["p", "q"], "rejected": [[], [{"said": "x"}]]})
        >>> unnested(accounts, "rejected").to_pylist()
        [{'paper': 'q', 'said': 'x'}]
    """
    lists, papers = whole(accounts[name]), whole(accounts["paper"])
    rows = pa.DictionaryArray.from_arrays(lists.value_parent_indices().cast(pa.int32()), papers)
    return pa.Table.from_struct_array(lists.flatten()).add_column(0, "paper", rows)


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

    def read(self) -> pa.Table:
        """Return all accounts; parts that cannot be read are dropped."""
        return pa.concat_tables([SCHEMA.empty_table(), *read_parts(self.folder, SCHEMA)])

    def write(self, accounts: pa.Table) -> None:
        """Write one finished part; nothing if it is empty."""
        if accounts.num_rows:
            write_part(self.folder, accounts)


@cache
def _rules_version() -> str:
    """Return a hash of all that accounts are drawn up by: code, lists, sums of the models."""
    package = Path(extractors.__file__).parent
    endings = ("*.py", "*.tsv", "*.txt", "*SUMS")
    rules = (path for ending in endings for path in package.rglob(ending))
    own = [Path(module.__file__ or "") for module in (findings, keys)]
    digest = hashlib.sha256()
    for path in sorted({*rules, *own, Path(__file__)}):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
