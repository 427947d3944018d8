"""Values that a person should look at, the least certain first, and what the person decides.

An extension. `certainty` is how likely what stands in the document is right: of a value that was
given its confidence, and of one that was withheld how unlikely the best guess at it is.
"""

from typing import Any

from pydantic import BaseModel, Field

from workbench.contract.coverage import CERTAIN
from workbench.contract.schema import PropertyKind
from workbench.contract.wire import Plain, Wire

NOTHING_READ = 0.85
"""The certainty of "none" where there was not even a guess."""


class ReviewRequest(Wire):
    """Which values to look at: all properties and documents, or those named.

    `below` leaves out values of that certainty and more; null asks for every value that nobody
    has checked yet.
    """

    fields: Plain[str] | None = Field(default=None, max_length=500)
    doc_ids: Plain[str] | None = Field(default=None, max_length=10_000)
    below: float | None = Field(default=CERTAIN, ge=0, le=1)


class ReviewGuess(BaseModel):
    """What the value might be, and where that stands. `unit` is the unit it was read with."""

    value: Any = None
    confidence: float | None = None
    page: int | None = None
    bbox: list[float] | None = None
    element_id: str | None = None
    quote: str | None = None
    unit: str | None = None


class ReviewValue(ReviewGuess):
    """A value of a document with its alternatives, the likeliest first.

    `value` is what the document has now; `kind` is its type in the schema.
    """

    doc_id: str
    name: str = Field(description="The document's.")
    field: str
    kind: PropertyKind = "string"
    certainty: float
    alternatives: list[ReviewGuess] = []


class ReviewPage(BaseModel):
    """Some of the values to look at, the least certain first.

    `total` counts all that are left to look at and `checked` those that a person has checked, both
    within the request. They are counted for the first page and null for others.
    """

    items: list[ReviewValue]
    total: int | None = None
    checked: int | None = None
    next_page_token: str | None = None


class Decision(Wire):
    """What a person says of a value: it is `value`, null for none; or, with `reopen`, that nobody
    has checked it: then what was read is back.
    """

    doc_id: str = Field(max_length=200)
    field: str = Field(min_length=1, max_length=200)
    value: Any = None
    reopen: bool = False


class Decisions(Wire):
    """Decisions that are all kept, or none."""

    decisions: list[Decision] = Field(min_length=1, max_length=1000)


class Decided(BaseModel):
    """How many values changed, and how many stayed as they were and count as checked now."""

    changed: int
    confirmed: int
