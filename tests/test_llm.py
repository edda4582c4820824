"""A language model at an endpoint: what is sent, what of its answers is kept, what goes wrong."""

from __future__ import annotations

import json
import os
import pickle
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

import kg
from extractors import EndpointError, Extraction, Text
from extractors.chat import KEY, check_endpoint
from extractors.llm import LONGEST, LLMExtractor, read_answer, verified
from extractors.mention import ROLES, check
from kg.choice import Choice
from kg.errors import ExtractionError

TEXT = Text(
    "Trees are compared in many ways. We propose MossNet, a graph kernel that builds on BERT. "
    "On SQuAD, MossNet beats BERT.",
    title="MossNet: kernels for trees",
)
SECRET = "sk-very-secret"


def claim(name: Any, kind: Any = "method", role: Any = "mentions", sentence: Any = 1) -> Any:
    return {"name": name, "kind": kind, "role": role, "sentence": sentence}


def claims(*found: Any) -> str:
    return json.dumps({"concepts": list(found)})


def ask(chat, *texts: Text) -> list[Extraction]:
    return list(LLMExtractor(chat.endpoint, "moss-7b").extract(texts or (TEXT,)))


def mentioned(extraction: Extraction) -> dict[str, str]:
    return {mention.text: mention.kind for mention in extraction.mentions}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("extractors.chat.BACKOFF", 0)


def test_the_request_is_that_of_the_chat_protocol(chat) -> None:
    ask(chat)
    [(path, headers, body)] = chat.requests
    assert path == "/v1/chat/completions"
    assert (body["model"], body["temperature"]) == ("moss-7b", 0)
    assert body["response_format"]["type"] == "json_schema"
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert "[2] We propose MossNet" in body["messages"][1]["content"]
    assert "Authorization" not in headers


def test_each_name_is_located_at_every_place_as_whole_words(chat) -> None:
    chat.reply = lambda body: claims(claim("MossNet"), claim("Graph  kernel", "task"))
    [found] = ask(chat)
    places = [(m.field, m.start, m.text) for m in found.mentions]
    assert places == [
        ("abstract", 44, "MossNet"),
        ("abstract", 55, "graph kernel"),
        ("abstract", 99, "MossNet"),
        ("title", 0, "MossNet"),
    ]
    assert found.rejected == ()


def test_names_that_the_text_does_not_have_are_dropped_and_counted(chat) -> None:
    chat.reply = lambda body: claims(claim("GPT-9"), claim("Moss"), claim("BERT"))
    [found] = ask(chat)
    assert mentioned(found) == {"BERT": "method"}
    assert found.rejected == ("GPT-9: not in the text", "Moss: not in the text")


def test_the_longest_of_overlapping_names_is_kept() -> None:
    text = Text("We use deep graph kernels and graph kernels.")
    found = verified(text, [claim("graph kernels"), claim("deep graph kernels", "task")])
    assert [(m.text, m.kind) for m in found.mentions] == [
        ("deep graph kernels", "task"),
        ("graph kernels", "method"),
    ]


def test_a_role_is_kept_where_the_sentence_names_the_concept() -> None:
    found = verified(TEXT, [claim("BERT", role="compares_with", sentence=3)])
    told = {TEXT.abstract[r.sentence_start : r.sentence_end]: r.role for r in found.roles}
    assert told == {
        "We propose MossNet, a graph kernel that builds on BERT.": "mentions",
        "On SQuAD, MossNet beats BERT.": "compares_with",
    }


@pytest.mark.parametrize(
    ("role", "sentence", "fault"),
    [
        ("invents", 2, "no role 'invents'"),
        (None, 2, "no role None"),
        ("uses", 1, "not in sentence 1"),
        ("uses", 99, "not in sentence 99"),
        ("uses", "two", "not in sentence two"),
    ],
)
def test_a_role_that_the_text_does_not_bear_out_is_left_to_the_rules(
    role: Any, sentence: Any, fault: str
) -> None:
    found = verified(TEXT, [claim("BERT", role=role, sentence=sentence)])
    assert mentioned(found) == {"BERT": "method"}
    assert found.roles == ()
    assert fault in found.rejected[0]


@pytest.mark.parametrize(
    "answer",
    [
        'Sure! ```json\n{"concepts": [{"name": "BERT", "kind": "method"}]}\n```',
        '<think>{"no": 1}</think>{"concepts": [{"name": "BERT", "kind": "method"}]}',
    ],
)
def test_words_around_the_json_do_no_harm(answer: str) -> None:
    assert read_answer(answer) == [{"name": "BERT", "kind": "method"}]


def test_an_answer_that_is_no_json_is_asked_for_once_more(chat) -> None:
    answers = ["I found BERT.", claims(claim("BERT"))]
    chat.reply = lambda body: answers.pop(0)
    assert mentioned(ask(chat)[0]) == {"BERT": "method"}
    assert [len(body["messages"]) for _, _, body in chat.requests] == [2, 3]


