from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from workbench.pages.boxmap import MapBox, box_map
from workbench.pages.grid import Cell, MarkedBox, box_cells, draw_boxes, page_cells
from workbench.pages.halfblock import half_blocks
from workbench.pages.marked import clipping, marked_page
from workbench.pages.textpage import Piece, text_page

fractions = st.floats(-0.2, 1.2)


def text(grid):
    return ["".join(cell.text for cell in row) for row in grid]


def test_each_cell_shows_two_pixels_on_top_of_each_other():
    image = Image.new("RGB", (2, 2), "white")
    image.putpixel((0, 0), (255, 0, 0))
    [[left, right]] = half_blocks(image, 2, 1)
    assert left == Cell("▀", (255, 0, 0), (255, 255, 255))
    assert right == Cell(" ", None, (255, 255, 255))


def test_outlines_are_one_cell_thin_and_labels_readable_at_any_scale():
    blank = [[Cell(" ", None, (255, 255, 255))] * 40 for _ in range(12)]
    drawn = text(draw_boxes(blank, [MarkedBox((0.1, 0.1, 0.9, 0.9), "Title", strong=True)]))
    assert drawn[1].strip() == "┏ Title ━━━━━━━━━━━━━━━━━━━━━━━┓"
    assert drawn[5].strip() == "┃" + " " * 30 + "┃"
    assert drawn[10].strip() == "┗" + "━" * 30 + "┛"


def test_the_chosen_box_is_drawn_over_the_others():
    blank = [[Cell(" ")] * 10 for _ in range(5)]
    boxes = [MarkedBox((0, 0, 1, 1), strong=True), MarkedBox((0, 0, 1, 1))]
    assert text(draw_boxes(blank, boxes))[0] == "┏━━━━━━━━┓"


def test_letters_get_the_mean_of_the_pixels_below_them_as_background():
    grid = [[Cell("▀", (0, 0, 0), (200, 100, 50))] * 4 for _ in range(3)]
    assert draw_boxes(grid, [MarkedBox((0, 0, 1, 1))])[0][1].ground == (100, 50, 25)


def test_the_given_page_is_not_modified():
    blank = [[Cell(" ")] * 4 for _ in range(3)]
    draw_boxes(blank, [MarkedBox((0, 0, 1, 1))])
    assert text(blank) == ["    "] * 3


@given(
    st.tuples(fractions, fractions, fractions, fractions), st.integers(1, 90), st.integers(1, 50)
)
def test_any_box_is_clipped_to_the_page(box, columns, rows):
    left, top, right, bottom = box_cells(box, columns, rows)
    assert 0 <= left <= right < columns
    assert 0 <= top <= bottom < rows


@given(st.floats(1, 5000), st.floats(1, 5000), st.integers(1, 200), st.integers(1, 100))
def test_a_page_fits_the_pane_and_keeps_its_shape(across, down, columns, rows):
    wide, high = page_cells(across, down, columns, rows)
    assert 1 <= wide <= columns
    assert 1 <= high <= rows
    if wide > 20 and high > 20:
        assert abs((high * 2 / wide) / (down / across) - 1) < 0.15


def test_without_colours_the_boxes_and_their_words_are_drawn():
    boxes = [MapBox(MarkedBox((0, 0, 1, 0.5), "Text"), "ice on the wing")]
    assert text(box_map(boxes, 12, 8)) == [
        "┌ Text ────┐", "│ice on the│", "│wing      │", "└──────────┘",
        "            ", "            ", "            ", "            ",
    ]  # fmt: skip


def test_a_document_without_pages_is_shown_as_text_around_the_chosen_element():
    pieces = [Piece("Title", "Report"), *[Piece("Text", f"part {n} of it") for n in range(40)]]
    pieces[30] = Piece("Text", "found this one", chosen=True)
    page = text_page(pieces, 20, 12, heading=(1, 2, 3), chosen=(9, 9, 9))
    assert len(page) == 12
    assert all(len(row) == 20 for row in page)
    assert "▌ found this one    " in text(page)
    top = text_page(pieces[:5], 20, 12, heading=(1, 2, 3))
    assert text(top)[0].strip() == "Report"
    assert top[0][2].ink == (1, 2, 3)


def test_a_clipping_is_the_box_and_a_little_around_it():
    page = Image.new("RGB", (400, 600), "white")
    clip = Image.open(BytesIO(clipping(page, [0.25, 0.5, 0.5, 0.6])))
    assert 100 <= clip.width <= 120 and 60 <= clip.height <= 80
    assert clip.getpixel((clip.width // 2, clip.height // 2)) == (255, 255, 255)
    colours = {colour for _, colour in clip.getcolors()}
    assert len(colours) == 2, "the outline"


@pytest.mark.parametrize("box", [[0, 0, 1, 1], [1, 1, 1, 1], [0.9, 0.9, 0.1, 0.1], [-1, -1, 2, 2]])
def test_any_box_can_be_clipped_and_marked(box):
    page = Image.new("RGB", (40, 60), "white")
    assert Image.open(BytesIO(clipping(page, box))).width <= 40
    assert Image.open(BytesIO(marked_page(page, [box], box))).size == (40, 60)
    assert page.getcolors() == [(2400, (255, 255, 255))], "the page itself stays as it is"


def test_the_chosen_box_of_one_line_is_drawn_around_it_and_its_words_stay():
    words = [[Cell(letter) for letter in "  12.50 EUR  "] for _ in range(5)]
    drawn = text(draw_boxes(words, [MarkedBox((0.16, 0.45, 0.86, 0.55), "total", strong=True)]))
    assert "12.50 EUR" in drawn[2]
    assert drawn[1].strip().startswith("┏ total") and drawn[3].strip().startswith("┗━")
    light = text(draw_boxes(words, [MarkedBox((0.16, 0.45, 0.86, 0.55))]))
    assert light[2] == " │12.50 EUR│ ", "outlined at its sides, not struck through"
    assert light[1] == light[3] == "  12.50 EUR  "
