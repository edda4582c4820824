"""What the graph says of each paper, concept, link and run: one description a subject.

The model: a paper has its roles as direct properties; each of them is repeated by an
assertion, a named node with confidence, extractor and quote. No blank nodes. Each subject
is described once and in one layer, so that the triples of all formats are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from pyoxigraph import Literal, NamedNode, Triple

from exports.iris import Iris, digest, doi
from exports.literals import decimal, integer, share, tagged, text, year
from exports.published import legal
from exports.view import ConceptRecord, EvidenceRecord, LinkRecord, PaperRecord
from exports.vocabulary import KINDS, ROLES, role_property, term

Statement = tuple[NamedNode, NamedNode | Literal | Triple]


class Description(NamedTuple):
    """A subject and all that is said of it, no statement twice."""

    layer: str
    subject: NamedNode
    statements: tuple[Statement, ...]


def describe(
    layer: str, subject: NamedNode, types: str, statements: Iterable[Statement]
) -> Description:
    """Return the description of a subject.

    Args:
        layer: Which part of the graph it belongs to.
        subject: Its IRI.
        types: Prefixed names of its classes, parted by spaces.
        statements: The rest.
    """
    return Description(layer, subject, tuple(dict.fromkeys([*_classes(types), *statements])))


@cache
def _classes(types: str) -> tuple[Statement, ...]:
    return tuple((term("rdf:type"), term(name)) for name in types.split())


def paper(iris: Iris, record: PaperRecord, edges: Iterable[EvidenceRecord]) -> Description:
    """Describe a paper and what it does with its concepts."""
    return describe(
        "papers",
        iris.of("paper", record.id),
        "schema:ScholarlyArticle fabio:ResearchPaper bibo:AcademicArticle",
        [
            *_texts(record),
            *_creators(iris, record),
            *_publication(iris, record),
            *_addresses(iris, record),
            *((role_property(e.role), iris.of("concept", e.concept)) for e in edges),
        ],
    )


def _texts(record: PaperRecord) -> Iterator[Statement]:
    yield term("rdfs:label"), text(record.label or record.id)
    if record.title:
        yield term("dcterms:title"), tagged(record.title, record.language)
    if record.abstract:
        yield term("dcterms:abstract"), tagged(record.abstract, record.language)
    if record.language:
        yield term("dcterms:language"), text(record.language)
    for keyword in record.keywords:
        yield term("schema:keywords"), text(keyword)


def _creators(iris: Iris, record: PaperRecord) -> Iterator[Statement]:
    for name in record.authors:
        yield term("dcterms:creator"), person_iri(iris, name)
    for ordinal in range(1, len(record.authors) + 1):
        yield term("kgo:hasAuthorship"), _authorship_iri(iris, record.id, ordinal)


def _publication(iris: Iris, record: PaperRecord) -> Iterator[Statement]:
    if record.year is not None and (issued := year(record.year)):
        yield term("dcterms:issued"), issued
    if record.venue:
        yield term("dcterms:isPartOf"), venue_iri(iris, record.venue)
    for identifier in (record.id, *record.also_known_as):
        yield term("dcterms:identifier"), text(identifier)
    if record.doi:
        yield term("bibo:doi"), text(record.doi)
        if address := doi(record.doi):
            yield term("schema:sameAs"), address


def _addresses(iris: Iris, record: PaperRecord) -> Iterator[Statement]:
    pages = ((term("foaf:page"), url) for url in (record.url,) if url)
    code = ((term("dcterms:relation"), url) for url in record.code_urls)
    for relation, url in (*pages, *code):
        node = iris.outside(url)
        yield (relation, node) if node else (term("kgo:urlAsWritten"), text(url))


def authorships(iris: Iris, record: PaperRecord) -> Iterator[Description]:
    """Describe the place of each author among the authors of a paper."""
    for ordinal, name in enumerate(record.authors, 1):
        yield describe(
            "papers",
            _authorship_iri(iris, record.id, ordinal),
            "kgo:Authorship",
            [
                (term("kgo:agent"), person_iri(iris, name)),
                (term("kgo:ordinal"), integer(ordinal)),
                (term("kgo:nameAsWritten"), text(name)),
            ],
        )


def person(iris: Iris, name: str) -> Description:
    """Describe a person, of whom no more is known than the name."""
    named = [(term("foaf:name"), text(name))]
    return describe("papers", person_iri(iris, name), "foaf:Person", named)


def venue(iris: Iris, name: str) -> Description:
    """Describe a journal or meeting."""
    titled = [(term("dcterms:title"), text(name))]
    return describe("papers", venue_iri(iris, name), "bibo:Collection", titled)


def code(address: NamedNode) -> Description:
    """Describe a place where code is kept."""
    kept = [(term("schema:codeRepository"), address)]
    return describe("papers", address, "schema:SoftwareSourceCode", kept)


def person_iri(iris: Iris, name: str) -> NamedNode:
    """Return the IRI of a person known by name alone."""
    return iris.of("person", "name", name)


def venue_iri(iris: Iris, name: str) -> NamedNode:
    """Return the IRI of a journal or meeting."""
    return iris.of("venue", name)


def extractor_iri(iris: Iris, name: str, version: str) -> NamedNode:
    """Return the IRI of an extractor in one version."""
    return iris.of("extractor", name, version)


def _authorship_iri(iris: Iris, paper_id: str, ordinal: int) -> NamedNode:
    return iris.of("paper", paper_id, "author", str(ordinal))


def scheme(iris: Iris) -> Description:
    """Describe the scheme that all concepts are in."""
    title = [(term("dcterms:title"), tagged("Concepts named in the papers"))]
    return describe("concepts", iris.of("scheme"), "skos:ConceptScheme", title)


def concept(iris: Iris, record: ConceptRecord) -> Description:
    """Describe a concept with its names and its place among the others."""
    return describe(
        "concepts",
        iris.of("concept", record.id),
        f"skos:Concept {KINDS.get(record.kind, '')}",
        [*_names(record), *_relations(iris, record)],
    )


def _names(record: ConceptRecord) -> Iterator[Statement]:
    label = record.label or legal(record.id)
    yield term("skos:prefLabel"), tagged(label)
    for name in (*record.aliases, *record.abbreviations):
        if name and name != label:
            yield term("skos:altLabel"), tagged(name)
    for name in filter(None, record.abbreviations):
        yield term("kgo:abbreviation"), text(name)
    if record.kind and record.kind not in KINDS:
        yield term("kgo:kind"), text(record.kind)
    yield term("dcterms:identifier"), text(record.id)


def _relations(iris: Iris, record: ConceptRecord) -> Iterator[Statement]:
    for other in record.broader:
        if other != record.id:
            yield term("skos:broader"), iris.of("concept", other)
    for other in record.related:
        yield term("skos:related"), iris.of("concept", other)
    for url in record.same_as:
        node = iris.outside(url)
        yield (term("skos:exactMatch"), node) if node else (term("kgo:urlAsWritten"), text(url))
    yield term("skos:inScheme"), iris.of("scheme")


def assertion(
    iris: Iris,
    edge: EvidenceRecord,
    run: NamedNode,
    phrases: Iterable[NamedNode] = (),
    *,
    reified: bool = False,
) -> Description:
    """Describe who says, and from which words, that a paper has a role towards a concept.

    Args:
        iris: The graph's IRIs.
        edge: The role, with its best evidence.
        run: Which run found it.
        phrases: All the places that say it.
        reified: Whether its triple is named besides, as RDF 1.2 has it.
    """
    key = digest(edge.paper, edge.role, edge.concept, edge.extractor, edge.version)
    paper, concept = iris.of("paper", edge.paper), iris.of("concept", edge.concept)
    role = role_property(edge.role)
    said = [(term("rdf:reifies"), Triple(paper, role, concept))] if reified else []
    return describe(
        "evidence",
        iris.of("assertion", key),
        "kgo:Assertion rdf:Statement prov:Entity",
        [
            (term("rdf:subject"), paper),
            (term("rdf:predicate"), role),
            (term("rdf:object"), concept),
            *said,
            *_place(edge),
            (term("prov:wasAttributedTo"), extractor_iri(iris, edge.extractor, edge.version)),
            (term("prov:wasGeneratedBy"), run),
            *((term("prov:wasDerivedFrom"), phrase) for phrase in phrases),
        ],
    )


def _place(edge: EvidenceRecord) -> Iterator[Statement]:
    if edge.role not in ROLES:
        yield term("kgo:roleAsWritten"), text(edge.role)
    yield term("kgo:confidence"), share(edge.confidence)
    yield term("kgo:quote"), text(edge.quote)
    if edge.sentence:
        yield term("kgo:sentence"), text(edge.sentence)
    yield term("kgo:field"), text(edge.field)
    yield term("kgo:begin"), integer(edge.start)
    yield term("kgo:end"), integer(edge.end)


def link(iris: Iris, record: LinkRecord, run: NamedNode) -> Description:
    """Describe a link between two papers, its two signals said apart."""
    shared = [iris.of("concept", key) for key in record.concepts]
    return describe(
        "links",
        iris.of("link", digest(record.source, record.target)),
        "kgo:PaperLink",
        [
            (term("kgo:source"), iris.of("paper", record.source)),
            (term("kgo:target"), iris.of("paper", record.target)),
            (term("kgo:weight"), decimal(record.weight)),
            (term("kgo:sharedWeight"), decimal(record.shared)),
            (term("kgo:similarity"), decimal(record.similarity)),
            *((term("kgo:sharedConcept"), node) for node in shared),
            (term("kgo:sharedConceptCount"), integer(len(set(shared)))),
            (term("prov:wasGeneratedBy"), run),
        ],
    )
