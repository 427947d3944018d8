"""PDF pages become typed elements in reading order, whatever the order of their content stream."""

import io
import random
from pathlib import Path

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from backend.partition import PartitionFailure, partition
from tests.backend.partition.conftest import Read, lines, pdf
from workbench.contract.partition_options import PartitionOptions

LEFT = [f"left column line {n} with ordinary words in it" for n in range(12)]
RIGHT = [f"right column line {n} with ordinary words in it" for n in range(12)]
PROSE = [f"sentence number {n} of the body goes on over the width of the page" for n in range(10)]


def test_two_columns_are_read_one_after_the_other_even_from_a_shuffled_stream(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        pieces = [(50, 700 - 13 * n, t) for n, t in enumerate(LEFT)]
        pieces += [(310, 700 - 13 * n, t) for n, t in enumerate(RIGHT)]
        random.Random(7).shuffle(pieces)
        canvas.setFont("Helvetica", 10)
        for x, y, text in pieces:
            canvas.drawString(x, y, text)

    text = " ".join(e.text_representation or "" for e in read(pdf(draw)).elements)
    assert text == " ".join(LEFT + RIGHT)


def test_a_large_bold_line_above_prose_is_a_heading(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, 60, 720, PROSE)
        canvas.setFont("Helvetica-Bold", 15)
        canvas.drawString(60, 560, "2 Methods and data")
        lines(canvas, 60, 530, PROSE)

    elements = read(pdf(draw)).elements
    assert [e.type for e in elements] == ["Text", "Section-header", "Text"]
    assert elements[1].text_representation == "2 Methods and data"


def test_page_numbers_and_repeated_lines_in_the_margin_are_headers_and_footers(read: Read) -> None:
    def page(number: int) -> "object":
        def draw(canvas: Canvas) -> None:
            lines(canvas, 60, 810, ["Annual report of the society"], 9)
            lines(canvas, 60, 720, PROSE)
            lines(canvas, 290, 30, [str(number)], 9)

        return draw

    elements = read(pdf(page(1), page(2), page(3))).elements  # type: ignore[arg-type]
    assert [e.type for e in elements] == ["Page-header", "Text", "Page-footer"] * 3
    assert [e.page_number for e in elements] == [1, 1, 1, 2, 2, 2, 3, 3, 3]


def test_words_broken_at_line_ends_are_joined_unless_breaks_are_kept(read: Read) -> None:
    data = pdf(lambda canvas: lines(canvas, 60, 720, ["the remark-", "able result of the year"]))
    assert read(data).elements[0].text_representation == "the remarkable result of the year"
    kept = read(data, text_extraction_options={"remove_line_breaks": False})
    assert kept.elements[0].text_representation == "the remark-\nable result of the year"


def test_boxes_are_fractions_of_the_visible_page_from_the_top_left(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setCropBox((100, 100, 500, 500))
        lines(canvas, 300, 300, ["centre of the cropped page"])

    box = read(pdf(draw, size=(600, 600))).elements[0].bbox
    assert box[0] == pytest.approx(0.5, abs=0.01)
    assert box[1] == pytest.approx(0.5, abs=0.03)


def test_boxes_follow_the_rotation_of_the_page(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setPageRotation(90)
        canvas.saveState()
        canvas.rotate(90)
        lines(canvas, 50, -100, ["text that reads well once the page is turned"])
        canvas.restoreState()

    # The page is shown 400 wide and 600 high; reportlab swaps the sides it stores.
    element = read(pdf(draw, size=(400, 600))).elements[0]
    assert element.text_representation == "text that reads well once the page is turned"
    assert element.bbox[0] == pytest.approx(50 / 400, abs=0.01)
    assert element.bbox[2] > element.bbox[0]


def test_only_selected_pages_are_read_and_keep_their_numbers(read: Read) -> None:
    data = pdf(
        *[lambda canvas, n=n: lines(canvas, 60, 700, [f"words of page {n}"]) for n in (1, 2, 3, 4)]
    )
    result = read(data, selected_pages=[1, [3, 4]])
    assert [e.page_number for e in result.elements] == [1, 3, 4]
    assert result.page_count == 4


@pytest.mark.parametrize(
    ("pages", "message"),
    [
        ([0], "selected_pages must not have empty or zero terms"),
        ([[]], "selected_pages must not have empty or zero terms"),
        ([2, 1], "ascend"),
        ([9], "has 2 pages"),
        ([[2, 1]], "not a range"),
    ],
)
def test_impossible_page_selections_are_refused(
    read: Read, pages: list[object], message: str
) -> None:
    draw = lambda canvas: lines(canvas, 60, 700, ["words"])  # noqa: E731
    with pytest.raises(PartitionFailure, match=message) as failure:
        read(pdf(draw, draw), selected_pages=pages)
    assert failure.value.status_code == 400


def test_progress_is_reported_after_each_page(tmp_path: Path) -> None:
    draw = lambda canvas: lines(canvas, 60, 700, ["words"])  # noqa: E731
    source = tmp_path / "source"
    source.write_bytes(pdf(draw, draw))
    reported: list[tuple[int, int]] = []
    partition(
        source,
        name="a.pdf",
        options=PartitionOptions(),
        progress=lambda done, total: reported.append((done, total)),
    )
    assert reported == [(1, 2), (2, 2)]


def test_an_encrypted_pdf_says_that_it_needs_a_password(read: Read) -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, encrypt=StandardEncryption("secret"))
    canvas.drawString(100, 100, "hidden")
    canvas.save()
    with pytest.raises(PartitionFailure, match="password") as failure:
        read(buffer.getvalue())
    assert failure.value.status_code == 422


def test_a_damaged_pdf_is_a_clean_failure(read: Read) -> None:
    with pytest.raises(PartitionFailure, match="damaged"):
        read(b"%PDF-1.7\n" + b"nothing that makes sense " * 20)


def test_headings_named_in_the_outline_have_its_depth(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for number, (title, level) in enumerate((("Ports of call", 0), ("Winter berths", 1))):
            canvas.bookmarkPage(title)
            canvas.addOutlineEntry(title, title, level)
            lines(canvas, 60, 700 - 200 * number, [title])
            lines(canvas, 60, 670 - 200 * number, PROSE[:5])

    hits = [e for e in read(pdf(draw)).elements if e.type == "Section-header"]
    assert [(e.text_representation, e.properties["level"]) for e in hits] == [
        ("Ports of call", 1),
        ("Winter berths", 2),
    ]


def test_an_equation_set_apart_is_a_formula_and_a_sentence_with_one_is_not(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, 60, 700, PROSE[:4])
        lines(canvas, 200, 600, ["f(x) = a x + b (x - 1)    (3)"])
        lines(canvas, 60, 550, ["where the values of a = 3 and b = 4 were taken from the table."])

    assert [e.type for e in read(pdf(draw)).elements] == ["Text", "Formula", "Text"]


@pytest.mark.parametrize("before", [b"%PDF-1.4\njunk", b"%PDF-1.4\n"])
def test_the_error_of_a_pdf_does_not_depend_on_the_previous_file(read: Read, before: bytes) -> None:
    with pytest.raises(PartitionFailure, match="damaged"):
        read(before, "before.pdf")
    data, places = b"%PDF-1.7\n", []
    for body in (b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [] /Count 0 >>"):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (len(places), body)
    table = b"xref\n0 3\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % p for p in places)
    end = b"trailer << /Root 1 0 R /Size 3 >>\nstartxref\n%d\n%%%%EOF\n" % len(data)
    with pytest.raises(PartitionFailure, match="has no pages"):
        read(data + table + end, "empty.pdf")


@pytest.mark.parametrize("size", [0.04, 0.2])
def test_letters_too_small_to_see_are_read_without_a_fault(read: Read, size: float) -> None:
    result = read(pdf(lambda canvas: lines(canvas, 72, 700, ["Small words", "below"], size)))
    assert "Small words" in (result.elements[0].text_representation or "") and not result.notes
