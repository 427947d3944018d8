"""Calls about the server itself; all of them extensions."""

from collections.abc import AsyncIterator
from typing import Any

from workbench.client.calls import Calls, as_json
from workbench.client.wire import EXTENSIONS, Call
from workbench.contract.cluster import ClusterState
from workbench.contract.storage import StorageCheck, StorageReport
from workbench.contract.tokens import MadeToken, NewToken, TokenList, TokenRecord

_TOKENS = f"{EXTENSIONS}tokens"


class ServiceCalls(Calls):
    async def health(self) -> dict[str, Any]:
        """`status`, `version`, `pid` and `started` (seconds since 1970)."""
        answer: dict[str, Any] = await self.wire.json(Call("GET", f"{EXTENSIONS}health"))
        return answer

    async def capabilities(self) -> dict[str, Any]:
        """Formats, OCR, embeddings and language models of the server."""
        answer: dict[str, Any] = await self.wire.json(Call("GET", f"{EXTENSIONS}capabilities"))
        return answer

    async def cluster(self) -> ClusterState:
        """Nodes, places, queue, and what work waits for; scope admin."""
        return await self.wire.model(Call("GET", f"{EXTENSIONS}cluster"), ClusterState)

    async def stop(self) -> None:
        """Asks the server to stop; open tasks continue at its next start."""
        await self.wire.answer(Call("POST", f"{EXTENSIONS}stop"))

    async def backup(self) -> AsyncIterator[bytes]:
        """The bytes of a backup, in the format of `workbench.contract.backup`; scope admin."""
        call = Call("POST", f"{EXTENSIONS}backup", patient=True)
        async with self.wire.pieces(call) as pieces:
            async for piece in pieces:
                yield piece

    async def check_storage(self, wanted: StorageCheck) -> StorageReport:
        """Checks the integrity of everything stored; scope admin."""
        call = Call("POST", f"{EXTENSIONS}storage/check", json=as_json(wanted), patient=True)
        return await self.wire.model(call, StorageReport)

    # -- tokens, for callers with scope admin ----------------------------------------------------

    async def tokens(self) -> list[TokenRecord]:
        """Every token of the server, oldest first, without its secret."""
        return (await self.wire.model(Call("GET", _TOKENS), TokenList)).items

    async def make_token(self, wanted: NewToken) -> MadeToken:
        """Creates a token; only this response contains its secret."""
        return await self.wire.model(Call("POST", _TOKENS, json=as_json(wanted)), MadeToken)

    async def revoke_token(self, token_id: str) -> TokenRecord:
        """Revokes a token at once."""
        return await self.wire.model(Call("DELETE", f"{_TOKENS}/{token_id}"), TokenRecord)
