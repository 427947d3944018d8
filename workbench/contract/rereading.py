"""Documents read again with what people corrected: the changes that this proposes.

An extension. Nothing changes until a person accepts it, and what was accepted is undone as one.
"""

from typing import Literal

from pydantic import BaseModel, Field

from workbench.contract.review import ReviewGuess
from workbench.contract.wire import Plain, Wire

REREAD_AFTER_CORRECTIONS = "reread_after_corrections"
"""The property of a DocSet that has it reread in the background after each correction, if true."""
ChangeState = Literal["open", "accepted", "refused"]


class RereadRequest(Wire):
    """Which properties to read again; null for those that people have corrected."""

    fields: Plain[str] | None = Field(default=None, min_length=1, max_length=500)


class Rereading(BaseModel):
    """One reading, whose id is that of its task. `documents` were read so far.

    `open`, `accepted` and `refused` count its changes. `finished` is false while it is under way.
    """

    rereading_id: str
    created_at: float
    fields: list[str]
    documents: int
    finished: bool
    open: int = 0
    accepted: int = 0
    refused: int = 0


class Change(BaseModel):
    """A value that was read differently: what the document has, and what it would have.

    `after` has confidence and place; without a value the document would have none.
    """

    change_id: int
    doc_id: str
    name: str = Field(description="The document's.")
    field: str
    before: ReviewGuess
    after: ReviewGuess
    state: ChangeState


class ChangePage(BaseModel):
    """Some of the changes, in the order of the documents. `total` counts all of that state."""

    items: list[Change]
    total: int
    next_page_token: str | None = None


class ChangeChoice(Wire):
    """Which changes to accept or refuse: those named, or with null all that are open."""

    change_ids: Plain[int] | None = Field(default=None, min_length=1, max_length=10_000)


class ChangeOutcome(BaseModel):
    """How many changes were made or undone. `passed_over` are those whose document or value has
    changed since; they stay as they are.
    """

    done: int
    passed_over: int
