"""What a reader sees as letters arrives as letters, and nothing else does."""

import pytest

from backend.partition import PartitionFailure
from backend.partition.text import cleaned
from tests.backend.partition.conftest import Read


def one_page(text: bytes, encoding: bytes) -> bytes:
    """A PDF by hand, since no writer makes fonts whose glyphs are named by their letters."""
    content = b"BT /F1 12 Tf 72 700 Td (" + text + b") Tj ET"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R"
        b" /Resources << /Font << /F1 4 0 R >> >> >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding 6 0 R >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Encoding /Differences [" + encoding + b"] >>",
    ]
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        out
        + b"xref\n0 7\n0000000000 65535 f \n"
        + table
        + b"trailer << /Size 7 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % len(out)
    )


def text_of(read: Read, data: bytes) -> str:
    return " ".join(element.text_representation or "" for element in read(data).elements)


def test_ligatures_named_by_their_letters_are_read_as_letters(read: Read) -> None:
    data = one_page(rb"Con\037rmed o\036cial", b"30 /f_f_i.alt /f_i")
    assert text_of(read, data) == "Confirmed official"


def test_glyphs_without_a_known_name_leave_no_control_characters(read: Read) -> None:
    text = text_of(read, one_page(rb"Con\037rmed", b"31 /glyph31"))
    assert text.split() == ["Con", "rmed"] and text.isprintable()


def test_ligatures_and_soft_hyphens_are_resolved_in_every_format(read: Read) -> None:
    data = "<p>The e\ufb03cient of\u00adfice \u00b2</p>".encode()
    assert text_of(read, b"<!doctype html>" + data) == "The efficient office \u00b2"


def test_control_characters_are_dropped_and_line_breaks_kept() -> None:
    assert cleaned("a\x00b\x1f\tc\nd\ufeff\x85") == "ab\tc\nd"


def test_page_zero_is_refused_in_formats_without_pages_too(read: Read) -> None:
    with pytest.raises(PartitionFailure, match="must not have empty or zero terms"):
        read(b"words\n", "notes.txt", selected_pages=[0])
    with pytest.raises(PartitionFailure, match="has 1 page"):
        read(b"words\n", "notes.txt", selected_pages=[2])
