"""Values of a closed list are recognised however a document writes them."""

from collections.abc import Callable
from typing import Any

import pytest

from backend.extraction.cues import Cues
from backend.extraction.document import Document
from backend.extraction.engine import compiled, extract
from backend.extraction.options import option_spots
from backend.extraction.spots import Spot
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


@pytest.fixture
def mentioned(document: Build, schema: MakeSchema) -> Callable[..., dict[Any, Spot]]:
    """The options that a text mentions, each with its fullest mention."""

    def look(choices: list[Any], *texts: str) -> dict[Any, Spot]:
        wanted = schema(("state", {"type": "choice", "choices": choices}))
        read = Document(document(*texts))
        result = option_spots(choices, read, Cues(compiled(wanted)[0], read))
        named = [spot for spot in result if spot.traits["literal"] > 0.0]
        return {spot.value: spot for spot in sorted(named, key=lambda s: s.traits["literal"])}

    return look


def test_an_option_is_recognised_in_other_spelling_and_as_a_sign(
    mentioned: Callable[..., dict[Any, Spot]],
) -> None:
    assert mentioned(["follow-up", "first"], "This was a FOLLOW UP.").keys() == {"follow-up"}
    assert mentioned(["EUR", "GBP"], "The sum of £ 12 is due.").keys() == {"GBP"}
    assert mentioned([2, 3], "Class 3 applies.").keys() == {3}


def test_a_longer_option_hides_the_shorter_one_inside_it(
    mentioned: Callable[..., dict[Any, Spot]],
) -> None:
    choices = ["granted", "granted with conditions"]
    assert mentioned(choices, "It was granted with conditions.").keys() == {choices[1]}


def test_ticked_and_denied_options_differ(
    mentioned: Callable[..., dict[Any, Spot]],
) -> None:
    ticks = mentioned(["train", "coach", "boat"], "Transport: ☐ Train ☒ Coach [ ] Boat")
    assert {value: spot.traits["ticked"] for value, spot in ticks.items()} == {
        "train": -1.0, "coach": 1.0, "boat": -1.0,
    }  # fmt: skip
    assert mentioned(["pass", "fail"], "It did not pass.")["pass"].traits["denied"] == 1.0


def test_an_option_without_a_mention_is_in_the_running_by_its_meaning(
    document: Build, schema: MakeSchema
) -> None:
    wanted = schema(("transport", {"type": "choice", "choices": ["rail", "road"]}))
    read = Document(document("Transport", "We all go by train."))
    result = option_spots(["rail", "road"], read, Cues(compiled(wanted)[0], read))
    assert {spot.value for spot in result} == {"rail", "road"}
    assert all(spot.traits["literal"] == 0.0 for spot in result)


def test_a_text_with_choices_is_one_of_them(document: Build, schema: MakeSchema) -> None:
    wanted = schema(("verdict", {"type": "string", "choices": ["complies", "does not comply"]}))
    read = extract(document("Verdict: Complies with the requirement"), wanted)
    assert read["verdict"].value == "complies"
