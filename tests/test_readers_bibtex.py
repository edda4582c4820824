"""BibTeX and biblatex: strings, cross-references, volumes, and what hostile files try."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kg.model import Record, Skipped
from kg.readers import iter_records, read_papers

Write = Callable[..., Path]

MOTH = "Moths find lamps by the moon. We show that they prefer the lamps of physicists."


def records(path: Path) -> dict[str, Record]:
    found = list(iter_records(path))
    assert not [item for item in found if isinstance(item, Skipped)]
    return {item.identifier: item for item in found if isinstance(item, Record)}


@pytest.mark.parametrize(
    "kind", ["article", "online", "dataset", "software", "thesis", "inproceedings", "unheard"]
)
def test_every_type_of_entry_is_read(write: Write, kind: str) -> None:
    assert records(write(f"@{kind}{{a, title={{Moths}}}}", "a.bib"))["a"].title == "Moths"


@pytest.mark.parametrize(
    ("title", "plain"),
    [
        ("{M}oths in {OCL} {L}amps", "Moths in OCL Lamps"),
        ("{{Moths and Lamps}}", "Moths and Lamps"),
        ("Moths {\\&} Lamps", "Moths & Lamps"),
    ],
)
def test_braces_that_keep_capitals_are_dropped(write: Write, title: str, plain: str) -> None:
    path = write(f"@misc{{a, title={{{title}}}, abstract={{{MOTH}}}}}", "a.bib")
    assert read_papers(path).papers[0].title == plain


def test_keywords_of_several_fields_are_joined(write: Write) -> None:
    text = '@article{a, title={M}, keywords="moths", keywords="old lamps", keywords="a; b"}'
    assert records(write(text, "a.bib"))["a"].keywords == ("moths", "old lamps", "a", "b")


def test_a_volume_gives_venue_and_year_wherever_it_stands(write: Write) -> None:
    text = (
        "@inproceedings{below, title={A}, crossref={Lamps20}}\n"
        "@inproceedings{own, title={B}, crossref={lamps20}, year=1999}\n"
        "@proceedings{lamps20, title={Proceedings of Lamps}, year={2020}}\n"
        "@inproceedings{above, title={C}, crossref={lamps20}, booktitle={Mine}}\n"
        "@inbook{x, title={D}, xdata={shared, other}}\n"
        "@xdata{shared, title={Series}, date={2018-05}}\n"
    )
    read = records(write(text, "a.bib"))
    assert (read["below"].venue, read["below"].year) == ("Proceedings of Lamps", 2020)
    assert (read["own"].venue, read["own"].year) == ("Proceedings of Lamps", 1999)
    assert (read["above"].venue, read["above"].year) == ("Mine", 2020)
    assert (read["x"].venue, read["x"].year) == ("Series", 2018)
    assert len(read) == 6


def test_a_volume_that_is_missing_is_said(write: Write) -> None:
    read = records(write("@inproceedings{a, title={A}, crossref={gone}}\n", "a.bib"))
    assert read["a"].warnings == ("the cross-reference 'gone' is to no entry of this file",)


def test_a_volume_without_a_title_is_that_of_all_that_follows(write: Write) -> None:
    text = (
        "@misc{before, title={Z}}\n"
        "@Proceedings{LAMPS-2020, booktitle={Proceedings of Lamps}, year={2020}}\n"
        f"@inproceedings{{a, title={{A}}, abstract={{{MOTH}}}}}\n"
        "@article{own, title={B}, journal={J}}\n@book{untitled, year={1999}}\n"
        "@inproceedings{b, title={C}}\n"
    )
    path = write(text, "a.bib")
    read = {r.identifier: r for r in iter_records(path) if isinstance(r, Record)}
    assert (read["a"].venue, read["a"].year) == ("Proceedings of Lamps", 2020)
    assert (read["b"].venue, read["b"].year) == ("Proceedings of Lamps", 2020)
    assert (read["own"].venue, read["own"].year) == ("J", None)
    assert (read["before"].venue, read["before"].year) == ("", None)
    gone = [s.source.record for s in read_papers(path).skipped]
    assert gone == ["LAMPS-2020", "untitled"]


def test_strings_are_put_in(write: Write) -> None:
    text = (
        '@string{lamps = "Lamps"}\n@string(conf = "Conf. on " # lamps)\n'
        '@misc{a, title = {M}, booktitle = CONF # " and {Moths}", year = 2020, month = jan}\n'
    )
    assert records(write(text, "a.bib"))["a"].venue == "Conf. on Lamps and Moths"


def test_strings_that_double_each_other_stay_small(write: Write) -> None:
    doubled = "".join(f"@string{{s{n + 1} = s{n} # s{n}}}\n" for n in range(60))
    text = f'@string{{s0 = "lamp"}}\n{doubled}@misc{{a, title=s60}}\n'
    assert len(records(write(text, "a.bib"))["a"].title) < 2_000_000


def test_an_entry_without_end_is_skipped_and_named(write: Write) -> None:
    text = "@misc{big, title={T}, abstract={" + f"{MOTH}\n" * 20_000
    big, small = iter_records(write(f"{text}\n@misc{{b, title={{B}}}}", "a.bib"))
    assert isinstance(big, Skipped)
    assert (str(big.source), big.reason) == ("a.bib:1 (big)", "an entry of more than 1 MiB")
    assert isinstance(small, Record)
    assert small.title == "B"


@pytest.mark.parametrize(
    ("encoding", "guess"), [("gb18030", "GB 18030"), ("utf-8", ""), ("utf-16", "")]
)
def test_chinese_encodings(write: Write, encoding: str, guess: str) -> None:
    text = "@misc{凯赛, title={图神经网络的采样方法}, journal={测试期刊}}\n"
    read = records(write(text.encode(encoding), "a.bib"))["凯赛"]
    assert (read.title, read.identifier) == ("图神经网络的采样方法", "凯赛")
    assert bool(read.warnings) == bool(guess)
    assert all(guess in warning for warning in read.warnings)


def test_western_letters_are_not_taken_for_chinese(write: Write) -> None:
    text = "@misc{a, title={Käfer, Müller, çà et là, élève}}\n"
    read = records(write(text.encode("cp1252"), "a.bib"))["a"]
    assert read.title == "Käfer, Müller, çà et là, élève"
    assert "Windows-1252" in read.warnings[0]
