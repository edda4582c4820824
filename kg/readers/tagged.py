"""Tagged lines: the grammar that RIS, PubMed, Web of Science and EndNote files share.

A record is a run of lines ``TAG value``; a line without a tag goes on with the value before.
Each format says how its tags look, what begins and ends a record, and which tags hold what.
What stands outside of records (banners, page numbers, links) is no record.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from kg.model import Record, Skipped, Source
from kg.readers.files import LONGEST, InputFile
from kg.readers.reader import find_year, first_name_first, is_missing, split_keywords

_DOI = re.compile(r"10\.\d{4,9}/\S+")


@dataclass(frozen=True, slots=True)
class Grammar:
    """How the lines of a format make records.

    Args:
        line: Matches a line with a tag; its groups are the tag and the value.
        begin: The tag that begins a record.
        end: The tag that ends one; none where the next one or a blank line does.
        blank_ends: Whether a blank line ends a record.
        stray: Tags that outside of a record begin one whose first line is missing.
    """

    line: re.Pattern[str]
    begin: str
    end: str = ""
    blank_ends: bool = False
    stray: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Tags:
    """Which tags hold a field, the first that says something being taken.

    Args:
        title: Tags of the title.
        abstract: Tags of the abstract; several lines of one tag are one abstract.
        authors: Tags whose every line is a name.
        year: Tags of which the first with a year is taken.
        venue: Tags of the journal or meeting.
        doi: Tags in which a DOI may stand, among other things.
        url: Tags of a link.
        keywords: Tags of keywords.
        identifier: Tags of the source's id.
    """

    title: tuple[str, ...]
    abstract: tuple[str, ...]
    authors: tuple[str, ...]
    year: tuple[str, ...]
    venue: tuple[str, ...]
    doi: tuple[str, ...]
    url: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    identifier: tuple[str, ...] = ()


@dataclass(slots=True)
class Entry:
    """The tagged lines of one record.

    Args:
        line: The number of its first line.
        fields: Its tags in order, each with its lines.
        warnings: What is odd about it.
        size: Its characters; what is more than `LONGEST` is not kept.
    """

    line: int
    fields: list[tuple[str, list[str]]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    size: int = 0

    def add(self, tag: str, value: str) -> None:
        """Add a line with a tag."""
        self.size += len(value) + 1
        if self.size <= LONGEST:
            self.fields.append((tag, [value.strip()]))

    def extend(self, line: str) -> None:
        """Add a line without a tag to the value before it."""
        self.size += len(line)
        if self.size <= LONGEST:
            self.fields[-1][1].append(line.strip())

    def values(self, *tags: str) -> list[str]:
        """Return the values of the first of these tags that says something."""
        for tag in tags:
            found = [" ".join(filter(None, lines)) for name, lines in self.fields if name == tag]
            if said := [value for value in found if not is_missing(value)]:
                return said
        return []

    def lines(self, *tags: str) -> list[str]:
        """Return the lines, for tags of which each line is a value of its own."""
        for tag in tags:
            found = [line for name, lines in self.fields if name == tag for line in lines]
            if said := [line for line in found if not is_missing(line)]:
                return said
        return []

    def first(self, *tags: str) -> str:
        """Return the first value of the first of these tags that says something."""
        return next(iter(self.values(*tags)), "")


def read_entries(lines: Iterable[str], grammar: Grammar) -> Iterator[Entry]:
    """Yield the records of a file as tagged lines, streamed."""
    entry: Entry | None = None
    blank = False
    for number, line in enumerate(lines, start=1):
        found = grammar.line.match(line)
        tag = found[1].strip() if found else ""
        if entry and _is_end(tag, line, entry, grammar, blank=blank):
            if tag != grammar.end and grammar.end:
                entry.warnings.append(f"record not closed: no {grammar.end} line")
            yield entry
            entry = None
        if found and entry is None and (tag == grammar.begin or tag in grammar.stray):
            entry = Entry(number)
            if tag != grammar.begin:
                entry.warnings.append(f"the record does not begin with {grammar.begin}")
        if entry and found:
            entry.add(tag, found[2])
        elif entry:
            entry.extend(line)
        blank = not line.strip()
    if entry:
        if grammar.end:
            entry.warnings.append(f"last record not closed: no {grammar.end} line")
        yield entry


def _is_end(tag: str, line: str, entry: Entry, grammar: Grammar, *, blank: bool) -> bool:
    """Tell whether a record ends before a line: a second first tag after a blank line does it."""
    if not tag:
        return grammar.blank_ends and not line.strip()
    return tag in (grammar.begin, grammar.end) or (blank and tag == entry.fields[0][0])


def read_tagged(file: InputFile, grammar: Grammar, tags: Tags) -> Iterator[Record | Skipped]:
    """Read the records of a file of tagged lines."""
    for entry in read_entries(file.lines(), grammar):
        yield to_record(entry, tags, file.name)


def to_record(entry: Entry, tags: Tags, file: str) -> Record | Skipped:
    """Return a record made of tagged lines."""
    identifier = entry.first(*tags.identifier)
    source = Source(file, entry.line, identifier)
    if entry.size > LONGEST:
        return Skipped(source, f"a record of more than {LONGEST >> 20} MiB")
    return Record(
        source=source,
        abstract=" ".join(entry.values(*tags.abstract)),
        title=entry.first(*tags.title),
        authors=tuple(map(first_name_first, entry.lines(*tags.authors))),
        year=_year(entry, tags.year),
        venue=entry.first(*tags.venue),
        doi=_doi(entry, tags),
        url=_url(entry, tags.url),
        keywords=_keywords(entry.lines(*tags.keywords)),
        identifier=identifier,
        warnings=tuple(entry.warnings),
    )


def _year(entry: Entry, tags: tuple[str, ...]) -> int | None:
    years = (find_year(value) for tag in tags for value in entry.values(tag))
    return next(filter(None, years), None)


def _doi(entry: Entry, tags: Tags) -> str:
    said = [value for tag in tags.doi for value in entry.values(tag)]
    links = [value for tag in tags.url for value in entry.values(tag) if "doi.org/" in value]
    found = (_DOI.search(value) for value in (*said, *links))
    return next((doi[0] for doi in found if doi), "")


def _url(entry: Entry, tags: tuple[str, ...]) -> str:
    links = [value for tag in tags for value in entry.values(tag)]
    return next((link for link in links if link.startswith("http")), "")


def _keywords(lines: list[str]) -> tuple[str, ...]:
    """Split keywords: each line holds one, or several with semicolons; a single line, any."""
    if len(lines) == 1:
        return split_keywords(lines[0])
    return tuple(word.strip() for line in lines for word in line.split(";") if word.strip())
