"""An embedded Oxigraph store over a graph's RDF, and answers to SPARQL queries.

Reading only: updates are no queries, and SERVICE would open a connection.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyoxigraph import Store

    from exports.view import View

_STRING_IRI_OR_COMMENT = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""'
    r"|'''(?:[^'\\]|\\.|'(?!''))*'''"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'(?:[^'\\\n]|\\.)*'"
    r"|<[^<>\"{}|^`\\\s]*>"
    r"|#[^\n]*",
    re.DOTALL,
)
_SERVICE = re.compile(r"(?<![\w?$:.-])SERVICE(?![\w:-])", re.IGNORECASE)


class QueryRefusedError(ValueError):
    """The query is wrong, or would do more than read this graph; the message says which."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a query: a table of plain strings, None where a variable is unbound.

    Args:
        variables: Names of the columns, without the question mark.
        rows: One tuple a solution; an ASK has one cell, a CONSTRUCT three.
    """

    variables: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]

    def __iter__(self) -> Iterator[tuple[str | None, ...]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)


def load(view: View) -> Store:
    """Return a store in memory that holds a graph's RDF."""
    from pyoxigraph import Store

    from exports.rdf import iter_quads

    store = Store()
    store.bulk_extend(iter_quads(view))
    return store


def answer(store: Store, query: str) -> Answer:
    """Answer a SELECT, ASK, CONSTRUCT or DESCRIBE query over all layers of a graph.

    Raises:
        QueryRefusedError: If the query cannot be parsed, is an update, or has SERVICE.

    Example:
        >>> from pyoxigraph import Store
        >>> answer(Store(), "ASK { ?s ?p ?o }").rows
        (('false',),)
    """
    from pyoxigraph import QueryBoolean, QuerySolutions

    if _SERVICE.search(_STRING_IRI_OR_COMMENT.sub(" ", query)):
        raise QueryRefusedError("SERVICE is refused: a query never opens a connection")
    try:
        result = store.query(query, use_default_graph_as_union=True)
        if isinstance(result, QueryBoolean):
            return Answer(("answer",), ((str(bool(result)).lower(),),))
        if isinstance(result, QuerySolutions):
            variables = tuple(variable.value for variable in result.variables)
            rows = (tuple(_plain(value) for value in solution) for solution in result)
            return Answer(variables, tuple(rows))
        triples = ((_plain(t.subject), _plain(t.predicate), _plain(t.object)) for t in result)
        return Answer(("subject", "predicate", "object"), tuple(sorted(triples)))
    except (SyntaxError, ValueError, OSError) as error:
        raise QueryRefusedError(f"this is no query that can be answered: {error}") from None


def _plain(term: object) -> str | None:
    return None if term is None else str(getattr(term, "value", term))
