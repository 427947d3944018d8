"""Rereading documents with people's corrections, and the changes that it proposes.

An extension. Nothing changes until a person accepts it; accepted changes are undone together.
"""

from typing import Literal

from pydantic import BaseModel, Field

from workbench.contract.review import ReviewGuess
from workbench.contract.wire import Correct, Number, Plain, PropertyName

REREAD_AFTER_CORRECTIONS = "reread_after_corrections"
"""The property of a DocSet that has it reread in the background after each correction, if true."""
ChangeState = Literal["open", "accepted", "refused"]


class RereadRequest(Correct):
    """The properties to reread; null for the corrected ones."""

    fields: Plain[PropertyName] | None = Field(default=None, min_length=1, max_length=500)


class Rereading(BaseModel):
    """A rereading; its id is that of its task. `documents` counts those read so far.

    `open`, `accepted` and `refused` count its changes. `finished` is false while it runs.
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
    """A value that was read differently: the value of the document, and the new one.

    `after` has confidence and source; without a value the document would have none.
    """

    change_id: int
    doc_id: str
    name: str = Field(description="The document's.")
    field: str
    before: ReviewGuess
    after: ReviewGuess
    state: ChangeState


class ChangePage(BaseModel):
    """Some of the changes, in the order of the documents. `total` counts all in that state."""

    items: list[Change]
    total: int
    next_page_token: str | None = None


class ChangeChoice(Correct):
    """The changes to accept or refuse; null for all open ones."""

    change_ids: Plain[Number] | None = Field(default=None, min_length=1, max_length=10_000)


class ChangeOutcome(BaseModel):
    """How many changes were made or undone; `passed_over` counts those that no longer fit."""

    done: int
    passed_over: int
