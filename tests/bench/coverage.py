"""What it costs to say how many documents a plan could use, beside the same steps without that.

    python -m tests.bench.coverage [--documents 100000] [--turns 15]

A filter, a group with a count, and an average over documents of which a tenth has no value and a
tenth a doubtful one. Each plan runs with coverage and without, in turns; the ratio is of the median
CPU times of all its steps. Ends with status 1 when a ratio is above 1.15.
"""

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from statistics import median
from typing import Any
from unittest import mock

import polars as pl

from backend.plans.running import run as running
from backend.plans.running.run import Reports, run_plan
from backend.plans.running.stage import Stage
from backend.plans.tables.collection import Collection, Mark, State
from backend.plans.tables.value_rules import ValueRules
from workbench.contract.plan import Plan
from workbench.contract.schema import Schema

_GOAL = 1.15


def collection_of(count: int) -> Collection:
    """Documents with a state, a date and an amount, each missing or doubtful in a tenth."""
    states = ["Texas", "Ohio", "Utah", "Iowa", "Maine"]
    numbers = pl.int_range(count, eager=True)
    table = pl.DataFrame(
        {
            "sequence": numbers,
            "doc_id": [f"wb:f-{i:024d}" for i in range(count)],
            "content_id": [f"wb:c-{i:024d}" for i in range(count)],
            "properties.path": [f"{i}.pdf" for i in range(count)],
            "properties": ["{}"] * count,
            "properties.entity.state": [states[i % 5] if i % 10 else None for i in range(count)],
            "properties.entity.total": [float(i % 997) if i % 10 != 3 else None
                                        for i in range(count)],
        }
    )  # fmt: skip
    unsure = pl.Series([0.3 if i % 10 == 7 else None for i in range(count)], dtype=pl.Float32)
    names = ("properties.entity.state", "properties.entity.total")
    table = table.with_columns(unsure.alias(f"{name}.confidence") for name in names)
    table = table.with_columns(pl.lit(None, pl.String).alias("properties.entity.total.unit"))
    rules = ValueRules()
    fields: Any = {names[0]: "string", names[1]: "float"}
    made = Collection(
        "wb:ds-bench", "parcels", Schema(properties=[]), State("", Mark(), Mark()), table, fields,
        {},
    )  # fmt: skip
    return replace(made, table=rules.applied(table, fields), rules=rules)


_STEPS: dict[str, list[dict[str, Any]]] = {
    "filter": [
        {"node_type": "BasicFilter", "field": "state", "query": "Texas", "match": "exact"},
        {"node_type": "BasicFilter", "field": "total", "range_filter": True, "start": 100},
        {"node_type": "Count"},
    ],
    "group": [{"node_type": "GroupBy", "field": "state"}, {"node_type": "AggregateCount"}],
    "average": [
        {"node_type": "Aggregate", "aggregations": [{"func": "avg", "field": "total"}]},
    ],
}  # fmt: skip


def _plan(steps: list[dict[str, Any]]) -> Plan:
    nodes: dict[str, Any] = {"0": {"node_type": "QueryDatabase", "node_id": 0, "inputs": []}}
    for i, step in enumerate(steps, 1):
        nodes[str(i)] = {"node_id": i, "inputs": [i - 1], **step}
    return Plan.model_validate({"query": "", "nodes": nodes, "result_node": len(steps)})


def _seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def times(documents: int, turns: int) -> dict[str, tuple[float, float]]:
    """CPU seconds of each plan with coverage and without, the median of the turns."""
    stage = Stage(collection_of(documents), mock.Mock(), mock.Mock(), lambda: False)
    return {name: _beside(_plan(steps), stage, turns) for name, steps in _STEPS.items()}


def _beside(plan: Plan, stage: Stage, turns: int) -> tuple[float, float]:
    reports = Reports(lambda *_: None, lambda *_: None)

    def with_coverage() -> None:
        run_plan(plan, stage, reports)

    def without() -> None:
        bare = mock.patch.multiple(
            running, coverage_of=_nothing, unit_remarks=_nothing, filtered=_plainly
        )
        with bare:
            run_plan(plan, stage, reports)

    pairs = [(_seconds(with_coverage), _seconds(without)) for _ in range(turns)]
    ours, rival = (median(side) for side in zip(*pairs, strict=True))
    return ours, rival


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--turns", type=int, default=15)
    options = parser.parse_args()
    missed = False
    for name, (ours, rival) in times(options.documents, options.turns).items():
        ratio = ours / rival
        missed = missed or ratio > _GOAL
        print(f"{name:8} {ours * 1000:7.2f} ms with, {rival * 1000:7.2f} ms without: {ratio:.2f}")
    return int(missed)


def _plainly(step: Any, table: Any, note: Any) -> Any:
    """A filter as it would be without looking at what it could not decide."""
    with mock.patch("backend.plans.running.choosing.filtered_beside", _only_kept):
        return _FILTERED(step, table, note)


def _only_kept(step: Any, docs: Any, passing: pl.Series, blank: object) -> Any:
    return replace(docs, table=docs.table.filter(passing))


def _nothing(*_: object) -> list[Any]:
    return []


_FILTERED = running.filtered

if __name__ == "__main__":
    sys.exit(main())
