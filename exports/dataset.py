"""The graph as a data set: the run that made it, and how much it holds."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from pyoxigraph import Literal, NamedNode

from exports.descriptions import Description, Statement, describe, extractor_iri
from exports.errors import OptionError
from exports.iris import Iris, digest
from exports.literals import integer, text
from exports.view import RunRecord
from exports.vocabulary import PREFIXES, prefixed, term

_VOCABULARIES = ("bibo", "dcterms", "fabio", "foaf", "kgo", "prov", "schema", "skos")


class Tally:
    """Counts of the descriptions that have passed: triples by layer, subjects by class."""

    def __init__(self) -> None:
        self.triples: Counter[str] = Counter()
        self.subjects = 0
        self.classes: Counter[str] = Counter()
        self.example: NamedNode | None = None

    def counted(self, descriptions: Iterable[Description]) -> Iterator[Description]:
        """Yield the descriptions on, counting each; the first subject is the example."""
        is_a = term("rdf:type")
        for description in descriptions:
            self.example = self.example or description.subject
            self.triples[description.layer] += len(description.statements)
            self.subjects += 1
            for predicate, value in description.statements:
                if predicate != is_a or not isinstance(value, NamedNode):
                    break  # classes come first
                self.classes[value.value] += 1
            yield description


def run_iri(iris: Iris, run: RunRecord) -> NamedNode:
    """Return the IRI of a run: the same options, models and inputs give the same."""
    return iris.of("run", digest(run.version, run.configuration, run.extractors, run.inputs))


def provenance(
    iris: Iris, run: RunRecord, extractors: Iterable[tuple[str, str]]
) -> Iterator[Description]:
    """Describe the run, its extractors and the files that it read."""
    pairs = sorted({*run.extractors, *extractors})
    sources = _sources(iris, run)
    yield _run(iris, run, pairs, list(sources))
    for name, version in pairs:
        yield describe(
            "provenance",
            extractor_iri(iris, name, version),
            "prov:SoftwareAgent schema:SoftwareApplication",
            [(term("schema:name"), text(name)), (term("schema:softwareVersion"), text(version))],
        )
    for source, statements in sources.items():
        yield describe("provenance", source, "prov:Entity schema:DigitalDocument", statements)


def _run(
    iris: Iris, run: RunRecord, extractors: list[tuple[str, str]], sources: list[NamedNode]
) -> Description:
    return describe(
        "provenance",
        run_iri(iris, run),
        "prov:Activity kgo:ExtractionRun",
        [
            *((term("prov:used"), source) for source in sources),
            *((term("prov:wasAssociatedWith"), extractor_iri(iris, *e)) for e in extractors),
            (term("kgo:configurationHash"), text(run.configuration)),
            (term("schema:softwareVersion"), text(run.version)),
            *((term("prov:endedAtTime"), moment) for moment in _stated_time()),
        ],
    )


def _sources(iris: Iris, run: RunRecord) -> dict[NamedNode, list[Statement]]:
    sources: dict[NamedNode, list[Statement]] = {}
    for name, checksum in sorted(run.inputs):
        statements = sources.setdefault(iris.of("source", checksum or name), [])
        statements.append((term("schema:name"), text(name)))
        statements.append((term("schema:sha256"), text(checksum)))
    return sources


def dataset(iris: Iris, run: RunRecord, tally: Tally) -> list[Description]:
    """Describe the whole graph with its counts, this description included."""
    uncounted = _dataset(iris, run, tally)
    tally.triples["dataset"] = sum(len(part.statements) for part in uncounted)
    tally.subjects += len(uncounted)
    return _dataset(iris, run, tally)


def _dataset(iris: Iris, run: RunRecord, tally: Tally) -> list[Description]:
    layers = sorted({*tally.triples, "dataset"})
    subsets = [_subset(iris, layer, tally) for layer in layers]
    partitions = [_partition(iris, iri, n) for iri, n in sorted(tally.classes.items())]
    whole = describe(
        "dataset",
        iris.of("dataset"),
        "void:Dataset dcat:Dataset",
        [
            (term("dcterms:title"), text(run.title)),
            (term("void:uriSpace"), text(iris.base)),
            *((term("void:vocabulary"), NamedNode(PREFIXES[name])) for name in _VOCABULARIES),
            *((term("void:exampleResource"), node) for node in (tally.example,) if node),
            (term("void:triples"), integer(tally.triples.total())),
            (term("void:entities"), integer(tally.subjects)),
            (term("void:distinctSubjects"), integer(tally.subjects)),
            *((term("void:subset"), part.subject) for part in subsets),
            *((term("void:classPartition"), part.subject) for part in partitions),
            (term("prov:wasGeneratedBy"), run_iri(iris, run)),
            *((term("dcterms:issued"), moment) for moment in _stated_time()),
        ],
    )
    return [whole, *subsets, *partitions]


def _subset(iris: Iris, layer: str, tally: Tally) -> Description:
    counted = integer(tally.triples[layer])
    statements = [(term("dcterms:title"), text(layer)), (term("void:triples"), counted)]
    return describe("dataset", iris.of("graph", layer), "void:Dataset", statements)


def _partition(iris: Iris, class_iri: str, count: int) -> Description:
    return describe(
        "dataset",
        iris.of("dataset", "class", prefixed(class_iri)),
        "void:Dataset",
        [(term("void:class"), NamedNode(class_iri)), (term("void:entities"), integer(count))],
    )


def _stated_time() -> list[Literal]:
    """Return the time that SOURCE_DATE_EPOCH states, if it is set; no clock is read."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    if not seconds:
        return []
    try:
        moment = datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError) as error:
        raise OptionError(f"SOURCE_DATE_EPOCH {seconds!r} is no number of seconds") from error
    return [Literal(moment.strftime("%Y-%m-%dT%H:%M:%SZ"), datatype=term("xsd:dateTime"))]
