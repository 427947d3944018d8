"""Whether a plan answers a case: the plan is run and its result compared with the answer."""

from math import isclose
from typing import Any

from tests.backend.plans.desk import Desk
from tests.backend.plans.requests.cases import Case, Want
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan


def failure(desk: Desk, case: Case) -> str | None:
    """What is wrong with the answer to a case, None when it is right."""
    try:
        plan = desk.edit(desk.begin(case.turns[0]), *case.turns[1:])
        result = desk.result(plan)
    except Invalid as refusal:
        if case.want.kind != "refused":
            return f"refused: {refusal.detail}"
        named = case.want.data in refusal.detail.lower()
        return None if named else f"the refusal does not name it: {refusal.detail}"
    if case.want.kind == "refused":
        report = plan.edit
        left = [item.reason.lower() for item in report.not_applied] if report else []
        if any(case.want.data in reason for reason in left):
            return None
        return f"not refused: {_steps(plan)}"
    if _agrees(desk, result, case.want):
        return None
    return f"another answer: {_steps(plan)}"


def _steps(plan: Plan) -> str:
    return "; ".join(str(node.description) for node in plan.nodes.values())


def _close(result: Any, wanted: Any) -> bool:
    if isinstance(result, int | float) and isinstance(wanted, int | float):
        return isclose(result, wanted, rel_tol=1e-6, abs_tol=1e-9)
    return bool(result == wanted)


def _agrees(desk: Desk, result: Any, want: Want) -> bool:
    if want.kind == "number":
        if isinstance(result, list) and len(result) == 1:
            values = [v for k, v in result[0]["properties"].items() if k != "key"]
            return len(values) == 1 and _close(values[0], want.data)
        return not isinstance(result, list | str) and _close(result, want.data)
    if not isinstance(result, list):
        return False
    if want.kind in ("docs", "ordered", "cut", "shown"):
        return all("entity" in item["properties"] for item in result) and _documents(
            desk, [item["properties"]["entity"] for item in result], want
        )
    rows = [dict(item["properties"]) for item in result]
    return all("key" in row for row in rows) and _rows(rows, want)


def _documents(desk: Desk, entities: list[dict[str, Any]], want: Want) -> bool:
    if want.kind == "shown":
        return bool(entities) and set(entities[0]) == want.data
    if want.kind == "ordered":
        field, values = want.data
        shown = [entity[field] for entity in entities if entity.get(field) is not None]
        return len(shown) == len(values) and all(map(_close, shown, values))
    keys = [entity.get(desk.key) for entity in entities]
    if want.kind == "cut":
        count, known = want.data
        return len(keys) == count and set(keys) <= known
    return len(keys) == len(set(keys)) and set(keys) == want.data


def _rows(rows: list[dict[str, Any]], want: Want) -> bool:
    results: list[tuple[Any, list[Any]]] = []
    for row in rows:
        key = row.pop("key")
        keys = tuple(key) if isinstance(key, list) else key
        values = [v for v in row.values() if not isinstance(v, str)]
        results.append((keys, values))
    if want.kind == "values":
        return {key for key, _ in results} == want.data
    if want.kind == "ranking":
        return len(results) == len(want.data) and all(
            values and _close(values[-1], wanted)
            for (_, values), wanted in zip(results, want.data, strict=True)
        )
    shown = dict(results)
    return shown.keys() == want.data.keys() and all(
        _same(shown[key], wanted) for key, wanted in want.data.items()
    )


def _same(values: list[Any], wanted: Any) -> bool:
    if isinstance(wanted, list):
        return len(values) == len(wanted) and all(map(_close, values, wanted))
    return bool(values) and _close(values[-1], wanted)
