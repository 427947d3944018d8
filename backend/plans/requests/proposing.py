"""Asks a configured language model about words that the rules do not understand.

The model may only propose operations, of the kinds below and about properties of the DocSet. They
become the same operations as those of the rules, applied by the same engine and checked by the same
validation; everything else is rejected. It gets the wish, the properties and the steps of the plan,
never the text of a document, so no document can influence it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from backend.inference.language import LanguageModel, Question
from backend.plans.edits.draft import Draft
from backend.plans.edits.operations import (
    AddFilter,
    ExtractField,
    JudgeText,
    ListValues,
    Operation,
    RemoveFilter,
    RemoveGroup,
    RemoveLimit,
    RemoveSort,
    SetGroup,
    SetLimit,
    SetMeasures,
    SetSort,
    ShowFields,
    Summarise,
    ToCount,
    ToDocuments,
)
from backend.plans.reading.phrasing import Key, Measure
from backend.plans.tables.collection import Collection
from workbench.contract.plan_nodes import BasicFilter, Bucket, canonical_field
from workbench.contract.plan_values import as_bool, as_date, as_number
from workbench.contract.schema import PropertyKind

_INSTRUCTIONS = (
    "A person asked for documents of a collection, or for a change of a query plan over it, and"
    " some `wishes` were not understood. Answer with the operations that do what each wish says,"
    " with its number. Use only the names under `properties`. Dates are YYYY-MM-DD. `judge` is for"
    " what only the text of a document can tell. Leave out every wish that you are not sure of and"
    " every one that is not about finding, counting, grouping or ordering these documents."
)
_READING = (
    "A person asked a question about the documents of a collection, which is the only one of the"
    " `wishes`. Answer with proposals for it, each a whole reading: all the operations, in order,"
    " that turn a plan which reads every document into one that answers the question. Give one"
    " proposal, or up to three where the question may mean several things, likeliest first. Use"
    " only the names under `properties`. Dates are YYYY-MM-DD. `judge` is for what only the text of"
    " a document can tell. Give none where you are not sure, or where the question is not about"
    " finding, counting, grouping or ordering these documents."
)
_MOST_READINGS = 3
_MOST_WISHES = 8
_MOST_PROPERTIES = 120
_LONGEST = 300

Value = bool | float | str


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Filter(_Shape):
    """Keep documents whose property matches; `between` takes two values, `known` none."""

    kind: Literal["filter"]
    field: str
    test: Literal["is", "is_not", "contains", "above", "at_least", "below", "at_most", "between",
                  "known", "unknown"]  # fmt: skip
    values: list[Value] = Field(default=[], max_length=20)


class Unfilter(_Shape):
    kind: Literal["remove_filter"]
    field: str


class Group(_Shape):
    kind: Literal["group"]
    fields: list[str] = Field(min_length=1, max_length=3)
    bucket: Bucket | None = None


class Compute(_Shape):
    """A number over all documents or for each group; `count` needs no property."""

    kind: Literal["compute"]
    func: Literal["avg", "sum", "min", "max", "median", "count", "distinct"]
    field: str | None = None


class Order(_Shape):
    kind: Literal["sort"]
    field: str
    descending: bool = False


class Cut(_Shape):
    kind: Literal["limit"]
    count: int = Field(ge=1, le=100_000)


class Show(_Shape):
    """Only some properties of each document, or with one property its distinct values."""

    kind: Literal["show", "values"]
    fields: list[str] = Field(min_length=1, max_length=20)


class Judge(_Shape):
    kind: Literal["judge"]
    question: str = Field(min_length=3, max_length=_LONGEST)


class Extract(_Shape):
    """A new property, read from the texts."""

    kind: Literal["extract"]
    question: str = Field(min_length=3, max_length=_LONGEST)
    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")
    type: Literal["string", "int", "float", "bool", "date"] = "string"


class Sum(_Shape):
    """A summary of the plan's result."""

    kind: Literal["summarise"]
    question: str = Field(min_length=3, max_length=_LONGEST)


class Plain(_Shape):
    """Operations without parameters; `documents` and `count` change the answer to these."""

    kind: Literal["count", "documents", "remove_group", "remove_sort", "remove_limit"]


Proposed = Filter | Unfilter | Group | Compute | Order | Cut | Show | Judge | Extract | Sum | Plain


class Proposal(_Shape):
    """The operations for one wish."""

    wish: int = Field(ge=0)
    operations: list[Proposed] = Field(max_length=6)


class Proposals(_Shape):
    proposals: list[Proposal] = Field(max_length=_MOST_WISHES)


