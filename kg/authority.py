"""A user's authority file: which concepts there are, all their names, and their IRIs.

Either SKOS in any syntax of RDF (also SKOS-XL labels), or a table: label, IRI. Labels of one
concept become one; its IRI and those it matches exactly become links.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pyoxigraph import BlankNode, Literal, NamedNode, Quad, RdfFormat, parse

from exports.iris import outside
from kg.curated import name_key
from kg.errors import InputError
from kg.readers.files import InputFile, open_text
from kg.thesaurus import rows
from kg.vocabulary import Vocabulary, told

_SKOS = "http://www.w3.org/2004/02/skos/core#"
_XL = "http://www.w3.org/2008/05/skos-xl#"
_PREFERRED = frozenset([f"{_SKOS}prefLabel", f"{_XL}prefLabel"])
_OTHER = frozenset(f"{base}{name}" for base in (_SKOS, _XL) for name in ("altLabel", "hiddenLabel"))
_FALLBACK = "http://www.w3.org/2000/01/rdf-schema#label"
_LITERAL_FORM = f"{_XL}literalForm"
_SAME = frozenset(
    [
        f"{_SKOS}exactMatch",
        "http://www.w3.org/2002/07/owl#sameAs",
        "http://schema.org/sameAs",
        "https://schema.org/sameAs",
    ]
)
_TABLES = frozenset([".tsv", ".txt", ".csv", ".tab"])
_PACKED = frozenset([".gz", ".bz2", ".zst"])
_BESIDE = re.compile(r"<!--.*?-->|<\?.*?\?>", re.DOTALL)
_PROLOGUE = re.compile(
    r"""\s*(?:<!DOCTYPE[^\[>]*(?:\[(?P<declared>(?:[^\]"']|"[^"]*"|'[^']*')*)\]\s*)?>)?\s*<[^\W\d]"""
)
_DECLARED = re.compile(r"""\s*<!ENTITY\s+[\w.-]+\s+(?:"[^"&%]{,300}"|'[^'&%]{,300}')\s*>\s*""")
_MOST_FAULTS = 1000  # in one file; then it is something else

_Node = NamedNode | BlankNode


@dataclass(slots=True)
class _Entry:
    """A concept of an authority file: names by rank (preferred, other, fallback), and IRIs."""

    names: list[tuple[int, bool, str]] = field(default_factory=list)  # rank, foreign, name
    iris: set[str] = field(default_factory=set)

    def ranked(self) -> list[str]:
        """Its names, the preferred first; those of other languages only if there are no others."""
        ours = [item for item in self.names if not item[1]] or self.names
        best = [item for item in ours if item[0] < 2] or ours
        return list(dict.fromkeys(name for _, _, name in sorted(best)))


def read_authority(path: Path) -> Vocabulary:
    """Return what an authority file says; what cannot be used becomes a warning.

    Args:
        path: SKOS (.ttl, .nt, .rdf, .owl, .jsonld, …) or a table (.tsv, .csv), may be packed.

    Raises:
        InputError: If there is no such file, or it is neither.

    Example:
        >>> read_authority(Path("cso.ttl")).same_as[0]  # doctest: +SKIP
        ('3-d printing', 'https://cso.kmi.open.ac.uk/topics/3-d_printing')
    """
    suffix = Path(path.stem).suffix if path.suffix.lower() in _PACKED else path.suffix
    with open_text(path) as file:
        if suffix.lower() in _TABLES:
            return _vocabulary(*_from_table(file), file.name)
        syntax = _format(suffix.lower(), file.name)
        if syntax == RdfFormat.RDF_XML:
            _refuse_growth(file)
        return _vocabulary(*_from_skos(file, syntax), file.name)


def _format(suffix: str, name: str) -> RdfFormat:
    found = RdfFormat.from_extension("rdf" if suffix == ".owl" else suffix.removeprefix("."))
    if found is None:
        raise InputError(
            f"{name} is no authority file; give SKOS as .ttl, .nt, .rdf or .jsonld,"
            " or a table of label and IRI as .tsv"
        )
    return found


def _refuse_growth(file: InputFile) -> None:
    """Refuse XML whose entities hold more than short texts: they can grow without end."""
    prologue = _PROLOGUE.match(_BESIDE.sub("", file.head.removeprefix("\ufeff")))
    if prologue is None or _DECLARED.sub("", prologue["declared"] or "").strip():
        raise InputError(
            f"{file.name} is no RDF/XML, or declares more than short entities; convert it to Turtle"
        )


def _from_table(file: InputFile) -> tuple[list[_Entry], list[str]]:
    by_iri: dict[str, _Entry] = {}
    warnings = []
    for number, cells in rows(file):
        iri = cells[1] if len(cells) > 1 else ""
        if not name_key(cells[0]):
            warnings.append(f"{file.name}:{number}: the first column is empty")
        elif not outside(iri):
            warnings.append(f"{file.name}:{number}: {iri or 'nothing'!r} is no http IRI")
        else:
            entry = by_iri.setdefault(iri, _Entry(iris={iri}))
            entry.names.append((len(entry.names) > 0, False, cells[0]))
    return list(by_iri.values()), warnings


def _from_skos(file: InputFile, syntax: RdfFormat) -> tuple[list[_Entry], list[str]]:
    warnings: list[str] = []
    entries: dict[_Node, _Entry] = defaultdict(_Entry)
    forms: dict[object, Literal] = {}
    reified: list[tuple[_Node, int, object]] = []
    for quad in _quads(file, syntax, warnings):
        subject, said, value = quad.subject, quad.predicate.value, quad.object
        if not isinstance(subject, NamedNode | BlankNode):
            continue
        rank = _rank(said)
        if said == _LITERAL_FORM and isinstance(value, Literal):
            forms[subject] = value
        elif rank is not None and isinstance(value, Literal):
            _name(entries[subject], rank, value)
        elif rank is not None:
            reified.append((subject, rank, value))
        elif said in _SAME and isinstance(value, NamedNode):
            entries[subject].iris.add(value.value)
    for subject, rank, label in reified:
        if label in forms:
            _name(entries[subject], rank, forms[label])
    return _named(entries), warnings


def _quads(file: InputFile, syntax: RdfFormat, warnings: list[str]) -> Iterator[Quad]:
    """Yield what can be read; behind a fault, what the parser still makes of the rest."""
    parser = parse(file.stream, format=syntax, base_iri="urn:authority:")
    while len(warnings) < _MOST_FAULTS:
        try:
            yield next(parser)
        except StopIteration:
            return
        except (SyntaxError, ValueError) as error:
            message, line = getattr(error, "msg", str(error)), getattr(error, "lineno", None)
            warnings.append(f"{file.name}:{line or 1}: {message}")
        except (OSError, MemoryError) as error:  # the parser bounds what it holds
            warnings.append(f"{file.name}: breaks off: {error}")
            return


def _rank(said: str) -> int | None:
    if said in _PREFERRED:
        return 0
    if said in _OTHER:
        return 1
    return 2 if said == _FALLBACK else None


def _name(entry: _Entry, rank: int, label: Literal) -> None:
    language = (label.language or "en").partition("-")[0].lower()
    if name_key(label.value):
        entry.names.append((rank, language not in ("en", "mul"), " ".join(label.value.split())))


def _named(entries: Mapping[_Node, _Entry]) -> list[_Entry]:
    """Return the entries that have names, sorted, each with its own IRI and those it matches."""
    found = []
    for node, entry in sorted(entries.items(), key=lambda item: str(item[0])):
        if entry.names:
            entry.iris |= {node.value} if isinstance(node, NamedNode) else set()
            found.append(entry)
    return found


def _vocabulary(entries: Iterable[_Entry], warnings: list[str], file: str) -> Vocabulary:
    """Return the entries as names and links; a name of two concepts says nothing of either."""
    listed = [(entry.ranked(), sorted(filter(outside, entry.iris))) for entry in entries]
    preferred = Counter(name_key(names[0]) for names, _ in listed)
    claims = Counter(key for names, _ in listed for key in set(map(name_key, names)))
    merged, same_as = [], []
    for (label, *others), iris in listed:
        if preferred[name_key(label)] == 1:
            own = [name for name in others if claims[name_key(name)] == 1]
            merged += [(name, label) for name in (label, *own)]
            same_as += [(label, iri) for iri in iris]
    if unclear := sum(number > 1 for number in claims.values()):
        warnings.append(f"{file}: names that stand for more than one concept: {unclear}")
    return Vocabulary(tuple(merged), same_as=tuple(same_as), warnings=told(warnings, file))
