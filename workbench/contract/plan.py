"""Bodies of the query plan: the plan itself, the report of an edit, and the requests around them.

A plan is a graph of nodes by id; ids are text on the wire. Unknown fields survive a round trip, in
nodes and in the plan, because plans pass through other programs.
"""

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import (
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from workbench.contract.plan_diff import PlanDiff
from workbench.contract.plan_nodes import MAX_NODES, Node
from workbench.contract.wire import Correct, Plain, Wire

MAX_REQUEST = 2_000
"""Most characters of a question or feedback; the time to read it grows with the square."""

FaultKind = Literal[
    "not_understood",
    "unknown_property",
    "unknown_value",
    "ambiguous",
    "wrong_type",
    "no_such_node",
    "out_of_scope",
    "contradictory",
    "nothing_to_undo",
    "no_change",
]
"""Why a clause of a request was not applied; also the `type` of the 422 item if none was."""


class AppliedClause(Wire):
    """A part of the request that changed the plan: its words, the operation and the node."""

    clause: str
    op: str
    node: int | None = None


class RefusedClause(Wire):
    """A part of the request that was left out, the reason, and alternatives."""

    clause: str
    reason: str
    kind: FaultKind
    suggestions: Plain[str] = Field(default=[])


class EditReport(Wire):
    """Extension: the effect of each clause of a request. `warnings` are assumptions, `unused` words
    of the question that the plan does not reflect.
    """

    applied: list[AppliedClause] = Field(default=[], max_length=2000)
    not_applied: list[RefusedClause] = Field(default=[], max_length=2000)
    warnings: Plain[str] = Field(default=[])
    unused: Plain[str] = Field(default=[])
    diff: PlanDiff | None = None

    @property
    def remarks(self) -> list[str]:
        """What was left out of the request, then what was assumed, a sentence each."""
        left_out = [f"“{item.clause}”: {item.reason}" for item in self.not_applied]
        return [*left_out, *self.warnings]


class NodeEstimate(Wire):
    """The probable size and cost of a step. `rows` is the number of its output rows, `exact` if it
    is not an estimate; `texts_read` counts documents whose text is read, with a language model one
    call each.
    """

    node_id: int
    rows: int
    exact: bool
    texts_read: int = 0
    ms: float


class Plan(Wire):
    """A query plan. `edit` and `estimates` are extensions, on plans just made or edited."""

    model_config = ConfigDict(extra="allow")

    query: str = Field(default="", max_length=100_000)
    nodes: dict[str, Node] = Field(max_length=MAX_NODES)
    result_node: int
    llm_prompt: Any = None
    llm_plan: str | None = None
    edit: EditReport | None = None
    estimates: list[NodeEstimate] | None = Field(default=None, max_length=MAX_NODES)

    def node(self, node_id: int) -> Node:
        """The node with that id; raises KeyError for others."""
        return self.nodes[str(node_id)]

    def with_warnings(self, lines: Iterable[str]) -> "Plan":
        """A copy whose report has further warnings."""
        report = self.edit or EditReport()
        report = report.model_copy(update={"warnings": [*report.warnings, *lines]})
        return self.model_copy(update={"edit": report})

    @model_serializer(mode="wrap")
    def _leave_out_empty_extensions(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        out: dict[str, Any] = write(self)
        return {k: v for k, v in out.items() if v is not None or k not in ("edit", "estimates")}


class Query(Correct):
    """A question about a DocSet, or a plan to run, with all keys that clients send.

    Which of `query` and `plan` is required depends on the call and is checked by
    `for_run` and `EditRequest`.
    """

    model_config = ConfigDict(extra="ignore")

    docset_id: str = Field(min_length=1, max_length=200)
    query: str | None = Field(default=None, max_length=MAX_REQUEST)
    plan: Plan | None = None
    stream: bool = False
    summarize_result: bool = False
    rag_mode: bool = False
    model_name: str | None = None
    doc_inclusion_list: Plain[str] | None = Field(default=None, max_length=100_000)
    doc_exclusion_list: Plain[str] | None = Field(default=None, max_length=100_000)
    bookmark_source: str | None = None
    bookmark_target: str | None = None
    confidence_limit: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="Extension: values with less confidence are left out and counted as doubtful; "
        "null means the limit of the DocSet, 0 uses every value.",
    )

    @model_validator(mode="before")
    @classmethod
    def _nulls_mean_defaults(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        flags = ("stream", "summarize_result", "rag_mode")
        return {k: v for k, v in data.items() if not (k in flags and v is None)}

    @model_validator(mode="after")
    def _rag_needs_a_question(self) -> "Query":
        if self.rag_mode and self.plan is not None:
            raise ValueError("rag_mode answers a question directly: leave the plan out")
        return self


class NewQuery(Query):
    """Body of POST query and POST query/plan: exactly one of `query` and `plan`."""

    @model_validator(mode="after")
    def _one_of_two(self) -> "NewQuery":
        asked = bool(self.query and self.query.strip())
        if asked == (self.plan is not None):
            raise ValueError("give either a query or a plan, exactly one of them")
        return self


class EditRequest(Correct):
    """Body of PATCH query/plan: `query.plan` is edited, `query.query` the question it answers."""

    query: Query
    feedback: str = Field(min_length=1, max_length=MAX_REQUEST)

    @model_validator(mode="after")
    def _plan_is_there(self) -> "EditRequest":
        if self.query.plan is None:
            raise ValueError("an edit needs the plan: send it as query.plan")
        return self


class PlanCheckRequest(Correct):
    """Extension: body of plans/validate."""

    docset_id: str = Field(min_length=1, max_length=200)
    plan: Plan


class PlanDiffRequest(Correct):
    """Extension: body of plans/diff."""

    before: Plan
    after: Plan
