"""The catalogue of plan nodes: their kinds, typed fields, inputs and outputs.

Names and fields follow the open Sycamore query operators; our own fields and kinds are additions.
Five things flow along the edges: `docs`, `groups` (docs by key), `rows` (small tables), a `number`,
a `text`. This module alone knows the signature of a kind; validation, running and editing ask it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal, Protocol, Self

from pydantic import AfterValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from workbench.contract.search import LONGEST_FILTER
from workbench.contract.wire import Correct, Plain, Wire, composed, keys_of, refuse_slips

Flow = Literal["docs", "groups", "rows", "number", "text"]
Function = Literal["avg", "sum", "min", "max", "median", "count", "distinct", "share", "ratio"]
Bucket = Literal["year", "quarter", "month", "week"]
Match = Literal["exact", "contains", "prefix"]
Middle = Literal["avg", "median"]
Scalar = bool | int | float | str


def _with_words(text: str) -> str:
    """Without letters and digits nothing is asked, and a step would keep all or nothing."""
    if not any(map(str.isalnum, text)):
        raise ValueError("it has no words")
    return text


Asked = Annotated[str, Field(max_length=10_000), AfterValidator(_with_words)]
"""What a step asks the texts of documents."""

ENTITY = "properties.entity."
"""Prefix of extracted properties in the canonical spelling of field names."""
TEXT = "text_representation"
"""The full text of a document."""
MAX_NODES = 64
"""Most steps of a plan."""


class Node(Wire):
    """A step of a plan, with the fields of its kind besides those listed here.

    Extensions: a BasicFilter may take bounds from other fields (`start_field`, `end_field`), a Sort
    has further keys in `then` (`field`, `descending`), a Limit keeps ties (`with_ties`) and passes
    over rows (`skip`), a Math that divides gives its number in percent (`percent`). A field may be
    computed from others: `closed_on.days_since.opened_on` (also `hours_since`, `minutes_since`),
    `total.minus.paid` (also `plus`, `times`, `share_of`), `sent.weekday` (also `month_of_year`,
    `quarter_of_year`, `year`, `hour`, and `time_of_day`: the hours since midnight), or a part of an
    object: `site.borough`.
    """

    model_config = ConfigDict(extra="allow")

    node_type: str = Field(max_length=100)
    node_id: int = Field(ge=0)
    description: str | None = Field(default=None, max_length=20_000)
    inputs: Plain[int] = Field(default=[], max_length=MAX_NODES)

    @property
    def extras(self) -> dict[str, Any]:
        """The fields that the kind of the node declares; all given ones for an unknown kind.

        Others are kept for the sender but mean nothing, and their types are unknown.
        """
        kind = CATALOGUE.get(self.node_type)
        known = self.unchecked
        return known if kind is None else {k: v for k, v in known.items() if k in kind.names}

    @property
    def unchecked(self) -> dict[str, Any]:
        """All fields besides those of every node, including undeclared ones."""
        return self.model_extra or {}

    @cached_property
    def parsed(self) -> "Fields":
        """The fields with their types; see `typed`. A copy with other fields parses its own."""
        return CATALOGUE[self.node_type].fields.model_validate(self.extras)

    def with_fields(self, **fields: Any) -> "Node":
        """A copy with some fields replaced; a field set to None is omitted.

        All other fields stay, including unknown ones and nulls.
        """
        kept = {k: v for k, v in self.model_dump().items() if k not in fields}
        given = {k: v for k, v in fields.items() if v is not None}
        return Node.model_validate({**kept, **given})


class Graph(Protocol):
    """The part of a plan that its rules depend on."""

    @property
    def nodes(self) -> dict[str, Node]: ...
    @property
    def result_node(self) -> int: ...


class Fields(Correct):
    """Base of the typed fields. Explicit nulls mean the default. Unknown fields are ignored, but
    one that misspells ours is refused: ignored, it would give another answer.
    """

    model_config = ConfigDict(extra="allow")

    @model_validator(mode="before")
    @classmethod
    def _nulls_mean_defaults(cls, data: Any) -> Any:
        if isinstance(data, dict):
            return {name: value for name, value in data.items() if value is not None}
        return data


class DocFilter(Fields):
    """Restricts a source to (or, with `exclude`, away from) some documents, or to a sample."""

    doc_ids: Plain[str] | None = Field(default=None, max_length=100_000)
    exclude: bool = False
    sample_ratio: float | None = Field(default=None, gt=0, le=1)
    seed: int | None = None


class QueryDatabase(Fields):
    """All documents of the DocSet, or the results of a text query or an OpenSearch query.

    `properties_filter` narrows them in the filter language of search.
    """

    index: str | None = None
    query: dict[str, Any] | None = None
    result_filter: dict[str, Any] | None = None
    doc_filter: DocFilter | None = None
    properties_filter: str | None = Field(default=None, min_length=1, max_length=LONGEST_FILTER)
    query_text: Asked | None = None
    query_type: Literal["keyword", "lexical", "vector", "hybrid"] = "lexical"
    top_k: int | None = Field(default=None, ge=1, le=100_000)


class QueryVectorDatabase(Fields):
    """The documents nearest in meaning to a phrase, best first."""

    index: str | None = None
    query_phrase: Asked
    opensearch_filter: dict[str, Any] | None = None
    result_filter: dict[str, Any] | None = None
    doc_filter: DocFilter | None = None
    rag_mode: bool = False
    top_k: int = Field(default=500, ge=1, le=100_000)


class DataLoader(Fields):
    path: str


class Condition(Fields):
    """A test of a field. See `BasicFilter`; an item of `any_of` may name another field."""

    field: str | None = None
    range_filter: bool = False
    query: Scalar | None = None
    start: Scalar | None = None
    end: Scalar | None = None
    is_date: bool = False
    match: Match | None = None
    values: Plain[Scalar] | None = Field(default=None, max_length=10_000)
    negate: bool = False
    start_exclusive: bool = False
    end_exclusive: bool = False
    exists: bool | None = None
    start_field: str | None = Field(default=None, max_length=1000)
    end_field: str | None = Field(default=None, max_length=1000)


class Kin(Wire):
    """Which of a filter's values were asked for, and which were added as other spellings."""

    model_config = ConfigDict(extra="forbid")

    asked: list[Scalar] = Field(default=[], max_length=10_000)
    added: list[Scalar] = Field(default=[], max_length=10_000)


