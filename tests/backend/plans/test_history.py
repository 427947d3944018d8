"""Undo and redo for callers that keep nothing but the plan."""

import pytest
from sqlalchemy import func, select

from backend.plans.requests import journal
from backend.store.tables import plan_journal
from tests.backend.plans.desk import Desk
from workbench.contract.errors import Invalid
from workbench.contract.plan_canonical import plan_hash


def test_undo_and_redo_walk_through_the_edits(fresh: Desk) -> None:
    start = fresh.everything()
    one = fresh.edit(start, "only LEO")
    two = fresh.edit(one, "only active ones")
    back = fresh.edit(two, "undo that")
    assert plan_hash(back) == plan_hash(one)
    assert plan_hash(fresh.edit(back, "undo")) == plan_hash(start)
    assert plan_hash(fresh.edit(back, "redo")) == plan_hash(two)


def test_undo_follows_the_history_of_this_plan_when_several_lead_to_it(fresh: Desk) -> None:
    longer = fresh.edit(fresh.everything(), "only LEO", "only active ones")
    shorter = fresh.edit(longer, "remove the active filter")
    other = fresh.edit(fresh.everything(), "only LEO")
    assert plan_hash(shorter) == plan_hash(other)
    assert plan_hash(fresh.edit(shorter, "undo")) == plan_hash(longer)
    assert plan_hash(fresh.edit(other, "undo")) == plan_hash(fresh.everything())


def test_a_plan_that_was_just_made_has_nothing_to_undo(fresh: Desk) -> None:
    with pytest.raises(Invalid) as refusal:
        fresh.edit(fresh.ask("active satellites"), "undo")
    assert refusal.value.faults[0].type == "nothing_to_undo"


def test_undo_the_sort_is_about_the_sort(fresh: Desk) -> None:
    plan = fresh.edit(fresh.everything(), "sort by mass", "only LEO", "undo the sort")
    kinds = [node.node_type for node in plan.nodes.values()]
    assert kinds == ["QueryDatabase", "BasicFilter"]


@pytest.mark.parametrize("word", ["undo", "revert", "go back", "Undo the last change, please"])
def test_undo_has_several_names(fresh: Desk, word: str) -> None:
    edited = fresh.edit(fresh.everything(), "only LEO")
    assert plan_hash(fresh.edit(edited, word)) == plan_hash(fresh.everything())


def test_fewer_lines_of_long_plans_are_kept(fresh: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two thousand plans as long as a request may be were four gigabytes for each DocSet."""
    monkeypatch.setattr(journal, "KEPT_CHARACTERS", 1)
    edits = [fresh.everything()]
    for number in range(2, 27):
        edits.append(fresh.edit(edits[-1], f"only the first {number}"))
    with fresh.database.reading() as connection:
        lines = connection.execute(select(func.count()).select_from(plan_journal)).scalar_one()
    assert lines == 20
    assert plan_hash(fresh.edit(edits[-1], "undo")) == plan_hash(edits[-2])
