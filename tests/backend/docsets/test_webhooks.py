"""Delivery of webhooks: back-off, giving up, and the signature."""

import itertools
import socket
import time
from collections.abc import Callable, Iterator

import pytest

from backend.contract.errors import BadRequest
from backend.docsets.fetching import Guard
from backend.docsets.webhooks import Webhooks, signature


class Script(Webhooks):
    """Answers from a list instead of the network; notes when it was asked."""

    def __init__(self, answers: list[int | None], clock: Callable[[], float]) -> None:
        self.answers = answers
        self.asked: list[float] = []
        self.now = clock
        super().__init__(Guard(True), ticks=clock)

    def _posted(self, _message: object) -> int | None:
        self.asked.append(self.now())
        return self.answers.pop(0)


@pytest.fixture
def delivered() -> Iterator[Callable[[list[int | None]], list[float]]]:
    started: list[Script] = []

    def deliver(answers: list[int | None]) -> list[float]:
        """The times of all attempts; waiting times pass at a thousandth of their length."""
        begin = time.monotonic()
        hooks = Script(answers, lambda: 1000 * (time.monotonic() - begin))
        started.append(hooks)
        hooks.tell("http://127.0.0.1:1/", "wb:t-1")
        deadline = time.monotonic() + 5
        while (hooks.answers or hooks._waiting) and time.monotonic() < deadline:
            with hooks._changed:
                hooks._changed.notify_all()
            time.sleep(0.001)
        time.sleep(0.02)
        return hooks.asked

    yield deliver
    for hooks in started:
        hooks.close()


def test_what_is_taken_is_sent_once(delivered) -> None:
    assert len(delivered([204])) == 1


@pytest.mark.parametrize("failure", [None, 500, 503, 429, 408])
def test_a_failure_is_tried_again_after_longer_and_longer_waits(delivered, failure) -> None:
    times = delivered([failure] * 5)
    waits = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert len(times) == 5
    assert all(wait >= least for wait, least in zip(waits, [1, 5, 30, 120], strict=True))


@pytest.mark.parametrize("answer", [301, 400, 404, 410])
def test_a_refusal_that_will_not_change_is_not_tried_again(delivered, answer) -> None:
    assert len(delivered([answer])) == 1


def test_addresses_that_would_never_be_called_are_refused() -> None:
    hooks = Webhooks(Guard(False))
    for url in ("http://127.0.0.1/", "ftp://example.com/", "http://user:pw@example.com/", ""):
        with pytest.raises(BadRequest):
            hooks.check(url)
    hooks.close()


def test_a_name_that_turns_inside_after_it_was_checked_is_not_called() -> None:
    """The task may take hours; what the name says by then is checked as it was at first."""
    looks = itertools.count()

    def resolve(_host: str, _port: int) -> list[str]:
        return ["93.184.216.34"] if next(looks) == 0 else ["127.0.0.1"]

    with socket.create_server(("127.0.0.1", 0)) as inside:
        inside.settimeout(0.2)
        hooks = Webhooks(Guard(False, resolve))
        url = f"http://turning.example:{inside.getsockname()[1]}/"
        hooks.check(url)
        hooks.tell(url, "wb:t-1")
        deadline = time.monotonic() + 20
        while next(looks) < 2:  # it was looked up for the delivery, and once more by this
            assert time.monotonic() < deadline
            time.sleep(0.01)
        with pytest.raises(TimeoutError):
            inside.accept()
        hooks.close()


def test_the_signature_covers_id_time_and_body() -> None:
    assert signature(None, "a", 1, b"x") == {}
    signed = signature("key", "a", 1, b"x")
    assert signed["webhook-signature"].startswith("v1,")
    for other in (("key2", "a", 1, b"x"), ("key", "b", 1, b"x"), ("key", "a", 2, b"x")):
        assert signature(*other)["webhook-signature"] != signed["webhook-signature"]
