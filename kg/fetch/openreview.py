"""OpenReview: the notes of a venue or an invitation, found by words, or by their ids.

Protocol: https://docs.openreview.net, API version 2; version 1, with the venues before 2023,
speaks alike at https://api.openreview.net. An account is taken from ``OPENREVIEW_USERNAME``
and ``OPENREVIEW_PASSWORD``, or a session from ``OPENREVIEW_TOKEN``.
"""

from __future__ import annotations

import os
import re

from kg.fetch.connection import Connection
from kg.fetch.service import Ask, Page, Row

USERNAME, PASSWORD, TOKEN = "OPENREVIEW_USERNAME", "OPENREVIEW_PASSWORD", "OPENREVIEW_TOKEN"

_ID = re.compile(r"(?:https?://openreview\.net/forum\?id=)?((?=\S*(?:\d|[a-z][A-Z]))[\w-]{8,12})")


def page(connection: Connection, ask: Ask) -> Page:
    """Return the notes of one page."""
    if not connection.token:
        _sign_in(connection)
    words = [word for word in re.split(r"[\s,]+", ask.query) if word]
    ids = [found[1] for word in words if (found := _ID.fullmatch(word))]
    if len(ids) == len(words):
        return _identified(connection, ids, ask)
    if "/" in ask.query:
        return _of_venue(connection, ask)
    return _found(connection, ask)


def _sign_in(connection: Connection) -> None:
    """Get a token, where the environment names an account.

    Raises:
        FetchError: If OpenReview does not take it, or asks for a second factor.
    """
    name, password = os.environ.get(USERNAME, ""), os.environ.get(PASSWORD, "")
    connection.token = os.environ.get(TOKEN, "").strip()
    if connection.token or not (name and password):
        return
    answer = connection.post_json("/login", {"id": name, "password": password})
    token = answer.get("token")
    if not isinstance(token, str) or not token:
        remedy = f"set {TOKEN} to the token of a session"
        raise connection.refusal("the account asks for a second factor", remedy)
    connection.token = token


def _identified(connection: Connection, ids: list[str], ask: Ask) -> Page:
    number = int(ask.position or 0)
    notes = _notes(connection.get_json("/notes", {"id": ids[number]}))
    return Page(notes, str(number + 1) if number + 1 < len(ids) else "", len(ids))


def _of_venue(connection: Connection, ask: Ask) -> Page:
    """Return a page in the order of the ids, which new notes do not move."""
    field = "invitation" if "/-/" in ask.query else "content.venueid"
    params: dict[str, str | int] = {field: ask.query, "sort": "id", "limit": ask.size}
    params |= {"after": ask.position} if ask.position else {"count": "true"}
    answer = connection.get_json("/notes", params)
    notes = _notes(answer)
    last = str(notes[-1].get("id", "")) if len(notes) == ask.size else ""
    return Page(notes, last, _count(answer))


def _found(connection: Connection, ask: Ask) -> Page:
    offset = int(ask.position or 0)
    params: dict[str, str | int] = {"term": ask.query, "content": "all", "group": "all"}
    params |= {"source": "forum", "limit": ask.size, "offset": offset}
    answer = connection.get_json("/notes/search", params)
    notes = _notes(answer)
    end = offset + len(notes)
    return Page(notes, str(end) if notes and end < _count(answer) else "", _count(answer))


def _notes(answer: Row) -> list[Row]:
    notes = answer.get("notes")
    return [note for note in notes if isinstance(note, dict)] if isinstance(notes, list) else []


def _count(answer: Row) -> int:
    count = answer.get("count")
    return count if isinstance(count, int) else 0
