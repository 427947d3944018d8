"""Values in the running that are found by their form."""

from collections.abc import Callable

import pytest

from backend.extraction.cues import Cues
from backend.extraction.document import Document
from backend.extraction.targets import targets
from backend.extraction.wanted import wanted
from backend.extraction.wide import spots
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The overrun was due to the burst rising main.", "the burst rising main"),
        ("They leave because our girl starts school in Bath, as you know.",
         "our girl starts school in Bath"),
        ("The money is meant for the purchase of two lifts and may not be lent.",
         "the purchase of two lifts"),
        ("The loss was caused by unseaworthiness at the start of the voyage and not by weather.",
         "unseaworthiness at the start of the voyage"),
    ],
)  # fmt: skip
def test_a_reason_is_in_the_running_as_far_as_its_clause_goes(
    document: Build, schema: MakeSchema, text: str, reason: str
) -> None:
    (target,) = targets(schema(("reason", "string")).properties)
    read = Document(document(text))
    found = spots(target, wanted("reason", "", []), read, Cues(target, read))
    assert reason in [spot.value for spot in found]
