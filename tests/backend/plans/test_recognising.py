"""Values of a type in a sentence, where a step reads them from texts without a model."""

from typing import Any

import pytest

from backend.plans.running.recognising import read_sentence


@pytest.mark.parametrize(
    ("kind", "sentence", "value"),
    [
        ("float", "The loss was (175) in all.", -175),
        ("float", "Loss for the year $(1,175.50)", -1175.5),
        ("money", "The loss of 3 boats came to $1.2 million.", 1_200_000),
        ("int", "On 3 August , 2014 the loss was 12 boats.", 12),
        ("float", "The loss was seen at 1100 MST.", None),
        ("int", "The loss was seen at 14:30.", None),
        ("date", "The loss of August 3 , 2014", "2014-08-03"),
        ("date", "Losses from July 1 - July 31 , 2014", "2014-07-01"),
        ("date", "The loss of 4 boats", None),
    ],
)
def test_a_value_is_read_correctly_or_not_at_all(kind: str, sentence: str, value: Any) -> None:
    reading = read_sentence(sentence, ["loss"], kind, ())
    assert (None if reading is None else reading.value) == value
