"""A message names what is wrong with the input without repeating all of it."""

import json

import pytest

from backend.api.failures import answer_of
from workbench.contract.errors import BadRequest, Choice, FieldFault, Invalid

LONG = "word " * 12_000


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        (f"there is no field '{LONG}'.", f"there is no field '{LONG[:200]}…'."),
        (f"I don’t know “{LONG}”.", f"I don’t know “{LONG[:200]}…”."),
        (
            f"Set it. {LONG}Nothing changed.",
            f"Set it. {LONG[:1592]} … {LONG[-384:]}Nothing changed.",
        ),
        ("the field 'a' is no 'b'; " * 40, "the field 'a' is no 'b'; " * 40),
    ],
)
def test_a_message_repeats_little_of_a_long_input(message: str, shown: str) -> None:
    for error in (BadRequest(message), Invalid.at(("body", "query"), message)):
        detail = json.loads(bytes(answer_of(error).body))["detail"]
        assert (detail if isinstance(detail, str) else detail[0]["msg"]) == shown


def test_the_readings_of_an_ambiguous_request_are_sent_whole() -> None:
    choice = Choice(words=f"“{LONG}”", edit={"a": 1}, plan={"b": 2})
    fault = FieldFault(loc=["body", 0], msg="Which?", type="ambiguous", choices=[choice])
    (sent,) = json.loads(bytes(answer_of(Invalid([fault])).body))["detail"]
    assert sent == fault.model_dump()
