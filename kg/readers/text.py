"""Plain text and Markdown: paragraphs are abstracts, headings say where they come from.

A heading with a year ("ICLR 2025 Papers") gives the venue and the year of what follows. A
Markdown heading that is a link, or has a line of names under it, is the title of all that
follows up to the next; one over a single abstract is its title. Lines such as "Title: …",
"Authors: …", "Abstract: …" say what they are. No other title is made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from kg.model import Record, Skipped, Source
from kg.readers.files import LONGEST, InputFile
from kg.readers.reader import Reader, find_year, split_keywords, split_names

_FEWEST_WORDS = 20
_FEWEST_IN_SENTENCE = 10
_HEADING_WORDS = 12
_SAMPLE = 100  # lines looked at to tell whether each is an abstract of its own
_SAMPLE_SIZE = 1 << 20  # characters of those lines

_SIGN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LETTER = re.compile(r"[^\W\d_]")
_ENDS_SENTENCE = re.compile(r"[.!?。！？…][\"'”’)\]*_]*$")
_ENDS_HEADING = re.compile(r"[.!?。！？;,]$")
_LABEL = re.compile(r"[#*_\s]*(?:abstracts?|summary)[:.*_\s]*", re.IGNORECASE)
_SECTION = re.compile(r"[A-Z][\w &/-]{2,30}:\s")

_LABELLED = re.compile(
    r"(titles?|authors?|years?|dates?|venues?|journals?|dois?|urls?|keywords?|abstracts?):\s*(.*)",
    re.IGNORECASE,
)

_HASHES = re.compile(r"#{1,6}\s+(.*?)\s*#*\s*$")
_LINKED = re.compile(r"\[(.+)\]\((\S+?)\)\s*$")
_ITALIC = re.compile(r"([*_])(?![*_\s])([^*_]+)\1\s*")
_YEAR = re.compile(r"[\s(,:–—-]*['’]?\b(?:1[89]|20)\d\d\b[\s),:–—-]*")
_GENERIC = re.compile(
    r"\b(?:accepted|papers?|abstracts?|proceedings|list|orals?|posters?|spotlights?|main|track"
    r"|collected|all|of|the|from|at|in|to|for|by|a|and)\b",
    re.IGNORECASE,
)
_ACRONYM = re.compile(r"[A-Z][\w&*-]*[A-Z][\w&*-]*(?:\s[\w&*-]+)?")


def read(file: InputFile) -> Iterator[Record | Skipped]:
    """Read one abstract a paragraph, or one a line where all lines are whole abstracts."""
    lines = file.lines()
    sample = _sampled(lines)
    state = _State(file.name)
    for number, paragraph in _paragraphs(chain(sample, lines), _is_one_a_line(sample)):
        yield from state.take(number, paragraph)
    yield from state.finish()


def _sampled(lines: Iterator[str]) -> list[str]:
    sample: list[str] = []
    size = 0
    for line in islice(lines, _SAMPLE):
        sample.append(line)
        size += len(line)
        if size > _SAMPLE_SIZE:
            break
    return sample


@dataclass
class _State:
    """What the headings so far say, and the abstract that may yet get one as its title."""

    file: str
    venue: str = ""
    year: int | None = None
    heading: Record | None = None
    held: list[Record] = field(default_factory=list)
    more: list[str] = field(default_factory=list)
    size: int = 0
    began: bool = False

    def take(self, number: int, paragraph: list[str]) -> Iterator[Record | Skipped]:
        """Take a paragraph, its first line being that of this number."""
        if labelled := _labelled(paragraph):
            yield from self._take_labelled(number, labelled)
            return
        while paragraph and (marked := _HASHES.match(paragraph[0])):
            yield from self._take_marked(number, marked[1])
            number, paragraph = number + 1, paragraph[1:]
        if len(paragraph) > 1 and not self.began and _is_volume(paragraph[0]):
            yield from self._take_heading(number, paragraph[0])
            number, paragraph = number + 1, paragraph[1:]
        if self.heading and not self.held and paragraph and not self.heading.authors:
            number, paragraph = self._take_authors(number, paragraph)
        if paragraph:
            yield from self._take_words(number, "\n".join(paragraph))

    def finish(self) -> Iterator[Record | Skipped]:
        """Give out what was held back: the abstract under a heading, or the heading alone."""
        heading, self.heading = self.heading, None
        held, self.held = self.held, []
        more, self.more, self.size = self.more, [], 0
        if heading and held:
            abstract = "\n\n".join([held[0].abstract, *more])
            venue, year = heading.venue or held[0].venue, heading.year or held[0].year
            yield replace(heading, source=held[0].source, abstract=abstract, venue=venue, year=year)
        elif heading:
            yield Skipped(heading.source, f"a heading without an abstract: {heading.title[:80]!r}")

    def _take_labelled(self, number: int, said: dict[str, str]) -> Iterator[Record | Skipped]:
        """Take lines that say what they are: a record, or the heading of an abstract below."""
        yield from self.finish()
        record = Record(
            Source(self.file, number),
            abstract=said.get("abstract", ""),
            title=said.get("title", ""),
            authors=split_names(said.get("author", "")),
            year=find_year(said.get("year") or said.get("date", "")) or self.year,
            venue=said.get("venue") or said.get("journal") or self.venue,
            doi=said.get("doi", ""),
            url=said.get("url", ""),
            keywords=split_keywords(said.get("keyword", "")),
        )
        if record.abstract:
            yield record
        else:
            self.heading = record

    def _take_marked(self, number: int, text: str) -> Iterator[Record | Skipped]:
        """Take a heading that Markdown marks: of a volume, or of one abstract."""
        yield from self.finish()
        linked = _LINKED.match(text)
        title, url = (linked[1], linked[2]) if linked else (text, "")
        if _LABEL.fullmatch(title):
            return
        venue = _venue(title)
        if find_year(title) and (not venue or _ACRONYM.fullmatch(venue)):
            self.venue, self.year, self.began = venue, find_year(title), True
            return
        self.heading = Record(Source(self.file, number), title=title, url=url)

    def _take_authors(self, number: int, paragraph: list[str]) -> tuple[int, list[str]]:
        """Take a line in italics under a title for the names of its authors."""
        italic = _ITALIC.fullmatch(paragraph[0])
        if not italic or not self.heading or _is_abstract(italic[2]):
            return number, paragraph
        names = tuple(name.strip() for name in italic[2].split(",") if name.strip())
        self.heading = replace(self.heading, authors=names)
        return number + 1, paragraph[1:]

    def _take_words(self, number: int, text: str) -> Iterator[Record | Skipped]:
        """Take a paragraph without marks: an abstract, a heading, or neither."""
        if _LABEL.fullmatch(text) or not _LETTER.search(text):
            return
        if self.held and self.heading and (self.heading.authors or self.heading.url):
            self.size += len(text)
            if self.size <= LONGEST:
                self.more.append(text)
            return
        if not _is_abstract(text):
            yield from self.finish() if self.held else ()
            yield from self._take_heading(number, text)
            return
        self.began = True
        record = Record(Source(self.file, number), abstract=text, venue=self.venue, year=self.year)
        if self.heading and not self.held:
            self.held.append(record)
            return
        if self.heading:
            yield Skipped(
                self.heading.source, f"a heading over several: {self.heading.title[:80]!r}"
            )
            yield from self.held
            self.heading, self.held = None, []
        yield record

    def _take_heading(self, number: int, text: str) -> Iterator[Record | Skipped]:
        source = Source(self.file, number)
        if not _is_heading(text):
            yield Skipped(source, f"too short for an abstract ({_count_words(text)} words)")
        elif year := find_year(text):
            self.venue, self.year, self.began = _venue(text), year, True
        else:
            yield Skipped(source, f"a heading without a year: {text.strip()[:80]!r}")


def _labelled(paragraph: list[str]) -> dict[str, str]:
    """Return what lines say that begin with a label, a title among others; else nothing."""
    said: dict[str, str] = {}
    name = ""
    for line in paragraph:
        found = _LABELLED.match(line)
        if found:
            name = found[1].lower().rstrip("s")
        elif not name:
            return {}
        said[name] = f"{said.get(name, '')} {found[2] if found else line}".strip()
    return said if said.get("title") else {}


def _paragraphs(lines: Iterable[str], one_a_line: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield runs of lines without a blank one between them, with the number of the first."""
    paragraph: list[str] = []
    start = size = 0
    for number, line in enumerate(lines, start=1):
        if not line.strip() or (paragraph and (one_a_line or _HASHES.match(line))):
            if paragraph:
                yield start, paragraph
            paragraph, size = [], 0
        if line.strip():
            start = start if paragraph else number
            size += len(line)
            if size <= LONGEST:
                paragraph.append(line.strip())
    if paragraph:
        yield start, paragraph


