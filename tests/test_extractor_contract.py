"""The contract of extractors, asked of every one: offsets, order, batches, empties, hostile text.

A server and a GLiNER of the tests' own stand behind those that need one; both answer with the
words that are written with two capitals.
"""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from extractors.mention import FIELDS, Extraction, Extractor, Text, check
from kg.choice import EXTRACTORS, extractors_named

Make = Callable[[str], list[Extractor]]

TEXTS = (
    Text("We propose FooNet (FN), a graph network, and test it on CIFAR-10 with BERT."),
    Text(""),
    Text("", title="SHAP for MIMIC-III"),
    Text(" \n\t"),
    Text("No names stand here, and none is found.", keywords=("GPT-4", "", "trees")),
    Text("𝔽-Score and İSTANBUL: ﬁne-tuned BERT\u200b beats e\u0301 GPT-4.", title="ßBERT"),
    Text("<script>alert('XSS')</script> {{7*7}} \x00\x1b[31m ../../ETC ' OR 1=1 --"),
    Text("(((" * 200 + "BERT" + ")))" * 200),
    Text("We train CNNs, " * 400 + "and lastly XGBoost."),
    Text("A" * 3000 + " LSTM"),
)


def _capitals(body: dict[str, Any]) -> str:
    said = body["messages"][1]["content"]
    found = sorted(set(re.findall(r"\w*[A-Z]\w*[A-Z]\w*", said)))
    entries = [{"name": n, "kind": "method", "role": "uses", "sentence": 1} for n in found]
    return json.dumps({"concepts": [*entries, {"name": "NotThere", "kind": "task"}]})


@pytest.fixture
def make(chat, gliner) -> Make:
    chat.reply = _capitals
    needs = {"endpoint": chat.endpoint, "model": "a-model"}

    def named(name: str) -> list[Extractor]:
        return extractors_named(
            name, **{option: needs[option] for option in EXTRACTORS[name].needs}
        )

    return named


ENGINES = [
    pytest.param(
        name,
        marks=pytest.mark.skipif(
            find_spec(engine.path.partition(":")[0]) is None, reason="not part of this build"
        ),
    )
    for name, engine in EXTRACTORS.items()
]
every_engine = pytest.mark.parametrize("name", ENGINES)


def answers(extractor: Extractor, *texts: Text) -> list[Extraction]:
    return list(extractor.extract(texts))


@every_engine
def test_it_has_a_short_name_and_a_steady_version(name: str, make: Make) -> None:
    for one, other in zip(make(name), make(name), strict=True):
        assert isinstance(one, Extractor)
        assert re.fullmatch(r"[a-z][a-z-]*", one.name)
        assert one.version == other.version != ""


@every_engine
def test_one_answer_a_text_in_order_that_the_text_holds(name: str, make: Make) -> None:
    for extractor in make(name):
        found = answers(extractor, *TEXTS)
        assert len(found) == len(TEXTS)
        for text, extraction in zip(TEXTS, found, strict=True):
            check(text, extraction)
            assert all(mention.field in FIELDS for mention in extraction.mentions)
            assert list(extraction.mentions) == sorted(set(extraction.mentions))


@every_engine
def test_alone_in_a_batch_or_in_another_order_the_answer_is_the_same(name: str, make: Make) -> None:
    for extractor in make(name):
        together = answers(extractor, *TEXTS)
        assert answers(extractor, *reversed(TEXTS)) == together[::-1]
        assert [answers(extractor, text)[0] for text in TEXTS] == together


@every_engine
def test_nothing_is_found_in_nothing(name: str, make: Make) -> None:
    for extractor in make(name):
        assert answers(extractor) == []
        assert answers(extractor, Text(""), Text(" \n")) == [Extraction(), Extraction()]


@every_engine
def test_texts_are_drawn_as_they_are_needed(name: str, make: Make) -> None:
    for extractor in make(name):
        stream = iter(TEXTS)
        next(iter(extractor.extract(stream)))
        assert next(stream) in TEXTS[1:]


@every_engine
def test_names_are_found(name: str, make: Make) -> None:
    extractor = make(name)[1]
    [found] = answers(extractor, TEXTS[0])
    assert {"FooNet", "BERT"} <= {mention.text for mention in found.mentions}


@every_engine
def test_it_can_be_sent_to_another_process_also_after_work(name: str, make: Make) -> None:
    for extractor in make(name):
        before = answers(extractor, TEXTS[0])
        assert answers(pickle.loads(pickle.dumps(extractor)), TEXTS[0]) == before  # noqa: S301


@every_engine
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(abstract=st.text(max_size=80), title=st.text(max_size=20))
def test_any_text_is_answered(name: str, make: Make, abstract: str, title: str) -> None:
    text = Text(abstract, title)
    for extractor in make(name):
        [extraction] = answers(extractor, text)
        check(text, extraction)
