"""Files dropped into a notebook cell, sent piece by piece, added to a DocSet.

The browser sends the next piece only when the last one has been written down, so a large file fills
neither the browser's memory nor the kernel's. For very large files a path on the kernel's machine
(`docset.add`) is the better way.
"""

import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import traitlets

from workbench.objects import DocSet
from workbench.objects.adding import Addition, add_all
from workbench.widgets.view import Message, View, script


@dataclass
class _File:
    """One file: what the browser shows of it, and where its bytes are kept until it is added."""

    name: str
    size: int
    received: int = 0
    stage: str = "receiving"
    error: str = ""


class Uploader(View):
    """Each file is a document as soon as it is `done`; a failed one says why and stops nothing."""

    _esm = script("uploader")
    files: traitlets.List[Any] = traitlets.List().tag(sync=True)

    def __init__(self, docset: DocSet) -> None:
        self._docset = docset
        self._known: dict[str, _File] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="workbench-upload-")
        super().__init__({"begin": self._begin, "piece": self._piece})

    def close(self) -> None:
        self._folder.cleanup()
        super().close()

    async def _begin(self, message: Message, _: Sequence[bytes]) -> None:
        key = str(int(message["file"]))
        name = str(message["name"]).replace("\\", "/").rpartition("/")[2] or "upload"
        self._known[key] = _File(name, int(message["size"]))
        self._path(key).write_bytes(b"")
        await self._took(key)

    async def _piece(self, message: Message, buffers: Sequence[bytes]) -> None:
        key = str(int(message["file"]))
        file = self._known[key]
        with self._path(key).open("ab") as target:
            for buffer in buffers:
                target.write(buffer)
                file.received += len(buffer)
        await self._took(key)

    async def _took(self, key: str) -> None:
        """Asks for the next piece, or adds the file when it is whole."""
        file = self._known[key]
        self._show()
        if file.received < file.size:
            self.send({"kind": "next", "file": int(key), "from": file.received})
            return
        path = self._path(key)

        def changed(_: int, state: Addition) -> None:
            file.stage, file.error = state.stage, state.error or ""
            self._show()

        addition = Addition(path, file.name, size=file.size)
        client = self._docset.engine.client
        await add_all(client, self._docset.id, [addition], on_change=changed)
        path.unlink()

    def _path(self, key: str) -> Path:
        """Named by number: the browser's name of a file is only a name."""
        return Path(self._folder.name) / key

    def _show(self) -> None:
        shown: list[dict[str, Any]] = [asdict(file) for file in self._known.values()]
        self.files = shown
