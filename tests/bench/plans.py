"""What plans cost over a large DocSet: planning and editing, and a plan beside plain Polars.

    python -m tests.bench.plans [--documents 100000] [--properties 60] [--values 200000]

Prints goals and measured figures side by side: the 95th percentile of CPU time for questions and
feedback, warm and each right after a document was changed or added; plans of several shapes through
the service, and their steps beside lazy Polars over the same frame, in turns; the first question
ever and the first of the next process, which takes up the saved table. Ends with status 1 when a
goal is missed.
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import polars as pl
from sqlalchemy import insert, select, update

from backend.plans.service import PlanService
from backend.store.database import Database
from backend.store.operation_log import log_change
from backend.store.property_log import log_properties
from backend.store.tables import contents, docsets, documents, metadata
from workbench.contract.ids import new_id
from workbench.contract.plan import EditRequest, Plan, Query
from workbench.contract.schema import Schema

ACCOUNT = "wb:a-bench"
_BATCH = 5_000
_TURNS = 25
_WORDS = """
    amber birch cedar delta ember falcon garnet harbor indigo juniper kestrel lagoon maple nimbus
    onyx pepper quartz river saffron timber umber violet willow xenon yonder zephyr
    """.split()  # noqa: SIM905
_SIGHTS = ["city", "region", "status", "carrier", "grade"]
QUESTIONS = [
    "parcels in amber cedar",
    "how many parcels have a weight above 40 kg?",
    "average weight by city",
    "top 5 parcels by declared value",
    "which region has the most parcels?",
    "fragile parcels sent in 2023 with a weight between 5 and 20 kg",
    "share of fragile parcels per status",
    "parcels per month",
    "total declared value of parcels in delta ember",
    "parcels with above average weight sorted by declared value descending",
    "parcels per galaxy",
    "list the carriers",
]
FEEDBACK = [
    "only the fragile ones",
    "exclude amber cedar",
    "sent after 2022",
    "group by city",
    "make it the median",
    "top 3",
    "sort by weight descending",
    "remove the filter",
    "how many is that?",
    "also birch delta",
    "onnly those with a wieght over 30 kg",
    "make it purple",
]


class NoSearch:
    """No question of this bench looks into texts."""

    def candidates(self, *_: Any, **__: Any) -> Sequence[Any]:
        return []

    def fulfilling(self, *_: Any, **__: Any) -> Sequence[str]:
        return []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--properties", type=int, default=60)
    parser.add_argument("--values", type=int, default=200_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        return _measured(Path(folder), options.documents, options.properties, options.values)


@dataclass(frozen=True)
class Figure:
    """A measured figure beside its goal, None without one."""

    name: str
    measured: float
    unit: str
    goal: float | None = None

    @property
    def missed(self) -> bool:
        return self.goal is not None and self.measured > self.goal

    def __str__(self) -> str:
        goal = "" if self.goal is None else f"at most {self.goal:g} {self.unit}"
        line = f"{self.name:44}{goal:>18}{self.measured:>10.2f} {self.unit}"
        return line + ("  MISSED" if self.missed else "")


def _measured(folder: Path, count: int, properties: int, values: int) -> int:
    database = Database(f"sqlite:///{folder}/store.db")
    metadata.create_all(database.engine)
    docset_id = fill(database, count, properties, values)
    print(f"{count:,} documents, {properties} properties, {values:,} values (CPU time)")
    desk = Desk(PlanService(database, NoSearch(), folder / "runs", folder / "tables"), docset_id)
    figures = [Figure("first question ever", _cpu(desk.ask), "s")]
    figures += _words(desk, database)
    figures += _beside_polars(desk)
    desk.service.start()
    saved = folder / "tables"
    while not list(saved.glob("*.json")):
        time.sleep(0.05)
    desk.service.close()
    next_one = Desk(PlanService(database, NoSearch(), folder / "runs", saved), docset_id)
    figures.append(Figure("first question of the next process", _cpu(next_one.ask), "s"))
    print(*figures, sep="\n")
    return int(any(figure.missed for figure in figures))


@dataclass(frozen=True)
class Desk:
    """The service over one DocSet."""

    service: PlanService
    docset_id: str

    def ask(self, text: str = QUESTIONS[2]) -> Plan:
        return self.service.generate(Query(docset_id=self.docset_id, query=text), ACCOUNT)

    def edit(self, plan: Plan, text: str) -> Plan:
        query = Query(docset_id=self.docset_id, plan=plan)
        return self.service.edit(EditRequest(query=query, feedback=text), ACCOUNT)


def _words(desk: Desk, database: Database) -> list[Figure]:
    """Questions and feedback, warm and right after a write."""
    asked = [_cpu(partial(_tried, desk.ask, text)) for text in QUESTIONS * 5]
    starts = [desk.ask(text) for text in QUESTIONS[:6]]
    edited = [_cpu(partial(_tried, desk.edit, s, text)) for s in starts for text in FEEDBACK]
    changed, added = list[float](), list[float]()
    for i, text in enumerate(QUESTIONS * 3):
        _change_one(database, desk.docset_id, i)
        changed.append(_cpu(partial(_tried, desk.ask, text)))
        _add_one(database, desk.docset_id, i)
        added.append(_cpu(partial(_tried, desk.ask, text)))
    return [
        Figure("question, 95th percentile", _at(asked, 0.95), "ms", 100),
        Figure("feedback, 95th percentile", _at(edited, 0.95), "ms", 100),
        Figure("question after a document changed, 95th", _at(changed, 0.95), "ms", 100),
        Figure("question after a document was added, 95th", _at(added, 0.95), "ms", 100),
    ]


def _beside_polars(desk: Desk) -> list[Figure]:
    """Plans of several shapes beside Polars, in turns. The fastest turn of each counts, because
    whatever else the machine does only adds to the others.
    """
    frame = desk.service.collection(desk.docset_id, ACCOUNT).table
    figures: list[Figure] = []
    for shape in SHAPES:
        plan = Plan.model_validate(
            {"query": shape.name, "nodes": shape.nodes, "result_node": len(shape.nodes) - 1}
        )
        query = Query(docset_id=desk.docset_id, plan=plan)
        whole, steps, polars = list[float](), list[float](), list[float]()
        for _ in range(_TURNS):
            begun = time.perf_counter()
            run = desk.service.run(query, ACCOUNT, lambda event: None, lambda: False).query_id
            whole.append((time.perf_counter() - begun) * 1000)
            steps.append(sum(node.ms for node in desk.service.trace(run, ACCOUNT).nodes))
            # What a run gave is written behind its answer: that must not slow Polars down.
            desk.service.node_output(run, plan.result_node, ACCOUNT)
            begun = time.perf_counter()
            shape.theirs(frame.lazy())
            polars.append((time.perf_counter() - begun) * 1000)
        figures += [
            Figure(f"{shape.name}: whole call, median", median(whole), "ms", 300),
            Figure(
                f"  its steps {min(steps):.2f} ms to Polars", min(steps) / min(polars), "times", 2
            ),
        ]
    return figures


def _node(kind: str, node_id: int, *inputs: int, **fields: Any) -> tuple[str, dict[str, Any]]:
    body = {"node_type": kind, "node_id": node_id, "inputs": list(inputs), **fields}
    return str(node_id), body


@dataclass(frozen=True)
class Shape:
    """A plan by its steps behind the source, and the same in Polars."""

    name: str
    steps: tuple[tuple[str, dict[str, Any]], ...]
    theirs: Callable[[pl.LazyFrame], Any]

    @property
    def nodes(self) -> dict[str, Any]:
        return dict([_node("QueryDatabase", 0), *self.steps])


def _column(name: str) -> pl.Expr:
    return pl.col(f"properties.entity.{name}")


_FRAGILE = _column("fragile")
_NAME = "properties.entity.city"
_RICHEST = pl.len().alias("count")
_FIRST_TEN = (
    _node("Sort", 1, 0, field="declared_value_eur", descending=True),
    _node("Limit", 2, 1, num_records=10),
)
SHAPES = [
    Shape(
        "filter, group, average",
        (
            _node("BasicFilter", 1, 0, field="fragile", query=True),
            _node("GroupBy", 2, 1, field="city"),
            _node("Aggregate", 3, 2, aggregations=[{"func": "avg", "field": "weight_kg"}]),
        ),
        lambda f: f.filter(_FRAGILE).group_by(_NAME).agg(_column("weight_kg").mean()).sort(_NAME)
        .collect().to_dicts(),
    ),
    Shape(
        "sort, limit",
        _FIRST_TEN,
        lambda f: f.sort(_column("declared_value_eur"), descending=True, nulls_last=True,
                         maintain_order=True).head(10).collect(),
    ),
    Shape(
        "share of two branches",
        (
            _node("BasicFilter", 1, 0, field="fragile", query=True),
            _node("Count", 2, 1),
            _node("Count", 3, 0),
            _node("Math", 4, 2, 3, operation="divide"),
        ),
        lambda f: f.filter(_FRAGILE).select(pl.len()).collect().item()
        / f.select(pl.len()).collect().item(),
    ),
    Shape(
        "documents of the largest group",
        (
            _node("TopK", 1, 0, field="city", K=1, descending=True),
            _node("FieldIn", 2, 0, 1, field_one="city", field_two="properties.key"),
            _node("Count", 3, 2),
        ),
        lambda f: f.join(f.group_by(_NAME).agg(_RICHEST).sort("count", descending=True).head(1),
                         on=_NAME, how="semi").select(pl.len()).collect().item(),
    ),
    Shape(
        "top 5",
        (_node("TopK", 1, 0, field="carrier", K=5, descending=True),),
        lambda f: f.group_by(_column("carrier")).agg(_RICHEST).sort("count", descending=True)
        .head(5).collect().to_dicts(),
    ),
    Shape(
        "percentage per group",
        (
            _node("GroupBy", 1, 0, field="status"),
            _node("Aggregate", 2, 1, aggregations=[
                {"func": "share", "name": "s", "where": [{"field": "fragile", "query": True}]}]),
        ),
        lambda f: f.group_by(_column("status")).agg(_FRAGILE.mean()).collect().to_dicts(),
    ),
    Shape(
        "distinct count",
        (_node("Count", 1, 0, distinct_field="note_0"),),
        lambda f: f.select(_column("note_0").drop_nulls().n_unique()).collect().item(),
    ),
    Shape(
        "total per month",
        (
            _node("GroupBy", 1, 0, field="sent_on", bucket="month"),
            _node("Aggregate", 2, 1, aggregations=[
                {"func": "sum", "field": "declared_value_eur"}]),
        ),
        lambda f: f.group_by(_column("sent_on").dt.strftime("%Y-%m").alias("month"))
        .agg(_column("declared_value_eur").sum()).sort("month").collect().to_dicts(),
    ),
    Shape(
        "several numbers",
        (
            _node("BasicFilter", 1, 0, field="region", query="amber", match="exact"),
            _node("Aggregate", 2, 1, aggregations=[
                {"func": func, "field": "weight_kg"} for func in ("avg", "median", "max")]),
        ),
        lambda f: f.filter(_column("region").str.to_lowercase() == "amber").select(
            _column("weight_kg").mean().alias("a"), _column("weight_kg").median().alias("b"),
            _column("weight_kg").max().alias("c")).collect().to_dicts(),
    ),
]  # fmt: skip


def fill(database: Database, count: int, properties: int, values: int) -> str:
    """A DocSet with so many documents and properties, whose texts hold so many distinct values."""
    dice = random.Random(7)
    names = [f"note_{i}" for i in range(properties - len(_SIGHTS) - 5)]
    each = max(1, values // max(1, len(names)))
    schema = Schema.model_validate({"properties": [
        {"name": "parcel_id", "field_type": "string", "description": "Number of the parcel"},
        {"name": "weight_kg", "field_type": "float", "description": "Weight in kilograms"},
        {"name": "declared_value_eur", "field_type": "float", "description": "Declared value"},
        {"name": "sent_on", "field_type": "date", "description": "Day of dispatch"},
        {"name": "fragile", "field_type": "bool", "description": "Whether it may break"},
        *({"name": n, "field_type": "string", "description": f"The {n}"} for n in _SIGHTS),
        *({"name": n, "field_type": "string", "description": f"Remark {n}"} for n in names),
    ]})  # fmt: skip
    places = [f"{a} {b}".title() for a in _WORDS[:8] for b in _WORDS[:8]]
    docset_id = new_id("ds")
    with database.writing() as connection:
        connection.execute(insert(docsets).values(
            docset_id=docset_id, account_id=ACCOUNT, name="parcels", created_at=0.0,
            readonly=False, properties={}, schema=schema.model_dump(mode="json"), prompts={},
            embedding={}, language="english",
        ))  # fmt: skip
        connection.execute(insert(contents).values(
            content_id="c", blob="0" * 64, created_at=0.0, page_count=1, notes=[]
        ))  # fmt: skip
    for start in range(0, count, _BATCH):
        rows = []
        for i in range(start, min(count, start + _BATCH)):
            entity = {
                "parcel_id": f"P-{i}", "weight_kg": round(dice.uniform(0.1, 60), 2),
                "declared_value_eur": round(dice.uniform(1, 900), 2),
                "sent_on": f"20{dice.randrange(18, 26)}-{dice.randrange(1, 13):02d}-15",
                "fragile": dice.random() < 0.3, "city": dice.choice(places),
                "region": dice.choice(_WORDS).title(), "status": dice.choice(_WORDS[:5]).title(),
                "carrier": dice.choice(_WORDS[5:15]).title(), "grade": dice.choice("ABCD"),
                **{n: f"{_WORDS[(i % each + k) % 26]} {k * each + (i % each)}"
                   for k, n in enumerate(names)},
            }  # fmt: skip
            rows.append({
                "doc_id": f"wb:f-{i}", "docset_id": docset_id, "account_id": ACCOUNT,
                "content_id": "c", "blob": "0" * 64, "created_at": 0.0, "name": f"{i}.txt",
                "size": 1, "content_type": "text/plain", "number": i + 1,
                "properties": {"entity": entity, "path": f"{i}.txt"}, "evidence": {},
            })  # fmt: skip
        with database.writing() as connection:
            connection.execute(insert(documents), rows)
    return docset_id


def _change_one(database: Database, docset_id: str, turn: int) -> None:
    """One document gets a city that no other has."""
    with database.writing() as connection:
        chosen = documents.c.doc_id == f"wb:f-{7 + turn}"
        properties = connection.execute(select(documents.c.properties).where(chosen)).scalar_one()
        properties["entity"]["city"] = f"Newtown {turn}"
        connection.execute(update(documents).where(chosen).values(properties=properties))
        log_properties(connection, docset_id, [f"wb:f-{7 + turn}"])


def _add_one(database: Database, docset_id: str, turn: int) -> None:
    """A document like the first, under a number of its own."""
    with database.writing() as connection:
        row = connection.execute(select(documents).where(documents.c.doc_id == "wb:f-0")).one()
        body = row._asdict() | {"doc_id": f"wb:f-more-{turn}", "task_id": None}
        del body["sequence"], body["number"]
        connection.execute(insert(documents), [body])
        log_change(connection, "add", f"wb:f-more-{turn}")


def _tried(call: Callable[..., Any], *arguments: Any) -> None:
    try:
        call(*arguments)
    except Exception as refusal:
        if not hasattr(refusal, "faults"):
            raise


def _cpu(call: Callable[[], Any]) -> float:
    """Seconds of CPU time of this process."""
    begun = time.process_time()
    call()
    return time.process_time() - begun


def _at(times: list[float], part: float) -> float:
    """A percentile in milliseconds."""
    return sorted(times)[min(len(times) - 1, int(len(times) * part))] * 1000


if __name__ == "__main__":
    sys.exit(main())
