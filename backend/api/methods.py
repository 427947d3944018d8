"""What HTTP asks of every resource (RFC 9110): HEAD wherever there is a GET, `Allow` in a 405."""

import asyncio
from collections.abc import Iterable

from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


class Heads:
    """Answers HEAD with the head of the answer to GET. A range is defined for GET alone."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        answered = asyncio.Event()
        asked = False

        async def receive_once() -> Message:
            """The request; after the head of the answer a disconnect, which ends a stream."""
            nonlocal asked
            if not asked:
                asked = True
                return await receive()
            await answered.wait()
            return {"type": "http.disconnect"}

        async def send_head(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
                await send({"type": "http.response.body", "body": b"", "more_body": False})
                answered.set()

        headers = [(name, value) for name, value in scope["headers"] if name != b"range"]
        got = {**scope, "method": "GET", "headers": headers}
        try:
            await self._app(got, receive_once, send_head)
        finally:
            scope.update({key: got[key] for key in ("route", "endpoint") if key in got})


def allowed(routes: Iterable[BaseRoute], scope: Scope) -> str:
    """The methods that the routes have for the path of a request, as the header `Allow` lists them.

    Example:
        >>> allowed([], {"type": "http", "path": "/", "headers": []})
        ''
    """
    listed = list(routes)
    names = [
        method
        for method in _METHODS
        if any(route.matches({**scope, "method": method})[0] is Match.FULL for route in listed)
    ]
    return ", ".join(["GET", "HEAD", *names[1:]] if "GET" in names else names)