def test_an_answer_that_stays_unreadable_is_counted_and_the_next_text_is_read(chat) -> None:
    chat.reply = lambda body: (
        claims(claim("BERT")) if "MossNet" in body["messages"][1]["content"] else "No\x1b[31m"
    )
    lost, found = ask(chat, Text("Quite another text."), TEXT)
    assert lost == Extraction(rejected=("an answer that is no JSON: No [31m",))
    assert mentioned(found) == {"BERT": "method"}


def test_a_text_of_any_length_is_answered_for_and_nothing_is_not_sent(chat) -> None:
    empty, blank, long = ask(chat, Text(""), Text(" \n"), Text("a " * LONGEST))
    assert empty == blank == Extraction()
    assert "too long to send" in long.rejected[0]
    assert chat.requests == []


def test_a_busy_server_is_asked_again(chat) -> None:
    chat.reply = lambda body: claims(claim("BERT"))
    chat.script = [(429, {"Retry-After": "0"}, b"{}"), (500, {}, b""), (503, {}, b"")]
    assert mentioned(ask(chat)[0]) == {"BERT": "method"}
    assert len(chat.requests) == 4


def test_a_server_without_our_options_is_asked_without_them(chat) -> None:
    chat.reply = lambda body: claims(claim("BERT"))
    chat.script = [(400, {}, b'{"error": {"message": "response_format is not supported"}}')]
    assert [mentioned(found) for found in ask(chat, TEXT, TEXT)] == [{"BERT": "method"}] * 2
    assert ["temperature" in body for _, _, body in chat.requests] == [True, False, False]


@pytest.mark.parametrize(
    ("status", "headers", "body", "message"),
    [
        (401, {}, b'{"error": {"message": "no such key"}}', rf"401 \(no such key\); set {KEY}"),
        (404, {}, b"<html>not here</html>", "404; the address ends in /v1"),
        (404, {}, b'{"error": "model moss-7b not found"}', r"\(model moss-7b not found\)"),
        (418, {}, b'{"error": {"message": "\\u001b[31mred\\nline"}}', r"\(\[31mred line\)"),
        (307, {"Location": "http://127.0.0.1:9/"}, b"", "the address that it redirects to"),
        (200, {}, b"<html>a web page</html>", "does not answer as an OpenAI-compatible"),
        (200, {}, b'{"choices": []}', "does not answer as an OpenAI-compatible"),
        (200, {}, b'{"choices": [null]}', "does not answer as an OpenAI-compatible"),
        (200, {}, b"[" * 100_000, "does not answer as an OpenAI-compatible"),
    ],
)
def test_a_server_that_refuses_or_is_another_ends_the_run_with_a_remedy(
    status: int, headers: dict[str, str], body: bytes, message: str, chat
) -> None:
    chat.script = [(status, headers, body)] * 2
    with pytest.raises(EndpointError, match=message) as caught:
        ask(chat)
    assert "\n" not in str(caught.value)


def test_a_server_that_stays_broken_is_given_up(chat) -> None:
    chat.script = [(500, {}, b'{"error": {"message": "out of memory"}}')] * 9
    with pytest.raises(EndpointError, match=r"answers 500 \(out of memory\)"):
        ask(chat)
    assert len(chat.requests) == 5


def test_no_server_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "*")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        endpoint = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with pytest.raises(EndpointError, match="is the server running"):
        next(LLMExtractor(endpoint, "moss").extract([TEXT]))


HOSTILE = [
    None,
    7,
    "BERT",
    [],
    {},
    claim(None),
    claim(["BERT"]),
    claim("BERT", kind="weapon"),
    claim(""),
    claim("."),
    claim(".*"),
    claim("(a+)+$"),
    claim("\ud800"),
    claim("BERT" * 100_000),
    claim("<script>alert(1)</script>"),
    claim("BERT", role=["uses"], sentence=10**30),
    {"name": "BERT", "kind": "method", "role": "uses", "sentence": True, "start": -5},
]


def test_a_hostile_answer_does_nothing_but_count(chat) -> None:
    chat.reply = lambda body: claims(*HOSTILE)
    [found] = ask(chat)
    check(TEXT, found)
    assert mentioned(found) == {"BERT": "method"}
    assert len(found.rejected) == len(HOSTILE)
    assert all(line.isprintable() and len(line) < 200 for line in found.rejected)
    json.dumps(found.rejected, ensure_ascii=False).encode()


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
WORDS = st.lists(st.sampled_from(["BERT", "graph", "C++", "İß", "a", ". ", "-", "\n"])).map(
    " ".join
)
CLAIMS = st.fixed_dictionaries(
    {
        "name": WORDS | JSON,
        "kind": st.sampled_from(["method", "task", "x"]),
        "role": st.sampled_from([*ROLES, "x"]) | JSON,
        "sentence": st.integers(-1, 4) | JSON,
    }
)


@given(WORDS | st.text(max_size=40), WORDS, st.lists(CLAIMS | JSON, max_size=6))
def test_whatever_is_claimed_the_contract_holds(abstract: str, title: str, said: list[Any]) -> None:
    text = Text(abstract, title)
    found = check(text, verified(text, said))
    places = {(m.field, m.start, m.end) for m in found.mentions}
    assert {(r.field, r.start, r.end) for r in found.roles} <= places


