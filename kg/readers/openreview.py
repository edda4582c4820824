"""OpenReview: notes of its API, versions 1 and 2, and of the tools that collect them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from kg.model import Record, Skipped, Source
from kg.readers.json_values import first_text, get, items, text_of, texts, year_of
from kg.readers.reader import split_keywords, split_names

_OWN = ("forum", "invitation", "invitations", "signatures", "readers")
_SITE = re.compile(r"\.(?:cc|com|io|net|org)\b|/")
_DATES = ("pdate", "odate", "cdate", "tcdate")


def fits(value: Mapping[str, object]) -> bool:
    """Tell whether a JSON object is a note."""
    return isinstance(value.get("content"), Mapping) and any(name in value for name in _OWN)


def to_record(value: Mapping[str, object], source: Source) -> Record | Skipped:
    """Return a submission as a record; a review, comment or decision is none."""
    content = value["content"]
    forum = first_text(value, "forum", "id")
    source = Source(source.file, source.line, first_text(value, "id") or forum)
    if value.get("replyto") or (text_of(value.get("id")) or forum) != forum:
        return Skipped(source, "a review, comment or decision, no paper")
    invitation = first_text(value, "invitation") or " ".join(texts(value.get("invitations"))[:1])
    place = first_text(content, "venueid") or invitation.partition("/-/")[0]
    return Record(
        source=source,
        abstract=first_text(content, "abstract"),
        title=first_text(content, "title"),
        authors=_list(get(content, "authors"), split_names),
        year=year_of(get(content, "venue"), place) or _first_year(value),
        venue=first_text(content, "venue") or " ".join(_SITE.sub(" ", place).split()),
        doi=first_text(content, "doi", "DOI"),
        url=f"https://openreview.net/forum?id={forum}" if forum else "",
        keywords=_list(get(content, "keywords"), split_keywords),
        identifier=forum,
    )


def _list(value: object, split: Callable[[str], tuple[str, ...]]) -> tuple[str, ...]:
    """Return a list, plain or as the value of an object; a text is split."""
    value = value.get("value") if isinstance(value, Mapping) else value
    if isinstance(value, str):
        return split(value)
    named = (text_of(item) or first_text(item, "fullname") for item in items(value))
    return tuple(name for name in named if name)


def _first_year(value: Mapping[str, object]) -> int | None:
    """Return the year in which a note was made public, else written (milliseconds since 1970)."""
    dates = (value.get(name) for name in _DATES)
    seconds = (date / 1000 for date in dates if isinstance(date, int) and 0 < date < 4e12)
    return next((datetime.fromtimestamp(date, UTC).year for date in seconds), None)
