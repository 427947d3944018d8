"""Constructions with values that have an order: `at least high danger`, `harder than moderate`."""

from typing import Any

from backend.language.scales import side_of
from backend.plans.reading.chart import Noted
from backend.plans.reading.comparing import one_of
from backend.plans.reading.grammar_types import first_of, makes, part_of
from backend.plans.reading.linking_types import Value
from backend.plans.reading.properties import Property


@makes("Cond", "Prop Be? More Val", "More Val Prop?", "Val OrMore", "Val Prop OrMore",
       "Prop Be? Val OrMore", example="condition above fair",
       weight="steps of a scale")  # fmt: skip
def _beside_step(*parts: Any) -> Noted | None:
    prop = first_of(parts, Property)
    return _steps(part_of(parts, Value), part_of(parts, str), prop)


@makes("Cond", "Word than Val", "Prop Word than Val", example="better than fair",
       weight="steps of a scale")  # fmt: skip
def _further_up(*parts: Any) -> Noted | None:
    value, word = part_of(parts, Value), part_of(parts, str)
    op = _side(word, value)
    return None if op is None else _steps(value, op, first_of(parts, Property))


@makes("Cond", "more Word than Val", example="more excellent than fair", weight="steps of a scale")
def _more_of_it(word: str, value: Value) -> Noted | None:
    return _steps(value, _side(word, value) or "gt", None)


@makes("Cond", "less Word than Val", example="less excellent than good", weight="steps of a scale")
def _less_of_it(word: str, value: Value) -> Noted | None:
    return _steps(value, "gt" if _side(word, value) == "lt" else "lt", None)


def _side(word: str, value: Value) -> str | None:
    """Whether a word points up or down the scale of a value."""
    side = None if value.prop.scale is None else side_of(word, value.prop.scale)
    return None if side is None else "gt" if side else "lt"


def _steps(value: Value, op: str, prop: Property | None) -> Noted | None:
    """The steps on one side of a value; None if nothing is there, or the value is no step."""
    scale = value.prop.scale
    if scale is None or len(value.values) > 1 or (prop is not None and prop != value.prop):
        return None
    place = scale.place(value.values[0])
    if place is None or op not in ("gt", "ge", "lt", "le"):
        return None
    above, below = scale.steps[place + (op == "gt") :], scale.steps[: place + (op == "le")]
    kept = above if op in ("gt", "ge") else below
    if not kept:
        return None
    remark = f"took {value.prop.label} to go from {scale.steps[0]} up to {scale.steps[-1]}"
    return Noted(one_of(value.prop.field, kept), remark)
