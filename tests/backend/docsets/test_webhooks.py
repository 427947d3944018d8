"""Delivery of webhooks: back-off, giving up, and the signature."""

import itertools
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from backend.docsets.fetching import Guard
from backend.docsets.webhooks import Webhooks, _Message, signature
from workbench.contract.errors import BadRequest


class Script(Webhooks):
    """Replies from a list instead of the network, and records the times of calls."""

    def __init__(self, answers: list[int | None], clock: Callable[[], float]) -> None:
        self.answers = answers
        self.asked: list[float] = []
        self.now = clock
        super().__init__(Guard(True), ticks=clock)

    def _posted(self, _message: object) -> int | None:
        self.asked.append(self.now())
        return self.answers.pop(0)


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def delivered() -> Iterator[Callable[[list[int | None]], list[float]]]:
    started: list[Script] = []

    def deliver(answers: list[int | None]) -> list[float]:
        """The times of all attempts; waits pass a thousand times faster."""
        begin = time.monotonic()
        hooks = Script(answers, lambda: 1000 * (time.monotonic() - begin))
        started.append(hooks)
        hooks.notify("http://127.0.0.1:1/", "wb:t-1", "wb:a-1")
        deadline = time.monotonic() + 60
        while (hooks.answers or hooks._waiting) and time.monotonic() < deadline:
            with hooks._changed:
                hooks._changed.notify_all()
            time.sleep(0.001)
        time.sleep(0.02)
        return hooks.asked

    yield deliver
    for hooks in started:
        hooks.close()


def test_an_accepted_notification_is_sent_once(delivered) -> None:
    assert len(delivered([204])) == 1


@pytest.mark.parametrize("failure", [None, 500, 503, 429, 408])
def test_a_failure_is_retried_with_growing_waits(delivered, failure) -> None:
    times = delivered([failure] * 5)
    waits = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert len(times) == 5
    assert all(wait >= least for wait, least in zip(waits, [1, 5, 30, 120], strict=True))


@pytest.mark.parametrize("answer", [301, 400, 404, 410])
def test_a_permanent_refusal_is_not_retried(delivered, answer) -> None:
    assert len(delivered([answer])) == 1


def test_addresses_that_would_never_be_called_are_refused() -> None:
    hooks = Webhooks(Guard(False))
    for url in ("http://127.0.0.1/", "ftp://example.com/", "http://user:pw@example.com/", ""):
        with pytest.raises(BadRequest, match=r"^X-Aryn-Webhook"):
            hooks.check(url)
    hooks.close()


def test_a_name_that_becomes_private_after_its_check_is_not_called() -> None:
    """The task may take hours, so the name is checked again before the call."""
    look_ups = itertools.count()

    def resolve(_host: str, _port: int) -> list[str]:
        return ["93.184.216.34"] if next(look_ups) == 0 else ["127.0.0.1"]

    with socket.create_server(("127.0.0.1", 0)) as inside:
        inside.settimeout(0.2)
        hooks = Webhooks(Guard(False, resolve))
        url = f"http://turning.example:{inside.getsockname()[1]}/"
        hooks.check(url)
        hooks.notify(url, "wb:t-1", "wb:a-1")
        deadline = time.monotonic() + 60
        while next(look_ups) < 2:  # once for the delivery, and once more here
            assert time.monotonic() < deadline
            time.sleep(0.01)
        with pytest.raises(TimeoutError):
            inside.accept()
        hooks.close()


@pytest.fixture
def answering() -> Iterator[Callable[[bytes, bytes], tuple[str, list[int]]]]:
    """An address with a scripted response, followed by chunks for as long as anybody reads; it
    records the bytes sent per call.
    """
    opened: list[socket.socket] = []

    def serve(server: socket.socket, answer: bytes, chunk: bytes, sent: list[int]) -> None:
        with suppress(OSError):
            while True:
                caller, _ = server.accept()
                with caller, suppress(OSError):
                    caller.recv(65_536)
                    caller.sendall(answer)
                    sent.append(len(answer))
                    while chunk:
                        caller.sendall(chunk)
                        sent[-1] += len(chunk)

    def begin(answer: bytes, chunk: bytes = b"") -> tuple[str, list[int]]:
        server = socket.create_server(("127.0.0.1", 0))
        opened.append(server)
        sent: list[int] = []
        threading.Thread(target=serve, args=(server, answer, chunk, sent), daemon=True).start()
        return f"http://127.0.0.1:{server.getsockname()[1]}/", sent

    yield begin
    for server in opened:
        server.close()


def test_a_redirect_is_not_followed(answering) -> None:
    inside, reached = answering(b"HTTP/1.1 204 No Content\r\n\r\n")
    moved = f"HTTP/1.1 307 Moved\r\nLocation: {inside}\r\nContent-Length: 0\r\n\r\n"
    url, asked = answering(moved.encode())
    hooks = Webhooks(Guard(True))
    hooks.notify(url, "wb:t-1", "wb:a-1")
    until(lambda: bool(asked))
    time.sleep(0.2)
    hooks.close()
    assert len(asked) == 1 and reached == []


def test_an_endless_response_is_not_read(answering) -> None:
    """An address chosen by somebody else must not fill the server's memory."""
    url, sent = answering(b"HTTP/1.1 200 OK\r\n\r\n", bytes(65_536))
    hooks = Webhooks(Guard(True))
    began = time.monotonic()
    assert hooks._posted(_Message(0.0, "wb:t-1", url)) == 200
    hooks.close()
    assert time.monotonic() - began < 5
    assert sum(sent) < 20_000_000


def test_silent_addresses_of_one_account_delay_no_other(answering) -> None:
    silent = socket.create_server(("127.0.0.1", 0))
    url, asked = answering(b"HTTP/1.1 204 No Content\r\n\r\n")
    hooks = Webhooks(Guard(True))
    for number in range(100):
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        hooks.notify(address, f"wb:t-{number}", "wb:a-slow")
    until(lambda: len(hooks._waiting["wb:a-slow"]) == 96)
    began = time.monotonic()
    hooks.notify(url, "wb:t-x", "wb:a-quick")
    until(lambda: bool(asked))
    assert time.monotonic() - began < 5  # each silent one takes ten seconds
    hooks.close()
    silent.close()


def test_the_signature_covers_id_time_and_body() -> None:
    assert signature(None, "a", 1, b"x") == {}
    signed = signature("key", "a", 1, b"x")
    assert signed["webhook-signature"].startswith("v1,")
    for other in (("key2", "a", 1, b"x"), ("key", "b", 1, b"x"), ("key", "a", 2, b"x")):
        assert signature(*other)["webhook-signature"] != signed["webhook-signature"]
