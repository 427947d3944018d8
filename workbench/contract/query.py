"""Bodies of running a query: the answer, the events of a streamed answer, the trace of a run."""

import re
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel

from workbench.contract.coverage import Bounds, Coverage, Merge
from workbench.contract.plan import Plan

EventName = Literal[
    "status", "plan", "trace_doc", "result_doc", "result", "result_summary",
    "rag_source", "rag_answer", "citations", "complete", "error",
]  # fmt: skip
"""The public client fails on other names."""


class NodeProgress(BaseModel):
    """Extension: the progress of a step. `rows_out` and `ms` are null until it is done.

    `coverage` and `sentence` are those of finished steps.
    """

    node_id: int
    state: Literal["running", "done"]
    rows_in: int
    rows_done: int = 0
    rows_out: int | None = None
    ms: float | None = None
    coverage: list[Coverage] = []
    sentence: str = ""


@dataclass(frozen=True)
class Event:
    """One event of a streamed answer. `data` is text, or an object to be written as JSON.

    `progress` and `account` are extensions in fields of their own, which other readers ignore. The
    last event has the account.

    The order is `status`* `plan` (`status` | `trace_doc`)* (`result_doc`* | `result`) `citations`?
    `result_summary`? `complete`. A failure ends the stream with `error` and without `complete`.
    """

    name: EventName
    data: str | dict[str, Any] | list[Any] | float | int | None
    progress: NodeProgress | None = None
    account: "AnswerAccount | None" = None


_STEP = re.compile(r"\w+ \((\d+)\): (\d+) \w+")


def step_words(node_type: str, node_id: int, rows: int, flow: str) -> str:
    """The `status` of a finished step: `GroupBy (3): 14 groups`."""
    return f"{node_type} ({node_id}): {rows} {flow}"


def read_step(words: object) -> tuple[int, int] | None:
    """The finished step in a `status`, and its number of rows; None for other texts."""
    match = _STEP.fullmatch(words) if isinstance(words, str) else None
    return (int(match[1]), int(match[2])) if match else None


class Evidence(BaseModel):
    """The source of a value: an element of a document and its place on the page."""

    doc_id: str
    element_id: str
    page: int
    bbox: list[float]
    text: str
    score: float | None = None


class NodeTrace(BaseModel):
    """The work of a step. Times are milliseconds; `dropped` counts the rows left out, by reason.

    `samples` are up to 20 rows, with document ids if they have any, long texts cut. `coverage` has
    an item for each field that the step uses, `sentence` describes the step in plain words. `units`
    are those of the columns it computed, by bare name, where all numbers have the same unit.
    """

    node_id: int
    node_type: str
    flow: str
    rows_in: int
    rows_out: int
    ms: float
    approximate: bool = False
    dropped: dict[str, int] = {}
    warnings: list[str] = []
    samples: list[dict[str, Any]] = []
    coverage: list[Coverage] = []
    sentence: str = ""
    units: dict[str, str] = {}


class AnswerAccount(BaseModel):
    """Extension: the basis of an answer, as in `QueryResult`."""

    coverage: list[Coverage] = []
    bounds: Bounds | None = None
    sentences: list[str] = []
    unused: list[str] = []
    warnings: list[str] = []
    merges: list[Merge] = []
    confidence_limit: float | None = None


class QueryResult(BaseModel):
    """Body of POST query. `result` is a list of documents or rows, a number, or a text.

    All but the first three are extensions. `labels` names the columns of rows:
    `{"key": "state"}` for groups by state. `coverage` is what each step could use, `bounds` how
    far the answer could move, `sentences` what each step did. `unused` are words of the question
    that the plan does not reflect, `merges` spellings that are counted separately and may be one.
    Values with less confidence than `confidence_limit` were left out.
    """

    query_id: str
    plan: Plan | None
    result: Any
    citations: list[Evidence] = []
    labels: dict[str, str] = {}
    warnings: list[str] = []
    coverage: list[Coverage] = []
    bounds: Bounds | None = None
    sentences: list[str] = []
    unused: list[str] = []
    merges: list[Merge] = []
    confidence_limit: float | None = None


class RunTrace(BaseModel):
    """Extension: a stored run, perhaps unfinished. Times are seconds since 1970.

    `progress` is the current step, as reported by the process that runs it. `labels` names the
    columns of rows, as in `QueryResult`; `warnings` are those of the whole answer.
    """

    query_id: str
    docset_id: str
    status: Literal["running", "done", "failed", "cancelled"]
    created_at: float
    finished_at: float | None = None
    plan: Plan | None = None
    nodes: list[NodeTrace] = []
    progress: NodeProgress | None = None
    message: str | None = None
    bounds: Bounds | None = None
    unused: list[str] = []
    merges: list[Merge] = []
    warnings: list[str] = []
    confidence_limit: float | None = None
    labels: dict[str, str] = {}


class NodeWindow(BaseModel):
    """Extension: some of the output rows of a step. `total` counts all of them."""

    columns: list[str]
    rows: list[dict[str, Any]]
    total: int


class RowChange(BaseModel):
    """A row of both runs with different values."""

    before: dict[str, Any]
    after: dict[str, Any]


class Difference(BaseModel):
    """The differences of two lists. The lists here are windows; the totals count everything."""

    gained: list[dict[str, Any]] = []
    lost: list[dict[str, Any]] = []
    changed: list[RowChange] = []
    gained_total: int = 0
    lost_total: int = 0
    changed_total: int = 0


class RunComparison(BaseModel):
    """Extension: how the answers of two runs differ.

    `value_before` and `value_after` are numbers or texts. `rows` compares two tables by their keys,
    null if an answer is not a table. `documents` are those behind the answers of any kind.
    """

    before: str
    after: str
    flow_before: str
    flow_after: str
    value_before: float | int | str | None = None
    value_after: float | int | str | None = None
    rows: Difference | None = None
    documents: Difference
