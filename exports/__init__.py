"""A graph of papers and concepts, written for people, programs and stores.

    View (tables or networkx) ──▶ WRITERS[format](view, path)

Example:
    >>> from exports import WRITERS
    >>> sorted(WRITERS)[:3]
    ['bibtex', 'csl', 'csv']
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exports.errors import ExportError, OptionError, OrderError

if TYPE_CHECKING:
    from exports.view import View

__all__ = ["WRITERS", "ExportError", "OptionError", "OrderError", "Writer", "find_format"]


@dataclass(frozen=True, slots=True)
class Writer:
    """A function that writes a graph, imported when it is first called.

    Args:
        module: Where the function stands.
        name: Its name.
        options: Keyword options that it knows.
        suffix: The ending of its files, where it is another than the name of the format.
    """

    module: str
    name: str
    options: frozenset[str] = frozenset()
    suffix: str = ""

    def __call__(self, view: View, path: Path, **options: Any) -> None:
        """Write the graph to a file (CSV: also to a folder).

        Raises:
            OptionError: If this format has no such option.
        """
        unknown = sorted(set(options) - self.options)
        if unknown:
            known = ", ".join(sorted(self.options)) or "none"
            raise OptionError(f"this format has no option {unknown[0]!r}; it knows {known}")
        getattr(import_module(self.module), self.name)(view, Path(path), **options)


_RDF = frozenset({"evidence", "abstracts"})
_RDF12 = _RDF | {"rdf12"}
_FILE = frozenset({"abstracts"})
_HTML = frozenset({"abstracts", "title"})
_EXPLORER = _HTML | {"max_nodes", "around", "hops"}

WRITERS: dict[str, Writer] = {
    "html": Writer("exports.explorer", "write_html", _EXPLORER),
    "pyvis": Writer("exports.small_view", "write_html", _HTML, "html"),
    "ttl": Writer("exports.rdf", "write_ttl", _RDF12),
    "nt": Writer("exports.rdf", "write_nt", _RDF12),
    "nq": Writer("exports.rdf", "write_nq", _RDF12),
    "trig": Writer("exports.rdf", "write_trig", _RDF12),
    "jsonld": Writer("exports.rdf", "write_jsonld", _RDF),
    "graphml": Writer("exports.networks", "write_graphml", _FILE),
    "gexf": Writer("exports.networks", "write_gexf", _FILE),
    "csv": Writer("exports.files", "write_csv", _FILE),
    "json": Writer("exports.files", "write_json", _FILE),
    "bibtex": Writer("exports.bibliography", "write_bibtex", _FILE, "bib"),
    "ris": Writer("exports.bibliography", "write_ris", _FILE),
    "csl": Writer("exports.bibliography", "write_csl", _FILE, "csl.json"),
    "ontology": Writer("exports.rdf", "write_ontology", suffix="ontology.ttl"),
    "shapes": Writer("exports.rdf", "write_shapes", suffix="shapes.ttl"),
}
"""All formats, by the name that the command and the file's ending use."""


def find_format(path: Path) -> str:
    """Return the name of the format that a file's ending stands for; else the ending itself.

    Example:
        >>> find_format(Path("papers.bib")), find_format(Path("graph.html"))
        ('bibtex', 'html')
    """
    suffix = path.suffix.lstrip(".").lower()
    by_suffix = {writer.suffix: name for name, writer in WRITERS.items() if writer.suffix}
    return suffix if suffix in WRITERS else by_suffix.get(suffix, suffix)
