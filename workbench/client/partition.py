"""Calls that turn a file into elements without storing it.

The synchronous response is one JSON object over many lines: the `status` list comes first, one line
per entry, while the work is running. The complete response is valid JSON.
"""

import json
from collections.abc import AsyncIterable, AsyncIterator, Callable
from typing import Any

from workbench.client.calls import Calls
from workbench.client.errors import BadAnswer
from workbench.client.tasks import body_error
from workbench.client.uploads import OnSent, Options, Source, prepare
from workbench.client.wire import Call

OnStatus = Callable[[str], None]
_ENTRY = b'    "'  # a line of the status list, recognised by its indentation


class PartitionCalls(Calls):
    async def partition(
        self,
        source: Source,
        *,
        options: Options | None = None,
        on_status: OnStatus | None = None,
    ) -> dict[str, Any]:
        """The result with `elements`, `markdown` or `html`; raises errors the server reports."""
        upload = prepare(source, options=options)
        call = Call("POST", "/v1/document/partition", upload=upload, patient=True)
        async with self.wire.pieces(call) as pieces:
            content = await _follow(pieces, on_status)
        try:
            body = json.loads(content)
        except ValueError as error:
            raise BadAnswer("The partition response broke off or is not JSON.") from error
        if (failure := body_error(body)) is not None:
            raise failure
        if not isinstance(body, dict):
            raise BadAnswer("The partition response is not a JSON object.")
        return body

    async def submit_partition(
        self, source: Source, *, options: Options | None = None, on_sent: OnSent | None = None
    ) -> str:
        """Sends the file and returns the id of the task that partitions it."""
        upload = prepare(source, options=options, on_sent=on_sent)
        path = "/v1/async/submit/document/partition"
        return await self.submitted(Call("POST", path, upload=upload))


async def _follow(pieces: AsyncIterable[bytes], on_status: OnStatus | None) -> bytes:
    """Collects the response and reports each status entry once its line is complete."""
    content = bytearray()
    if on_status is not None:
        async for entry in _status_entries(pieces, content):
            on_status(entry)
    async for piece in pieces:
        content += piece
    return bytes(content)


async def _status_entries(pieces: AsyncIterable[bytes], content: bytearray) -> AsyncIterator[str]:
    start = 0
    async for piece in pieces:
        content += piece
        while (end := content.find(b"\n", start)) >= 0:
            line = bytes(content[start:end])
            start = end + 1
            if line.startswith(b"  ]"):
                return
            if line.startswith(_ENTRY):
                try:
                    entry = json.loads(line.strip().rstrip(b","))
                except ValueError:
                    continue
                if entry:
                    yield entry
