"""Where a phrase stands in a text: whole words, in the case that counts, the longest first."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import given, strategies as st

from extractors.occurrences import fold_case, occurrences

LETTERS = "aAbITiſKks-–.2 _µμσςΣİıßẞéÉ"


def found(text: str, *forms: str) -> list[str]:
    return [text[start:end] for start, end in occurrences(text, fold_case(text), forms)]


@pytest.mark.parametrize(
    ("text", "forms", "places"),
    [
        ("A graph, the Graph, graphs.", ["graph"], ["graph", "Graph"]),
        ("IT helps; it helps.", ["IT"], ["IT"]),
        ("graph kernels and a graph kernel", ["graph kernel", "graph kernels"], ["graph kernels"]),
        ("subgraph graph2 graph_3 re-graph", ["graph"], []),
        ("GPT-4 GPT-4o GPT-4.5 GPT-4. GPT-4-based", ["GPT-4"], ["GPT-4", "GPT-4", "GPT-4"]),
        ("na na na", ["na na"], ["na na"]),
        ("ÉCOLE école", ["École"], ["ÉCOLE", "école"]),
        ("", ["graph"], []),
    ],
)
def test_whole_words_are_found(text: str, forms: list[str], places: list[str]) -> None:
    assert found(text, *forms)[: len(places)] == places
    assert len(found(text, *forms)) >= len(places)
    if not places:
        assert found(text, *forms) == []


@given(
    st.text(LETTERS, max_size=30),
    st.lists(st.text(LETTERS, min_size=1, max_size=4), min_size=1, max_size=3),
)
def test_it_finds_what_a_regular_expression_finds(text: str, forms: list[str]) -> None:
    pattern = re.compile(
        rf"(?<!\w)(?<!\w[-–])(?:{'|'.join(map(_pattern, sorted(forms, key=_longest_first)))})"
        r"(?!\w|[-–.][A-Z0-9])"
    )
    expected = [match.span() for match in pattern.finditer(text)]
    assert list(occurrences(text, fold_case(text), forms)) == expected


def _longest_first(form: str) -> tuple[int, str]:
    return -len(form), form


def _pattern(form: str) -> str:
    own_case = any(c.isupper() for word in form.split() for c in word[1:])
    return re.escape(form) if own_case else f"(?i:{re.escape(form)})"


def test_letters_are_alike_that_are_alike_to_regular_expressions() -> None:
    letters = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    cased = [c for c in letters if not c == c.lower() == c.upper() == c.casefold()]
    alike: dict[str, set[str]] = {}
    for letter in cased:
        alike.setdefault(fold_case(letter), set()).add(letter)
    everything = "".join(cased)
    assert len(fold_case(everything)) == len(everything)
    for letter in cased:
        expected = set(re.findall(f"(?i:{re.escape(letter)})", everything))
        assert alike[fold_case(letter)] == expected, hex(ord(letter))
