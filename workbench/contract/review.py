"""Values for a person to review, the least certain first, and the decisions about them.

An extension. `certainty` is how likely the state of the document is right: for a value its
confidence, for a missing one how unlikely the best guess is.
"""

from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from workbench.contract.coverage import CERTAIN
from workbench.contract.schema import PropertyKind
from workbench.contract.wire import Correct, JsonValue, Plain, PropertyName, Wire

NOTHING_READ = 0.85
"""The certainty of "no value" without any guess."""


class ReviewRequest(Correct):
    """The values to review: of all properties and documents, or of those named.

    `below` leaves out values of at least that certainty; null asks for all unchecked values.
    """

    fields: Plain[PropertyName] | None = Field(default=None, max_length=500)
    doc_ids: Plain[str] | None = Field(default=None, max_length=10_000)
    below: float | None = Field(default=CERTAIN, ge=0, le=1)


class ReviewGuess(BaseModel):
    """A possible value and its source. `unit` is the unit it was read with."""

    value: Any = None
    confidence: float | None = None
    page: int | None = None
    bbox: list[float] | None = None
    element_id: str | None = None
    quote: str | None = None
    unit: str | None = None


class ReviewValue(ReviewGuess):
    """A value of a document with alternatives, the likeliest first.

    `value` is the present one; `kind` is its type in the schema.
    """

    doc_id: str
    name: str = Field(description="The document's.")
    field: str
    kind: PropertyKind = "string"
    certainty: float
    alternatives: list[ReviewGuess] = []


class ReviewPage(BaseModel):
    """Some of the values to review, the least certain first.

    `total` counts all that are left to review and `checked` the checked ones, both within the
    request. They are counted for the first page and null for others.
    """

    items: list[ReviewValue]
    total: int | None = None
    checked: int | None = None
    next_page_token: str | None = None


class Decision(Wire):
    """A person's decision: the value is `value`, null for none; with `reopen` it counts as
    unchecked again and has the value that was read. One of the two is required, not both, and other
    keys are refused: a slip must not erase a value.
    """

    model_config = ConfigDict(extra="forbid")

    doc_id: str = Field(max_length=200)
    field: PropertyName = Field(min_length=1, max_length=200)
    value: JsonValue = None
    reopen: bool = False

    @model_validator(mode="after")
    def _decides(self) -> Self:
        if not self.reopen and "value" not in self.model_fields_set:
            raise PydanticCustomError("missing", "a decision has a value (null for none) or reopen")
        if self.reopen and self.value is not None:
            raise PydanticCustomError("value_error", "a decision has a value or reopen, not both")
        return self


class Decisions(Correct):
    """Decisions; all are stored, or none."""

    decisions: list[Decision] = Field(min_length=1, max_length=1000)


class Decided(BaseModel):
    """How many values changed, and how many were confirmed."""

    changed: int
    confirmed: int
