"""Cleaned records are kept: nothing is cleaned twice, and nobody can tell by the result."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings, strategies as st

import kg
from kg.cleaned import Cleaned
from kg.errors import FolderError
from kg.model import Record, Skipped, Source
from kg.readers import Taken, take
from kg.sources import read_sources

RECORDS = [
    Record(
        Source("ferns.bib", 3, "ferns"),
        r"Abstract: We \emph{count} ferns. Code: https://github.com/fern/count.",
        title="Counting <i>ferns</i>",
        authors=(r"Ad{\`e}le Moss", "Ben Ivy"),
        year=2021,
        venue="Journal of \\&c.",
        doi="https://doi.org/10.1000/FERN",
        url="https://fern.example/1",
        keywords=("ferns", "{C}ounting", "ferns"),
        identifier="ferns",
    ),
    Record(Source("ferns.bib", 9, "moss"), "We weigh moss.", title="Moss", identifier="moss"),
    Record(Source("ferns.bib", 14), "Nous pesons la mousse et les fougères de la forêt du nord."),
]


def taken(folder: Path, records: Iterable[Record | Skipped] = RECORDS) -> list[Taken]:
    return list(Cleaned(folder).take(records))


def rows(folder: Path) -> pa.Table:
    return pq.read_table(folder / "cleaned.parquet")


def say(folder: Path, title: str, **metadata: str) -> None:
    """Write into what is kept that cleaning gives each record this title."""
    table = rows(folder)
    changes = pa.array([json.dumps({"title": title})] * len(table))
    table = table.set_column(1, table.schema.field("changes"), changes)
    schema = table.schema.with_metadata((table.schema.metadata or {}) | metadata)
    pq.write_table(table.cast(schema), folder / "cleaned.parquet")


def titles(found: Sequence[Taken]) -> list[str]:
    return [item.title for item, *_ in found if not isinstance(item, Skipped)]


texts = st.text(max_size=12) | st.sampled_from(
    ["", "We \\emph{walk}.", "\ud800a", "n/a", "A  B", "10.1000/X", "-\x07", "É", "&amp;"]
)
records = st.builds(
    Record,
    st.builds(Source, texts, st.integers(0, 9), texts),
    abstract=texts,
    title=texts,
    authors=st.lists(texts, max_size=2).map(tuple),
    year=st.none() | st.integers(1990, 1992),
    venue=texts,
    doi=texts,
    url=texts,
    keywords=st.lists(texts, max_size=2).map(tuple),
    identifier=texts,
    warnings=st.lists(texts, max_size=1).map(tuple),
)


@given(st.lists(records | st.builds(Skipped, st.builds(Source, texts), texts), max_size=6))
@settings(max_examples=150, deadline=None)  # files are written
def test_what_is_kept_comes_back_as_if_it_were_cleaned_again(
    tmp_path_factory: pytest.TempPathFactory, found: list[Record | Skipped]
) -> None:
    folder, anew = tmp_path_factory.mktemp("cache"), list(map(take, found))
    for _ in range(2):
        assert taken(folder, found) == anew
    assert taken(folder, found[::2]) == anew[::2]
    assert taken(folder, found) == anew


def test_a_record_that_is_kept_is_not_cleaned_again(tmp_path: Path) -> None:
    taken(tmp_path)
    say(tmp_path, "as it was kept")
    assert titles(taken(tmp_path)) == ["as it was kept"] * 3


def test_only_what_is_new_is_cleaned(tmp_path: Path) -> None:
    taken(tmp_path, RECORDS[1:])
    say(tmp_path, "as it was kept")
    assert titles(taken(tmp_path)) == ["Counting ferns", *["as it was kept"] * 2]


def test_other_rules_of_cleaning_clean_anew(tmp_path: Path) -> None:
    anew = taken(tmp_path)
    say(tmp_path, "as it was kept", rules="of another version")
    assert taken(tmp_path) == anew
    say(tmp_path, "kept again")
    assert titles(taken(tmp_path)) == ["kept again"] * 3


def test_place_and_year_are_those_of_the_file_of_today(tmp_path: Path) -> None:
    taken(tmp_path)
    say(tmp_path, "as it was kept")
    moved = replace(RECORDS[0], source=Source("moved.bib", 70, "ferns"), year=2024)
    (paper, *_), *_ = taken(tmp_path, [moved])
    assert isinstance(paper, kg.Paper)
    assert (paper.title, paper.year, paper.source.line) == ("as it was kept", 2024, 70)


def test_warnings_come_with_the_place_of_today(tmp_path: Path) -> None:
    odd = replace(RECORDS[0], warnings=("a line too much",))
    taken(tmp_path, [odd])
    moved = replace(odd, source=Source("moved.bib", 70))
    assert taken(tmp_path, [moved])[0].warnings == ("moved.bib:70: a line too much",)


FIELDS = ("abstract", "title", "venue", "doi", "url", "identifier")


@pytest.mark.parametrize("field", [*FIELDS, "authors", "keywords"])
def test_a_record_with_any_other_field_is_another(tmp_path: Path, field: str) -> None:
    taken(tmp_path)
    say(tmp_path, "as it was kept")
    new = "Anew" if field in FIELDS else ("Anew",)
    assert "as it was kept" not in titles(taken(tmp_path, [replace(RECORDS[0], **{field: new})]))


@given(records, st.permutations(FIELDS))
@settings(deadline=None)
def test_fields_that_change_places_make_another_record(
    tmp_path_factory: pytest.TempPathFactory, record: Record, names: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("cache")
    taken(folder, [record])
    turned = replace(
        record, **{new: getattr(record, old) for old, new in zip(FIELDS, names, strict=True)}
    )
    assert taken(folder, [turned]) == [take(turned)]


def test_a_record_that_is_gone_leaves_no_trace(tmp_path: Path) -> None:
    taken(tmp_path / "grown", RECORDS[:1])
    taken(tmp_path / "grown")
    taken(tmp_path / "grown", RECORDS[1:])
    taken(tmp_path / "fresh", RECORDS[1:])
    assert rows(tmp_path / "grown").equals(rows(tmp_path / "fresh"))
    taken(tmp_path / "grown", [])
    assert not len(rows(tmp_path / "grown"))


def test_where_nothing_is_new_nothing_is_written(tmp_path: Path) -> None:
    taken(tmp_path)
    os.utime(tmp_path / "cleaned.parquet", (1, 1))
    taken(tmp_path, [*RECORDS, RECORDS[0]])
    assert (tmp_path / "cleaned.parquet").stat().st_mtime == 1


def test_a_reading_that_stops_leaves_what_was_kept(tmp_path: Path) -> None:
    taken(tmp_path, RECORDS[:2])
    before = rows(tmp_path)
    reading = Cleaned(tmp_path).take(RECORDS[::-1])
    list(islice(reading, 2))
    reading.close()
    assert rows(tmp_path).equals(before)
    assert [path.name for path in tmp_path.iterdir()] == ["cleaned.parquet"]


@pytest.mark.parametrize("damage", ["empty", "cut", "torn", "turned", "no table"])
def test_a_file_that_is_damaged_is_made_again(tmp_path: Path, damage: str) -> None:
    anew, path = taken(tmp_path), tmp_path / "cleaned.parquet"
    whole = path.read_bytes()
    place = whole.index(b"\x28\xb5\x2f\xfd") + 20  # within what Zstandard has packed
    path.write_bytes(
        {
            "empty": b"",
            "cut": whole[: len(whole) // 2],
            "torn": whole[:place] + bytes(200) + whole[place + 200 :],
            "turned": whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :],
            "no table": b"PAR1 but no more than that PAR1",
        }[damage]
    )
    assert taken(tmp_path) == anew
    assert path.read_bytes() == whole


def test_what_another_program_keeps_there_is_made_again(tmp_path: Path) -> None:
    anew = taken(tmp_path)
    pq.write_table(pa.table({"record": ["a"]}), tmp_path / "cleaned.parquet")
    assert taken(tmp_path) == anew


def test_where_it_cannot_be_written_one_line_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(FolderError, match=r"^cannot write to .*file: "):
        taken(tmp_path / "file")


def write_lines(path: Path, numbers: Iterable[int]) -> Path:
    lines = (
        {"id": f"p{n}", "title": f"Fern {n}", "abstract": f"We water fern {n} with RidgeWalk."}
        for n in numbers
    )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_a_file_that_grew_shrank_or_changed_is_read_as_for_the_first_time(tmp_path: Path) -> None:
    path = tmp_path / "ferns.jsonl"
    for numbers in (range(9), range(12), range(3, 7), range(6, 0, -1), range(9)):
        write_lines(path, numbers)
        again = read_sources([str(path)], None, cache=tmp_path / "cache")
        assert again == read_sources([str(path)], None)
        assert len(rows(tmp_path / "cache")) == len(numbers)


def test_a_graph_built_again_with_more_papers_equals_one_built_from_nothing(
    tmp_path: Path, words
) -> None:
    path, using = tmp_path / "ferns.jsonl", [words(method=["RidgeWalk"])]
    kg.build(write_lines(path, range(8)), tmp_path / "grown", using=using)
    kg.build(write_lines(path, range(2, 11)), tmp_path / "grown", using=using)
    kg.build(path, tmp_path / "fresh", using=using)
    for fresh in (tmp_path / "fresh").glob("*.*"):
        if fresh.name != "run.json":
            assert (tmp_path / "grown" / fresh.name).read_bytes() == fresh.read_bytes(), fresh.name
    assert rows(tmp_path / "grown" / "cache").num_rows == 9
