"""Adds many documents: each file is sent, then followed until it is searchable or has failed.

A failure does not stop the others. A few files are processed at a time, which keeps the server's
queue busy; the others wait as names only.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from workbench.client import (
    AsyncClient,
    ConnectionFailed,
    Mistake,
    SourceUnreadable,
    TaskResult,
    WorkbenchError,
)
from workbench.client.uploads import Options, Source, check_arguments, is_url, name_of
from workbench.formats import counted
from workbench.frames.columns import of_type, table_of
from workbench.frames.frame import Rows
from workbench.sessions.gather import gather_all

if TYPE_CHECKING:
    import polars as pl

Stage = Literal["waiting", "sending", "working", "done", "known", "failed"]
ENDED = ("done", "known", "failed")
_AT_ONCE = 6
_PAUSES = (0.2, 0.5, 1.0, 2.0, 4.0)
"""Seconds between attempts to reach a lost server; the bundled one is restarted meanwhile."""


@dataclass(frozen=True)
class Addition:
    """The progress of one file. `sent` and `size` are bytes; `doc_id` is set when it is done.

    A `known` file was skipped: a document of that name and size existed.
    """

    source: Source
    name: str
    stage: Stage = "waiting"
    sent: int = 0
    size: int = 0
    doc_id: str | None = None
    error: str | None = None
    remarks: tuple[str, ...] = ()
    """Parts of the file that could not be read, or were read in another way."""


OnChange = Callable[[int, Addition], None]
"""Called with the index of the file in the list, and its progress."""


class Added(Rows[Addition]):
    """The result for each file. Columns: name, stage, doc_id, error (null when added)."""

    def __init__(self, items: Sequence[Addition]) -> None:
        self._items = list(items)

    @property
    def items(self) -> Sequence[Addition]:
        return self._items

    @property
    def failed(self) -> list[Addition]:
        return [item for item in self.items if item.stage == "failed"]

    @property
    def doc_ids(self) -> list[str]:
        """The ids of the new documents."""
        return [item.doc_id for item in self.items if item.stage == "done" and item.doc_id]

    def title(self) -> str:
        known = sum(item.stage == "known" for item in self.items)
        known_words = f", {known:,} known" if known else ""
        failed = f", {len(self.failed):,} failed" if self.failed else ""
        if self.failed:
            failed += f", the first: {self.failed[0].name}: {self.failed[0].error}"
        return f"Added({counted(len(self.doc_ids), 'document')}{known_words}{failed})"

    def _table(self) -> "pl.DataFrame":
        return table_of(
            {
                "name": of_type([item.name for item in self.items], "string"),
                "stage": of_type([item.stage for item in self.items], "string"),
                "doc_id": of_type([item.doc_id for item in self.items], "string"),
                "error": of_type([item.error for item in self.items], "string"),
            }
        )


async def add_all(
    client: AsyncClient,
    docset_id: str,
    files: Sequence[Addition],
    *,
    options: Options | None = None,
    skip_known: bool = False,
    on_change: OnChange | None = None,
) -> Added:
    """Adds the files and returns the result for each, in order; Mistake for odd `options`."""
    check_arguments("", None, options)
    adding = _Adding(client, docset_id, list(files), options, on_change)
    for place, file in enumerate(files):
        if file.stage in ENDED:
            adding.change(place)  # reports entries that were no files
    if skip_known:
        await adding.skip_known()
    places = iter(range(len(files)))
    async with asyncio.TaskGroup() as group:
        for _ in range(min(_AT_ONCE, len(files))):
            group.create_task(adding.work(places))
    return Added(adding.state)


class _Adding:
    def __init__(
        self,
        client: AsyncClient,
        docset_id: str,
        state: list[Addition],
        options: Options | None,
        on_change: OnChange | None,
    ) -> None:
        self.client = client
        self.docset_id = docset_id
        self.state = state
        self.options = options
        self.on_change = on_change

    async def skip_known(self) -> None:
        """Marks the files whose name and size match a document of the DocSet."""
        there = {
            (document.name, document.size): document.doc_id
            async for document in self.client.documents(self.docset_id, page_size=1000)
        }
        for place, file in enumerate(self.state):
            if (doc_id := there.get((file.name, file.size))) is not None:
                self.change(place, stage="known", doc_id=doc_id)

    async def work(self, places: Iterator[int]) -> None:
        """Adds one file after the other until none is left."""
        for place in places:
            if self.state[place].stage in ENDED:
                continue
            try:
                await self.add(place)
            except WorkbenchError as error:
                self.change(place, stage="failed", error=str(error))

    async def add(self, place: int) -> None:
        file = self.state[place]
        self.change(place, stage="sending")
        task_id = await self.client.submit_document(
            self.docset_id,
            file.source,
            name=None if is_url(file.source) else file.name,
            options=self.options,
            on_sent=lambda sent, size: self.change(place, sent=sent, size=size),
        )
        self.change(place, stage="working")
        result = await self._end_of(task_id)
        if result.failure is not None:
            raise result.failure
        remarks = tuple(result.body.get("remarks") or ())
        self.change(place, stage="done", doc_id=result.body["doc_id"], remarks=remarks)

    async def _end_of(self, task_id: str) -> TaskResult:
        """The result of a task that the server has accepted. The server will finish it even after a
        crash, so a lost connection is not a failure of the file while it may come back.
        """
        for pause in _PAUSES:
            try:
                return await self.client.wait(task_id)
            except ConnectionFailed:
                await asyncio.sleep(pause)
        try:
            return await self.client.wait(task_id)
        except ConnectionFailed as error:
            raise ConnectionFailed(
                f"The server accepted it ({task_id}), but went away before it was done: it"
                f" continues when the server runs again. {error}",
                sent=True,
            ) from error

    def change(self, place: int, **fields: Any) -> None:
        self.state[place] = replace(self.state[place], **fields)
        if self.on_change is not None:
            self.on_change(place, self.state[place])


def _collected(item: Source) -> list[Addition]:
    """One entry of a list; an entry without files does not stop the others."""
    try:
        return collect(item)
    except SourceUnreadable as error:
        return [Addition(item, str(item), stage="failed", error=str(error))]


def collect(what: Source | Iterable[Source], name: str | None = None) -> list[Addition]:
    """The files given by paths, folders (recursively, without hidden files), patterns such as
    `reports/*.pdf`, URLs or bytes. `name` is for a single file.

    A single path or pattern without files raises SourceUnreadable; in a list it is marked as
    failed, as is what may not be read inside a folder. Raises Mistake for anything else.
    """
    check_arguments("", name, None)
    if isinstance(what, bytes):
        return [Addition(what, name or "upload", size=len(what))]
    if not isinstance(what, str | Path):
        if not isinstance(what, Iterable):
            raise Mistake(f"Files are added by path, pattern, URL or as bytes, not {what!r:.80}.")
        return _each_once(file for item in what for file in _collected(item))
    if is_url(what):
        return [Addition(what, str(what))]
    gathered = gather_all([str(what)])
    if not gathered.files:
        raise SourceUnreadable(gathered.problems[0])
    given = name if len(gathered.files) == 1 else None
    additions = [_addition(path, given or name_of(path)) for path in gathered.files]
    return additions + [
        Addition(what, str(what), stage="failed", error=problem) for problem in gathered.problems
    ]


def _each_once(files: Iterable[Addition]) -> list[Addition]:
    """Without the files that an earlier entry has led to already."""
    kept: dict[Source, Addition] = {}
    for place, file in enumerate(files):
        key = file.source.resolve() if isinstance(file.source, Path) else str(place)
        kept.setdefault(key, file)
    return list(kept.values())


def _addition(path: Path, name: str) -> Addition:
    try:
        return Addition(path, name, size=path.stat().st_size)
    except OSError as error:  # deleted since the folder was listed
        reason = f"{name} cannot be read: {error.strerror}."
        return Addition(path, name, stage="failed", error=reason)
