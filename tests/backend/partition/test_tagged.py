"""A tagged PDF is believed where its structure tree is sound, and only there."""

from tests.backend.partition.conftest import Read

PROSE = b"words of an ordinary paragraph that goes on over the line"


def tagged(*marks: tuple[str, bytes], in_tree: int = 99) -> bytes:
    """One page, all lines set alike; the first `in_tree` marks are in the structure tree."""
    parts = [
        b"/%s <</MCID %d>> BDC BT /F1 11 Tf 60 %d Td (%s) Tj ET EMC"
        % (name.encode(), number, 700 - 40 * number, text)
        for number, (name, text) in enumerate(marks)
    ]
    content = b"\n".join(parts)
    known = list(enumerate(marks))[:in_tree]
    kids = b" ".join(b"%d 0 R" % (8 + number) for number, _ in known)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /MarkInfo << /Marked true >> /StructTreeRoot 6 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /StructParents 0"
        b" /Resources << /Font << /F1 4 0 R >> >> >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /StructTreeRoot /K [" + kids + b"] /ParentTree 7 0 R >>",
        b"<< /Nums [0 [" + kids + b"]] >>",
    ]
    for number, (name, _) in known:
        objects.append(
            b"<< /Type /StructElem /S /%s /P 6 0 R /Pg 3 0 R /K %d >>" % (name.encode(), number)
        )
    out, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    return (
        out
        + b"xref\n0 %d\n0000000000 65535 f \n" % size
        + table
        + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (size, len(out))
    )


def test_headings_of_the_tree_need_no_large_letters_and_keep_their_depth(read: Read) -> None:
    marks = [("H1", b"Harbours"), ("P", PROSE), ("H2", b"Tides"), ("P", PROSE), ("Note", PROSE)]
    elements = read(tagged(*marks)).elements
    assert [e.type for e in elements] == ["Section-header", "Text"] * 2 + ["Footnote"]
    assert [e.properties.get("level") for e in elements[:3:2]] == [1, 2]


def test_the_tag_tree_marks_a_formula(read: Read) -> None:
    elements = read(tagged(("P", PROSE), ("Formula", b"a + b = c"), ("P", PROSE))).elements
    assert [e.type for e in elements] == ["Text", "Formula", "Text"]


def test_a_tree_that_holds_little_of_the_page_is_not_believed(read: Read) -> None:
    marks = [("H1", b"not a heading at all, whatever it says"), *[("P", PROSE)] * 4]
    elements = read(tagged(*marks, in_tree=1)).elements
    assert {e.type for e in elements} == {"Text"}


def test_a_bold_bar_without_a_place_in_the_tree_is_a_heading(read: Read) -> None:
    """Programs that print web pages know their headings and not what only looks like one."""
    marks = [
        ("H1", b"Application"),
        ("P", PROSE),
        ("Div", b"Part of the owner"),
        *[("P", PROSE)] * 4,
    ]
    page = tagged(*marks).replace(b"/F1 11 Tf 60 620", b"/F2 14 Tf 60 620")
    page = page.replace(
        b"/Font << /F1 4 0 R >>",
        b"/Font << /F1 4 0 R /F2 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >> >>",
    )
    heads = [e.text_representation for e in read(page).elements if e.type == "Section-header"]
    assert heads[-1] == "Part of the owner"


def test_a_title_that_is_only_enlarged_is_a_heading_above_those_of_the_tree(read: Read) -> None:
    marks = [("P", b"Night ferry returns"), ("P", PROSE), ("H2", b"Tides"), ("P", PROSE)]
    small = tagged(*marks)
    large = small.replace(b"BT /F1 11 Tf 60 700 Td", b"BT /F1 20 Tf 60 700 Td")
    heads = ("Section-header", "Title")
    for data, titles in ((small, ["Tides"]), (large, ["Night ferry returns", "Tides"])):
        seen = [e.text_representation for e in read(data).elements if e.type in heads]
        assert seen == titles
