"""Reading properties takes time in proportion to the text, whatever it is made of."""

import gc
import time
from collections.abc import Callable, Iterator

import pytest

from backend.extraction.engine import extract
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

_SCHEMA = Schema.model_validate(
    {
        "properties": [
            {"name": "opened_on", "type": "date"},
            {"name": "closed_at", "type": "datetime"},
            {"name": "amount", "type": "float", "description": "amount in dollars"},
            {"name": "pilot_name", "type": "string", "description": "name of the pilot"},
            {"name": "fatal", "type": "bool"},
            {"name": "parties", "type": {"type": "array", "item_type": {"type": "string"}}},
            {"name": "state", "type": {"type": "choice", "choices": ["Ohio", "Texas"]}},
        ]
    }
)
_GROWING: dict[str, Callable[[int], str]] = {
    "days that lean on others": lambda n: "15, 16 and 17 May 2020. " * n,
    "days of one month": lambda n: ", ".join(str(i % 28 + 1) for i in range(n)) + " May 2020",
    "days and times apart": lambda n: "3 May 2021, from the pier, 14:00 or 15 h " * n,
    "ordinals": lambda n: "on the 3rd, the fourth and the 5th " * n,
    "fractions": lambda n: "1 1/2 " * n,
    "measures in two parts": lambda n: "5 hours and 45 minutes " * n,
    "ranges": lambda n: "from 5 to 6 " * n,
    "amounts": lambda n: "($5.00) -5 USD " * n,
    "names": lambda n: "Mr. J. R. Smith Jr. & " * n,
    "labels": lambda n: "Pilot name: John\n" * n,
    "lists": lambda n: "parties: " + "John Smith; " * n,
    "boxes": lambda n: "[x] Ohio [ ] Texas " * n,
    "denials": lambda n: "no injuries, not fatal " * n,
    "priced lines": lambda n: "2 x Pale ale ..... 12.40\n" * n,
    "bullets": lambda n: "- Site plan (2 copies)\n" * n,
    "colons": lambda n: "Enclosed:\n" * n,
    "leaders": lambda n: "Amount " + "." * n + "_" * n + " 5",
}
_STEEPEST, _SLACK = 8, 0.1  # times as long for four times as much; seconds


@pytest.fixture(autouse=True)
def steady() -> Iterator[None]:
    """Without the pauses of the collector, which come when they come."""
    gc.disable()
    yield
    gc.enable()


def _seconds(text: str) -> float:
    lines = [
        Element(
            type="Text",
            bbox=[0.1, 0.1, 0.9, 0.9],
            properties={"page_number": 1, "score": 1.0},
            text_representation=line,
        )
        for line in text.split("\n")
    ]
    began = time.process_time()
    extract(lines, _SCHEMA)
    return time.process_time() - began


@pytest.mark.parametrize("construct", _GROWING)
def test_four_times_the_text_takes_about_four_times_as_long(construct: str) -> None:
    make = _GROWING[construct]
    _seconds(make(2))  # what is loaded for the first document
    few, many = _seconds(make(250)), _seconds(make(1000))
    assert many <= _STEEPEST * few + _SLACK, f"{few * 1000:.0f} ms, then {many * 1000:.0f} ms"
