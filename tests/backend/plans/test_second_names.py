"""A property is also known by the noun phrase that its description begins with."""

from typing import Any

import pytest

from backend.plans.reading.chart import Construction, Grammar
from backend.plans.reading.descriptions import other_name
from tests.backend.plans.desk import Desk, make_desk

_KITES: list[dict[str, Any]] = [
    {"name": "kite", "type": {"type": "string", "description": "Name of the kite"}},
    {"name": "mk", "type": {"type": "string", "description": "Make of sail"}},
    {"name": "wsp", "type": {"type": "float", "description": "Wing span in metres"}},
    {"name": "ln", "type": {"type": "float", "description": "Line length in metres"}},
    {"name": "lent", "type": {"type": "date", "description": "Day it was lent out"}},
    {"name": "rtn", "type": {"type": "date", "description": "Day it came back"}},
    {"name": "club", "type": {"type": "string", "description": "Club that borrowed it"}},
]


@pytest.fixture(scope="module")
def kites(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    names = ["Arrow", "Bora", "Comet", "Delta", "Echo", "Foehn"]
    records = [
        {
            "kite": name,
            "mk": ["Nimbus", "Stratus"][i % 2],
            "wsp": 1.5 + i,
            "ln": [90.0, 20.0, 30.0, 40.0, 50.0, 60.0][i],
            "lent": f"2025-0{1 + i}-10",
            "rtn": f"2025-0{1 + i}-{12 + 3 * ((i * 5) % 6)}",
            "club": ["Downs", "Cliff", "Fen"][i % 3],
        }
        for i, name in enumerate(names)
    ]
    return make_desk(tmp_path_factory.mktemp("kites"), "kites", _KITES, records, [["A kite"]] * 6)


def _names(desk: Desk, question: str) -> list[str]:
    return [item["properties"]["entity"]["kite"] for item in desk.result(desk.ask(question))]


@pytest.mark.parametrize(
    ("description", "name", "enough"),
    [
        ("Insurance cover in euros; empty if none", ("insur", "cover"), 2),
        ("Mode of travel", ("mode", "travel"), 2),
        ("Number of crates of apples", ("number", "crate", "appl"), 2),
        ("Firm acting for the seller", ("firm", "act"), 1),
        ("Day the parcel went out", (), 0),
        ("Whether the seal was broken", (), 0),
    ],
)
def test_a_description_gives_a_name_unless_it_is_a_sentence(
    description: str, name: tuple[str, ...], enough: int
) -> None:
    assert other_name(description) == (name, enough)


def test_a_property_may_be_called_as_its_description_calls_it(kites: Desk) -> None:
    assert _names(kites, "kites with a wing span over 4.5 metres") == ["Echo", "Foehn"]
    groups = kites.result(kites.ask("average wing span by make of sail"))
    assert {g["properties"]["key"] for g in groups} == {"Nimbus", "Stratus"}


def test_the_longest_between_two_dates_come_first(kites: Desk) -> None:
    asked = "Which two kites took longest from lent to came back?"
    assert _names(kites, asked) == ["Bora", "Comet"]


def test_documents_are_ordered_by_one_amount_in_relation_to_another(kites: Desk) -> None:
    asked = "Relative to the wing span, which two kites had the longest line length?"
    assert _names(kites, asked) == ["Arrow", "Foehn"]


def test_who_has_the_most_in_total_is_asked_of_groups(kites: Desk) -> None:
    groups = kites.result(kites.ask("Which club has the highest wing span in total?"))
    assert [g["properties"]["key"] for g in groups] == ["Fen"]


def test_a_pattern_with_digits_is_refused() -> None:
    with pytest.raises(ValueError, match="use Num"):
        Grammar([Construction("Part", "top 100", lambda: None, "top 100")])