class BasicFilter(Condition):
    """Keeps what passes a test.

    Strings are compared ignoring case: the whole value with match exact, a part of it by
    default. Ranges include their ends by default and drop unknown values; negation keeps
    them. `any_of` keeps what passes at least one of several tests. `start_at` and `end_at` take a
    bound from the rows themselves: the average or median of the field over all input rows.
    `start_field` and `end_field` take a bound from another field of the same row; with both the
    same, the two values must be equal.
    """

    field: str
    start_at: Middle | None = None
    end_at: Middle | None = None
    any_of: list[Condition] | None = Field(default=None, max_length=100)
    kin: Kin | None = None


def asks(condition: Condition) -> bool:
    """Whether a condition tests anything besides its `any_of`."""
    asked = [condition.values, condition.start, condition.end, condition.exists]
    asked += [condition.start_field, condition.end_field]
    if not condition.range_filter:
        asked.append(condition.query)
    if isinstance(condition, BasicFilter):
        asked += [condition.start_at, condition.end_at]
    return any(item is not None for item in asked)


class LlmFilter(Fields):
    """Keeps documents whose text answers a question with yes."""

    field: str = TEXT
    question: Asked
    threshold: float | None = Field(default=None, ge=0, le=1)
    mode: str | None = None


class LlmExtractEntity(Fields):
    """Adds the property `new_field`, read from the text."""

    field: str = TEXT
    question: str = Field(max_length=10_000)
    new_field: str = Field(min_length=1, max_length=200)
    new_field_type: str = "string"
    choices: Plain[str] | None = Field(default=None, max_length=1000)
    examples: Plain[Any] | None = Field(default=None, max_length=1000)


class GroupBy(Fields):
    """Gathers documents by the value of one or more fields; dates by `bucket`."""

    field: str
    fields: Plain[str] | None = Field(default=None, max_length=8)
    bucket: Bucket | None = None

    @property
    def keys(self) -> list[str]:
        """All fields to group by, `field` first, without duplicates."""
        named = {canonical_field(name): name for name in [*(self.fields or []), self.field]}
        first = named.pop(canonical_field(self.field))
        return [first, *named.values()]


