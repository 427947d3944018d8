"""Signatures are no headings; numbered lines are headings together or not at all."""

import pytest
from reportlab.pdfgen.canvas import Canvas

from backend.partition.layout.blocks import Block
from backend.partition.layout.habits import habits_of
from backend.partition.layout.headings import NAMES, agreed, numbered_series
from backend.partition.layout.regions import LaidPage
from backend.partition.page import Line, Rect, Style, Word
from tests.backend.partition.conftest import Read, lines, pdf

TEXT = [
    "We thank you for the order of twelve lamps for the reading room of the old library,",
    "which we received on the second of May, and are glad to confirm it on the same terms.",
]


def _headings(read: Read, data: bytes) -> list[str | None]:
    kinds = ("Title", "Section-header")
    return [one.text_representation for one in read(data).elements if one.type in kinds]


@pytest.mark.parametrize("closing", ["Yours sincerely,", "With kind regards", "Cordialement"])
def test_the_name_below_the_end_of_a_letter_is_no_heading(read: Read, closing: str) -> None:
    def draw(canvas: Canvas) -> None:
        for at in range(4):
            lines(canvas, 70, 740 - 50 * at, TEXT)
        lines(canvas, 70, 530, [closing])
        canvas.setFont("Helvetica-BoldOblique", 12)
        canvas.drawString(70, 480, "Adela Quarrington")
        lines(canvas, 70, 440, ["Enclosed: the list of lamps"])

    assert _headings(read, pdf(draw)) == []


def _page(texts: list[str], *, bold: bool = False) -> LaidPage:
    """A page with a block for each text below the other."""
    style, blocks = Style(10.0, "Helvetica", bold), []
    for at, text in enumerate(texts):
        box = Rect(60, 60 + 20 * at, 60 + 5 * len(text), 70 + 20 * at)
        blocks.append(Block([Line.of([Word(text, box, style)])]))
    return LaidPage(1, 600, 800, 0, [*blocks])


def _series(texts: list[str]) -> list[list[str]]:
    return [[block.text for block in one] for one in numbered_series(_page(texts))]


def test_numbered_lines_that_count_on_with_answers_between_them_are_a_series() -> None:
    asked = ["1. Where does it hurt?", "2. Since when?", "3. Do you smoke?"]
    assert _series([asked[0], "Left knee", asked[1], "March", asked[2], "No"]) == [asked]


def test_lots_of_a_catalogue_are_a_series() -> None:
    lots = ["101 Brass sextant", "102 Octant in ebony", "103 Box of instruments"]
    texts = [lots[0], "worn", lots[1], "complete", lots[2], "new"]
    assert _series(texts) == [lots]


@pytest.mark.parametrize(
    "texts",
    [
        ["1. Bread", "2. Butter", "3. Jam", "4. Honey"],
        ["1. Bread", "white", "3. Butter", "salted", "7. Jam", "plum"],
        ["1. Cut the bread.", "thick", "2. Add the butter.", "cold", "3. Add the jam.", "plum"],
    ],
)
def test_items_of_lists_gaps_and_sentences_are_no_series(texts: list[str]) -> None:
    assert _series(texts) == []


def test_numbered_lines_in_the_style_of_other_bold_lines_are_decided_by_themselves() -> None:
    texts = ["REPUBLIC OF NORLAND", "No. 4 0938", "31 Goods", "47 Duties", "44 Papers"]
    blocks = [block for block in _page(texts, bold=True).regions if isinstance(block, Block)]
    page = _page(TEXT)
    usual = habits_of([block for block in page.regions if isinstance(block, Block)], [])
    rows = [[0.0] * len(NAMES) for _ in blocks]
    alone = [False, False, False, True, True]
    assert agreed(blocks, rows, alone, usual) == [False, False, True, True, True]
