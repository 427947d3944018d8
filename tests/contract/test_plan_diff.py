"""The difference of two plans, in words."""

from tests.contract.plans import plan, source, step
from workbench.contract.plan_diff import align, diff


def described(**fields: object) -> dict[str, object]:
    return {"description": "Keep Ohio", "field": "state", **fields}


OHIO = step("BasicFilter", 1, 0) | described(query="Ohio")


def test_the_same_plan_has_no_difference() -> None:
    one = plan(source(), OHIO)
    assert diff(one, one).changes == []


def test_an_added_step_is_one_line() -> None:
    cut = step("Limit", 2, 1, num_records=3) | {"description": "Keep the first 3"}
    assert diff(plan(source(), OHIO), plan(source(), OHIO, cut)).lines == [
        "+ added: Keep the first 3"
    ]


def test_an_inserted_step_does_not_change_the_next_one() -> None:
    cut = step("Limit", 2, 1, num_records=3)
    before = plan(source(), step("Limit", 2, 0, num_records=3))
    assert [change.kind for change in diff(before, plan(source(), OHIO, cut)).changes] == ["added"]


def test_a_removed_step_is_one_line() -> None:
    assert diff(plan(source(), OHIO), plan(source())).lines == ["- removed: Keep Ohio"]


def test_a_changed_field_shows_old_and_new() -> None:
    after = plan(source(), OHIO | {"query": "Texas", "description": "Keep Texas"})
    [change] = diff(plan(source(), OHIO), after).changes
    assert (change.kind, change.before, change.after) == ("changed", 1, 1)
    assert [(f.field, f.old, f.new) for f in change.fields] == [("query", "Ohio", "Texas")]
    assert change.line == "changed: Keep Texas (query: Ohio -> Texas)"


def test_steps_are_matched_by_subject_when_ids_changed() -> None:
    cheap = step("BasicFilter", 2, 1, field="price", query=1)
    before = plan(source(), OHIO, cheap)
    after = plan(
        source(),
        step("BasicFilter", 5, 0, field="price", query=2),
        step("BasicFilter", 6, 5, field="state", query="Ohio"),
    )
    assert align(before, after) == {0: 0, 5: 2, 6: 1}
    kinds = {change.after: change.kind for change in diff(before, after).changes}
    assert kinds[5] == "changed"


def test_a_step_that_comes_after_others_than_before_was_moved() -> None:
    sort = step("Sort", 2, 1, field="state")
    before = plan(source(), step("Limit", 1, 0, num_records=3), sort)
    after = plan(
        source(),
        step("Sort", 2, 0, field="state"),
        step("Limit", 1, 2, num_records=3),
    )
    assert [change.kind for change in diff(before, after).changes] == ["moved"]


def test_a_step_without_a_description_is_named_by_type_and_subject() -> None:
    bare = step("GroupBy", 1, 0, field="properties.entity.state")
    bare.pop("description")
    assert diff(plan(source()), plan(source(), bare)).lines == ["+ added: GroupBy of state"]


def test_computed_columns_are_shown_in_words() -> None:
    old = step("Aggregate", 1, 0, aggregations=[{"func": "count", "field": None, "name": "n"}])
    new = step("Aggregate", 1, 0, aggregations=[
        {"func": "avg", "field": "properties.entity.cost", "where": [{"field": "paid", "query": 1}]}
    ])  # fmt: skip
    (line,) = diff(plan(source(), old), plan(source(), new)).lines
    assert line.endswith("(aggregations: count -> avg of cost where field paid query 1)")


def test_a_step_that_passes_over_one_which_stays_was_moved() -> None:
    """Such as the count of the whole of a share, taken from all documents instead of some."""
    part = step("Count", 2, 1) | {"description": "Count the part"}
    of_some = step("Count", 3, 1) | {"description": "Count the whole"}
    before = plan(source(), OHIO, part, of_some)
    assert diff(before, plan(source(), OHIO, part, of_some | {"inputs": [0]})).lines == [
        "> moved: Count the whole"
    ]
    assert diff(
        before, plan(source(), part | {"inputs": [0]}, of_some | {"inputs": [0]})
    ).lines == ["- removed: Keep Ohio"]
