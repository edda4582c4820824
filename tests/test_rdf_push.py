"""A graph goes into a store whole, twice the same, and is never called done when it is not."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from decimal import Decimal
from hashlib import md5
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
import requests
from ferns import BASE, RUN, FernView, ferns

import kg
from exports import graph_store
from exports.errors import OptionError, StoreError
from exports.graph_store import Endpoint, StoreFolder
from exports.push import push
from exports.rdf import iter_quads
from exports.view import GraphView

KG = [sys.executable, "-c", "from kg.cli import main; main()"]
SERVER = shutil.which("oxigraph", path=str(Path(sys.executable).parent)) or shutil.which("oxigraph")
SECRET = "pässword:with=signs"
LAYERS = ("papers", "concepts", "evidence", "links", "provenance", "dataset")


@pytest.fixture
def view() -> FernView:
    return FernView(ferns(), RUN)


@pytest.fixture(autouse=True)
def _no_proxy_no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr(graph_store, "BACKOFF", 0)


def normal(quads: Iterable[ox.Quad]) -> set[ox.Quad]:
    """Return the statements with their decimals as numbers, which stores write as they like."""
    return set(map(_normal, quads))


def _normal(quad: ox.Quad) -> ox.Quad:
    value = quad.object
    if not isinstance(value, ox.Literal) or not value.datatype.value.endswith("#decimal"):
        return quad
    number = ox.Literal(str(Decimal(value.value).normalize()), datatype=value.datatype)
    return ox.Quad(quad.subject, quad.predicate, number, quad.graph_name)


def quads(view: GraphView, prefix: str = f"{BASE}graph/", **options: Any) -> set[ox.Quad]:
    """Return the statements of a graph, its named graphs under a prefix."""
    own = f"{BASE}graph/"
    return normal(
        ox.Quad(q.subject, q.predicate, q.object,
                ox.NamedNode(prefix + q.graph_name.value.removeprefix(own)))
        for q in iter_quads(view, **options)
    )  # fmt: skip


# A store in a folder


def put_into(folder: Path, view: GraphView, **options: Any) -> dict[str, int]:
    with StoreFolder(folder) as target:
        return push(view, target, **options)


def held(folder: Path) -> set[ox.Quad]:
    return normal(ox.Store.read_only(str(folder)))


def test_a_folder_holds_the_graph_and_holds_it_once(view: FernView, tmp_path: Path) -> None:
    first = put_into(tmp_path / "store", view)
    assert held(tmp_path / "store") == quads(view)
    assert put_into(tmp_path / "store", view) == first
    assert held(tmp_path / "store") == quads(view)
    assert sum(first.values()) == len(quads(view))
    assert tuple(first) == LAYERS


def test_graphs_of_others_stay(view: FernView, tmp_path: Path) -> None:
    put_into(tmp_path / "store", view, graph_prefix="urn:one:g#")
    put_into(tmp_path / "store", view, graph_prefix="urn:two:g/", evidence="none")
    expected = quads(view, "urn:one:g#") | quads(view, "urn:two:g/", evidence="none")
    assert held(tmp_path / "store") == expected


def test_a_layer_that_is_no_longer_there_goes(view: FernView, tmp_path: Path) -> None:
    put_into(tmp_path / "store", view)
    put_into(tmp_path / "store", view, evidence="none")
    assert held(tmp_path / "store") == quads(view, evidence="none")


def test_a_push_that_fails_leaves_the_folder_as_it_was(view: FernView, tmp_path: Path) -> None:
    class Failing(GraphView):
        def links(self) -> Any:
            raise RuntimeError("stop")

    put_into(tmp_path / "store", view)
    with pytest.raises(RuntimeError, match="stop"):
        put_into(tmp_path / "store", Failing(ferns(), RUN), evidence="none")
    assert held(tmp_path / "store") == quads(view)
    with pytest.raises(RuntimeError, match="stop"):
        put_into(tmp_path / "new", Failing(ferns(), RUN))
    assert [path.name for path in tmp_path.iterdir()] == ["store"]


def test_a_folder_of_something_else_is_left_alone(view: FernView, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(StoreError, match="something else"):
        put_into(tmp_path, view)
    with pytest.raises(StoreError, match="something else"):
        put_into(tmp_path / "thesis.tex", view)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_store_that_is_open_elsewhere_is_not_touched(view: FernView, tmp_path: Path) -> None:
    put_into(tmp_path / "store", view)
    opened = ox.Store(str(tmp_path / "store"))
    with pytest.raises(StoreError, match="another program"):
        put_into(tmp_path / "store", view, evidence="none")
    assert normal(opened) == quads(view)


@pytest.mark.parametrize("prefix", ["x", "https://e.org/x", "javascript:x/", "https://e.org/ /"])
def test_a_prefix_that_names_no_graph_is_refused(
    prefix: str, view: FernView, tmp_path: Path
) -> None:
    with pytest.raises(OptionError):
        put_into(tmp_path / "store", view, graph_prefix=prefix)


# A real server


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A running Oxigraph server, empty, on a free port."""
    if SERVER is None:
        pytest.skip("needs the Oxigraph server, which the package oxigraph brings")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"127.0.0.1:{port}"
    process = subprocess.Popen(
        [SERVER, "serve", "--bind", address], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.05)
        yield f"http://{address}"
    finally:
        process.terminate()
        process.wait(10)


