"""Bibliographies: what is written can be read again, by kg and by programs of others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import bibtexparser
import pytest
from hypothesis import given, settings, strategies as st
from typer.testing import CliRunner

from exports import WRITERS, OptionError, find_format
from exports.bibliography import to_bibtex, to_csl, to_ris
from exports.view import GraphView, PaperRecord, RunRecord
from kg.clean import clean_name, clean_text
from kg.cli import app
from kg.errors import KGError, UnknownNameError
from kg.graph import KnowledgeGraph
from kg.model import Paper, Skipped
from kg.pipeline import build
from kg.readers import iter_papers

FORMATS = ("bibtex", "ris", "csl")
FIELDS = ("id", "title", "abstract", "authors", "year", "venue", "doi", "url", "keywords")

FERN = PaperRecord(
    id="fern2021",
    label="FernNet",
    title="FernNet: Counting Ferns at 5% Cost & 2# Effort",
    abstract="We propose FernNet {v2}, which costs $5 at C:\\ferns and x_1^2 ~ 0. É, 蕨, 🌿.",
    authors=("Ada Moth", "Ludwig van Fern", "Martin King Jr.", "Moss and Lichen Group", "OpenFern"),
    year=2021,
    venue="Proceedings of the Workshop on Ferns & Mosses",
    url="https://example.org/fern_net?a=1&b=50%25#top",
    keywords=("fern counting", "R&D", "50% rule"),
)
MOSS = PaperRecord(
    id="10.1000/moss(1)_2",
    label="Moss",
    title="Moss in <i>Vitro</i>",
    abstract="We study moss.",
    authors=("Ada Moth",),
    year=2022,
    venue="Journal of Moss",
    doi="10.1000/moss(1)_2",
    also_known_as=("10.1000/other", "moth2022moss"),
)


class Shelf(GraphView):
    """A graph of papers alone."""

    def __init__(self, *papers: PaperRecord) -> None:
        super().__init__(None, RunRecord("https://example.org/"))
        self.shelved = papers

    def papers(self) -> Iterator[PaperRecord]:
        yield from sorted(self.shelved, key=lambda paper: paper.id)


def write(form: str, folder: Path, *papers: PaperRecord, **options: Any) -> Path:
    path = folder / f"papers.{WRITERS[form].suffix or form}"
    WRITERS[form](Shelf(*papers), path, **options)
    return path


def read(path: Path) -> list[Paper]:
    papers = list(iter_papers(path))
    assert not [paper for paper in papers if isinstance(paper, Skipped)]
    return [paper for paper in papers if isinstance(paper, Paper)]


def fields(paper: Paper | PaperRecord, *names: str) -> dict[str, Any]:
    return {name: getattr(paper, name) for name in names or FIELDS}


@pytest.mark.parametrize("form", FORMATS)
def test_the_demo_comes_back_as_the_same_papers(form: str, sample: KnowledgeGraph) -> None:
    assert sample.folder
    path = sample.write(sample.folder / f"out.{form}", to=form)
    found = {paper.id: fields(paper) for paper in read(path)}
    assert found == {paper.id: fields(paper) for paper in sample.papers()}


@pytest.mark.parametrize("form", FORMATS)
def test_hostile_signs_come_back_as_they_were(form: str, tmp_path: Path) -> None:
    cleaned = replace(FERN, abstract=clean_text(FERN.abstract))
    (back,) = read(write(form, tmp_path, cleaned))
    assert fields(back) == fields(cleaned)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("abstracts", ["evidence", "none"])
def test_abstracts_stay_out_where_they_are_not_published(
    form: str, abstracts: str, tmp_path: Path
) -> None:
    path = write(form, tmp_path, MOSS, abstracts=abstracts)
    assert "We study moss" not in path.read_text(encoding="utf-8")
    assert "We study moss" in write(form, tmp_path, MOSS).read_text(encoding="utf-8")


@pytest.mark.parametrize("form", FORMATS)
def test_a_format_refuses_options_that_it_has_not(form: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="abstracts"):
        write(form, tmp_path, MOSS, evidence="full")
    with pytest.raises(OptionError, match="full, evidence, none"):
        write(form, tmp_path, MOSS, abstracts="some")


@pytest.mark.parametrize("form", FORMATS)
def test_the_order_of_the_papers_changes_no_byte(form: str, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first, second = write(form, tmp_path / "a", FERN, MOSS), write(form, tmp_path / "b", MOSS, FERN)
    assert first.read_bytes() == second.read_bytes()


def test_bibtexparser_finds_every_entry_and_no_failure(tmp_path: Path) -> None:
    library = bibtexparser.parse_string(to_bibtex(Shelf(FERN, MOSS)))
    assert not library.failed_blocks
    assert [entry.entry_type for entry in library.entries] == ["article", "inproceedings"]
    assert library.entries_dict["moth2022moss"].fields_dict["doi"].value == MOSS.doi
    assert library.entries_dict["fern2021"].fields_dict["year"].value == "2021"


def test_bibtex_escapes_what_latex_would_take_for_its_own() -> None:
    text = to_bibtex(Shelf(replace(FERN, abstract="5% & #1_a $x^2~ {b \\c é")))
    assert r"5\% \& \#1\_a \$x\^{}2\textasciitilde{} $\lbrace$b $\backslash$c é" in text


def test_bibtex_has_unique_keys_whatever_the_case() -> None:
    twins = [replace(MOSS, id=f"10.1/{n}", doi=f"10.1/{n}", also_known_as=()) for n in range(3)]
    named = replace(FERN, id="MOTH2022MOSS")
    keys = re.findall(r"^@\w+\{(.*),$", to_bibtex(Shelf(*twins, named)), re.MULTILINE)
    assert keys == ["moth2022moss", "moth2022moss-2", "moth2022moss-3", "MOTH2022MOSS-4"]


@pytest.mark.parametrize(
    ("identifier", "key"),
    [
        ("a b,c{d}", "a-b-c-d"),
        ("arxiv:2101.00001", "arxiv:2101.00001"),
        ("étude~1", "etude-1"),
        ("蕨", "paper"),
        ("%", "paper"),
    ],
)
def test_a_key_has_only_signs_that_latex_takes(identifier: str, key: str) -> None:
    assert f"@misc{{{key}," in to_bibtex(Shelf(PaperRecord(identifier, "x", title="T")))


def test_bibtex_keeps_names_that_are_no_persons_whole() -> None:
    text = to_bibtex(Shelf(FERN))
    assert (
        "author = {Ada Moth and Ludwig van Fern and King, Jr., Martin "
        "and {Moss and Lichen Group} and OpenFern}"
    ) in text


def test_ris_has_a_line_a_tag_and_ends_each_record() -> None:
    broken = replace(FERN, abstract="One.\r\nER  - \nTY  - BOOK\n\nTwo.")
    lines = to_ris(Shelf(broken, MOSS)).split("\r\n")
    assert all(re.match(r"[A-Z][A-Z0-9]  - ", line) for line in lines if line)
    assert [line[:2] for line in lines].count("ER") == [line[:2] for line in lines].count("TY") == 2
    assert "AU  - van Fern, Ludwig" in lines
    assert "AU  - King, Martin, Jr." in lines
    assert "TY  - CPAPER" in lines


def test_rispy_reads_the_same_fields() -> None:
    rispy = pytest.importorskip("rispy", reason="an independent reader, where it is installed")
    moss, fern = rispy.loads(to_ris(Shelf(FERN, MOSS)).replace("\r\n", "\n"))
    assert (moss["doi"], moss["year"], moss["title"]) == (MOSS.doi, "2022", MOSS.title)
    assert fern["abstract"] == FERN.abstract
    assert fern["keywords"] == list(FERN.keywords)


def test_csl_is_json_with_names_in_parts() -> None:
    moss, fern = json.loads(json.dumps(to_csl(Shelf(FERN, MOSS))))
    assert moss["issued"] == {"date-parts": [[2022]]}
    assert (moss["type"], fern["type"]) == ("article-journal", "paper-conference")
    assert fern["author"] == [
        {"family": "Moth", "given": "Ada"},
        {"family": "van Fern", "given": "Ludwig"},
        {"family": "King", "given": "Martin", "suffix": "Jr."},
        {"literal": "Moss and Lichen Group"},
        {"literal": "OpenFern"},
    ]


def test_an_empty_graph_is_an_empty_file(tmp_path: Path) -> None:
    assert write("bibtex", tmp_path).read_bytes() == b""
    assert write("ris", tmp_path).read_bytes() == b""
    assert json.loads(write("csl", tmp_path).read_bytes()) == []


def test_the_ending_of_a_file_says_its_format() -> None:
    names = {"a.bib": "bibtex", "a.RIS": "ris", "a.html": "html", "a.json": "json", "a": ""}
    assert {name: find_format(Path(name)) for name in names} == names


texts = st.text(
    st.characters(exclude_categories=("Cs", "Cc", "Cn", "Co")), min_size=1, max_size=30
) | st.text("ab {}\\%&#_$^~<>@,;-\"'=\n", min_size=1, max_size=30)


@st.composite
def papers(draw: st.DrawFn) -> PaperRecord:
    """A paper with whatever text cleaning leaves."""
    return PaperRecord(
        id="p1",
        label="p",
        title=f"On {clean_text(draw(texts))}",
        abstract=f"We study {clean_text(draw(texts))}",
        authors=tuple(
            filter(None, (clean_name(draw(texts)) for _ in range(draw(st.integers(0, 3)))))
        ),
        year=draw(st.none() | st.integers(1900, 2030)),
        venue=clean_name(draw(texts)),
    )


@given(papers())
@settings(max_examples=200, deadline=None)
def test_no_text_breaks_an_entry_or_a_record(paper: PaperRecord) -> None:
    neighbours = [paper, replace(FERN, id="p0"), replace(MOSS, id="p2")]
    library = bibtexparser.parse_string(to_bibtex(Shelf(*neighbours)))
    assert not library.failed_blocks
    assert len(library.entries) == 3
    tags = [line[:2] for line in to_ris(Shelf(*neighbours)).split("\r\n")]
    assert tags.count("TY") == tags.count("ER") == 3


def read_text(text: str, folder: Path, name: str) -> Paper:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    (paper,) = read(path)
    return paper


@given(papers())
@settings(max_examples=100, deadline=None)
def test_cleaned_texts_come_back_from_every_format(
    tmp_path_factory: pytest.TempPathFactory, paper: PaperRecord
) -> None:
    folder = tmp_path_factory.getbasetemp()
    cleaned = replace(
        paper, title=clean_text(paper.title), abstract=clean_text(paper.abstract), authors=()
    )
    shelf = Shelf(cleaned)
    found = {
        "bibtex": read_text(to_bibtex(shelf), folder, "p.bib"),
        "ris": read_text(to_ris(shelf), folder, "p.ris"),
        "csl": read_text(json.dumps(to_csl(shelf)), folder, "p.json"),
    }
    wanted = fields(cleaned, "title", "abstract", "year")
    assert {name: fields(back, *wanted) for name, back in found.items()} == dict.fromkeys(
        found, wanted
    )


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory, words: Any) -> KnowledgeGraph:
    """The graph of the sample corpus, with the concepts that a few words are."""
    source = Path(__file__).parents[1] / "kg" / "data" / "sample.bib"
    names = words(method=["BERT", "LoRA", "transformer"], metric=["accuracy", "F1"])
    return build([source], tmp_path_factory.mktemp("shelf") / "atlas", using=[names])


def test_a_part_of_a_graph_holds_what_belongs_to_its_papers(sample: KnowledgeGraph) -> None:
    chosen = sample.papers(year=(2021, 2022))
    part = sample.subgraph(chosen)
    ids = {paper.id for paper in chosen}
    assert [paper.id for paper in part.papers()] == sorted(ids)
    assert {edge.paper for edge in part.edges()} <= ids
    assert all({link.source, link.target} <= ids for link in part.view.links())
    named = {edge.concept for edge in part.edges()}
    assert named <= {concept.id for concept in part.concepts()}
    for concept in part.concepts():
        assert part.frequency(concept) == len({e.paper for e in part.edges(concept=concept)})
    assert part.run["counts"]["papers"] == len(ids) < sample.run["counts"]["papers"]


def test_a_part_of_a_graph_can_be_written_in_every_format(
    sample: KnowledgeGraph, tmp_path: Path
) -> None:
    part = sample.subgraph(sample.papers(year=2021))
    for form in WRITERS:
        assert part.write(tmp_path / form / f"part.{form}", to=form).exists()


def test_a_selection_is_exported_by_the_command(
    sample: KnowledgeGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run = partial(CliRunner().invoke, app, catch_exceptions=False)
    done = run(
        ["export", str(sample.folder), "--about", "BERT", "--year", "2020-2030", "-o", "a.bib"]
    )
    assert done.exit_code == 0
    expected = {paper.title for paper in sample.papers(about="BERT", year=(2020, 2030))}
    assert {paper.title for paper in read(tmp_path / "a.bib")} == expected
    assert 0 < len(expected) < len(sample)
    assert run(["export", str(sample.folder), "--to", "csl"]).exit_code == 0
    assert len(read(tmp_path / "atlas.csl.json")) == len(sample)
    with pytest.raises(KGError, match="no paper fits"):
        run(["export", str(sample.folder), "--year", "1900", "--to", "ris"])


def test_a_part_of_unknown_papers_is_an_error(sample: KnowledgeGraph) -> None:
    with pytest.raises(UnknownNameError):
        sample.subgraph(["no such paper"])
