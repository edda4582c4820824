"""RIS, PubMed, Web of Science and EndNote files: tagged lines, as the sources write them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from kg.errors import KGError
from kg.model import Record, Skipped
from kg.readers import iter_records, read_papers

Write = Callable[..., Path]

MOTH = "Moths find lamps by the moon. We show that they prefer the lamps of physicists."
RIS = f"TY  - JOUR\nTI  - Moths and lamps\nAB  - {MOTH}\nER  - \n"
NBIB = f"PMID- 101\nTI  - Moths and lamps\nAB  - {MOTH}\n"
WOS = (
    f"FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nTI Moths and lamps\nAB {MOTH}\nER\n\nEF"
)
ENW = f"%0 Journal Article\n%T Moths and lamps\n%X {MOTH}\n"


def records(path: Path) -> list[Record]:
    found = list(iter_records(path))
    assert not [item for item in found if isinstance(item, Skipped)]
    return [item for item in found if isinstance(item, Record)]


@pytest.mark.parametrize(
    ("content", "name"),
    [(RIS, "a.ris"), (NBIB, "a.nbib"), (WOS, "a.ciw"), (ENW, "a.enw")],
    ids=["ris", "nbib", "wos", "enw"],
)
def test_the_format_is_told_by_content(write: Write, content: str, name: str) -> None:
    for path in (write(content, name), write(content, "a.txt"), write(content, "a")):
        (read,) = records(path)
        assert (read.title, read.abstract) == ("Moths and lamps", MOTH)


# RIS


def test_ris(write: Write) -> None:
    text = (
        "TY  - JOUR\r\nAU  - Moth, Ada\r\nAU  - King, Ben, Jr.\r\nT1  - Lamps\r\nJF  - J. of Lamps"
        f"\r\nPY  - 2021/05//\r\nN2  - {MOTH}\r\nKW  - moths\r\nKW  - lamps, old\r\n"
        "DO  - https://doi.org/10.1234/LAMP\r\nUR  - https://e.x/1\r\nID  - 77\r\nER  - \r\n"
    )
    (read,) = records(write(text, "a.ris"))
    assert read.authors == ("Ada Moth", "Ben King Jr.")
    assert (read.title, read.venue, read.year) == ("Lamps", "J. of Lamps", 2021)
    assert (read.abstract, read.keywords) == (MOTH, ("moths", "lamps, old"))
    assert (read.doi, read.url, read.identifier) == ("10.1234/LAMP", "https://e.x/1", "77")
    assert read.source.line == 1


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        (f"\ufeff{RIS}", ["Moths and lamps"]),
        (RIS.replace("ER  - \n", ""), ["Moths and lamps"]),
        (RIS.removesuffix(" \n"), ["Moths and lamps"]),
        (RIS.replace("ER  - \n", "") + RIS, ["Moths and lamps"] * 2),
        (f"1.\n{RIS}\n2.\n{RIS}", ["Moths and lamps"] * 2),
        (f"Record #1 of 1\nProvider: Press\n\n{RIS}\nLink: http://e.x\n", ["Moths and lamps"]),
        (RIS.replace("  - ", " - "), ["Moths and lamps"]),
        (RIS.replace("\n", "\n ").replace("\n ER", "\nER"), ["Moths and lamps"]),
        (RIS.replace("TY  - JOUR\n", "") + RIS, ["Moths and lamps"]),
        (RIS + RIS.replace("TY  - JOUR\n", ""), ["Moths and lamps"] * 2),
    ],
    ids=["bom", "no ER", "bare ER", "ER between", "numbers", "banner", "one blank", "indented",
         "no TY at the top", "no TY below"],
)  # fmt: skip
def test_no_ris_record_is_lost(write: Write, text: str, titles: list[str]) -> None:
    read = records(write(text, "a.ris"))
    assert [r.title for r in read][-len(titles) :] == titles
    assert {r.abstract for r in read} == {MOTH}


def test_a_record_that_is_not_closed_is_read_with_a_warning(write: Write) -> None:
    opened = RIS.replace("ER  - \n", "")
    first, last = records(write(opened + opened, "a.ris"))
    assert first.warnings == ("record not closed: no ER line",)
    assert last.warnings == ("last record not closed: no ER line",)


@pytest.mark.parametrize(
    "lines",
    [
        "AB  - Part one.\nAB  - Part two.\nSN  - 1\nSN  - 2\n",
        "AB  - Part one.\n  Part two.\nSN  - 1\n",
        "AB  - Part\none. Part\n\ntwo.\n",
        "N2  - Part one. Part two.\nAB  - \n",
    ],
    ids=["tag again", "indented", "wrapped", "N2"],
)
def test_an_abstract_of_several_lines_is_whole(write: Write, lines: str) -> None:
    (read,) = records(write(f"TY  - JOUR\nTI  - T\n{lines}ER  - \n", "a.ris"))
    assert read.abstract == "Part one. Part two."


@pytest.mark.parametrize(
    "text", ["UV - light kills", "ER then comes a line", "AI -based lamps", "X - ray"]
)
def test_a_line_that_only_resembles_a_tag_is_text(write: Write, text: str) -> None:
    (read,) = records(write(f"TY  - JOUR\nAB  - We show that\n{text} moths.\nER  -\n", "a.ris"))
    assert read.abstract == f"We show that {text} moths."


def test_words_for_what_is_missing_are_no_values(write: Write) -> None:
    text = (
        "TY  - JOUR\nTI  - Lamps\nAB  - None\nT2  - nan\nJO  - J\nPY  - null\nDA  - 2025\nER  -\n"
    )
    (read,) = records(write(text, "a.ris"))
    assert (read.abstract, read.venue, read.year) == ("", "J", 2025)


def test_keywords_below_one_tag_are_read_each(write: Write) -> None:
    text = "TY  - JOUR\nTI  - T\nKW  - moths\nlamps\nlight, blue\nER  -\n"
    assert records(write(text, "a.ris"))[0].keywords == ("moths", "lamps", "light, blue")
    text = "TY  - JOUR\nTI  - T\nKW  - moths; lamps; light, blue\nER  -\n"
    assert records(write(text, "a.ris"))[0].keywords == ("moths", "lamps", "light, blue")


def test_a_year_that_is_none_gives_way_to_one_that_is(write: Write) -> None:
    (read,) = records(write("TY  - JOUR\nTI  - T\nPY  - 10 15\nY1  - 2019/1/2\nER  -\n", "a.ris"))
    assert read.year == 2019


def test_an_empty_record_is_skipped_with_its_place(write: Write) -> None:
    read = read_papers(write(f"{RIS}TY  - JOUR\nID  - 9\nER  -\n", "a.ris"))
    (gone,) = read.skipped
    assert (gone.source.line, gone.source.record) == (5, "9")
    assert gone.reason == "no abstract and no title"


# PubMed


def test_nbib(write: Write) -> None:
    text = (
        "\nPMID- 101\nOWN - NLM\nDP  - 2020 Spring\nTI  - A title that goes\n      on.\n"
        f"LID - S01 [pii]\nLID - 10.1234/lamp.1 [doi]\nAB  - {MOTH}\nFAU - Moth, Ada Beth\n"
        "AU  - Moth AB\nCN  - Lamp Group\nJT  - Journal of lamps\nTA  - J Lamps\nMH  - Insecta\n"
        "OT  - moths\nOT  - lamps\n\nPMID- 102\nTI  - No abstract\nAU  - Fly B\n"
    )
    first, second = records(write(text, "a.nbib"))
    assert (first.identifier, first.doi, first.year) == ("pmid:101", "10.1234/lamp.1", 2020)
    assert (first.title, first.venue) == ("A title that goes on.", "Journal of lamps")
    assert (first.authors, first.keywords) == (("Ada Beth Moth",), ("moths", "lamps"))
    assert (second.source.line, second.source.record) == (19, "pmid:102")
    assert (second.title, second.abstract, second.authors) == ("No abstract", "", ("Fly B",))


def test_what_stands_between_pubmed_records_is_left(write: Write) -> None:
    text = f"{NBIB}\nThis page was saved by hand.\n\nPMID-102\nTI-\nBTI - A book\nAB  - Short.\n"
    first, second = records(write(text, "a.nbib"))
    assert first.abstract == MOTH
    assert (second.identifier, second.title, second.abstract) == ("pmid:102", "A book", "Short.")


def test_a_pubmed_record_without_its_first_line_is_read(write: Write) -> None:
    first, second = records(write(f"{NBIB}\nTI  - Lost\nAB  - Found.\n", "a.nbib"))
    assert (second.title, second.abstract) == ("Lost", "Found.")
    assert second.warnings == ("the record does not begin with PMID",)
    assert first.warnings == ()


# Web of Science


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_wos(write: Write, encoding: str) -> None:
    text = (
        "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nAU Moth, A\n   Fly, B\n"
        "AF Moth, Ada\n   Fly, Ben\nTI Lamps in a\n   long title\nSO JOURNAL OF LAMPS\n"
        "DE moths; lamp\n   light\nID PLUS WORDS\nAB We show\n   that moths\n   fly.\n"
        "C1 [Moth, A] Univ\nPY 2019\nDI 10.1234/w\nUT WOS:0001\nER\n\nPT C\nTI Second\nER\n\nEF\n"
    )
    first, second = records(write(text.encode(encoding), "savedrecs.txt"))
    assert first.authors == ("Ada Moth", "Ben Fly")
    assert (first.title, first.venue) == ("Lamps in a long title", "JOURNAL OF LAMPS")
    assert (first.abstract, first.keywords) == ("We show that moths fly.", ("moths", "lamp light"))
    assert (first.doi, first.identifier, first.year) == ("10.1234/w", "WOS:0001", 2019)
    assert (second.title, second.source.line) == ("Second", 23)


# EndNote


def test_enw(write: Write) -> None:
    text = (
        f"%0 Journal Article\n%T Lamps\n%A Moth, Ada\n%A Fly, Ben\n%D 2020\n%J J. of Lamps\n"
        f"%X {MOTH}\n\nWith a second paragraph.\n%K moths\n%K lamps\n%R doi:10.1234/e\n"
        "%U https://e.x\n\n%0 Book\n%T A book\n%B Series\n"
    )
    first, second = records(write(text, "a.enw"))
    assert first.abstract == f"{MOTH} With a second paragraph."
    assert (first.authors, first.keywords) == (("Ada Moth", "Ben Fly"), ("moths", "lamps"))
    assert (first.year, first.venue, first.doi) == (2020, "J. of Lamps", "10.1234/e")
    assert (second.title, second.venue, second.source.line) == ("A book", "Series", 15)


def test_refer_records_are_parted_by_blank_lines(write: Write) -> None:
    text = f"%A Moth, Ada\n%T One\n%X {MOTH}\n\n%A Fly, Ben\n%A Moth, Ada\n%T Two\n"
    one, two = records(write(text, "a.enw"))
    assert (one.title, one.authors, one.abstract) == ("One", ("Ada Moth",), MOTH)
    assert (two.title, two.authors) == ("Two", ("Ben Fly", "Ada Moth"))


# All of them


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    text=st.sampled_from([RIS * 2, NBIB + "\n" + NBIB, WOS, ENW * 2]),
    at=st.integers(0, 200),
    cut=st.integers(0, 30),
    junk=st.binary(max_size=8)
    | st.sampled_from([b"\nTY  - ", b"\nER  - ", b"\nPMID- ", b"\n%0 ", b"\nPT ", b"\n\n"]),
)
def test_damaged_files_are_accounted_for(
    tmp_path: Path, text: str, at: int, cut: int, junk: bytes
) -> None:
    path = tmp_path / "damaged.txt"
    path.write_bytes(text.encode()[:at] + junk + text.encode()[at + cut :])
    try:
        count = len(list(iter_records(path)))
        assert read_papers(path).total == count
    except KGError as error:
        assert "\n" not in str(error)
