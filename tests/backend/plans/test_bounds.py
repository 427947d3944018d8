"""Whatever the unknown values turn out to be, the answer is within the range that was promised.

Random plans run over small tables with gaps. Each gap is then filled with every value that the
plan could tell apart, and with none; a second implementation answers for each of these tables.
"""

import random
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.backend.plans import naive
from tests.backend.plans.desk import ACCOUNT, Desk, make_desk
from tests.backend.plans.random_plans import Growing
from tests.long_fuzz import fuzz
from workbench.contract.plan import Plan, Query
from workbench.contract.query import QueryResult

Draw = Any
Record = dict[str, Any]
KINDS = {"name": "string", "level": "int", "site": "string", "paid": "bool", "tags": "array"}
SCHEMA: list[Record] = [
    {"name": name, "type": {"type": "array", "item_type": {"type": "string"}}}
    if kind == "array"
    else {"name": name, "type": {"type": kind}}
    for name, kind in KINDS.items()
]
FILLINGS: dict[str, list[Any]] = {
    "level": [None, 0, 1, 2, 3, 4],
    "site": [None, "Nice", "Oslo", "Rome", "Turin"],
    "paid": [None, True, False],
    "tags": [None, ["x"], ["y", "z"]],
}
MOST_FILLINGS = 300


def _records() -> list[Record]:
    """Forty documents; a third of the values are unknown."""
    dice = random.Random(5)

    def perhaps(value: Any) -> Any:
        return None if dice.random() < 0.33 else value

    return [
        {
            "name": f"d{number}",
            "level": perhaps(dice.randint(1, 3)),
            "site": perhaps(dice.choice(["Oslo", "Rome", "Nice"])),
            "paid": perhaps(dice.random() < 0.5),
            "tags": perhaps(dice.choice([["x"], ["y"], ["x", "y"], []])),
        }
        for number in range(40)
    ]


class _Growing(Growing):
    """The steps of a plan by id."""

    def pick(self, *options: Any) -> Any:
        return self.one_of(list(options))

    def test(self, *, alone: bool = True) -> Record:
        """A condition on one field."""
        name = self.pick("level", "level", "site", "paid", "tags")
        negate = {"negate": True} if self.pick(False, False, True) else {}
        if name == "level" and self.pick(True, True, False):
            ends = self.pick({"start": 1}, {"start": 2}, {"end": 2}, {"start": 2, "end": 3})
            open_end = {"start_exclusive": True} if self.pick(True, False) else {}
            return {"field": name, "range_filter": True, **ends, **open_end, **negate}
        values = {"level": (1, 2), "site": ("Oslo", "Rome"), "paid": (True,), "tags": ("x", "y")}
        asked = {"values": list(values[name])[: self.pick(1, 2)]}
        exact = {"match": "exact"} if name in ("site", "tags") else {}
        test: Record = {"field": name, **asked, **exact, **negate}
        if alone and self.pick(False, False, True):
            test["any_of"] = [self.test(alone=False)]
            test |= {} if self.pick(True, False) else {"values": None}
        return {key: value for key, value in test.items() if value is not None}


@st.composite
def plans(draw: Draw) -> tuple[dict[str, Record], int]:
    """The steps of a plan and the id of the last."""
    growing = _Growing(draw)
    source = growing.add("QueryDatabase")
    at = source
    for _ in range(draw(st.integers(0, 4))):
        at = growing.pick(*[_filter] * 4, _known_first, _sort, _limit, _join, _unroll)(growing, at)
    ends = [_count, _count, _distinct, _number, _share, _rows, _rows, _documents, _calculated]
    return growing.nodes, growing.pick(*ends)(growing, at)


def _filter(growing: _Growing, at: int) -> int:
    if growing.pick(*[False] * 7, True):
        return growing.add("BasicFilter", at, field="level", start_at=growing.pick("avg", "median"))
    return growing.add("BasicFilter", at, **growing.test())


def _known_first(growing: _Growing, at: int) -> int:
    """As SQL is read: what is not a value is known."""
    name, value = growing.pick(("level", 2), ("site", "Oslo"))
    known = growing.add("BasicFilter", at, field=name, exists=True)
    return growing.add("BasicFilter", known, field=name, values=[value], match="exact", negate=True)


def _sort(growing: _Growing, at: int) -> int:
    then = growing.pick(None, [{"field": "site", "descending": True}])
    down = growing.pick(True, False)
    return growing.add("Sort", at, field=growing.pick("level", "site"), descending=down, then=then)


def _limit(growing: _Growing, at: int) -> int:
    sorted_before = growing.nodes[str(at)]["node_type"] == "Sort"
    per = growing.pick(None, None, ["site"])
    ties = True if sorted_before and per is None and growing.pick(True, False) else None
    skip = growing.pick(None, None, 1)
    count = growing.pick(1, 2, 3)
    return growing.add("Limit", at, num_records=count, per=per, with_ties=ties, skip=skip)


