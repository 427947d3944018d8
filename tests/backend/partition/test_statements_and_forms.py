"""Financial statements, forms, spaced-out titles and bold headings: where rules and styles are
few."""

import io

from docx import Document
from reportlab.lib.colors import navy, white
from reportlab.pdfgen.canvas import Canvas

from tests.backend.partition.conftest import Read, lines, pdf

ROWS = [
    ("Profit before tax", "4,210", "3,876"),
    ("Depreciation", "1,905", "1,822"),
    ("Cash from operations", "6,115", "5,698"),
    ("Tax paid", "(801)", "(722)"),
    ("Net cash", "5,314", "4,976"),
]


def contents(result: object) -> list[list[str]]:
    elements = result.elements  # type: ignore[attr-defined]
    return [[cell.content for cell in e.table.cells] for e in elements if e.table is not None]


def statement(canvas: Canvas, top: float, *, head: tuple[str, str]) -> None:
    canvas.setFont("Helvetica-Bold", 10)
    for column, year in enumerate(head):
        canvas.drawRightString(420 + 80 * column, top, year)
    canvas.setFont("Helvetica", 10)
    for row, (label, *values) in enumerate(ROWS):
        y = top - 15 * (row + 1)
        canvas.drawString(60, y, label)
        for column, value in enumerate(values):
            right = 420 + 80 * column
            canvas.drawRightString(right, y, value)
            if label in ("Cash from operations", "Net cash"):
                canvas.line(right - 60, y + 10, right, y + 10)


def test_rules_over_totals_do_not_cut_a_statement_from_its_labels(read: Read) -> None:
    partition = read(pdf(lambda canvas: statement(canvas, 700, head=("2023", "2022"))))
    assert contents(partition) == [["", "2023", "2022", *(text for row in ROWS for text in row)]]


def test_the_totals_of_two_statements_are_not_the_ends_of_one_table(read: Read) -> None:
    prose = [
        "The charges of the second half are shown below; they follow the order of the board, and",
        "include the berths that were opened in spring, which are let by the week.",
    ]

    def draw(canvas: Canvas) -> None:
        for top in (740, 540):
            for row, (label, *values) in enumerate(ROWS[:4]):
                y = top - 15 * row
                canvas.setFont("Helvetica", 10)
                canvas.drawString(60, y, label)
                for column, value in enumerate(values):
                    canvas.drawRightString(420 + 80 * column, y, value)
            canvas.line(60, top - 34, 500, top - 34)
        lines(canvas, 60, 630, prose, 10)

    assert contents(read(pdf(draw))) == 2 * [[text for row in ROWS[:4] for text in row]]


