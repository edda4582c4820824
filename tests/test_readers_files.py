"""Files: archives, compression, patterns, pipes, limits; and that nothing goes unsaid."""

from __future__ import annotations

import bz2
import gzip
import io
import sys
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from kg.errors import InputError, NothingFoundError
from kg.model import Record, Skipped
from kg.readers import READERS, containers, files, iter_papers, iter_records, read_papers
from kg.readers.files import from_text

Write = Callable[..., Path]

SHARED = Path(__file__).parents[2] / "shared" / "formats"
MOTH = "Moths find lamps by the moon. We show that they prefer the lamps of physicists."
RIS = f"TY  - JOUR\nTI  - Moths\nAB  - {MOTH}\nER  - \n"
BIB = "@misc{a, title={Lamps}}\n"


def records(path: Path | str) -> list[Record]:
    found = list(iter_records(path))
    assert not [item for item in found if isinstance(item, Skipped)]
    return [item for item in found if isinstance(item, Record)]


def skipped(path: Path) -> dict[str, str]:
    return {str(s.source): s.reason for s in iter_records(path) if isinstance(s, Skipped)}


def zstd(content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return bytes(sink.getvalue().to_pybytes())


def zipped(members: dict[str, str | bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, member in members.items():
            archive.writestr(name, member)
    return content.getvalue()


# Compressed files


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, zstd], ids=["gz", "bz2", "zst"])
@pytest.mark.parametrize("name", ["a.ris.gz", "a.ris.zst", "a"])
def test_compressed_files_are_told_by_content(
    write: Write, pack: Callable[[bytes], bytes], name: str
) -> None:
    (read,) = records(write(pack(RIS.encode()), name))
    assert (read.title, read.source.file, read.source.line) == ("Moths", name, 1)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, zstd], ids=["gz", "bz2", "zst"])
def test_two_compressed_parts_are_one_file(write: Write, pack: Callable[[bytes], bytes]) -> None:
    assert len(records(write(pack(RIS.encode()) + pack(RIS.encode()), "a.gz"))) == 2


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, zstd], ids=["gz", "bz2", "zst"])
def test_a_file_that_breaks_off_gives_what_it_holds(
    write: Write, pack: Callable[[bytes], bytes]
) -> None:
    text = "".join(f"PMID- {n}\nTI  - T{n * 2654435761}\n\n" for n in range(40_000)).encode()
    read = list(iter_records(write(pack(text)[:-5000], "a.nbib.gz")))
    assert len(read) > 1000
    assert isinstance(read[-1], Skipped)
    assert read[-1].reason.startswith("the rest of the file cannot be read: ")


# Archives


def test_a_zip_archive_is_read_as_a_folder_is(write: Write) -> None:
    content = zipped(
        {"b.bib": BIB, "sub/a.ris": RIS, "a.png": b"\x89PNG", ".a.bib": BIB, "__MACOSX/a.bib": BIB}
    )
    read = records(write(content, "all.zip"))
    assert [str(r.source) for r in read] == ["all.zip/b.bib:1 (a)", "all.zip/sub/a.ris:1"]


