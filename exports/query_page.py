"""The page for SPARQL queries that stands beside the explorer."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any, NamedTuple

from exports import style
from exports.examples import usual_values
from exports.explorer import embedded
from exports.iris import Iris
from exports.published import legal
from exports.queries import ReadyQuery, ready_queries
from exports.view import View
from exports.vocabulary import KINDS, PREFIXES, ROLES, term

_ASSETS = files("exports") / "assets" / "query"


class QueryPage(NamedTuple):
    """The three files of the page."""

    html: str
    css: str
    js: str


def query_page(view: View) -> QueryPage:
    """Return the page with which to ask a graph: ready queries, an editor, a table.

    Nothing of a record becomes markup: the data stand in the page as JSON and are shown as text.

    Args:
        view: The graph.
    """
    from jinja2 import Environment, StrictUndefined

    run = view.run()
    values, labels = usual_values(view), _labels(view)
    iris = Iris(run.base_iri)
    data = {
        "base": iris.base,
        "prefixes": PREFIXES,
        "choices": {"role": _terms(ROLES), "kind": _terms(KINDS)},
        "queries": [_query(ready, iris, values, labels) for ready in ready_queries().values()],
    }
    template = Environment(autoescape=True, undefined=StrictUndefined).from_string(
        _asset("query.html")
    )
    html = template.render(title=legal(run.title), data=embedded(data))
    return QueryPage(html, _colours() + _asset("query.css"), _asset("query.js"))


def _query(
    ready: ReadyQuery, iris: Iris, values: Mapping[str, str], labels: Mapping[str, str]
) -> dict[str, Any]:
    """Return a ready query with values of its parameters to which there is an answer."""
    said = {name: values[name] for name in ready.parameters if values[name]}
    bound = ready.bindings(iris, said) if len(said) == len(ready.parameters) else {}
    parameters = [
        {
            "name": name,
            "kind": kind,
            "iri": bound[name].value if name in bound else "",
            "label": legal(labels.get(said[name], said[name])) if name in bound else "",
        }
        for name, kind in ready.parameters.items()
    ]
    return {
        "name": ready.name,
        "title": ready.title,
        "text": ready.text,
        "parameters": parameters,
    }


def _labels(view: View) -> dict[str, str]:
    """Return the labels of papers and concepts, by id; where both have one, the concept's."""
    labels = {paper.id: paper.label for paper in view.papers()}
    return labels | {concept.id: concept.label for concept in view.concepts()}


def _terms(names: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"label": name, "iri": term(prefixed).value} for name, prefixed in names.items()]


def _colours() -> str:
    """Return the colours of both themes as custom properties, that of the system by default."""
    light, dark = (style.custom_properties(theme) for theme in ("light", "dark"))
    night = f"@media (prefers-color-scheme: dark){{:root:not([data-theme=light]){{{dark}}}}}"
    return f":root{{{light}}}\n{night}\n:root[data-theme=dark]{{{dark}}}\n"


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8")
