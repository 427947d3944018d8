"""The same objects to be awaited. What asks the server is awaited, all else is not.

Made by `tests/workbench/awaited_source.py` from the synchronous objects; change those instead.
A call that is cancelled goes on at the server, as it does when a cell is stopped.
"""

from collections.abc import AsyncIterator
from typing import Any

from workbench.contract.coverage import Bounds, Coverage, Merge
from workbench.contract.plan import Plan
from workbench.contract.query import QueryResult
from workbench.contract.tasks import TaskProgress
from workbench.frames.notes import AnswerNotes
from workbench.frames.runs import NodeOutput, Trace
from workbench.objects.awaiting import Frames, awaited, each
from workbench.objects.run import Run
from workbench.objects.task import Task
from workbench.objects.why import Why


class AsyncRun(Frames):
    """`Run`, awaited."""

    def __init__(self, sync: Run) -> None:
        self.sync = sync
        super().__init__(sync)

    @property
    def answer(self) -> QueryResult:
        """As `Run` has it."""
        return self.sync.answer

    @property
    def trace(self) -> Trace:
        """As `Run` has it."""
        return self.sync.trace

    @property
    def query_id(self) -> str:
        """The id under which the server keeps the run."""
        return self.sync.query_id

    @property
    def result(self) -> Any:
        """A list of documents or rows, a number, or a text."""
        return self.sync.result

    @property
    def plan(self) -> Plan | None:
        """The plan as it was run."""
        return self.sync.plan

    @property
    def coverage(self) -> list[Coverage]:
        """How many documents each step could use; incomplete ones are remarked on."""
        return self.sync.coverage

    @property
    def bounds(self) -> Bounds | None:
        """How far the answer could move if the values left out were known."""
        return self.sync.bounds

    @property
    def sentences(self) -> list[str]:
        """What each step did, in plain words with its counts."""
        return self.sync.sentences

    @property
    def unused(self) -> list[str]:
        """Words of the question that the plan does not reflect."""
        return self.sync.unused

    @property
    def merges(self) -> list[Merge]:
        """Spellings that are counted apart and may be one; `docset.merge` merges them."""
        return self.sync.merges

    @property
    def notes(self) -> AnswerNotes:
        """All of it, put into words."""
        return self.sync.notes

    def remarks(self) -> list[str]:
        """What must be read beside the answer, a line each; empty for a complete one without
        sentences.
        """
        return self.sync.remarks()

    @property
    def outcome(self) -> dict[str, Any]:
        """The answer in a few words: `kind`, and `value` or the `total` of rows."""
        return self.sync.outcome

    def __len__(self) -> int:
        return self.sync.__len__()

    async def __getitem__(self, node_id: int) -> NodeOutput:
        """Everything that a step gave; NotFound when it was no part of the run."""
        return await awaited(self.sync.__getitem__, node_id)

    async def why(
        self, row: int | None = 0, *, node: int | None = None, documents: int = 20
    ) -> Why:
        """The values behind a row of the result, or behind one of the step `node`: how sure each is
        and where it stands. With `row=None` those behind all of its rows.

        Of the documents the first `documents` are looked at.
        """
        return await awaited(self.sync.why, row, node=node, documents=documents)

    async def left_out(self, field: str | None = None, *, documents: int = 20) -> Why:
        """The documents that the answer could not use for their value of a property, with the
        guesses that were not trusted; the first `documents` are looked at. Without `field` for the
        first remark of `remarks()`.

        Raises LookupError when nothing was left out for it.
        """
        return await awaited(self.sync.left_out, field, documents=documents)

    def title(self) -> str:
        return self.sync.title()

    @property
    def shares(self) -> frozenset[str]:
        """Columns whose values are parts of one."""
        return self.sync.shares

    def words(self) -> str:
        """The answer in one line: a number as it is written everywhere, a text, or how many rows
        there are.
        """
        return self.sync.words()

    def __repr__(self) -> str:
        return self.sync.__repr__()

    def _repr_html_(self) -> str:
        return self.sync._repr_html_()


class AsyncTask:
    """`Task`, awaited."""

    def __init__(self, sync: Task) -> None:
        self.sync = sync

    @property
    def id(self) -> str:
        """As `Task` has it."""
        return self.sync.id

    @property
    def last(self) -> TaskProgress | None:
        """As `Task` has it."""
        return self.sync.last

    async def result(self, timeout: float | None = None) -> Any:
        """The body that the call would have answered with, had it been waited for.

        Raises what that call would have raised, and StillPending after `timeout` seconds.
        """
        return await awaited(self.sync.result, timeout)

    async def done(self) -> bool:
        """Whether it has ended, well or badly."""
        return await awaited(self.sync.done)

    async def cancel(self) -> None:
        """Cancels it; NotFound when it has ended. What it did before is kept."""
        await awaited(self.sync.cancel)

    def __repr__(self) -> str:
        return self.sync.__repr__()

    def __await__(self) -> Any:
        return self.sync.__await__()

    def __aiter__(self) -> AsyncIterator[TaskProgress]:
        return each(self.sync.__iter__)