def test_what_cannot_be_read_in_an_archive_is_named(write: Write) -> None:
    content = zipped(
        {
            "a.bib": BIB,
            "b.ris.gz": gzip.compress(RIS.encode()),
            "c.zip": zipped({"a.bib": BIB}),
            "d.txt": bytes(range(256)),
        }
    )
    path = write(content, "all.zip")
    assert skipped(path) == {
        "all.zip/b.ris.gz": "an archive in an archive; unpack it first",
        "all.zip/c.zip": "an archive in an archive; unpack it first",
        "all.zip/d.txt": "'all.zip/d.txt' is no text; export text, BibTeX, RIS or CSV",
    }
    assert len(list(iter_records(path))) == 4


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (zipped({"a.png": b"\x89PNG"}), r"'a\.zip' holds no file that is read"),
        (zipped({"[Content_Types].xml": "<x/>", "word/a.xml": "<x/>"}), "office document"),
        (zipped({"mimetype": "application/epub+zip"}), "an office document or e-book"),
        (zipped({"a.bib": BIB})[:40], "a zip archive that cannot be read"),
        (gzip.compress(zipped({"a.bib": BIB})), "an archive in an archive"),
        (gzip.compress(gzip.compress(BIB.encode())), "an archive in an archive"),
        (bytes(257) + b"ustar" + bytes(300), "a tar archive; unpack it first"),
        (b"\xfd7zXZ\x00 and so on", "an xz file; unpack it first"),
        (b"\xd0\xcf\x11\xe0 and so on", "save it as .xlsx"),
    ],
)
def test_what_is_no_archive_of_texts_is_refused(write: Write, content: bytes, what: str) -> None:
    with pytest.raises(InputError, match=what) as caught:
        list(iter_records(write(content, "a.zip")))
    assert "\n" not in str(caught.value)


