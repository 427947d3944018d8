"""Calls about the server itself; all of them extensions."""

from typing import Any

from workbench.client.calls import Calls
from workbench.client.wire import EXTENSIONS, Call


class ServiceCalls(Calls):
    async def health(self) -> dict[str, Any]:
        """`status`, `version`, `pid` and `started` (seconds since 1970)."""
        answer: dict[str, Any] = await self.wire.json(Call("GET", f"{EXTENSIONS}health"))
        return answer

    async def capabilities(self) -> dict[str, Any]:
        """What the server can do on this machine: formats, OCR, embeddings, language model."""
        answer: dict[str, Any] = await self.wire.json(Call("GET", f"{EXTENSIONS}capabilities"))
        return answer

    async def stop(self) -> None:
        """Asks the server to end; open tasks go on at its next start."""
        await self.wire.answer(Call("POST", f"{EXTENSIONS}stop"))
