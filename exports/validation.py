"""Whether RDF keeps the shapes: SHACL by pySHACL, and the checks that SHACL is slow at.

The checks are queries that must find nothing: that each quote stands where it is said to,
that each assertion is stated, that the counts are true, that SKOS is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyoxigraph import RdfFormat, Store, Triple, serialize

from exports.errors import ExportError, MissingExtraError, OptionError
from exports.rdf import iter_quads
from exports.stores import answer
from exports.view import View
from exports.vocabulary import shapes

if TYPE_CHECKING:
    import rdflib

SHACL = "http://www.w3.org/ns/shacl#"


@dataclass(frozen=True, slots=True, order=True)
class Violation:
    """Something that is not as the shapes have it.

    Args:
        rule: What would be right.
        focus: What breaks it, an IRI.
        value: The value that does, if it is one.
    """

    rule: str
    focus: str
    value: str = ""


def load_view(view: View, *, evidence: str = "assertion") -> Store:
    """Return the RDF of a graph in a store."""
    store = Store()
    store.bulk_extend(iter_quads(view, evidence=evidence))
    return store


def load_file(path: str | Path) -> Store:
    """Return the content of an RDF file in a store, read strictly.

    Raises:
        OptionError: If it is no RDF, by its suffix or content.
    """
    syntax = RdfFormat.from_extension(Path(path).suffix.lstrip("."))
    if syntax is None:
        raise OptionError(f"{path} has no suffix of RDF: ttl, nt, nq, trig, jsonld or rdf")
    store = Store()
    try:
        store.bulk_load(path=str(path), format=syntax)
    except (SyntaxError, ValueError) as error:
        raise OptionError(f"{path} is not valid {syntax.name}: {error}") from None
    except OSError as error:
        raise ExportError(f"cannot read {path}: {error.strerror or error}") from None
    return store


def violations(store: Store) -> list[Violation]:
    """Return all that is not as it should be, sorted; nothing for what this package writes.

    Args:
        store: The RDF; it is held once more in memory while it is checked.

    Raises:
        MissingExtraError: If pySHACL is not installed.

    Example:
        >>> violations(load_file("graph.ttl"))  # doctest: +SKIP
        [Violation(rule='a paper has an identifier', focus='https://e.org/paper/x', value='')]
    """
    return sorted({*_shape_violations(store), *_check_violations(store)})


def _shape_violations(store: Store) -> Iterator[Violation]:
    try:
        from pyshacl import validate
    except ImportError:
        raise MissingExtraError(
            "this needs pySHACL; install it with: pip install 'paperkg[shacl]'"
        ) from None
    import rdflib

    data = rdflib.Graph().parse(data=_ntriples(store), format="nt")
    rules = rdflib.Graph().parse(data=shapes(), format="turtle")
    conforms, report, text = validate(data, shacl_graph=rules, inference="none")
    if not isinstance(report, rdflib.Graph):
        raise ExportError(f"pySHACL fails: {text}")
    if not conforms:
        yield from _reported(report)


def _reported(report: rdflib.Graph) -> Iterator[Violation]:
    from rdflib import RDF, Namespace

    shacl = Namespace(SHACL)

    def said(result: Any, name: str) -> str:
        value = report.value(result, shacl[name])
        return "" if value is None else str(value)

    for result in report.subjects(RDF.type, shacl.ValidationResult):
        rule = said(result, "resultMessage")
        yield Violation(rule, said(result, "focusNode"), said(result, "value"))


def _check_violations(store: Store) -> Iterator[Violation]:
    for entry in (files("exports") / "checks").iterdir():
        if entry.name.endswith(".rq"):
            text = entry.read_text(encoding="utf-8")
            rule = text.splitlines()[0].removeprefix("# ")
            for focus, value in answer(store, text):
                yield Violation(rule, focus or "", value or "")


def _ntriples(store: Store) -> bytes:
    """Return the triples of all graphs, but those of RDF 1.2, which rdflib cannot read."""
    triples = (quad.triple for quad in store if not isinstance(quad.object, Triple))
    return serialize(triples, format=RdfFormat.N_TRIPLES) or b""
