"""Scripts that run from right to left are read in their own order."""

from tests.backend.partition.conftest import Read

ALEF = 0x5D0


def hebrew(text: str) -> str:
    """Latin letters as those of the Hebrew alphabet, a for alef and so on."""
    return "".join(chr(ALEF + ord(c) - 97) if c.islower() else c for c in text)


def drawn(*rows: tuple[int, int, bytes]) -> bytes:
    """One page with strings at places, as they look from left to right."""
    pairs = b"".join(b"<%02X> <%04X>\n" % (97 + n, ALEF + n) for n in range(26))
    table = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n"
        b"1 begincodespacerange <00> <FF> endcodespacerange\n26 beginbfchar\n"
        + pairs
        + b"endbfchar\nendcmap end end"
    )
    shows = b"".join(b"1 0 0 1 %d %d Tm (%s) Tj " % row for row in rows)
    stream = b"BT /F1 12 Tf " + shows + b" ET"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 300] /Contents 5 0 R"
        b" /Resources << /Font << /F1 4 0 R >> >> >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 6 0 R >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(table), table),
    ]
    out = b"%PDF-1.7\n"
    for number, body in enumerate(objects, 1):
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    return out + b"trailer << /Size 7 /Root 1 0 R >>\n%%EOF"


def test_words_of_a_line_are_read_from_its_right_end(read: Read) -> None:
    found = read(drawn((200, 200, b"42 fed cba"))).elements
    assert [e.text_representation for e in found] == [hebrew("abc def") + " 42"]


def test_the_right_column_is_read_first(read: Read) -> None:
    ends = (b"zyxwvu", b"zyx", b"zyxw", b"zyxwv", b"zy", b"zyxwvut", b"zyxw", b"zyxwv")
    starts = (b"dcba", b"edcba", b"cba", b"gfedcba", b"fedcba", b"ba", b"hgfedcba", b"dcba")
    left = [(40, 250 - 15 * n, end + b" rqponmlkjihg") for n, end in enumerate(ends)]
    right = [(230, 250 - 15 * n, b"mlkjihgfedc " + start) for n, start in enumerate(starts)]
    text = " ".join(e.text_representation or "" for e in read(drawn(*left, *right)).elements)
    assert text.rindex(hebrew("ab")) < text.index(hebrew("yz"))
