"""Things that a sentence names one after the other."""

import time
from collections.abc import Callable

import pytest

from backend.extraction.document import Document
from backend.extraction.enumerations import enumerations
from workbench.contract.elements import Element

Build = Callable[..., list[Element]]


def enumerated(elements: list[Element], naming: str = "") -> list[list[str]]:
    return [
        [one.segment.text[one.start : one.end] for one in run.parts]
        for segment in Document(elements).segments
        if not segment.joined
        for run in enumerations(
            segment, {segment.text.find(naming) + len(naming)} if naming else set()
        )
    ]


@pytest.mark.parametrize(
    ("text", "things"),
    [
        (
            "The fare includes a window seat, one hot meal and two bags.",
            ["a window seat", "one hot meal", "two bags"],
        ),
        ("Instruments: oboe · cor anglais · bassoon", ["oboe", "cor anglais", "bassoon"]),
        ("Spoken: Welsh/Breton", ["Welsh", "Breton"]),
        ("Run: Hay Bay - Tull - Norton", ["Hay Bay", "Tull", "Norton"]),
        ("Signed by Ann Orr und Bo Ek, je zur Hälfte", ["Ann Orr", "Bo Ek"]),
        ("In May, bread, figs and tea were sent", ["bread", "figs", "tea"]),
        (
            "We saw cracks in the lintel; damp, rising to the sill; and a loose gutter.",
            ["cracks in the lintel", "damp, rising to the sill", "a loose gutter"],
        ),
    ],
)
def test_separators_divide_an_enumeration(document: Build, text: str, things: list[str]) -> None:
    assert things in enumerated(document(text), "saw")


def test_the_last_thing_ends_before_the_clause_that_follows(document: Build) -> None:
    read = document("Send the deed, the plan and the survey to our office at once.")
    assert ["the deed", "the plan", "the survey"] in enumerated(read, "Send")


def test_quantities_and_remarks_may_be_left_out(document: Build) -> None:
    read = document("Take 250 g rye flour, 2 tsp caraway and 1 egg (small)")
    assert ["rye flour", "caraway", "egg"] in enumerated(read, "Take")


def test_sentences_that_name_one_thing_enumerate_nothing(document: Build) -> None:
    assert not enumerated(document("The tenant keeps the garden tidy."))


def test_long_texts_take_time_by_their_length(document: Build) -> None:
    durations = []
    for many in (200, 800):
        read = document("; ".join(f"thing {number}, part and piece" for number in range(many)))
        started = time.process_time()
        enumerated(read)
        durations.append(time.process_time() - started)
    assert durations[1] < 12 * durations[0] + 0.1