def test_a_member_with_a_password_is_named(write: Write) -> None:
    content = bytearray(zipped({"a.bib": BIB, "b.bib": BIB}))
    for header, flag in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.find(header) + flag] |= 1
    path = write(bytes(content), "all.zip")
    ((place, reason),) = skipped(path).items()
    assert (place, "password" in reason) == ("all.zip/a.bib", True)


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, zstd], ids=["gz", "bz2", "zst"])
def test_a_bomb_is_left_where_it_shows(
    write: Write, pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(containers, "_FREE", 1 << 17)
    path = write(pack(RIS.encode() + b"\n" * (1 << 20)), "bomb.ris.gz")
    read, bomb = iter_records(path)
    assert isinstance(read, Record)
    assert isinstance(bomb, Skipped)
    assert "it unpacks to more than 200 times its size" in bomb.reason


def test_an_archive_that_is_a_bomb_is_refused(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(containers, "_FREE", 1 << 17)
    with pytest.raises(InputError, match="unpacks to more than 200 times its size"):
        list(iter_records(write(zipped({"a.bib": b"\n" * (1 << 20)}), "bomb.zip")))


def test_honest_text_is_no_bomb(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containers, "_FREE", 1 << 10)
    text = "".join(f"@misc{{k{n}, title={{T}}}}\n" for n in range(2000))
    assert len(records(write(gzip.compress(text.encode()), "a.bib.gz"))) == 2000


# Folders, patterns, pipes


def test_patterns_are_expanded(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    for name in ("b.bib", "a.bib", "c.ris", "sub/d.bib"):
        text = RIS if name.endswith("ris") else f"@misc{{{name}, title={{T}}}}"
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert [r.identifier for r in records(f"{tmp_path}/*.bib")] == ["a.bib", "b.bib"]
    assert len(records(f"{tmp_path}/**/*.bib")) == 3
    with pytest.raises(InputError, match=r"no file matches .*\*\.enw"):
        records(f"{tmp_path}/*.enw")


def test_a_name_that_looks_like_a_pattern_is_a_name_first(write: Write) -> None:
    assert records(write(BIB, "lamps [2020].bib"))[0].title == "Lamps"


def test_a_folder_gives_all_formats_and_no_graph_that_was_built(tmp_path: Path) -> None:
    (tmp_path / "atlas").mkdir()
    for name in ("run.json", "papers.parquet"):
        (tmp_path / "atlas" / name).write_text("{}", encoding="utf-8")
    (tmp_path / "a.ris").write_text(RIS, encoding="utf-8")
    (tmp_path / "b.zip").write_bytes(zipped({"c.bib": BIB}))
    (tmp_path / "d.csv.bz2").write_bytes(bz2.compress(b"title,year\nT,2020\n"))
    assert [r.title for r in records(tmp_path)] == ["Moths", "Lamps", "T"]


@pytest.mark.parametrize(
    "content",
    [RIS.encode(), gzip.compress(RIS.encode()), zipped({"a.ris": RIS})],
    ids=["ris", "gzip", "zip"],
)
def test_the_standard_input_is_read(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    with io.TextIOWrapper(io.BytesIO(content)) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        (read,) = records("-")
    assert read.title == "Moths"
    assert read.source.file.startswith("standard input")


# Limits


def test_a_line_that_is_too_long_is_left_and_named(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LONGEST", 1000)
    text = RIS + RIS.replace(MOTH, "x" * 5000) + RIS
    for encoding in ("utf-8", "utf-16"):
        path = write(text.encode(encoding), "a.ris")
        found = [r for r in iter_records(path) if isinstance(r, Record)]
        assert [(r.abstract, r.source.line) for r in found] == [(MOTH, 1), ("", 5), (MOTH, 9)]
        assert list(skipped(path)) == ["a.ris:7"]


def test_an_abstract_as_long_as_a_book_is_none(write: Write) -> None:
    path = write(RIS.replace(MOTH, MOTH * 30_000), "a.ris")
    assert skipped(path) == {"a.ris:1": "an abstract of 2,370,000 characters"}


@pytest.mark.parametrize(
    ("form", "record"),
    [
        ("ris", RIS),
        ("nbib", f"PMID- 1\nTI  - T\nAB  - {MOTH}\n\n"),
        ("wos", f"PT J\nTI T\nAB {MOTH}\nER\n\n"),
        ("endnote", f"%0 Book\n%T T\n%X {MOTH}\n\n"),
        ("bibtex", f"@misc{{a, title={{T}}, abstract={{{MOTH}}}}}\n"),
        ("csv", f"T,{MOTH}\n"),
        ("text", f"{MOTH} {MOTH}\n\n"),
    ],
)
def test_memory_does_not_grow_with_the_number_of_records(form: str, record: str) -> None:
    head = "title,abstract\n" if form == "csv" else ""

    def peak(count: int) -> int:
        file = from_text(head + record * count)
        next(iter(READERS[form].read(from_text(head + record))))
        tracemalloc.start()
        try:
            assert sum(1 for _ in READERS[form].read(file)) == count
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    few, many = peak(200), peak(2000)
    assert many < few + 200_000


# The account


def test_strict_makes_what_is_skipped_an_error(write: Write) -> None:
    path = write(f"{RIS}TY  - JOUR\nID  - 7\nER  - \n", "a.ris")
    assert len(read_papers(path).skipped) == 1
    with pytest.raises(InputError, match=r"a\.ris:5 \(7\): no abstract and no title; without --st"):
        read_papers(path, strict=True)
    broken = write("@misc{a, title={A\n", "a.bib")
    with pytest.raises(InputError, match=r"a\.bib:1 \(a\): broken BibTeX"):
        list(iter_records(broken, strict=True))


def test_strict_says_nothing_of_what_is_whole(write: Write) -> None:
    assert len(read_papers(write(RIS, "a.ris"), strict=True).papers) == 1


def _shared_files() -> Iterator[Path]:
    return (file for file in sorted(SHARED.rglob("*")) if file.is_file())


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="no real files beside the checkout")
def test_every_real_file_is_accounted_for() -> None:
    for path in _shared_files():
        count = len(list(iter_records(path)))
        try:
            assert read_papers(path).total == count, path
        except NothingFoundError:
            assert all(isinstance(item, Skipped) for item in iter_papers(path))


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="no real files beside the checkout")
@pytest.mark.parametrize(
    ("folder", "begin"),
    [("ris", "TY  -"), ("pubmed_nbib", "PMID"), ("wos_plain", "PT "), ("endnote", "%0")],
)
def test_no_real_record_is_lost(folder: str, begin: str) -> None:
    for path in (SHARED / folder).glob("*[!l]"):
        text = path.read_text(encoding="utf-8-sig").replace("\r", "\n")
        begun = sum(line.startswith(begin) for line in text.split("\n"))
        stray = [
            r for r in iter_records(path) if isinstance(r, Record) and "begin" in str(r.warnings)
        ]
        assert len(list(iter_records(path))) == begun + len(stray), path
