"""OpenAlex: works found by words, by a filter, or by their ids.

Protocol: https://developers.openalex.org, cursor paging. The key in ``OPENALEX_API_KEY`` is
sent where there is one; without, OpenAlex answers a small number of requests a day.
"""

from __future__ import annotations

import os
import re

from kg.fetch.connection import Connection
from kg.fetch.service import Ask, Page, Row

KEY = "OPENALEX_API_KEY"

_WORK = re.compile(r"(?:https?://(?:api\.)?openalex\.org/(?:works/)?)?(W\d+)", re.IGNORECASE)
_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:)?(10\.\d{4,9}/[^\s,|]+)", re.IGNORECASE)
_FILTER = re.compile(r"[a-z_.-]+:[^\s,:][^,]*(?:,[a-z_.-]+:[^\s,][^,]*)*")
_FIELDS = (
    "id,ids,doi,title,display_name,publication_year,publication_date,language,type,authorships,"
    "primary_location,keywords,abstract_inverted_index,is_retracted,cited_by_count,referenced_works"
)
_IDS, _LARGEST = 50, 100  # in a request, and its works: a DOI may be that of two


def page(connection: Connection, ask: Ask) -> Page:
    """Return the works of one page."""
    connection.key = os.environ.get(KEY, "").strip()
    filters = _by_ids(ask.query)
    if filters:
        return _identified(connection, filters, ask)
    wanted = {"filter" if _FILTER.fullmatch(ask.query) else "search": ask.query}
    answer = _works(connection, {**wanted, "cursor": ask.position or "*", "per_page": ask.size})
    meta = answer.get("meta")
    meta = meta if isinstance(meta, dict) else {}
    found = _results(answer)
    return Page(found, str(meta.get("next_cursor") or "") if found else "", _count(meta))


def _identified(connection: Connection, filters: list[str], ask: Ask) -> Page:
    number = int(ask.position or 0)
    found = _results(_works(connection, {"filter": filters[number], "per_page": _LARGEST}))
    more = number + 1 < len(filters)
    total = sum(part.count("|") + 1 for part in filters)
    return Page(found, str(number + 1) if more else "", total)


def _by_ids(query: str) -> list[str]:
    """Return filters for the ids of a query; none where it is more than ids.

    Example:
        >>> _by_ids("W1 https://openalex.org/W2 10.1000/x")
        ['openalex_id:W1|W2', 'doi:10.1000/x']
    """
    words = [word for word in re.split(r"[\s,]+", query) if word]
    works = [found[1].upper() for word in words if (found := _WORK.fullmatch(word))]
    dois = [found[1].lower() for word in words if (found := _DOI.fullmatch(word))]
    if len(works) + len(dois) < len(words):
        return []
    return [
        f"{name}:{'|'.join(ids[start : start + _IDS])}"
        for name, every in (("openalex_id", works), ("doi", dois))
        for ids in [list(dict.fromkeys(every))]
        for start in range(0, len(ids), _IDS)
    ]


def _works(connection: Connection, params: dict[str, str | int]) -> Row:
    return connection.get_json("/works", {**params, "select": _FIELDS})


def _results(answer: Row) -> list[Row]:
    results = answer.get("results")
    return [item for item in results if isinstance(item, dict)] if isinstance(results, list) else []


def _count(meta: Row) -> int:
    count = meta.get("count")
    return count if isinstance(count, int) else 0
