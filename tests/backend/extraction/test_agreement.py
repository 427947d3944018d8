"""Two readers of one document: what each is sure of, and what becomes of their differences."""

from typing import Any

import pytest

from backend.extraction.agreement import agreed
from backend.extraction.citing import CitedValue
from backend.extraction.extracted import Extracted
from workbench.contract.elements import Element

SURE = 0.8
ELEMENTS = [
    Element(
        type="Text",
        bbox=[0, 0.1 * at, 1, 0.1 * at + 0.1],
        text_representation="",
        properties={"page_number": at + 1},
    )
    for at in range(3)
]


def rules(value: Any, confidence: float, element: int | None = 0) -> Extracted:
    return Extracted(value, confidence, 1, [0, 0, 1, 0.1], element)


def model(value: Any, confidence: float = 0.75) -> dict[str, CitedValue]:
    return {"x": CitedValue(value=value, element=2, confidence=confidence)}


def settled(
    extracted: Extracted, *samples: dict[str, CitedValue], note: str | None = None
) -> Extracted:
    return agreed({"x": extracted}, {"samples": list(samples), "note": note}, ELEMENTS)["x"]


def test_agreement_of_rules_and_model_raises_confidence() -> None:
    both = settled(rules("Texas", 0.6), model("texas."))
    assert (both.value, both.source) == ("Texas", "both")
    assert both.confidence > 0.75


def test_a_value_of_the_model_alone_has_its_source_and_low_confidence() -> None:
    result = settled(rules(None, 0.0, None), model(12.5))
    assert (result.value, result.source) == (12.5, "model")
    assert (result.page, result.element) == (3, 2)
    assert result.bbox == ELEMENTS[2].bbox
    assert result.confidence < SURE


def test_a_value_of_the_rules_alone_keeps_most_of_its_confidence() -> None:
    result = settled(rules("Texas", 0.9), {})
    assert (result.value, result.source) == ("Texas", "rules")
    assert 0.75 < result.confidence < 0.9


@pytest.mark.parametrize("confidence", [0.65, 0.9])
def test_rules_that_read_a_label_keep_their_value_and_lose_their_certainty(
    confidence: float,
) -> None:
    extracted = settled(rules("Texas", confidence), model("Utah"))
    assert (extracted.value, extracted.source) == ("Texas", "rules")
    assert extracted.confidence < SURE
    assert [other.value for other in extracted.others] == ["Utah"]


def test_rules_that_guess_give_way() -> None:
    extracted = settled(rules("Texas", 0.4), model("Utah"))
    assert (extracted.value, extracted.source) == ("Utah", "model")
    assert [other.value for other in extracted.others] == ["Texas"]
    assert extracted.confidence < 0.75


def test_several_answers_that_agree_make_a_model_sure() -> None:
    extracted = settled(rules(None, 0.0, None), model("Utah"), model("utah"), model("Utah"))
    assert extracted.confidence >= SURE


def test_a_majority_wins_with_less_confidence_and_a_draw_is_nothing() -> None:
    nothing = rules(None, 0.0, None)
    assert settled(nothing, model("Utah"), model("Utah"), model("Texas")).confidence < 0.6
    assert settled(nothing, model("Utah"), model("Texas"), model("Maine")).value is None


def test_without_the_model_the_rules_are_unchanged_and_give_the_reason() -> None:
    extracted = settled(rules("Texas", 0.9), note="without the language model: too slow")
    assert (extracted.value, extracted.confidence, extracted.source) == ("Texas", 0.9, "rules")
    assert extracted.note == "without the language model: too slow"


def test_a_default_is_not_a_finding() -> None:
    default = Extracted("none", 0.0)
    assert settled(default, {}) == default
    assert settled(default, model("Utah")).value == "Utah"
