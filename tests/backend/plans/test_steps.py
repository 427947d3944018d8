"""What each exact step does with documents, groups, tables and numbers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.backend.plans.answers import average
from tests.backend.plans.desk import Desk, make_desk
from tests.contract.plans import plan, source, step
from workbench.contract.query import QueryResult

Desks = Callable[[str], Desk]


@pytest.fixture
def desk(desks: Desks) -> Desk:
    return desks("satellites")


def answer(desk: Desk, *steps: dict[str, Any]) -> QueryResult:
    return desk.run(plan(source(), *steps))


def matches(desk: Desk, *steps: dict[str, Any]) -> set[Any]:
    return set(desk.keys(plan(source(), *steps)))


def trace_of(desk: Desk, result: QueryResult, node_id: int) -> Any:
    from tests.backend.plans.desk import ACCOUNT

    nodes = desk.service.trace(result.query_id, ACCOUNT).nodes
    return next(node for node in nodes if node.node_id == node_id)


def test_a_string_filter_without_a_match_finds_parts_of_values(desk: Desk) -> None:
    keep = step("BasicFilter", 1, 0, field="purpose", query="nav")
    assert matches(desk, keep) == desk.expected(lambda r: r["purpose"] == "Navigation")


def test_an_exact_match_finds_whole_values_in_any_case(desk: Desk) -> None:
    keep = step("BasicFilter", 1, 0, field="orbit", query="leo", match="exact")
    assert matches(desk, keep) == desk.expected(lambda r: r["orbit"] == "LEO")
    assert not matches(desk, step("BasicFilter", 1, 0, field="orbit", query="LE", match="exact"))


def test_a_range_includes_its_ends_and_drops_unknown_values(desk: Desk) -> None:
    keep = step("BasicFilter", 1, 0, field="cost_musd", range_filter=True, start=0)
    assert matches(desk, keep) == desk.expected(lambda r: r["cost_musd"] is not None)
    highest = max(r["failures"] for r in desk.records)
    top = step("BasicFilter", 1, 0, field="failures", range_filter=True, start=highest, end=highest)
    assert matches(desk, top) == desk.expected(lambda r: r["failures"] == highest)


def test_a_range_may_leave_out_its_ends(desk: Desk) -> None:
    fields = {"start": 1, "start_exclusive": True, "end": 4, "end_exclusive": True}
    keep = step("BasicFilter", 1, 0, field="failures", range_filter=True, **fields)
    assert matches(desk, keep) == desk.expected(lambda r: 1 < r["failures"] < 4)


def test_a_negated_filter_keeps_unknown_values(desk: Desk) -> None:
    cost = next(r["cost_musd"] for r in desk.records if r["cost_musd"])
    keep = step("BasicFilter", 1, 0, field="cost_musd", query=cost, negate=True)
    assert matches(desk, keep) == desk.expected(lambda r: r["cost_musd"] != cost)


def test_a_year_or_month_as_a_date_means_all_of_its_days(desk: Desk) -> None:
    fields = {"field": "launch_date", "is_date": True, "range_filter": True}
    keep = step("BasicFilter", 1, 0, start="2015", end="2016-03", **fields)
    assert matches(desk, keep) == desk.expected(lambda r: "2015" <= r["launch_date"] < "2016-04")


def test_one_of_several_tests_is_enough(desk: Desk) -> None:
    others = [{"field": "orbit", "query": "GEO"}, {"field": "failures", "query": 4}]
    keep = step("BasicFilter", 1, 0, field="orbit", any_of=others)
    assert matches(desk, keep) == desk.expected(lambda r: r["orbit"] == "GEO" or r["failures"] == 4)


def test_a_filter_reports_how_many_it_dropped_and_why(desk: Desk) -> None:
    keep = step("BasicFilter", 1, 0, field="cost_musd", range_filter=True, start=1000)
    trace = trace_of(desk, answer(desk, keep), 1)
    unknown = len(desk.expected(lambda r: r["cost_musd"] is None))
    fit = len(desk.expected(lambda r: r["cost_musd"] >= 1000))
    assert (trace.rows_in, trace.rows_out) == (len(desk.records), fit)
    assert trace.dropped == {
        "cost_musd is unknown": unknown,
        "cost_musd does not match": len(desk.records) - fit - unknown,
    }


def test_documents_without_a_key_are_left_out_and_reported(desk: Desk) -> None:
    result = answer(desk, step("GroupBy", 1, 0, field="cost_musd"), step("AggregateCount", 2, 1))
    missing = len(desk.expected(lambda r: r["cost_musd"] is None))
    assert sum(row["properties"]["count"] for row in result.result) == len(desk.records) - missing
    assert trace_of(desk, result, 1).dropped == {"no cost_musd": missing}


@pytest.mark.parametrize(
    ("bucket", "of"),
    [
        ("year", lambda day: int(day[:4])),
        ("quarter", lambda day: f"{day[:4]}-Q{(int(day[5:7]) + 2) // 3}"),
        ("month", lambda day: day[:7]),
    ],
)
def test_dates_are_grouped_by_period(desk: Desk, bucket: str, of: Callable[[str], Any]) -> None:
    rows = desk.rows(
        plan(
            source(),
            step("GroupBy", 1, 0, field="launch_date", bucket=bucket),
            step("AggregateCount", 2, 1),
        )
    )
    assert rows.keys() == {of(r["launch_date"]) for r in desk.records}
    assert sum(rows.values()) == len(desk.records)


def test_numbers_skip_unknown_values_with_a_warning(desk: Desk) -> None:
    result = answer(
        desk, step("Aggregate", 1, 0, aggregations=[{"func": "avg", "field": "cost_musd"}])
    )
    assert result.result == pytest.approx(average(r["cost_musd"] for r in desk.records))
    missing = sum(r["cost_musd"] is None for r in desk.records)
    [item] = result.coverage
    assert (item.field, item.missing) == ("cost_musd", missing) and missing
    assert not any("cost_musd" in warning for warning in result.warnings), "once is enough"


def test_several_numbers_come_as_one_row(desk: Desk) -> None:
    wanted = [{"func": f, "field": "mass_kg", "name": f} for f in ("min", "max")]
    [row] = answer(desk, step("Aggregate", 1, 0, aggregations=wanted)).result
    masses = [r["mass_kg"] for r in desk.records]
    assert row["properties"] == {"min": min(masses), "max": max(masses)}


def test_the_earliest_date_of_a_group_is_written_as_a_date(desk: Desk) -> None:
    wanted = [{"func": "min", "field": "launch_date", "name": "first"}]
    rows = answer(
        desk,
        step("GroupBy", 1, 0, field="orbit"),
        step("Aggregate", 2, 1, aggregations=wanted),
    ).result
    for row in rows:
        orbit = row["properties"]["key"]
        days = [r["launch_date"] for r in desk.records if r["orbit"] == orbit]
        assert row["properties"]["first"] == min(days)


def test_the_sum_of_nothing_is_unknown_and_not_zero(desk: Desk) -> None:
    none = step("BasicFilter", 1, 0, field="cost_musd", exists=False)
    total = step("Aggregate", 2, 1, aggregations=[{"func": "sum", "field": "cost_musd"}])
    assert answer(desk, none, total).result is None


def test_topk_sorts_groups_by_their_size_and_ties_by_their_key(desk: Desk) -> None:
    rows = answer(desk, step("TopK", 1, 0, field="operator", K=2, descending=True)).result
    counts: dict[str, int] = {}
    for record in desk.records:
        counts[record["operator"]] = counts.get(record["operator"], 0) + 1
    best = sorted(counts, key=lambda key: (-counts[key], key))[:2]
    assert [row["properties"] for row in rows] == [{"key": k, "count": counts[k]} for k in best]


def test_unknown_values_come_last_in_either_direction(desk: Desk) -> None:
    for descending in (False, True):
        order = step("Sort", 1, 0, field="cost_musd", descending=descending)
        costs = [d["properties"]["entity"]["cost_musd"] for d in answer(desk, order).result]
        known = [cost for cost in costs if cost is not None]
        assert costs == [*sorted(known, reverse=descending), *[None] * (len(costs) - len(known))]


def test_a_limit_does_not_change_the_full_order(desk: Desk) -> None:
    from tests.backend.plans.desk import ACCOUNT

    order = step("Sort", 1, 0, field="cost_musd", descending=True)
    every = [d["doc_id"] for d in answer(desk, order).result]
    result = answer(desk, order, step("Limit", 2, 1, num_records=3))
    assert [d["doc_id"] for d in result.result] == every[:3]
    kept = desk.service.node_output(result.query_id, 1, ACCOUNT, 0, 1000).rows
    assert [row["doc_id"] for row in kept] == every
    trace = trace_of(desk, result, 1)
    assert (trace.flow, trace.rows_out) == ("docs", len(every))
    assert [sample["doc_id"] for sample in trace.samples] == every[:20]


def test_a_default_takes_the_place_of_unknown_values_in_an_order(desk: Desk) -> None:
    order = step("Sort", 1, 0, field="cost_musd", default_value=0)
    first = answer(desk, order).result[0]
    assert first["properties"]["entity"]["cost_musd"] is None


def test_a_join_keeps_rows_of_the_first_input(desk: Desk) -> None:
    joined = plan(
        source(),
        step("BasicFilter", 1, 0, field="failures", query=4),
        step("FieldIn", 2, 0, 1, field_one="operator", field_two="operator"),
    )
    operators = {r["operator"] for r in desk.records if r["failures"] == 4}
    assert set(desk.keys(joined)) == desk.expected(lambda r: r["operator"] in operators)


def test_numbers_of_two_branches_are_calculated_in_the_order_of_inputs(desk: Desk) -> None:
    lost = step("BasicFilter", 1, 0, field="status", query="Lost")
    counts = (lost, step("Count", 2, 1), step("Count", 3, 0))
    part, whole = len(desk.expected(lambda r: r["status"] == "Lost")), len(desk.records)
    for operation, wanted in (
        ("add", part + whole),
        ("subtract", part - whole),
        ("multiply", part * whole),
        ("divide", part / whole),
    ):
        assert answer(desk, *counts, step("Math", 4, 2, 3, operation=operation)).result == wanted


def test_division_by_zero_is_unknown_with_a_warning(desk: Desk) -> None:
    none = step("BasicFilter", 1, 0, field="failures", query=999)
    result = answer(
        desk,
        none,
        step("Count", 2, 1),
        step("Count", 3, 0),
        step("Math", 4, 3, 2, operation="divide"),
    )
    assert result.result is None
    assert any("zero" in warning for warning in result.warnings)


def test_distinct_values_are_counted_without_the_unknown_ones(desk: Desk) -> None:
    count = answer(desk, step("Count", 1, 0, distinct_field="cost_musd")).result
    assert count == len({r["cost_musd"] for r in desk.records if r["cost_musd"] is not None})


def test_documents_may_be_chosen_left_out_and_sampled(desk: Desk) -> None:
    every = desk.result(plan(source()))
    first = every[0]["doc_id"]
    only = source() | {"doc_filter": {"doc_ids": [first]}}
    others = source() | {"doc_filter": {"doc_ids": [first], "exclude": True}}
    some = source() | {"doc_filter": {"sample_ratio": 0.25, "seed": 5}}
    assert [d["doc_id"] for d in desk.result(plan(only))] == [first]
    assert len(desk.result(plan(others))) == len(every) - 1
    assert len(desk.result(plan(some))) == len(every) // 4
    assert desk.result(plan(some)) == desk.result(plan(some))
    assert len(desk.run(plan(source()), doc_exclusion_list=[first]).result) == len(every) - 1
    assert len(desk.run(plan(source()), doc_inclusion_list=[first]).result) == 1


def test_the_text_of_documents_can_be_filtered_exactly(desk: Desk) -> None:
    keep = step("BasicFilter", 1, 0, field="text_representation", query="DEBRIS STRUCK")
    assert len(matches(desk, keep)) == sum(i % 3 == 1 for i in range(len(desk.records)))


def test_a_plan_may_not_read_files(desk: Desk) -> None:
    from workbench.contract.errors import Invalid

    with pytest.raises(Invalid, match="no access to files"):
        desk.run(plan(step("DataLoader", 0, path="/etc/passwd")))


@pytest.mark.parametrize("match", [None, "exact", "prefix"])
def test_thousands_of_values_are_looked_up_in_moments(desk: Desk, match: str | None) -> None:
    values = [f"no such {i}" for i in range(3000)] + ["leo"]
    keep = step("BasicFilter", 1, 0, field="orbit", values=values, match=match)
    assert matches(desk, keep) == desk.expected(lambda r: r["orbit"] == "LEO")
    masses = [*range(1, 9000), next(r["mass_kg"] for r in desk.records)]
    keep = step("BasicFilter", 1, 0, field="mass_kg", values=masses)
    assert matches(desk, keep) == desk.expected(lambda r: r["mass_kg"] in masses)
    days = [f"{year}-{month:02d}" for year in range(1000, 1040) for month in range(1, 13)]
    keep = step("BasicFilter", 1, 0, field="launch_date", values=days)
    assert not matches(desk, keep)


def test_very_large_numbers_are_exact_or_unknown(tmp_path: Path) -> None:
    schema = [{"name": "id", "field_type": "string"}, {"name": "n", "field_type": "int"}]
    records = [{"id": f"r{i}", "n": 2**62 + i} for i in range(4)] + [{"id": "x", "n": 10**400}]
    large = make_desk(tmp_path, "large", schema, records, [["text"]] * 5)
    total = step("Aggregate", 1, 0, aggregations=[{"func": "sum", "field": "n"}])
    result = answer(large, total)
    assert result.result == pytest.approx(sum(r["n"] for r in records[:4]))
    assert any("too large to be exact" in warning for warning in result.warnings)
    exact = step("BasicFilter", 1, 0, field="n", query=2**62 + 1)
    assert matches(large, exact) == {"r1"}


def test_a_sum_beyond_all_numbers_says_so_and_the_mean_is_still_known(tmp_path: Path) -> None:
    schema = [{"name": "id", "field_type": "string"}, {"name": "n", "field_type": "float"}]
    records = [{"id": f"r{i}", "n": 1.7e308} for i in range(2)]
    large = make_desk(tmp_path, "large", schema, records, [["text"]] * 2)
    total = answer(large, step("Aggregate", 1, 0, aggregations=[{"func": "sum", "field": "n"}]))
    assert total.result is None
    assert any("larger than any number" in warning for warning in total.warnings)
    mean = answer(large, step("Aggregate", 1, 0, aggregations=[{"func": "avg", "field": "n"}]))
    assert mean.result == pytest.approx(1.7e308)


def test_an_infinite_number_is_unknown_with_a_warning(desk: Desk) -> None:
    squares = [step("Math", i, i - 1, i - 1, operation="multiply") for i in range(2, 31)]
    result = answer(desk, step("Count", 1, 0), *squares)
    assert result.result is None
    assert any("too large" in warning for warning in result.warnings)


def test_a_moment_is_compared_with_its_time_and_a_day_with_all_of_its_hours(
    tmp_path: Path,
) -> None:
    schema = [{"name": "id", "field_type": "string"}, {"name": "at", "field_type": "datetime"}]
    moments = ["2024-05-01T09:00:00", "2024-05-01T10:30:00+02:00", "2024-05-02T00:00:00Z"]
    records = [{"id": str(i), "at": at} for i, at in enumerate(moments)]
    clock = make_desk(tmp_path, "clock", schema, records, [["text"]] * 3)
    for fields, wanted in [
        ({"start": "2024-05-01T08:45:00"}, {"0", "2"}),
        ({"end": "2024-05-01T10:45:00+02:00"}, {"1"}),
        ({"query": "2024-05-01"}, {"0", "1"}),
        ({"start": "2024-05-01", "start_exclusive": True}, {"2"}),
        ({"end": "2024-05-02", "end_exclusive": True}, {"0", "1"}),
        ({"end": "2024-05"}, {"0", "1", "2"}),
        ({"end": "2024", "end_exclusive": True}, set()),
    ]:
        assert matches(clock, step("BasicFilter", 1, 0, field="at", **fields)) == wanted, fields


def test_unrolled_documents_show_the_item_of_their_line(tmp_path: Path) -> None:
    tags = {"name": "tags", "type": {"type": "array", "item_type": {"type": "string"}}}
    schema = [{"name": "id", "field_type": "string"}, tags]
    records = [{"id": "a", "tags": ["x", "y", "x"]}, {"id": "b", "tags": []}, {"id": "c"}]
    tagged = make_desk(tmp_path, "tagged", schema, records, [["text"]] * 3)
    result = answer(tagged, step("Unroll", 1, 0, field="tags"))
    assert [d["properties"]["entity"]["tags"] for d in result.result] == ["x", "y", "x"]
    assert trace_of(tagged, result, 1).dropped == {"no tags": 2}
    by_tag = answer(tagged, step("GroupBy", 1, 0, field="tags"), step("AggregateCount", 2, 1))
    assert [r["properties"] for r in by_tag.result] == [
        {"key": "x", "count": 1}, {"key": "y", "count": 1},
    ]  # fmt: skip


def test_numbers_and_dates_are_joined_by_value(tmp_path: Path) -> None:
    schema = [
        {"name": "id", "field_type": "string"},
        {"name": "whole", "field_type": "int"},
        {"name": "part", "field_type": "float"},
        {"name": "day", "field_type": "date"},
        {"name": "at", "field_type": "datetime"},
    ]
    records = [
        {"id": "a", "whole": 1, "part": 2.0, "day": "2024-01-01", "at": "2024-01-02T10:00:00"},
        {"id": "b", "whole": 2, "part": 2.5, "day": "2024-01-02", "at": "2024-01-05T10:00:00"},
    ]
    pairs = make_desk(tmp_path, "pairs", schema, records, [["text"]] * 2)
    for one, two in (("whole", "part"), ("day", "at")):
        join = step("FieldIn", 2, 0, 1, field_one=one, field_two=two)
        assert pairs.keys(plan(source(), source(1), join)) == ["b"]


@pytest.mark.parametrize(
    "steps",
    [
        [step("GroupBy", 1, 0, field="text_representation"), step("AggregateCount", 2, 1)],
        [step("TopK", 1, 0, field="text_representation", K=1)],
        [step("Unroll", 1, 0, field="text_representation")],
        [step("Limit", 1, 0, num_records=1, per=["text_representation"])],
        [step("FieldIn", 1, 0, 0, field_one="text_representation",
              field_two="text_representation")],
        [step("Aggregate", 1, 0, aggregations=[{"func": "distinct",
                                                "field": "text_representation"}])],
        [step("Project", 1, 0, fields=["text_representation"])],
    ],
)  # fmt: skip
def test_every_step_can_read_the_full_text(desk: Desk, steps: list[dict[str, Any]]) -> None:
    assert answer(desk, *steps).result
