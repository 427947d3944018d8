"""PDF forms that people have filled in, and words typed on a page afterwards."""

from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from backend.partition.rendering import render_page
from tests.backend.partition.conftest import Read, pdf, pdf_of_objects


def _form(canvas: Canvas) -> None:
    form = canvas.acroForm
    for y, label in ((705, "Name:"), (665, "City:"), (625, "Married:"), (585, "Retired:")):
        canvas.drawString(72, y, label)
    form.textfield(name="n", value="Rosalind Franklin", x=130, y=700, width=200, height=20)
    form.choice(
        name="c", value="London", options=["London", "Paris"], x=130, y=660, width=200, height=20
    )
    form.checkbox(name="m", checked=True, x=130, y=620)
    form.checkbox(name="r", checked=False, x=130, y=580, buttonStyle="check")


def _words(read: Read, data: bytes) -> str:
    elements = read(data, "form.pdf").elements
    return "\n".join(element.text_representation or "" for element in elements)


def test_values_typed_into_a_form_are_read_beside_their_labels(read: Read) -> None:
    text = " ".join(_words(read, pdf(_form)).split())
    for line in ("Name: Rosalind Franklin", "City: London", "Married: ☒", "Retired: ☐"):
        assert line in text, text


def test_values_of_a_form_are_in_the_picture_of_a_page(tmp_path: Path) -> None:
    def label(canvas: Canvas) -> None:
        canvas.drawString(72, 705, "Name:")

    def filled(canvas: Canvas) -> None:
        label(canvas)
        canvas.acroForm.textfield(
            name="n", value="Rosalind Franklin", x=130, y=700, width=200, height=20, borderWidth=0,
            fillColor=None, borderColor=None,
        )  # fmt: skip

    drawn: list[int] = []
    for name, draw in (("plain", label), ("filled", filled)):
        (tmp_path / name).write_bytes(pdf(draw))
        picture = render_page(tmp_path / name, 1, 600).convert("L")
        drawn.append(sum(picture.histogram()[:128]))
    assert drawn[1] > 1.5 * drawn[0]


_NOTES = [
    (b"/Subtype /FreeText /Contents (Paid in cash) /DA (/Helv 12 Tf 0 g)", b""),
    (b"/Subtype /Widget /FT /Tx /T (n) /V (Paid in cash) /DA (/Helv 12 Tf 0 g)", b"[6 0 R]"),
]


@pytest.mark.parametrize(("note", "fields"), _NOTES)
@pytest.mark.parametrize("flags", [4, 2])
def test_undrawn_form_values_are_read_unless_hidden(
    read: Read, note: bytes, fields: bytes, flags: int
) -> None:
    form = b"/AcroForm << /Fields %s /DA (/Helv 12 Tf 0 g) >>" % fields if fields else b""
    note = b"<< /Type /Annot %s /Rect [72 200 300 220] /F %d >>" % (note, flags)
    data = pdf_of_objects(catalog=form, page=b"/Annots [6 0 R]", more=[note])
    text = _words(read, data)
    assert "Contract" in text and ("Paid in cash" in text) == (flags == 4)
