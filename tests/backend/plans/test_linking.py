"""How the words of a question become properties, values and the noun of the documents."""

import random
from datetime import date, timedelta
from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan

FIRINGS: list[dict[str, Any]] = [
    {"name": "firing_no", "field_type": "string", "description": "Number of the firing"},
    {"name": "clay", "field_type": "string", "description": "Company that dug the clay"},
    {"name": "glaze", "field_type": "string", "description": "Company that mixed the glaze"},
    {"name": "loader", "field_type": "string", "description": "Person who loaded the kiln"},
    {
        "name": "kiln",
        "field_type": "choice",
        "description": "Kind of kiln",
        "choices": ["electric", "oil", "wood"],
    },
    {"name": "lighter", "field_type": "string", "description": "Person who lit the kiln"},
    {"name": "shed", "field_type": "string", "description": "Place where the kiln stands"},
    {"name": "pod", "field_type": "date", "description": "Planned day of opening"},
    {
        "name": "aod",
        "field_type": "date",
        "description": "Actual day of opening; empty if it has not opened yet",
    },
    {"name": "fuel", "field_type": "float", "description": "Fuel charge in euros"},
    {"name": "flaws", "field_type": "array", "description": "Flaws seen: blister, crack, pinhole"},
]


def firings() -> list[dict[str, Any]]:
    dice = random.Random(5)
    made = []
    for i in range(48):
        planned = date(2023, 2, 1) + timedelta(days=dice.randrange(600))
        opened = planned + timedelta(days=dice.randrange(-2, 9))
        made.append(
            {
                "firing_no": f"F{i:02d}",
                "clay": ["Brindle Works.", "Marl & Sons", "Ochre Pits"][i % 3],
                "glaze": ["Brindle Works", "Lustre House", "Tenmoku Ltd", "Celadon Oy"][i % 4],
                "loader": dice.choice(["Ottilie Brandt", "Per Aasen", "Ruth Okafor"]),
                "kiln": dice.choice(["electric", "oil", "wood"]),
                "lighter": dice.choice(["Signe Dahl", "Tomos Rees"]),
                "shed": dice.choice(["Upper Yard", "Mill Row"]),
                "pod": planned.isoformat(),
                "aod": None if i % 5 == 0 else opened.isoformat(),
                "fuel": float(dice.randrange(40, 400)),
                "flaws": dice.sample(["blister", "crack", "pinhole"], dice.randrange(3)),
            }
        )
    return made


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    records = firings()
    texts = [[f"Firing {record['firing_no']}"] for record in records]
    return make_desk(tmp_path_factory.mktemp("firings"), "firings", FIRINGS, records, texts)


def warnings(plan: Plan) -> list[str]:
    assert plan.edit is not None
    return list(plan.edit.warnings)


def choices(desk: Desk, question: str) -> list[str]:
    with pytest.raises(Invalid) as refused:
        desk.ask(question)
    return [choice.words for fault in refused.value.faults for choice in fault.choices or []]


@pytest.mark.parametrize("words", ["firings with Brindle", "firings with Brindle Works"])
def test_a_name_that_two_properties_have_offers_both(desk: Desk, words: str) -> None:
    offered = choices(desk, words)
    assert len(offered) == 2
    assert {"clay" in words for words in offered} == {True, False}


def test_a_short_name_of_one_property_is_its_value_and_is_reported(desk: Desk) -> None:
    plan = desk.ask("firings loaded by Okafor")
    assert set(desk.keys(plan)) == desk.expected(lambda r: r["loader"] == "Ruth Okafor")
    assert "read “Okafor” as Ruth Okafor" in warnings(plan)


@pytest.mark.parametrize("noun", ["burnings", "batches"])
def test_another_noun_for_the_documents_is_accepted_and_reported(desk: Desk, noun: str) -> None:
    plan = desk.ask(f"Which {noun} did Per Aasen load?")
    assert set(desk.keys(plan)) == desk.expected(lambda r: r["loader"] == "Per Aasen")
    assert f"took “{noun}” to mean the documents" in warnings(plan)


@pytest.mark.parametrize(
    ("question", "field"),
    [
        ("firings opened in 2023", "aod"),
        ("firings that opened in 2023", "aod"),
        ("firings with the actual opening in 2023", "aod"),
        ("firings planned for 2023", "pod"),
    ],
)
def test_a_date_belongs_to_the_verb_before_it(desk: Desk, question: str, field: str) -> None:
    expected = desk.expected(lambda r: r[field][:4] == "2023")
    assert set(desk.keys(desk.ask(question))) == expected


def test_words_of_descriptions_decide_between_properties(desk: Desk) -> None:
    plan = desk.ask("average days between planned and actual opening day")
    opened = [r for r in firings() if r["aod"]]
    apart = [(date.fromisoformat(r["aod"]) - date.fromisoformat(r["pod"])).days for r in opened]
    assert desk.result(plan) == pytest.approx(sum(apart) / len(apart))


def test_no_values_in_a_list_are_a_gap(desk: Desk) -> None:
    plan = desk.ask("How many firings had no flaws?")
    assert desk.result(plan) == len(desk.expected(lambda r: not r["flaws"]))


def test_a_number_may_be_called_by_a_noun_of_quantity(desk: Desk) -> None:
    plan = desk.ask("firings whose fuel charge amount exceeded 200 euros")
    assert set(desk.keys(plan)) == desk.expected(lambda r: r["fuel"] > 200)


def test_typing_errors_are_mended_and_reported(desk: Desk) -> None:
    plan = desk.ask("averge fuel charge of evry loader")
    assert set(desk.rows(plan)) == {"Ottilie Brandt", "Per Aasen", "Ruth Okafor"}
    assert "read “evry” as “every”" in warnings(plan)


def test_a_noun_of_most_descriptions_means_the_documents(desk: Desk) -> None:
    plan = desk.ask("kilns with a fuel charge over 200 euros")
    assert set(desk.keys(plan)) == desk.expected(lambda r: r["fuel"] > 200)
    assert desk.result(desk.ask("How many kinds of kiln are there?")) == 3


def test_not_is_never_ignored(desk: Desk) -> None:
    plan = desk.ask("firings not opened yet")
    assert set(desk.keys(plan)) == desk.expected(lambda r: r["aod"] is None)


def test_a_common_word_after_by_names_the_property_it_describes(desk: Desk) -> None:
    assert set(desk.rows(desk.ask("average fuel charge by place"))) == {"Upper Yard", "Mill Row"}


def test_an_adjective_is_not_an_adverb_because_of_its_ending(desk: Desk) -> None:
    with pytest.raises(Invalid, match="smelly"):
        desk.ask("smelly firings")