def _join(growing: _Growing, at: int) -> int:
    other = growing.add("BasicFilter", 0, **growing.test())
    name = growing.pick("site", "level", "tags")
    return growing.add("FieldIn", at, other, field_one=name, field_two=name)


def _unroll(growing: _Growing, at: int) -> int:
    if any(node["node_type"] == "Unroll" for node in growing.nodes.values()):
        return at
    return growing.add("Unroll", at, field="tags")


def _documents(growing: _Growing, at: int) -> int:
    return at


def _count(growing: _Growing, at: int) -> int:
    return growing.add("Count", at)


def _distinct(growing: _Growing, at: int) -> int:
    return growing.add("Count", at, distinct_field=growing.pick("site", "level", "tags"))


def _number(growing: _Growing, at: int) -> int:
    func, name = growing.pick(
        ("count", None), ("count", "level"), ("distinct", "site"), ("distinct", "tags"),
        ("max", "level"), ("sum", "level"),
    )  # fmt: skip
    where = [growing.test(alone=False) for _ in range(growing.pick(0, 1, 2))]
    item = {"func": func, "field": name, "name": "made", "where": where}
    given = {key: value for key, value in item.items() if value not in (None, [])}
    return growing.add("Aggregate", at, aggregations=[given])


def _share(growing: _Growing, at: int) -> int:
    item = {"func": "share", "name": "made", "where": [growing.test(alone=False)]}
    return growing.add("Aggregate", at, aggregations=[item])


def _calculated(growing: _Growing, at: int) -> int:
    """A share as questions are read, or another calculation with two counts."""
    part = _filter(growing, at)
    if growing.pick(True, False):
        part = _filter(growing, part)
    whole = at if growing.pick(True, True, False) else _filter(growing, 0)
    inputs = growing.add("Count", part), growing.add("Count", whole)
    operation = growing.pick("divide", "divide", "subtract", "multiply")
    return growing.add("Math", *inputs, operation=operation)


def _rows(growing: _Growing, at: int) -> int:
    way = growing.pick("groups", "groups", "top", "distinct")
    name = growing.pick("site", "level", "paid", "tags")
    if way == "distinct":
        at = growing.add("Distinct", at, field=name)
    elif way == "top":
        at = growing.add("TopK", at, field=name, K=growing.pick(1, 2, 9), descending=True)
    else:
        at = growing.add("AggregateCount", growing.add("GroupBy", at, field=name))
        if growing.pick(True, False):
            at = growing.add("BasicFilter", at, field="count", start=growing.pick(1, 2))
    if growing.pick(False, False, True):
        at = growing.add("Limit", at, num_records=growing.pick(1, 2))
    return growing.add("Count", at) if growing.pick(True, True, False) else at


CASES = st.tuples(plans(), st.integers(0, 10_000), st.integers(2, 6))


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    records = _records()
    texts = [[record["name"]] for record in records]
    return make_desk(tmp_path_factory.mktemp("gaps"), "things", SCHEMA, records, texts)


@settings(
    max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(case=CASES)
def test_no_possible_answer_is_outside_the_bounds(desk: Desk, case: Any) -> None:
    _contains(desk, case)


@pytest.mark.soak
def test_no_possible_answer_of_very_many_plans_is_outside_the_bounds(desk: Desk) -> None:
    fuzz("bounds", CASES, partial(_contains, desk))


def _contains(desk: Desk, case: Any) -> None:
    (nodes, last), seed, size = case
    chosen = sorted(random.Random(seed).sample(range(len(desk.records)), size))
    records = [desk.records[place] for place in chosen]
    answer = _answered(desk, nodes, last, [record["name"] for record in records])
    possible = [_plain(naive.run(nodes, last, filled, KINDS)[0][last])
                for filled in _filled(records, _asked(nodes))]  # fmt: skip
    bounds, shown = answer.bounds, (nodes, last, records, answer.bounds, answer.result)
    if bounds is None:
        assert all(_same(one, possible[0]) for one in possible), (shown, possible)
    elif bounds.low is not None and bounds.high is not None:
        assert isinstance(answer.result, int | float | None), shown
        numbers = [one for one in possible if one is not None]
        low, high = bounds.low - 1e-9, bounds.high + 1e-9
        assert all(low <= one <= high for one in numbers), (shown, min(numbers), max(numbers))


def _answered(desk: Desk, nodes: dict[str, Record], last: int, names: list[str]) -> QueryResult:
    ids = {d["properties"]["entity"]["name"]: d["doc_id"] for d in desk.result(desk.everything())}
    plan = Plan.model_validate({"query": "", "nodes": nodes, "result_node": last})
    query = Query(
        docset_id=desk.docset_id, plan=plan, doc_inclusion_list=[ids[name] for name in names]
    )
    return desk.service.run(query, ACCOUNT, lambda event: None, lambda: False)


def _asked(nodes: dict[str, Record]) -> list[str]:
    """The fields that a plan names."""
    return [name for name in FILLINGS if f"'{name}'" in str(nodes)]


def _filled(records: list[Record], names: list[str]) -> Iterator[list[Record]]:
    """The records with their gaps filled in every way, or in very many."""
    gaps = [
        (place, name)
        for place, record in enumerate(records)
        for name in names
        if not naive.known(record[name])
    ]
    dice = random.Random(1)
    ways: Any = product(*(FILLINGS[name] for _, name in gaps))
    count = 1
    for _, name in gaps:
        count *= len(FILLINGS[name])
    if count > MOST_FILLINGS:
        ways = (tuple(dice.choice(FILLINGS[name]) for _, name in gaps)
                for _ in range(MOST_FILLINGS))  # fmt: skip
    yield records
    for values in ways:
        filled = [dict(record) for record in records]
        for (place, name), value in zip(gaps, values, strict=True):
            filled[place][name] = value
        yield filled


def _plain(answer: Any) -> Any:
    if isinstance(answer, naive.Figure):
        return answer.value
    if isinstance(answer, naive.Table):
        if answer.docs:
            return [line.values["name"] for line in answer.lines]
        return [line.values for line in answer.lines]
    return sorted((key, [line.values["name"] for line in lines])
                  for key, lines in answer.groups.items())  # fmt: skip


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) < 1e-9
    return bool(one == other)


