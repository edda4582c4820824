"""What a service is: how one page of its answers is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kg.fetch.connection import Connection

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ask:
    """What a service is asked for.

    Args:
        query: The query, on one line.
        position: Where to go on, as the page before said; "" at the beginning.
        size: Records that are wanted at most.
    """

    query: str
    position: str
    size: int


@dataclass(frozen=True, slots=True)
class Page:
    """A part of an answer.

    Args:
        records: Its records, plain JSON values in the format of the source.
        next: Where the next page begins; "" if this is the last one.
        total: Records of all pages; 0 where the service does not say.
    """

    records: list[Row]
    next: str = ""
    total: int = 0


@dataclass(frozen=True, slots=True)
class Service:
    """A service that has papers.

    Args:
        title: Its name, for people.
        module: The module whose function ``page(connection, ask)`` gets one page.
        address: Its base address.
        wait: Seconds between two requests.
        largest: Records of a page at most.
        asks: What a query may be, in words.
        remedies: What a person can do, by the status of an answer.
    """

    title: str
    module: str
    address: str
    wait: float
    largest: int
    asks: str
    remedies: Mapping[int, str] = field(default_factory=dict)

    def at(self, address: str) -> Service:
        """Return the same service at another address."""
        return replace(self, address=address)

    def page(self, connection: Connection, ask: Ask) -> Page:
        """Return one page, by the service's module, which is imported when first needed."""
        page: Page = import_module(self.module).page(connection, ask)
        return page
