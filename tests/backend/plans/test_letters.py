"""The grade A and the state OR are values, although they are written like function words."""

from pathlib import Path

import pytest

from tests.backend.plans.desk import Desk, make_desk

_LOTS = [
    ("Ines", "A", "OR", 12.5, 3, True),
    ("Ines", "B", "IN", 20.0, 5, False),
    ("Ines", "C", "OR", 9.0, 2, False),
    ("Ines", "A", "ME", 15.0, 6, True),
    ("Boyd", "A", "OR", 30.0, 9, True),
    ("Boyd", "B", "OR", 11.0, 4, False),
    ("Boyd", "B", "ME", 13.0, 2, True),
    ("Sato", "C", "IN", 17.0, 7, True),
    ("Sato", "A", "IN", 26.0, 8, False),
    ("Sato", "C", "OH", 10.0, 1, False),
]
_NAMES = ("roaster", "grade", "state", "price", "sacks", "washed")
_TYPES = ("string", "string", "string", "float", "int", "bool")


@pytest.fixture(scope="module")
def coffees(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder: Path = tmp_path_factory.mktemp("coffees")
    properties = [
        {"name": "number", "type": "string"},
        *({"name": n, "type": t} for n, t in zip(_NAMES, _TYPES, strict=True)),
    ]
    records = [
        {"number": f"K{i:02}", **dict(zip(_NAMES, lot, strict=True))} for i, lot in enumerate(_LOTS)
    ]
    texts = [[f"A coffee in a bag, lot {record['number']}"] for record in records]
    return make_desk(folder, "coffee", properties, records, texts)


@pytest.mark.parametrize(
    "question, count",
    [
        ("how many A coffees did Sato roast?", 1),
        ("how many coffees of Ines are A coffees?", 2),
        ("how many coffees of Boyd are A?", 1),
        ("A coffees: how many?", 4),
        ("how many coffees are A or B?", 7),
        ("how many coffees of Ines have a price above 10?", 3),
        ("how many coffees have the grade A?", 4),
        ("HOW MANY COFFEES HAVE A PRICE ABOVE 12?", 7),
        ("how many coffees are not in OR, IN or ME?", 1),
        ("how many coffees are neither in OR nor in IN?", 3),
        ("how many coffees went to ME?", 2),
        ("how many coffees are in OH OR ME?", 3),
        ("how many of the OR coffees cost over 11.5?", 2),
    ],
)
def test_capitals_are_the_value_and_not_the_function_word(
    coffees: Desk, question: str, count: int
) -> None:
    assert coffees.result(coffees.ask(question)) == count


def test_an_article_begins_a_sentence(coffees: Desk) -> None:
    assert len(coffees.result(coffees.ask("A coffee of Sato"))) == 3


def test_the_value_narrows_a_share_and_a_total(coffees: Desk) -> None:
    share = coffees.ask("what percentage of the coffees by Boyd are A coffees?")
    assert coffees.result(share) == pytest.approx(100 / 3)
    assert coffees.result(coffees.edit(share, "what about Ines?")) == pytest.approx(50)
    totals = coffees.result(coffees.ask("total price of A coffees per roaster"))
    assert {g["properties"]["key"]: g["properties"]["sum_price"] for g in totals} == {
        "Ines": 27.5,
        "Boyd": 30.0,
        "Sato": 26.0,
    }
    per_sack = coffees.result(coffees.ask("price per sack of the A coffees"))
    assert per_sack == pytest.approx(83.5 / 26)


def test_a_follow_up_replaces_a_value_by_the_letter(coffees: Desk) -> None:
    listed = coffees.ask("list B coffees of Ines")
    changed = coffees.result(coffees.edit(listed, "A instead"))
    assert [d["properties"]["entity"]["number"] for d in changed] == ["K00", "K03"]
