"""Scripts that run from right to left are read in their own order."""

from tests.backend.partition.conftest import Read, mapped_font_pdf

ALEF = 0x5D0


def hebrew(text: str) -> str:
    """Latin letters as those of the Hebrew alphabet, a for alef and so on."""
    return "".join(chr(ALEF + ord(c) - 97) if c.islower() else c for c in text)


def drawn(*rows: tuple[int, int, bytes]) -> bytes:
    """One page with strings at places, as they look from left to right."""
    shows = b"".join(b"1 0 0 1 %d %d Tm (%s) Tj " % row for row in rows)
    letters = {97 + n: ALEF + n for n in range(26)}
    return mapped_font_pdf(b"/F1 12 Tf " + shows, letters, b"Courier")


def test_words_of_a_line_are_read_from_its_right_end(read: Read) -> None:
    elements = read(drawn((200, 200, b"42 fed cba"))).elements
    assert [e.text_representation for e in elements] == [hebrew("abc def") + " 42"]


def test_the_right_column_is_read_first(read: Read) -> None:
    ends = (b"zyxwvu", b"zyx", b"zyxw", b"zyxwv", b"zy", b"zyxwvut", b"zyxw", b"zyxwv")
    starts = (b"dcba", b"edcba", b"cba", b"gfedcba", b"fedcba", b"ba", b"hgfedcba", b"dcba")
    left = [(40, 250 - 15 * n, end + b" rqponmlkjihg") for n, end in enumerate(ends)]
    right = [(230, 250 - 15 * n, b"mlkjihgfedc " + start) for n, start in enumerate(starts)]
    text = " ".join(e.text_representation or "" for e in read(drawn(*left, *right)).elements)
    assert text.rindex(hebrew("ab")) < text.index(hebrew("yz"))


def test_tables_begin_at_the_right(read: Read) -> None:
    rows = ((b"fed", b"cba"), (b"41", b"jihg"), (b"39", b"nmlk"), (b"57", b"rqpo"))
    drawn_rows = [
        (60 + 120 * column, 250 - 20 * n, text)
        for n, row in enumerate(rows)
        for column, text in enumerate(row)
    ]
    table = read(drawn(*drawn_rows)).elements[0].table
    assert table is not None
    assert [cell.content for cell in table.cells][:4] == [
        *map(hebrew, ("abc", "def", "ghij")),
        "41",
    ]


def test_the_letters_of_a_ligature_keep_their_order(read: Read) -> None:
    """`peace`, which ends with the ligature of lam and alef before its last letter."""
    letters = {ord("s"): 0x633, ord("l"): "\u0644\u0627", ord("m"): 0x645}
    page = mapped_font_pdf(b"/F1 12 Tf 1 0 0 1 200 200 Tm (mls) Tj", letters, b"Courier")
    assert [e.text_representation for e in read(page).elements] == ["\u0633\u0644\u0627\u0645"]
