"""Questions about what has both of two kinds, and follow-ups about each value of a list."""

from pathlib import Path

import pytest

from tests.backend.plans.desk import Desk, make_desk

PEOPLE, PLACES, KINDS = ("Ona", "Piet", "Quin"), ("Lerwick", "Stornoway"), ("reed", "oak", "elm")
RECORDS = [
    {
        "chair": f"CH{place:02}",
        "maker": PEOPLE[place % 3],
        "workshop": PLACES[place % 2],
        "wood": KINDS[place % 3 if place % 6 < 3 else (place // 3) % 2],
        "waxed": place % 4 == 0,
        "price": 20.0 + place,
    }
    for place in range(24)
]


@pytest.fixture(scope="module")
def chairs(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    properties = [
        {"name": name, "type": kind}
        for name, kind in (("chair", "string"), ("maker", "string"), ("workshop", "string"),
                           ("wood", "string"), ("waxed", "bool"), ("price", "float"))
    ]  # fmt: skip
    folder: Path = tmp_path_factory.mktemp("chairs")
    return make_desk(
        folder, "chair", properties, RECORDS, [[f"Chair {r['chair']}"] for r in RECORDS]
    )


def makers_of(*kinds: str) -> set[object]:
    """The makers who have chairs of all these woods."""
    used = {name: {r["wood"] for r in RECORDS if r["maker"] == name} for name in PEOPLE}
    return {name for name, woods in used.items() if woods.issuperset(kinds)}


@pytest.mark.parametrize(
    "question",
    ["Which makers have both oak and elm chairs?", "which makers used both oak and elm?"],
)
def test_both_of_two_values_are_in_one_group_and_not_in_one_document(
    chairs: Desk, question: str
) -> None:
    assert 0 < len(makers_of("oak", "elm")) < len(PEOPLE)
    assert set(chairs.rows(chairs.ask(question))) == makers_of("oak", "elm")


def test_documents_from_both_places_are_those_of_either(chairs: Desk) -> None:
    plan = chairs.ask("average price in both Lerwick and Stornoway")
    assert chairs.result(plan) == sum(r["price"] for r in RECORDS) / len(RECORDS)


def test_a_hyphen_behind_non_is_no_word(chairs: Desk) -> None:
    waxed, others = ([r["price"] for r in RECORDS if r["waxed"] is on] for on in (True, False))
    plan = chairs.ask("What is the gap between the average price of waxed and non-waxed chairs?")
    assert chairs.result(plan) == sum(waxed) / len(waxed) - sum(others) / len(others)


@pytest.mark.parametrize(
    "question",
    [
        "By how much does the average price in Stornoway exceed the average price in Lerwick?",
        "By how many euros is the average price in Stornoway higher than that in Lerwick?",
        "By how much is the average price in Lerwick lower than that in Stornoway?",
    ],
)
def test_by_how_much_one_exceeds_another_is_a_difference(chairs: Desk, question: str) -> None:
    assert chairs.result(chairs.ask(question)) == 1


@pytest.mark.parametrize("follow_up", ["how many chairs were there in each?", "how many in each"])
def test_each_is_each_value_that_the_plan_lists(chairs: Desk, follow_up: str) -> None:
    plan = chairs.edit(chairs.ask("Which woods did Ona use?"), follow_up)
    wanted = {kind: sum(r["wood"] == kind and r["maker"] == "Ona" for r in RECORDS)
              for kind in KINDS}  # fmt: skip
    assert chairs.rows(plan) == {kind: count for kind, count in wanted.items() if count}


def test_an_average_for_each_is_one_of_each_listed_value(chairs: Desk) -> None:
    plan = chairs.edit(chairs.ask("What woods are there?"), "the average price of each")
    assert set(chairs.rows(plan)) == set(KINDS)
