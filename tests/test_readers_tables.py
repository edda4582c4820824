"""Tables: CSV, TSV and Excel workbooks, whatever their columns are called."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from openpyxl import Workbook

from kg.errors import InputError, KGError, OptionError
from kg.model import Record, Skipped
from kg.readers import iter_records, read_papers

Write = Callable[..., Path]

MOTH = "Moths find lamps by the moon, not by light; we show that they prefer old lamps."


def records(path: Path, **options: Any) -> list[Record]:
    found = list(iter_records(path, **options))
    assert not [item for item in found if isinstance(item, Skipped)]
    return [item for item in found if isinstance(item, Record)]


def skipped(path: Path) -> list[tuple[int, str]]:
    return [(s.source.line, s.reason) for s in iter_records(path) if isinstance(s, Skipped)]


def table(*rows: list[str], separator: str = ",") -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=separator).writerows(rows)
    return text.getvalue()


def workbook(*sheets: list[list[Any]]) -> bytes:
    book, content = Workbook(), io.BytesIO()
    book.remove(book.worksheets[0])
    for number, rows in enumerate(sheets, start=1):
        sheet = book.create_sheet(f"Sheet{number}")
        for row in rows:
            sheet.append(row)
    book.save(content)
    return content.getvalue()


HEADERS = {
    "Scopus": ("Title", "Abstract", "Author full names", "Year", "Source title", "Author Keywords",
               "DOI", "Link", "EID"),
    "IEEE": ("Document Title", "Abstract", "Authors", "Publication Year", "Publication Title",
             "Author Keywords", "DOI", "PDF Link", "id"),
    "Springer": ("Item Title", "Abstract", "Authors", "Publication Year", "Publication Title",
                 "Keywords", "Item DOI", "URL", "id"),
    "Lens": ("Title", "Abstract", "Author/s", "Publication Year", "Source Title", "Keywords", "DOI",
             "Source URLs", "Lens ID"),
    "Dimensions": ("Title", "Abstract", "Authors", "PubYear", "Source title", "Keywords", "DOI",
                   "Dimensions URL", "Publication ID"),
    "OpenAlex": ("display_name", "abstract", "authorships.author.display_name", "publication_year",
                 "primary_location.source.display_name", "keywords.display_name", "doi",
                 "primary_location.landing_page_url", "id"),
    "Web of Science": ("TI", "AB", "AF", "PY", "SO", "DE", "DI", "link", "UT"),
    "Web of Science, long": ("Article Title", "Abstract", "Author Full Names", "Publication Year",
                             "Source Title", "Author Keywords", "DOI", "DOI Link",
                             "UT (Unique WOS ID)"),
    "Zotero": ("Title", "Abstract Note", "Author", "Publication Year", "Publication Title",
               "Manual Tags", "DOI", "Url", "Key"),
    "ASReview": ("title", "abstract ", "authors", "year", "journal", "keywords", "doi", "url",
                 "id"),
}  # fmt: skip
ROW = ["Moths", MOTH, "Moth, Ada; Fly, Ben", "2021", "J. of Lamps", "moths; lamps", "10.1234/x",
       "https://e.x/1", "id1"]  # fmt: skip


@pytest.mark.parametrize("source", HEADERS)
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_columns_of_every_source_are_known(write: Write, source: str, separator: str) -> None:
    (read,) = records(write(table(list(HEADERS[source]), ROW, separator=separator), "export.csv"))
    assert (read.title, read.abstract, read.year) == ("Moths", MOTH, 2021)
    assert (read.authors, read.venue) == (("Ada Moth", "Ben Fly"), "J. of Lamps")
    assert (read.keywords, read.doi) == (("moths", "lamps"), "10.1234/x")
    assert (read.url, read.identifier, read.source.line) == ("https://e.x/1", "id1", 2)


@pytest.mark.parametrize("name", ["a.csv", "a.txt", "a"])
def test_a_table_is_told_by_its_header(write: Write, name: str) -> None:
    assert records(write(f"title,abstract\nMoths,{MOTH[:20]}\n", name))[0].title == "Moths"


def test_prose_is_no_table(write: Write) -> None:
    (read,) = records(write(f"Title, abstract and keywords, they say, matter.\n{MOTH}\n"))
    assert read.abstract.startswith("Title, abstract")


def test_what_stands_above_the_header_is_left(write: Write) -> None:
    text = '"About the data: exported, on a day"\n\nTitle,Abstract\nMoths,"A, b."\n'
    (read,) = records(write(text, "a.csv"))
    assert (read.title, read.abstract, read.source.line) == ("Moths", "A, b.", 4)


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("Moth A.; Fly B.", ("Moth A.", "Fly B.")),
        ("Moth A.B., Fly C.", ("Moth A.B.", "Fly C.")),
        ("Moth, Ada (572); Fly, Ben (573)", ("Ada Moth", "Ben Fly")),
        ("Ada Moth|Ben Fly", ("Ada Moth", "Ben Fly")),
        ("Ada Moth and Ben Fly", ("Ada Moth", "Ben Fly")),
        ("Moth, Ada", ("Ada Moth",)),
        ("['Moth, Ada', \"O'Fly, Ben\"]", ("Ada Moth", "Ben O'Fly")),
        ("", ()),
    ],
)
def test_names(write: Write, cell: str, names: tuple[str, ...]) -> None:
    path = write(table(["title", "authors"], ["T", cell]), "a.csv")
    assert records(path)[0].authors == names


def test_names_that_are_run_together_are_parted(write: Write) -> None:
    path = write("Item Title,Authors\nT,Ada R. MothBen McFlyRosa DeLamp\n", "springer.csv")
    assert records(path)[0].authors == ("Ada R. Moth", "Ben McFly", "Rosa DeLamp")


def test_commas_within_brackets_part_no_keywords(write: Write) -> None:
    path = write(table(["title", "keywords"], ["T", "cyst (diagnosis, surgery), lamp"]), "a.csv")
    assert records(path)[0].keywords == ("cyst (diagnosis, surgery)", "lamp")


def test_lines_and_quotes_in_a_cell(write: Write) -> None:
    rows = [["title", "abstract"], ['He said "no"', "Two\nlines\n\nand more."], ["B", "C"]]
    first, second = records(write(table(*rows), "a.csv"))
    assert (first.title, first.abstract) == ('He said "no"', "Two\nlines\n\nand more.")
    assert (second.title, second.source.line) == ("B", 6)


def test_a_quote_that_is_never_closed_costs_one_row(write: Write) -> None:
    text = 'title,abstract,year\nA,"lost,2019\n"B, b",b,2020\nC,"c",2021\nD,d,2022\n'
    path = write(text, "a.csv")
    assert [r.title for r in iter_records(path) if isinstance(r, Record)] == ["B, b", "C", "D"]
    assert skipped(path) == [(2, "a quote that is never closed")]
    assert read_papers(path).total == 4


def test_the_rest_of_a_torn_cell_is_no_record(write: Write) -> None:
    text = 'title,abstract,year\nA,"one\nand "two" more, and\nthree",2019\nB,b,2020\n'
    path = write(text, "a.csv")
    assert [r.title for r in iter_records(path) if isinstance(r, Record)] == ["B"]
    assert [line for line, _ in skipped(path)] == [2, 3, 4]


def test_a_quote_within_a_line_is_kept(write: Write) -> None:
    (read,) = records(write('title,abstract\nA 5" lamp,"The "old" lamp"\n', "a.csv"))
    assert read.title == 'A 5" lamp'
    assert "old" in read.abstract


def test_a_row_that_is_too_wide_is_read_with_a_warning(write: Write) -> None:
    (read,) = records(write("title,abstract,id\nA,b,c,d\n", "a.csv"))
    assert read.warnings == ("4 cells in a table of 3 columns",)
    assert (read.title, read.identifier) == ("A", "")


def test_rows_without_text_are_no_papers(write: Write) -> None:
    path = write(f"title,abstract,doi\nA,{MOTH[:30]},\n,,10.1/x\n  ,None,10.1/y\n,,\n", "a.csv")
    read = read_papers(path)
    assert [paper.title for paper in read.papers] == ["A"]
    assert [(s.source.line, s.reason) for s in read.skipped] == [
        (3, "no abstract and no title"),
        (4, "no abstract and no title"),
    ]


# Columns that a person names


def test_columns_may_be_named(write: Write) -> None:
    path = write("Titel,Inhalt,Jahr\nMotten,Lampen,2020\n", "a.csv")
    columns = {"title": "Titel", "abstract": "inhalt", "year": "Jahr"}
    (read,) = records(path, columns=columns)
    assert (read.title, read.abstract, read.year) == ("Motten", "Lampen", 2020)


def test_a_named_column_goes_before_one_that_is_known(write: Write) -> None:
    path = write("Title,Abstract,Summary of mine\nA,b,c\n", "a.csv")
    assert records(path, columns={"abstract": "Summary of mine"})[0].abstract == "c"


def test_a_table_without_known_columns_names_them_and_the_remedy(write: Write) -> None:
    with pytest.raises(InputError, match=r"it has 'Titel', 'Inhalt'; name them: --map title="):
        records(write("Titel,Inhalt\nA,b\n", "a.csv"))


def test_a_named_column_that_is_missing_is_an_error(write: Write) -> None:
    with pytest.raises(InputError, match=r"a\.csv has no column 'TI'; it has 'Titel', 'Inhalt'"):
        records(write("Titel,Inhalt\nA,b\n", "a.csv"), columns={"title": "TI"})


def test_a_field_that_there_is_not_is_an_error(write: Write) -> None:
    with pytest.raises(OptionError, match="no field 'titel'; it knows title, abstract"):
        records(write("A,B\n", "a.csv"), columns={"titel": "A"})


# Workbooks


def test_a_workbook_is_read(write: Write) -> None:
    rows = [["Exported"], [], list(HEADERS["Dimensions"]), [*ROW[:3], 2021, *ROW[4:]], [None] * 9]
    path = write(workbook(rows, [["Notes"], ["none"]], [["title"], ["B"]]), "a.xlsx")
    first, second, notes = iter_records(path)
    assert isinstance(first, Record)
    assert (first.title, first.abstract, first.year) == ("Moths", MOTH, 2021)
    assert (str(first.source), first.authors) == ("a.xlsx/Sheet1:4 (id1)", ("Ada Moth", "Ben Fly"))
    assert isinstance(second, Record)
    assert (second.title, second.source.file) == ("B", "a.xlsx/Sheet3")
    assert isinstance(notes, Skipped)
    assert (notes.source.file, notes.reason) == (
        "a.xlsx/Sheet2",
        "a sheet without titles or abstracts",
    )


def test_a_workbook_is_told_by_its_content(write: Write) -> None:
    assert records(write(workbook([["title"], ["A"]]), "a.csv"))[0].title == "A"


def test_columns_of_a_workbook_may_be_named(write: Write) -> None:
    path = write(workbook([["Titel", "Jahr"], ["A", 2020.0]]), "a.xlsx")
    (read,) = records(path, columns={"title": "Titel", "year": "Jahr"})
    assert (read.title, read.year) == ("A", 2020)
    with pytest.raises(InputError, match="it has 'Titel', 'Jahr'; name them"):
        records(path)


@pytest.mark.parametrize("cut", [300, 2000, 4000])
def test_a_damaged_workbook_is_an_error_of_one_line(write: Write, cut: int) -> None:
    content = workbook([["title"], ["A"]])
    with pytest.raises(InputError) as caught:
        records(write(content[:cut] + content[cut + 50 :], "a.xlsx"))
    assert "\n" not in str(caught.value)


# All of them

CELLS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=30)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(rows=st.lists(st.tuples(CELLS, CELLS), max_size=6), separator=st.sampled_from(",;\t|"))
def test_what_is_written_is_read(
    tmp_path: Path, rows: list[tuple[str, str]], separator: str
) -> None:
    path = tmp_path / "a.csv"
    text = table(["title", "abstract"], *map(list, rows), separator=separator)
    path.write_text(text, encoding="utf-8", newline="")
    missing = ("", "none", "nan", "null")
    said = [[cell.strip() if cell.strip().lower() not in missing else "" for cell in row]
            for row in rows if any(cell.strip() for cell in row)]  # fmt: skip
    read = [item for item in iter_records(path) if isinstance(item, Record)]
    assert [[item.title, item.abstract] for item in read] == said


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(at=st.integers(0, 250), cut=st.integers(0, 20), junk=st.binary(max_size=6))
def test_damaged_tables_are_accounted_for(tmp_path: Path, at: int, cut: int, junk: bytes) -> None:
    path = tmp_path / "a.csv"
    text = table(list(HEADERS["Scopus"]), ROW, ROW).encode()
    path.write_bytes(text[:at] + junk + text[at + cut :])
    try:
        assert read_papers(path).total == len(list(iter_records(path)))
    except KGError as error:
        assert "\n" not in str(error)
