"""Shared by all groups of calls: the wire, and reading a list page by page."""

import json
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel

from workbench.client.errors import ConnectionFailed, TooLarge, WorkbenchError
from workbench.client.wire import EXTENSIONS, Call, Parameter, Wire
from workbench.contract.docsets import Page
from workbench.contract.tasks import TaskAccepted, TaskList

STORAGE = "/v1/storage/docsets"
_MARK = "X-Aryn-Userdata"
"""Text of the caller that the server repeats in its task list."""
_RESUBMISSIONS = 2
_SETTLING = 0.5  # seconds a server may need to record a request it has read
Item = TypeVar("Item", bound=BaseModel)


class Calls:
    """Base of the groups of calls that make up `AsyncClient`."""

    wire: Wire

    async def page_of(
        self, kind: type[Page[Item]], path: str, params: Mapping[str, Parameter]
    ) -> Page[Item]:
        return await self.wire.model(Call("GET", path, params=params), kind)

    async def items_of(
        self, kind: type[Page[Item]], path: str, params: Mapping[str, Parameter]
    ) -> AsyncIterator[Item]:
        """Every item of a list; pages are fetched on demand."""
        token: str | None = None
        while True:
            page = await self.page_of(kind, path, {**params, "page_token": token})
            for item in page.items:
                yield item
            token = page.next_page_token
            if token is None:
                return

    async def submitted(self, call: Call) -> str:
        """Sends a submit call; the returned task id is durable."""
        return (await self.wire.model(call, TaskAccepted)).task_id

    async def submitted_once(self, call: Call) -> str:
        """The same for work that must not start twice.

        The submission carries a unique mark. If the connection breaks before the response, the task
        list shows whether the server has it; only if not is it sent again.
        """
        mark = json.dumps({"submission": secrets.token_hex(16)})
        marked = replace(call, headers={**call.headers, _MARK: mark})
        for _ in range(_RESUBMISSIONS):
            try:
                return await self.submitted(marked)
            except ConnectionFailed as error:
                if not error.sent:
                    raise
            await self.wire.pause(_SETTLING)
            listed = await self.wire.model(Call("GET", "/v1/async/list"), TaskList)
            for task_id, task in listed.tasks.items():
                if task.userdata == mark:
                    return task_id
        try:
            return await self.submitted(marked)
        except ConnectionFailed:
            await self.check_size(0 if call.upload is None else call.upload.size)
            raise

    async def check_size(self, size: int) -> None:
        """TooLarge for a file of that many bytes if it is over the server's limit. The server
        refuses it by its declared size and closes the connection, which often breaks before its
        answer is read.
        """
        most = size
        with suppress(WorkbenchError, LookupError, TypeError, ValueError):
            capabilities = await self.wire.json(Call("GET", f"{EXTENSIONS}capabilities"))
            most = int(capabilities["limits"]["max_upload"])
        if size > most:
            detail = f"The file has {size:,} bytes; the server accepts at most {most:,}."
            raise TooLarge(413, detail)


def as_json(body: BaseModel | Mapping[str, Any] | None) -> Any:
    """A type of the contract, or the caller's own JSON object, as plain JSON."""
    return body.model_dump(mode="json", by_alias=True) if isinstance(body, BaseModel) else body
