"""Section 7 of the contract: the message that a task has stopped."""

import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest

from tests.backend_process import BackendProcess
from tests.contract.texts import LONG

SUBMIT = "/v1/async/submit/document/partition"


@dataclass
class Receiver:
    """An address that records what it receives, after refusing a given number of times."""

    url: str = ""
    failures: int = 0
    received: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    def wait(self, number: int) -> list[tuple[dict[str, str], bytes]]:
        deadline = time.monotonic() + 60
        while len(self.received) < number:
            assert time.monotonic() < deadline, f"notified {len(self.received)} times"
            time.sleep(0.02)
        return self.received


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    kept = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            refuse = len(kept.received) < kept.failures
            kept.received.append(({key.lower(): v for key, v in self.headers.items()}, body))
            self.send_response(503 if refuse else 204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    kept.url = f"http://127.0.0.1:{server.server_address[1]}/hook"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield kept
    server.shutdown()
    server.server_close()
    thread.join()


def submit(http: httpx.Client, url: str, text: str = "text") -> str:
    answer = http.post(SUBMIT, files={"file": ("a.txt", text)}, headers={"X-Aryn-Webhook": url})
    return str(answer.raise_for_status().json()["task_id"])


def test_7_the_webhook_is_called_when_a_task_is_done_and_when_it_is_cancelled(
    own: Callable[..., BackendProcess], receiver: Receiver
) -> None:
    with own(allow_private_fetch="true").client() as http:
        done = submit(http, receiver.url)
        ((headers, body),) = receiver.wait(1)
        assert json.loads(body) == {"done": [{"task_id": done}]}
        assert headers["content-type"] == "application/json"
        assert "webhook-signature" not in headers
        running, queued = submit(http, receiver.url, LONG), submit(http, receiver.url, LONG)
        for number, task_id in enumerate((queued, running), start=2):
            http.post(f"/v1/async/cancel/{task_id}").raise_for_status()
            _, body = receiver.wait(number)[-1]
            assert json.loads(body) == {"done": [{"task_id": task_id}]}


def test_7_a_refused_message_is_sent_again_and_a_dead_address_holds_up_no_other(
    own: Callable[..., BackendProcess], receiver: Receiver
) -> None:
    receiver.failures = 1
    with own(allow_private_fetch="true").client() as http:
        submit(http, "http://127.0.0.1:9/")
        task_id = submit(http, receiver.url)
        bodies = [body for _, body in receiver.wait(2)]
        assert bodies == [json.dumps({"done": [{"task_id": task_id}]}).encode()] * 2


def test_7_messages_are_signed_when_there_is_a_key(
    own: Callable[..., BackendProcess], receiver: Receiver
) -> None:
    with own(allow_private_fetch="true", webhook_secret="k3y").client() as http:
        task_id = submit(http, receiver.url)
        ((headers, body),) = receiver.wait(1)
    signed = f"{task_id}.{headers['webhook-timestamp']}.".encode() + body
    digest = hmac.new(b"k3y", signed, hashlib.sha256).digest()
    assert headers["webhook-id"] == task_id
    assert headers["webhook-signature"] == "v1," + base64.b64encode(digest).decode()
    assert abs(time.time() - int(headers["webhook-timestamp"])) < 60