def _is_one_a_line(lines: list[str]) -> bool:
    """Tell whether each line, a heading aside, is an abstract: nothing blank lies between."""
    body = "".join(lines).strip().split("\n")
    if body and not _is_abstract(body[0]):
        body = "\n".join(body[1:]).strip().split("\n")
    return len(body) > 1 and all(
        _is_abstract(line) and _ENDS_SENTENCE.search(line.strip()) and not _SECTION.match(line)
        for line in body
    )


def _count_words(text: str) -> int:
    return len(text.split()) + len(_SIGN.findall(text)) // 2


def _is_abstract(text: str) -> bool:
    words = _count_words(text)
    ends = bool(_ENDS_SENTENCE.search(text.strip()))
    return words >= _FEWEST_WORDS or (words >= _FEWEST_IN_SENTENCE and ends)


def _is_heading(text: str) -> bool:
    single = "\n" not in text.strip() and not _ENDS_HEADING.search(text.strip())
    return single and len(text.split()) <= _HEADING_WORDS


def _is_volume(line: str) -> bool:
    """Tell whether a line over an abstract names a volume with its year."""
    return _is_heading(line) and bool(find_year(line))


def _venue(heading: str) -> str:
    """Return what a heading says beside the year and words such as "papers"."""
    words = _GENERIC.sub(" ", _YEAR.sub(" ", heading.strip("#*_ ")))
    return " ".join(words.split()).strip(" ,:;–—-()")


def looks_like(head: str) -> bool:
    """Tell nothing: any text may be plain, so that this format is what is left."""
    return False


READER = Reader(read, looks_like, (".txt", ".text", ".md", ".markdown"))
