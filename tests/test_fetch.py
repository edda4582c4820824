"""Fetching: from servers on this machine that play answers written in the services' formats."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from kg.errors import FetchError, FolderError, OptionError, UnknownNameError
from kg.fetch import SOURCES, Fetched, connection, fetch, find_source
from kg.model import Paper
from kg.readers import iter_papers, read_papers

KG = [sys.executable, "-c", "from kg.cli import main; main()"]
CUT, HANG = "Cut", "Hang"  # headers of our own: the answer breaks off, or does not come


class Player:
    """A server that plays answers, in their order; ``requests`` has what it was asked."""

    def __init__(self) -> None:
        self.script: list[tuple[int, dict[str, str], bytes]] = []
        self.requests: list[tuple[str, dict[str, str], dict[str, str]]] = []
        self.asked_to_hang, self.released = threading.Event(), threading.Event()
        player = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                asked = parts.path, dict(parse_qsl(parts.query)), dict(self.headers)
                player.requests.append(asked)
                status, headers, body = player.script.pop(0) if player.script else (418, {}, b"")
                if HANG in headers:
                    player.asked_to_hang.set()
                    player.released.wait(60)
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                for name, value in headers.items():
                    self.send_header(name, value)
                with suppress(OSError):  # a client that was stopped does not wait for it
                    self.end_headers()
                    self.wfile.write(body[: len(body) // 2] if CUT in headers else body)
                self.close_connection = CUT in headers

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.do_GET()

            def log_message(self, *args: Any) -> None:
                """Say nothing."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.http.server_port}"

    def plays(self, *answers: dict[str, Any] | str | tuple[int, dict[str, str], Any]) -> None:
        for answer in answers:
            status, headers, body = answer if isinstance(answer, tuple) else (200, {}, answer)
            text = body if isinstance(body, str) else json.dumps(body)
            self.script.append((status, headers, text.encode()))

    def asked(self, name: str) -> list[str | None]:
        return [params.get(name) for _, params, _ in self.requests]


