"""Adding many documents: each is sent, then followed until it can be found or has failed.

One failure stops nothing. A few files are under way at once, so that a server with a queue has
always something to do and the pile that a broken line would leave half known stays small.
"""

import asyncio
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from workbench.client import AsyncClient, SourceUnreadable, WorkbenchError
from workbench.client.uploads import Options, Source, is_url
from workbench.frames.columns import of_type, table_of
from workbench.frames.frame import Frame
from workbench.sessions.gather import gather

if TYPE_CHECKING:
    import pyarrow as pa

Stage = Literal["waiting", "sending", "working", "done", "failed"]
_AT_ONCE = 6


@dataclass(frozen=True)
class Addition:
    """How far one file is. `sent` and `size` are bytes; `doc_id` is there once it is done."""

    source: Source
    name: str
    stage: Stage = "waiting"
    sent: int = 0
    size: int = 0
    doc_id: str | None = None
    error: str | None = None


OnChange = Callable[[int, Addition], None]
"""Called with the place of the file in the list and how far it is."""


class Added(Frame):
    """What became of each file. Columns: name, doc_id, error (null for those that were added)."""

    def __init__(self, items: Sequence[Addition]) -> None:
        self.items = list(items)

    @property
    def failed(self) -> list[Addition]:
        return [item for item in self.items if item.stage == "failed"]

    @property
    def doc_ids(self) -> list[str]:
        """The ids of the new documents."""
        return [item.doc_id for item in self.items if item.doc_id is not None]

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Addition]:
        return iter(self.items)

    def __repr__(self) -> str:
        failed = f", {len(self.failed):,} failed" if self.failed else ""
        return f"Added({len(self.doc_ids):,} documents{failed})"

    def _table(self) -> "pa.Table":
        return table_of(
            {
                "name": of_type([item.name for item in self.items], "string"),
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
    on_change: OnChange | None = None,
) -> Added:
    """Adds the files and says what became of each, in their order."""
    room = asyncio.Semaphore(_AT_ONCE)
    state = list(files)

    def change(place: int, **fields: object) -> None:
        state[place] = replace(state[place], **fields)  # type: ignore[arg-type]
        if on_change is not None:
            on_change(place, state[place])

    async def add(place: int, file: Addition) -> None:
        async with room:
            try:
                change(place, stage="sending")
                task = await client.submit_document(
                    docset_id,
                    file.source,
                    name=None if is_url(file.source) else file.name,
                    options=options,
                    on_sent=lambda sent, size: change(place, sent=sent, size=size),
                )
                change(place, stage="working")
                result = await client.wait(task)
                if result.failure is not None:
                    raise result.failure
                change(place, stage="done", doc_id=result.body["doc_id"])
            except WorkbenchError as error:
                change(place, stage="failed", error=str(error))

    async with asyncio.TaskGroup() as group:
        for place, file in enumerate(files):
            group.create_task(add(place, file))
    return Added(state)


def collect(what: Source | Iterable[Source], name: str | None = None) -> list[Addition]:
    """The files meant by paths, folders (read to the bottom, without hidden files), patterns such
    as `reports/*.pdf`, URLs or bytes. `name` is for a single file.

    Raises SourceUnreadable for a path or pattern that leads to no file.
    """
    if isinstance(what, bytes):
        return [Addition(what, name or "upload", size=len(what))]
    if not isinstance(what, str | Path):
        return [file for item in what for file in collect(item)]
    if is_url(what):
        return [Addition(what, str(what))]
    found = gather(shlex.quote(str(what)))
    if not found.files:
        raise SourceUnreadable(found.problems[0])
    given = name if len(found.files) == 1 else None
    return [Addition(path, given or path.name, size=path.stat().st_size) for path in found.files]
