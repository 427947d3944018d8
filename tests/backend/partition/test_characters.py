"""What a reader sees as letters arrives as letters, and nothing else does."""

import pytest

from backend.partition import PartitionFailure, ocr
from backend.partition.text import cleaned
from tests.backend.partition.conftest import Read, mapped_font_pdf, pdf_of_objects


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


def drawn_font(width_of_f: int) -> bytes:
    """A font without a name, whose letters are drawings."""
    widths = b" ".join(b"%d" % (width_of_f if code == ord("f") else 500) for code in range(97, 123))
    names = b" ".join(b"/%c" % code for code in range(97, 123))
    shapes = b" ".join(b"/%c 8 0 R" % code for code in range(97, 123))
    return (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [.001 0 0 .001 0 0]"
        b" /FirstChar 97 /LastChar 122 /Widths [" + widths + b"] /CharProcs << " + shapes + b" >>"
        b" /Encoding << /Type /Encoding /Differences [97 " + names + b"] >> /ToUnicode 9 0 R >>"
    )


def text_of(read: Read, data: bytes) -> str:
    return " ".join(element.text_representation or "" for element in read(data).elements)


def test_ligatures_named_by_their_letters_are_read_as_letters(read: Read) -> None:
    data = one_page(rb"Con\037rmed o\036cial", b"30 /f_f_i.alt /f_i")
    assert text_of(read, data) == "Confirmed official"


def test_a_letter_is_not_unclear_because_another_font_without_a_name_has_it_narrower(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ocr, "recognized", lambda pieces: pytest.fail("letters were read by OCR"))
    shape = b"500 0 0 0 300 700 d1 0 0 300 700 re f"
    table = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange"
        b" <00> <FF> endcodespacerange 1 beginbfrange <20> <7A> <0020> endbfrange endcmap end end"
    )
    data = pdf_of_objects(
        b"BT /F1 12 Tf 72 260 Td (proof of life) Tj /F2 12 Tf 0 -30 Td (proof of life) Tj ET",
        more=[
            drawn_font(300),
            drawn_font(575),
            *(
                b"<< /Length %d >>\nstream\n%s\nendstream" % (len(one), one)
                for one in (shape, table)
            ),
        ],
    )
    fonts = data.replace(b"/F1 4 0 R", b"/F1 6 0 R /F2 7 0 R")
    elements = read(fonts, text_mode="inline_fallback_to_ocr").elements
    assert [element.text_representation for element in elements] == ["proof of life"] * 2


