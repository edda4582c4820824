"""Crossref XML: answers of its queries, and deposits; abstracts are JATS."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from kg.model import Record, Skipped, Source
from kg.readers.files import InputFile
from kg.readers.markup import flatten
from kg.readers.reader import Reader, find_year
from kg.readers.xml_stream import Path, plain, plains, read_records, root_name

_ROOTS = ("crossref_result", "doi_records", "doi_record", "doi_batch", "crossref")
_SETTING = {
    "journal_metadata": "full_title",
    "proceedings_metadata": "proceedings_title",
    "proceedings_series_metadata": "proceedings_title",
    "book_metadata": "titles/title",
    "book_series_metadata": "titles/title",
    "book_set_metadata": "titles/title",
}
_RECORDS = frozenset({
    "journal_article", "conference_paper", "content_item", "posted_content", "dissertation",
    "report-paper_metadata", "report-paper_series_metadata", "book_metadata",
})  # fmt: skip
_WANTED = _RECORDS | _SETTING.keys() | {"journal_issue", "msg"}
_DATES = ("publication_date", "posted_date", "approval_date", "completion_date")
_SHORT = frozenset({"graphical", "teaser", "toc", "short"})


def read(file: InputFile) -> Iterator[Record | Skipped]:
    """Read the works of a file."""
    return read_records(file, _WANTED, _Setting().take)


@dataclass
class _Setting:
    """What stands before the works of a journal or a volume: its title and its year."""

    titles: dict[str, str] = field(default_factory=dict)
    year: int | None = None

    def take(self, found: Element, path: Path, source: Source) -> Record | Skipped | None:
        """Take what comes next: a work, or the setting of those that follow."""
        if found.tag == "msg":
            return Skipped(source, f"Crossref found nothing: {plain(found)[:200]}")
        unit = path[-1][0] if path else ""
        if found.tag in _SETTING:
            self.titles = {unit: plain(found, _SETTING[found.tag])}
            self.year = _year(found)
        if found.tag == "journal_issue":
            self.year = _year(found)
        return self._work(found, unit, source) if found.tag in _RECORDS else None

    def _work(self, work: Element, unit: str, source: Source) -> Record:
        doi = plain(work, "doi_data/doi")
        of_book = work.tag == "book_metadata"
        return Record(
            source=Source(source.file, source.line, doi),
            abstract=_abstract(work),
            title=_title(work),
            authors=_authors(work),
            year=_year(work) or (self.year if unit in self.titles else None),
            venue=""
            if of_book
            else self.titles.get(unit) or plain(work, "institution/institution_name"),
            doi=doi,
            url=plain(work, "doi_data/resource"),
            identifier=doi,
        )


def _title(work: Element) -> str:
    title, subtitle = flatten(work.find("titles/title")), flatten(work.find("titles/subtitle"))
    return f"{title}: {subtitle}" if title and subtitle else title


def _abstract(work: Element) -> str:
    """Return the abstract; a graphical or shortened one only if there is no other."""
    found = work.findall("abstract")
    whole = [item for item in found if item.get("abstract-type", "") not in _SHORT]
    return next((text for item in whole + found if (text := flatten(item))), "")


def _authors(work: Element) -> tuple[str, ...]:
    everyone = [*work.findall("contributors/*"), *work.findall("person_name")]
    authors = [person for person in everyone if person.get("contributor_role") == "author"]
    names = (_name(person) for person in authors)
    return tuple(name for name in names if name)


def _name(person: Element) -> str:
    if person.tag != "person_name":
        return plain(person)
    parts = (plain(person, part) for part in ("given_name", "surname", "suffix"))
    return " ".join(filter(None, parts))


def _year(element: Element) -> int | None:
    years = (find_year(text) for date in _DATES for text in plains(element, f"{date}/year"))
    return min(filter(None, years), default=None)


READER = Reader(read, lambda head: root_name(head) in _ROOTS, (".xml",))
