"""Files for a DocSet from a notebook cell: dropped into it, or named by a path of the kernel's
machine. The queue is the one of the terminal app: it is kept on disk and shown by both.

The browser sends the next piece of a dropped file only when the last one has been written down, so
a large file fills neither the browser's memory nor the kernel's.
"""

import asyncio
import secrets
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import traitlets

from workbench.contract.location import data_dir
from workbench.frames.html import Markup, preview
from workbench.objects import DocSet
from workbench.sessions.gather import gather
from workbench.sessions.upload_queue import Upload
from workbench.widgets.message import Message, gone
from workbench.widgets.view import View, script

_SHOWN = 50
_PART = ".part"  # of the folder of a file that is not whole yet
_DAY = 86_400  # seconds
_LONGEST_NAME = 200  # bytes; its end, which has the suffix
_FIRST = ("sending", "partitioning", "failed", "duplicate", "cancelled", "queued", "done")


@dataclass
class _Dropped:
    """A file on its way from the browser; `size` and `received` are bytes."""

    path: Path
    size: int
    received: int = 0


class Uploader(View):
    """Each file is a document once `done`; a failed one shows why and stops no others."""

    _esm = script("uploader")
    files: traitlets.List[Any] = traitlets.List().tag(sync=True)
    summary = traitlets.Unicode("").tag(sync=True)
    counts = traitlets.Dict().tag(sync=True)

    def __init__(self, docset: DocSet) -> None:
        engine = docset.engine
        self._docset = docset
        self._space = engine.workspace
        self._dropped: dict[int, _Dropped] = {}
        handlers = {
            "begin": self._begin,
            "piece": self._piece,
            "path": self._path,
            "retry": self._retry,
            "cancel": self._cancel,
            "forget": self._forget,
            "clear": self._clear,
        }
        super().__init__(handlers)
        self.until_closed(
            self._drop_parts,
            self._space.uploader.listen(self._changed),
            self._space.news.listen(lambda: self.soon(self._show)),
            engine.news.hold(),
            engine.tasks.hold(),
            engine.uploads.hold(),
        )
        _remove_old_parts()
        self._show()

    def snapshot(self) -> Markup:
        lines = [(file["name"], file["stage"], file["error"]) for file in self.files]
        title = f"Uploads: {self.summary or 'none'}"
        return preview(title, ("name", "state", ""), lines, sum(self.counts.values()))

    # -- from the browser -----------------------------------------------------------------------

    async def _begin(self, message: Message, _: Sequence[bytes]) -> None:
        key, size, name = message.number("file"), message.count("size"), message.text("name")
        await self._space.uploader.client.check_size(size)
        self._give_up_part(key)
        path = _dropped_folder() / f"{secrets.token_hex(8)}{_PART}" / _plain_name(name)
        self._dropped[key] = _Dropped(path, size)
        with self._on_disk(key):
            path.parent.mkdir(parents=True)
            path.write_bytes(b"")
        await self._received_piece(key)

    async def _piece(self, message: Message, buffers: Sequence[bytes]) -> None:
        key = message.number("file")
        file = self._dropped.get(key)
        if file is None:
            raise gone()
        if file.received + sum(map(len, buffers)) > file.size:
            self._give_up_part(key)
            raise ValueError(f"{file.path.name} is larger than announced: add it again.")
        with self._on_disk(key), file.path.open("ab") as target:
            for buffer in buffers:
                target.write(buffer)
                file.received += len(buffer)
        await self._received_piece(key)

    async def _received_piece(self, key: int) -> None:
        """Asks for the next piece, or queues the file when it is whole."""
        file = self._dropped[key]
        if file.received < file.size:
            self.send({"kind": "next", "file": key, "from": file.received})
        else:
            del self._dropped[key]
            folder = file.path.parent.rename(file.path.parent.with_suffix(""))
            self._queue([folder / file.path.name])
        self._show()

    async def _path(self, message: Message, _: Sequence[bytes]) -> None:
        """Queues the files of a path, a folder or a pattern on the kernel's machine."""
        gathered = await asyncio.to_thread(gather, message.text("text"))
        self._queue(gathered.files)
        self._show()
        if gathered.problems:
            raise ValueError(" ".join(gathered.problems))

    async def _retry(self, message: Message, _: Sequence[bytes]) -> None:
        """Queues one upload again, or all of this DocSet that failed."""
        failed = [u.id for u in self._uploads() if u.state == "failed"]
        self._space.queue.retry([message.text("id")] if message.has("id") else failed)
        self._space.uploader.wake()
        self._show()

    async def _cancel(self, message: Message, _: Sequence[bytes]) -> None:
        upload = self._space.queue.get(message.text("id"))
        if upload is not None:
            await self._space.uploader.cancel(upload)
        self._show()

    async def _clear(self, message: Message, _: Sequence[bytes]) -> None:
        """Forgets the uploads that are done, were there before, or were cancelled."""
        ended = [u for u in self._uploads() if u.state in ("done", "duplicate", "cancelled")]
        self._give_up(ended)

    async def _forget(self, message: Message, _: Sequence[bytes]) -> None:
        """Takes one upload that rests off the list."""
        upload = self._space.queue.get(message.text("id"))
        self._give_up([upload] if upload is not None else [])

    # -- display ---------------------------------------------------------------------------------

    def _queue(self, paths: Sequence[Path]) -> None:
        self._space.queue.add(self._docset.id, paths)
        self._space.uploader.wake()

    def _drop_parts(self) -> None:
        for key in list(self._dropped):
            self._give_up_part(key)

    @contextmanager
    def _on_disk(self, key: int) -> Iterator[None]:
        """ValueError with a sentence where the disk does not take a part, which is given up."""
        name = self._dropped[key].path.name
        try:
            yield
        except OSError as error:
            self._give_up_part(key)
            why = error.strerror or error
            raise ValueError(f"{name} cannot be written here: {why}. Add it again.") from None

    def _give_up_part(self, key: int) -> None:
        """Removes what has arrived of a file that will not become whole."""
        if (file := self._dropped.pop(key, None)) is not None:
            shutil.rmtree(file.path.parent, ignore_errors=True)
            self._show()

    def _give_up(self, uploads: Sequence[Upload]) -> None:
        self._space.queue.forget([upload.id for upload in uploads])
        for upload in uploads:
            _remove_copy(upload)
        self._show()

    def _changed(self, upload: Upload) -> None:
        if upload.state == "done":
            _remove_copy(upload)
        self.soon(self._show)

    def _uploads(self) -> list[Upload]:
        return self._space.queue.uploads(self._docset.id)

    def _show(self) -> None:
        """Shows the uploads that need attention first, and counts all of them."""
        uploads = self._uploads()
        counts = {state: sum(u.state == state for u in uploads) for state in _FIRST}
        uploads.sort(key=lambda u: (_FIRST.index(u.state), -u.changed))
        coming = [_coming(file) for file in self._dropped.values()]
        with self.hold_sync():
            self.counts = counts
            self.summary = " · ".join(f"{n:,} {state}" for state, n in counts.items() if n)
            self.files = [*coming, *map(self._line, uploads)][:_SHOWN]

    def _line(self, upload: Upload) -> dict[str, Any]:
        """While it is read, the pages (where the server counts them): a bar is for work done."""
        uploader = self._space.uploader
        shown: dict[str, Any] = {
            "id": upload.id,
            "name": upload.name,
            "stage": upload.state,
            "note": "",
        }
        shown |= {"error": upload.reason or "", "done": None, "total": None}
        progress = uploader.progress(upload) if upload.state == "partitioning" else None
        if progress is not None and progress.total:
            done, total = progress.done or 0, progress.total
            note = f"{done:,} of {total:,} {progress.unit or ''}"
            return shown | {"done": done, "total": total, "note": note.strip()}
        if upload.state == "sending":
            shown["note"] = _bytes_words(uploader.sent(upload), upload.size)
        return shown


