"""What plans use each property for."""

from typing import Any

import pytest

from backend.plans.requests.roles import ROLES, TRAITS, roles_of
from tests.contract.plans import plan, source, step

COUNTED = {"aggregations": [{"func": "count"}]}


def filtered(**condition: Any) -> dict[str, Any]:
    return step("BasicFilter", 1, 0, **condition)


def roles(*steps: dict[str, Any]) -> dict[str, set[str]]:
    found = roles_of(plan(source(), *steps)).of
    return {field.removeprefix("properties.entity."): set(has) for field, has in found.items()}


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({"query": "open"}, {"is"}),
        ({"query": "open", "negate": True}, {"is not"}),
        ({"query": False}, {"is not"}),
        ({"range_filter": True, "start": 5}, {"from"}),
        ({"range_filter": True, "start": 5, "negate": True}, {"to"}),
        ({"range_filter": True, "start": "2024-01-01", "end": "2024-12-31"}, {"from", "to"}),
        ({"exists": True}, {"known"}),
        ({"exists": False}, {"unknown"}),
    ],
)
def test_a_filter_says_how_it_tests_a_property(
    condition: dict[str, Any], expected: set[str]
) -> None:
    assert roles(filtered(field="status", **condition)) == {"status": expected | {"used"}}


def test_of_two_dates_one_begins_and_one_ends() -> None:
    later = roles(filtered(field="closed_on", start_field="opened_on", range_filter=True))
    assert later == {"closed_on": {"ends", "used"}, "opened_on": {"begins", "used"}}
    lasting = roles(step("Sort", 1, 0, field="closed_on.days_since.opened_on", descending=True))
    assert lasting == {"closed_on": {"ends", "down", "used"},
                       "opened_on": {"begins", "down", "used"}}  # fmt: skip


def test_sorting_by_a_figure_sorts_by_its_source() -> None:
    plan = [
        step("GroupBy", 1, 0, field="city"),
        step("Aggregate", 2, 1, aggregations=[{"func": "avg", "field": "rent"}]),
        step("Sort", 3, 2, field="avg_rent", descending=True),
    ]
    assert roles(*plan)["rent"] == {"avg", "down", "used"}


def test_sorting_by_the_number_of_documents_sorts_by_no_property() -> None:
    plan = [
        step("GroupBy", 1, 0, field="city"),
        step("Aggregate", 2, 1, aggregations=[{"func": "count"}]),
        step("Sort", 3, 2, field="count", descending=True),
    ]
    assert roles(*plan) == {"city": {"group", "used"}}


def test_either_of_two_properties_may_be_tested() -> None:
    either = filtered(
        field="city", any_of=[{"query": "Leeds"}, {"field": "county", "query": "Kent"}]
    )
    assert roles(either) == {"city": {"is", "used"}, "county": {"is", "used"}}


def test_a_part_of_a_date_belongs_to_the_date() -> None:
    grouped = step("GroupBy", 1, 0, field="opened_on.weekday")
    assert roles(grouped) == {"opened_on": {"group", "part", "used"}}
    by_month = step("GroupBy", 1, 0, field="opened_on", bucket="month")
    assert roles(by_month) == {"opened_on": {"group", "part", "used"}}


def test_columns_that_are_only_shown_are_not_used() -> None:
    assert roles(step("Project", 1, 0, fields=["city"])) == {"city": {"shown"}}


@pytest.mark.parametrize(
    ("steps", "traits"),
    [
        ([], {"list"}),
        ([step("Count", 1, 0)], {"count"}),
        ([step("Sort", 1, 0, field="bill"), step("Limit", 2, 1, num_records=1)],
         {"list", "first", "one"}),
        ([step("GroupBy", 1, 0, field="city"), step("Aggregate", 2, 1, **COUNTED)], {"groups"}),
        ([step("Aggregate", 1, 0, aggregations=[{"func": "avg", "field": "bill"}])], {"figure"}),
        ([step("LlmFilter", 1, 0, question="Is it safe?")], {"list", "texts"}),
    ],
)  # fmt: skip
def test_a_plan_as_a_whole_has_traits(steps: list[dict[str, Any]], traits: set[str]) -> None:
    assert roles_of(plan(source(), *steps)).traits == traits | {"answers"}


def test_every_role_and_trait_has_one_name() -> None:
    assert len(set(ROLES)) == len(ROLES)
    assert len(set(TRAITS)) == len(TRAITS)
    assert ROLES[-1] == "used"
    assert TRAITS[0] == "answers"