def test_a_ligature_of_which_the_file_keeps_the_last_letter_is_read_by_its_name(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Ghostscript used to write it: its map to Unicode has `i` for `f_i` and for `f_f_i`."""
    monkeypatch.setattr(ocr, "recognized", lambda pieces: pytest.fail("letters were read by OCR"))
    letters = {code: chr(code) for code in range(32, 127)} | {28: "i", 29: "i", 30: "h"}
    text = rb"\036e con\034rmed o\035cer did this"
    data = mapped_font_pdf(b"/F1 12 Tf 1 0 0 1 40 260 Tm (" + text + b") Tj", letters)
    widths = b" ".join(b"%d" % {28: 522, 29: 790, 30: 1065}.get(c, 400) for c in range(28, 127))
    named = (
        b"/BaseFont /Helvetica /FirstChar 28 /LastChar 126 /Widths [" + widths + b"]"
        b" /Encoding << /Type /Encoding /BaseEncoding /WinAnsiEncoding"
        b" /Differences [28 /f_i /f_f_i /T_h] >>"
    )
    data = data.replace(b"/BaseFont /Helvetica", named, 1)
    assert text_of(read, data) == "The confirmed officer did this"


def test_glyphs_without_a_known_name_leave_no_control_characters(read: Read) -> None:
    text = text_of(read, one_page(rb"Con\037rmed", b"31 /glyph31"))
    assert text.split() == ["Con", "rmed"] and text.isprintable()


def test_ligatures_and_soft_hyphens_are_resolved_in_every_format(read: Read) -> None:
    data = "<p>The e\ufb03cient of\u00adfice \u00b2</p>".encode()
    assert text_of(read, b"<!doctype html>" + data) == "The efficient office \u00b2"


@pytest.mark.parametrize("sign", list("\u00ad\u200b\u2060\u200c\u200d\u200e\u202a\ufeff"))
def test_invisible_characters_break_no_word(read: Read, sign: str) -> None:
    data = f"<!doctype html><p>A la{sign}te pay{sign}ment</p>".encode()
    assert text_of(read, data) == "A late payment"


def test_joiners_of_other_scripts_and_of_pictures_are_kept() -> None:
    text = "می\u200cخواهم 👩\u200d🚀 क्\u200dष"
    assert cleaned(text) == text


def test_letters_and_their_accents_are_one_character_however_they_are_written(read: Read) -> None:
    assert cleaned("Ko\u0308ln, Caf\u00e9, \u00bd") == "K\u00f6ln, Caf\u00e9, \u00bd"
    assert text_of(read, "<!doctype html><p>Ko\u0308ln".encode()) == "K\u00f6ln"


def test_control_characters_are_dropped_and_line_breaks_kept() -> None:
    assert cleaned("a\x00b\x1f\tc\nd\ufeff\x85") == "ab\tc\nd"


def test_page_zero_is_refused_in_formats_without_pages_too(read: Read) -> None:
    with pytest.raises(PartitionFailure, match="must not have empty or zero terms"):
        read(b"words\n", "notes.txt", selected_pages=[0])
    with pytest.raises(PartitionFailure, match="has 1 page"):
        read(b"words\n", "notes.txt", selected_pages=[2])


SENTENCES = [
    "Of\\256cial \\256ndings of the of\\256ce",
    "The \\256rst \\257ow of the \\256nal traf\\256c",
]
"""The standard encoding has the ligatures of fi and fl at these codes; they are equally wide."""


def ligatures(fi: str, fl: str) -> bytes:
    """A page whose file calls the two ligatures something else."""
    letters = {code: chr(code) for code in range(32, 127)} | {0o256: fi, 0o257: fl}
    shows = "".join(
        f"1 0 0 1 40 {260 - 30 * row} Tm ({text}) Tj " for row, text in enumerate(SENTENCES)
    )
    return mapped_font_pdf(b"/F1 12 Tf " + shows.encode(), letters)


@pytest.mark.parametrize(("fi", "fl"), [("i", "l"), ("\ufffd", "\ufffd"), ("\ue001", "\ue002")])
def test_ligatures_that_the_file_calls_something_else_are_read_from_their_shapes(
    read: Read, fi: str, fl: str
) -> None:
    text = text_of(read, ligatures(fi, fl))
    assert text == "Official findings of the office The first flow of the final traffic"


def test_ligatures_that_the_file_names_rightly_are_not_looked_at(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ocr, "recognized", lambda lines: pytest.fail("nothing is unclear"))
    assert text_of(read, ligatures("fi", "fl")).startswith("Official findings of the office")


@pytest.mark.parametrize("code", [0, "\ufffd"])
def test_letters_that_cannot_be_read_are_shown_as_lost_and_the_page_says_so(
    read: Read, monkeypatch: pytest.MonkeyPatch, code: int | str
) -> None:
    monkeypatch.setattr(ocr, "recognized", lambda lines: [("", 0.0) for _ in lines])
    data = mapped_font_pdf(b"/F1 12 Tf 1 0 0 1 40 260 Tm (of\\256ce hours today) Tj", {0o256: code})
    partition = read(data)
    assert partition.elements[0].text_representation == "of\ufffdce hours today"
    (note,) = partition.notes
    assert note.startswith("page 1: 1 letter for which the file has no text could not be read")


def test_a_symbol_that_two_words_are_printed_without_is_not_guessed_in_a_third(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = iter(["2x", "3x", "04x"])
    monkeypatch.setattr(ocr, "recognized", lambda lines: [(next(printed), 1.0) for _ in lines])
    shows = "".join(
        f"1 0 0 1 40 {260 - 30 * row} Tm (\\256{row + 2}x) Tj " for row in range(len(SENTENCES) + 1)
    )
    data = mapped_font_pdf(b"/F1 12 Tf " + shows.encode(), {0o256: "\ufffd"})
    assert text_of(read, data).split() == ["\ufffd2x", "\ufffd3x", "\ufffd4x"]


def test_a_reader_of_shapes_that_breaks_leaves_the_page_as_the_file_has_it(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ocr, "recognized", lambda lines: 1 / 0)
    partition = read(ligatures("i", "l"))
    assert "Oficial indings of the ofice" in (partition.elements[0].text_representation or "")
    assert partition.notes[0].startswith(
        "page 1: letters without text could not be read (ZeroDivision"
    )