def _coming(file: _Dropped) -> dict[str, Any]:
    note = _bytes_words(file.received, file.size)
    shown = {"id": "", "name": file.path.name, "stage": "receiving", "note": note}
    return shown | {"error": "", "done": None, "total": None}


def _bytes_words(done: int, size: int) -> str:
    """`3.1 of 12.0 MB sent`; empty for files that are sent in a moment."""
    return f"{done / 1e6:.1f} of {size / 1e6:.1f} MB sent" if size >= 1_000_000 else ""


def _plain_name(name: str) -> str:
    """The browser's name of a file, as nothing but a name, and short enough for file systems."""
    last = name.replace("\\", "/").rpartition("/")[2].replace("\0", "").strip(". ")
    return last.encode()[-_LONGEST_NAME:].decode(errors="ignore") or "upload"


def _dropped_folder() -> Path:
    """Where dropped files wait; each has a folder of its own, since its name is its document's."""
    return data_dir() / "dropped"


def _remove_old_parts() -> None:
    """Removes parts of files that nothing was added to for a day: their kernel has ended."""
    for folder in _dropped_folder().glob(f"*{_PART}"):
        with suppress(OSError):  # another kernel may remove it too
            newest = max(place.stat().st_mtime for place in (folder, *folder.iterdir()))
            if newest < time.time() - _DAY:
                shutil.rmtree(folder, ignore_errors=True)


def _remove_copy(upload: Upload) -> None:
    """Removes the copy of a dropped file; other files are never touched."""
    folder = Path(upload.source).parent
    if folder.parent == _dropped_folder():
        shutil.rmtree(folder, ignore_errors=True)
