"""One plain sentence with counts for each step of a run.

The sentences appear under an answer and show its basis: `413 documents`, `invoice date is in 2018:
1 of 67`, `the 5 latest by invoice date`.
"""

from collections.abc import Sequence

from backend.plans.edits.wording import say_column, say_condition, say_field
from backend.plans.running.relations import Docs, Groups, Number, Ordered, Relation, Rows
from workbench.contract.coverage import field_words
from workbench.contract.derived_fields import CALENDAR, derived_field
from workbench.contract.numbers import number_words, percent_words
from workbench.contract.plan_nodes import (
    Aggregate,
    AggregateCollect,
    AggregateCount,
    BasicFilter,
    Count,
    Distinct,
    FieldIn,
    Fields,
    GroupBy,
    Limit,
    LlmExtractEntity,
    LlmFilter,
    Math,
    Node,
    Project,
    QueryDatabase,
    QueryVectorDatabase,
    Sort,
    SortKey,
    SummarizeData,
    TopK,
    Unroll,
)
from workbench.contract.ranks import rows_kept


def sentence_of(
    node: Node,
    step: Fields,
    inputs: Sequence[Relation],
    relation: Relation,
) -> str:
    """What a step did. Documents it could not use are reported in its coverage."""
    return _sentence(step, inputs, relation) or (node.description or node.node_type)


def _sentence(step: Fields, inputs: Sequence[Relation], relation: Relation) -> str:
    before = inputs[0].height if inputs else 0
    match step:
        case QueryDatabase() | QueryVectorDatabase():
            return _source(step, relation)
        case BasicFilter():
            return f"{say_condition(step)}: {_of(relation, before)}"
        case LlmFilter():
            return f"“{step.question}”: {_of(relation, before)}, judged approximately"
        case LlmExtractEntity():
            return f"read {field_words(step.new_field)} from the text of {_count(relation)}"
        case GroupBy():
            return f"grouped by {_key(step)}: {_plural(relation.height, 'group')}"
        case TopK():
            kept = "" if step.K is None else f", the {'largest' if step.descending else 'smallest'}"
            size = "" if step.K is None else f" {relation.height}"
            return f"counted by {say_field(step.field)}{kept}{size}"
        case AggregateCount() | AggregateCollect():
            return "counted the documents of each group"
        case Aggregate():
            columns = " and ".join(say_column(item) for item in step.aggregations)
            each = " of each group" if inputs and isinstance(inputs[0], Groups) else ""
            percent = [item.percent for item in step.aggregations] == [True]
            return f"{columns}{each}{_single(relation, percent=percent)}"
        case Count(distinct_field=str() as name):
            values = "value" if isinstance(relation, Number) and relation.value == 1 else "values"
            return f"{_single(relation, '')} different {values} of {field_words(name)}"
        case Count():
            return f"counted{_single(relation)}"
        case Math():
            numbers = [_single(number, "") or "unknown" for number in inputs]
            calculated = f" {_BETWEEN[step.operation]} ".join(numbers)
            return f"{calculated}{_single(relation, percent=step.percent)}"
        case Sort():
            keys = [SortKey(field=step.field, descending=step.descending), *step.then]
            orders = [f"{say_field(k.field)}, {_direction(k, relation)}" for k in keys]
            return f"sorted by {', then by '.join(orders)}"
        case Limit():
            each = f" of each {' and '.join(map(say_field, step.per))}" if step.per else ""
            ties = " with ties" if step.with_ties else ""
            kept = rows_kept(step.num_records, step.skip)
            return f"{kept}{each}{ties}: {_of(relation, before)}"
        case Distinct():
            return f"different values of {say_field(step.field)}: {relation.height:,}"
        case Project():
            return f"showing {', '.join(map(say_field, step.fields))}"
        case Unroll():
            return f"one line for each {say_field(step.field)}: {relation.height:,}"
        case FieldIn():
            return f"{say_field(step.field_one)} is among those: {_of(relation, before)}"
        case SummarizeData():
            return "summed up in words"
    return ""


_BETWEEN = {"add": "plus", "subtract": "minus", "multiply": "times", "divide": "divided by"}


def _source(step: QueryDatabase | QueryVectorDatabase, relation: Relation) -> str:
    text = step.query_phrase if isinstance(step, QueryVectorDatabase) else step.query_text
    match = f" found by “{text}”" if text else ""
    return _count(relation) + match


def _key(step: GroupBy) -> str:
    names = [say_field(name) for name in step.keys]
    if step.bucket is not None:
        names[0] = f"{step.bucket} of {names[0]}"
    return " and ".join(names)


def _of(relation: Relation, before: int) -> str:
    return f"{relation.height:,} of {before:,}"


def _count(relation: Relation) -> str:
    if isinstance(relation, Docs) or (
        isinstance(relation, Ordered) and isinstance(relation.source, Docs)
    ):
        return _plural(relation.height, "document")
    return _plural(relation.height, "row")


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _single(relation: Relation, between: str = ": ", *, percent: bool = False) -> str:
    """The number that a step returned; nothing for other answers."""
    if isinstance(relation, Number):
        write = percent_words if percent else number_words
        return f"{between}{'unknown' if relation.value is None else write(relation.value)}"
    return f"{between}{_plural(relation.height, 'row')}" if isinstance(relation, Rows) else ""


def _direction(step: SortKey, relation: Relation) -> str:
    lines = relation.source if isinstance(relation, Ordered) else relation
    columns = lines.columns if isinstance(lines, Docs | Rows) else {}
    derived = derived_field(step.field)
    if derived is not None:
        if derived.operation in CALENDAR:
            return "backwards through the calendar" if step.descending else "as in the calendar"
        columns = {}  # all others are numbers
    kinds = {columns[name] for name in columns if name.split(".")[-1] == step.field.split(".")[-1]}
    if kinds & _DATED:
        return "latest first" if step.descending else "earliest first"
    if kinds and kinds <= _WORDED:
        return "from Z to A" if step.descending else "from A to Z"
    return "highest first" if step.descending else "lowest first"


_DATED = frozenset({"date", "datetime"})
_WORDED = frozenset({"string", "custom", "choice"})