def served(server: str) -> set[ox.Quad]:
    answer = requests.get(f"{server}/store", headers={"Accept": "application/n-quads"}, timeout=30)
    return normal(ox.parse(answer.content, format=ox.RdfFormat.N_QUADS))


def test_a_server_holds_the_graph_and_holds_it_once(view: FernView, server: str) -> None:
    for level in ("full", "assertion", "assertion", "none"):
        with Endpoint(f"{server}/store") as target:
            counts = push(view, target, evidence=level)
        assert served(server) == quads(view, evidence=level)
        assert sum(counts.values()) == len(quads(view, evidence=level))
    requests.delete(f"{server}/store", params={"default": ""}, timeout=30)


def test_an_address_that_takes_no_graphs_is_explained(view: FernView, server: str) -> None:
    with pytest.raises(StoreError, match=r"404 .*…/store, Fuseki …/data"):
        push(view, Endpoint(f"{server}/query"))


# Stores that refuse or break off


class Store:
    """A store that keeps what it is sent, and misbehaves as told.

    ``answer`` gives the status for a method, graph and request headers, or None to break off;
    ``graphs`` has the content of each graph.
    """

    def __init__(self) -> None:
        self.graphs: dict[str, bytes] = {}
        self.asked: list[tuple[str, str]] = []
        self.answer: Callable[[str, str, Any], int | None] = lambda *_: 204
        self.headers: dict[str, str] = {}
        self.said = b""  # with an error
        store = self

        class Handler(BaseHTTPRequestHandler):
            def do_PUT(self) -> None:
                self.serve("PUT")

            def do_DELETE(self) -> None:
                self.serve("DELETE")

            def serve(self, method: str) -> None:
                graph = requests.utils.unquote(self.path.partition("graph=")[2])
                store.asked.append((method, graph))
                size = int(self.headers.get("Content-Length") or 0)
                status = store.answer(method, graph, self.headers)
                if status is None:
                    self.rfile.read(size // 2)
                    self.connection.close()
                    return
                body = self.rfile.read(size)
                if status < 300:
                    store.graphs.pop(graph, None)
                    if method == "PUT":
                        store.graphs[graph] = body
                said = store.said if status >= 400 else b""
                self.send_response(status)
                for name, value in {"Content-Length": str(len(said)), **store.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(said)

            def log_message(self, *args: Any) -> None:
                """Say nothing."""

            def handle(self) -> None:
                with suppress(OSError, ValueError):
                    super().handle()

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.http.server_port}/store"


@pytest.fixture
def store() -> Iterator[Store]:
    store = Store()
    thread = threading.Thread(target=store.http.serve_forever, daemon=True)
    thread.start()
    yield store
    store.http.shutdown()
    store.http.server_close()
    thread.join()


def content(store: Store) -> set[ox.Quad]:
    return normal(
        ox.Quad(q.subject, q.predicate, q.object, ox.NamedNode(graph))
        for graph, lines in store.graphs.items()
        for q in ox.parse(lines, format=ox.RdfFormat.N_TRIPLES)
    )


def test_the_layer_that_says_it_is_whole_goes_first_and_comes_last(
    view: FernView, store: Store
) -> None:
    push(view, Endpoint(store.address))
    assert store.asked[0] == ("DELETE", f"{BASE}graph/dataset")
    assert store.asked[-1] == ("PUT", f"{BASE}graph/dataset")
    assert content(store) == quads(view)


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (401, "a user and a password"),
        (403, "may not write"),
        (404, "Graph Store Protocol"),
        (405, "read-only"),
        (413, "too large|raise its limit"),
        (500, "log of the store"),
        (307, "moved to http://elsewhere/"),
    ],
)
def test_a_refusal_says_what_to_do(status: int, said: str, view: FernView, store: Store) -> None:
    store.headers = {"Location": "http://elsewhere/"} if status == 307 else {}
    store.answer = lambda method, graph, _: status if graph.endswith("evidence") else 204
    with pytest.raises(StoreError, match=said) as refused:
        push(view, Endpoint(store.address))
    message = str(refused.value)
    assert str(status) in message
    assert "'evidence'" in message
    assert "it has papers, concepts and is not complete" in message
    assert f"{BASE}graph/dataset" not in store.graphs


