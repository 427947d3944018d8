"""Clients that submit small texts to several servers, and know which were acknowledged."""

import random
import threading
import time
from collections.abc import Sequence

import httpx

from tests.backend_process import BackendProcess
from tests.reliability.mixed_load import STORAGE, documents, drained, submitted_path


class Sender:
    """Submits a text to a random server every 50 milliseconds until `end`.

    `unsure` are those without an acknowledgement: they may have been accepted before the line
    broke. `seconds` limits the wait for one answer.
    """

    def __init__(
        self, servers: Sequence[BackendProcess], docset: str, seed: int, seconds: float = 60
    ) -> None:
        self.acknowledged: list[str] = []
        self.unsure: list[str] = []
        self._servers = servers
        self._seconds = seconds
        self._path = submitted_path(f"{STORAGE}/{docset}/docs")
        self._random = random.Random(seed)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._send, args=(seed,), daemon=True)
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        self._thread.join()

    def _send(self, seed: int) -> None:
        number = 0
        while not self._ended.wait(0.05):
            number += 1
            name = f"{seed}-{number}.txt"
            try:
                with self._random.choice(self._servers).client() as http:
                    sent = {"file": (name, f"The text of {name}.")}
                    answer = http.post(self._path, files=sent, timeout=self._seconds)
            except httpx.HTTPError:
                self.unsure.append(name)
                continue
            (self.acknowledged if answer.status_code == 202 else self.unsure).append(name)


def wait_for_more(senders: Sequence[Sender], count: int = 5, seconds: float = 120) -> None:
    """Returns when so many more texts are acknowledged: a slow machine must not make a crash test
    of thousands of texts one of a few.
    """
    enough = sum(len(sender.acknowledged) for sender in senders) + count
    deadline = time.monotonic() + seconds
    while sum(len(sender.acknowledged) for sender in senders) < enough:
        assert time.monotonic() < deadline, "nothing is acknowledged any more"
        time.sleep(0.01)


def assert_each_done_once(
    http: httpx.Client, docset: str, senders: Sequence[Sender], seconds: float = 240
) -> int:
    """Waits until no task is open. Nothing acknowledged is missing, nothing is there twice, and the
    files are whole. Returns how many texts were acknowledged.
    """
    drained(http, seconds)
    names = sorted(one["name"] for one in documents(http, docset))
    assert len(names) == len(set(names)), "done twice"
    acknowledged = {name for sender in senders for name in sender.acknowledged}
    assert acknowledged - set(names) == set(), "lost"
    assert set(names) - acknowledged <= {n for sender in senders for n in sender.unsure}
    check = "/v1/workbench/storage/check"
    report = http.post(check, json={"read_files": True}, timeout=600).raise_for_status().json()
    assert report["faults"] == []
    return len(acknowledged)
