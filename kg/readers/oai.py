"""OAI-PMH: what archives hand out in bulk, as arXiv's own metadata or as Dublin Core."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from kg.model import Record, Skipped, Source
from kg.readers.arxiv import arxiv_id
from kg.readers.files import InputFile
from kg.readers.reader import Reader, find_year, first_name_first
from kg.readers.xml_stream import Path, plain, plains, read_records, root_name

_ROOTS = ("OAI-PMH", "ListRecords", "GetRecord")
_COMMENT = re.compile(r"comments?\s*:", re.IGNORECASE)
_DOI = re.compile(r"(?:doi:|https?://(?:dx\.)?doi\.org/)?(10\.\d{4,}[^\s/]*/\S+)", re.IGNORECASE)


def read(file: InputFile) -> Iterator[Record | Skipped]:
    """Read the records of an answer or a harvest."""
    return read_records(file, frozenset({"record", "error"}), _from_record)


def _from_record(record: Element, path: Path, source: Source) -> Record | Skipped:
    if record.tag == "error":
        return Skipped(source, f"an error of the archive: {plain(record)[:200]}")
    header = plain(record, "header/identifier")
    source = Source(source.file, source.line, arxiv_id(header) or header)
    head = record.find("header")
    if head is not None and head.get("status") == "deleted":
        return Skipped(source, "deleted at its archive")
    metadata = record.find("metadata/*")
    if metadata is None:
        return Skipped(source, "no metadata")
    if metadata.tag in ("arXiv", "arXivRaw", "arXivOld"):
        return _from_arxiv(metadata, source)
    if metadata.tag == "dc":
        return _from_dublin_core(metadata, source)
    return Skipped(source, f"metadata of the format {metadata.tag[:40]!r}; harvest oai_dc")


def _from_arxiv(metadata: Element, source: Source) -> Record:
    identifier = arxiv_id(plain(metadata, "id")) or source.record
    return Record(
        source=source,
        abstract=plain(metadata, "abstract"),
        title=plain(metadata, "title"),
        authors=_authors(metadata),
        year=find_year(plain(metadata, "created") or plain(metadata, "version/date")),
        venue=plain(metadata, "journal-ref") or "arXiv",
        doi=plain(metadata, "doi"),
        url=f"https://arxiv.org/abs/{identifier}",
        identifier=identifier,
    )


def _authors(metadata: Element) -> tuple[str, ...]:
    parts = [
        [plain(author, part) for part in ("forenames", "keyname", "suffix")]
        for author in metadata.findall("authors/author")
    ]
    names = tuple(filter(None, (" ".join(filter(None, part)) for part in parts)))
    written = plain(metadata, "authors")
    return names or tuple(filter(None, re.split(r",\s*(?:and\s+)?|\s+and\s+", written)))


def _from_dublin_core(metadata: Element, source: Source) -> Record:
    identifiers = plains(metadata, "identifier") + plains(metadata, "relation")
    dates = sorted(plains(metadata, "date"))
    abstracts = [text for text in plains(metadata, "description") if not _COMMENT.match(text)]
    return Record(
        source=source,
        abstract=abstracts[0] if abstracts else "",
        title=plain(metadata, "title"),
        authors=tuple(map(first_name_first, plains(metadata, "creator"))),
        year=find_year(dates[0]) if dates else None,
        venue=plain(metadata, "source") or "arXiv" * bool(arxiv_id(source.record)),
        doi=next((found[1] for text in identifiers if (found := _DOI.fullmatch(text))), ""),
        url=next((text for text in identifiers if text.startswith("http")), ""),
        keywords=() if arxiv_id(source.record) else plains(metadata, "subject"),
        identifier=source.record,
    )


READER = Reader(read, lambda head: root_name(head) in _ROOTS, (".xml",))
