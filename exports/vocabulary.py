"""Prefixes, terms, and which class or property stands for a kind or role.

Our own namespace is fixed; the base of the data is an option of each graph.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from pyoxigraph import NamedNode

PREFIXES = {
    "bibo": "http://purl.org/ontology/bibo/",
    "dcat": "http://www.w3.org/ns/dcat#",
    "dcterms": "http://purl.org/dc/terms/",
    "fabio": "http://purl.org/spar/fabio/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "itsrdf": "http://www.w3.org/2005/11/its/rdf#",
    "kgo": "https://w3id.org/paperkg/ontology#",
    "nif": "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "schema": "https://schema.org/",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "void": "http://rdfs.org/ns/void#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}

KINDS = {
    "method": "kgo:Method",
    "dataset": "kgo:Dataset",
    "task": "kgo:Task",
    "metric": "kgo:Metric",
    "keyword": "kgo:Keyword",
}
"""Class of a concept, by kind; another kind stays a plain skos:Concept with kgo:kind."""

ROLES = {
    "proposes": "kgo:proposes",
    "uses": "kgo:uses",
    "evaluates_on": "kgo:evaluatesOn",
    "compares_with": "kgo:comparesWith",
    "studies": "kgo:studies",
    "mentions": "kgo:mentions",
}
"""Property from paper to concept, by role; another role becomes the weakest of them."""


@cache
def term(name: str) -> NamedNode:
    """Return the node of a prefixed name.

    Example:
        >>> term("kgo:uses").value
        'https://w3id.org/paperkg/ontology#uses'
    """
    prefix, _, local = name.partition(":")
    return NamedNode(PREFIXES[prefix] + local)


@cache
def prefixed(iri: str) -> str:
    """Return the prefixed name of a term, or the IRI where it is none of ours.

    Example:
        >>> prefixed("http://purl.org/dc/terms/title")
        'dcterms:title'
    """
    for prefix, namespace in PREFIXES.items():
        if iri.startswith(namespace):
            return f"{prefix}:{iri.removeprefix(namespace)}"
    return iri


def role_property(role: str) -> NamedNode:
    """Return the property that stands for a role."""
    return term(ROLES.get(role, ROLES["mentions"]))


def ontology() -> str:
    """Return our vocabulary, in Turtle."""
    return _data("ontology.ttl")


def shapes() -> str:
    """Return the SHACL shapes that all data written by this package conform to, in Turtle."""
    return _data("shapes.ttl")


def _data(name: str) -> str:
    return (files("exports") / "data" / name).read_text(encoding="utf-8")
