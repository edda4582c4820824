"""Accounts: what is kept of a text says the same as its extractions; names are found by them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from extractors import gazetteer
from extractors.mention import Abbreviation, Extraction, Mention, Result, Text
from kg.accounts import Account, Accounts, account_of
from kg.model import Paper
from kg.query import _initial, _name_key
from kg.statements import find

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


@pytest.fixture
def paper() -> Paper:
    return Paper("p", TEXT.abstract, title=TEXT.title, keywords=TEXT.keywords)


def test_an_account_finds_what_the_extractions_say(paper: Paper) -> None:
    found = account_of(TEXT, SAID).findings(paper)
    assert found == find(paper, SAID)
    assert {finding.mention.text for finding in found} >= {"PAK", "CIFAR-10"}


def test_an_account_keeps_definitions_results_and_what_was_rejected() -> None:
    kept = account_of(TEXT, SAID).extractions()
    assert kept.keys() == SAID.keys()
    for who, extraction in kept.items():
        assert extraction.abbreviations == SAID[who].abbreviations
        assert extraction.results == SAID[who].results
        assert extraction.rejected == SAID[who].rejected


def test_accounts_come_back_from_disk_as_they_were(tmp_path: Path, words) -> None:
    account = account_of(TEXT, SAID)
    Accounts(tmp_path, [words()]).write({"k": account, "empty": account_of(Text(""), {})})
    found = Accounts(tmp_path, [words()]).read()
    assert found["k"].said == account.said
    assert np.array_equal(found["k"].vector, account.vector)
    assert isinstance(found["empty"], Account)


def test_accounts_of_other_extractors_or_versions_are_kept_apart(tmp_path: Path, words) -> None:
    Accounts(tmp_path, [words("1")]).write({"k": account_of(TEXT, SAID)})
    assert Accounts(tmp_path, [words("1")]).read().keys() == {"k"}
    assert Accounts(tmp_path, [words("2")]).read() == {}
    assert Accounts(tmp_path, []).read() == {}


def test_a_name_begins_as_its_key_does_or_is_looked_for_everywhere() -> None:
    names = [name for entry in gazetteer.entries() for name in (*entry.names, entry.label)]
    names += ["β-VAE", r"$\beta$-VAE", r"\varepsilon-greedy", "“deep” nets", "(S)GD", "Élan", "_x"]
    wrong = [
        name
        for name in names
        if (first := _initial(name)) and first != next(filter(str.isalnum, _name_key(name)))
    ]
    assert wrong == []
