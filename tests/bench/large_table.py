"""Plans over a saved property table of millions of documents: processor time and memory.

    python -m tests.bench.large_table [--documents 10000000] [--turns 3]

The table is that of a few documents again and again, because reading millions takes a quarter of an
hour.
"""

import argparse
import json
import os
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

import polars as pl

from backend.plans.service import PlanService
from backend.plans.tables.segments import write_arrow
from backend.store.database import Database
from backend.store.tables import metadata
from tests.bench.plans import ACCOUNT, NoSearch, fill
from workbench.contract.plan import Plan, Query

_FEW = 25_000
_SEGMENT = 250_000
_PROPERTIES = 14


def _node(kind: str, node_id: int, *inputs: int, **fields: Any) -> tuple[str, dict[str, Any]]:
    body = {"node_type": kind, "node_id": node_id, "inputs": list(inputs), **fields}
    return str(node_id), body


_SUM = [{"func": "sum", "field": "declared_value_eur"}]
_PLANS = {
    "count": [_node("Count", 1, 0)],
    "filter, sum": [
        _node("BasicFilter", 1, 0, field="fragile", query=True),
        _node("Aggregate", 2, 1, aggregations=_SUM),
    ],
    "text, count": [
        _node("BasicFilter", 1, 0, field="city", query="harbor"),
        _node("Count", 2, 1),
    ],
    "group, sum": [
        _node("GroupBy", 1, 0, field="city"),
        _node("Aggregate", 2, 1, aggregations=_SUM),
    ],
    "group, count": [_node("GroupBy", 1, 0, field="city"), _node("AggregateCount", 2, 1)],
    "top 5": [_node("TopK", 1, 0, field="carrier", K=5, descending=True)],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=10_000_000)
    parser.add_argument("--turns", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        _measure(Path(folder), options.documents, options.turns)


def _measure(folder: Path, count: int, turns: int) -> None:
    database = Database(f"sqlite:///{folder}/store.db")
    metadata.create_all(database.engine)
    docset_id = fill(database, _FEW, _PROPERTIES, _FEW)
    _tile(database, folder / "tables", docset_id, count)
    began = time.process_time()
    service = PlanService(database, NoSearch(), folder / "runs", folder / "tables")
    service.start()
    height = service.collection(docset_id, ACCOUNT).table.height
    print(f"{height:,} documents; opened: {time.process_time() - began:.2f} s of processor time")
    service._collections.open_with_values(docset_id, ACCOUNT)  # which otherwise runs beside
    for name, steps in _PLANS.items():
        nodes = dict([_node("QueryDatabase", 0), *steps])
        plan = Plan.model_validate({"query": name, "nodes": nodes, "result_node": len(steps)})
        _run(service, Query(docset_id=docset_id, plan=plan), name, turns)
    print(f"largest memory of the server: {_most_memory(resource.RUSAGE_SELF):.2f} GB")
    service.close()
    print(f"of a process for heavy runs: {_most_memory(resource.RUSAGE_CHILDREN):.2f} GB")
    database.close()


def _run(service: PlanService, query: Query, name: str, turns: int) -> None:
    costs, walls, wholes = [], [], []
    for _ in range(turns):
        began, cost = time.monotonic(), _cost()
        service.run(query, ACCOUNT, lambda _: None, lambda: False)
        walls.append(time.monotonic() - began)
        costs.append(_cost() - cost)
        service._runs._writer.submit(lambda: None).result()
        wholes.append(_cost() - cost)
    print(
        f"{name:14} {min(costs):6.2f} s of processor time and {min(walls):6.2f} s until answered,"
        f" {min(wholes):6.2f} s of processor time until its rows are stored"
    )


def _cost() -> float:
    """Seconds of processor time of this process and of those below it, ended or not."""
    return time.process_time() + sum(map(_cost_of, _children(os.getpid()))) + sum(os.times()[2:4])


def _cost_of(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") + sum(
        map(_cost_of, _children(process))
    )


def _children(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split()]


def _most_memory(who: int) -> float:
    return resource.getrusage(who).ru_maxrss * 1024 / 1e9


def _tile(database: Database, tables: Path, docset_id: str, count: int) -> None:
    """Saves the table of the few documents, and then one of `count` in its place."""
    few = PlanService(database, NoSearch(), tables.with_name("few"), tables)
    few.collection(docset_id, ACCOUNT)
    few.start()
    while not list(tables.glob("*.json")):
        time.sleep(0.05)
    few.close()
    (about,) = tables.glob("*.json")
    body = json.loads(about.read_text())
    rows = pl.concat([pl.read_ipc(tables / one["file"]) for one in body["segments"]])
    part = pl.concat([rows] * (_SEGMENT // rows.height))
    body["segments"] = []
    for first in range(0, count, part.height):
        numbers = pl.int_range(first + 1, first + part.height + 1)
        names = pl.concat_str(pl.col("doc_id"), pl.lit("-"), numbers.cast(pl.String))
        table = part.with_columns(sequence=numbers, doc_id=names).head(count - first)
        file = f"{about.stem}-{first}.arrow"
        write_arrow(table, tables / file)
        body["segments"].append({"file": file, "first": first + 1, "height": table.height})
    about.write_text(json.dumps(body))


if __name__ == "__main__":
    main()
