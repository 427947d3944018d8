"""Laws that hold for any feedback and any plan, tried with many of them."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.backend.plans.desk import Desk
from tests.long_fuzz import fuzz
from workbench.contract.errors import Invalid
from workbench.contract.plan import MAX_REQUEST, Plan
from workbench.contract.plan_canonical import plan_hash
from workbench.contract.plan_diff import diff
from workbench.contract.plan_nodes import CATALOGUE
from workbench.contract.plan_validation import validate

Desks = Callable[[str], Desk]

STARTS = [
    "all satellites",
    "active satellites",
    "How many satellites were lost?",
    "average mass by operator",
    "top 5 satellites by cost",
    "what percentage of satellites are active?",
]
EDITS = [
    "only LEO",
    "not in GEO",
    "also include MEO",
    "launched after 2018",
    "heavier than 2 tons",
    "group by operator",
    "by year",
    "top 3",
    "sort by mass descending",
    "how many?",
    "show the average cost",
    "remove the filter",
    "list the documents",
    "reverse the order",
    "only those with failures",
    "use the median instead",
    "summarize",
]
WORDS = (
    """
only|not|also|instead|of|by|group|sort|top|3|above|2018|mass|cost|operator|LEO|GEO|and|or|but|remove
filter|the|average|total|undo|more|than|with|without|between|to|missing|50|%|,|.|?|Borealis|purple
kg|million|how many|percentage|descending|newest first|"solar"|exclude|per|year|less|was|lost
""".replace("\n", "|")
    .strip("|")
    .split("|")
)
LENIENT = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@LENIENT
@given(start=st.sampled_from(STARTS), feedback=st.sampled_from(EDITS))
def test_an_edit_and_its_undo_are_nothing(desks: Desks, start: str, feedback: str) -> None:
    desk = desks("satellites")
    before = desk.everything() if start == STARTS[0] else desk.begin(start)
    try:
        after = desk.edit(before, feedback)
    except Invalid:
        return
    if plan_hash(after) != plan_hash(before):
        assert plan_hash(desk.edit(after, "undo")) == plan_hash(before)
        assert after.edit is not None and after.edit.diff is not None
        assert after.edit.diff.changes


NO_LOAD = st.tuples(
    st.sampled_from(STARTS),
    st.lists(st.one_of(st.sampled_from(WORDS), st.sampled_from(EDITS)), min_size=1, max_size=9),
)


@LENIENT
@given(phrase=NO_LOAD)
def test_any_text_gives_a_plan_that_runs_or_a_refusal(
    desks: Desks, phrase: tuple[str, list[str]]
) -> None:
    _runs_or_is_refused(desks("satellites"), phrase)


@pytest.mark.soak
def test_any_long_text_gives_a_plan_that_runs_or_a_refusal(desks: Desks) -> None:
    fuzz("feedback", NO_LOAD, partial(_runs_or_is_refused, desks("satellites")))


def _runs_or_is_refused(desk: Desk, conversation: tuple[str, list[str]]) -> None:
    start, words = conversation
    before = desk.everything() if start == STARTS[0] else desk.begin(start)
    kept = before.model_dump()
    try:
        after = desk.edit(before, " ".join(words))
    except Invalid as refusal:
        assert refusal.faults[0].loc == ["body", "feedback"]
        assert refusal.detail
        assert before.model_dump() == kept
        return
    assert not desk.service.validate(after, desk.docset_id, "wb:a-test")
    desk.result(after)


@LENIENT
@given(words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=9))
def test_whatever_is_asked_gives_a_plan_that_runs_or_a_refusal(
    desks: Desks, words: list[str]
) -> None:
    desk = desks("satellites")
    try:
        made = desk.ask(" ".join(["satellites", *words]))
    except Invalid as refusal:
        assert refusal.faults[0].loc == ["body", "query"]
        return
    assert not desk.service.validate(made, desk.docset_id, "wb:a-test")
    desk.result(made)


@LENIENT
@given(text=st.text(max_size=60))
def test_any_text_is_refused_or_understood_but_never_fails(desks: Desks, text: str) -> None:
    desk = desks("satellites")
    try:
        desk.edit(desk.everything(), text or "x")
    except Invalid as refusal:
        assert refusal.detail


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.floats(allow_nan=False),
    st.sampled_from(["state", "properties.count", "operator", "mass_kg", "2020", "add", ""]),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.sampled_from(["func", "field", "name"]), st.text(max_size=5), max_size=2),
)
NAMES = (
    """
field|query|values|start|end|match|any_of|aggregations|K|num_records|operation|fields|question
new_field|bucket|is_date|range_filter|doc_filter|field_one|field_two|query_phrase|query_text
properties_filter
""".replace("\n", "|")
    .strip("|")
    .split("|")
)
FIELDS = st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=4)
NODES = st.lists(
    st.tuples(
        st.sampled_from([*CATALOGUE, "Unheard"]), st.lists(st.integers(0, 6), max_size=3), FIELDS
    ),
    min_size=1,
    max_size=6,
)


def _mutant(steps: list[tuple[str, list[int], dict[str, Any]]], result: int) -> Plan:
    nodes = {
        str(i): {"node_type": kind, "node_id": i, "description": "", "inputs": inputs, **fields}
        for i, (kind, inputs, fields) in enumerate(steps)
    }
    return Plan.model_validate({"query": "", "nodes": nodes, "result_node": result})


@settings(max_examples=300, deadline=None)
@given(steps=NODES, result=st.integers(0, 6))
def test_any_plan_can_be_judged(steps: list[Any], result: int) -> None:
    judged = _mutant(steps, result)
    verdict = validate(judged, {"properties.entity.state": "string"})
    if not verdict.faults:
        plan_hash(judged)


@settings(max_examples=100, deadline=None)
@given(one=NODES, other=NODES)
def test_any_two_plans_can_be_compared(one: list[Any], other: list[Any]) -> None:
    before, after = _mutant(one, 0), _mutant(other, 0)
    assert not diff(before, before).changes
    difference = diff(before, after)
    assert len(difference.lines) == len(difference.changes)


@LENIENT
@given(steps=NODES, result=st.integers(0, 6))
def test_a_plan_that_is_judged_sound_runs(desks: Desks, steps: list[Any], result: int) -> None:
    desk = desks("satellites")
    made = _mutant(steps, result)
    if desk.service.validate(made, desk.docset_id, "wb:a-test"):
        return
    try:
        desk.result(made)
    except Invalid as refusal:
        assert refusal.detail


@pytest.mark.parametrize("piece", ["1", " ", "\n", "a ", "x", "- ", "2020 "])
def test_repeated_text_is_read_or_refused(desks: Desks, piece: str) -> None:
    desk = desks("satellites")
    for phrase in (piece * (MAX_REQUEST // len(piece) - 1) + "z", f"only those {piece * 300}z"):
        for read in (desk.ask, partial(desk.edit, desk.everything())):
            with suppress(Invalid):
                read(phrase)


def test_feedback_of_many_words_is_refused_at_once(desks: Desks) -> None:
    desk = desks("satellites")
    with pytest.raises(Invalid, match="more than 200 words"):
        desk.edit(desk.everything(), "1,000," * 300)