@given(st.text(max_size=60) | JSON.map(json.dumps))
def test_any_answer_is_read_or_refused(answer: str) -> None:
    assert isinstance(read_answer(answer), list | None)


@pytest.mark.parametrize(
    "endpoint",
    [
        *("", "localhost:11434", "ftp://x/v1", "file:///etc/passwd", "http://", "http://[::1"),
        *("http://me:pw@localhost/v1", "https://sk-1@x/v1", "http://x/v1?api_key=1", "http://x/#a"),
    ],
)
def test_an_endpoint_is_a_bare_address(endpoint: str) -> None:
    with pytest.raises(EndpointError):
        LLMExtractor(endpoint, "moss")


def test_the_path_of_the_service_may_stand_in_the_address() -> None:
    assert check_endpoint("http://x:1/v1/chat/completions") == check_endpoint("http://x:1/v1/")


def test_the_version_names_the_model_and_nothing_of_the_server() -> None:
    here, there = LLMExtractor("http://a/v1", "moss"), LLMExtractor("http://b/v1", "moss")
    assert here.version == there.version != LLMExtractor("http://a/v1", "fern").version


def test_the_key_is_sent_and_stands_nowhere_else(
    chat, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(KEY, SECRET)
    (tmp_path / "in.jsonl").write_text(json.dumps({"id": "a", "abstract": TEXT.abstract}))
    choice = Choice("llm", endpoint=chat.endpoint, model="moss")
    kg.build(tmp_path / "in.jsonl", tmp_path / "atlas", using=choice, jobs=1)
    assert {headers["Authorization"] for _, headers, _ in chat.requests} == {f"Bearer {SECRET}"}
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or SECRET.encode() not in path.read_bytes(), path
    extractor = LLMExtractor(chat.endpoint, "moss")
    list(extractor.extract([TEXT]))
    assert SECRET.encode() not in pickle.dumps(extractor)
    chat.script = [(401, {}, json.dumps({"error": {"message": f"bad key {SECRET}"}}).encode())]
    with pytest.raises(ExtractionError, match="bad key …"):
        kg.build(tmp_path / "in.jsonl", tmp_path / "other", using=choice, jobs=1)


def test_a_netrc_file_is_not_looked_into(
    chat, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password pw\n")
    monkeypatch.setenv("NETRC", str(netrc))
    ask(chat)
    assert "Authorization" not in chat.requests[0][1]


def run(*args: str | Path, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from kg.cli import main; main()", *map(str, args)]
    return subprocess.run(
        command,
        cwd=cwd,
        env=os.environ | env,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def test_kg_build_asks_the_server_shows_what_it_dropped_and_asks_once(chat, tmp_path: Path) -> None:
    chat.reply = lambda body: claims(claim("MossNet", role="proposes", sentence=2), claim("GPT-9"))
    (tmp_path / "in.jsonl").write_text(json.dumps({"id": "a", "abstract": TEXT.abstract}))
    options = ("--extractor", "llm", "--endpoint", chat.endpoint, "--model", "moss")
    done = run("build", "in.jsonl", *options, "--verbose", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "does not bear them out: 1" in done.stdout
    assert "a: GPT-9: not in the text" in done.stdout
    graph = kg.load(tmp_path / "atlas")
    said = {graph.concept(edge.concept).label for edge in graph.edges() if edge.extractor == "llm"}
    assert said == {"MossNet"}
    assert "GPT-9" not in {concept.label for concept in graph.concepts()}
    assert len(chat.requests) == 1
    again = run("build", "atlas", "--json", cwd=tmp_path)
    assert json.loads(again.stdout)["rejected"] == 1
    assert len(chat.requests) == 1
    assert kg.load(tmp_path / "atlas").run["options"]["model"] == "moss"


def test_kg_build_without_a_server_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text(json.dumps({"id": "a", "abstract": TEXT.abstract}))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        endpoint = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    options = ("--extractor", "llm", "--endpoint", endpoint, "--model", "moss")
    for command in ("build", "extract"):
        done = run(command, "in.jsonl", *options, cwd=tmp_path, NO_PROXY="*")
        assert done.returncode == 1
        assert done.stderr.startswith("kg: ")
        assert done.stderr.count("\n") == 1, done.stderr
        assert "is the server running" in done.stderr


def test_kg_extract_has_the_models_entities_and_roles(chat, tmp_path: Path) -> None:
    chat.reply = lambda body: claims(
        claim("BERT", role="compares_with", sentence=3), claim("GPT-9")
    )
    (tmp_path / "in.jsonl").write_text(json.dumps({"id": "a", "text": TEXT.abstract}))
    options = ("--extractor", "llm", "--endpoint", chat.endpoint, "--model", "moss")
    done = run("extract", "in.jsonl", *options, cwd=tmp_path)
    found = json.loads(done.stdout)
    names = [(found["text"][s:e], label, role) for s, e, label, _, role in found["entities"]]
    assert names == [("BERT", "Method", "compares_with")] * 2
    assert found["rejected"] == ["GPT-9: not in the text"]
    assert done.stderr.startswith("kg: answers of the model left out")