def test_a_busy_store_is_asked_again(view: FernView, store: Store) -> None:
    seen: list[str] = []

    def busy_once(_: str, graph: str, __: Any) -> int:
        seen.append(graph)
        return 503 if seen.count(graph) == 1 else 204

    store.answer = busy_once
    push(view, Endpoint(store.address))
    assert content(store) == quads(view)


def test_a_store_that_stood_in_its_own_way_is_asked_again(view: FernView, store: Store) -> None:
    seen: list[str] = []

    def answer(method: str, graph: str, headers: object) -> int:
        seen.append(graph)
        return 500 if seen.count(graph) == 1 else 204

    store.answer, store.said = answer, b"<h3>Error 40001</h3> SR172: Transaction deadlocked"
    push(view, Endpoint(store.address))
    assert set(store.graphs) == {f"{BASE}graph/{layer}" for layer in LAYERS}


def test_another_failure_of_a_store_is_none_to_try_again(view: FernView, store: Store) -> None:
    store.answer, store.said = lambda *_: 500, b"the disk is full"
    with pytest.raises(StoreError, match="the disk is full"):
        push(view, Endpoint(store.address))
    assert len(store.asked) == 1


def test_a_store_that_breaks_off_once_gets_the_whole_layer_again(
    view: FernView, store: Store
) -> None:
    seen: list[str] = []

    def broken_once(method: str, graph: str, _: Any) -> int | None:
        seen.append(method)
        return None if seen.count("PUT") == 2 and method == "PUT" else 204

    store.answer = broken_once
    push(view, Endpoint(store.address))
    assert content(store) == quads(view)


def test_a_store_that_dies_on_the_way_is_not_called_done(view: FernView, store: Store) -> None:
    push(view, Endpoint(store.address))
    store.answer = lambda method, graph, _: None if graph.endswith("links") else 204
    with pytest.raises(StoreError, match=r"broke off on layer 'links'.*not complete"):
        push(view, Endpoint(store.address))
    assert f"{BASE}graph/dataset" not in store.graphs
    store.answer = lambda *_: 204
    push(view, Endpoint(store.address))
    assert content(store) == quads(view)


def test_no_store_at_the_address(view: FernView) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(StoreError, match="no store answers at 127"):
        push(view, Endpoint(f"http://127.0.0.1:{port}/store"))


