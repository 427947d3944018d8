"""Follow-ups about the answer before: its groups, or a value in it."""

from typing import Any

import pytest

from tests.backend.plans.desk import Desk, make_desk

PROPERTIES: list[dict[str, str]] = [
    {"name": "keeper", "type": "string"},
    {"name": "village", "type": "string"},
    {"name": "soil", "type": "string"},
    {"name": "number_of_beds", "type": "int"},
    {"name": "harvest_kg", "type": "float"},
]
_ROWS = [
    ("Ada Penrose", "Tarn", "clay", 4, 30.0),
    ("Bram Osei", "Tarn", "loam", 7, 50.0),
    ("Cleo Varga", "Tarn", "loam", 2, 40.0),
    ("Dara Finch", "Wold", "sand", 9, 90.0),
    ("Elio Marsh", "Wold", "clay", 3, 80.0),
    ("Faye Lund", "Wold", "clay", 6, 70.0),
    ("Gus Adair", "Brome", "loam", 5, 120.0),
    ("Hana Ito", "Brome", "sand", 8, 10.0),
    ("Ivo Kess", "Lyde", "loam", 1, 60.0),
    ("Juno Pell", "Lyde", "clay", 3, 20.0),
    ("Kit Rowan", "Lyde", "clay", 2, 25.0),
]


def _gardens() -> list[dict[str, Any]]:
    names = [prop["name"] for prop in PROPERTIES]
    return [dict(zip(names, row, strict=True)) for row in _ROWS]


@pytest.fixture(scope="module")
def gardens(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder = tmp_path_factory.mktemp("gardens")
    return make_desk(folder, "gardens", PROPERTIES, _gardens(), [["A garden"]] * len(_ROWS))


def conversation(desk: Desk, *turns: str) -> Any:
    """The result after the last turn."""
    plan = desk.ask(turns[0])
    for turn in turns[1:]:
        plan = desk.edit(plan, turn)
    return desk.result(plan)


MANY = ("How many gardens are there in each village?", "Only those with more than 2 gardens.")


@pytest.mark.parametrize(
    "turn",
    ["What is the average harvest for each of them?", "What is the average harvest in these?"],
)
def test_another_number_is_of_the_groups_that_were_left(gardens: Desk, turn: str) -> None:
    rows = conversation(gardens, *MANY, turn)
    found = {r["properties"]["key"]: r["properties"]["avg_harvest_kg"] for r in rows}
    assert found == {"Tarn": 40.0, "Wold": 80.0, "Lyde": 35.0}


def test_the_first_of_the_groups_that_were_left(gardens: Desk) -> None:
    turns = (*MANY, "What is the highest harvest in each of these?", "Show the average instead.")
    rows = conversation(gardens, *turns, "Which village has the lowest average?")
    assert [row["properties"]["key"] for row in rows] == ["Lyde"]


def test_a_value_of_the_first_document_selects_all_that_share_it(gardens: Desk) -> None:
    turns = ("Which garden has the most beds?", "What is its soil?")
    assert conversation(gardens, *turns, "How many gardens have that soil?") == 2
    assert conversation(gardens, turns[0], "How many gardens are in that village?") == 3


def test_another_value_replaces_that_of_the_first_document(gardens: Desk) -> None:
    turns = ("Which garden has the most beds?", "How many gardens are in that village?")
    assert conversation(gardens, *turns, "How about Brome?") == 2


def test_a_value_of_the_first_group_keeps_the_condition_on_groups(gardens: Desk) -> None:
    turns = (*MANY, "Which village has the fewest beds in total?", "Show me the gardens there.")
    assert {d["properties"]["entity"]["village"] for d in conversation(gardens, *turns)} == {"Lyde"}


def test_the_thing_that_a_number_counts_names_it(gardens: Desk) -> None:
    docs = conversation(gardens, "gardens in Wold", "Which one has the most beds?")
    assert [doc["properties"]["entity"]["keeper"] for doc in docs] == ["Dara Finch"]


@pytest.mark.parametrize(
    "turn", ["How many beds does it have?", "How many beds does this garden have?"]
)
def test_a_total_of_one_document_is_what_it_has(gardens: Desk, turn: str) -> None:
    docs = conversation(gardens, "Which garden has the largest harvest?", turn)
    assert [doc["properties"]["entity"]["number_of_beds"] for doc in docs] == [5]


def test_their_names_are_those_of_each_document(gardens: Desk) -> None:
    docs = conversation(gardens, "How many gardens are in Wold?", "Who are their keepers?")
    keepers = [doc["properties"]["entity"]["keeper"] for doc in docs]
    assert sorted(keepers) == ["Dara Finch", "Elio Marsh", "Faye Lund"]


def test_after_a_list_of_values_the_documents_that_are_named_are_counted(gardens: Desk) -> None:
    turns = ("Which gardens have more than 5 beds?", "What villages are they in?")
    assert conversation(gardens, *turns, "How many of these gardens are there?") == 4
    assert conversation(gardens, *turns, "How many villages are there?") == 3


def test_the_different_values_of_one_value_are_not_counted(gardens: Desk) -> None:
    turns = ("Which gardens have more than 5 beds?", "What villages are they in?")
    assert conversation(gardens, *turns, "How many of them are in Wold?") == 2
