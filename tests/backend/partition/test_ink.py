"""The size of print in a picture, whatever stands or is drawn in a line."""

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from backend.partition.ink import measured, one_size, word_extents

SIZE = 30


def size_of(text: str, *, ruled: bool = False) -> float:
    """Of a line of text as it is cut out of a page, with a rule at its foot or without."""
    font = ImageFont.load_default(SIZE)
    width = round(font.getlength(text)) + 8
    line = Image.new("RGB", (width, 40), "white")
    pen = ImageDraw.Draw(line)
    pen.text((4, 2), text, "black", font=font)
    if ruled:
        pen.line((0, 37, width, 37), "black", 2)
    return measured(np.asarray(line), text).size


@pytest.mark.parametrize("text", ["the rows of letters in a line", "0.4", "21.0", "75", "TIDE"])
def test_a_line_has_its_size_with_a_rule_and_without(text: str) -> None:
    for ruled in (False, True):
        assert 0.7 * SIZE < size_of(text, ruled=ruled) < 1.35 * SIZE


@pytest.mark.parametrize("text", ["36", "7.25", "pint", "3 to 9"])
def test_a_cell_is_measured_without_the_rules_around_it(text: str) -> None:
    """Its size and the places of its words, although the rules slope a little."""
    font = ImageFont.load_default(SIZE)
    end = 24 + font.getlength(text)
    cell = Image.new("RGB", (round(end) + 24, 60), "white")
    pen = ImageDraw.Draw(cell)
    pen.text((24, 10), text, "black", font=font)
    width, height = cell.size
    for rule in ((5, 0, 6, height), (width - 7, 0, width - 5, height), (0, 3, width, 5)):
        pen.line(rule, "black", 2)
    ink = measured(np.asarray(cell), text)
    assert 0.7 * SIZE < ink.size < 1.35 * SIZE
    places = word_extents(ink, text)
    assert [word for word, _, _ in places] == text.split()
    assert places[0][1] == pytest.approx(24, abs=4)
    assert places[-1][2] == pytest.approx(end, abs=4)


@pytest.mark.parametrize("text", ["CAPITALS", "Lowmoor", "1961", "on sea", "half", "Rope of hemp"])
def test_one_font_has_one_size_whatever_its_letters(text: str) -> None:
    """Small letters, stems and digits are of different height."""
    usual = size_of("the usual line of text with all Kinds of letters")
    assert abs(size_of(text) / usual - 1) < 0.13


def test_lines_of_text_have_one_size_although_pixels_make_them_differ() -> None:
    sizes = one_size([9.0, 10.1, 9.9, 11.1, 10.0, 15.0, 13.0], [40, 50, 50, 40, 50, 12, 15])
    assert len(set(sizes[:5])) == 1
    assert sizes[5] > sizes[6] > sizes[0]
