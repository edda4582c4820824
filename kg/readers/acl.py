"""The XML of the ACL Anthology: a collection of volumes, each with its papers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from kg.model import Record, Skipped, Source
from kg.readers.files import InputFile
from kg.readers.markup import flatten
from kg.readers.reader import Reader, find_year
from kg.readers.xml_stream import Path, plain, read_records, root_name

_WANTED = frozenset({"meta", "frontmatter", "paper", "talk"})


def read(file: InputFile) -> Iterator[Record | Skipped]:
    """Read the papers of a collection."""
    return read_records(file, _WANTED, _Volume().take)


@dataclass
class _Volume:
    """What the head of a volume says of its papers."""

    venue: str = ""
    year: int | None = None

    def take(self, found: Element, path: Path, source: Source) -> Record | Skipped | None:
        """Take what comes next: the head of a volume, or one of its papers."""
        within = path[-1][0] if path else ""
        if found.tag == "talk":
            return Skipped(source, f"a talk, no paper: {plain(found, 'title')[:80]!r}")
        if found.tag != "meta":
            return self._paper(found, Source(source.file, source.line, _id(found, path)))
        if within == "volume":
            self.venue = plain(found, "journal-title") or flatten(found.find("booktitle"))
            self.year = find_year(plain(found, "year"))
        return None

    def _paper(self, paper: Element, source: Source) -> Record | Skipped:
        title, abstract = flatten(paper.find("title")), flatten(paper.find("abstract"))
        if paper.tag == "frontmatter" and not (title or abstract):
            return Skipped(source, "front matter, without a title and an abstract")
        names = (_name(author) for author in paper.findall("author"))
        return Record(
            source=source,
            abstract=abstract,
            title=title,
            authors=tuple(name for name in names if name),
            year=find_year(plain(paper, "year")) or self.year,
            venue=self.venue,
            doi=plain(paper, "doi"),
            url=f"https://aclanthology.org/{source.record}/" if source.record else "",
            identifier=source.record,
            warnings=tuple(
                word for word in ("retracted", "removed") if paper.find(word) is not None
            ),
        )


def _name(author: Element) -> str:
    return " ".join(filter(None, (plain(author, "first"), plain(author, "last"))))


def _id(paper: Element, path: Path) -> str:
    """Return the Anthology's id of a paper, from the ids of the elements around it."""
    ids = {name: attributes.get("id", "") for name, attributes in path}
    collection, volume = ids.get("collection", ""), ids.get("volume", "")
    number = "0" if paper.tag == "frontmatter" else paper.get("id", "")
    if not (collection and volume and number):
        return ""
    if not (collection[0].isalpha() and volume.isdecimal() and number.isdecimal()):
        return f"{collection}-{volume}.{number}"
    if (
        collection[0] == "W"
        or collection == "C69"
        or (collection == "D19" and volume not in "1234")
    ):
        return f"{collection}-{volume:0>2}{number:0>2}"
    return f"{collection}-{volume}{number:0>3}"


def looks_like(head: str) -> bool:
    """Tell whether a text begins with a collection of the Anthology."""
    return root_name(head) == "collection" and "<volume" in head


READER = Reader(read, looks_like, (".xml",))
