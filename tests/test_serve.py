"""A graph on a port: the explorer, ready queries and SPARQL, for this machine alone."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
import rdflib
import requests
from ferns import BASE, RUN, FernView, ferns
from rdflib.plugins.stores.sparqlstore import SPARQLStore

from exports import serve
from exports.endpoint import RequestError, question_of, wanted
from exports.errors import AddressError
from exports.iris import Iris
from exports.queries import ready_queries
from exports.rdf import iter_quads
from exports.serve import Site, serving
from exports.stores import answer

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

KG = [sys.executable, "-c", "from kg.cli import main; main()"]
COUNT = "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }"
LABELS = "SELECT ?label WHERE { ?c a skos:Concept ; skos:prefLabel ?label } ORDER BY ?label"
ENDLESS = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
EXPLORER = '<!doctype html><title>Ferns</title><div id="tools"></div>'
SECONDS = 3
ALL = "0.0.0.0"  # noqa: S104


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "*")


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    view = FernView(ferns(), RUN)
    with serving(view, port=0, seconds=SECONDS, explorer=EXPLORER) as site:
        thread = threading.Thread(target=site.serve_forever)
        thread.start()
        yield site
        site.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def triples() -> set[ox.Triple]:
    return {quad.triple for quad in iter_quads(FernView(ferns(), RUN))}


def get(site: Site, path: str, **headers: str) -> requests.Response:
    return requests.get(site.url + path, headers=headers, timeout=20)


def ask(site: Site, query: str, accept: str = "*/*", **more: str) -> requests.Response:
    body = {"query": query, **more}
    return requests.post(site.url + "sparql", data=body, headers={"Accept": accept}, timeout=20)


def rows(reply: requests.Response) -> list[dict[str, str]]:
    assert reply.status_code == 200, reply.text
    found = reply.json()["results"]["bindings"]
    return [{name: cell["value"] for name, cell in row.items()} for row in found]


# The protocol


def test_a_query_is_answered_by_get_and_by_both_kinds_of_post(
    site: Site, triples: set[ox.Triple]
) -> None:
    address, kind = f"{site.url}sparql", {"Content-Type": "application/sparql-query"}
    for reply in (
        requests.get(address, params={"query": COUNT}, timeout=20),
        requests.post(address, data={"query": COUNT}, timeout=20),
        requests.post(address, data=COUNT, headers=kind, timeout=20),
    ):
        assert rows(reply) == [{"n": str(len(triples))}]
        assert reply.headers["Content-Type"] == "application/sparql-results+json"


def test_a_table_comes_in_the_format_that_is_asked_for(site: Site) -> None:
    labels = [row["label"] for row in rows(ask(site, LABELS))]
    assert "LeafBench" in labels
    as_csv = ask(site, LABELS, "text/csv")
    assert as_csv.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert [row["label"] for row in csv.DictReader(io.StringIO(as_csv.text))] == labels
    for accept, results in (
        ("application/sparql-results+xml", ox.QueryResultsFormat.XML),
        ("text/tab-separated-values", ox.QueryResultsFormat.TSV),
        ("application/sparql-results+json", ox.QueryResultsFormat.JSON),
    ):
        reply = ask(site, LABELS, accept)
        assert reply.headers["Content-Type"].startswith(accept)
        found = ox.parse_query_results(reply.content, format=results)
        assert isinstance(found, ox.QuerySolutions)
        assert [row["label"].value for row in found] == labels


def test_a_constructed_graph_comes_in_the_format_that_is_asked_for(
    site: Site, triples: set[ox.Triple]
) -> None:
    for accept, syntax in (
        ("*/*", ox.RdfFormat.TURTLE),
        ("application/n-triples", ox.RdfFormat.N_TRIPLES),
        ("application/rdf+xml", ox.RdfFormat.RDF_XML),
        ("application/ld+json", ox.RdfFormat.JSON_LD),
    ):
        reply = ask(site, "CONSTRUCT WHERE { ?s skos:prefLabel ?o }", accept)
        assert reply.headers["Content-Type"].startswith(syntax.media_type)
        found = {quad.triple for quad in ox.parse(reply.content, format=syntax)}
        assert found == {t for t in triples if t.predicate.value.endswith("#prefLabel")}


def test_a_question_of_yes_or_no_is_answered(site: Site) -> None:
    assert ask(site, "ASK { ?s a skos:Concept }").json()["boolean"] is True
    assert ask(site, "ASK { ?s a skos:Concept }", "text/csv").text.strip() == "true"


def test_a_format_that_does_not_exist_is_said(site: Site) -> None:
    reply = ask(site, LABELS, "application/pdf")
    assert reply.status_code == 406
    assert "text/csv" in reply.text


@pytest.mark.parametrize(
    ("accept", "best"),
    [
        ("", "application/sparql-results+json"),
        ("*/*", "application/sparql-results+json"),
        ("text/*", "text/csv"),
        ("text/csv;q=0.1, text/tab-separated-values;q=0.7", "text/tab-separated-values"),
        ("text/csv;q=0, */*;q=0.1", "application/sparql-results+json"),
        ("TEXT/CSV; Q=0.9; charset=utf-8", "text/csv"),
        ("text/csv;q=much", None),
        ("text/html", None),
    ],
)
def test_the_format_wanted_most_is_taken(accept: str, best: str | None) -> None:
    offered = ("application/sparql-results+json", "text/csv", "text/tab-separated-values")
    assert wanted(accept, offered) == best


def test_graphs_can_be_chosen_by_the_request(site: Site, triples: set[ox.Triple]) -> None:
    concepts = f"{BASE}graph/concepts"
    everything = int(rows(ask(site, COUNT))[0]["n"])
    some = int(rows(ask(site, COUNT, **{"default-graph-uri": concepts}))[0]["n"])
    assert 0 < some < everything == len(triples)
    named = "SELECT (COUNT(*) AS ?n) WHERE { GRAPH ?g { ?s ?p ?o } }"
    assert rows(ask(site, named, **{"named-graph-uri": concepts})) == [{"n": str(some)}]
    assert ask(site, COUNT, **{"default-graph-uri": "no iri"}).status_code == 400


def test_rdflib_asks_it_as_it_asks_any_endpoint(site: Site) -> None:
    store = SPARQLStore(f"{site.url}sparql", method="POST")
    graph = rdflib.Graph(store)
    found = graph.query(f"PREFIX skos: <{rdflib.SKOS}>\n{LABELS}").bindings
    labels = [str(row[rdflib.Variable("label")]) for row in found]
    assert labels == [row["label"] for row in rows(ask(site, LABELS))]
    assert (None, rdflib.RDF.type, rdflib.SKOS.Concept) in graph


def test_every_ready_query_has_the_answer_of_the_embedded_store(site: Site) -> None:
    view = FernView(ferns(), RUN)
    store = ox.Store()
    store.extend(iter_quads(view))
    said = {
        "author": "Íñigo Ruiz", "concept": "leafbench", "dataset": "leafbench", "kind": "method",
        "method": "fernnet", "one": "10.1000/fern<1>", "other": "p2", "paper": "10.1000/fern<1>",
        "role": "uses",
    }  # fmt: skip
    for ready in ready_queries().values():
        bound = ready.bindings(Iris(BASE), {name: said[name] for name in ready.parameters})
        expected = answer(store, ready.text, bound)
        sent = {f"${name}": str(node) for name, node in bound.items()}
        found = rows(ask(site, ready.text, **sent))
        assert [tuple(row.get(name) for name in expected.variables) for row in found] == list(
            expected
        )


def test_what_is_bound_is_a_value_and_never_part_of_the_query(site: Site) -> None:
    query = "SELECT ?text ?c WHERE { ?c skos:prefLabel ?l FILTER(STR(?l) = ?text) }"
    assert rows(ask(site, query, **{"$text": "LeafBench"}))[0]["c"] == f"{BASE}concept/leafbench"
    hostile = '" || true) } ; DROP ALL #'
    assert rows(ask(site, query, **{"$text": hostile})) == []
    assert ask(site, query, **{"$te xt": "a"}).status_code == 400
    assert ask(site, LABELS, **{"$nowhere": "a"}).status_code == 400


# What is refused


@pytest.mark.parametrize(
    "query",
    [
        "CLEAR ALL",
        "INSERT DATA { <urn:a> <urn:b> <urn:c> }",
        "LOAD <http://127.0.0.1/secret>",
        "SELECT * WHERE { SERVICE <http://127.0.0.1/> { ?s ?p ?o } }",
        "SELECT * WHERE { service silent <file:///etc/passwd> { ?s ?p ?o } }",
        "SELECT",
        "",
        "\0",
    ],
)
def test_whatever_is_no_reading_query_is_refused_in_one_line(site: Site, query: str) -> None:
    before = rows(ask(site, COUNT))
    reply = ask(site, query)
    assert (reply.status_code, reply.text.count("\n")) == (400, 1)
    assert rows(ask(site, COUNT)) == before


def test_the_update_operation_is_refused(site: Site) -> None:
    address = f"{site.url}sparql"
    update = {"Content-Type": "application/sparql-update"}
    for reply in (
        requests.post(address, data={"update": "CLEAR ALL"}, timeout=20),
        requests.post(address, data="CLEAR ALL", headers=update, timeout=20),
        requests.get(address, params={"update": "CLEAR ALL"}, timeout=20),
    ):
        assert (reply.status_code, reply.text) == (
            403, "updates are refused: this endpoint only reads\n",
        )  # fmt: skip


@pytest.mark.parametrize(
    ("parameters", "kind", "body", "status"),
    [
        ("", "", b"", 400),
        ("query=ASK{}&query=ASK{}", "", b"", 400),
        ("query=%ff", "", b"", 400),
        ("", "application/sparql-query", b"\xff", 400),
        ("", "text/html", b"ASK {}", 415),
        ("&".join(f"a{n}=1" for n in range(200)), "", b"", 400),
    ],
)
def test_what_is_no_request_of_the_protocol_is_said(
    parameters: str, kind: str, body: bytes, status: int
) -> None:
    with pytest.raises(RequestError) as error:
        question_of(parameters, kind, body, "*/*")
    assert error.value.status == status


def test_a_query_that_takes_too_long_is_ended_and_others_are_answered(site: Site) -> None:
    found: list[requests.Response] = []
    slow = threading.Thread(target=lambda: found.append(ask(site, ENDLESS)))
    began = time.monotonic()
    slow.start()
    assert ask(site, COUNT).status_code == 200
    slow.join()
    assert time.monotonic() - began < SECONDS + 10
    assert found[0].status_code == 503
    assert found[0].text == f"no answer within {SECONDS} seconds; ask for less, or add LIMIT\n"


def test_an_answer_without_end_is_refused(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    reply = ask(site, "SELECT * WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }", "text/csv")
    assert reply.status_code in (413, 503)  # whichever limit comes first
    assert "add LIMIT" in reply.text


def test_a_body_that_is_too_long_or_has_no_length_is_refused(site: Site) -> None:
    long = {"Content-Type": "application/sparql-query", "Content-Length": str(10**9)}
    for headers, status in ((long, b"413"), ({"Transfer-Encoding": "chunked"}, b"411")):
        lines = [f"{name}: {value}" for name, value in headers.items()]
        said = raw(site, "POST /sparql HTTP/1.1", f"Host: {host_of(site)}", *lines)
        assert said.split()[1] == status


def raw(site: Site, *lines: str) -> bytes:
    """Send a request as it stands, and return what comes back."""
    with socket.create_connection(("127.0.0.1", port_of(site)), timeout=20) as connection:
        connection.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode())
        return b"".join(iter(lambda: connection.recv(65536), b""))


def port_of(site: Site) -> int:
    return int(site.server_address[1])


def host_of(site: Site) -> str:
    return f"127.0.0.1:{port_of(site)}"


# Who may ask


def test_it_listens_at_this_machine_alone(site: Site) -> None:
    assert serve.HOST == "127.0.0.1"
    assert site.server_address[0] == "127.0.0.1"
    assert not site.is_open_to_others


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "[", "a b", "@localhost"],
)
def test_a_name_that_was_pointed_here_is_refused(site: Site, host: str) -> None:
    for path in ("/", "/query", "/sparql?query=ASK%7B%7D"):
        assert raw(site, f"GET {path} HTTP/1.1", f"Host: {host}").split()[1] == b"421"


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:8765", "10.0.0.7"]
)
def test_an_address_is_no_name_that_could_be_pointed_here(site: Site, host: str) -> None:
    assert raw(site, "GET /query HTTP/1.1", f"Host: {host}").split()[1] == b"200"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
    ],
)
def test_other_sites_may_not_ask(site: Site, headers: dict[str, str]) -> None:
    reply = get(site, "sparql?query=ASK%7B%7D", **headers)
    assert reply.status_code == 403
    assert not [name for name in reply.headers if name.startswith("Access-Control")]


def test_a_link_from_another_site_opens_the_pages(site: Site) -> None:
    visit = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert get(site, "query", **visit).status_code == 200


def test_no_answer_can_be_read_by_others_or_taken_for_a_page(site: Site) -> None:
    for reply in (get(site, ""), get(site, "query"), ask(site, LABELS), get(site, "nowhere")):
        assert "Access-Control-Allow-Origin" not in reply.headers
        assert reply.headers["X-Content-Type-Options"] == "nosniff"
        assert reply.headers["X-Frame-Options"] == "DENY"
    assert "sandbox" in ask(site, LABELS).headers["Content-Security-Policy"]


def test_what_is_not_there_and_what_it_does_not_do(site: Site) -> None:
    for path in ("nowhere", "../run.json", "%2e%2e/run.json", "query.js/../x", "static/"):
        assert raw(site, f"GET /{path} HTTP/1.1", f"Host: {host_of(site)}").split()[1] == b"404"
    for method in ("PUT", "DELETE", "OPTIONS", "PATCH"):
        reply = requests.request(method, f"{site.url}sparql", timeout=20)
        assert (reply.status_code, reply.text.count("\n")) == (501, 1)
    assert requests.post(site.url, data="x", timeout=20).status_code == 405


def test_a_head_request_has_no_body(site: Site) -> None:
    said = raw(site, "HEAD /query HTTP/1.1", f"Host: {host_of(site)}")
    assert said.split()[1] == b"200"
    assert said.endswith(b"\r\n\r\n")


def test_those_who_go_early_do_no_harm(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    for begun in (b"", b"GET", b"GET /sparql?query=" + b"a" * 70_000, b"\x16\x03\x01\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", port_of(site)), timeout=20) as connection:
            connection.sendall(begun)
    assert ask(site, COUNT).status_code == 200
    assert capsys.readouterr().err == ""


# The pages


def test_the_explorer_leads_to_the_query_page(site: Site) -> None:
    reply = get(site, "")
    assert reply.headers["Content-Type"] == "text/html; charset=utf-8"
    assert '<a href="/query"' in reply.text
    assert reply.text.replace(serve._LINK, "") == EXPLORER


def test_an_explorer_of_an_older_version_is_made_anew() -> None:
    with serving(FernView(ferns(), RUN), port=0, explorer="<title>Old</title>") as site:
        assert '<a href="/query"' in site.pages["/"].content.decode()


def test_the_page_has_every_ready_query_with_values_that_have_an_answer(site: Site) -> None:
    page = get(site, "query").text
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]
    assert [query["name"] for query in data["queries"]] == list(ready_queries())
    answered = {
        query["name"]: len(
            rows(ask(site, query["text"], **{
                f"${p['name']}": f"<{p['iri']}>" for p in query["parameters"]
            }))
        )
        for query in data["queries"]
    }  # fmt: skip
    without = {name for name, count in answered.items() if not count}
    assert without <= {"compared-with", "results-on-dataset", "narrower-concepts"}


# Where it listens


def test_a_port_that_is_taken_is_said_with_the_remedy(site: Site) -> None:
    with pytest.raises(AddressError, match=r"is taken; say another one by --port"):
        Site("127.0.0.1", port_of(site))


@pytest.mark.parametrize("host", ["no.such.name.invalid", "192.0.2.1", "a" * 300, ""])
def test_a_host_that_is_not_this_machine_is_said(host: str) -> None:
    with pytest.raises(AddressError, match="this machine cannot be reached as"):
        Site(host, 0)


def test_another_address_is_open_to_others() -> None:
    with Site(ALL, 0) as site:
        assert site.is_open_to_others


# The command


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("serve")
    text = "We propose RidgeWalk, a sampler for graph neural networks (GNNs)."
    (folder / "papers.txt").write_text(text, encoding="utf-8")
    command = [*KG, "build", "papers.txt", "-o", "atlas", "--fast", "-q"]
    subprocess.run(command, cwd=folder, check=True, timeout=300)
    return folder / "atlas"


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is no signal there")
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_the_command_serves_until_it_is_ended_and_leaves_nothing(
    atlas: Path, tmp_path: Path, ending: signal.Signals
) -> None:
    with subprocess.Popen(
        [*KG, "serve", atlas, "--port", "0"],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as process:
        try:
            assert process.stdout
            said = [process.stdout.readline() for _ in range(4)]
            addresses = dict(line.split() for line in said[:3])
            assert list(addresses) == ["Explorer", "Queries", "SPARQL"]
            page = requests.get(addresses["Explorer"], timeout=20)
            assert '<a href="/query"' in page.text
            assert "RidgeWalk" in requests.get(addresses["Queries"], timeout=20).text
            reply = requests.post(addresses["SPARQL"], data={"query": COUNT}, timeout=20)
            assert int(rows(reply)[0]["n"]) > 50
            process.send_signal(ending)
            out, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert (process.returncode, out, err) == (0, "Ended\n", "")
    assert list(tmp_path.iterdir()) == []


def test_the_command_warns_where_others_can_read(atlas: Path) -> None:
    taken = socket.create_server((ALL, 0))
    with taken:
        port = str(taken.getsockname()[1])
        command = [*KG, "serve", str(atlas), "--port", port]
        done = subprocess.run(
            command, capture_output=True, encoding="utf-8", timeout=60, check=False
        )
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert f"port {port} is taken" in done.stderr


# The page in a browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    names = ("chromium", "chromium-browser", "google-chrome")
    program = next(filter(None, map(shutil.which, names)), None)
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(names)} is installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        switches = ["--no-sandbox", "--disable-gpu", "--no-first-run"]
        browser = playwright.chromium.launch(executable_path=program, args=switches)
        yield browser
        browser.close()


@pytest.fixture
def page(site: Site, chromium: Browser) -> Iterator[Page]:
    """The query page with its first answer; it asks nobody else and complains of nothing."""
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(f"{site.url}query")
    page.wait_for_selector("table")
    yield page
    page.close()
    assert [text for text in complaints if "status of 400" not in text] == []
    assert [url for url in requests if not url.startswith((site.url, "blob:", "data:"))] == []


def choose(page: Page, title: str) -> None:
    page.click(f"#example-list >> text={title}")
    page.wait_for_selector("#told >> text=ms")


@pytest.mark.browser
def test_a_ready_query_answers_at_a_click(page: Page) -> None:
    choose(page, "Papers that have a role towards a concept")
    assert page.input_value("#parameters input") != ""
    assert page.locator("thead th").all_inner_texts() == ["year", "label", "paper"]
    assert page.locator("tbody tr").count() >= 1
    link = page.locator("tbody td a").first
    assert (link.get_attribute("href") or "").startswith("/#paper=")


@pytest.mark.browser
def test_another_name_is_found_by_a_part_of_it(page: Page) -> None:
    from playwright.sync_api import expect

    choose(page, "All names of a concept")
    page.fill("#parameters input", "leafb")
    page.wait_for_selector("datalist option", state="attached")
    page.click("#run")
    expect(page.locator("#parameters input")).to_have_value("LeafBench")
    page.fill("#parameters input", "no such name")
    page.click("#run")
    page.wait_for_selector("#trouble:not([hidden])")
    assert page.inner_text("#trouble") == "No concept is called “no such name”."


@pytest.mark.browser
def test_an_error_is_shown_in_words(page: Page) -> None:
    page.fill("#editor", "SELECT * WHERE { SERVICE <http://x.example/> { ?s ?p ?o } }")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#trouble:not([hidden])")
    assert page.inner_text("#trouble").startswith("SERVICE is refused")


@pytest.mark.browser
@pytest.mark.parametrize(
    "text",
    ["<img src=x onerror='window.flag = true'>", "javascript:window.flag=true", "=1+1", "-2"],
)
def test_an_answer_is_text_whatever_it_holds(page: Page, text: str) -> None:
    choose(page, "How many of each")
    page.fill("#editor", f'SELECT ?a ?b WHERE {{ VALUES (?a ?b) {{ ("{text}" 1) }} }}')
    page.click("#run")
    page.wait_for_selector("#told >> text=1 row")
    assert page.locator("tbody td").first.text_content() == text
    assert page.locator("tbody td >> *").count() == 0
    with page.expect_download() as download:
        page.click("#save")
    saved = Path(download.value.path()).read_text(encoding="utf-8-sig")
    assert list(csv.reader(io.StringIO(saved)))[1] == [
        ("'" + text if text == "=1+1" else text),
        "1",
    ]
    assert page.evaluate("window.flag") is None


@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_to_mend(page: Page, theme: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python", reason="axe-core is not installed")
    page.set_viewport_size({"width": width, "height": 800})
    if page.get_attribute("#theme", "aria-pressed") != str(theme == "dark").lower():
        page.click("#theme")
    choose(page, "Why: what stands behind")
    page.evaluate((Path(axe.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("axe.run().then(run => run.violations.map(v => v.id + v.nodes[0].html))")
    assert found == []
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
