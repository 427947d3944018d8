"""Paragraphs that count are the items of a list; a number alone proves nothing."""

import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.backend.partition.conftest import Read, lines, pdf

BEFORE = "The crew signs this list each morning before the first trip of the day begins."


def kinds_of(read: Read, items: list[str], indents: list[float] | None = None) -> list[str]:
    """The kinds of the paragraphs that stand below a sentence."""

    def draw(canvas: Canvas) -> None:
        lines(canvas, 60, 780, [BEFORE])
        for number, item in enumerate(items):
            x = 60 + (indents[number] if indents else 0)
            lines(canvas, x, 740 - 30 * number, [item])

    return [element.type for element in read(pdf(draw)).elements[1:]]


@pytest.mark.parametrize(
    "items",
    [
        ["1. Check the ropes.", "2. Count the passengers.", "3. Cast off."],
        ["1) the time of landing;", "2) the state of the tide;"],
        ["(a) nobody stands on the ramp;", "(b) bicycles are pushed;", "(c) dogs are led."],
        ["(i) Nobody stands on the ramp.", "(ii) Bicycles are pushed.", "(iii) Dogs are led."],
        ["[9] Berg, H. The tide.", "[10] Dahl, K. Boats."],
    ],
)
def test_paragraphs_that_count_are_items(read: Read, items: list[str]) -> None:
    assert kinds_of(read, items) == ["List-item"] * len(items)


@pytest.mark.parametrize(
    "items",
    [
        ["1. A sentence that has a number and no second one beside it."],
        ["3. The third remark of the crew.", "7. The seventh remark of the crew."],
        ["1. The first remark of the crew.", "2) The second in another notation."],
    ],
)
def test_numbers_that_do_not_follow_each_other_are_text(read: Read, items: list[str]) -> None:
    assert "List-item" not in kinds_of(read, items)


def test_a_list_in_a_list_does_not_interrupt_the_count(read: Read) -> None:
    items = ["1. Start the engine:", "a) open the valve;", "b) turn the key.", "2. Cast off."]
    assert kinds_of(read, items, [0, 20, 20, 0]) == ["List-item"] * 4


def test_short_items_set_like_headings_are_items(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, 60, 740, 3 * ["Before the tide turns, the crew does what is told below."])
        for number, text in enumerate(("Loosen the lines", "Start the pump", "Call the pilot"), 1):
            canvas.setFont("Helvetica-Bold", 12)
            canvas.drawString(60, 700 - 34 * number, f"{number}. {text}")

    assert [e.type for e in read(pdf(draw)).elements] == ["Text", *["List-item"] * 3]
