"""The base of request bodies: validating one is cheap however many faults it has.

Pydantic collects every fault of a body, at some 10 µs and 1 kB each, so that a megabyte of wrong
items would block the server for seconds. Here validation stops after the first hundred, and the
body is refused with these.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextvars import ContextVar
from difflib import get_close_matches
from functools import cache
from itertools import islice
from typing import Annotated, Any, Self, TypeVar, cast, get_args

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    Field,
    GetCoreSchemaHandler,
    ModelWrapValidatorHandler,
    ValidationError,
    model_validator,
)
from pydantic_core import CoreSchema, InitErrorDetails, PydanticCustomError, PydanticOmit

from workbench.contract.numbers import only_finite

MOST_FAULTS = 100
"""Maximum number of faults reported for a body."""
MOST_PARTS = 10_000
"""Maximum number of objects with our fields in a body."""
_MOST_VALUES = 100_000
_LONGEST_KEY = 64
_SHORT = 5
_LIKENESS = 0.8
_LIKENESS_OF_SHORT = 0.75


class _Budget:
    """How many more faults and parts the body under validation may have."""

    def __init__(self) -> None:
        self.faults = MOST_FAULTS
        self.parts = MOST_PARTS


_budget: ContextVar[_Budget | None] = ContextVar("budget", default=None)


class Wire(BaseModel):
    """A model whose validation stops after `MOST_FAULTS` faults or `MOST_PARTS` parts.

    Its lists of models need a `max_length`; lists of plain values are `Plain`, and stop at their
    first fault.
    """

    @model_validator(mode="wrap")
    @classmethod
    def _bounded(cls, data: Any, validate: ModelWrapValidatorHandler[Self]) -> Self:
        budget = _budget.get()
        if budget is None:
            return cls._outermost(data, validate)
        cls._check(data)
        if budget.faults <= 0:
            raise PydanticOmit  # the rest does not matter: the body is refused
        budget.parts -= 1
        if budget.parts < 0:
            budget.faults = 0
            raise PydanticCustomError(
                "too_many_parts",
                "the body has more than {most} parts",
                {"most": MOST_PARTS},
            )
        try:
            return validate(data)
        except ValidationError as error:
            budget.faults -= error.error_count()
            raise

    @classmethod
    def _outermost(cls, data: Any, validate: ModelWrapValidatorHandler[Self]) -> Self:
        cls._check(data)
        budget = _Budget()
        mark = _budget.set(budget)
        try:
            made = validate(data)
        finally:
            _budget.reset(mark)
        if budget.faults <= 0:  # faults that a union has swallowed
            raise PydanticCustomError("too_many_faults", "the body has too many faults")
        return made

    @classmethod
    def _check(cls, data: Any) -> None:
        if isinstance(data, dict):
            _check_lengths(data)
            _check_numbers(cls, data)


class Correct(Wire):
    """A body whose misspelt keys are refused. Unknown keys that are like none of ours are ignored,
    because newer clients may send them.
    """

    @model_validator(mode="before")
    @classmethod
    def _no_slips(cls, data: Any) -> Any:
        if isinstance(data, dict):
            refuse_slips(data, keys_of(cls))
        return data


def refuse_slips(data: Iterable[object], known: Sequence[str]) -> None:
    """Raises an error about the first key that misspells a known one."""
    for key in islice(set(data).difference(known), MOST_FAULTS):
        if isinstance(key, str) and (near := _slip_of(key, known)) is not None:
            raise PydanticCustomError(
                "unknown_key", "unknown key '{key}': did you mean '{near}'?",
                {"key": key, "near": near},
            )  # fmt: skip


@cache
def keys_of(model: type[BaseModel]) -> tuple[str, ...]:
    """All names under which the fields of a model may be sent."""
    return tuple(_keys(model))


def _keys(model: type[BaseModel]) -> Iterator[str]:
    for name, info in model.model_fields.items():
        yield name
        if isinstance(info.validation_alias, AliasChoices):
            yield from (str(choice) for choice in info.validation_alias.choices)
        elif info.alias is not None:
            yield info.alias


def _slip_of(key: str, known: Sequence[str]) -> str | None:
    """The name that `key` misspells, if any; additional words are not a misspelling."""
    for name in known:
        if key.casefold() == name.casefold():
            return name
    if not 3 < len(key) <= _LONGEST_KEY:
        return None
    likeness = _LIKENESS if len(key) > _SHORT else _LIKENESS_OF_SHORT
    near = get_close_matches(key, known, 1, likeness)
    longer = near and set(key.split("_")) > set(near[0].split("_"))
    return near[0] if near and not longer else None


def _check_lengths(data: dict[Any, Any]) -> None:
    # The validator checks every item of a list before it reports that the list is too long.
    for value in data.values():
        if isinstance(value, list | dict) and len(value) > _MOST_VALUES:
            raise PydanticCustomError(
                "too_long", "a list has more than {most} items", {"most": _MOST_VALUES}
            )


def _check_numbers(model: type[BaseModel], data: dict[Any, Any]) -> None:
    # To Python true is a 1, and the validator takes it for one.
    for name in _numbers(model):
        if name in data and _has_truth(data[name]):
            fault = PydanticCustomError("number_type", "true and false are not numbers")
            line = InitErrorDetails(type=fault, loc=(name,), input=data[name])
            raise ValidationError.from_exception_data(model.__name__, [line])


@cache
def _numbers(model: type[BaseModel]) -> tuple[str, ...]:
    """The fields that are numbers or lists of numbers, and never true or false."""
    kinds = {name: set(_plain_types(info.annotation)) for name, info in model.model_fields.items()}
    return tuple(name for name, some in kinds.items() if some & {int, float} and bool not in some)


def _plain_types(annotation: Any) -> Iterator[Any]:
    yield annotation
    for inner in get_args(annotation):
        yield from _plain_types(inner)


def _has_truth(value: Any) -> bool:
    return any(map(_has_truth, value)) if isinstance(value, list) else isinstance(value, bool)


def _finite(value: Any) -> Any:
    if not only_finite(value):
        raise ValueError("infinity and NaN are not values")
    return value


JsonValue = Annotated[Any, AfterValidator(_finite)]
"""Any JSON. Without this check a number that JSON cannot hold would be sent as null."""

LARGEST_NUMBER = 2**53
"""The largest integer that every reader of JSON keeps exactly; it fits a column of the database."""
Number = Annotated[int, Field(ge=0, le=LARGEST_NUMBER)]
"""An id or a place that is an integer: the database cannot be asked about larger ones."""

_Item = TypeVar("_Item")


class _Bounded:
    """Gives a list the usual limit unless it has one: of two Pydantic keeps the last."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        schema = handler(source)
        if schema["type"] == "list" and schema.get("max_length") is None:
            return cast(CoreSchema, {**schema, "max_length": _MOST_VALUES})
        return schema


def composed(text: str) -> str:
    """The text with each letter and its accent as one character, as in documents."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


PropertyName = Annotated[str, AfterValidator(composed)]
"""The name of a property in a request: names that look alike are alike."""
Plain = Annotated[list[_Item], _Bounded(), Field(fail_fast=True)]
"""A list of plain values. It reports its first fault alone; fields may lower `max_length`."""
