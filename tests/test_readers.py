"""Readers: what each format gives, and that no record vanishes without a word."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from kg.errors import InputError, KGError, NothingFoundError
from kg.model import Record, Skipped
from kg.readers import READERS, Papers, iter_papers, iter_records, read_papers
from kg.readers.files import from_text

SHARED = Path(__file__).parents[2] / "shared"
shared = pytest.mark.skipif(not SHARED.exists(), reason="no real files beside the checkout")

RIDGE = (
    "We propose RidgeWalk, a sampler for graph neural networks that keeps the rare nodes of a "
    "graph. On three data sets it is as good as full training at a tenth of the cost."
)
LANTERN = (
    "Small language models forget what they were told early in a dialogue. Lantern writes notes "
    "for itself, and answers questions on long dialogues better than models twice its size."
)
FRENCH = (
    "Nous proposons une méthode pour l'analyse de dialogues longs. Elle écrit des notes pour "
    "elle-même et répond mieux aux questions que des modèles deux fois plus grands."
)
CHINESE = "本文提出了一种新的图神经网络采样方法，能够保留图中的稀有节点。实验表明该方法的效果良好。"

BIB = r"""
Some words before the first entry.
@string{conf = "Conference on Invented Methods"}
@inproceedings{ridge2021,
  author = {M{\"u}ller, J{\"o}rg and {The Ridge Team} and Ada Lovelace and others},
  title = {{R}idge{W}alk: {S}ampling {GNN}s},
  booktitle = conf # ", 2021",
  month = jul,
  year = 2021,
  abstract = {A mail to me@example.org, or LeQua @ {CLEF}, costs 5\% of \$3.},
  keywords = {graphs; sampling},
  doi = {https://doi.org/10.1234/RIDGE.1},
}
@online{note, title = "A web note", date = {2019-05-01}, journaltitle = {J. of Notes}}
@dataset{set, title = {A data set}, keywords = {one}, keywords = {two, three}}
@comment{ridge2021 is good}
"""

Write = Callable[..., Path]


def records(path: Path) -> list[Record]:
    found = list(iter_records(path))
    assert not [item for item in found if isinstance(item, Skipped)]
    return [item for item in found if isinstance(item, Record)]


def skipped(path: Path) -> list[tuple[int, str]]:
    return [(s.source.line, s.reason) for s in iter_records(path) if isinstance(s, Skipped)]


# Plain text


def test_a_heading_gives_venue_and_year_and_is_no_paper(write: Write) -> None:
    read = records(write(f"ICLR 2025 Papers\n\n{RIDGE}\n\n{LANTERN}\n"))
    assert [(r.abstract, r.venue, r.year, r.title) for r in read] == [
        (RIDGE, "ICLR", 2025, ""),
        (LANTERN, "ICLR", 2025, ""),
    ]
    assert [r.source.line for r in read] == [3, 5]


@pytest.mark.parametrize(
    ("heading", "venue", "year"),
    [
        ("NeurIPS 2024", "NeurIPS", 2024),
        ("Accepted papers of ACL 2023", "ACL", 2023),
        ("2022 Conference on Invented Methods", "Conference on Invented Methods", 2022),
        ("# Proceedings of ICML 2021", "ICML", 2021),
        ("2020 Papers", "", 2020),
    ],
)
def test_headings(write: Write, heading: str, venue: str, year: int) -> None:
    (read,) = records(write(f"{heading}\n\n{RIDGE}"))
    assert (read.venue, read.year) == (venue, year)


def test_a_heading_counts_until_the_next(write: Write) -> None:
    read = records(write(f"ACL 2023\n\n{RIDGE}\n\nICML 2024\n\n{LANTERN}"))
    assert [(r.venue, r.year) for r in read] == [("ACL", 2023), ("ICML", 2024)]


def test_a_heading_may_touch_its_paragraph(write: Write) -> None:
    (read,) = records(write(f"ACL 2023\n{RIDGE}"))
    assert (read.abstract, read.venue) == (RIDGE, "ACL")


def test_what_is_no_abstract_is_named(write: Write) -> None:
    path = write(f"Introduction\n\n{RIDGE}\n\nThis is short.\n")
    assert skipped(path) == [
        (1, "a heading without a year: 'Introduction'"),
        (5, "too short for an abstract (3 words)"),
    ]


def test_wrapped_lines_are_one_abstract(write: Write) -> None:
    (read,) = records(write(RIDGE.replace(" a ", "\na ")))
    assert read.abstract.replace("\n", " ") == RIDGE


def test_lines_that_are_whole_abstracts_are_read_each(write: Write) -> None:
    read = records(write(f"{RIDGE}\n{LANTERN}\n{RIDGE}\n"))
    assert [r.abstract for r in read] == [RIDGE, LANTERN, RIDGE]


def test_markdown_headings_are_titles_of_single_abstracts(write: Write) -> None:
    text = f"# ICLR 2025\n\n## RidgeWalk\n\n{RIDGE}\n\n"
    text += "## [Lantern](https://e.x/l)\n*A. Moth, B. Fly*\n\n"
    ridge, lantern = records(write(f"{text}{LANTERN}\n\nIt is public.\n", "papers.md"))
    assert (ridge.title, ridge.venue, ridge.year) == ("RidgeWalk", "ICLR", 2025)
    assert (lantern.title, lantern.url) == ("Lantern", "https://e.x/l")
    assert lantern.authors == ("A. Moth", "B. Fly")
    assert lantern.abstract == f"{LANTERN}\n\nIt is public."


def test_a_heading_over_several_abstracts_is_the_title_of_none(write: Write) -> None:
    path = write(f"## New papers\n\n{RIDGE}\n\n{LANTERN}\n\n## Empty\n")
    titles = [r.title for r in iter_records(path) if isinstance(r, Record)]
    assert titles == ["", ""]
    assert [line for line, _ in skipped(path)] == [1, 7]


def test_lines_with_labels_say_what_they_are(write: Write) -> None:
    text = (
        f"Title: Ridge\nwalks\nAuthors: Moth, Ada; Fly, Ben\nYear: 2021\nAbstract: {RIDGE}\n\n"
        f"Title: Lantern\nKeywords: notes, memory\n\nAbstract: {LANTERN}\n\nTitle: Alone\n"
    )
    ridge, lantern, alone = iter_records(write(text))
    assert isinstance(ridge, Record)
    assert isinstance(lantern, Record)
    assert (ridge.title, ridge.authors) == ("Ridge walks", ("Ada Moth", "Ben Fly"))
    assert (ridge.year, ridge.abstract) == (2021, RIDGE)
    assert (lantern.title, lantern.keywords) == ("Lantern", ("notes", "memory"))
    assert LANTERN in lantern.abstract
    assert isinstance(alone, Skipped)
    assert alone.reason == "a heading without an abstract: 'Alone'"


# BibTeX


def test_bibtex(write: Write) -> None:
    ridge, note, data = records(write(BIB, "papers.bib"))
    assert ridge.authors == (r"J{\"o}rg M{\"u}ller", "The Ridge Team", "Ada Lovelace")
    assert ridge.title == "RidgeWalk: Sampling GNNs"
    assert (ridge.venue, ridge.year) == ("Conference on Invented Methods, 2021", 2021)
    assert ridge.keywords == ("graphs", "sampling")
    assert (ridge.identifier, ridge.source.line) == ("ridge2021", 4)
    assert "LeQua @ CLEF" in ridge.abstract
    assert (note.title, note.year, note.venue) == ("A web note", 2019, "J. of Notes")
    assert (data.title, data.abstract, data.keywords) == ("A data set", "", ("one", "two", "three"))


def test_bibtex_becomes_papers(write: Write) -> None:
    paper = read_papers(write(BIB, "papers.bib")).papers[0]
    assert (paper.id, paper.authors[0]) == ("10.1234/ridge.1", "Jörg Müller")
    assert paper.abstract == "A mail to me@example.org, or LeQua @ CLEF, costs 5% of $3."
    assert paper.also_known_as == ("ridge2021",)


def test_a_key_used_twice_gives_two_papers_and_a_warning(write: Write) -> None:
    entry = "@article{{same, title={{{}}}, abstract={{{}}}}}\n"
    path = write(entry.format("One", RIDGE) + entry.format("Two", LANTERN), "papers.bib")
    read = read_papers(path)
    assert sorted(paper.title for paper in read.papers) == ["One", "Two"]
    assert read.warnings == ("papers.bib:2 (same): duplicate key 'same' at line 2",)


def test_a_broken_entry_harms_no_other(write: Write) -> None:
    broken = "@article{lost, title={Never closed\n\n"
    path = write(f"@misc{{a, title={{A}}}}\n{broken}@misc{{b, title={{B}}}}\n", "papers.bib")
    read = list(iter_records(path))
    assert [r.title for r in read if isinstance(r, Record)] == ["A", "B"]
    (gone,) = [r for r in read if isinstance(r, Skipped)]
    assert (gone.source.line, gone.source.record) == (2, "lost")
    assert gone.reason.startswith("broken BibTeX: ")


def test_a_forgotten_comma_is_named(write: Write) -> None:
    (read,) = records(write("@misc{a, title={A} year={2020}}", "papers.bib"))
    assert read.title == "A"
    assert "no comma after field 'title'" in read.warnings[0]


def test_the_log_of_the_parser_stays_off_the_screen(
    write: Write, capfd: pytest.CaptureFixture[str]
) -> None:
    list(iter_records(write("@article{a, title={Never closed\n", "papers.bib")))
    assert capfd.readouterr() == ("", "")


# JSON Lines


def test_json_lines(write: Write) -> None:
    rows = [
        {"id": 7, "title": "T", "abstract": RIDGE, "authors": [{"name": "A B"}, "C D"], "x": 1},
        {"paperId": "p", "text": LANTERN, "year": "2021-05-01", "journal": {"name": "J"}},
        {"title": "U", "abstract": "None", "venue": float("nan"), "keywords": "a; b", "doi": None},
        {"title": "V", "abstract_inverted_index": {"We": [0, 4], "prune": [1], "it;": [2, 5]}},
    ]
    read = records(write("\n".join(map(json.dumps, rows)), "papers.jsonl"))
    assert [r.identifier for r in read] == ["7", "p", "", ""]
    assert read[0].authors == ("A B", "C D")
    assert (read[1].abstract, read[1].year, read[1].venue) == (LANTERN, 2021, "J")
    assert (read[2].abstract, read[2].venue, read[2].keywords) == ("", "", ("a", "b"))
    assert read[3].abstract == "We prune it; We it;"


def test_bad_json_lines_are_named(write: Write) -> None:
    path = write('{"title": "A"}\n{broken\n\n[1]\nnull\n{"title": "B"}\n', "papers.jsonl")
    assert [line for line, _ in skipped(path)] == [2, 4, 5]
    assert skipped(path)[1] == (4, "a JSON array where an object should be")


@pytest.mark.parametrize("indent", [None, 2])
def test_a_json_array_is_read(write: Write, indent: int | None) -> None:
    rows = [{"title": "A", "abstract": RIDGE}, {"title": "B"}]
    assert [r.title for r in records(write(json.dumps(rows, indent=indent), "a.json"))] == [
        "A",
        "B",
    ]


def test_absurd_nesting_is_skipped(write: Write) -> None:
    assert len(skipped(write("[" * 100_000, "deep.json"))) == 1


# Files


@pytest.mark.parametrize("name", ["a.bib", "a.txt", "a", "a.jsonl"])
def test_the_format_is_found_by_content(write: Write, name: str) -> None:
    assert records(write("@misc{x, title={T}}", name))[0].identifier == "x"
    assert records(write('{"id": "y", "title": "T"}', name))[0].identifier == "y"


@pytest.mark.parametrize(
    "encoded",
    [
        f"ACL 2023\n\n{FRENCH}\n".encode(),
        f"ACL 2023\r\n\r\n{FRENCH}\r\n".encode(),
        f"ACL 2023\r\r{FRENCH}\r".encode(),
        f"ACL 2023\n\n{FRENCH}\n".encode("utf-8-sig"),
        f"ACL 2023\n\n{FRENCH}\n".encode("utf-16"),
        f"ACL 2023\n\n{FRENCH}\n".encode("latin-1"),
        gzip.compress(f"ACL 2023\n\n{FRENCH}\n".encode()),
    ],
    ids=["utf-8", "crlf", "cr", "bom", "utf-16", "latin-1", "gzip"],
)
def test_encodings_and_line_ends(write: Write, encoded: bytes) -> None:
    (read,) = records(write(encoded, "papers"))
    assert (read.abstract, read.venue, read.source.line) == (FRENCH, "ACL", 3)


def test_a_guessed_encoding_is_said(write: Write) -> None:
    (read,) = records(write(f"{FRENCH}\n".encode("latin-1")))
    assert read.warnings == ("1 line(s) are no UTF-8 and were read as Windows-1252",)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (bytes(range(256)), "no text"),
        (b"%PDF-1.7 and so on", "a PDF file"),
        (b"PK\x03\x04 and so on", "a zip archive"),
        (f"ACL 2023\n\n{RIDGE}".encode("utf-16-le"), "UTF-16 without a byte-order mark"),
        (b"\x1f\x8bno gzip at all", "cannot be read"),
    ],
)
def test_what_is_no_text_is_refused_in_one_line(write: Write, content: bytes, what: str) -> None:
    with pytest.raises(InputError, match=what) as caught:
        list(iter_records(write(content)))
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_an_empty_folder_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no file .*nowhere\.bib'; check the path"):
        list(iter_records(tmp_path / "nowhere.bib"))
    with pytest.raises(InputError, match="holds no file that is read"):
        list(iter_records(tmp_path))


@pytest.mark.parametrize("content", ["", " \n\n", "\ufeff"])
def test_an_empty_file_is_counted(write: Write, content: str) -> None:
    assert skipped(write(content)) == [(0, "the file is empty")]


def test_a_file_without_records_is_counted(write: Write) -> None:
    assert skipped(write('@string{a = "b"}', "a.bib")) == [(0, "no record found in the file")]


def test_a_damaged_gzip_file_gives_what_it_holds(write: Write) -> None:
    lines = b"".join(b'{"title": "%d"}\n' % n for n in range(50_000))
    read = list(iter_records(write(gzip.compress(lines)[:-2000], "papers.jsonl.gz")))
    assert len(read) > 1000
    assert isinstance(read[-1], Skipped)
    assert "cannot be read" in read[-1].reason


def test_folders_are_read_in_the_order_of_names(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("b.bib", "sub/a.bib", "a.bib.gz", ".hidden.bib", "picture.png"):
        entry = f"@misc{{{name}, title={{T}}}}".encode()
        (tmp_path / name).write_bytes(gzip.compress(entry) if name.endswith("gz") else entry)
    assert [r.identifier for r in records(tmp_path)] == ["a.bib.gz", "b.bib", "sub/a.bib"]


def test_a_binary_file_in_a_folder_is_skipped_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(bytes(range(256)))
    (tmp_path / "b.txt").write_text(RIDGE, encoding="utf-8")
    gone, read = iter_records(tmp_path)
    assert isinstance(gone, Skipped)
    assert isinstance(read, Record)


def test_readers_read_while_the_file_goes_on() -> None:
    file = from_text(f'{{"text": "{RIDGE}"}}\n' * 3 + "{" * 10)
    first = next(READERS["jsonl"].read(file))
    assert isinstance(first, Record)


# The account


def test_the_account_adds_up(write: Write) -> None:
    rows = [{"id": "a", "text": RIDGE}, {"id": "b", "text": RIDGE.upper()}, {"id": "c"}]
    read = read_papers(write("\n".join(map(json.dumps, rows)) + "\n{broken\n", "a.jsonl"))
    assert (len(read.papers), read.joined, len(read.skipped), read.total) == (1, 1, 2, 4)
    assert read.papers[0].also_known_as == ("b",)
    assert read.skipped[0].reason == "no abstract and no title"


def test_other_languages_are_kept_and_marked(write: Write) -> None:
    read = read_papers(write(f"{RIDGE}\n\n{FRENCH}\n\n{CHINESE}\n"))
    assert sorted(paper.language for paper in read.papers) == ["en", "fr", "zh"]


def test_a_long_abstract_is_read(write: Write) -> None:
    start = time.perf_counter()
    (paper,) = read_papers(write(f"ACL 2023\n\n{RIDGE * 7000}")).papers
    assert len(paper.abstract) > 1_000_000
    assert time.perf_counter() - start < 20


def test_no_paper_at_all_is_an_error_with_its_remedy(write: Write) -> None:
    with pytest.raises(NothingFoundError, match="no paper found in 1 records") as caught:
        read_papers(write("@misc{a, year={2020}}", "a.bib"))
    assert "\n" not in str(caught.value)


def test_titles_alone_are_papers(write: Write) -> None:
    (paper,) = read_papers(write("@misc{a, title={Only a title}}", "a.bib")).papers
    assert (paper.title, paper.abstract) == ("Only a title", "")


def test_streaming_gives_the_same_papers(write: Write) -> None:
    path = write(BIB, "papers.bib")
    assert {p.id for p in iter_papers(path)} == {p.id for p in read_papers(path).papers}


def test_the_order_of_files_changes_nothing(write: Write) -> None:
    paths = [write(BIB, "a.bib"), write(f"{RIDGE}\n\n{LANTERN}", "b.txt"), write(RIDGE, "c.txt")]
    assert read_papers(paths).papers == read_papers(paths[::-1]).papers


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(at=st.integers(0, len(BIB) - 1), junk=st.binary(max_size=6), cut=st.integers(0, 40))
def test_damaged_files_raise_nothing_of_others(
    tmp_path: Path, at: int, junk: bytes, cut: int
) -> None:
    path = tmp_path / "damaged.bib"
    path.write_bytes(BIB.encode()[:at] + junk + BIB.encode()[at + cut :])
    try:
        read = read_papers(path)
    except KGError:
        return
    assert isinstance(read, Papers)
    assert read.total == len(list(iter_records(path)))


# Real files


@pytest.mark.shared
@shared
def test_the_seeds_are_read_without_loss() -> None:
    read = read_papers(sorted((SHARED / "seeds").glob("*.txt")))
    assert (len(read.papers), read.joined, len(read.skipped)) == (38, 0, 0)
    assert {(p.venue, p.year, p.title, p.language) for p in read.papers} == {
        ("ICLR", 2025, "", "en")
    }


@pytest.mark.shared
@shared
@pytest.mark.parametrize("folder", ["bibtex", "bibtex_pmlr", "plain_text"])
def test_real_files_are_accounted_for(folder: str) -> None:
    for path in sorted((SHARED / "formats" / folder).iterdir()):
        count = len(list(iter_records(path)))
        try:
            assert read_papers(path).total == count
        except NothingFoundError:
            assert all(isinstance(item, Skipped) for item in iter_papers(path))


@pytest.mark.shared
@shared
@pytest.mark.parametrize("name", ["acl", "ml"])
def test_a_corpus_is_read_without_loss(name: str) -> None:
    path = SHARED / "corpora" / f"{name}.jsonl.gz"
    with gzip.open(path) as file:
        lines = sum(1 for _ in file)
    read = list(iter_records(path))
    assert len(read) == lines
    assert all(isinstance(record, Record) for record in read)
