"""Constructions of ratios: one total divided by another, for all documents or for each group."""

from typing import Any

from backend.plans.reading.derived_properties import of_two
from backend.plans.reading.grammar_types import makes
from backend.plans.reading.phrasing import Measure
from backend.plans.reading.properties import Property
from workbench.contract.plan_nodes import Function


@makes("Totals", "Func Prop", example="total price", weight="ratio: part")
@makes("Totals", "HowMany Prop", "Func number|amount of Prop", example="number of berths",
       weight="ratio: part")  # fmt: skip
def _total(func: Function | object, prop: Property) -> Property | None:
    summed = func == "sum" or not isinstance(func, str)
    return prop if summed and prop.numeric and not prop.key and not prop.is_year else None


@makes(
    "Measures",
    "Totals divided by Totals",
    "Totals divided by Prop",
    "Totals and divide by Totals",
    "Totals and divide by Prop",
    "Totals and divide it|this|that|them by Totals",
    "divide Totals by Totals",
    "Totals over|/ Totals",
    "Totals per Totals",
    "Totals per Prop",
    "ratio of Totals to|and|over Totals",
    "ratio between Totals and Totals",
    example="total price divided by total berths",
    weight="ratio of totals",
)
@makes(
    "Measures",
    "Prop per one? Prop",
    "Func Prop per one? Prop",
    example="price per berths",
    weight="ratio of totals: bare",
)
def _ratio_of_totals(*parts: Any) -> tuple[Measure, ...] | None:
    props = [part for part in parts if isinstance(part, Property)]
    funcs = [part for part in parts if isinstance(part, str)]
    one, other = props
    countable = all(p.numeric and not p.key and not p.is_year for p in props)
    if not countable or any(func not in ("sum", "avg") for func in funcs):
        return None
    share = of_two("share_of", one, other)
    return None if share is None else (Measure("ratio", share.field),)
