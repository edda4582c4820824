"""What many tests need: the folder of annotated data, and extractors that know their answer."""

from __future__ import annotations

import json
import re
import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from extractors.mention import Extraction, Mention, Text

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SHARED = Path(__file__).resolve().parents[2] / "shared"
sys.path.insert(0, str(Path(__file__).parent))  # where the tests about RDF find their graph


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of annotated data; tests that measure on it are skipped where it is missing."""
    if not SHARED.is_dir():
        pytest.skip("measures on annotated data that is not part of the repository")
    return SHARED


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a text or bytes to a file of a name, and return its path."""

    def write(content: str | bytes, name: str = "papers.txt") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


class WordExtractor:
    """Finds given names wherever they stand: a real extractor whose answers a test knows."""

    name = "words"

    def __init__(self, version: str = "1", **kinds: Iterable[str]) -> None:
        self.version = version
        self._kinds = {word: kind for kind, words in kinds.items() for word in words}
        self.texts: list[Text] = []

    def extract(self, texts: Iterable[Text]) -> Iterator[Extraction]:
        for text in texts:
            self.texts.append(text)
            yield Extraction(
                tuple(
                    Mention(field, match.start(), match.end(), kind, match.group(), 0.9)
                    for field in ("title", "abstract")
                    for word, kind in self._kinds.items()
                    for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text.field(field))
                )
            )


@pytest.fixture(scope="session")
def words() -> type[WordExtractor]:
    return WordExtractor


class ChatServer:
    """A server on this machine that speaks the chat completions protocol of OpenAI.

    ``script`` has the answers it gives first, each a status, headers and a body; then it asks
    ``reply`` for the content of a proper answer. ``requests`` has what it was sent.
    """

    def __init__(self) -> None:
        self.script: list[tuple[int, dict[str, str], bytes]] = []
        self.reply: Callable[[dict[str, Any]], str] = lambda body: '{"concepts": []}'
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.requests.append((self.path, dict(self.headers), body))
                status, headers, content = server.answer(self.path, body)
                self.send_response(status)
                for name, value in {"Content-Length": str(len(content)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *args: Any) -> None:
                """Say nothing."""

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self.http.server_port}/v1"

    def answer(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
        if self.script:
            return self.script.pop(0)
        if path != "/v1/chat/completions":
            return 404, {}, b"not found"
        message = {"role": "assistant", "content": self.reply(body)}
        completion = {
            "id": "c1",
            "object": "chat.completion",
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        }
        content = json.dumps(completion).encode()
        return 200, {"Content-Type": "application/json"}, content


@pytest.fixture
def chat(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A running chat server, without proxies on the way and without a key."""
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    server = ChatServer()
    thread = threading.Thread(target=server.http.serve_forever, daemon=True)
    thread.start()
    yield server
    server.http.shutdown()
    server.http.server_close()
    thread.join()


CHROMIUM_SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser for the tests of a module, which are skipped where none is installed."""
    names = ("chromium", "chromium-browser", "google-chrome")
    program = next(filter(None, map(shutil.which, names)), None)
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(names)} is installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=CHROMIUM_SWITCHES)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def tab(chromium: Browser) -> Iterator[Page]:
    """A tab that one test after the other uses: to open one takes longer than most tests."""
    page = chromium.new_page(reduced_motion="reduce")
    page.set_default_timeout(8000)
    yield page
    page.close()


GLINER = """
import re

class GLiNER:
    @classmethod
    def from_pretrained(cls, model_id, model_dir=None, revision=None, **kwargs):
        if model_id == "missing":
            raise FileNotFoundError(model_id)
        return cls()

    def predict_entities(
        self, text, labels, flat_ner=True, threshold=0.5, multi_label=False,
        return_class_probs=False, *, return_vectors=False, return_label_vectors=False, **kwargs
    ):
        read = re.compile(r"\\w+(?:[-_]\\w+)*|\\S").finditer(text)
        seen = text[: max((m.end() for _, m in zip(range(384), read)), default=0)]
        return [
            {"start": m.start(), "end": m.end(), "text": m[0], "label": labels[0], "score": 0.9}
            for m in re.finditer(r"[A-Z]\\w*[A-Z]\\w*", seen)
        ]
"""


@pytest.fixture
def gliner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with GLiNER's interface (0.2.29) and limit of words; it finds capitals."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "gliner.py").write_text(GLINER, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.delitem(sys.modules, "gliner", raising=False)
    yield
    sys.modules.pop("gliner", None)
