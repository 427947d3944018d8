"""Charts drawn with lines and boxes are one picture, not scattered numbers."""

from reportlab.pdfgen.canvas import Canvas

from tests.backend.partition.conftest import Read, lines, pdf

PROSE = [
    "The figure above shows how many parcels the depots handled in",
    "the first half of the year.",
]


def bars(canvas: Canvas) -> None:
    """Five bars over a base line, with numbers on the left and names below."""
    canvas.line(100, 500, 400, 500)
    canvas.line(100, 500, 100, 650)
    canvas.setFont("Helvetica", 8)
    for number in range(4):
        canvas.drawRightString(95, 498 + 40 * number, str(20 * number))
    for number, height in enumerate((120, 60, 90, 30, 45)):
        canvas.rect(120 + 55 * number, 500, 30, height, stroke=0, fill=1)
        canvas.drawCentredString(135 + 55 * number, 488, f"Q{number}")


def chart_page(canvas: Canvas) -> None:
    bars(canvas)
    lines(canvas, 100, 460, ["Figure 1. Parcels handled"], 9)
    lines(canvas, 100, 420, PROSE)


def test_a_bar_chart_is_one_image_whose_numbers_are_not_text_of_the_page(read: Read) -> None:
    elements = read(pdf(chart_page)).elements
    assert [element.type for element in elements] == ["Image", "Caption", "Text"]
    assert "60" in (elements[0].text_representation or "").split()
    assert "Q4" in (elements[0].text_representation or "").split()


def test_a_drawn_chart_carries_its_caption_when_captions_are_asked_for(read: Read) -> None:
    options = {"extract_images": True, "image_extraction_options": {"associate_captions": True}}
    image = read(pdf(chart_page), **options).elements[0]
    assert image.properties["caption"]["text_representation"] == "Figure 1. Parcels handled"
    assert image.binary_representation


def test_a_line_chart_is_an_image(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.line(100, 500, 400, 500)
        canvas.line(100, 500, 100, 650)
        path = canvas.beginPath()
        path.moveTo(110, 510)
        for x, y in ((180, 600), (250, 540), (320, 640), (390, 620)):
            path.lineTo(x, y)
        canvas.drawPath(path)
        canvas.setFont("Helvetica", 8)
        for number in range(4):
            canvas.drawRightString(95, 498 + 40 * number, str(20 * number))
        lines(canvas, 100, 420, PROSE)

    assert [element.type for element in read(pdf(draw)).elements] == ["Image", "Text"]


def test_prose_in_a_rounded_box_stays_text(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        for number in range(6):
            canvas.roundRect(90 + number, 400 + number, 400, 120, 12)
        lines(
            canvas, 110, 490, [*PROSE, "It says 20, 40 and 60 parcels a day in all of the depots."]
        )

    assert "Image" not in [element.type for element in read(pdf(draw)).elements]


def test_a_curve_of_many_steps_over_axes_is_a_figure(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.rect(100, 500, 300, 150, fill=0)
        canvas.setFont("Helvetica", 8)
        for number in range(4):
            canvas.drawRightString(95, 503 + 40 * number, f"{number / 4}")
            canvas.drawString(110 + 80 * number, 488, str(2 * number))
        path = canvas.beginPath()
        path.moveTo(100, 640)
        for step in range(1, 7):
            path.lineTo(100 + 40 * step, 660 - 20 * step)
            path.lineTo(100 + 40 * step, 640 - 20 * step)
        canvas.drawPath(path)
        lines(canvas, 100, 440, PROSE)

    assert [element.type for element in read(pdf(draw)).elements] == ["Image", "Text"]


def test_a_graph_of_ovals_and_arrows_is_a_figure_with_its_labels(read: Read) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont("Helvetica", 8)
        for number in range(6):
            x, y = 120 + 90 * (number % 3), 600 - 60 * (number // 3)
            canvas.ellipse(x, y, x + 60, y + 24)
            canvas.drawCentredString(x + 30, y + 9, f"step {number}")
            canvas.bezier(x + 60, y + 12, x + 70, y + 20, x + 80, y, x + 90, y + 12)
            canvas.bezier(x + 30, y, x + 20, y - 12, x + 40, y - 24, x + 30, y - 36)
        lines(canvas, 100, 440, PROSE)

    elements = read(pdf(draw)).elements
    assert [element.type for element in elements] == ["Image", "Text"]
    assert "step 5" in (elements[0].text_representation or "")
