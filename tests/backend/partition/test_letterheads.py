"""The name of an issuer is a heading where it is the title of the page, and not above a title."""

import pytest
from reportlab.pdfgen.canvas import Canvas

from backend.partition.layout.letterheads import OF_NAMES, surroundings_of_names
from tests.backend.partition.conftest import Read, lines, pdf
from tests.backend.partition.test_headings_of_letters_and_forms import _headings, _page

TEXT = [
    "The gauges at the lower lock were read every hour, and the readings of the night are given",
    "as the mean of two observers. Readings that were lost in the storm of May are left out.",
]
NAME = "Nordquay Water Institute"


def _sheet(under: list[str], title: str, name_size: float = 13.0) -> bytes:
    """A name, smaller lines below it, a title and three sections."""

    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", name_size)
        canvas.drawString(70, 760, NAME)
        canvas.setFont("Helvetica", 8)
        for at, text in enumerate(under):
            canvas.drawString(70, 745 - 10 * at, text)
        y = 700.0
        if title:
            canvas.setFont("Helvetica-Bold", 15)
            canvas.drawString(70, y, title)
            y -= 30
        for head in ("Results", "Method", "Conditions"):
            canvas.setFont("Helvetica-Bold", 11)
            canvas.drawString(70, y, head)
            lines(canvas, 70, y - 16, TEXT)
            y -= 80

    return pdf(draw)


@pytest.mark.parametrize("size", [13.0, 19.0])
def test_a_name_and_its_address_above_the_title_are_a_letterhead(read: Read, size: float) -> None:
    sheet = _sheet(["14 Harbour Street, Nordquay", "Telephone +44 20 7946 0123"], "Report 41", size)
    assert _headings(read, sheet) == ["Report 41", "Results", "Method", "Conditions"]


def test_a_name_above_a_line_of_text_and_sections_is_the_title(read: Read) -> None:
    sheet = _sheet(["Minutes of the meeting held on 3 May at half past seven"], "", 19.0)
    assert _headings(read, sheet) == [NAME, "Results", "Method", "Conditions"]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("Telephone 0471 4471", 2.0),
        ("office@quay.example", 2.0),
        ("14 Harbour Street, Nordquay", 1.0),
        ("Rua do Cais 118, Matosinhos", 1.0),
        ("P.O. Box 88, Kericho", 1.0),
        ("57-340 Duszniki", 1.0),
        ("Valid from 14 December 2025 to 20 June 2026", 0.0),
        ("101 Brass sextant, about 1825", 0.0),
    ],
)
def test_streets_and_telephone_numbers_are_known_from_dates_and_lots(
    text: str, address: float
) -> None:
    measures = surroundings_of_names(_page([NAME, text]), {0: True})[0]
    assert measures[OF_NAMES.index("address")] == address


def test_a_name_that_stands_again_on_the_page_counts_as_such() -> None:
    page = _page([NAME, "Results", f"{NAME}, registered in Nordquay"])
    measures = surroundings_of_names(page, {0: True, 1: True})
    again = OF_NAMES.index("again")
    assert [measures[at][again] for at in (0, 1)] == [1.0, 0.0]
