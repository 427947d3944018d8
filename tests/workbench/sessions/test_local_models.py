"""Servers of this machine that have language models: found in a moment, and never trusted."""

import json
import threading
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from workbench.cli import main
from workbench.sessions.local_models import LocalModel, local_models

Answer = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def server(answer: Answer) -> Iterator[int]:
    """A server of loopback that answers each GET so; its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            with suppress(BrokenPipeError, ConnectionResetError):  # the caller stopped waiting
                answer(self)

        def log_message(self, format: str, *arguments: object) -> None:
            """Nothing."""

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listening.daemon_threads = True
    thread = threading.Thread(target=listening.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield listening.server_address[1]
    listening.shutdown()
    listening.server_close()
    thread.join()


def says(body: bytes, status: int = 200, **headers: str) -> Answer:
    def answer(request: BaseHTTPRequestHandler) -> None:
        assert request.path == "/v1/models"
        request.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            request.send_header(name, value)
        request.end_headers()
        request.wfile.write(body)

    return answer


def listing(*names: object) -> bytes:
    return json.dumps({"object": "list", "data": [{"id": name} for name in names]}).encode()


async def test_models_that_write_are_listed_with_the_setting_to_use_them(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    with server(says(listing("llama3.1:8b", "nomic-embed-text", 'odd"name'))) as port:
        models = await local_models({"Ollama": port, "LM Studio": 1})
    assert [(one.server, one.model) for one in models] == [
        ("Ollama", "llama3.1:8b"), ("Ollama", 'odd"name')
    ]  # fmt: skip
    for one in models:
        read = tomllib.loads(one.setting)
        assert read == {"models": {"chat": {"url": one.url, "model": one.model}}}
        assert one.url == f"http://127.0.0.1:{port}/v1"


@pytest.mark.parametrize(
    "answer",
    [
        says(b"<html>hello</html>"),
        says(b"[]"),
        says(listing(7, None, "", "x" * 300, "two\nlines")),
        says(listing("fine") + b" " * 300_000),
        says(b"[" * 100_000),
        says(b"", 302, Location="http://example.org/v1/models"),
        says(b"not here", 404),
    ],
    ids=["page", "list", "names", "huge", "deep", "elsewhere", "none"],
)
async def test_the_answer_of_another_program_is_not_a_model(answer):
    with server(answer) as port:
        assert await local_models({"Ollama": port}) == []


async def test_a_server_that_does_not_answer_is_not_waited_for():
    began = time.monotonic()
    with server(lambda _: time.sleep(6)) as port:
        assert await local_models({"Ollama": port}) == []
        assert time.monotonic() - began < 5


def test_doctor_offers_the_model_with_its_setting(tmp_path, monkeypatch, capsys):
    settings = tmp_path / "settings.toml"
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("WORKBENCH_SETTINGS", str(settings))
    with server(says(listing("llama3.1:8b"))) as port:
        monkeypatch.setattr("workbench.sessions.local_models.USUAL_PORTS", {"Ollama": port})
        main(["doctor", "--json"])
        report = json.loads(capsys.readouterr().out)
        (offer,) = [one for one in report if one["check"] == "local language model"]
        assert "Ollama" in offer["found"] and "llama3.1:8b" in offer["found"]
        assert str(settings) in offer["advice"] and offer["status"] == "note"
        one = LocalModel("Ollama", f"http://127.0.0.1:{port}/v1", "llama3.1:8b")
        assert all(line in offer["advice"] for line in one.setting.splitlines())