@pytest.fixture
def player(monkeypatch: pytest.MonkeyPatch) -> Iterator[Player]:
    """A running server, without proxies on the way and without anybody's keys."""
    monkeypatch.setenv("NO_PROXY", "*")
    for name in (
        "OPENALEX_API_KEY",
        *(f"OPENREVIEW_{x}" for x in ("USERNAME", "PASSWORD", "TOKEN")),
    ):
        monkeypatch.delenv(name, raising=False)
    player = Player()
    thread = threading.Thread(target=player.http.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield player
    player.released.set()
    player.http.shutdown()
    player.http.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that were waited; the test does not wait them."""
    seconds: list[float] = []
    monkeypatch.setattr(time, "sleep", seconds.append)
    return seconds


@pytest.fixture
def run(player: Player, tmp_path: Path) -> Callable[..., Fetched]:
    """Fetch from the player into papers.jsonl."""

    def run(source: str, query: str, name: str = "papers.jsonl", **options: Any) -> Fetched:
        return fetch(find_source(source, player.address), query, tmp_path / name, **options)

    return run


def work(number: int) -> dict[str, Any]:
    """A work as OpenAlex answers it."""
    return {
        "id": f"https://openalex.org/W{number}",
        "doi": f"https://doi.org/10.1000/fern{number}",
        "title": f"Ferns, part {number}",
        "display_name": f"Ferns, part {number}",
        "publication_year": 2024,
        "authorships": [{"author": {"display_name": "Ada Moth"}, "raw_author_name": "A. Moth"}],
        "primary_location": {
            "landing_page_url": f"https://example.org/{number}",
            "source": {"display_name": "Journal of Ferns"},
        },
        "abstract_inverted_index": {"We": [0], "count": [1], "ferns.": [2], f"Again{number}.": [3]},
    }


def works(*numbers: int, cursor: str | None, count: int = 5) -> dict[str, Any]:
    meta = {"count": count, "per_page": 2, "next_cursor": cursor}
    return {"meta": meta, "results": [work(number) for number in numbers], "group_by": []}


def feed(total: int, *entries: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" '
        'xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" '
        'xmlns:arxiv="http://arxiv.org/schemas/atom">'
        f"<opensearch:totalResults>{total}</opensearch:totalResults>"
        f"{''.join(entries)}</feed>"
    )


def entry(number: int) -> str:
    return f"""<entry><id>http://arxiv.org/abs/2401.0000{number}v2</id>
    <updated>2024-02-01T00:00:00Z</updated><published>2024-01-0{number}T00:00:00Z</published>
    <title>Moss {number}: x &lt; y &amp; z</title><summary>We study moss
    where $a_{number} &lt; b$.</summary>
    <author><name>Ada B. Moth</name></author><author><name>Moss Group</name></author>
    <arxiv:doi>10.1000/moss{number}</arxiv:doi><arxiv:comment>9 pages</arxiv:comment>
    <link href="http://arxiv.org/abs/2401.0000{number}v2" rel="alternate"/>
    <category term="cs.LG"/><category term="stat.ML"/></entry>"""


def note(number: int) -> dict[str, Any]:
    """A submission as OpenReview answers it, version 2."""
    return {
        "id": f"note{number:06d}",
        "forum": f"note{number:06d}",
        "invitations": ["Fern.cc/2024/Conference/-/Submission"],
        "pdate": 1_705_000_000_000,
        "content": {
            "title": {"value": f"Lichens {number}"},
            "abstract": {"value": f"We draw lichens, {number} of them."},
            "authors": {"value": ["Ada Moth"]},
            "venue": {"value": "Fern 2024 poster"},
            "venueid": {"value": "Fern.cc/2024/Conference"},
        },
    }


def facts(papers: Iterable[Paper], *without: str) -> list[dict[str, Any]]:
    """What the papers say, whatever the file that they were read from."""
    names = [name for name in Paper.__slots__ if name not in ("source", *without)]
    return [{name: getattr(paper, name) for name in names} for paper in papers]


ACL = """<?xml version='1.0' encoding='UTF-8'?>
<collection id="2024.acl">
  <volume id="long"><meta><booktitle>Proceedings of <fixed-case>ACL</fixed-case></booktitle>
    <year>2024</year></meta>
    <frontmatter><url>2024.acl-long.0</url></frontmatter>
    <paper id="1"><title>Parsing <fixed-case>F</fixed-case>erns</title>
      <author><first>Ada</first><last>Moth</last></author>
      <abstract>We parse ferns, where x &lt; y &amp; z.</abstract><doi>10.1000/acl.1</doi></paper>
    <paper id="12"><title>Tagging Moss</title><abstract>We tag moss.</abstract></paper></volume>
  <volume id="short"><meta><booktitle>Short Papers</booktitle><year>2024</year></meta>
    <paper id="1"><title>Short Ferns</title><abstract>We are brief.</abstract></paper></volume>
</collection>
"""
OLD_ACL = """<?xml version='1.0' encoding='UTF-8'?>
<collection id="P18"><volume id="1"><meta><booktitle>ACL</booktitle><year>2018</year></meta>
    <paper id="1"><title>Old Ferns</title><abstract>We parse old ferns.</abstract></paper></volume>
  <volume id="2"><meta><booktitle>ACL</booktitle><year>2018</year></meta>
    <paper id="1"><title>Old Moss</title><abstract>We parse old moss.</abstract></paper></volume>
</collection>
"""


def test_openalex_pages_by_cursor_to_the_end(run: Callable[..., Fetched], player: Player) -> None:
    player.plays(works(1, 2, cursor="c2"), works(3, 4, cursor="c3"), works(5, cursor=None))
    found = run("openalex", "counting  ferns", mail="ada@example.org")
    assert (found.records, found.total, found.before) == (5, 5, 0)
    assert player.asked("cursor") == ["*", "c2", "c3"]
    assert player.asked("search") == ["counting ferns"] * 3
    papers = read_papers(found.path).papers
    assert [paper.doi for paper in papers] == [f"10.1000/fern{n}" for n in range(1, 6)]
    assert papers[0].abstract == "We count ferns. Again1."
    assert (papers[0].venue, papers[0].authors) == ("Journal of Ferns", ("Ada Moth",))


def test_a_line_is_the_record_as_the_service_gives_it(
    run: Callable[..., Fetched], player: Player
) -> None:
    player.plays(works(1, cursor=None))
    lines = run("openalex", "ferns").path.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [work(1)]


def test_a_service_learns_who_asks(
    run: Callable[..., Fetched], player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENALEX_API_KEY", " secret-key\n")
    player.plays(works(1, cursor=None))
    run("openalex", "ferns", mail="ada@example.org")
    ((_, params, headers),) = player.requests
    assert headers["User-Agent"].startswith("paperkg/")
    assert "mailto:ada@example.org" in headers["User-Agent"]
    assert headers["From"] == "ada@example.org"
    assert params["api_key"] == "secret-key"


@pytest.mark.parametrize(
    ("query", "name", "value"),
    [
        ("publication_year:2024,type:article", "filter", "publication_year:2024,type:article"),
        ("BERT: a model", "search", "BERT: a model"),
        ("W1, https://openalex.org/W2 w1", "filter", "openalex_id:W1|W2"),
        ("https://doi.org/10.1000/A doi:10.1000/b", "filter", "doi:10.1000/a|10.1000/b"),
    ],
)
def test_openalex_is_asked_by_words_filters_or_ids(
    query: str, name: str, value: str, run: Callable[..., Fetched], player: Player
) -> None:
    player.plays(works(1, cursor=None))
    run("openalex", query)
    assert player.asked(name) == [value]


def test_many_ids_are_asked_in_parts(run: Callable[..., Fetched], player: Player) -> None:
    player.plays(works(1, cursor="x"), works(2, cursor="x"), works(3, cursor="x"))
    found = run("openalex", " ".join(f"W{n}" for n in range(60)) + " 10.1000/fern3")
    assert [str(value).count("|") for value in player.asked("filter")] == [49, 9, 0]
    assert (found.records, found.total) == (3, 61)


def test_a_limit_is_kept_and_asks_for_no_more(run: Callable[..., Fetched], player: Player) -> None:
    player.plays(works(1, 2, cursor="c2"), works(3, 4, cursor="c3"))
    assert run("openalex", "ferns", limit=3).records == 3
    assert player.asked("per_page") == ["3", "1"]


def test_a_busy_service_is_asked_again_after_a_pause(
    run: Callable[..., Fetched], player: Player, slept: list[float]
) -> None:
    player.plays((429, {"Retry-After": "7"}, {}), (503, {}, ""), works(1, cursor=None))
    assert run("openalex", "ferns").records == 1
    assert 7 in slept
    assert max(slept) >= connection.BACKOFF


def test_no_service_makes_us_wait_for_hours(
    run: Callable[..., Fetched], player: Player, slept: list[float]
) -> None:
    said = {"error": "Rate limit exceeded", "message": "Daily budget\nused up"}
    player.plays(*[(429, {"Retry-After": "40000"}, said)] * connection.TRIES)
    with pytest.raises(FetchError, match=r"429 \(Rate limit.*used up\); .*OPENALEX_API_KEY"):
        run("openalex", "ferns")
    assert max(slept) <= connection.LONGEST_WAIT


def test_arxiv_is_asked_at_most_once_in_three_seconds(
    run: Callable[..., Fetched], player: Player, slept: list[float]
) -> None:
    player.plays(feed(3, entry(1), entry(2)), feed(3, entry(3)))
    run("arxiv", "moss")
    assert any(2.5 < seconds <= 3 for seconds in slept)


def test_an_answer_that_breaks_off_is_asked_for_again(
    run: Callable[..., Fetched], player: Player
) -> None:
    player.plays((200, {CUT: "1"}, works(1, cursor=None)), works(1, cursor=None))
    assert run("openalex", "ferns").records == 1


def test_a_run_goes_on_where_the_service_died(
    run: Callable[..., Fetched], player: Player, tmp_path: Path
) -> None:
    dead = [(500, {}, "out of order")] * connection.TRIES
    player.plays(works(1, 2, cursor="c2"), works(3, cursor="c3"), *dead)
    with pytest.raises(FetchError, match=r"status 500.*goes on from there"):
        run("openalex", "ferns")
    assert not (tmp_path / "papers.jsonl").exists()
    with (tmp_path / "papers.jsonl.unfinished").open("a") as file:
        file.write('{"id": "half a rec')
    player.requests.clear()
    player.plays(works(4, 5, cursor=None))
    found = run("openalex", "ferns")
    assert player.asked("cursor") == ["c3"]
    assert (found.records, found.total, found.before) == (5, 5, 3)
    assert [path.name for path in tmp_path.iterdir()] == ["papers.jsonl"]
    assert len(read_papers(found.path).papers) == 5


def test_a_run_that_was_whole_but_not_named_asks_nothing(
    run: Callable[..., Fetched], player: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    player.plays(works(1, cursor=None))
    with monkeypatch.context() as patched:
        patched.setattr("kg.fetch.harvest.Harvest.finish", lambda self: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            run("openalex", "ferns")
    assert run("openalex", "ferns").before == 1
    assert len(player.requests) == 1


def test_another_query_does_not_go_on_with_an_unfinished_file(
    run: Callable[..., Fetched], player: Player
) -> None:
    player.plays(works(1, cursor="c2"), (400, {}, {"error": "Invalid", "message": "bad cursor"}))
    with pytest.raises(FetchError, match=r"400 \(Invalid: bad cursor\)"):
        run("openalex", "ferns")
    with pytest.raises(FolderError, match=r"unfinished run for .*ferns"):
        run("openalex", "mosses")


@pytest.mark.parametrize("state", ["", "{", "[]", '{"size": 1}', '{"size": "x"}', "null"])
def test_a_state_that_cannot_be_read_begins_anew(
    state: str, run: Callable[..., Fetched], player: Player, tmp_path: Path
) -> None:
    (tmp_path / "papers.jsonl.state").write_text(state)
    (tmp_path / "papers.jsonl.unfinished").write_text("rubbish that is longer than a record\n" * 99)
    player.plays(works(1, cursor=None))
    found = run("openalex", "ferns")
    assert json.loads(found.path.read_text(encoding="utf-8")) == work(1)


def test_a_file_that_is_there_is_not_touched(run: Callable[..., Fetched], tmp_path: Path) -> None:
    (tmp_path / "papers.jsonl").write_text("mine")
    with pytest.raises(FolderError, match="there already"):
        run("openalex", "ferns")
    assert (tmp_path / "papers.jsonl").read_text() == "mine"


def test_nothing_found_is_said_and_leaves_nothing(
    run: Callable[..., Fetched], player: Player, tmp_path: Path
) -> None:
    player.plays(works(cursor=None, count=0))
    with pytest.raises(FetchError, match="OpenAlex has nothing for 'fernz'"):
        run("openalex", "fernz")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("body", ["<html>no</html>", "[1]", "", '{"results": 7}', '{"meta": []}'])
def test_an_odd_answer_is_an_error_in_one_line(
    body: str, run: Callable[..., Fetched], player: Player, tmp_path: Path
) -> None:
    player.plays(body)
    with pytest.raises(FetchError) as error:
        run("openalex", "ferns")
    assert "\n" not in str(error.value)
    assert not list(tmp_path.iterdir())


def test_an_endless_answer_is_refused(
    run: Callable[..., Fetched], player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "LARGEST", 1000)
    player.plays("x" * 100_000)
    with pytest.raises(FetchError, match="an answer of more than"):
        run("openalex", "ferns")


def test_what_a_service_says_never_shows_the_key(
    run: Callable[..., Fetched], player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENALEX_API_KEY", "secret-key")
    player.plays((401, {}, {"error": "Bad key secret-key\x1b[2J"}))
    with pytest.raises(FetchError, match=r"401 .*OPENALEX_API_KEY") as error:
        run("openalex", "ferns")
    assert "secret-key" not in str(error.value)
    assert "\x1b" not in str(error.value)


def test_arxiv_pages_by_number_and_reads_back_as_its_own_feed_does(
    run: Callable[..., Fetched], player: Player, write: Callable[..., Path]
) -> None:
    player.plays(feed(3, entry(1), entry(2)), feed(3, entry(3)))
    found = run("arxiv", '"deep moss" lichen')
    assert player.asked("search_query") == ['all:"deep moss" AND all:lichen'] * 2
    assert player.asked("start") == ["0", "2"]
    own = read_papers(write(feed(3, *map(entry, (1, 2, 3))), "own.xml")).papers
    assert facts(read_papers(found.path).papers, "url") == facts(own, "url")
    assert own[0].authors == ("Ada B. Moth", "Moss Group")


@pytest.mark.parametrize(
    ("query", "params"),
    [
        ("2401.00001, arXiv:2401.00002v1", {"id_list": "2401.00001,2401.00002v1"}),
        ("cat:cs.CL AND ti:moss", {"search_query": "cat:cs.CL AND ti:moss"}),
        ("https://arxiv.org/abs/astro-ph/0601001", {"id_list": "astro-ph/0601001"}),
    ],
)
def test_arxiv_is_asked_by_ids_or_in_its_own_language(
    query: str, params: dict[str, str], run: Callable[..., Fetched], player: Player
) -> None:
    player.plays(feed(1, entry(1)))
    run("arxiv", query)
    ((path, asked, _),) = player.requests
    assert path == "/api/query"
    assert params.items() <= asked.items()


def test_arxiv_may_answer_an_empty_page_and_is_asked_again(
    run: Callable[..., Fetched], player: Player
) -> None:
    player.plays(feed(2, entry(1)), feed(2), feed(2, entry(2)))
    assert run("arxiv", "moss").records == 2
    player.plays(*[feed(9)] * 3)
    with pytest.raises(FetchError, match="an empty page"):
        run("arxiv", "lichen", name="more.jsonl")


def test_errors_of_arxiv_are_said(run: Callable[..., Fetched], player: Player) -> None:
    wrong = (
        "<entry><id>http://arxiv.org/api/errors#bad</id><title>Error</title>"
        "<summary>incorrect id format for x</summary></entry>"
    )
    player.plays(feed(1, wrong), (400, {}, feed(1, wrong)), "<feed><entry>")
    for pattern in ("arXiv: incorrect id.*see the query", "400 .incorrect id", "no feed"):
        with pytest.raises(FetchError, match=pattern):
            run("arxiv", "moss")


def test_openreview_pages_a_venue_in_the_order_of_ids(player: Player, tmp_path: Path) -> None:
    first = {"notes": [note(1), note(2)], "count": 3}
    player.plays(first, {"notes": [note(3)]})
    service = replace(find_source("openreview", player.address), largest=2)
    found = fetch(service, "Fern.cc/2024/Conference", tmp_path / "papers.jsonl")
    assert (found.records, found.total) == (3, 3)
    assert player.asked("content.venueid") == ["Fern.cc/2024/Conference"] * 2
    assert player.asked("after") == [None, "note000002"]
    papers = read_papers(found.path).papers
    assert [paper.title for paper in papers] == ["Lichens 1", "Lichens 2", "Lichens 3"]
    assert (papers[0].year, papers[0].venue) == (2024, "Fern 2024 poster")


@pytest.mark.parametrize(
    ("query", "path", "name", "value"),
    [
        (
            "F.cc/2020/C/-/Blind_Submission",
            "/notes",
            "invitation",
            "F.cc/2020/C/-/Blind_Submission",
        ),
        ("5sRnsubyAK", "/notes", "id", "5sRnsubyAK"),
        ("transformers", "/notes/search", "term", "transformers"),
    ],
)
def test_openreview_is_asked_by_invitation_id_or_words(
    query: str, path: str, name: str, value: str, run: Callable[..., Fetched], player: Player
) -> None:
    player.plays({"notes": [note(1)], "count": 1})
    assert run("openreview", query).records == 1
    ((asked, params, _),) = player.requests
    assert (asked, params[name]) == (path, value)


def test_openreview_signs_in_once_where_the_environment_names_an_account(
    run: Callable[..., Fetched], player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENREVIEW_USERNAME", "ada@example.org")
    monkeypatch.setenv("OPENREVIEW_PASSWORD", "moss")
    page = {"notes": [note(1)], "count": 2}
    player.plays({"token": "t0k"}, page, {"notes": [note(2)], "count": 2})
    run("openreview", "lichens of the north")
    assert [path for path, _, _ in player.requests] == ["/login", "/notes/search", "/notes/search"]
    assert [h.get("Authorization") for _, _, h in player.requests] == [None] + ["Bearer t0k"] * 2


def test_openreview_says_what_to_do_where_it_wants_an_account(
    run: Callable[..., Fetched], player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    player.plays((403, {}, {"name": "ChallengeRequiredError", "message": "Challenge required"}))
    with pytest.raises(FetchError, match=r"403 .Challenge required.; .*OPENREVIEW_USERNAME"):
        run("openreview", "lichens")
    monkeypatch.setenv("OPENREVIEW_USERNAME", "ada@example.org")
    monkeypatch.setenv("OPENREVIEW_PASSWORD", "moss")
    player.plays({"mfaPending": True, "mfaPendingToken": "x"})
    with pytest.raises(FetchError, match="second factor; set OPENREVIEW_TOKEN"):
        run("openreview", "lichens")


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("2024.acl-long", ["Parsing Ferns", "Tagging Moss"]),
        ("2024.acl-long.1", ["Parsing Ferns"]),
        ("https://aclanthology.org/2024.acl-long.12/", ["Tagging Moss"]),
        ("2024.acl", ["Parsing Ferns", "Tagging Moss", "Short Ferns"]),
        ("2024.acl-short, 2024.acl-long.12", ["Tagging Moss", "Short Ferns"]),
    ],
)
def test_the_anthology_gives_collections_volumes_and_papers(
    query: str, titles: list[str], run: Callable[..., Fetched], player: Player
) -> None:
    player.plays(ACL)
    found = list(iter_papers(run("acl", query).path))
    assert [getattr(paper, "title", paper) for paper in found] == titles
    assert [path for path, _, _ in player.requests] == ["/data/xml/2024.acl.xml"]


def test_the_anthology_reads_back_as_its_own_file_does(
    run: Callable[..., Fetched], player: Player, write: Callable[..., Path]
) -> None:
    player.plays(ACL, OLD_ACL)
    found = run("acl", "2024.acl P18-2")
    own = read_papers(write(ACL, "acl.xml")).papers
    back = read_papers(found.path).papers
    assert [p.title for p in back if p.year == 2018] == ["Old Moss"]
    assert facts(p for p in back if p.year == 2024) == facts(own)


def test_the_anthology_is_not_searched_and_half_a_file_is_none(
    run: Callable[..., Fetched], player: Player
) -> None:
    with pytest.raises(OptionError, match=r"'parsing' is no id.*kg fetch openalex"):
        run("acl", "parsing ferns")
    player.plays(ACL[: len(ACL) // 2], (404, {}, "404: Not Found"))
    with pytest.raises(FetchError, match="no whole file"):
        run("acl", "2024.acl")
    with pytest.raises(FetchError, match=r"status 404; .*aclanthology\.org"):
        run("acl", "2024.acl")


@pytest.mark.parametrize("mail", ["ada", "a@b\r\nX: y", "é@x", "a @b"])
def test_a_mail_address_adds_no_header(mail: str, run: Callable[..., Fetched]) -> None:
    with pytest.raises(OptionError, match="no mail address"):
        run("openalex", "ferns", mail=mail)


@pytest.mark.parametrize("address", ["ftp://x", "x", "http://", "http://a?b", "http://u:p@h"])
def test_an_address_is_one_of_http(address: str) -> None:
    with pytest.raises(OptionError, match="an address is such as"):
        find_source("openalex", address)


def test_an_unknown_source_is_an_error_with_suggestions() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'openalex'"):
        find_source("openalexx")


def test_a_server_that_is_not_there_is_said_in_one_line(player: Player, tmp_path: Path) -> None:
    service = find_source("arxiv", "http://127.0.0.1:9")
    with pytest.raises(FetchError, match=r"no answer from arXiv at 127\.0\.0\.1 .*online"):
        fetch(service, "moss", tmp_path / "papers.jsonl")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("source", SOURCES)
def test_an_empty_query_is_an_error_that_says_what_to_ask(
    source: str, run: Callable[..., Fetched]
) -> None:
    with pytest.raises(OptionError, match="say what to fetch"):
        run(source, " ")


def kg(*args: str | Path, cwd: Path, python: list[str] = KG) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*python, *map(str, args)],
        cwd=cwd,
        env=os.environ | {"NO_PROXY": "*"},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def test_the_command_fetches_what_build_reads(player: Player, tmp_path: Path) -> None:
    player.plays(works(1, 2, cursor=None, count=2))
    asked = ("openalex", "counting", "ferns", "-o", "papers.jsonl", "--address", player.address)
    done = kg("fetch", *asked, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Wrote papers.jsonl: 2 records" in done.stdout
    assert player.asked("search") == ["counting ferns"]
    again = kg("fetch", *asked, cwd=tmp_path)
    assert again.returncode == 1
    assert again.stderr.startswith("kg: papers.jsonl is there already")
    assert len(again.stderr.splitlines()) == 1


def test_the_command_has_help_that_names_every_source(tmp_path: Path) -> None:
    done = kg("fetch", "--help", cwd=tmp_path)
    assert done.returncode == 0
    assert all(word in done.stdout for word in ("Example:", "OPENALEX_API_KEY", *SOURCES))


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal of POSIX")
def test_ctrl_c_keeps_what_is_there_and_the_command_goes_on(player: Player, tmp_path: Path) -> None:
    player.plays(works(1, 2, cursor="c2"), (200, {HANG: "1"}, works(3, cursor=None)))
    asked = ("fetch", "openalex", "ferns", "-o", "p.jsonl", "--address", player.address)
    command = [*KG, *asked]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert player.asked_to_hang.wait(60)
        process.send_signal(signal.SIGINT)
        assert process.stderr
        said = process.stderr.read()
    assert process.returncode == 130
    assert "kept, the same command goes on from there" in said
    player.released.set()
    player.plays(works(3, cursor=None))
    done = kg(*asked, cwd=tmp_path)
    assert "3 of 5 records, 2 of them by an earlier run" in done.stdout
    assert player.asked("cursor") == ["*", "c2", "c2"]


OFFLINE = """
import json, os, sys

def hook(event, args):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.sendto"):
        os._exit(99)

sys.addaudithook(hook)
from kg.cli import app
for command in json.loads(sys.argv[1]):
    app(command.split(), standalone_mode=False)
"""


def test_no_other_command_opens_a_connection(tmp_path: Path) -> None:
    commands = [
        "demo -q -o atlas",
        "papers atlas --uses BERT",
        "concepts atlas",
        "show atlas BERT",
        "export atlas --to bibtex --year 2021",
        "export atlas --to jsonld",
    ]
    offline = [sys.executable, "-c", OFFLINE]
    done = kg(json.dumps(commands), cwd=tmp_path, python=offline)
    assert (done.returncode, done.stderr) == (0, "")
    fetched = kg(json.dumps(["fetch acl 2024.acl -o x.jsonl"]), cwd=tmp_path, python=offline)
    assert fetched.returncode == 99  # the hook does see connections
