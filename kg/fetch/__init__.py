"""Fetching: records from the services of the field, on request only.

    a query or ids ──▶ a service's pages, one after the other ──▶ a file that `kg` reads

No other part of kg asks a service for papers. `SOURCES` is the only list of services. They are
spoken to directly: what their client libraries add to an address and a page number is small,
and each repeats, waits and fails in its own way; here all do alike (`kg.fetch.connection`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kg.errors import FetchError, OptionError, UnknownNameError
from kg.fetch.connection import Connection, check_address
from kg.fetch.harvest import Harvest
from kg.fetch.service import Ask, Service

__all__ = ["SOURCES", "Fetched", "Service", "fetch", "find_source"]

SOURCES: dict[str, Service] = {
    "openalex": Service(
        title="OpenAlex",
        module="kg.fetch.openalex",
        address="https://api.openalex.org",
        wait=0.2,
        largest=100,
        asks="words, a filter (publication_year:2024,…), or DOIs and ids",
        remedies={
            401: "set OPENALEX_API_KEY to a key of openalex.org/settings/api",
            403: "it takes fewer requests a second; run the same command later",
            429: "the day's free requests are used up; set OPENALEX_API_KEY to a key, free at "
            "openalex.org/settings/api, or run the same command tomorrow",
        },
    ),
    "arxiv": Service(
        title="arXiv",
        module="kg.fetch.arxiv",
        address="https://export.arxiv.org",
        wait=3.0,
        largest=100,
        asks="words, a search (cat:cs.CL AND ti:parsing), or ids",
        remedies={400: "see the query; arXiv gives no more than 30,000 records for one"},
    ),
    "openreview": Service(
        title="OpenReview",
        module="kg.fetch.openreview",
        address="https://api2.openreview.net",
        wait=1.0,
        largest=1000,
        asks="a venue (ICLR.cc/2024/Conference), an invitation, words, or ids",
        remedies={
            401: "set OPENREVIEW_USERNAME and OPENREVIEW_PASSWORD to those of an account",
            403: "OpenReview asks strangers to sign in; set OPENREVIEW_USERNAME and "
            "OPENREVIEW_PASSWORD to those of an account, free at openreview.net",
        },
    ),
    "acl": Service(
        title="the ACL Anthology",
        module="kg.fetch.acl",
        address="https://raw.githubusercontent.com/acl-org/acl-anthology/master",
        wait=1.0,
        largest=1_000_000,
        asks="ids of volumes or papers (2024.acl-long, P18-1001)",
        remedies={404: "it has no volume of this name; aclanthology.org lists them"},
    ),
}
"""The services by name."""

Progress = Callable[[str, int, int], None]


def _silent(stage: str, done: int, total: int) -> None:
    """Report nothing."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """What was fetched.

    Args:
        path: The file, one record a line.
        records: How many there are.
        total: How many the service has for the query; 0 where it does not say.
        before: How many of them an earlier run had fetched.
    """

    path: Path
    records: int
    total: int = 0
    before: int = 0


def find_source(name: str, address: str = "") -> Service:
    """Return a service of `SOURCES`, or another one that speaks the same protocol.

    Args:
        name: Its name.
        address: Base address of the other one; "" for the service itself.

    Raises:
        UnknownNameError: If there is no such source, with suggestions.
        OptionError: If the address is none.
    """
    if name not in SOURCES:
        raise UnknownNameError("source", name, SOURCES)
    return SOURCES[name].at(check_address(address)) if address else SOURCES[name]


def fetch(
    service: Service,
    query: str,
    output: str | Path,
    *,
    limit: int | None = None,
    mail: str = "",
    progress: Progress = _silent,
) -> Fetched:
    """Fetch the records that a service has for a query, and write them to a file.

    A run that stopped, for whatever reason, is gone on with by the next one for the same
    query and file. The file takes its name once it is complete.

    Args:
        service: One of `SOURCES`, by `find_source`.
        query: What is asked for, as `Service.asks` says.
        output: The file to write, JSON Lines in the format of the source.
        limit: Records at most; all where None.
        mail: An address to which the service may write about the requests.
        progress: Called with the service's title, records so far, and records in all.

    Raises:
        FetchError: If the service cannot be reached, refuses, or finds nothing.
        OptionError: If the query is empty or the mail address is none.
        FolderError: If the file is there already, or cannot be written.

    Example:
        >>> fetch(find_source("acl"), "2024.acl-long", "acl.jsonl")  # doctest: +SKIP
    """
    if not query.strip():
        raise OptionError(f"say what to fetch: {service.asks}")
    query = " ".join(query.split())
    harvest = Harvest.resume(Path(output), f"{service.address} {query}")
    before = harvest.records
    with Connection(service, mail=mail) as connection:
        while not harvest.complete and (limit is None or harvest.records < limit):
            left = service.largest if limit is None else limit - harvest.records
            ask = Ask(query, harvest.position, min(service.largest, left))
            page = service.page(connection, ask)
            harvest.add(page.records[:left], page.next, page.total)
            total = harvest.total or harvest.records
            progress(service.title, harvest.records, total if limit is None else min(total, limit))
    if not harvest.records:
        harvest.discard()
        raise FetchError(f"{service.title} has nothing for {query[:80]!r}; it takes {service.asks}")
    harvest.finish()
    return Fetched(Path(output), harvest.records, harvest.total, before)
