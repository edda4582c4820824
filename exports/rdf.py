"""RDF in Turtle, N-Triples, N-Quads, TriG and JSON-LD: the same triples in each.

Formats with named graphs put each layer in one of its own. Files are written as a stream.
With ``rdf12`` each assertion also names its triple by ``rdf:reifies``, which is RDF 1.2: not
every store reads it yet, and JSON-LD has no way to say it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING

from pyoxigraph import Quad, RdfFormat, Triple, serialize

from exports.atomic import writing
from exports.descriptions import Description
from exports.errors import OptionError
from exports.iris import Iris
from exports.jsonld import serialize_jsonld
from exports.layers import iter_descriptions
from exports.sorted_lines import write_nquads, write_ntriples
from exports.view import View
from exports.vocabulary import PREFIXES, ontology, shapes

if TYPE_CHECKING:
    import rdflib

Serializer = Callable[[Iris, Iterable[Description], IO[bytes]], None]


def iter_quads(
    view: View, *, evidence: str = "assertion", abstracts: str = "full", rdf12: bool = False
) -> Iterator[Quad]:
    """Yield the statements of a graph, each once; the graph name is its layer.

    Args:
        view: The graph, its records sorted.
        evidence: "none", "assertion" (one for each role) or "full" (all the places besides).
        abstracts: "full", "evidence" (sentences alone) or "none".
        rdf12: Whether assertions reify their triple besides, as RDF 1.2 has it.

    Raises:
        OptionError: If an option or the base IRI is not what it may be.
        OrderError: If edges or mentions are not sorted by paper.
    """
    descriptions = iter_descriptions(view, evidence, abstracts, rdf12=rdf12)
    yield from _quads(Iris(view.run().base_iri), descriptions)


def to_rdf(view: View, *, evidence: str = "assertion", abstracts: str = "full") -> rdflib.Graph:
    """Return the triples as an rdflib graph, for graphs that fit in memory."""
    import rdflib

    graph = rdflib.Graph()
    for prefix, namespace in PREFIXES.items():
        graph.bind(prefix, namespace)
    lines = to_text(view, "nt", evidence=evidence, abstracts=abstracts)
    return graph.parse(data=lines, format="nt")


def to_text(
    view: View,
    syntax: str,
    *,
    evidence: str = "assertion",
    abstracts: str = "full",
    rdf12: bool = False,
) -> str:
    """Return the graph in one syntax: ttl, nt, nq, trig or jsonld."""
    if syntax not in SYNTAXES:
        raise OptionError(f"syntax {syntax!r} is none of {', '.join(SYNTAXES)}")
    out = BytesIO()
    _serialize(view, syntax, out, evidence, abstracts, rdf12)
    return out.getvalue().decode()


def write_ttl(
    view: View,
    path: Path,
    *,
    evidence: str = "assertion",
    abstracts: str = "full",
    rdf12: bool = False,
) -> None:
    """Write Turtle, one block a subject."""
    _write(view, path, "ttl", evidence, abstracts, rdf12)


def write_nt(
    view: View,
    path: Path,
    *,
    evidence: str = "assertion",
    abstracts: str = "full",
    rdf12: bool = False,
) -> None:
    """Write N-Triples, sorted: the same bytes for the same graph."""
    _write(view, path, "nt", evidence, abstracts, rdf12)


def write_nq(
    view: View,
    path: Path,
    *,
    evidence: str = "assertion",
    abstracts: str = "full",
    rdf12: bool = False,
) -> None:
    """Write N-Quads, sorted: the same bytes for the same graph."""
    _write(view, path, "nq", evidence, abstracts, rdf12)


def write_trig(
    view: View,
    path: Path,
    *,
    evidence: str = "assertion",
    abstracts: str = "full",
    rdf12: bool = False,
) -> None:
    """Write TriG, one named graph a layer."""
    _write(view, path, "trig", evidence, abstracts, rdf12)


def write_jsonld(
    view: View, path: Path, *, evidence: str = "assertion", abstracts: str = "full"
) -> None:
    """Write JSON-LD with its context in the file, one named graph a layer."""
    _write(view, path, "jsonld", evidence, abstracts, rdf12=False)


def write_ontology(view: View, path: Path) -> None:
    """Write our vocabulary, in Turtle; it is the same for every graph."""
    with writing(path) as out:
        out.write(ontology().encode())


def write_shapes(view: View, path: Path) -> None:
    """Write the shapes that all data conform to, in Turtle."""
    with writing(path) as out:
        out.write(shapes().encode())


def _write(view: View, path: Path, syntax: str, evidence: str, abstracts: str, rdf12: bool) -> None:
    with writing(path) as out:
        _serialize(view, syntax, out, evidence, abstracts, rdf12)


def _serialize(
    view: View, syntax: str, out: IO[bytes], evidence: str, abstracts: str, rdf12: bool
) -> None:
    iris = Iris(view.run().base_iri)
    SYNTAXES[syntax](iris, iter_descriptions(view, evidence, abstracts, rdf12=rdf12), out)


def _quads(iris: Iris, descriptions: Iterable[Description]) -> Iterator[Quad]:
    for layer, subject, statements in descriptions:
        graph = iris.of("graph", layer)
        for predicate, value in statements:
            yield Quad(subject, predicate, value, graph)


def _triples(descriptions: Iterable[Description]) -> Iterator[Triple]:
    for _, subject, statements in descriptions:
        for predicate, value in statements:
            yield Triple(subject, predicate, value)


def _turtle(_: Iris, descriptions: Iterable[Description], out: IO[bytes]) -> None:
    serialize(_triples(descriptions), out, RdfFormat.TURTLE, prefixes=PREFIXES)


def _trig(iris: Iris, descriptions: Iterable[Description], out: IO[bytes]) -> None:
    serialize(_quads(iris, descriptions), out, RdfFormat.TRIG, prefixes=PREFIXES)


SYNTAXES: dict[str, Serializer] = {
    "ttl": _turtle,
    "nt": write_ntriples,
    "nq": write_nquads,
    "trig": _trig,
    "jsonld": serialize_jsonld,
}
"""All RDF formats, by the ending of their files."""
