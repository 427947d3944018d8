"""Calls about spellings that count as one in the answers of a DocSet (extension)."""

from pydantic import TypeAdapter

from workbench.client.calls import Calls
from workbench.client.wire import EXTENSIONS, Call, segment
from workbench.contract.coverage import Merge

_MERGES = TypeAdapter(list[Merge])


class MergeCalls(Calls):
    """Each returns all merges of the DocSet, in the order they were made."""

    async def merged_values(self, docset_id: str) -> list[Merge]:
        return await self._merges(Call("GET", _path(docset_id)))

    async def merge_values(self, docset_id: str, merge: Merge) -> list[Merge]:
        """Counts all values of the merge as one from now on; documents keep their values."""
        return await self._merges(Call("POST", _path(docset_id), json=merge))

    async def undo_merge(self, docset_id: str, number: int) -> list[Merge]:
        """Removes the merge with that number in the list, from 0."""
        return await self._merges(Call("DELETE", f"{_path(docset_id)}/{number}"))

    async def _merges(self, call: Call) -> list[Merge]:
        merges: list[Merge] = await self.wire.parsed(call, _MERGES)
        return merges


def _path(docset_id: str) -> str:
    return f"{EXTENSIONS}docsets/{segment(docset_id)}/merged-values"
