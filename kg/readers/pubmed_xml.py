"""PubMed XML, as its site and E-utilities give it: articles, and chapters of books."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from kg.model import Record, Skipped, Source
from kg.readers.files import InputFile
from kg.readers.markup import flatten
from kg.readers.reader import Reader, find_year
from kg.readers.xml_stream import Path, plain, plains, read_records, root_name

_ARTICLES = frozenset({"PubmedArticle", "PubmedBookArticle", "MedlineCitation"})
_ROOTS = _ARTICLES | {"PubmedArticleSet", "PubmedBookArticleSet", "MedlineCitationSet"}
_NO_LABEL = frozenset({"", "UNLABELLED", "UNASSIGNED", "ABSTRACT"})
_RETRACTED = "Retracted Publication"


def read(file: InputFile) -> Iterator[Record | Skipped]:
    """Read the articles of a set."""
    return read_records(file, _ARTICLES, _from_article)


def _from_article(found: Element, path: Path, source: Source) -> Record:
    book = found.find("BookDocument")
    citation = book if book is not None else found.find("MedlineCitation")
    citation = found if citation is None else citation
    article = citation.find("Article")
    article = citation if article is None else article
    number = plain(citation, "PMID")
    return Record(
        source=Source(source.file, source.line, number),
        abstract=_abstract(article, citation),
        title=_title(article),
        authors=_authors(article),
        year=_year(article),
        venue=plain(article, "Journal/Title")
        or plain(article, "Journal/ISOAbbreviation")
        or plain(citation, "MedlineJournalInfo/MedlineTA")
        or plain(article, "Book/BookTitle"),
        doi=_doi(found, article),
        url=f"https://pubmed.ncbi.nlm.nih.gov/{number}/" if number else "",
        keywords=_keywords(citation),
        identifier=number,
        warnings=_warnings(article),
    )


def _title(article: Element) -> str:
    """Return the title; PubMed puts one that it translated into square brackets."""
    title = flatten(article.find("ArticleTitle")) or flatten(article.find("Book/BookTitle"))
    bare = title.removesuffix(".")
    if bare.startswith("[") and bare.endswith("]"):
        return bare[1:-1]
    return title or flatten(article.find("VernacularTitle"))


def _abstract(article: Element, citation: Element) -> str:
    """Return the abstract with the labels of its parts; one in another language if alone."""
    places = (article.find("Abstract"), citation.find("OtherAbstract"))
    return next((text for place in places if (text := _parts(place))), "")


def _parts(abstract: Element | None) -> str:
    parts = abstract.findall("AbstractText") if abstract is not None else []
    return "\n".join(filter(None, map(_labelled, parts)))


def _labelled(part: Element) -> str:
    label = part.get("Label", "").strip().rstrip(":")
    text = flatten(part)
    return text if label.upper() in _NO_LABEL or not text else f"{label}: {text}"


def _authors(article: Element) -> tuple[str, ...]:
    lists = [
        names
        for names in article.findall("AuthorList")
        if names.get("Type", "authors") == "authors"
    ]
    found = (_name(author) for names in lists[:1] for author in names.findall("Author"))
    return tuple(name for name in found if name)


def _name(author: Element) -> str:
    first = plain(author, "ForeName") or plain(author, "Initials")
    parts = (first, plain(author, "LastName"), plain(author, "Suffix"))
    return " ".join(filter(None, parts)) or plain(author, "CollectiveName")


def _year(article: Element) -> int | None:
    """Return the year of the issue ("1998 Dec-1999 Jan" too), else of the web page."""
    places = ("Journal/JournalIssue/PubDate", "ArticleDate", "Book/PubDate", "ContributionDate")
    years = (find_year(" ".join(plains(article, f"{place}/*"))) for place in places)
    return next(filter(None, years), None)


def _doi(found: Element, article: Element) -> str:
    given = [
        plain(place)
        for place in article.findall("ELocationID[@EIdType='doi']")
        if place.get("ValidYN", "Y") == "Y"
    ]
    path = "/ArticleIdList/ArticleId[@IdType='doi']"
    listed = (
        plain(found, top + path) for top in ("PubmedData", "PubmedBookData", "BookDocument", ".")
    )
    return next(filter(None, (*given, *listed)), "")


def _keywords(citation: Element) -> tuple[str, ...]:
    """Return the authors' own keywords; the headings of a catalogue are none."""
    return tuple(
        keyword
        for words in citation.findall("KeywordList")
        if words.get("Owner", "NOTNLM") == "NOTNLM"
        for keyword in plains(words, "Keyword")
    )


def _warnings(article: Element) -> tuple[str, ...]:
    kinds = plains(article, "PublicationTypeList/PublicationType")
    return ("retracted",) if _RETRACTED in kinds else ()


READER = Reader(read, lambda head: root_name(head) in _ROOTS, (".xml",))