class Aggregation(Fields):
    """One column of an Aggregate. `count` without a field counts documents.

    `share` is a fraction: of the documents that pass all of `where`, or without `where` of the
    group among all documents. With a field it is a fraction of the field's total instead of the
    number of documents. Other functions use only what passes `where`.

    `ratio` takes a field such as `cost.share_of.hours`: the total of the one divided by the total
    of the other, over the documents in which both are known.

    With `percent` a share or ratio is given in percent: 65 rather than 0.65.
    """

    func: Function
    field: str | None = None
    name: str | None = Field(default=None, max_length=1000)
    where: list[BasicFilter] = Field(default=[], max_length=20)
    percent: bool = False

    @model_validator(mode="after")
    def _of_a_whole(self) -> Self:
        if self.percent and self.func not in ("share", "ratio"):
            raise ValueError(f"percent is for share and ratio, not for {self.func}")
        return self

    @property
    def column(self) -> str:
        """The name of its column."""
        bare = bare_field(self.field or "")
        return self.name or (f"{self.func}_{bare}" if bare else self.func)


class Aggregate(Fields):
    """Computes numbers over all documents, or for each group; unknown values are skipped."""

    aggregations: list[Aggregation] = Field(min_length=1, max_length=20)


class TopK(Fields):
    """Groups by a field, counts, and keeps the K largest or smallest groups."""

    field: str
    primary_field: str | None = None
    K: int | None = Field(default=None, ge=1, le=100_000)
    descending: bool = False
    llm_cluster: bool = False
    llm_cluster_instruction: str | None = None


class Count(Fields):
    distinct_field: str | None = None


class Math(Fields):
    """Calculates with two numbers; their order is that of the inputs. With `percent` a quotient is
    given in percent: 65 rather than 0.65.
    """

    operation: Literal["add", "subtract", "multiply", "divide"]
    percent: bool = False

    @model_validator(mode="after")
    def _of_a_quotient(self) -> Self:
        if self.percent and self.operation != "divide":
            raise ValueError(f"percent is for divide, not for {self.operation}")
        return self


class SortKey(Fields):
    """A further order among rows that are equal so far."""

    field: str
    descending: bool = False


class Sort(Fields):
    """Sorts rows by `field`, and equal ones by each of `then` in turn. Unknown values come last."""

    field: str
    descending: bool = False
    default_value: Scalar | None = None
    then: list[SortKey] = Field(default=[], max_length=8)


class Limit(Fields):
    """Keeps the first rows, or with `per` the first for each value of those fields; with `skip`
    those behind that many: `skip=1, num_records=1` is the second. `with_ties` also keeps rows that
    tie with the last one in the preceding sort.
    """

    num_records: int = Field(ge=1, le=1_000_000)
    skip: int = Field(default=0, ge=0, le=1_000_000)
    per: Plain[str] | None = Field(default=None, max_length=8)
    with_ties: bool = False


class Distinct(Fields):
    field: str


class Project(Fields):
    fields: Plain[str] = Field(min_length=1, max_length=1000)


class FieldIn(Fields):
    """Keeps the rows of the first input whose `field_one` occurs as `field_two` in the second."""

    field_one: str
    field_two: str


class Unroll(Fields):
    field: str


class KMeanClustering(Fields):
    field: str = TEXT
    new_field: str = "centroids"
    K: int | None = Field(default=None, ge=1, le=1000)


class LLMClustering(Fields):
    field: str
    new_field: str = "cluster"
    llm_group_instruction: str | None = None
    instruction: str | None = None
    K: int | None = Field(default=None, ge=1, le=1000)


class SummarizeData(Fields):
    question: str = Field(default="", max_length=10_000)


class AggregateCount(Fields):
    """Counts the documents of each group."""


class AggregateCollect(Fields):
    """Counts and lists the documents of each group."""


