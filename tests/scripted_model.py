"""An OpenAI-compatible endpoint on loopback that answers from a script, for tests.

    with ScriptedModel(good({"name": "Ada"}), status(429, retry_after=1)) as model:
        ...                      # model.url is its address, model.requests what it was sent

Replies are used in order, the last one for ever. A reply may also be a function of the request
that returns one, for answers that depend on what was asked.
"""

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Reply:
    """One answer: `text` as the model's words, or `body` as the whole HTTP body."""

    text: str = ""
    status: int = 200
    seconds: float = 0.0
    finish_reason: str = "stop"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    broken: bool = False
    usage: tuple[int, int] | None = (100, 20)


Script = Reply | Callable[[Json], Reply]


def good(value: object, **more: Any) -> Reply:
    """The value as the model's JSON."""
    return Reply(json.dumps(value), **more)


def malformed() -> Reply:
    """Words instead of JSON."""
    return Reply("I would say that it is about twelve.")


def cut(value: object) -> Reply:
    """An answer that reached its greatest length in the middle."""
    text = json.dumps(value)
    return Reply(text[: len(text) // 2], finish_reason="length")


def slow(value: object, seconds: float) -> Reply:
    return good(value, seconds=seconds)


def status(code: int, retry_after: float | None = None, message: str = "no") -> Reply:
    """A refusal, with what the endpoint says about it."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return Reply(
        status=code, headers=headers, body=json.dumps({"error": {"message": message}}).encode()
    )


def broken() -> Reply:
    """The connection ends in the middle of the answer."""
    return Reply("half of it", broken=True)


def data_of(request: Json) -> Any:
    """The JSON data that a question carried."""
    content = next(m for m in request["messages"] if m["role"] == "user")["content"]
    if isinstance(content, list):
        content = next(part["text"] for part in content if part["type"] == "text")
    return json.loads(content)


class ScriptedModel:
    """The endpoint; starts with the `with` block and ends with it."""

    def __init__(self, *script: Script) -> None:
        self._script = list(script)
        self._lock = threading.Lock()
        self.requests: list[Json] = []
        self.headers: list[Mapping[str, str]] = []
        self.at_once = 0
        """The most requests that were under way together."""
        self._under_way = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), daemon=True
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> "ScriptedModel":
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _next(self, request: Json, headers: Mapping[str, str]) -> Reply:
        with self._lock:
            self.requests.append(request)
            self.headers.append(headers)
            script = self._script.pop(0) if len(self._script) > 1 else self._script[0]
        return script(request) if callable(script) else script

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with model._lock:
                    model._under_way += 1
                    model.at_once = max(model.at_once, model._under_way)
                try:
                    reply = model._next(request, dict(self.headers))
                    time.sleep(reply.seconds)
                    self._answer(reply, _completion(request, reply))
                except (BrokenPipeError, ConnectionResetError):
                    pass  # the caller stopped waiting
                finally:
                    with model._lock:
                        model._under_way -= 1

            def _answer(self, reply: Reply, body: bytes) -> None:
                self.send_response(reply.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body[: len(body) // 2] if reply.broken else body)
                self.close_connection = reply.broken or self.close_connection

            def log_message(self, format: str, *arguments: object) -> None:
                """Nothing: tests look at `requests`."""

        return Handler


def _completion(request: Json, reply: Reply) -> bytes:
    if reply.body is not None:
        return reply.body
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    finish_reason = reply.finish_reason
    if tools := request.get("tools"):
        call = {"name": tools[0]["function"]["name"], "arguments": reply.text}
        message = {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "call-1", "type": "function", "function": call}],
        }
        finish_reason = "tool_calls" if finish_reason == "stop" else finish_reason
    completion: dict[str, Any] = {
        "id": "answer-1",
        "object": "chat.completion",
        "created": 1,
        "model": request["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
    }
    if reply.usage is not None:
        sent, received = reply.usage
        completion["usage"] = {
            "prompt_tokens": sent, "completion_tokens": received, "total_tokens": sent + received
        }  # fmt: skip
    return json.dumps(completion).encode()