def test_a_label_over_two_lines_belongs_to_the_head_of_a_table_without_rules(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        statement(canvas, 700, head=("of which fixed", "2022"))
        canvas.setFont("Helvetica-Bold", 10)
        canvas.drawRightString(420, 712, "Total costs")

    assert contents(read(pdf(draw)))[0][:3] == ["", "Total costs of which fixed", "2022"]


def test_the_headings_of_a_form_in_shaded_bars_make_no_table(read: Read) -> None:
    fields = ["Surname", "Address", "Telephone", "Sailing yacht", "Motor boat"]

    def draw(canvas: Canvas) -> None:
        for part, top in (("A. Applicant", 740), ("B. Vessel", 600), ("C. Declaration", 460)):
            canvas.setFillColor(navy)
            canvas.rect(50, top - 4, 500, 18, stroke=0, fill=1)
            canvas.setFillColor(white)
            canvas.setFont("Helvetica-Bold", 11)
            canvas.drawString(56, top, part)
            canvas.setFillColorRGB(0, 0, 0)
            canvas.setFont("Helvetica", 10)
            for row, field in enumerate(fields):
                canvas.drawString(56, top - 22 * (row + 1), field)
            canvas.drawString(320, top - 22, "First name")

    partition = read(pdf(draw))
    heads = [e.text_representation for e in partition.elements if e.type == "Section-header"]
    assert contents(partition) == []
    assert heads == ["A. Applicant", "B. Vessel", "C. Declaration"]


def test_letters_spaced_out_for_style_are_words(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 11)
        text = canvas.beginText(60, 740)
        text.setCharSpace(3.3)
        text.textLine("PRESS RELEASE")
        text.setCharSpace(0)
        text.textLine("a b c d e f")
        canvas.drawText(text)

    texts = "\n".join(e.text_representation or "" for e in read(pdf(draw)).elements)
    assert texts == "PRESS RELEASE a b c d e f"


def test_bold_lines_head_a_word_document_without_heading_styles(read: Read) -> None:
    def minutes(*, styled: bool) -> bytes:
        document, out = Document(), io.BytesIO()
        if styled:
            document.add_heading("Minutes", 1)
        for head in ("1. Apologies", "2. Budget"):
            document.add_paragraph().add_run(head).bold = True
            document.add_paragraph("The committee met on the first Tuesday of the month.")
        document.save(out)
        return out.getvalue()

    def heads(data: bytes) -> list[str | None]:
        elements = read(data, "minutes.docx").elements
        return [e.text_representation for e in elements if e.type == "Section-header"]

    assert heads(minutes(styled=False)) == ["1. Apologies", "2. Budget"]
    assert heads(minutes(styled=True)) == ["Minutes"]


def test_a_total_without_a_label_is_the_last_row_of_its_table(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        rows = [("", "Current", "Later"), ("Loans", "1,200", "8,400"), ("Leases", "310", "1,025")]
        canvas.setFont("Helvetica", 10)
        for row, texts in enumerate([*rows, ("", "1,510", "9,425")]):
            for column, text in enumerate(texts):
                canvas.drawRightString(160 + 90 * column, 700 - 14 * row, text)
        for y in (696, 669):
            for column in range(3):
                canvas.line(70 + 90 * column, y, 160 + 90 * column, y)

    assert contents(read(pdf(draw)))[0][-3:] == ["", "1,510", "9,425"]


def test_a_line_in_the_middle_over_full_lines_is_not_their_beginning(read: Read) -> None:
    full = "Buyers now bid online and the auction hall is quiet before noon on every working day of"

    def draw(canvas: Canvas) -> None:
        lines(canvas, 70, 740, [full, full, "the week."], 11)
        canvas.setFont("Helvetica", 11)
        canvas.drawCentredString(70 + canvas.stringWidth(full, "Helvetica", 11) / 2, 680, "After")
        lines(canvas, 70, 666, [full, "the week."], 11)

    texts = [e.text_representation for e in read(pdf(draw)).elements]
    assert "After" in [(text or "").strip() for text in texts]


def test_a_label_over_two_columns_of_a_statement_spans_them(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        statement(canvas, 700, head=("2023", "2022"))
        canvas.setFont("Helvetica-Bold", 10)
        canvas.drawCentredString(450, 715, "Year ended 30 June")
        canvas.line(385, 711, 505, 711)

    table = next(e.table for e in read(pdf(draw)).elements if e.table is not None)
    label = next(cell for cell in table.cells if cell.content == "Year ended 30 June")
    assert (label.rows, label.cols) == ([0], [1, 2])
    assert table.num_rows == 7


def test_a_title_of_two_centred_lines_is_one(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", 13)
        canvas.drawCentredString(300, 760, "Marlow Ferries")
        canvas.drawCentredString(300, 743, "Consolidated statement of cash flows")
        lines(canvas, 250, 728, ["(thousands of euro)"])
        statement(canvas, 690, head=("2023", "2022"))

    title = read(pdf(draw)).elements[0]
    assert title.text_representation == "Marlow Ferries Consolidated statement of cash flows"


def test_dots_that_lead_to_the_columns_of_a_table_are_not_text(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 10)
        for row, (label, *values) in enumerate(ROWS):
            y = 700 - 15 * row
            canvas.drawString(60, y, label)
            start = 64 + canvas.stringWidth(label)
            canvas.drawRightString(355, y, "." * int((355 - start) / canvas.stringWidth(".")))
            for column, value in enumerate(values):
                canvas.drawRightString(420 + 80 * column, y, value)

    assert contents(read(pdf(draw))) == [[text for row in ROWS for text in row]]
