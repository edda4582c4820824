"""A process that answers one SPARQL query and ends: what runs too long can be ended for it.

It reads a question as JSON on standard input and writes the answer to standard output; on
standard error it says the media type or, where it ends with `REFUSED` or `NOT_ACCEPTABLE`, why.

    python -m exports.answering STORE SECONDS < question.json
"""

from __future__ import annotations

import errno
import json
import sys
from collections.abc import Mapping

from pyoxigraph import Literal, NamedNode, QueryResultsFormat, QueryTriples, RdfFormat, Store

from exports.stores import QueryRefusedError, evaluate, refusing

REFUSED, NOT_ACCEPTABLE, TOO_LARGE = 3, 4, 5
"""Exit codes: no query that can be answered, no format that is asked for, an answer too large."""

LARGEST_ANSWER = 256 << 20  # bytes
MOST_MEMORY = 4 << 30  # bytes that are written to

TABLES = {
    "application/sparql-results+json": QueryResultsFormat.JSON,
    "application/sparql-results+xml": QueryResultsFormat.XML,
    "text/csv": QueryResultsFormat.CSV,
    "text/tab-separated-values": QueryResultsFormat.TSV,
    "application/json": QueryResultsFormat.JSON,
    "application/xml": QueryResultsFormat.XML,
}
"""Formats of the answers to SELECT and ASK, the first by default."""

TRIPLES = {
    "text/turtle": RdfFormat.TURTLE,
    "application/n-triples": RdfFormat.N_TRIPLES,
    "application/rdf+xml": RdfFormat.RDF_XML,
    "application/ld+json": RdfFormat.JSON_LD,
}
"""Formats of the answers to CONSTRUCT and DESCRIBE, the first by default."""


def main() -> int:
    """Answer the question on standard input; return the exit code."""
    store = Store.read_only(sys.argv[1])
    _limit(int(sys.argv[2]))
    question = json.load(sys.stdin)
    try:
        with refusing():
            result = evaluate(
                store,
                question["query"],
                {name: _term(value) for name, value in question["bindings"].items()},
                default_graphs=[NamedNode(iri) for iri in question["default_graphs"]],
                named_graphs=[NamedNode(iri) for iri in question["named_graphs"]],
            )
            is_graph = isinstance(result, QueryTriples)
            media_type = question["triples" if is_graph else "table"]
            if media_type is None:
                return _end(NOT_ACCEPTABLE, ", ".join(TRIPLES if is_graph else TABLES))
            if isinstance(result, QueryTriples):
                result.serialize(sys.stdout.buffer, TRIPLES[media_type])
            else:
                result.serialize(sys.stdout.buffer, TABLES[media_type])
            sys.stdout.buffer.flush()
    except QueryRefusedError as error:
        if isinstance(error.__context__, OSError) and error.__context__.errno == errno.EFBIG:
            return _end(TOO_LARGE, "")
        return _end(REFUSED, str(error))
    return _end(0, media_type)


def _end(code: int, said: str) -> int:
    sys.stderr.write(said)
    return code


def _term(value: Mapping[str, str]) -> NamedNode | Literal:
    return NamedNode(value["iri"]) if "iri" in value else Literal(value["text"])


def _limit(seconds: int) -> None:
    """Set limits, where the system knows any, should nobody be left to end this process."""
    try:
        import resource
    except ImportError:
        return
    limits = {
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_DATA: MOST_MEMORY,
        resource.RLIMIT_FSIZE: LARGEST_ANSWER,
        resource.RLIMIT_CORE: 0,
    }
    for kind, most in limits.items():
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(
            kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard)
        )


if __name__ == "__main__":
    sys.exit(main())
