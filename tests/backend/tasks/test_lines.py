"""Servers ask shards by lines of their own, which admit only members of the cluster."""

import socket
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.tasks.lines import Exchange, Lines
from backend.tasks.messages import Message
from backend.tasks.outcomes import PlaceLost
from backend.tasks.ray_node import node_environment
from tests.certificates import certificate

_KEY = node_environment({}, "the key of the cluster")
_HOST = "127.0.0.1"


def _reversed(question: Message) -> Message:
    if question.kind == "slow":
        time.sleep(question.data)
    return Message("result", question.data, [blob[::-1] for blob in question.blobs])


@pytest.fixture
def exchange() -> Iterator[Exchange]:
    made = Exchange(_HOST, _reversed, _KEY)
    yield made
    made.close()


@pytest.fixture
def lines(exchange: Exchange) -> Iterator[Lines]:
    made = Lines(_KEY)
    made.lead_to(exchange.address)
    yield made
    made.lead_to(None)


def test_questions_of_many_threads_get_their_own_answers(lines: Lines) -> None:
    wrong: list[int] = []

    def ask(number: int) -> None:
        for turn in range(20):
            blob = f"{number} {turn}".encode() * 1000
            answer = lines.ask(Message("ask", number, [blob])).result(10)
            if answer.data != number or answer.blobs[0] != blob[::-1]:
                wrong.append(number)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_line_is_used_again_and_one_with_an_answer_that_nobody_wanted_is_not(
    lines: Lines,
) -> None:
    for number in range(5):
        assert lines.ask(Message("ask", number)).result(10).data == number
    assert len(lines._idle) == 1
    lines.ask(Message("ask", "unwanted")).cancel()
    assert lines.ask(Message("ask", "wanted")).result(10).data == "wanted"
    with pytest.raises(PlaceLost):
        lines.ask(Message("slow", 0.5)).result(0.05)
    assert lines.ask(Message("ask", "next")).result(10).data == "next"


def test_a_shard_that_moves_ends_the_questions_to_its_former_place(
    lines: Lines, exchange: Exchange
) -> None:
    waiting = lines.ask(Message("slow", 30))
    began = time.monotonic()
    threading.Timer(0.2, lines.lead_to, [None]).start()
    with pytest.raises(PlaceLost):
        waiting.result(20)
    assert time.monotonic() - began < 10
    with pytest.raises(PlaceLost, match="starting"):
        lines.ask(Message("ask", 1))
    lines.lead_to(exchange.address)
    assert lines.ask(Message("ask", 1)).result(10).data == 1


def test_a_shard_that_has_ended_is_lost() -> None:
    with socket.create_server((_HOST, 0)) as gone:
        address = f"{_HOST}:{gone.getsockname()[1]}"
    lines = Lines(_KEY)
    lines.lead_to(address)
    with pytest.raises(PlaceLost):
        lines.ask(Message("ask"))


@pytest.mark.parametrize("key", ["another key", None])
def test_callers_without_the_key_get_no_answer_and_shards_without_it_no_question(
    exchange: Exchange, key: str | None
) -> None:
    stranger = Lines(node_environment({}, key))
    stranger.lead_to(exchange.address)
    with pytest.raises(PlaceLost):
        stranger.ask(Message("ask", "documents"))
    asked: list[Message] = []

    def answer(question: Message) -> Message:
        asked.append(question)
        return question

    false = Exchange(_HOST, answer, node_environment({}, key))
    honest = Lines(_KEY)
    honest.lead_to(false.address)
    with pytest.raises(PlaceLost):
        honest.ask(Message("ask", "confidential"))
    false.close()
    assert not asked


def test_what_one_end_proves_cannot_be_sent_back_to_it(exchange: Exchange) -> None:
    host, _, port = exchange.address.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=10) as mirror:
        mirror.sendall(mirror.recv(32))
        mirror.sendall(mirror.recv(32))
        assert mirror.recv(1) == b""


def test_lines_are_encrypted_where_those_of_ray_are(tmp_path: Path) -> None:
    made = certificate(tmp_path / "own", _HOST)
    foreign = certificate(tmp_path / "foreign", _HOST)

    exchange = Exchange(_HOST, _reversed, _KEY | made.settings)
    lines = Lines(_KEY | made.settings)
    lines.lead_to(exchange.address)
    assert lines.ask(Message("ask", 1)).result(10).data == 1
    for environment in (_KEY, _KEY | foreign.settings):
        stranger = Lines(environment)
        stranger.lead_to(exchange.address)
        with pytest.raises(PlaceLost):
            stranger.ask(Message("ask", 1)).result(10)
    context = ssl.create_default_context(cafile=str(made.authority))
    host, _, port = exchange.address.rpartition(":")
    with (
        socket.create_connection((host, int(port)), timeout=10) as plain,
        context.wrap_socket(plain, server_hostname=host) as caller,
        pytest.raises(ssl.SSLError, match=r"(?i)certificate"),
    ):
        caller.recv(1)
    lines.lead_to(None)
    exchange.close()