@pytest.fixture(scope="module")
def eight(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Eight documents: of three the level is unknown, of two whether they are paid."""
    lines = [
        (1, True, "Oslo"), (2, False, "Rome"), (None, True, "Oslo"), (3, None, "Rome"),
        (None, None, None), (2, True, "Nice"), (1, False, "Oslo"), (None, False, "Rome"),
    ]  # fmt: skip
    records = [
        {"name": f"d{at}", "level": level, "paid": paid, "site": site}
        for at, (level, paid, site) in enumerate(lines)
    ]
    return make_desk(tmp_path_factory.mktemp("eight"), "things", SCHEMA, records, [["x"]] * 8)


@pytest.mark.parametrize(
    ("question", "low", "high"),
    [
        ("what share of the paid documents has a level over 1", 0.2, 0.8),
        ("what share of documents in Oslo is paid", 0.5, 0.75),
        ("share of documents in Oslo that are not paid", 0.25, 0.5),
        ("percentage of documents in Rome with level over 1", 50, 100),
        ("how many documents with level over 1 and under 3", 2, 5),
        ("select count(*) from x where level > 1", 3, 6),
        ("select count(*) from x where level > 1 and level < 3", 2, 5),
        ("select count(*) from x where level between 1 and 2", 4, 7),
        ("select count(*) from x where level <> 2", 3, 6),
        ("select count(*) from x where not (level = 1 or level = 2)", 1, 4),
        ("select count(*) from x where site like 'O%' and site <> 'Nice'", 3, 4),
        ("select count(*) from x where paid and level > 1 and level < 3", 1, 3),
        ("select count(distinct level) filter (where paid) from x", 2, 5),
        ("select count(*) filter (where paid) from x", 3, 5),
        ("select count(distinct site) from x where level > 1", 2, 4),
    ],
)
def test_a_question_promises_the_range_that_is_possible(
    eight: Desk, question: str, low: float, high: float
) -> None:
    bounds = eight.run(eight.ask(question)).bounds
    assert bounds is not None
    assert (bounds.low, bounds.high) == pytest.approx((low, high))


@pytest.mark.parametrize(
    ("steps", "ends"),
    [
        ([{"node_type": "BasicFilter", "field": "level", "start": 1},
          {"node_type": "Limit", "num_records": 2}, {"node_type": "Count"}], None),
        ([{"node_type": "TopK", "field": "site", "K": 2}, {"node_type": "Count"}], None),
        ([{"node_type": "Sort", "field": "level"}, {"node_type": "Limit", "num_records": 3},
          {"node_type": "BasicFilter", "field": "paid", "query": True}, {"node_type": "Count"}],
         (0, 3)),
        ([{"node_type": "BasicFilter", "field": "level", "exists": True}, {"node_type": "Count"}],
         None),
    ],
)  # fmt: skip
def test_a_limit_lets_no_more_through_and_what_is_certain_has_no_range(
    eight: Desk, steps: list[Record], ends: tuple[int, int] | None
) -> None:
    nodes = dict(eight.everything().model_dump(mode="json")["nodes"])
    for at, step in enumerate(steps, 1):
        nodes[str(at)] = {"node_id": at, "inputs": [at - 1], **step}
    plan = Plan.model_validate({"query": "", "nodes": nodes, "result_node": len(steps)})
    bounds = eight.run(plan).bounds
    assert (bounds and (bounds.low, bounds.high)) == ends