@dataclass(frozen=True)
class Proposer:
    """Asks a model about the wishes of one request. `stopped` ends the waiting."""

    model: LanguageModel
    stopped: Callable[[], bool] = lambda: False

    def propose(
        self, wishes: Sequence[str], draft: Draft, collection: Collection
    ) -> dict[int, list[Operation]]:
        """Operations for each wish that the model is sure of. Raises a ModelError."""
        results: dict[int, list[Operation]] = {}
        for wish, made in self._ask(_INSTRUCTIONS, wishes, draft, collection):
            results.setdefault(wish, []).extend(made)
        return results

    def readings(
        self, question: str, draft: Draft, collection: Collection
    ) -> list[list[Operation]]:
        """Possible readings of a whole question, likeliest first. Raises a ModelError."""
        answer = self._ask(_READING, [question], draft, collection)
        return [made for _, made in answer][:_MOST_READINGS]

    def _ask(
        self, instructions: str, wishes: Sequence[str], draft: Draft, collection: Collection
    ) -> list[tuple[int, list[Operation]]]:
        question = Question(
            instructions,
            _as_data(wishes, draft, collection),
            Proposals,
            check=lambda answer: _complaint(answer, len(wishes), collection),
            tries=2,
        )
        answer = self.model.ask(question, self.model.new_budget(self.stopped))
        return [
            (proposal.wish, [_operation(item, collection) for item in proposal.operations])
            for proposal in answer.value.proposals
            if proposal.operations
        ]


def _as_data(wishes: Sequence[str], draft: Draft, collection: Collection) -> dict[str, object]:
    described = {prop.name: prop.description or "" for prop in collection.schema.properties}
    names = list(collection.fields)[:_MOST_PROPERTIES]
    return {
        "wishes": [
            {"wish": i, "words": words[:_LONGEST]} for i, words in enumerate(wishes[:_MOST_WISHES])
        ],
        "properties": [
            {
                "name": (bare := name.removeprefix("properties.entity.")),
                "kind": collection.fields[name],
                "description": described.get(bare, "")[:_LONGEST],
            }
            for name in names
        ],
        "plan": [node.description or node.node_type for node in draft.used()],
    }


def _complaint(answer: Proposals, wishes: int, collection: Collection) -> str | None:
    """The faults of an answer, in words that the model can act upon."""
    for proposal in answer.proposals:
        if proposal.wish >= wishes:
            return f"there is no wish {proposal.wish}"
        for item in proposal.operations:
            try:
                _operation(item, collection)
            except ValueError as problem:
                return str(problem)
    return None


def _operation(item: Proposed, collection: Collection) -> Operation:
    """The proposed operation; ValueError if it does not apply to this collection."""

    def known(name: str) -> str:
        full = canonical_field(name)
        if full not in collection.fields:
            raise ValueError(f"there is no property {name[:80]!r}")
        return full

    match item:
        case Filter():
            return AddFilter(_condition(item, known(item.field), collection))
        case Unfilter():
            return RemoveFilter(field=known(item.field), words=item.field)
        case Group():
            return SetGroup(Key(tuple(map(known, item.fields)), item.bucket))
        case Compute(func="count"):
            return SetMeasures((Measure("count"),))
        case Compute():
            if item.field is None:
                raise ValueError(f"{item.func} needs a property")
            return SetMeasures((Measure(item.func, known(item.field)),))
        case Order():
            return SetSort(known(item.field), None, item.descending)
        case Cut():
            return SetLimit(item.count)
        case Show(kind="values"):
            return ListValues(known(item.fields[0]))
        case Show():
            return ShowFields(tuple(map(known, item.fields)))
        case Judge():
            return JudgeText(item.question)
        case Extract():
            return ExtractField(item.question, item.name, item.type)
        case Sum():
            return Summarise(item.question)
        case Plain():
            return _PLAIN[item.kind]


_PLAIN: dict[str, Operation] = {
    "count": ToCount(),
    "documents": ToDocuments(),
    "remove_group": RemoveGroup(),
    "remove_sort": RemoveSort(),
    "remove_limit": RemoveLimit(),
}
_TYPED = frozenset({"int", "float", "bool", "date", "datetime"})


def _read(value: Value, kind: PropertyKind) -> Value | None:
    """A value as a property of that kind stores it; None if it does not fit or is text."""
    if kind in ("int", "float"):
        return as_number(value)
    if kind == "bool":
        return as_bool(value)
    day = as_date(value) if kind in _TYPED and isinstance(value, str) else None
    return None if day is None else day.isoformat()


def _condition(item: Filter, field: str, collection: Collection) -> BasicFilter:
    if item.test in ("known", "unknown"):
        return BasicFilter(field=field, exists=item.test == "known")
    kind = collection.fields[field]
    dated = kind in ("date", "datetime")
    values: list[Value] = []
    for value in item.values:
        read = _read(value, kind)
        if read is None and kind in _TYPED:
            raise ValueError(f"{value!r} is no value of {item.field}, which holds {kind} values")
        values.append(str(value) if dated or read is None else read)
    wanted = 2 if item.test == "between" else 1
    if len(values) < wanted:
        raise ValueError(f"{item.test} needs {wanted} values")
    if item.test in ("is", "is_not"):
        one = values[0] if len(values) == 1 else None
        return BasicFilter(field=field, query=one, values=None if one is not None else values,
                           match="exact", negate=item.test == "is_not")  # fmt: skip
    if item.test == "contains":
        return BasicFilter(field=field, query=str(values[0]), match="contains")
    upper = item.test in ("below", "at_most")
    low, high = (None, values[0]) if upper else (values[0], None)
    if item.test == "between":
        low, high = values[0], values[1]
    return BasicFilter(
        field=field,
        range_filter=True,
        is_date=dated,
        start=low,
        end=high,
        start_exclusive=item.test == "above",
        end_exclusive=item.test == "below",
    )
