"""JSON bibliographies: each source's fields, and what is said of all that is no record."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from kg.clean import clean_text
from kg.errors import KGError
from kg.model import Record, Skipped
from kg.readers import READERS, iter_records, json_stream, read_papers
from kg.readers.files import from_text
from kg.readers.json_stream import find_pieces
from kg.readers.jsonl import SOURCES
from kg.readers.markup import to_text

SHARED = Path(__file__).parents[2] / "shared"
FOLDERS = (
    "crossref_json",
    "csl_json",
    "openalex_json",
    "openreview_v1",
    "openreview_v2",
    "semanticscholar_json",
)


def read(value: object) -> list[Record | Skipped]:
    text = value if isinstance(value, str | bytes) else json.dumps(value)
    return list(READERS["jsonl"].read(from_text(text, "a.json")))


def record(value: object) -> Record:
    (found,) = read(value)
    assert isinstance(found, Record)
    return found


def reasons(value: object) -> list[tuple[int, str]]:
    return [(s.source.line, s.reason) for s in read(value) if isinstance(s, Skipped)]


# OpenAlex

WORK: dict[str, Any] = {
    "id": "https://openalex.org/W42",
    "doi": "https://doi.org/10.5555/moss.1",
    "title": "Moss on <i>Quercus</i> bark: CO<sub>2</sub> at night",
    "publication_year": 2019,
    "authorships": [
        {"author": {"display_name": "Ada Moth"}, "raw_author_name": "MOTH, A."},
        {"author": {"display_name": None}, "raw_author_name": "Ben Fly"},
    ],
    "primary_location": {
        "landing_page_url": "https://example.org/moss",
        "source": {"display_name": "Journal of Moss"},
    },
    "keywords": [{"keyword": "guessed by a machine", "score": 0.4}],
    "abstract_inverted_index": {"Moss": [0, 3], "likes": [1], "bark.": [2], "grows.": [4]},
}


def test_a_work_of_openalex() -> None:
    work = record(WORK)
    assert work.abstract == "Moss likes bark. Moss grows."
    assert clean_text(work.title) == "Moss on Quercus bark: CO2 at night"
    assert work.authors == ("Ada Moth", "Ben Fly")
    assert (work.year, work.venue) == (2019, "Journal of Moss")
    assert (work.identifier, work.url) == ("W42", "https://example.org/moss")
    assert work.keywords == ()
    assert work.warnings == ()


def test_a_cut_inverted_index_and_a_retraction_are_warned_of() -> None:
    work = record(WORK | {"abstract_inverted_index": {"Moss": [0, 9]}, "is_retracted": True})
    assert work.warnings == ("8 words are missing from the abstract", "retracted")


def test_a_page_of_openalex_and_its_snapshot_give_the_same() -> None:
    page = {"meta": {"count": 2}, "results": [WORK, WORK], "group_by": []}
    snapshot = "\n".join([json.dumps(WORK)] * 2)
    assert [r.abstract for r in map(record, [WORK])] * 2 == [
        r.abstract for r in read(page) if isinstance(r, Record)
    ]
    assert len(read(snapshot)) == 2


@pytest.mark.parametrize("index", [None, [], "x", {"a": "b"}, {"a": [None, "1"]}, {"a": 1}])
def test_an_inverted_index_that_is_none_gives_no_abstract(index: object) -> None:
    assert record(WORK | {"abstract_inverted_index": index}).abstract == ""


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1)))
def test_an_inverted_index_gives_back_its_text(words: list[str]) -> None:
    index: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        index.setdefault(word, []).append(place)
    found = record(WORK | {"abstract_inverted_index": index})
    assert found.abstract == " ".join(words)
    assert found.warnings == ()


# OpenReview


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_submission_of_either_version_of_openreview(wrapped: bool) -> None:
    content: dict[str, Any] = {
        "title": "Lanterns",
        "abstract": "We light lanterns.",
        "authors": ["Ada Moth", "Ben Fly"],
        "keywords": ["light", "night"],
        "venue": "DARK 2024 poster",
    }
    if wrapped:
        content = {name: {"value": value} for name, value in content.items()}
    note = {"id": "aB3", "forum": "aB3", "content": content, "readers": ["everyone"]}
    found = record({"notes": [note], "count": 1})
    assert (found.title, found.abstract) == ("Lanterns", "We light lanterns.")
    assert found.authors == ("Ada Moth", "Ben Fly")
    assert found.keywords == ("light", "night")
    assert (found.venue, found.year) == ("DARK 2024 poster", 2024)
    assert (found.identifier, found.url) == ("aB3", "https://openreview.net/forum?id=aB3")


@pytest.mark.parametrize(
    ("note", "venue", "year"),
    [
        (
            {"invitation": "Dark.cc/2018/Workshop/Bats/-/Submission"},
            "Dark 2018 Workshop Bats",
            2018,
        ),
        ({"invitations": ["Dark.cc/2021/Conference/-/Post"]}, "Dark 2021 Conference", 2021),
        ({"signatures": [], "pdate": 1600000000000, "cdate": 1}, "", 2020),
        ({"signatures": [], "cdate": 10**40}, "", None),
    ],
)
def test_where_a_note_without_a_venue_was_sent(
    note: dict[str, Any], venue: str, year: int | None
) -> None:
    found = record({"id": "x", "content": {"title": "T"}} | note)
    assert (found.venue, found.year) == (venue, year)


def test_reviews_comments_and_decisions_are_no_papers() -> None:
    review = {"id": "r", "forum": "x", "content": {"review": "Weak accept."}}
    comment = {"id": "c", "replyto": "r", "invitation": "i", "content": {"comment": "No."}}
    assert [reason for _, reason in reasons([review, comment])] == [
        "a review, comment or decision, no paper"
    ] * 2


def test_submissions_by_venue_and_what_hangs_on_them() -> None:
    note = {"id": "x", "forum": "x", "content": {"title": "T"}, "notes": [{"id": "r"}]}
    venues = [
        {"venue": "DARK", "submissions": [note, note]},
        {"venue": "D2", "submissions": [note]},
    ]
    assert [r.title for r in read(venues) if isinstance(r, Record)] == ["T"] * 3


# Semantic Scholar

S2 = {
    "paperId": "abc",
    "title": "Night trains",
    "abstract": "We ride them.",
    "authors": [{"authorId": "1", "name": "Ada Moth"}, {"authorId": None, "name": None}],
    "year": None,
    "publicationDate": "2020-05-01",
    "venue": "",
    "journal": {"name": "Rails"},
    "externalIds": {"DOI": "10.5555/t", "CorpusId": 5},
    "fieldsOfStudy": ["Engineering"],
}


@pytest.mark.parametrize(
    "answer",
    [
        S2,
        {"offset": 0, "data": [S2]},
        {"data": [{"contexts": [], "citedPaper": S2}]},
        {"data": [{"isInfluential": True, "citingPaper": S2}]},
        {"recommendedPapers": [S2]},
        [S2],
    ],
)
def test_a_paper_of_semantic_scholar(answer: object) -> None:
    found = record(answer)
    assert (found.identifier, found.title, found.abstract) == (
        "abc",
        "Night trains",
        "We ride them.",
    )
    assert found.authors == ("Ada Moth",)
    assert (found.year, found.venue, found.doi) == (2020, "Rails", "10.5555/t")
    assert found.keywords == ()


def test_papers_that_were_not_found_are_counted() -> None:
    assert reasons([None, S2, None]) == [(1, "a JSON null where an object should be")] * 2


# Crossref and CSL

CROSSREF: dict[str, Any] = {
    "DOI": "10.5555/fen",
    "indexed": {"date-parts": [[2024, 1, 1]]},
    "title": ["Peat", "Torf"],
    "subtitle": ["A history"],
    "container-title": ["Fen &amp; Bog"],
    "author": [
        {"given": "Ada", "family": "Moth", "suffix": "Jr."},
        {"name": "The Fen Group", "sequence": "additional"},
    ],
    "issued": {"date-parts": [[None]]},
    "published-online": {"date-parts": [[2021, 3]]},
    "subject": ["of the journal"],
    "abstract": "<jats:title>Abstract</jats:title><jats:sec><jats:title>Aims</jats:title>"
    "<jats:p>We dig <jats:italic>Sphagnum</jats:italic> at <mml:math><mml:msup><mml:mn>10</mml:mn>"
    "<mml:mn>2</mml:mn></mml:msup></mml:math> m &lt; 1&#176;.</jats:p></jats:sec>",
}


@pytest.mark.parametrize(
    "answer",
    [
        CROSSREF,
        {"status": "ok", "message-type": "work", "message": CROSSREF},
        {"status": "ok", "message": {"facets": {}, "items": [CROSSREF], "total-results": 1}},
        CROSSREF | {"title": "Peat", "container-title": "Fen & Bog"},
    ],
)
def test_a_work_of_crossref(answer: object) -> None:
    found = record(answer)
    assert found.title == "Peat: A history"
    assert found.authors == ("Ada Moth Jr.", "The Fen Group")
    assert (found.year, clean_text(found.venue)) == (2021, "Fen & Bog")
    assert found.doi == found.identifier == "10.5555/fen"
    assert clean_text(found.abstract) == "Aims: We dig Sphagnum at 10² m < 1°."
    assert found.keywords == ()


def test_csl_json() -> None:
    item = {
        "id": "vangogh1888",
        "type": "article-journal",
        "title": "Sunflowers",
        "author": [
            {"given": "Vincent", "non-dropping-particle": "van", "family": "Gogh"},
            {"literal": "Yellow House"},
        ],
        "issued": {"date-parts": [["1888", 8]]},
        "container-title": "Arles",
        "keyword": "yellow, blue",
        "abstract": "We paint.",
    }
    found = record([item])
    assert found.authors == ("Vincent van Gogh", "Yellow House")
    assert (found.year, found.venue, found.identifier) == (1888, "Arles", "vangogh1888")
    assert found.keywords == ("yellow", "blue")


@pytest.mark.parametrize(
    ("issued", "year"),
    [
        ({"raw": "May 2011"}, 2011),
        ({"literal": "circa 1920"}, 1920),
        ({"date-parts": [2024, 5]}, 2024),
        ("2016-05", 2016),
        ({"date-parts": []}, None),
        ({"date-parts": [[-44, 3]]}, None),
    ],
)
def test_dates_of_csl(issued: object, year: int | None) -> None:
    found = record({"title": "T", "container-title": "J", "issued": issued})
    assert found.year == year


def test_a_map_from_dois_to_items() -> None:
    item = {"title": "T", "container-title": "J"}
    assert len(read({"10.5555/a": [item], "10.5555/b": [item, item]})) == 3


# arXiv


def test_the_snapshot_of_arxiv() -> None:
    found = record(
        {
            "id": "0704.0001",
            "authors": "A. Moth and B. Fly",
            "authors_parsed": [["Moth", "Ada", ""], ["Fly", "Ben", "Jr", "Fen University"]],
            "title": "Light\n  on water",
            "abstract": "  We look at $a<b$ and $c>d$.\n",
            "versions": [{"version": "v1", "created": "Mon, 2 Apr 2007 19:18:42 GMT"}],
            "update_date": "2009-11-13",
            "categories": "math.CO",
            "journal-ref": None,
            "doi": None,
        }
    )
    assert found.authors == ("Ada Moth", "Ben Fly Jr")
    assert (found.year, found.venue, found.identifier) == (2007, "arXiv", "0704.0001")
    assert found.url == "https://arxiv.org/abs/0704.0001"
    assert clean_text(found.abstract) == "We look at a<b and c>d."


# Mark-up


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("we use <mask> tokens", "we use <mask> tokens"),
        ("<think>a</think> <b>bold</b>", "<think>a</think> bold"),
        ("if a<b and c>d", "if a<b and c>d"),
        ("<p>One.</p><p>Two.</p>", "One. Two."),
        ("x<sup>2</sup> and CO<sub>2</sub>", "x² and CO2"),
        ("<p>never closed", "never closed"),
        ("see <a href='https://example.org/x'>here</a>", "see here (https://example.org/x)"),
        (
            "<math><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mi>b</mi></mfrac></math>",
            "(a+1)/b",
        ),
        (
            "<math><mover><mi>x</mi><mo>^</mo></mover><mo>=</mo><msqrt><mn>2</mn></msqrt></math>",
            "x̂=√2",
        ),
        ("<math><msub><mi>x</mi></msub></math>", "x"),
        ("<!DOCTYPE x [<!ENTITY y 'z'>]><p>&y;</p>", "<!DOCTYPE x [<!ENTITY y 'z'>]> &y;"),
    ],
)
def test_markup_becomes_text(raw: str, text: str) -> None:
    assert clean_text(to_text(raw)) == text


@given(st.text("<>/&;ab p=sup\"'math", max_size=60))
def test_any_markup_is_read(raw: str) -> None:
    assert isinstance(to_text(raw), str)


# The stream


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[{"title":"A"},\n{"title":"B",}\n,{"title":"C"}]', [(2, "no JSON")]),
        ('[{"title":"A"},\n{"title":"B', [(2, "no JSON: Unterminated string")]),
        ('[{"title":"A"}\n', [(2, "the file ends before its list does")]),
        ('{"title":"A"}\n}\n{"title":"B"}', [(2, "no JSON")]),
        ('{"title":"A"}\nwell, well\n{"title":"B"}', [(2, "no JSON")]),
        (
            '{"title":"A"}\n"B"\n7\ntrue',
            [(2, "a JSON string"), (3, "a JSON num"), (4, "a JSON bool")],
        ),
        ('{"error": "not found"}', []),
        ('{"title": "T", "year": 1' + "0" * 5000 + "}", [(1, "no JSON that can be read")]),
    ],
)
def test_what_is_no_record_is_named_with_its_line(
    text: str, expected: list[tuple[int, str]]
) -> None:
    found = reasons(text)
    assert [line for line, _ in found] == [line for line, _ in expected]
    for (_, reason), (_, begin) in zip(found, expected, strict=True):
        assert reason.startswith(begin)


def test_a_broken_line_harms_no_other() -> None:
    lines = ['{"title": "A"', '{"title": "B"}', '{"title: "C"}', '{"title": "D"}']
    assert [r.title for r in read("\n".join(lines)) if isinstance(r, Record)] == ["B", "D"]


def test_a_record_with_lists_of_its_own_stays_one() -> None:
    found = record({"title": "T", "data": [{"x": 1}], "results": [{"title": "U"}]})
    assert found.title == "T"
    assert record({"items": ["a", "b"], "title": "T"}).title == "T"


def test_nan_and_control_characters_are_read() -> None:
    assert record('{"title": "A\tB", "year": NaN, "venue": Infinity}').title == "A\tB"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_encodings(encoding: str) -> None:
    text = '[\n{"title": "Über Öl"}\n]'
    assert record(text.encode(encoding)).title == "Über Öl"


def test_a_guessed_encoding_is_warned_of(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes('{"title": "Über Öl"}'.encode("cp1252"))
    (found,) = iter_records(path)
    assert isinstance(found, Record)
    assert found.warnings == ("1 line(s) are no UTF-8 and were read as Windows-1252",)


@given(data=st.data())
@settings(max_examples=60)
def test_the_size_of_the_chunks_changes_nothing(data: st.DataObject) -> None:
    values = st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
        max_leaves=12,
    )
    objects = data.draw(st.lists(st.dictionaries(st.text(max_size=6), values), max_size=6))
    indent = data.draw(st.sampled_from([None, 1]))
    cover = data.draw(st.sampled_from(["", "results", "message"]))
    value: object = {"n": 1, "items": objects} if cover == "message" else objects
    raw = json.dumps({cover: value} if cover else value, indent=indent).encode()
    size = data.draw(st.integers(1, 40))
    whole = list(find_pieces(io.BytesIO(raw)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_stream, "_CHUNK", size)
        assert list(find_pieces(io.BytesIO(raw))) == whole
    if objects:
        assert [json.loads(piece.raw) for piece in whole] == objects


class Endless(io.RawIOBase):
    """A file of a great many equal parts between a beginning and an end."""

    def __init__(self, begin: bytes, part: bytes, times: int, end: bytes) -> None:
        self._parts: Iterator[bytes] = iter((begin, *[part] * times, end))
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._rest = self._rest or next(self._parts, b"")
        size = min(len(buffer), len(self._rest))
        buffer[:size], self._rest = self._rest[:size], self._rest[size:]
        return size


@pytest.mark.parametrize(
    ("begin", "part", "end"),
    [
        (b'[{"title":"', b"x" * 1000, b'"},{"title":"B"}]'),
        (b'[{"title":[', b'{"x":"y"},' * 100, b'1]},{"title":"B"}]'),
        (b'{"title":"A"}\n{"title":"', b"x" * 1000, b'"}\n{"title":"B"}'),
        (b'{"title":"A"}\n{"' + b"x" * 2000, b"x" * 1000, b'":1}\n{"title":"B"}'),
    ],
)
def test_a_record_without_end_is_dropped_and_reading_goes_on(
    begin: bytes, part: bytes, end: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_stream, "LONGEST", 1 << 16)
    monkeypatch.setattr(json_stream, "_CHUNK", 1 << 12)
    found = list(find_pieces(io.BufferedReader(Endless(begin, part, 200, end))))
    assert [piece.reason for piece in found if piece.reason] == ["the record is larger than 16 MiB"]
    assert found[-1].raw == b'{"title":"B"}'


def test_a_line_may_hold_more_than_what_is_read_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "_CHUNK", 16)
    lines = b'{"title":"Elm"} {"title":"Ash"}\n{"title":"Oak"}\n'
    found = [
        (piece.line, json.loads(piece.raw)["title"]) for piece in find_pieces(io.BytesIO(lines))
    ]
    assert found == [(1, "Elm"), (1, "Ash"), (2, "Oak")]


@pytest.mark.parametrize("bracket", ["[", '{"a":', '[{"a":'])
def test_absurd_nesting_is_one_that_is_skipped(bracket: str) -> None:
    assert len(reasons(bracket * 50_000)) == 1


@pytest.mark.parametrize("field", ["title", "issued", "authors", "DOI", "versions", "content"])
@pytest.mark.parametrize(("begin", "end"), [("[", "]"), ('{"value":', "}"), ('{"raw":', "}")])
def test_values_that_are_nested_deeply_give_one_answer(field: str, begin: str, end: str) -> None:
    for depth in (200, 900):
        text = f'{{"paperId": 1, "{field}": {begin * depth}"x"{end * depth}}}'
        assert len(read(text)) == 1


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    sorted(WORK | S2 | CROSSREF | {"content": 0, "forum": 0, "authors_parsed": 0})
)


@given(st.lists(st.dictionaries(FIELDS, JSON_VALUES, max_size=8), max_size=4))
def test_any_values_give_one_answer_an_object(objects: list[dict[str, Any]]) -> None:
    for found in (read(objects), read("\n".join(map(json.dumps, objects)))):
        assert len(found) == len(objects)


@pytest.mark.parametrize("source", SOURCES)
@given(value=st.dictionaries(FIELDS, JSON_VALUES, max_size=8))
def test_every_source_reads_any_object_that_fits(source: str, value: dict[str, Any]) -> None:
    if SOURCES[source].fits(value):
        found = SOURCES[source].to_record(value, from_source())
        assert isinstance(found, Record | Skipped)


def from_source() -> Any:
    from kg.model import Source

    return Source("a.json", 1)


# Real files


def real_files() -> list[Path]:
    return [file for name in FOLDERS for file in sorted((SHARED / "formats" / name).glob("*"))]


@pytest.mark.shared
def test_the_account_of_every_real_file_adds_up(shared: Path) -> None:
    for path in real_files():
        records = list(iter_records(path))
        try:
            papers = read_papers(path)
        except KGError:
            assert not any(isinstance(r, Record) and r.abstract for r in records)
        else:
            assert papers.total == len(records)
            assert all(paper.title and "<" not in paper.title for paper in papers.papers)