@pytest.mark.parametrize(
    "address",
    [
        "",
        "localhost:7878",
        "ftp://a/",
        "http://",
        "http://u:p@a/",
        "http://a/?graph=x",
        "http://[a",
    ],
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(OptionError, match="an address is such as") as refused:
        Endpoint(address)
    assert "u:p" not in str(refused.value)


# Passwords


def test_a_password_is_sent_as_the_store_wants_it(view: FernView, store: Store) -> None:
    expected = f"Basic {b64encode(f'ann:{SECRET}'.encode()).decode()}"
    store.answer = lambda _, __, headers: 204 if headers["Authorization"] == expected else 401
    push(view, Endpoint(store.address, user="ann", password=SECRET))
    assert content(store) == quads(view)


def digest(text: str) -> str:
    return md5(text.encode()).hexdigest()  # noqa: S324 - what the scheme says


def test_a_store_that_wants_a_digest_gets_no_password(view: FernView, store: Store) -> None:
    store.headers = {"WWW-Authenticate": 'Digest realm="r", nonce="n", qop="auth"'}
    clear: list[str] = []

    def check(method: str, _: str, headers: Any) -> int:
        said = headers.get("Authorization") or ""
        if not said.startswith("Digest"):
            clear.append(said)
            return 401
        part = dict(re.findall(r'(\w+)="?([^",]+)"?', said))
        second = digest(f"{method}:{part['uri']}")
        first = digest(f"ann:r:{SECRET}")
        whole = digest(f"{first}:n:{part['nc']}:{part['cnonce']}:auth:{second}")
        return 204 if part["response"] == whole else 401

    store.answer = check
    push(view, Endpoint(store.address, user="ann", password=SECRET))
    assert content(store) == quads(view)
    assert set(clear) == {""}


def test_a_netrc_is_not_looked_into(
    view: FernView, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login ann password secret\n")
    (tmp_path / "netrc").chmod(0o600)
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    store.answer = lambda _, __, headers: 500 if headers.get("Authorization") else 204
    push(view, Endpoint(store.address))
    assert content(store) == quads(view)


# The command


@pytest.fixture(scope="module")
def atlas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("push")
    text = "We propose RidgeWalk, a sampler. RidgeWalk is evaluated on Reddit with accuracy."
    (folder / "papers.txt").write_text(text, encoding="utf-8")
    kg.build(folder / "papers.txt", folder / "atlas")
    return folder / "atlas"


def run(*args: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*KG, "push", *map(str, args)],
        env=os.environ | {"NO_PROXY": "*"} | env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )


def test_the_command_pushes_to_a_folder_and_to_a_server(
    atlas: Path, server: str, tmp_path: Path
) -> None:
    graph = kg.load(atlas)
    done = run(atlas, "--store", tmp_path / "store")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{len(set(iter_quads(graph.view)))} triples in ")
    assert held(tmp_path / "store") == normal(iter_quads(graph.view))
    prefix = "https://example.org/other/"
    done = run(atlas, "--endpoint", f"{server}/store", "--graph-prefix", prefix, "-q")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    found = {q.triple for q in served(server) if q.graph_name.value.startswith(prefix)}
    assert found == {q.triple for q in normal(iter_quads(graph.view))}


def test_the_password_comes_from_the_environment_and_is_never_shown(
    atlas: Path, store: Store
) -> None:
    said = (atlas, "--endpoint", store.address, "--user", "ann")
    missing = run(*said)
    assert (missing.returncode, missing.stderr.count("\n")) == (1, 1)
    assert "KG_STORE_PASSWORD" in missing.stderr
    store.answer = lambda *_: 401
    refused = run(*said, KG_STORE_PASSWORD=SECRET)
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert "401" in refused.stderr
    assert SECRET not in refused.stderr + refused.stdout


def test_a_push_goes_somewhere_and_to_one_place(atlas: Path, tmp_path: Path) -> None:
    assert run(atlas).returncode == 2
    assert run(atlas, "--store", tmp_path, "--endpoint", "http://a/").returncode == 2
