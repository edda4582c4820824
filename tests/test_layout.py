"""Positions: the same for the same graph, no disc on another, communities as islands."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from exports.layout import RADIUS, arrange, layout

Edge = tuple[str, str, float]


def clustered(count: int = 60, clusters: int = 4) -> tuple[list[str], list[Edge], dict[str, int]]:
    """A graph whose edges lie within communities, but for a few."""
    pick = random.Random(3)
    nodes = [f"n{number:03}" for number in range(count)]
    communities = {node: number % clusters for number, node in enumerate(nodes)}
    edges = []
    for number in range(count):
        for _ in range(3):
            other = (number + clusters * pick.randrange(1, count // clusters)) % count
            edges.append((nodes[number], nodes[other], 1.0))
    edges += [(nodes[number], nodes[number + 1], 0.5) for number in range(0, count - 1, 7)]
    return nodes, edges, communities


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[str], list[Edge], dict[str, int], dict[str, float]]:
    nodes = draw(st.lists(st.text(max_size=3), unique=True, max_size=25))
    if not nodes:
        return [], [], {}, {}
    name = st.sampled_from(nodes)
    edges = draw(st.lists(st.tuples(name, name, st.floats(0.01, 9)), max_size=60))
    communities = draw(st.dictionaries(name, st.integers(0, 3)))
    return nodes, edges, communities, draw(st.dictionaries(name, st.floats(1, 40)))


@settings(max_examples=25, deadline=None)
@given(graphs(), st.randoms(use_true_random=False))
def test_order_of_the_input_does_not_matter(
    graph: tuple[list[str], list[Edge], dict[str, int], dict[str, float]], pick: random.Random
) -> None:
    nodes, edges, communities, radii = graph
    expected = dict(
        zip(nodes, layout(nodes, edges, communities, radii=radii).tolist(), strict=True)
    )
    pick.shuffle(nodes)
    edges = [(b, a, w) if pick.random() < 0.5 else (a, b, w) for a, b, w in edges]
    pick.shuffle(edges)
    found = layout(nodes, edges, dict(reversed(communities.items())), radii=radii)
    assert dict(zip(nodes, found.tolist(), strict=True)) == expected


@settings(max_examples=25, deadline=None)
@given(graphs())
def test_no_disc_lies_on_another(
    graph: tuple[list[str], list[Edge], dict[str, int], dict[str, float]],
) -> None:
    nodes, edges, communities, radii = graph
    places = layout(nodes, edges, communities, radii=radii)
    assert np.isfinite(places).all()
    for (one, at), (other, there) in combinations(zip(nodes, places, strict=True), 2):
        apart = radii.get(one, RADIUS) + radii.get(other, RADIUS)
        assert np.hypot(*(at - there)) > apart


def test_no_disc_lies_on_another_in_a_large_island() -> None:
    pick = random.Random(5)
    nodes = [str(number) for number in range(1500)]
    edges = [(pick.choice(nodes), pick.choice(nodes[:200]), 1.0) for _ in range(3000)]
    places = layout(nodes, edges)
    nearest = min(
        np.hypot(*(places[at + 1 :] - places[at]).T).min() for at in range(len(nodes) - 1)
    )
    assert nearest > 2 * RADIUS


def test_positions_have_two_decimals() -> None:
    places = layout(*clustered())
    assert places.tolist() == [[round(x, 2), round(y, 2)] for x, y in places.tolist()]


def test_a_community_may_have_any_number() -> None:
    nodes, edges, communities = clustered()
    renamed = {node: 9 - number for node, number in communities.items()}
    assert layout(nodes, edges, renamed).tolist() == layout(nodes, edges, communities).tolist()


def test_communities_are_islands_that_do_not_touch() -> None:
    nodes, edges, communities = clustered()
    result = arrange(nodes, edges, communities)
    found = [{communities[node] for node in island.nodes} for island in result.islands]
    assert sorted(map(sorted, found)) == [[0], [1], [2], [3]]
    for one, other in combinations(result.islands, 2):
        assert np.hypot(one.x - other.x, one.y - other.y) >= one.radius + other.radius - 0.1
    place = dict(zip(nodes, result.positions, strict=True))
    for island in result.islands:
        for node in island.nodes:
            x, y = place[node]
            assert np.hypot(x - island.x, y - island.y) + RADIUS < island.radius


def test_leaves_stand_around_the_node_that_bears_them() -> None:
    pick = random.Random(4)
    nodes = [f"n{number:03}" for number in range(40)]
    edges = [(one, other, 1.0) for one, other in zip(nodes, nodes[1:] + nodes[:1], strict=True)]
    leaves = {f"leaf{number:03}": pick.choice(nodes) for number in range(160)}
    edges += [(leaf, node, 1.0) for leaf, node in leaves.items()]
    place = dict(zip([*nodes, *leaves], layout([*nodes, *leaves], edges), strict=True))
    near = [
        min(nodes, key=lambda node: float(np.hypot(*(place[node] - place[leaf]))))
        for leaf in leaves
    ]
    assert sum(map(str.__eq__, near, leaves.values())) > 0.9 * len(leaves)


def test_an_island_is_filled() -> None:
    nodes, edges, communities = clustered(400, 2)
    for island in arrange(nodes, edges, communities).islands:
        assert len(island.nodes) * RADIUS**2 > 0.12 * island.radius**2


def test_linked_nodes_are_nearer_than_others() -> None:
    nodes, edges, _ = clustered(clusters=4)
    place = dict(zip(nodes, layout(nodes, edges), strict=True))
    linked = np.mean([np.hypot(*(place[a] - place[b])) for a, b, _ in edges])
    anyhow = np.mean([np.hypot(*(place[a] - place[b])) for a, b in combinations(nodes, 2)])
    assert linked < 0.6 * anyhow


def test_tied_islands_are_neighbours_and_turn_their_ties_to_each_other() -> None:
    nodes, edges, communities = clustered(80, 8)
    edges = [edge for edge in edges if communities[edge[0]] == communities[edge[1]]]
    edges += [(nodes[0], nodes[1], 1.0), (nodes[0], nodes[9], 1.0)]
    place = dict(zip(nodes, layout(nodes, edges, communities), strict=True))
    crossing = np.mean([np.hypot(*(place[a] - place[b])) for a, b, _ in edges[-2:]])
    pairs = [(a, b) for a in nodes[::8] for b in nodes[1::8]]
    assert crossing < 0.8 * np.mean([np.hypot(*(place[a] - place[b])) for a, b in pairs])
    distances = [np.hypot(*(place[a] - place[b])) for a, b in combinations(nodes, 2)]
    assert crossing < np.quantile(distances, 0.3)


def test_tiny_components_stand_outside_the_islands() -> None:
    nodes, edges, communities = clustered()
    alone = [f"x{number}" for number in range(9)]
    result = arrange([*nodes, *alone], [*edges, ("x0", "x1", 1.0)], communities)
    for x, y in result.positions[len(nodes) :]:
        for island in result.islands:
            assert np.hypot(x - island.x, y - island.y) > island.radius
    assert not {node for island in result.islands for node in island.nodes} & set(alone)


def test_the_whole_is_wider_than_tall_but_no_strip() -> None:
    for clusters in (3, 6, 12):
        width, height = np.ptp(layout(*clustered(120, clusters)), axis=0)
        assert 0.7 < width / height < 2.2


def test_graphs_of_nothing_and_of_little() -> None:
    assert layout([], []).shape == (0, 2)
    assert layout(["a"], []).tolist() == [[0.0, 0.0]]
    assert layout(["a", "b", "c"], []).shape == (3, 2)
    assert layout(["a", "b"], [("a", "a", 1.0)]).shape == (2, 2)


def test_an_edge_to_nowhere_is_an_error() -> None:
    with pytest.raises(KeyError, match="z"):
        layout(["a"], [("a", "z", 1.0)])
