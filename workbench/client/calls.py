"""What the groups of calls share: the wire, and reading a list page by page."""

from collections.abc import AsyncIterator, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel

from backend.contract.docsets import Page
from backend.contract.tasks import TaskAccepted
from workbench.client.wire import Call, Parameter, Wire

STORAGE = "/v1/storage/docsets"
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
        """Every item of a list; the next page is asked for when the last one is used up."""
        token: str | None = None
        while True:
            page = await self.page_of(kind, path, {**params, "page_token": token})
            for item in page.items:
                yield item
            token = page.next_page_token
            if token is None:
                return

    async def submitted(self, call: Call) -> str:
        """Sends a submit call; the task id in its answer is durable."""
        return (await self.wire.model(call, TaskAccepted)).task_id


def as_json(body: BaseModel | Mapping[str, Any] | None) -> Any:
    """A body of the contract, or the caller's own JSON object, as plain JSON."""
    return body.model_dump(mode="json", by_alias=True) if isinstance(body, BaseModel) else body
