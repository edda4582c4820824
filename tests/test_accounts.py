"""Accounts: what is kept of a text says the same as its extractions; names are found by them."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from extractors import gazetteer
from extractors.mention import Abbreviation, Extraction, Mention, Result, Text
from kg.accounts import Accounts, account_of, of_papers, table_of, unnested
from kg.cache import Cache
from kg.findings import find
from kg.query import _initial, _name_key

TEXT = Text(
    "We present Pool Adjacent Knots (PAK). PAK beats “isotonic” trees – by 2% – on CIFAR-10.",
    title="Pooling knots",
    keywords=("isotonic regression", "trees"),
)
SAID = {
    ("names", "1"): Extraction(
        mentions=(
            Mention("abstract", 11, 30, "method", "Pool Adjacent Knots", 0.9),
            Mention("abstract", 38, 41, "method", "PAK", 0.8),
            Mention("abstract", 78, 86, "dataset", "CIFAR-10", 0.7),
        ),
        abbreviations=(Abbreviation("abstract", 32, 35, 11, 30, "PAK", "Pool Adjacent Knots"),),
        results=(Result("abstract", 38, 87, "error", 2.0, unit="%", relation="better"),),
        rejected=("a method that the text does not name",),
    ),
    ("keywords", "2"): Extraction(
        mentions=(Mention("keywords", 0, 19, "keyword", "isotonic regression", 0.6),)
    ),
}


def test_an_account_has_what_the_extractions_say() -> None:
    rows = account_of(TEXT, SAID)["findings"]
    assert [
        (Mention(*(row[name] for name in Mention.__slots__)), row["role"], row["sentence_start"])
        for row in rows
    ] == [(found.mention, found.role, found.sentence_start) for found in find(TEXT, SAID)]
    assert {row["text"] for row in rows} >= {"PAK", "CIFAR-10"}


def test_an_account_keeps_definitions_results_and_what_was_rejected() -> None:
    account, said = account_of(TEXT, SAID), SAID["names", "1"]
    assert account["abbreviations"] == [asdict(pair) for pair in said.abbreviations]
    by = {"extractor": "names", "version": "1"}
    assert account["results"] == [asdict(result) | by for result in said.results]
    assert account["rejected"] == [{"extractor": "names", "said": said.rejected[0]}]


def test_of_what_two_extractors_say_alike_an_account_has_one() -> None:
    account = account_of(TEXT, SAID | {("others", "1"): SAID["names", "1"]})
    assert len(account["abbreviations"]) == 1
    assert [row["extractor"] for row in account["results"]] == ["names"]


def test_accounts_come_back_from_disk_as_they_were(tmp_path: Path, words) -> None:
    written = table_of({"k": account_of(TEXT, SAID), "empty": account_of(Text(""), {})})
    Accounts(tmp_path, [words()]).write(written)
    assert Accounts(tmp_path, [words()]).read().equals(written)


def test_accounts_of_papers_are_sorted_and_papers_of_the_same_words_share_one() -> None:
    parts = [table_of({"k": account_of(TEXT, SAID)}), table_of({"e": account_of(Text(""), {})})]
    found = of_papers(pa.concat_tables(parts), {"q": "k", "p": "k", "none": "x", "a": "e"})
    assert found["paper"].to_pylist() == ["a", "p", "q"]
    quotes = unnested(found, "findings").select(["paper", "text"]).to_pylist()
    assert {"paper": "p", "text": "CIFAR-10"} in quotes
    assert len([row for row in quotes if row["paper"] == "q"]) * 2 == len(quotes)


def test_accounts_of_other_extractors_or_versions_are_kept_apart(tmp_path: Path, words) -> None:
    Accounts(tmp_path, [words("1")]).write(table_of({"k": account_of(TEXT, SAID)}))
    assert Accounts(tmp_path, [words("1")]).read()["text"].to_pylist() == ["k"]
    assert Accounts(tmp_path, [words("2")]).read().num_rows == 0
    assert Accounts(tmp_path, []).read().num_rows == 0


def test_of_the_extractions_on_disk_those_asked_for_are_read(tmp_path: Path, words) -> None:
    cache = Cache(tmp_path, words())
    cache.write({"a": SAID["names", "1"], "b": SAID["keywords", "2"]})
    cache.write({"c": Extraction()})
    assert dict(cache.read({"a", "c", "other"})) == {"a": SAID["names", "1"], "c": Extraction()}
    assert dict(cache.read(set())) == {}


def test_a_part_that_cannot_be_read_is_dropped(tmp_path: Path, words) -> None:
    accounts = Accounts(tmp_path, [words()])
    accounts.write(table_of({"k": account_of(TEXT, SAID)}))
    (part,) = accounts.folder.iterdir()
    (accounts.folder / "damaged.parquet").write_bytes(part.read_bytes()[:100])
    pq.write_table(pa.table({"text": ["of another shape"]}), accounts.folder / "other.parquet")
    assert accounts.read()["text"].to_pylist() == ["k"]
    assert list(accounts.folder.iterdir()) == [part]


def test_a_name_begins_as_its_key_does_or_is_looked_for_everywhere() -> None:
    names = [name for entry in gazetteer.entries() for name in (*entry.names, entry.label)]
    names += ["β-VAE", r"$\beta$-VAE", r"\varepsilon-greedy", "“deep” nets", "(S)GD", "Élan", "_x"]
    wrong = [
        name
        for name in names
        if (first := _initial(name)) and first != next(filter(str.isalnum, _name_key(name)))
    ]
    assert wrong == []
