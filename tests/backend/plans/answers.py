"""Comparing what a plan answers with what plain Python computes from the records."""

from collections.abc import Iterable, Mapping
from math import isclose
from typing import Any

from tests.backend.plans.desk import Desk
from workbench.contract.plan import Plan


def average(values: Iterable[float | None]) -> float:
    known = [value for value in values if value is not None]
    return sum(known) / len(known)


def same_number(actual: Any, wanted: Any) -> bool:
    if isinstance(actual, int | float) and isinstance(wanted, int | float):
        return isclose(actual, wanted, rel_tol=1e-9, abs_tol=1e-9)
    return bool(actual == wanted)


def same_table(actual: Mapping[Any, Any], wanted: Mapping[Any, Any]) -> bool:
    """Whether the tables have the same keys and values; of several the last one counts."""
    if actual.keys() != wanted.keys():
        return False
    return all(_same_row(actual[key], wanted[key]) for key in wanted)


def _same_row(actual: Any, wanted: Any) -> bool:
    if isinstance(wanted, list):
        return len(actual) == len(wanted) and all(map(same_number, actual, wanted))
    return same_number(actual[-1] if isinstance(actual, list) else actual, wanted)


def shown_values(desk: Desk, plan: Plan, wanted: list[Any]) -> bool:
    """Whether the documents hold the wanted values in that order, in whichever property."""
    documents = [item["properties"]["entity"] for item in desk.result(plan)]
    return len(documents) == len(wanted) and all(
        value in entity.values() for entity, value in zip(documents, wanted, strict=True)
    )
