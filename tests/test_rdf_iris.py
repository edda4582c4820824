"""IRIs are stable, distinct and valid, and literals are canonical."""

from __future__ import annotations

from urllib.parse import quote_plus

import pyoxigraph as ox
import pytest
from ferns import (
    BASE,
    FORMATS,
    RUN,
    FernView,
    ask,
    ferns,
)
from hypothesis import given, strategies as st

from exports import OptionError
from exports.iris import Iris, outside, segment
from exports.literals import decimal, tagged
from exports.rdf import SYNTAXES, iter_quads, to_text
from exports.view import GraphView, RunRecord


@pytest.fixture
def view() -> FernView:
    return FernView(ferns(), RUN)


def test_names_that_look_alike_stay_apart() -> None:
    names = [
        "deep net", 'x"y', "F#", "F++", "F", "12.5%", "a[b]", "x#y#z", "α-GAN", "x/y", "x y", "x+y",
        "x%20y", "", ".", "..", "%2E", "f", "x\ud800", "x\ud801", "é", "e\u0301",
        "l" * 151, "l" * 152, "sha256:00",
    ]  # fmt: skip
    nodes = [Iris(BASE).of("concept", name) for name in names]
    assert len({node.value for node in nodes}) == len(names)
    for node in nodes:
        assert ox.NamedNode(node.value.removeprefix(BASE).join([BASE, ""]))
        assert node.value.isascii()
        assert "/" not in node.value.removeprefix(f"{BASE}concept/")


@given(st.lists(st.text(st.characters(), max_size=60), min_size=2, max_size=2, unique=True))
def test_distinct_keys_have_distinct_segments(keys: list[str]) -> None:
    one, other = map(segment, keys)
    assert one != other
    assert len(one) <= 150
    assert one not in ("", ".", "..")


def test_a_segment_is_the_quoted_key() -> None:
    assert segment("a b/c") == quote_plus("a b/c", safe="") == "a+b%2Fc"


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/a%20b?c=d#e", "http://example.org", "https://example.org/é",
        "HTTPS://Example.org/",
    ],
)  # fmt: skip
def test_addresses_of_the_web_become_nodes(url: str) -> None:
    assert outside(url) == ox.NamedNode(url)


@pytest.mark.parametrize(
    "url",
    [
        "", "example.org", "ftp://example.org/", "javascript:alert(1)", "mailto:a@example.org",
        "http://", "http:///x", "http://a b/", "http://a/%zz", "http://a/%4", "http://a/#b#c",
        "http://a/<x>", 'http://a/"x"', "http://a/{x}", "http://a/x|y", "http://a/x\\y", "http://a/x^y",
        "http://a/`x`", "http://a/x\ny", "http://a/\u202ex", "http://a/\ud800", "http://[::1", "http://a:b/",
        " http://a/",
    ],
)  # fmt: skip
def test_what_is_no_address_of_the_web_stays_text(url: str) -> None:
    assert outside(url) is None


def test_an_address_within_the_graph_is_not_taken_for_code() -> None:
    graph = ferns()
    graph.nodes["p2"]["code_urls"] = [f"{BASE}concept/fernnet"]
    view = GraphView(graph, RUN)
    assert ask(view, "SELECT ?c WHERE { ?c a skos:Concept, schema:SoftwareSourceCode }") == []
    quads = list(iter_quads(view))
    assert len({quad.triple for quad in quads}) == len(quads)


@pytest.mark.parametrize(
    "base",
    ["https://example.org/kg/", "http://example.org/kg#", "urn:example:kg/", "urn:example:kg#"],
)
def test_a_base_may_be_web_or_urn(base: str) -> None:
    view = FernView(ferns(), RunRecord(base))
    for syntax in SYNTAXES:
        text = to_text(view, syntax, evidence="full")
        assert list(ox.parse(text, format=FORMATS[syntax]))


@pytest.mark.parametrize(
    "base",
    ["", "kg/", "/kg/", "https://example.org/kg", "ftp://example.org/", "https://a b/", "file:///x/",
     "https://example.org/#a/", "https://example.org/%zz/", "javascript:/", "https://#", "urn:/",
     "urn:kg/"],
)  # fmt: skip
def test_a_base_that_cannot_name_data_is_refused(base: str) -> None:
    with pytest.raises(OptionError, match="base IRI"):
        to_text(GraphView(ferns(), RunRecord(base)), "ttl")


def test_decimals_are_canonical() -> None:
    values = [0.0, -0.0, 1, 0.93, 1 / 3, 1e-9, 12345.678, float("nan"), float("inf"), -0.5]
    written = [decimal(value).value for value in values]
    assert written == [
        "0.0", "0.0", "1.0", "0.93", "0.333333", "0.0", "12345.678", "0.0", "0.0", "-0.5",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("language", "tag"),
    [("", "en"), ("en", "en"), ("fr", "fr"), ("zh-Hans", "zh-hans"), ("pt_BR", "pt-br"),
     ("klingon!", None), ("a1", None), ("en-x", None)],
)  # fmt: skip
def test_a_language_that_is_no_tag_is_left_away(language: str, tag: str | None) -> None:
    assert tagged("text", language).language == tag


def test_options_are_checked(view: FernView) -> None:
    with pytest.raises(OptionError, match="none, assertion, full"):
        to_text(view, "ttl", evidence="some")
    with pytest.raises(OptionError, match="full, evidence, none"):
        to_text(view, "ttl", abstracts="some")
    with pytest.raises(OptionError, match="ttl, nt, nq, trig, jsonld"):
        to_text(view, "rdfxml")
