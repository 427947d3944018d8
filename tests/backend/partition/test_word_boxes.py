"""On request elements and cells say where each of their words stands, to mark a value exactly."""

import io
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from tests.backend.partition.conftest import Read, lines, pdf
from tests.backend.partition.test_broken_parts import draw
from tests.backend.partition.test_scan import shown

WANTED = {"text_extraction_options": {"word_boxes": True}}


def harbour(canvas: Canvas) -> None:
    lines(canvas, 100, 700, ["The harbour has a new crane and", "an old rope."])


def words_of(element: Any) -> list[dict[str, Any]]:
    return list(element.properties["words"])


def inside(inner: list[float], outer: list[float], slack: float = 0.005) -> bool:
    low = all(a >= b - slack for a, b in zip(inner[:2], outer[:2], strict=True))
    return low and all(a <= b + slack for a, b in zip(inner[2:], outer[2:], strict=True))


def test_an_element_lists_its_words_in_order_with_boxes_inside_its_own(read: Read) -> None:
    (element,) = read(pdf(harbour), **WANTED).elements
    words = words_of(element)
    assert " ".join(word["text"] for word in words) == element.text_representation
    assert all(inside(word["bbox"], element.bbox) for word in words)
    rope = next(word["bbox"] for word in words if word["text"] == "rope.")
    new = next(word["bbox"] for word in words if word["text"] == "new")
    assert rope[1] > new[1] and rope[2] - rope[0] < 0.1


def test_cells_of_a_table_list_their_words(read: Read) -> None:
    (table,) = [e.table for e in read(pdf(draw), **WANTED).elements if e.table is not None]
    (oats,) = [cell for cell in table.cells if cell.content == "Oats"]
    (word,) = words_of(oats)
    assert word["text"] == "Oats" and oats.bbox is not None
    box = oats.bbox
    assert inside(word["bbox"], [box.x1, box.y1, box.x2, box.y2])


@pytest.mark.parametrize("corrected", [False, True])
def test_boxes_of_words_on_a_turned_page_are_those_of_their_element(
    read: Read, corrected: bool
) -> None:
    def sideways(canvas: Canvas) -> None:
        canvas.rotate(90)
        lines(canvas, 100, -300, ["The harbour has a new crane and", "an old rope lies beside it."])

    labels = {"output_label_options": {"orientation_correction": corrected}}
    (element,) = read(pdf(sideways), **WANTED, **labels).elements
    assert all(inside(word["bbox"], element.bbox) for word in words_of(element))


def test_words_of_a_scan_have_boxes(read: Read) -> None:
    buffer = io.BytesIO()
    shown(lambda inner: lines(inner, 40, 260, ["The harbour has a crane."]), 2.0).save(
        buffer, "PNG"
    )
    (element,) = read(buffer.getvalue(), "scan.png", **WANTED).elements
    words = words_of(element)
    assert [word["text"] for word in words] == ["The", "harbour", "has", "a", "crane."]
    assert all(inside(word["bbox"], element.bbox, 0.02) for word in words)


def test_without_the_option_no_words_are_listed(read: Read) -> None:
    partition = read(pdf(harbour, draw))
    cells = [cell for e in partition.elements if e.table is not None for cell in e.table.cells]
    assert not any("words" in one.properties for one in [*partition.elements, *cells])
