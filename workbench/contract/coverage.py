"""The basis of a number: how many documents had a usable value at each step, and how far the answer
could move if the others were known.

These types extend results, traces and events. The sentences are made here too, so that they are the
same everywhere.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Literal

from pydantic import BaseModel, Field, ValidationError

from workbench.contract.derived_fields import derived_field
from workbench.contract.numbers import number_words, percent_words
from workbench.contract.wire import Correct, Plain, PropertyName

CONFIDENCE_LIMIT = 0.5
"""Values below this confidence stay out of answers unless they are asked for."""
CERTAIN = 0.8
"""Values below this confidence are used but mentioned: some of them are wrong."""
MARKED_SHARE = 0.1
"""An answer is marked when more than this share of its documents could change it."""


class LeftOut(BaseModel):
    """A value that a step did not use because its confidence is below the limit."""

    doc_id: str
    value: Any
    confidence: float


class Coverage(BaseModel):
    """How many of the documents that reached a step had a usable value of a field.

    `documents` = `used` + `missing` + `doubtful`, except that a filter which asks whether a value
    is known uses documents without one too. `uncertain` of the used values are below `CERTAIN`.
    `left_out` shows some of the doubtful values.

    Example: Coverage(node_id=1, field="invoice_date", documents=67, missing=45, doubtful=6,
    used=16) reads "45 of 67 documents have no invoice date, 6 are doubtful".
    """

    node_id: int
    field: str
    documents: int
    missing: int = 0
    doubtful: int = 0
    used: int
    uncertain: int = 0
    left_out: list[LeftOut] = []

    @property
    def complete(self) -> bool:
        """Whether every document had a usable value."""
        return not self.missing and not self.doubtful


class Bounds(BaseModel):
    """How far an answer could move. `changeable` of `documents` could change it.

    `low` and `high` limit a count, a number of distinct values, or a share; they are null if
    nothing limits the answer, such as an average with unknown values.
    """

    changeable: int
    documents: int
    low: float | int | None = None
    high: float | int | None = None

    @property
    def marked(self) -> bool:
        """Whether enough documents could change the answer for it to need a warning."""
        return self.changeable > MARKED_SHARE * self.documents

    def words(self, percent: int = 0) -> str:
        """The range in words, `1 to 46`, or empty; `percent` is the factor to percent."""
        if self.low is None or self.high is None or self.low == self.high:
            return ""
        low, high = (
            percent_words(percent * end) if percent else number_words(end)
            for end in (self.low, self.high)
        )
        return f"{low} to {high}"


class ValueEvidence(BaseModel):
    """One value of a document and where it was read. A value without a place has no page.

    `confidence` is null for values that were not read from the document, such as those set through
    the API. `quote` is the text at that place, `unit` the unit or currency it was read with.
    `changed` since the run means that the run used another value, `before`.
    """

    field: str
    value: Any = None
    state: Literal["used", "doubtful", "missing"]
    confidence: float | None = None
    page: int | None = None
    bbox: list[float] | None = None
    element_id: str | None = None
    quote: str | None = None
    unit: str | None = None
    corrected: bool = False
    changed: bool = False
    before: Any = None


class DocumentEvidence(BaseModel):
    """A document behind a number, with its values of the fields that the step uses. One that was
    `deleted` since has those that the run used.
    """

    doc_id: str
    name: str
    values: list[ValueEvidence]
    deleted: bool = False


class EvidenceWindow(BaseModel):
    """Some of the documents behind a step or one of its rows. `total` counts all of them."""

    documents: list[DocumentEvidence]
    total: int


class Merge(Correct):
    """Spellings of one property that mean the same: all `values` count as `into`."""

    field: PropertyName = Field(min_length=1, max_length=1000)
    values: Plain[str] = Field(min_length=1, max_length=1000)
    into: str = Field(min_length=1, max_length=10_000)


MERGED_VALUES = "merged_values"
"""The property of a DocSet that stores its merges, as a list of `Merge`."""


def merges_of(properties: Mapping[str, Any] | None) -> list[Merge]:
    """The merges in a DocSet's properties, oldest first; skips malformed entries."""
    stored = (properties or {}).get(MERGED_VALUES)
    merges: list[Merge] = []
    for item in stored if isinstance(stored, list) else []:
        with suppress(ValidationError):
            merges.append(Merge.model_validate(item))
    return merges


MERGEABLE: Final = ("string", "choice", "array", "custom")
"""The types of properties whose values have spellings."""


def agreed_spellings(merges: Iterable[Merge]) -> dict[str, str]:
    """The final spelling of each value that counts as another; `merges` are those of one property.

    A later merge builds on the earlier ones, so chains have one end and circles cannot arise: what
    counts as a value that counts as a third counts as the third.
    """
    links: dict[str, str] = {}
    for merge in merges:
        final = _end(links, merge.into)
        links.update(dict.fromkeys({*merge.values} - {final}, final))
    ends = {name: _end(links, name) for name in {*links.values()}}
    return {value: ends[name] for value, name in links.items()}


def _end(links: Mapping[str, str], value: str) -> str:
    while value in links:
        value = links[value]
    return value


def field_words(field: str) -> str:
    """A field as written in sentences: `invoice date`, `number of tags`."""
    if (derived := derived_field(field)) is not None:
        return derived.words
    bare = field.removeprefix("properties.").removeprefix("entity.").replace("_", " ")
    array = bare.removesuffix(".count")
    return bare.replace(".", " ") if array == bare else f"number of {array}"


def coverage_words(item: Coverage) -> str:
    """What is missing, such as `45 of 67 documents have no invoice date, 6 are doubtful`."""
    name, parts = field_words(item.field), []
    if item.missing:
        of = (
            f"document{'' if item.documents == 1 else 's'} {'has' if item.missing == 1 else 'have'}"
        )
        parts.append(f"{item.missing:,} of {item.documents:,} {of} no {name}")
        if item.doubtful:
            parts.append(f"{item.doubtful:,} {'is' if item.doubtful == 1 else 'are'} doubtful")
    elif item.doubtful:
        are = "is" if item.doubtful == 1 else "are"
        parts.append(f"{item.doubtful:,} of {item.documents:,} values of {name} {are} doubtful")
    return ", ".join(parts)


def uncertain_words(items: Sequence[Coverage]) -> list[str]:
    """What is uncertain, once for each field: `2 of 16 values of date are uncertain …`."""
    first: dict[str, Coverage] = {}
    for item in items:
        if item.uncertain:
            first.setdefault(item.field, item)
    return [
        f"{item.uncertain:,} of {item.used:,} values of {field_words(item.field)}"
        f" {'is' if item.uncertain == 1 else 'are'} uncertain (confidence below {CERTAIN})"
        for item in first.values()
    ]


def distinct_coverage(items: Sequence[Coverage]) -> list[Coverage]:
    """The incomplete items, each statement once: steps in a row often miss the same values."""
    seen: dict[tuple[str, int, int, int], Coverage] = {}
    for item in items:
        if not item.complete:
            key = item.field, item.documents, item.missing, item.doubtful
            seen.setdefault(key, item)
    return list(seen.values())


Trust = Literal["complete", "partial", "marked"]


def trust_of(coverage: Sequence[Coverage], bounds: Bounds | None) -> Trust:
    """How an answer is displayed: plain, with a footnote, or with a warning."""
    if bounds is not None and bounds.marked:
        return "marked"
    return "partial" if any(not item.complete for item in coverage) else "complete"
