"""Sentences: what ends one, what does not, and the contract of their spans."""

import pytest
from hypothesis import given, strategies as st

from extractors.sentences import sentence_spans


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We plant trees. They grow.", ["We plant trees.", "They grow."]),
        ("Does it scale? It does! Good.", ["Does it scale?", "It does!", "Good."]),
        ("We use 3.5 units. Then 4.", ["We use 3.5 units.", "Then 4."]),
        ("Errors fall by 5%. Costs rise.", ["Errors fall by 5%.", "Costs rise."]),
        ("It ends (see the map). It begins.", ["It ends (see the map).", "It begins."]),
        ("He wrote “stop.” She went on.", ["He wrote “stop.”", "She went on."]),
        ("A first line\n\nA second paragraph", ["A first line", "A second paragraph"]),
        ("Cells differ. scBERT reads them.", ["Cells differ.", "scBERT reads them."]),
        ("It holds in the U.S. We ask why.", ["It holds in the U.S.", "We ask why."]),
        ("It has parameter K. We vary it.", ["It has parameter K.", "We vary it."]),
        ("Words run together.We part them.", ["Words run together.", "We part them."]),
        ("Code is at https://a.org/b. Try it.", ["Code is at https://a.org/b.", "Try it."]),
    ],
)
def test_ends(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "We use trees, e.g. Random Forests, and rules, i.e. Horn clauses.",
        "The data of Meyer et al. (2020) are small.",
        "Fig. 3 and Eq. 2 agree with Sec. 4 of the paper.",
        "We compare A vs. B at 0.5 percent.",
        "J. Smith and K. L. Lee wrote the parser.",
        "The U.S. Army paid for it.",
        "The bound (proved by induction. See the appendix) is tight.",
        "A line that is\nbroken goes on.",
        "See www.example.org for more",
        "Variables are i.i.d. and bounded.",
    ],
)
def test_goes_on(text: str) -> None:
    assert sentences(text) == [text]


@pytest.mark.parametrize("text", ["", "   ", "\n\n \n"])
def test_blank_text_has_none(text: str) -> None:
    assert sentence_spans(text) == ()


@given(st.text() | st.text(alphabet='aB1. ?!()[]\n"e.g', max_size=60))
def test_spans_are_ordered_trimmed_and_cover_all_that_is_not_blank(text: str) -> None:
    spans = sentence_spans(text)
    assert spans == sentence_spans(text)
    place = 0
    for start, end in spans:
        assert place <= start < end <= len(text)
        assert text[start:end] == text[start:end].strip()
        assert not text[place:start].strip()
        place = end
    assert not text[place:].strip()
