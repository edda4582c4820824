"""A graph's RDF into a triple store: each layer a named graph, replaced as a whole.

The layer that describes the data set is taken out first and put in last: a store that has it
has all the others, whatever happened on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count, groupby
from tempfile import TemporaryFile
from typing import IO, Protocol

from pyoxigraph import RdfFormat, Triple, serialize

from exports.descriptions import Description
from exports.errors import StoreError
from exports.iris import Iris, check_base, segment
from exports.layers import LAYERS, iter_descriptions
from exports.view import View

Report = Callable[[str, int, int], None]
"""Called with what is done, how many layers are, and how many there are."""


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer as N-Triples, ready to be sent.

    Args:
        name: One of `exports.layers.LAYERS`.
        file: The lines, from the start.
        triples: How many they are.
    """

    name: str
    file: IO[bytes]
    triples: int


class Target(Protocol):
    """A store that keeps named graphs."""

    def put(self, graph: str, layer: Layer) -> None:
        """Make a layer the content of a graph, whatever it held before."""

    def delete(self, graph: str) -> None:
        """Remove a graph, if it is there."""


def push(
    view: View,
    target: Target,
    *,
    graph_prefix: str = "",
    evidence: str = "assertion",
    abstracts: str = "full",
    report: Report = lambda *_: None,
) -> dict[str, int]:
    """Load a graph into a store; once more, and the store holds the same.

    Args:
        view: The graph.
        target: The store.
        graph_prefix: What the names of the graphs begin with; it ends in "/" or "#". If none
            is given: the base IRI and "graph/".
        evidence: "none", "assertion" or "full".
        abstracts: "full", "evidence" (sentences alone) or "none".
        report: Called after each layer.

    Returns:
        The number of triples by layer.

    Raises:
        OptionError: If an option, the prefix or the base IRI is not what it may be.
        StoreError: If the store fails; the message says which layers it has.

    Example:
        >>> with StoreFolder("store") as target:  # doctest: +SKIP
        ...     push(view, target)["papers"]
        4711
    """
    prefix = check_base(graph_prefix or f"{Iris(view.run().base_iri).base}graph/")
    graphs = {layer: prefix + segment(layer) for layer in LAYERS}
    counts: dict[str, int] = {}
    try:
        target.delete(graphs["dataset"])
        for layer in _layers(iter_descriptions(view, evidence, abstracts)):
            if layer.name == "dataset":
                for name in set(LAYERS) - {*counts, layer.name}:
                    target.delete(graphs[name])
            target.put(graphs[layer.name], layer)
            counts[layer.name] = layer.triples
            report("Pushing", LAYERS.index(layer.name) + 1, len(LAYERS))
    except StoreError as error:
        held = f"it has {', '.join(counts)} and is not complete; " if counts else ""
        raise StoreError(f"{error}; {held}the same command begins anew") from None
    return counts


def _layers(descriptions: Iterable[Description]) -> Iterator[Layer]:
    """Yield the layers, each in a file without a name, so that memory stays flat."""
    for name, group in groupby(descriptions, key=lambda description: description.layer):
        with TemporaryFile() as file:
            counter = count()
            counted = (triple for triple, _ in zip(_triples(group), counter, strict=False))
            serialize(counted, file, RdfFormat.N_TRIPLES)
            file.seek(0)
            yield Layer(name, file, next(counter))


def _triples(descriptions: Iterable[Description]) -> Iterator[Triple]:
    for _, subject, statements in descriptions:
        for predicate, value in statements:
            yield Triple(subject, predicate, value)
