"""Ready queries: questions that people ask of a graph, as SPARQL for any store.

Each is a file whose first comment says what it finds, and whose further comments name its
parameters. A value is never written into the text: it is bound to a variable, by
``substitutions`` in Oxigraph, by ``initBindings`` in rdflib.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pyoxigraph import Literal, NamedNode

from exports.descriptions import person_iri
from exports.errors import OptionError
from exports.iris import Iris
from exports.vocabulary import KINDS, ROLES, term

_PARAMETER = re.compile(r"# \?(\w+): (\w+)")


@dataclass(frozen=True, slots=True)
class ReadyQuery:
    """A question that is ready to be asked.

    Args:
        name: Its name.
        title: What it finds.
        text: SPARQL.
        parameters: What each of its parameters names: one of `PARAMETERS`, by the variable.
    """

    name: str
    title: str
    text: str
    parameters: Mapping[str, str]

    def bindings(self, iris: Iris, values: Mapping[str, str]) -> dict[str, NamedNode | Literal]:
        """Return the values of the parameters as terms of a graph.

        Args:
            iris: The graph's IRIs.
            values: By parameter: the id of a concept or paper, the name of an author, or a role
                or kind.

        Raises:
            OptionError: If a value is missing, is too many, or is no role or kind.

        Example:
            >>> query = ready_queries()["papers-by-role"]
            >>> values = {"role": "uses", "concept": "bert"}
            >>> query.bindings(Iris("https://e.org/"), values)["concept"].value
            'https://e.org/concept/bert'
        """
        missing = [name for name in self.parameters if name not in values]
        unknown = [name for name in values if name not in self.parameters]
        if missing or unknown:
            known = ", ".join(f"{name} ({kind})" for name, kind in self.parameters.items())
            raise OptionError(
                f"{self.name} takes {known or 'no parameter'}; "
                + (f"{missing[0]} is missing" if missing else f"{unknown[0]!r} is none of them")
            )
        kinds = self.parameters.items()
        return {name: PARAMETERS[kind](iris, values[name]) for name, kind in kinds}


@cache
def ready_queries() -> dict[str, ReadyQuery]:
    """Return all ready queries by name.

    Example:
        >>> ready_queries()["evidence"].parameters
        {'paper': 'paper', 'concept': 'concept'}
    """
    folder = files("exports") / "queries"
    texts = {
        entry.name.removesuffix(".rq"): entry.read_text(encoding="utf-8")
        for entry in folder.iterdir()
        if entry.name.endswith(".rq")
    }
    return {name: _read(name, text) for name, text in sorted(texts.items())}


def _read(name: str, text: str) -> ReadyQuery:
    title = text.splitlines()[0].removeprefix("# ")
    return ReadyQuery(name, title, text, dict(_PARAMETER.findall(text)))


def _concept(iris: Iris, key: str) -> NamedNode:
    return iris.of("concept", key)


def _paper(iris: Iris, key: str) -> NamedNode:
    return iris.of("paper", key)


def _role(_: Iris, name: str) -> NamedNode:
    return term(_chosen("role", name, ROLES))


def _kind(_: Iris, name: str) -> NamedNode:
    return term(_chosen("kind", name, KINDS))


def _chosen(what: str, name: str, choices: Mapping[str, str]) -> str:
    if name not in choices:
        raise OptionError(f"{what} {name!r} is none of {', '.join(choices)}")
    return choices[name]


PARAMETERS: dict[str, Callable[[Iris, str], NamedNode]] = {
    "author": person_iri,
    "concept": _concept,
    "kind": _kind,
    "paper": _paper,
    "role": _role,
}
"""What a parameter can name, and how it becomes a term."""
