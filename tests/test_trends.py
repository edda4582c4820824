"""Trends: shares by year are counts, and only what chance does not explain is told."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from typer.testing import CliRunner

import kg
from kg.cli import app
from kg.model import Evidence
from kg.trends import MIN_PAPERS, Trend, find_trends


def edge(paper: str, concept: str) -> Evidence:
    return Evidence(
        paper, concept, "uses", "abstract", 0, 1, concept, concept, 0, 1.0, "words", "1"
    )


def trend(named: list[int], totals: list[int], first: int = 2018) -> Trend:
    """Return the trend of a concept that so many of so many papers name, year by year."""
    years = {f"{first + i}-{n}": first + i for i, total in enumerate(totals) for n in range(total)}
    edges = [edge(f"{first + i}-{n}", "x") for i, count in enumerate(named) for n in range(count)]
    (found,) = find_trends(years, edges)
    return found


def test_shares_are_counts_of_the_papers_of_each_year() -> None:
    found = trend([1, 0, 3], [4, 5, 6])
    assert [(s.year, s.papers, s.total) for s in found.shares] == [
        (2018, 1, 4), (2019, 0, 5), (2020, 3, 6)
    ]  # fmt: skip
    assert [s.share for s in found.shares] == [0.25, 0.0, 0.5]
    assert found.papers == 4


@pytest.mark.parametrize(
    ("named", "direction"),
    [
        ([1, 4, 9, 16], "rising"),
        ([16, 9, 4, 1], "falling"),
        ([8, 8, 8, 8], "steady"),
        ([2, 12, 1, 15], "steady"),  # it scatters
    ],
)
def test_a_share_rises_falls_or_stays(named: list[int], direction: str) -> None:
    assert trend(named, [40] * 4).direction == direction


def test_more_papers_of_a_growing_corpus_are_no_trend() -> None:
    assert trend([5, 10, 20, 40], [50, 100, 200, 400]).direction == "steady"


@pytest.mark.parametrize("named", [[0, 0, 3], [0, 0, MIN_PAPERS - 1]])
def test_three_papers_are_no_trend_however_they_lie(named: list[int]) -> None:
    found = trend(named, [500, 500, 10])
    assert (found.direction, found.z, found.q) == ("steady", 0, 1)


def test_two_years_are_no_trend() -> None:
    assert trend([0, 50], [100, 100]).direction == "steady"


def test_the_slope_is_the_change_of_the_share_in_a_year() -> None:
    assert trend([10, 20, 30], [100, 100, 100]).slope == pytest.approx(0.1)


def test_the_statistic_is_that_of_cochran_and_armitage() -> None:
    """By hand: 8, 16, 24 of 100 each; T = 16, variance N/(N-1) * p(1-p) * sum n (t - mean)^2."""
    p, spread = 48 / 300, 200
    expected = (16 - 0.5) / np.sqrt(p * (1 - p) * spread * 300 / 299)
    assert trend([8, 16, 24], [100, 100, 100]).z == pytest.approx(expected, abs=1e-6)


def test_where_years_are_dealt_by_chance_hardly_anything_is_told() -> None:
    rng = random.Random(5)
    years = {f"p{i}": 2015 + rng.choice([0, 1, 2, 2, 3, 3, 3, 4, 5, 6]) for i in range(1500)}
    edges = [
        edge(f"p{i}", f"c{c}") for c in range(300) for i in rng.sample(range(1500), 8 + c // 3)
    ]
    assert sum(found.direction != "steady" for found in find_trends(years, edges)) <= 1


def test_papers_without_a_year_and_before_the_first_do_not_count() -> None:
    years = {"a": None, "b": 1999, "c": 2020, "d": 2021}
    (found,) = find_trends(years, [edge(p, "x") for p in years], since=2000)
    assert [(s.year, s.papers) for s in found.shares] == [(2020, 1), (2021, 1)]
    assert find_trends({"a": None}, [edge("a", "x")]) == []


def test_a_concept_of_all_papers_is_steady() -> None:
    assert trend([20, 20, 20], [20, 20, 20]).direction == "steady"


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=6))
def test_numbers_stay_in_their_ranges(rows: list[tuple[int, int]]) -> None:
    named, totals = [min(row) for row in rows], [max(row) for row in rows]
    if not any(named):
        return
    found = trend(named, totals)
    assert 0 <= found.q <= 1
    assert -1 <= found.slope <= 1
    assert np.isfinite(found.z)
    assert found.papers == sum(named)


def test_the_order_of_edges_does_not_matter() -> None:
    rng = random.Random(3)
    years = {f"p{i}": 2015 + i % 7 for i in range(120)}
    edges = [edge(f"p{rng.randrange(120)}", f"c{rng.randrange(6)}") for _ in range(300)]
    first = find_trends(years, edges)
    rng.shuffle(edges)
    assert find_trends(dict(reversed(years.items())), edges) == first


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trends")
    rows = [
        {
            "id": f"{2018 + year}-{n}",
            "title": "",
            "year": 2018 + year,
            "abstract": f"We study {'diffusion models' if n < 5 * year else 'word embeddings'} "
            f"in run {year}{n}, and describe what we learn of them.",
        }
        for year in range(4)
        for n in range(20)
    ]
    source = folder / "papers.jsonl"
    source.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    kg.build(source, folder / "atlas")
    return folder / "atlas"


def test_the_graph_tells_what_rises_and_what_falls(atlas: Path) -> None:
    found = {t.concept: t.direction for t in kg.load(atlas).trends()}
    assert found["diffusion model"] == "rising"
    assert found["word embedding"] == "falling"
    shares = kg.load(atlas).trend("diffusion models", since=2019).shares
    assert [round(s.share, 2) for s in shares] == [0.25, 0.5, 0.75]


def test_an_unknown_concept_has_no_trend(atlas: Path) -> None:
    with pytest.raises(kg.UnknownNameError, match="concept"):
        kg.load(atlas).trend("heraldry")


def test_the_command_lists_them_with_counts(atlas: Path) -> None:
    done = CliRunner().invoke(app, ["trends", str(atlas), "--direction", "rising", "--json"])
    rows = json.loads(done.stdout)
    assert {row["direction"] for row in rows} == {"rising"}
    assert "diffusion model" in {row["concept"] for row in rows}
    table = CliRunner().invoke(app, ["trends", str(atlas)]).stdout
    assert "falling" in table


def test_the_command_shows_one_concept_by_year(atlas: Path) -> None:
    done = CliRunner().invoke(app, ["trends", str(atlas), "diffusion model"])
    assert "2021" in done.stdout
    assert "75.0%" in done.stdout
