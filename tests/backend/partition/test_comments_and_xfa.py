"""What stands beside the pages of a PDF: comments of reviewers, and forms drawn only by Adobe."""

import pytest

from backend.partition.pdf.annotations import MOST
from tests.backend.partition.conftest import Read, pdf_of_objects


def _commented(kind: bytes, flags: int, rotate: int = 0) -> bytes:
    note = b"<< /Type /Annot /Subtype /%s /T (Ada) /Contents (Ask\\nagain.) /F %d" % (kind, flags)
    return pdf_of_objects(
        page=b"/Annots [6 0 R] /Rotate %d" % rotate,
        more=[note + b" /Rect [42 240 84 270] /QuadPoints [42 270 84 270 42 240 84 240] >>"],
    )


@pytest.mark.parametrize("kind", [b"Text", b"Highlight", b"Square", b"StrikeOut"])
def test_comments_follow_their_page_with_their_positions(read: Read, kind: bytes) -> None:
    elements = read(_commented(kind, 4), "a.pdf").elements
    assert [e.text_representation for e in elements] == ["Contract", "Comment, Ada: Ask again."]
    assert (elements[-1].type, elements[-1].page_number) == ("Footnote", 1)
    assert elements[-1].bbox == pytest.approx([0.1, 0.1, 0.2, 0.2])


def test_comments_on_a_rotated_page_are_where_viewers_show_them(read: Read) -> None:
    comment = read(_commented(b"Text", 4, rotate=90), "a.pdf").elements[-1]
    assert comment.bbox == pytest.approx([0.8, 0.1, 0.9, 0.2])


@pytest.mark.parametrize(("kind", "flags"), [(b"Text", 2), (b"Link", 4), (b"Popup", 4)])
def test_hidden_notes_and_link_names_are_not_comments(read: Read, kind: bytes, flags: int) -> None:
    elements = read(_commented(kind, flags), "a.pdf").elements
    assert [e.text_representation for e in elements] == ["Contract"]


def test_comments_beyond_the_limit_are_reported(read: Read) -> None:
    note = b"<< /Type /Annot /Subtype /Text /Contents (x) /Rect [1 1 2 2] >> "
    result = read(pdf_of_objects(page=b"/Annots [" + note * (MOST + 1) + b"]"), "a.pdf")
    assert len(result.elements) == MOST + 1
    assert result.notes == ["page 1: only the first 20,000 fields and comments were read"]


_TEMPLATE = b"""<template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><subform name="form1">
<draw name="h"><value><text>Application for leave</text></value></draw>
<draw name="x" presence="hidden"><value><text>Version 7</text></value></draw>
<field name="who"><caption><value><text>Name of applicant</text></value></caption></field>
<field name="land"><caption><value><text>Country</text></value></caption>
<items><text>Norway</text><text>Italy</text></items>
<items save="1"><text>NO</text><text>IT</text></items></field>
<field name="paid"><ui><checkButton/></ui><caption><value><text>Paid leave</text></value></caption>
<items><text>Y</text><text>N</text></items></field></subform></template>"""
_DATA = b"""<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><form1>
<who>Rosalind Franklin</who><land>NO</land><paid>Y</paid><days>12</days><none/></form1></xfa:data>
</xfa:datasets>"""
_OPEN, _CLOSE = b'<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">', b"</xdp:xdp>"


def _stream(data: bytes) -> bytes:
    return b"<< /Length %d >>\nstream\n%s\nendstream" % (len(data), data)


def _form(*parts: bytes) -> bytes:
    if len(parts) == 1:
        listed = b"6 0 R"
    else:
        listed = b"[" + b" ".join(b"(p%d) %d 0 R" % (n, n + 6) for n in range(len(parts))) + b"]"
    return pdf_of_objects(
        catalog=b"/NeedsRendering true /AcroForm << /Fields [] /XFA %s >>" % listed,
        more=[_stream(part) for part in parts],
    )


@pytest.mark.parametrize(
    "parts", [(_OPEN, _TEMPLATE, _DATA, _CLOSE), (_OPEN + _TEMPLATE + _DATA + _CLOSE,)]
)
def test_a_form_that_only_adobe_draws_is_read_from_its_data(
    read: Read, parts: tuple[bytes, ...], caplog: pytest.LogCaptureFixture
) -> None:
    result = read(_form(*parts), "leave.pdf")
    assert caplog.messages == []
    texts = [e.text_representation for e in result.elements if e.type == "Text"]
    assert texts == ["Contract", "Application for leave"]
    table = result.elements[-1].table
    assert table is not None
    assert [cell.content for cell in table.cells] == [
        "Name of applicant", "Rosalind Franklin", "Country", "Norway", "Paid leave", "☒",
        "days", "12",
    ]  # fmt: skip
    assert any("(XFA)" in note for note in result.notes)


def test_a_damaged_part_of_such_a_form_is_reported_and_the_rest_read(read: Read) -> None:
    result = read(_form(_OPEN, _TEMPLATE[:-20], _DATA, _CLOSE), "leave.pdf")
    assert any("a part of the form is left out" in note for note in result.notes)
    table = result.elements[-1].table
    assert table is not None and "Rosalind Franklin" in [cell.content for cell in table.cells]
