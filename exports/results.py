"""What the graph says of a reported result: one description a number and metric."""

from __future__ import annotations

from collections.abc import Iterator

from pyoxigraph import NamedNode

from exports.descriptions import Description, Statement, describe, extractor_iri
from exports.iris import Iris, digest
from exports.literals import decimal, integer, text
from exports.view import ResultRecord
from exports.vocabulary import term


def result(iris: Iris, record: ResultRecord, run: NamedNode, *, placed: bool = True) -> Description:
    """Describe a result: what was measured, how much, on what, and which sentence says so.

    Args:
        iris: The graph's IRIs.
        record: The result.
        run: Which run found it.
        placed: Whether quote, sentence and offsets are said.
    """
    place = (record.paper, record.field, record.start, record.end, record.metric)
    return describe(
        "results",
        iris.of("result", digest(*place)),
        "kgo:Result prov:Entity",
        [
            (term("kgo:reportedIn"), iris.of("paper", record.paper)),
            *_measured(record),
            *_names(iris, record),
            *(_place(record) if placed else ()),
            *_found_by(iris, record, run),
        ],
    )


def _measured(record: ResultRecord) -> Iterator[Statement]:
    yield term("kgo:relation"), text(record.relation)
    yield term("kgo:value"), decimal(record.value)
    if record.unit:
        yield term("kgo:unit"), text(record.unit)
    if record.qualifier:
        yield term("kgo:qualifier"), text(record.qualifier)
    if record.compared_value is not None:
        yield term("kgo:comparedValue"), decimal(record.compared_value)


def _names(iris: Iris, record: ResultRecord) -> Iterator[Statement]:
    """Yield each name as the paper has it, and its concept where the graph knows one."""
    for name, words, concept in (
        ("metric", record.metric, record.metric_concept),
        ("dataset", record.dataset, record.dataset_concept),
        ("task", record.task, record.task_concept),
        ("method", record.method, record.method_concept),
        ("comparedMethod", record.compared_method, record.compared_concept),
    ):
        if words:
            yield term(f"kgo:{name}AsWritten"), text(words)
        if concept:
            yield term(f"kgo:{name}"), iris.of("concept", concept)


def _place(record: ResultRecord) -> Iterator[Statement]:
    if record.quote:
        yield term("kgo:quote"), text(record.quote)
    if record.sentence:
        yield term("kgo:sentence"), text(record.sentence)
    yield term("kgo:field"), text(record.field)
    yield term("kgo:begin"), integer(record.start)
    yield term("kgo:end"), integer(record.end)


def _found_by(iris: Iris, record: ResultRecord, run: NamedNode) -> Iterator[Statement]:
    if record.extractor:
        agent = extractor_iri(iris, record.extractor, record.version)
        yield term("prov:wasAttributedTo"), agent
    yield term("prov:wasGeneratedBy"), run
