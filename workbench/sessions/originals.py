"""Recently viewed original files, cached in memory so that paging through hits stays fast."""

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.client import AsyncClient

_MOST_BYTES = 128 * 2**20


class Originals:
    """Fetches a file once; the least recently used ones are dropped when all exceed a size."""

    def __init__(self, client: "AsyncClient") -> None:
        self.client = client
        self._files: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    async def get(self, docset_id: str, doc_id: str) -> bytes:
        """The bytes of a document's original file; the same object while it is cached."""
        key = (docset_id, doc_id)
        if key not in self._files:
            self._files[key] = await self.client.binary(docset_id, doc_id)
            while len(self._files) > 1 and sum(map(len, self._files.values())) > _MOST_BYTES:
                self._files.popitem(last=False)
        self._files.move_to_end(key)
        return self._files[key]
