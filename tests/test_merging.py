"""Rules and network as one list: who is believed, and where."""

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from extractors.entities import PARTS, EntityExtractor, find_entities
from extractors.mention import Mention, Text
from extractors.merging import merged, of_one_kind, without_overlap

LEAST = {"method": 0.8, "task": 0.9, "dataset": 0.7}


def mention(start: int, name: str, kind: str, score: float, field: str = "abstract") -> Mention:
    return Mention(field, start, start + len(name), kind, name, score)


def names(mentions: list[Mention]) -> list[tuple[str, str]]:
    return [(m.text, m.kind) for m in sorted(mentions)]


def test_the_network_is_believed_where_no_rule_speaks_and_only_if_it_is_sure() -> None:
    seen = [mention(0, "kelp nets", "method", 0.85), mention(20, "fern nets", "method", 0.7)]
    assert names(merged([], seen, LEAST)) == [("kelp nets", "method")]


def test_a_rule_goes_before_the_network_at_the_same_place() -> None:
    kept = [mention(5, "KelpNet", "method", 0.9)]
    seen = [mention(0, "deep KelpNet", "task", 0.99)]
    assert merged(kept, seen, LEAST) == kept


def test_the_network_knows_the_whole_name_of_a_data_set() -> None:
    kept = [mention(4, "Kelp", "dataset", 0.9)]
    seen = [mention(4, "Kelp handwritten digits dataset", "dataset", 0.9)]
    assert names(merged(kept, seen, LEAST)) == [("Kelp handwritten digits dataset", "dataset")]


def test_two_data_sets_stay_two() -> None:
    kept = [mention(0, "Kelp", "dataset", 0.9), mention(9, "Fern", "dataset", 0.9)]
    seen = [mention(0, "Kelp and Fern datasets", "dataset", 0.9)]
    assert names(merged(kept, seen, LEAST)) == [("Kelp", "dataset"), ("Fern", "dataset")]


@pytest.mark.parametrize(
    ("score", "seen", "kept"),
    [
        (0.8, [mention(0, "FooNet", "method", 0.5)], False),
        (0.8, [], True),
        (0.6, [], False),
        (0.6, [mention(0, "FooNet", "dataset", 0.2)], True),
        (0.9, [mention(0, "FooNet", "method", 0.5)], True),
    ],
)
def test_a_doubtful_data_set_needs_the_network(
    score: float, seen: list[Mention], kept: bool
) -> None:
    rule = mention(0, "FooNet", "dataset", score)
    assert (rule in merged([rule], seen, LEAST)) is kept


def test_a_site_is_a_data_set_only_where_the_network_sees_one() -> None:
    site = mention(0, "Wikipedia", "dataset", 0.9)
    assert merged([site], [], LEAST) == []
    assert merged([site], [mention(0, "Wikipedia", "dataset", 0.3)], LEAST) == [site]


def test_a_name_has_the_kind_of_its_surest_mentions() -> None:
    said = [mention(0, "Kelp", "method", 0.9), mention(9, "Kelp", "task", 0.6)]
    assert {m.kind for m in of_one_kind(said)} == {"method"}


spans = st.lists(
    st.builds(
        mention, st.integers(0, 60), st.text("ab", min_size=1, max_size=9),
        st.sampled_from(sorted(LEAST)), st.floats(0, 1), st.sampled_from(["title", "abstract"]),
    )
)  # fmt: skip


@given(spans, spans)
def test_what_is_merged_never_overlaps_and_comes_from_one_of_the_two(
    rules: list[Mention], seen: list[Mention]
) -> None:
    found = sorted(merged(without_overlap(rules), seen, LEAST))
    for before, after in pairwise(found):
        assert before.field != after.field or before.end <= after.start
    places = {(m.field, m.start, m.end) for m in [*rules, *seen]}
    assert {(m.field, m.start, m.end) for m in found} <= places


def test_each_part_can_be_left_out() -> None:
    text = Text(
        "We propose FooNet, a graph neural network (GNN). GNN and FooNet are tested on the "
        "Kelp5 dataset and on MNIST with self-supervised kernel learning."
    )
    assert "GNN" not in {
        m.text
        for m in find_entities(text, without=["curated", "definitions", "shapes", "recogniser"])
    }
    assert "FooNet" not in {
        m.text for m in find_entities(text, without=["proposals", "shapes", "recogniser"])
    }
    assert "Kelp5 dataset" not in {
        m.text for m in find_entities(text, without=["heads", "recogniser"])
    }


def test_an_unknown_part_is_an_error() -> None:
    with pytest.raises(ValueError, match="no part"):
        EntityExtractor(without=["magic"])


def test_the_version_says_what_was_left_out() -> None:
    versions = {EntityExtractor(without=[part]).version for part in PARTS}
    assert len(versions | {EntityExtractor().version}) == len(PARTS) + 1
