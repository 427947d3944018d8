"""Endpoints that keep to no protocol: they cost a limited time and memory, and give our errors."""

import json
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import repeat
from typing import Any

import pytest

from backend.inference.embeddings import ProviderFailed
from backend.inference.endpoint import EndpointModel
from backend.inference.language import Budget, ModelError, TooSlow, WrongShape
from backend.settings import EmbeddingEndpoint
from tests.backend.inference.test_language import WHO, asked, failure
from tests.scripted_model import Reply

Bytes = Callable[[], Iterator[bytes]]

_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
_MESSAGE = {"role": "assistant", "content": "{}"}
_CHOICE = {"message": _MESSAGE, "index": 0, "finish_reason": "stop"}


def _dripping(first: bytes, drop: bytes) -> Bytes:
    def sent() -> Iterator[bytes]:
        yield first
        while True:
            time.sleep(0.05)
            yield drop

    return sent


_SLOW = {
    "body": _dripping(_HEAD + b"\r\n", b" "),
    "head": _dripping(b"HTTP/1.1 200 OK\r\nX-A: ", b"a"),
    "continue": _dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
}


@contextmanager
def _endpoint(sent: Bytes) -> Iterator[str]:
    """The address of a server that answers each connection with these bytes."""

    def answer(connection: socket.socket) -> None:
        with suppress(OSError), connection:
            connection.recv(2**16)
            for piece in sent():
                connection.sendall(piece)

    def accept() -> None:
        with suppress(OSError):
            while True:
                connection, _ = server.accept()
                threading.Thread(target=answer, args=(connection,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        server.shutdown(socket.SHUT_RDWR)


@contextmanager
def _vectors(sent: Bytes, seconds: float) -> Iterator[EndpointModel]:
    with _endpoint(sent) as url:
        settings = EmbeddingEndpoint(url=url, model="m", seconds=seconds)
        model = EndpointModel(settings, pause=lambda _seconds: None)
        yield model
        model.close()


@pytest.mark.parametrize("part", _SLOW)
def test_an_embedding_endpoint_that_drips_is_given_up_in_time(part: str) -> None:
    with _vectors(_SLOW[part], 0.3) as model:
        began = time.monotonic()
        with pytest.raises(ProviderFailed, match="did not respond within"):
            model.vectors(["a"], None, 2)
        assert time.monotonic() - began < 3


def test_closing_ends_a_request_that_waits_for_an_embedding_endpoint() -> None:
    failed: list[ProviderFailed] = []
    with _vectors(_SLOW["body"], 60.0) as model:

        def ask() -> None:
            with pytest.raises(ProviderFailed) as error:
                model.vectors(["a"], None, 1)
            failed.append(error.value)

        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        time.sleep(0.3)
    asking.join(5)
    assert failed and "stopping" in str(failed[0])


@pytest.mark.parametrize("part", _SLOW)
def test_a_chat_endpoint_that_drips_is_given_up_in_time(part: str) -> None:
    with (
        _endpoint(_SLOW[part]) as url,
        asked(Reply(), url=url, seconds=0.3) as (model, _),
        pytest.raises(TooSlow),
    ):
        model.ask(WHO, Budget(100_000, 20.0))


def test_an_endless_answer_of_a_chat_endpoint_takes_little_memory() -> None:
    def sent() -> Iterator[bytes]:
        yield _HEAD + b"\r\n"
        yield from repeat(b" " * 2**16)

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with (
        _endpoint(sent) as url,
        asked(Reply(), url=url, seconds=20) as (model, _),
        pytest.raises(WrongShape, match="far too large"),
    ):
        model.ask(WHO, Budget(100_000, 20.0))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000  # kilobytes


def test_an_answer_that_has_to_be_unpacked_is_refused() -> None:
    packed = Reply(body=b"x", headers={"Content-Encoding": "gzip"})
    assert "encoded" in failure(packed).detail


@pytest.mark.parametrize(
    "body",
    [
        {"choices": 5}, {"choices": [5]}, {"choices": [None]}, {"choices": ["x"]},
        {"choices": [[]]}, {"choices": {"0": {}}}, {"choices": [{"message": 5}]},
        {"choices": [_CHOICE], "created": 1e30}, {"choices": [_CHOICE], "created": "soon"},
        {"choices": [_CHOICE], "created": 1, "usage": {"prompt_tokens": -(10**30)}},
        {"choices": [{**_CHOICE, "message": {"role": "assistant", "tool_calls": [5]}}]},
        {"error": 5}, [], 5, None, int("1" * 4000),
    ],
)  # fmt: skip
def test_an_answer_that_is_not_a_chat_completion_is_an_error_of_the_model(body: Any) -> None:
    assert isinstance(failure(Reply(body=json.dumps(body).encode())), WrongShape)


def test_a_number_of_too_many_digits_is_an_error_of_the_model_that_costs_tokens() -> None:
    with asked(Reply(body=b"1" * 10_000)) as (model, _):
        budget = Budget(100_000, 20.0)
        with pytest.raises(ModelError, match="malformed") as failed:
            model.ask(WHO, budget)
    assert failed.value.spent.tokens > 0 and budget.tokens_left < 100_000
