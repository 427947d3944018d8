"""Feedback that changes one thing takes nothing else away; if something has to go, it says so."""

from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk
from workbench.contract.errors import Invalid

LAMPS: list[dict[str, Any]] = [
    {"name": "code", "property_type": "string"},
    {"name": "kind", "property_type": "choice", "choices": ["oil", "gas", "arc"]},
    {"name": "price", "property_type": "float"},
    {"name": "pier", "property_type": "string"},
    {"name": "panes", "property_type": "int"},
]
RECORDS = [
    {"code": f"L{i}", "kind": kind, "price": price, "pier": pier, "panes": panes}
    for i, (kind, price, pier, panes) in enumerate(
        [
            ("oil", 10, "North", 4), ("oil", 20, "North", 6), ("oil", 30, "South", 3),
            ("oil", 40, "East", 5), ("gas", 25, "South", 8), ("arc", 1, "South", 2),
        ]
    )
]  # fmt: skip


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    texts = [[f"Lamp {record['code']}"] for record in RECORDS]
    return make_desk(tmp_path_factory.mktemp("lamps"), "lamps", LAMPS, RECORDS, texts)


def number(desk: Desk, *turns: str) -> Any:
    return desk.result(desk.begin(*turns))


@pytest.mark.parametrize(
    "feedback", ["2 instead of 3", "make it 2", "top 2 instead", "the 2 cheapest instead"]
)
def test_an_average_of_the_first_stays_when_their_number_changes(desk, feedback):
    assert number(desk, "average price of the 3 cheapest oil lamps", feedback) == 15


def test_an_average_of_the_first_stays_when_their_order_changes(desk):
    turns = "average price of the 3 cheapest oil lamps", "the most expensive ones instead"
    assert number(desk, *turns) == 30


@pytest.mark.parametrize(
    ("question", "feedback", "wanted"),
    [
        ("average price of oil lamps", "of the 2 cheapest", 15),
        ("average price of oil lamps", "and of the 2 most expensive", 35),
        ("total price", "of the 2 cheapest", 11),
        ("total price", "for the 3 most expensive oil lamps", 90),
    ],
)
def test_of_the_cheapest_keeps_the_number_and_cuts_its_documents(desk, question, feedback, wanted):
    assert number(desk, question, feedback) == wanted


def test_a_number_that_becomes_a_list_is_reported(desk):
    plan = desk.begin("average price of oil lamps", "the 2 cheapest")
    assert desk.keys(plan) == ["L0", "L1"]
    assert plan.edit.warnings == ["this no longer computes the average price"]


def test_a_limit_that_groups_replace_is_reported(desk):
    plan = desk.begin("average price of the 3 cheapest oil lamps", "by pier")
    assert plan.edit.warnings == ["this drops the limit: all are used, not only 3"]


@pytest.mark.parametrize("feedback", ["how many kinds instead", "number of different kinds"])
def test_other_values_are_counted_instead_of_the_documents(desk, feedback):
    found = number(desk, "how many piers", "only oil", feedback)
    assert (found if isinstance(found, int) else found[0]["properties"]) in (
        1,
        {"distinct_kind": 1},
    )


@pytest.mark.parametrize(
    "feedback", ["arc instead", "arc instead of oil", "and arc?", "what about arc?"]
)
def test_a_share_in_each_group_becomes_that_of_another_part(desk, feedback):
    plan = desk.begin("share of oil by pier", feedback)
    assert desk.rows(plan) == {"East": 0, "North": 0, "South": pytest.approx(1 / 3)}


def test_the_steps_of_a_share_are_called_after_its_new_part(desk):
    plan = desk.begin("share of oil", "arc instead")
    described = " ".join(node.description for node in plan.nodes.values())
    assert "arc" in described and "oil" not in described


@pytest.mark.parametrize(
    ("turns", "wanted"),
    [
        (("piers with more than 1 lamp", "and fewer than 3"), {"North": 2}),
        (("number of lamps by pier", "more than 1", "and fewer than 3"), {"North": 2}),
        (("piers with more than 1 lamp", "more than 2"), {"South": 3}),
        (("piers with more than 1 lamp", "fewer than 2"), {"East": 1}),
        (("piers with more than 1 lamp", "make it 2"), {"South": 3}),
        (("piers with more than 1 and fewer than 3 lamps",), {"North": 2}),
    ],
)
def test_both_bounds_of_groups_stay(desk, turns, wanted):
    assert desk.rows(desk.begin(*turns)) == wanted


def test_both_bounds_of_a_total_stay(desk):
    plan = desk.begin("total price by pier", "only groups with a total over 35", "and below 50")
    assert set(desk.rows(plan)) == {"East"}


@pytest.mark.parametrize(
    "question",
    [
        "most expensive lamp per kind",
        "most expensive lamp of each kind",
        "the most expensive lamp for every kind",
        "which lamp is the most expensive in each kind",
    ],
)
def test_the_most_expensive_of_each_group_is_a_document(desk, question):
    plan = desk.ask(question)
    assert set(desk.keys(plan)) == {"L3", "L4", "L5"}
    assert not plan.edit or not plan.edit.unused


@pytest.mark.parametrize("question", ["price around 20", "price roughly 20", "price about 20"])
def test_how_wide_around_a_number_is_is_reported(desk, question):
    plan = desk.ask(question)
    assert desk.keys(plan) == ["L1"]
    assert [line.split(" as ")[1] for line in plan.edit.warnings] == ["price is from 18 to 22"]
    assert not plan.edit.unused


@pytest.mark.parametrize(
    "question", ["panes even", "even panes", "lamps with an odd number of panes"]
)
def test_even_and_odd_numbers_are_refused(desk, question):
    with pytest.raises(Invalid, match="divide none"):
        desk.ask(question)


def test_even_that_only_stresses_a_word_is_none(desk):
    assert desk.keys(desk.ask("even the arc lamps")) == ["L5"]


@pytest.mark.parametrize(
    ("turns", "wanted"),
    [
        (("the 3 most expensive lamps", "which of them are in South?"), ["L2", "L4"]),
        (("the 3 most expensive lamps", "which of those are gas?"), ["L4"]),
        (("the 3 most expensive lamps", "of these only the oil ones", "only South"), ["L2"]),
        (("the 3 most expensive lamps", "which of them are in South?", "make it 2"), ["L2"]),
    ],
)
def test_which_of_them_asks_about_the_documents_that_a_limit_left(desk, turns, wanted):
    assert set(desk.keys(desk.begin(*turns))) == set(wanted)


def test_how_many_of_them_counts_the_documents_that_a_limit_left(desk):
    assert number(desk, "the 3 most expensive lamps", "how many of them are in South?") == 2


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        (
            "the oil lamps in the order of their price, the lowest in front",
            ["L0", "L1", "L2", "L3"],
        ),
        ("the oil lamps by price, the highest at the beginning", ["L3", "L2", "L1", "L0"]),
        ("the oil lamps sorted by price, greatest first", ["L3", "L2", "L1", "L0"]),
    ],
)
def test_what_comes_first_can_be_put_in_many_ways(desk, question, wanted):
    assert desk.keys(desk.ask(question)) == wanted
