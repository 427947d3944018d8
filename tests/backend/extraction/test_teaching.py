"""Checked documents show where a value stands in others that look like them."""

from typing import Any

import pytest

from backend.extraction import teaching
from backend.extraction.engine import extract
from backend.extraction.teaching import Lessons
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

SCHEMA = Schema.model_validate(
    {
        "properties": [
            {"name": "berth", "property_type": "string"},
            {"name": "tide", "property_type": "float"},
        ]
    }
)
_NAMES = ("Kestrel Quay", "North Mole", "Long Pier", "Gannet Steps", "Old Dock", "Sandy Hythe")


def page(lines: list[str], apart: float) -> list[Element]:
    return [
        Element(
            type="Text",
            bbox=[0.1, apart * at + 0.1, 0.9, apart * at + 0.15],
            properties={"page_number": 1, "score": 1.0},
            text_representation=line,
        )
        for at, line in enumerate(lines)
    ]


def note(number: int) -> tuple[list[Element], dict[str, Any]]:
    """A document whose labels say nothing of its properties."""
    berth, tide = _NAMES[number], 2.5 + number
    lines = [
        "Watch report",
        f"Zq: {berth}",
        f"Mark 4711: {number + 40}.25 and {tide} over the sill",
        "Zx: Heron House",
    ]
    return page(lines, apart=0.1), {"berth": berth, "tide": tide}


def read(checked: list[tuple[list[Element], dict[str, Any]]], number: int) -> dict[str, Any]:
    elements, _ = note(number)
    return dict(Lessons(checked, SCHEMA).applied(elements, extract(elements, SCHEMA)))


def test_a_value_is_read_where_the_checked_documents_have_it() -> None:
    elements, wanted = note(5)
    alone = extract(elements, SCHEMA)
    assert alone["berth"].value != wanted["berth"] and alone["tide"].value != wanted["tide"]
    result = read([note(number) for number in range(4)], 5)
    assert {name: one.value for name, one in result.items()} == wanted
    assert result["berth"].element == 1 and result["tide"].element == 2
    assert result["berth"].bbox == elements[1].bbox and result["berth"].confidence > 0.7


def test_more_checked_documents_make_it_surer() -> None:
    few, many = (read([note(n) for n in range(count)], 5) for count in (2, 5))
    assert few["berth"].confidence < many["berth"].confidence <= 0.98


def test_one_checked_document_teaches_nothing_yet() -> None:
    elements, _ = note(5)
    assert read([note(0)], 5) == extract(elements, SCHEMA)


def test_a_document_with_another_layout_is_left_to_the_score() -> None:
    other = [
        Element(
            type="Text",
            bbox=[0.2, 0.5, 0.8, 0.6],
            properties={"page_number": 1, "score": 1.0},
            text_representation="Minutes of the garden club, which met in the hall.",
        )
    ]
    lessons = Lessons([note(number) for number in range(5)], SCHEMA)
    alone = extract(other, SCHEMA)
    assert lessons.applied(other, alone) == alone


@pytest.mark.parametrize("values", [{}, {"berth": None}, {"berth": "stands nowhere"}])
def test_a_value_absent_from_its_document_teaches_nothing(values: dict[str, Any]) -> None:
    elements, _ = note(5)
    checked = [(note(number)[0], values) for number in range(4)]
    assert read(checked, 5) == extract(elements, SCHEMA)


def form(number: int) -> tuple[list[Element], dict[str, Any]]:
    """Another sender's document with the same properties."""
    lines = [f"Harbour office form {number}", _NAMES[number], f"Level on arrival {3.5 + number} m"]
    return page(lines, apart=0.2), {"berth": _NAMES[number], "tide": 3.5 + number}


def test_checked_documents_of_one_sender_do_not_teach_about_those_of_another() -> None:
    lessons = Lessons([note(number) for number in range(5)], SCHEMA)
    elements, _ = form(5)
    alone = extract(elements, SCHEMA)
    assert lessons.applied(elements, alone) == alone


def test_each_sender_among_the_checked_documents_teaches_about_its_own() -> None:
    checked = [one for number in range(4) for one in (note(number), form(number))]
    for elements, wanted in (note(5), form(5)):
        result = Lessons(checked, SCHEMA).applied(elements, extract(elements, SCHEMA))
        assert {name: one.value for name, one in result.items()} == wanted


def test_surroundings_are_looked_at_once_for_all_properties(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A schema of 200 properties kept a worker learning for half a minute."""
    looked: list[int] = []
    marks = teaching._marks
    monkeypatch.setattr(teaching, "_marks", lambda *place: (looked.append(1), marks(*place))[1])
    counts = []
    for number in (1, 20):
        names = [f"berth {n}" for n in range(number)]
        schema = Schema.model_validate(
            {"properties": [{"name": name, "property_type": "string"} for name in names]}
        )
        checked = [note(n) for n in range(4)]
        Lessons([(page, dict.fromkeys(names, v["berth"])) for page, v in checked], schema)
        counts.append(len(looked))
        looked.clear()
    assert counts[0] == counts[1] > 0
