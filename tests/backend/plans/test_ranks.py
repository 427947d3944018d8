"""The second, third or tenth of an order, in questions, follow-ups, SQL and plans."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.backend.plans.desk import Desk
from tests.backend.plans.rentals import rentals
from workbench.contract.errors import Invalid

Desks = Callable[[str], Desk]
_RECORDS, _ = rentals()
_MAKERS = Counter(record["maker"] for record in _RECORDS).most_common()
_CLERKS = Counter(record["clerk"] for record in _RECORDS).most_common()


def ranked(field: str, place: int, *, high: bool = True, **kept: Any) -> Any:
    """The value of a field at a place of the order, among the records with the values `kept`."""
    some = [r for r in _RECORDS if all(r[name] == value for name, value in kept.items())]
    return sorted((r[field] for r in some if r[field] is not None), reverse=high)[place - 1]


@pytest.mark.parametrize(
    ("question", "field", "value"),
    [
        ("second highest price", "price_eur", ranked("price_eur", 2)),
        ("rentals with the third highest price", "price_eur", ranked("price_eur", 3)),
        ("the second longest rental", "length_cm", ranked("length_cm", 2)),
        ("What is the second largest price?", "price_eur", ranked("price_eur", 2)),
        (
            "third cheapest violin from Norway",
            "price_eur",
            ranked("price_eur", 3, high=False, instrument="violin", maker_country="Norway"),
        ),
    ],
)
def test_a_question_may_ask_for_a_place_of_the_order(
    desks: Desks, question: str, field: str, value: Any
) -> None:
    desk = desks("rentals")
    (item,) = desk.result(desk.ask(question))
    assert item["properties"]["entity"][field] == value


@pytest.mark.parametrize(
    ("question", "groups"),
    [
        ("second most common maker", _MAKERS),
        ("which clerk had the second most rentals?", _CLERKS),
        ("which clerk had the 3rd most rentals?", _CLERKS[1:]),
    ],
)
def test_groups_have_places_too(desks: Desks, question: str, groups: list[tuple[str, int]]) -> None:
    desk = desks("rentals")
    assert list(desk.rows(desk.ask(question))) == [groups[1][0]]


@pytest.mark.parametrize("feedback", ["the second", "and the second one?", "the second highest"])
def test_a_follow_up_goes_down_the_order(desks: Desks, feedback: str) -> None:
    desk = desks("rentals")
    plan = desk.edit(desk.ask("the violin with the highest price"), feedback)
    (item,) = desk.result(plan)
    assert item["properties"]["entity"]["price_eur"] == ranked("price_eur", 2, instrument="violin")


def test_the_first_is_the_first_again_afterwards(desks: Desks) -> None:
    desk = desks("rentals")
    plan = desk.edit(desk.ask("rental with the second highest price"), "show the top 3")
    assert [item["properties"]["entity"]["price_eur"] for item in desk.result(plan)] == [
        ranked("price_eur", place) for place in (1, 2, 3)
    ]


def test_a_step_says_which_place_it_keeps(desks: Desks) -> None:
    desk = desks("rentals")
    plan = desk.ask("rentals with the third highest price")
    assert [node.description for node in plan.nodes.values()][-1] == "Keep the third"


def test_a_quarter_or_half_of_a_year_is_no_place(desks: Desks) -> None:
    desk = desks("rentals")
    for question in ("rentals in the second quarter of 2022", "rentals of the second half of 2022"):
        assert all(node.node_type != "Limit" for node in desk.ask(question).nodes.values())


def test_sql_may_pass_over_rows(desks: Desks) -> None:
    desk = desks("rentals")
    plan = desk.ask("select * from rentals order by price_eur desc limit 2 offset 3")
    assert [item["properties"]["entity"]["price_eur"] for item in desk.result(plan)] == [
        ranked("price_eur", place) for place in (4, 5)
    ]


def test_a_tie_with_what_is_passed_over_is_reported(desks: Desks) -> None:
    desk = desks("rentals")
    most = max(record["strings_broken"] for record in _RECORDS)
    assert sum(record["strings_broken"] == most for record in _RECORDS) > 2
    run = desk.run(desk.ask("select * from rentals order by strings_broken desc limit 1 offset 1"))
    assert any("before the first shown has the same strings broken" in w for w in run.warnings)


@pytest.mark.parametrize(
    "question", ["rentals with the third highest price", "rentals in the second quarter of 2022"]
)
def test_a_place_is_no_unused_word(desks: Desks, question: str) -> None:
    plan = desks("rentals").ask(question)
    assert plan.edit is not None and not plan.edit.unused


@pytest.mark.parametrize(
    ("question", "ends"),
    [
        ("top 3 makers by highest price", max),
        ("top 3 makers by lowest price", min),
        ("top 3 makers by total price", sum),
    ],
)
def test_what_is_ranked_is_never_passed_over(desks: Desks, question: str, ends: Any) -> None:
    prices = {m: ends(r["price_eur"] for r in _RECORDS if r["maker"] == m) for m, _ in _MAKERS}
    best = sorted(prices, key=lambda maker: prices[maker], reverse=ends is not min)[:3]
    desk = desks("rentals")
    assert desk.rows(desk.ask(question)) == {maker: prices[maker] for maker in best}


def test_the_documents_themselves_are_ranked_one_by_one(desks: Desks) -> None:
    desk = desks("rentals")
    found = desk.result(desk.ask("top 3 rentals by highest price"))
    prices = [item["properties"]["entity"]["price_eur"] for item in found]
    assert prices == [ranked("price_eur", place) for place in (1, 2, 3)]


def test_no_list_has_a_top_of_none(desks: Desks) -> None:
    desk = desks("rentals")
    plan = desk.ask("rentals per maker")
    with pytest.raises(Invalid):
        desk.edit(plan, "top 0")
