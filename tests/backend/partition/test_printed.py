"""Whether a picture is worth reading is seen before it is read."""

import io

import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from backend.partition.printed import shows_print
from tests.backend.partition.conftest import Read, lines, pdf

NOTE = ["The tide table of the northern harbour", "will be printed anew before the summer."]


def note(ground: int = 245, ink: int = 20, rules: bool = False) -> Image.Image:
    """A sheet with two lines of print near its top."""
    sheet = Image.new("L", (1240, 1750), ground)
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(26)
    for number, text in enumerate(NOTE):
        pen.text((160, 200 + 60 * number), text, ink, font=font)
    if rules:
        for y in range(185, 321, 60):
            pen.line((140, y, 900, y), ink, 3)
        for x in range(140, 901, 760):
            pen.line((x, 185, x, 305), ink, 3)
    return sheet


def chart() -> Image.Image:
    """Land, sea, crooked borders and the names of a few places."""
    sheet = Image.new("RGB", (1240, 1750), (120, 220, 240))
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(26)
    pen.ellipse((150, 200, 1100, 1500), (250, 250, 140))
    for start in range(200, 1000, 130):
        points = [(start + 37 * (step * step % 7), 250 + 40 * step) for step in range(30)]
        pen.line(points, (140, 20, 20), 5)
    for number, place in enumerate(("OSTERN", "Vik", "Lund", "SUND")):
        pen.text((300 + 150 * number, 500 + 210 * number), place, 0, font=font)
    return sheet


@pytest.mark.parametrize(
    ("picture", "prints"),
    [
        (note(), True),
        (note().rotate(90, expand=True), True),
        (note().rotate(2, fillcolor=245), True),
        (note(20, 235), True),
        (note(rules=True), True),
        (chart(), False),
        (Image.effect_noise((1240, 1750), 80), False),
        (Image.new("L", (1240, 1750), 255), False),
    ],
    ids=["note", "sideways", "askew", "bright on dark", "ruled", "map", "noise", "blank"],
)
def test_lines_of_print_differ_from_other_strokes(picture: Image.Image, prints: bool) -> None:
    assert shows_print(picture) is prints


@pytest.mark.parametrize("picture", [chart(), note()], ids=["map", "scan"])
def test_of_pages_with_a_picture_and_a_word_only_scans_are_read(
    read: Read, picture: Image.Image
) -> None:
    def draw(canvas: Canvas) -> None:
        file = io.BytesIO()
        picture.save(file, "PNG")
        canvas.drawImage(ImageReader(file), 60, 60, 480, 680)
        lines(canvas, 60, 780, ["The isles"], 20)

    partition = read(pdf(draw))
    text = " ".join(element.text_representation or "" for element in partition.elements)
    assert ("tide table" in text, bool(partition.notes)) == (picture.mode == "L",) * 2
    assert "isles" in text


@pytest.mark.parametrize("picture", [chart(), note()], ids=["map", "clipping"])
def test_a_small_picture_alone_on_its_page_is_read_where_it_shows_print(
    read: Read, picture: Image.Image
) -> None:
    def draw(canvas: Canvas) -> None:
        file = io.BytesIO()
        picture.crop((100, 150, 900, 400)).save(file, "PNG")
        canvas.drawImage(ImageReader(file), 60, 400, 400, 125)

    partition = read(pdf(draw))
    assert bool(partition.notes) == (picture.mode == "L")
    assert ("tide table" in (partition.elements[0].text_representation or "")) == bool(
        partition.notes
    )