@dataclass(frozen=True)
class Kind:
    """The signature of a node kind.

    `arity` is the minimum and maximum number of inputs; `gives` is a flow, `same` for that of the
    first input, or `computed` for Aggregate, whose output depends on its input.
    """

    fields: type[Fields]
    arity: tuple[int, int]
    takes: frozenset[Flow]
    gives: Flow | Literal["same", "computed"]
    approximate: bool = False

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the fields; reading them from the model takes ten times as long."""
        return frozenset(self.fields.model_fields)


_DOCS: frozenset[Flow] = frozenset({"docs"})
_TABLES: frozenset[Flow] = frozenset({"docs", "rows"})
_ANY: frozenset[Flow] = frozenset({"docs", "rows", "number", "text"})

CATALOGUE: Mapping[str, Kind] = {
    "QueryDatabase": Kind(QueryDatabase, (0, 0), frozenset(), "docs"),
    "QueryVectorDatabase": Kind(QueryVectorDatabase, (0, 0), frozenset(), "docs"),
    "DataLoader": Kind(DataLoader, (0, 0), frozenset(), "docs"),
    "BasicFilter": Kind(BasicFilter, (1, 1), _TABLES, "same"),
    "LlmFilter": Kind(LlmFilter, (1, 1), _DOCS, "docs", approximate=True),
    "LlmExtractEntity": Kind(LlmExtractEntity, (1, 1), _DOCS, "docs", approximate=True),
    "GroupBy": Kind(GroupBy, (1, 1), _DOCS, "groups"),
    "AggregateCount": Kind(AggregateCount, (1, 1), frozenset({"groups"}), "rows"),
    "AggregateCollect": Kind(AggregateCollect, (1, 1), frozenset({"groups"}), "rows"),
    "Aggregate": Kind(Aggregate, (1, 1), frozenset({"docs", "groups"}), "computed"),
    "TopK": Kind(TopK, (1, 1), _DOCS, "rows"),
    "Count": Kind(Count, (1, 1), _TABLES, "number"),
    "Math": Kind(Math, (2, 2), frozenset({"number"}), "number"),
    "Sort": Kind(Sort, (1, 1), _TABLES, "same"),
    "Limit": Kind(Limit, (1, 1), _TABLES, "same"),
    "Distinct": Kind(Distinct, (1, 1), _TABLES, "rows"),
    "Project": Kind(Project, (1, 1), _TABLES, "same"),
    "FieldIn": Kind(FieldIn, (2, 2), _TABLES, "same"),
    "Unroll": Kind(Unroll, (1, 1), _DOCS, "docs"),
    "KMeanClustering": Kind(KMeanClustering, (1, 1), _DOCS, "docs", approximate=True),
    "LLMClustering": Kind(LLMClustering, (1, 1), _DOCS, "docs", approximate=True),
    "SummarizeData": Kind(SummarizeData, (1, 16), _ANY, "text", approximate=True),
}


def typed(node: Node) -> Fields:
    """The typed fields of `node`. ValidationError for a wrong one, KeyError for an unknown kind."""
    return node.parsed


def check_spelling(node: Node) -> None:
    """Raises an error for a field that misspells one of its kind, or belongs in a column."""
    known = (*keys_of(CATALOGUE[node.node_type].fields), *keys_of(Node))
    of_columns = _OF_COLUMNS if node.node_type == "Aggregate" else ()
    refuse_slips(node.unchecked, (*known, *of_columns))
    for key in of_columns:
        if key in node.unchecked:
            raise PydanticCustomError(
                "unknown_key", "'{key}' belongs in the items of aggregations", {"key": key}
            )


_OF_COLUMNS = ("func", "field", "where", "percent")


def canonical_field(name: str) -> str:
    """The full name of a document's field: `entity.x` and bare `x` become `properties.entity.x`."""
    name = composed(name)
    if name.startswith("properties.") or name in (TEXT, "doc_id"):
        return name
    return ENTITY + name.removeprefix("entity.")


def row_field(name: str) -> str:
    """The full name of a column of a small table: always `properties.<column>`."""
    return "properties." + bare_field(name)


def bare_field(name: str) -> str:
    """The short name of a field, for people."""
    name = composed(name)
    for prefix in (ENTITY, "entity.", "properties."):
        if name.startswith(prefix):
            return name.removeprefix(prefix)
    return name


def flow_of(kind: Kind, incoming: list[Flow], fields: Fields) -> Flow:
    """The output of a node of that kind for the inputs `incoming`."""
    if kind.gives == "same":
        return incoming[0] if incoming else "docs"
    if kind.gives != "computed":
        return kind.gives
    single = isinstance(fields, Aggregate) and len(fields.aggregations) == 1
    return "number" if single and incoming[:1] == ["docs"] else "rows"
