"""The DocSets of a server in a notebook cell; `.docset` is the chosen one."""

from collections.abc import Sequence
from typing import Any

import traitlets

from workbench.contract.docsets import DocSetMetadata
from workbench.formats import counted
from workbench.frames.html import Markup, preview
from workbench.objects import DocSet, Workbench
from workbench.widgets.message import Message
from workbench.widgets.view import View, script


class DocSetPicker(View):
    """`picker.docset` is the DocSet that was chosen; setting `docset_id` chooses another one."""

    _esm = script("docset_picker")
    docsets: traitlets.List[Any] = traitlets.List().tag(sync=True)
    docset_id = traitlets.Unicode("").tag(sync=True)

    def __init__(self, workbench: Workbench, docset_id: str = "") -> None:
        self._engine = workbench.engine
        self._by_id: dict[str, DocSetMetadata] = {}
        super().__init__({"refresh": self._refresh}, docset_id=docset_id)
        self.start(self._read())

    @property
    def docset(self) -> DocSet | None:
        """The chosen DocSet at the last refresh; None if none is chosen."""
        metadata = self._by_id.get(self.docset_id)
        return None if metadata is None else DocSet(self._engine, metadata)

    def snapshot(self) -> Markup:
        return preview(
            "DocSets",
            ("", "name", ""),
            [
                ("▸" if line["id"] == self.docset_id else "", line["name"], line["about"])
                for line in self.docsets
            ],
            len(self.docsets),
        )

    async def _refresh(self, message: Message, _: Sequence[bytes]) -> None:
        await self._read()

    async def _read(self) -> None:
        """Newest first. A choice that no longer exists is dropped."""
        listed = [metadata async for metadata in self._engine.client.docsets()]
        listed.sort(key=lambda metadata: metadata.created_at, reverse=True)
        self._by_id = {metadata.docset_id: metadata for metadata in listed}
        with self.hold_sync():
            self.docsets = [_line(metadata) for metadata in listed]
            if self.docset_id not in self._by_id:
                self.docset_id = ""


def _line(metadata: DocSetMetadata) -> dict[str, Any]:
    documents = counted(metadata.size or 0, "document")
    return {
        "id": metadata.docset_id,
        "name": metadata.name,
        "about": f"{documents} · {metadata.created_at:%Y-%m-%d}",
    }
