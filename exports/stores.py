"""An embedded Oxigraph store over a graph's RDF, and answers to SPARQL queries.

Reading only: updates are no queries, and SERVICE would open a connection.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyoxigraph import Literal, NamedNode, QueryBoolean, QuerySolutions, QueryTriples, Store

    from exports.view import View

# Where SERVICE is no keyword. A backslash outside a string escapes a character of a name,
# which then neither opens a string nor a comment.
_NO_KEYWORD = re.compile(
    r"\\."
    r'|"""(?:[^"\\]|\\.|"(?!""))*"""'
    r"|'''(?:[^'\\]|\\.|'(?!''))*'''"
    r'|"(?:[^"\\\n\r]|\\.)*"'
    r"|'(?:[^'\\\n\r]|\\.)*'"
    r"|<[^<>\"{}|^`\\\s]*>"
    r"|#[^\n\r]*",
    re.DOTALL,
)
_SERVICE = re.compile(r"(?<![\w?$:.-])SERVICE(?![\w:-])", re.IGNORECASE)
_UPDATE = re.compile(
    r"\s*+(?:(?:PREFIX\s++\S*+|BASE)\s++)*+"
    r"(?:INSERT|DELETE|WITH|LOAD|CLEAR|CREATE|DROP|ADD|MOVE|COPY)\b",
    re.IGNORECASE,
)
_REASON_LENGTH = 160


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


def answer(
    store: Store, query: str, bindings: Mapping[str, NamedNode | Literal] | None = None
) -> Answer:
    """Answer a SELECT, ASK, CONSTRUCT or DESCRIBE query over all layers of a graph.

    Args:
        store: What is asked.
        query: SPARQL; the prefixes of `exports.vocabulary` are known.
        bindings: Values of some of the variables that it selects, by their names without the
            question mark; the answer has no columns for these.

    Raises:
        QueryRefusedError: If the query cannot be parsed, is an update, has SERVICE, or does not
            select a variable that is bound.

    Example:
        >>> from pyoxigraph import Store
        >>> answer(Store(), "ASK { ?s a skos:Concept }").rows
        (('false',),)
    """
    from pyoxigraph import QueryBoolean, QuerySolutions

    with refusing():
        result = evaluate(store, query, bindings)
        if isinstance(result, QueryBoolean):
            return Answer(("answer",), ((str(bool(result)).lower(),),))
        if isinstance(result, QuerySolutions):
            free = [v for v in result.variables if v.value not in (bindings or {})]
            rows = (tuple(_plain(solution[v]) for v in free) for solution in result)
            return Answer(tuple(v.value for v in free), tuple(rows))
        triples = ((_plain(t.subject), _plain(t.predicate), _plain(t.object)) for t in result)
        return Answer(("subject", "predicate", "object"), tuple(sorted(triples)))


def evaluate(
    store: Store,
    query: str,
    bindings: Mapping[str, NamedNode | Literal] | None = None,
    *,
    default_graphs: Sequence[NamedNode] = (),
    named_graphs: Sequence[NamedNode] = (),
) -> QuerySolutions | QueryBoolean | QueryTriples:
    """Return the answer as it comes, to be read within `refusing`.

    Args:
        store: What is asked.
        query: SPARQL.
        bindings: Values of some of its variables, as for `answer`.
        default_graphs: What is asked where no GRAPH is said; all graphs if none is given.
        named_graphs: What GRAPH can name; all graphs if no graph is given at all.

    Raises:
        QueryRefusedError: If it is an update or has SERVICE.
    """
    from pyoxigraph import Variable

    from exports.vocabulary import PREFIXES

    _check(query)
    chosen = bool(default_graphs or named_graphs)
    return store.query(
        query,
        prefixes=PREFIXES,
        use_default_graph_as_union=not chosen,
        default_graph=list(default_graphs) if chosen else None,
        named_graphs=list(named_graphs) if chosen else None,
        substitutions={Variable(name): value for name, value in (bindings or {}).items()},
    )


@contextmanager
def refusing() -> Iterator[None]:
    """Turn an error of the store into one that says why a query has no answer."""
    try:
        yield
    except QueryRefusedError:
        raise
    except (SyntaxError, ValueError, OSError, RuntimeError) as error:
        reason = " ".join(str(error).split())
        short = reason if len(reason) <= _REASON_LENGTH else f"{reason[:_REASON_LENGTH]}…"
        raise QueryRefusedError(f"this is no query that can be answered: {short}") from None


def _check(query: str) -> None:
    keywords = _NO_KEYWORD.sub(" ", query)
    if _SERVICE.search(keywords):
        raise QueryRefusedError("SERVICE is refused: a query never opens a connection")
    if _UPDATE.match(keywords):
        raise QueryRefusedError(
            "updates are refused: a query only reads; change the papers instead"
        )


def _plain(term: object) -> str | None:
    return None if term is None else str(getattr(term, "value", term))
