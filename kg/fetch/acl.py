"""The ACL Anthology: the papers of volumes, or single ones, by the Anthology's ids.

The Anthology has no service that searches; its data are XML files, one a collection, which
are fetched whole (https://github.com/acl-org/acl-anthology) and become plain records.
"""

from __future__ import annotations

import re

from kg.errors import OptionError
from kg.fetch.connection import Connection
from kg.fetch.service import Ask, Page, Row
from kg.model import Record
from kg.readers import acl
from kg.readers.files import from_text

_ID = re.compile(
    r"(?:https?://(?:www\.)?aclanthology\.org/(?:volumes/)?)?"
    r"((?P<new>\d{4}\.[a-z0-9_]+)(?:-\w+(?:\.\d+)?)?|(?P<old>[A-Z]\d\d)(?:-\d{1,4})?)/?"
)


def page(connection: Connection, ask: Ask) -> Page:
    """Return the papers of one collection that are asked for.

    Raises:
        OptionError: If something is no id of the Anthology.
        FetchError: If the file cannot be fetched or read.
    """
    wanted = _by_collection(ask.query)
    number = int(ask.position or 0)
    collection = list(wanted)[number]
    body = connection.get(f"/data/xml/{collection}.xml")
    if not body.rstrip().endswith(b"</collection>"):
        raise connection.refusal(f"{collection}.xml is no whole file", "is the address right?")
    found = [
        _row(item)
        for item in acl.read(from_text(body, f"{collection}.xml"))
        if isinstance(item, Record) and any(_covers(name, item) for name in wanted[collection])
    ]
    return Page(found, str(number + 1) if number + 1 < len(wanted) else "")


def _by_collection(query: str) -> dict[str, list[str]]:
    """Return the ids of a query by the collection, that is the file, that holds them.

    Example:
        >>> _by_collection("2024.acl-long P18-1 2024.acl-short.3")
        {'2024.acl': ['2024.acl-long', '2024.acl-short.3'], 'P18': ['P18-1']}
    """
    wanted: dict[str, list[str]] = {}
    for word in filter(None, re.split(r"[\s,]+", query)):
        found = _ID.fullmatch(word)
        if not found:
            raise OptionError(
                f"{word!r} is no id of the ACL Anthology, such as 2024.acl-long or P18-1001; "
                "words are searched by: kg fetch openalex"
            )
        wanted.setdefault(found["new"] or found["old"], []).append(found[1])
    return wanted


def _covers(wanted: str, record: Record) -> bool:
    """Tell whether an id is that of a paper, or of the volume or collection that holds it.

    Example:
        >>> from kg.model import Source
        >>> _covers("P18-1", Record(Source(), identifier="P18-1001"))
        True
    """
    identifier = record.identifier
    if wanted[0].isdigit():
        return identifier == wanted or identifier.startswith((f"{wanted}.", f"{wanted}-"))
    return identifier.startswith(wanted)


def _row(record: Record) -> Row:
    """Return a record under the names by which kg reads any JSON."""
    names = ("title", "abstract", "authors", "year", "venue", "doi", "url")
    values = {name: getattr(record, name) for name in names}
    return {"id": record.identifier} | {name: value for name, value in values.items() if value}
