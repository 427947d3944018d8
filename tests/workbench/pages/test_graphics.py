"""Pictures for terminals with graphics."""

import base64
import io
import re

from PIL import Image
from rich.cells import cell_len

from workbench.pages.drawing import draw_page
from workbench.pages.grid import Cell, MarkedBox, draw_boxes
from workbench.pages.kitty import DIACRITICS, freed, placed, sent
from workbench.pages.outlines import outlined
from workbench.pages.sixel import sixel

RED, BLUE = (255, 0, 0), (0, 0, 255)


def two_colours() -> Image.Image:
    """Red, with a blue rectangle that crosses the bands of six rows."""
    picture = Image.new("RGB", (40, 20), RED)
    picture.paste(BLUE, (5, 4, 30, 15))
    return picture


def drawn_sixels(text: str) -> Image.Image:
    """What a terminal draws for a sixel sequence."""
    width, height = map(int, re.search(r'"1;1;(\d+);(\d+)', text).groups())
    body = text.partition(f";{width};{height}")[2].removesuffix("\x1b\\")
    out = Image.new("RGB", (width, height))
    palette, colour, x, top = {}, 0, 0, 0
    for number, defined, times, sign in re.findall(r"#(\d+)(;2[\d;]+)?|(?:!(\d+))?([?-~$-])", body):
        if defined:
            palette[int(number)] = tuple(int(p) * 255 // 100 for p in defined.split(";")[2:])
        elif number:
            colour = int(number)
        elif sign in "$-":
            x, top = 0, top + 6 * (sign == "-")
        else:
            run = int(times or 1)
            for bit in range(6):
                if (ord(sign) - 63) >> bit & 1:
                    out.paste(palette[colour], (x, top + bit, x + run, top + bit + 1))
            x += run
    return out


def test_sixels_draw_the_picture_pixel_by_pixel():
    assert drawn_sixels(sixel(two_colours())).tobytes() == two_colours().tobytes()


def test_sixels_shorten_runs():
    assert len(sixel(Image.new("RGB", (500, 6), RED))) < 60


def test_a_picture_is_sent_to_kitty_completely_and_in_small_chunks():
    noise = Image.effect_noise((200, 200), 90)
    file = io.BytesIO()
    noise.save(file, "PNG")
    pieces = re.findall(r"\x1b_G([^;]*);([^\x1b]*)\x1b\\", sent(file.getvalue(), 7, 20, 10))
    assert len(pieces) > 1
    assert all(len(data) <= 4096 for _, data in pieces)
    assert [keys.endswith("m=1") for keys, _ in pieces] == [True] * (len(pieces) - 1) + [False]
    assert "U=1" in pieces[0][0]
    assert "i=7,c=20,r=10" in pieces[0][0]
    assert base64.b64decode("".join(data for _, data in pieces)) == file.getvalue()
    assert "i=7" in freed(7)


def test_each_cell_encodes_its_row_and_column_and_is_one_cell_wide():
    assert len(set(DIACRITICS)) == len(DIACRITICS) > 200
    assert {cell_len("\U0010eeee" + one + DIACRITICS[0]) for one in DIACRITICS} == {1}
    grid = placed([[Cell("▀", RED, BLUE)] * 3] * 2, 0x010203)
    assert grid[1][2].text == "\U0010eeee" + DIACRITICS[1] + DIACRITICS[2]
    assert grid[1][2].ink == (1, 2, 3)


def test_a_box_over_a_sent_picture_has_the_picture_as_background():
    grid = placed([[Cell("▀", RED, BLUE)] * 6] * 4, 1)
    boxed = draw_boxes(grid, [MarkedBox((0, 0, 1, 1), ink=RED)])
    assert boxed[0][0] == Cell("┌", RED, (127, 0, 127))
    assert boxed[1][1] == grid[1][1]


def test_a_page_has_the_pixels_of_its_cells(pdf):
    drawn = draw_page(pdf, 1, 40, 60, (9, 19))
    assert drawn.picture.size == (9 * len(drawn.grid[0]), 19 * len(drawn.grid))
    assert abs(drawn.picture.width / drawn.picture.height - 595 / 842) < 0.03


def test_a_box_on_the_final_picture_is_sharp():
    boxes = [MarkedBox((0.1, 0.1, 0.9, 0.9), "Text", BLUE, strong=True)]
    out = outlined(Image.new("RGB", (200, 300), "white"), boxes, 20)
    assert out.getpixel((21, 150)) == BLUE
    assert out.getpixel((30, 150)) == (255, 255, 255)
