"""Paragraphs, lists, columns, margins and formulas of typeset pages that come in many forms."""

from collections.abc import Callable

import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.backend.partition.conftest import Read, lines, mapped_font_pdf, pdf

WORDS = "the harbour board met in spring and agreed to dredge the channel before the winter storms"


def kinds(result: object) -> list[str]:
    return [element.type for element in result.elements]  # type: ignore[attr-defined]


def texts(result: object) -> list[str]:
    return [element.text_representation or "" for element in result.elements]  # type: ignore[attr-defined]


def placed(canvas: Canvas, rows: list[tuple[float, float, str]], size: float = 10) -> None:
    canvas.setFont("Helvetica", size)
    for x, y, text in rows:
        canvas.drawString(x, y, text)


def test_a_paragraph_with_a_hanging_indent_stays_whole(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        full = WORDS[:86]
        rows = [
            (80.0, 700.0, f"Moray A, Sound B (2015). {full[:60]}"),
            (100.0, 687.0, "of the northern firths, and what became of them."),
            (80.0, 668.0, f"Tiree C (2019). On {full[:66]}"),
            (100.0, 655.0, "along the western coast."),
        ]
        placed(canvas, rows)

    texts_read = texts(read(pdf(draw)))
    assert [text[:5] for text in texts_read] == ["Moray", "Tiree"]
    assert texts_read[0].endswith("became of them.")


def test_the_lines_of_a_numbered_clause_are_one_block(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        placed(canvas, [(80, 700, "1.1"), (110, 700, WORDS[:80])])
        placed(canvas, [(110, 687, WORDS[:84]), (110, 674, "and so it was done.")])
        placed(canvas, [(80, 655, "1.2"), (110, 655, "The second clause is short.")])

    texts_read = texts(read(pdf(draw)))
    assert [text[:3] for text in texts_read] == ["1.1", "1.2"]


def test_a_dash_at_the_start_of_a_line_inside_of_a_sentence_opens_no_item(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, 80, 700, [WORDS[:83], "- as they had for years - without a word to the town"])

    assert kinds(read(pdf(draw))) == ["Text"]


def test_dashes_below_each_other_are_items(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, 80, 700, ["They sell:", "- rope of hemp", "- salt in barrels", "- tar"])

    assert kinds(read(pdf(draw)))[-3:] == ["List-item"] * 3


def test_bullets_that_are_drawn_make_list_items(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for row, text in enumerate(("rope of hemp", "salt in barrels", "tar")):
            canvas.circle(90, 703 - 16 * row, 1.8, stroke=0, fill=1)
            placed(canvas, [(100, 700 - 16 * row, text)])

    partition = read(pdf(draw))
    assert kinds(partition) == ["List-item"] * 3
    assert texts(partition)[0] == "• rope of hemp"


def prose(canvas: Canvas, x: float, y: float, rows: int) -> None:
    lines(canvas, x, y, [f"{row} {WORDS[:44]}" for row in range(rows)])


def test_a_white_band_beside_a_formula_does_not_part_the_lines_above(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, 80, 700, [WORDS[:80]] * 6)
        placed(canvas, [(200, 615, "h(t) = a + b · t"), (480, 615, "(1)")])
        lines(canvas, 80, 590, [WORDS[:80]] * 4)

    partition = read(pdf(draw))
    assert kinds(partition) == ["Text", "Formula", "Text"]
    assert texts(partition)[1] == "h(t) = a + b · t (1)"


def test_the_pieces_of_a_fraction_are_one_formula(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, 80, 700, [WORDS[:80]] * 3)
        placed(
            canvas, [(200, 640, "r ="), (225, 647, "x + y"), (228, 633, "2 z"), (260, 640, "− 1")]
        )
        canvas.line(223, 643, 255, 643)
        lines(canvas, 80, 605, [WORDS[:80]] * 3)

    partition = read(pdf(draw))
    assert kinds(partition) == ["Text", "Formula", "Text"]
    assert sorted(texts(partition)[1].split()) == sorted(
        ["r", "=", "x", "+", "y", "2", "z", "−", "1"]
    )


def test_marks_at_the_right_edge_are_read_with_their_rows(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for question in range(4):
            y = 700 - 60 * question
            placed(canvas, [(80, y, f"Question {question}"), (480, y, f"[{question} marks]")])
            placed(canvas, [(80, y - 14, f"Say how often {WORDS[:50]}")])

    text = " ".join(texts(read(pdf(draw))))
    assert [text.index(f"[{n} marks]") < text.index(f"Question {n + 1}") for n in range(3)] == [
        True
    ] * 3


def test_a_heading_at_the_foot_of_a_column_opens_the_text_across_below(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        prose(canvas, 60, 760, 12)
        prose(canvas, 320, 760, 14)
        canvas.setFont("Helvetica-Bold", 13)
        canvas.drawString(60, 560, "What follows")
        lines(canvas, 60, 542, [f"{WORDS} {WORDS[:20]}"] * 4, 9)

    texts_read = texts(read(pdf(draw)))
    assert texts_read.index("What follows") == len(texts_read) - 2


def book(title: Callable[[int], str], y: float, pages: int = 5) -> bytes:
    def page(number: int) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            placed(canvas, [(80, y, title(number))], 9)
            prose(canvas, 80, y - 40, 20 + number)
            placed(canvas, [(300, 120, str(number))], 9)

        return draw

    return pdf(*map(page, range(1, pages + 1)))


def test_running_headers_are_known_by_their_place_on_many_pages(read: Read) -> None:
    names = ["Pilots", "Tugs", "Grain and salt", "Timber", "Departure"]
    elements = read(book(lambda n: f"Chapter {names[n - 1]}", 730)).elements
    headers = [e.text_representation for e in elements if e.type == "Page-header"]
    assert headers == [f"Chapter {name}" for name in names]


def test_page_numbers_above_a_wide_margin_are_footers(read: Read) -> None:
    elements = read(book(lambda n: "The port", 730)).elements
    footers = [e.text_representation for e in elements if e.type == "Page-footer"]
    assert footers == ["1", "2", "3", "4", "5"]


def test_numbers_below_each_other_on_one_page_are_not_running_headers(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        placed(canvas, [(80, 735, "1,400"), (80, 722, "1,600")])
        prose(canvas, 80, 640, 20)

    assert "Page-header" not in kinds(read(pdf(draw)))


def test_titles_of_slides_are_not_running_headers(read: Read) -> None:
    def slide(number: int) -> Callable[[Canvas], None]:
        def draw(canvas: Canvas) -> None:
            canvas.setFont("Helvetica-Bold", 26)
            canvas.drawString(40, 350, f"Measure number {number}")
            lines(canvas, 40, 280, ["The first thing to do", "The second thing to do"], 16)

        return draw

    elements = read(pdf(*map(slide, range(1, 5)), size=(720, 405))).elements
    assert [e.type for e in elements].count("Page-header") == 0


def test_the_depth_of_headings_follows_their_numbers_and_their_size(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        y = 780.0
        for text, size in (
            ("1 Arrival", 16),
            ("1.1 Pilots", 13),
            ("1.2 Tugs", 13),
            ("2 Cargo", 16),
            ("By night", 13),
        ):
            canvas.setFont("Helvetica-Bold", size)
            canvas.drawString(80, y, text)
            lines(canvas, 80, y - 24, [WORDS[:80]] * 4)
            y -= 110

    elements = read(pdf(draw)).elements
    heads = [
        (e.text_representation, e.properties["level"]) for e in elements if "level" in e.properties
    ]
    assert heads == [
        ("1 Arrival", 1), ("1.1 Pilots", 2), ("1.2 Tugs", 2), ("2 Cargo", 1), ("By night", 2),
    ]  # fmt: skip


def test_a_line_of_source_code_is_not_a_heading(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, 80, 760, [WORDS[:80]] * 5)
        canvas.setFont("Courier", 11)
        canvas.setFillColorRGB(0.6, 0.1, 0.1)
        canvas.drawString(80, 670, "measure(tide)")
        canvas.setFillColorRGB(0, 0, 0)
        lines(canvas, 80, 640, [WORDS[:80]] * 5)

    assert kinds(read(pdf(draw))) == ["Text", "Text", "Text"]


def test_letters_of_a_right_to_left_word_may_come_in_either_order(read: Read) -> None:
    """Some programs write them as they look, from left to right, one by one."""
    letters = {97 + n: 0x5D0 + n for n in range(26)}
    shows = b"/F1 12 Tf " + b"".join(
        b"1 0 0 1 %d 200 Tm (%c) Tj " % (200 + 7 * at, letter) for at, letter in enumerate(b"edcba")
    )
    texts_read = texts(read(mapped_font_pdf(shows, letters, b"Courier")))
    assert texts_read == ["".join(chr(0x5D0 + n) for n in range(5))]


def test_a_link_in_a_line_does_not_part_its_paragraph(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        rows = [WORDS[:80]] * 4
        lines(canvas, 80, 700, rows[:1])
        text = canvas.beginText(80, 687)
        text.setFillColorRGB(0, 0, 0.6)
        text.textOut("Sound and Moray (1992) ")
        text.setFillColorRGB(0, 0, 0)
        text.textOut(WORDS[:58])
        canvas.drawText(text)
        lines(canvas, 80, 674, rows[2:])

    assert len(read(pdf(draw)).elements) == 1


def test_headings_at_the_upper_edge_are_not_running_headers(read: Read) -> None:
    """A life in two columns begins with a heading, and with a line below its name."""

    def draw(canvas: Canvas) -> None:
        for number, name in enumerate(("CONTACT", "LANGUAGES", "SKILLS")):
            canvas.setFont("Helvetica-Bold", 12)
            canvas.drawString(40, 800 - 130 * number, name)
            lines(canvas, 40, 770 - 130 * number, ["one word", "two words", "three"])
        canvas.setFont("Helvetica-Bold", 24)
        canvas.drawString(220, 800, "Ada Whitlock")
        lines(canvas, 220, 784, ["Analyst of harbours"])
        lines(canvas, 220, 730, [WORDS[:60]] * 9)

    hits = {e.text_representation: e.type for e in read(pdf(draw)).elements}
    assert hits["CONTACT"] == hits["SKILLS"] == "Section-header"
    assert hits["Analyst of harbours"] == "Text"


def draw_notice(canvas: Canvas) -> None:
    canvas.setFont("Helvetica-Bold", 11)
    canvas.drawCentredString(306, 740, "Notice of the Annual Meeting")
    lines(canvas, 72, 700, [WORDS[:80]] * 6)
    canvas.setFont("Helvetica-Bold", 10)
    canvas.drawString(72, 590, "Proxies")
    lines(canvas, 72, 570, [WORDS[:80]] * 6)


def test_a_bold_line_at_the_top_of_the_only_page_is_its_title(read: Read) -> None:
    hits = {e.text_representation: e.type for e in read(pdf(draw_notice)).elements}
    assert hits["Notice of the Annual Meeting"] == "Title"
    assert hits["Proxies"] == "Section-header"


def test_an_empty_first_page_costs_no_heading(read: Read) -> None:
    result = read(pdf(lambda canvas: None, draw_notice))
    hits = {e.text_representation: e.type for e in result.elements}
    assert hits["Notice of the Annual Meeting"] == "Title" and not result.notes


def test_the_bold_title_of_a_box_is_a_heading(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        lines(canvas, 80, 700, [WORDS[:80]] * 6)
        canvas.setFont("Helvetica-Bold", 13)
        canvas.drawString(80, 560, "Box 1: Depth of the fairway")
        lines(canvas, 80, 535, [WORDS[:80]] * 6)

    assert kinds(read(pdf(draw))) == ["Text", "Section-header", "Text"]


@pytest.mark.parametrize("pitch", [14, 24, 30])
def test_paragraphs_stay_whole_however_far_apart_their_lines_are(read: Read, pitch: int) -> None:
    paragraphs = [
        ["The lessee covenants not to keep petrol on the floor and to paint the",
         "inside woodwork in every third year, and to permit the lessor to",
         "enter on notice of two days."],
        ["The lessor covenants for quiet enjoyment and to insure the building in a",
         "sum that covers what it would cost to build it anew, for as long as the",
         "term runs, and to renew the insurance."],
        ["Any assignment in breach of the foregoing is null and without effect."],
    ]  # fmt: skip

    def draw(canvas: Canvas) -> None:
        top = 740.0
        for paragraph in paragraphs:
            for line in paragraph:
                canvas.drawString(72, top, line)
                top -= pitch
            top -= 14

    elements = read(pdf(draw)).elements
    assert [one.text_representation for one in elements] == list(map(" ".join, paragraphs))


def test_lines_far_apart_that_say_something_each_stay_apart(read: Read) -> None:
    entries = ["Chapter one, the harbour of Hollowell and its ships",
               "Chapter two, the quay and the lamps of its lighters",
               "Chapter three, the bell that was lost and found anew"]  # fmt: skip

    def draw(canvas: Canvas) -> None:
        for row, entry in enumerate(entries):
            canvas.drawString(72, 700 - 26 * row, entry)

    assert [one.text_representation for one in read(pdf(draw)).elements] == entries
