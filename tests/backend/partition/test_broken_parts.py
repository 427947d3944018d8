"""A part of a file that breaks its reader costs no more than itself, and the document says so."""

import errno
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from backend.partition import PartitionFailure, engine
from backend.partition.formats import docx, eml, html, odp, odt, pdf, plain, pptx, xlsx
from backend.partition.layout import regions
from backend.partition.page import Rect, Style, Word
from backend.partition.tables import find
from backend.partition.tables.grid import Grid, GridCell
from backend.partition.tables.tiers import with_spans
from backend.tasks.guarding import guarded
from tests.backend.partition import old_office, samples
from tests.backend.partition.conftest import Read, lines
from tests.backend.partition.conftest import pdf as made_pdf

ODT = samples._TEXT + samples._TABLE
ROWS = [["Crop", "tons", "acres"], ["Rye", "12", "40"], ["Oats", "18", "60"]]


def breaks(*_: Any, **__: Any) -> Any:
    raise IndexError("nobody foresaw this")


def breaks_at(whole: Callable[..., Any], first: int = 1) -> Callable[..., Any]:
    """`whole`, which breaks at one of its calls."""
    calls = [0]

    def run(*args: Any, **named: Any) -> Any:
        calls[0] += 1
        return breaks() if calls[0] == first else whole(*args, **named)

    return run


@pytest.mark.parametrize("level", ["WARNING", "DEBUG"])
def test_a_damaged_file_is_one_line_of_the_log_and_its_traceback_is_for_debugging(
    read: Read, caplog: pytest.LogCaptureFixture, level: str
) -> None:
    caplog.set_level(level, "backend.tasks.guarding")
    whole = samples.picture("PNG")
    with pytest.raises(PartitionFailure):
        read(whole[:60], "a.png")
    (record,) = caplog.records
    assert record.message.startswith("page 1 could not be read (OSError at ")
    assert (record.exc_info is not None) == (level == "DEBUG")


@pytest.mark.parametrize("error", [IndexError("unforeseen"), OSError(errno.EACCES, "not allowed")])
def test_a_fault_of_the_program_is_logged_with_its_traceback(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    with guarded([], "a page"):
        raise error
    assert [record.exc_info is not None for record in caplog.records] == [True]


def draw(canvas: Canvas) -> None:
    lines(canvas, 100, 760, ["Crops of the year"])
    canvas.setFont("Helvetica", 10)
    for y in (660, 640, 620, 600):
        canvas.line(100, y, 340, y)
    for x in (100, 180, 260, 340):
        canvas.line(x, 600, x, 660)
    for r, row in enumerate(ROWS):
        for c, text in enumerate(row):
            canvas.drawString(105 + 80 * c, 646 - 20 * r, text)


def all_text(result: Any) -> str:
    texts = [element.text_representation or "" for element in result.elements]
    cells = [c.content for e in result.elements if e.table is not None for c in e.table.cells]
    return " ".join(texts + cells)


def test_a_label_row_above_an_empty_row_is_not_a_tier() -> None:
    style = Style(10)

    def cell(row: int, col: int, text: str) -> GridCell:
        box = Rect(100 * col, 20 * row, 100 * col + 90, 20 * row + 18)
        words = [Word(text, box, style)] if text else []
        return GridCell(row, col, row, col, box, words)

    texts = [["", "", "Year"], ["Town", "Mayor", ""], ["", "", ""], ["Aldby", "Kerr", "12"]]
    cells = [cell(r, c, text) for r, row in enumerate(texts) for c, text in enumerate(row)]
    grid = with_spans(Grid(Rect(0, 0, 300, 80), 4, 3, cells, 0.9))
    assert grid.rows == 4
    assert [cell.text for cell in grid.cells if cell.row == 3] == texts[3]


def test_a_table_whose_head_breaks_the_reader_keeps_its_cells(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half_done(grid: Grid) -> Grid:
        grid.cells.clear()
        return breaks()

    monkeypatch.setattr(find, "with_spans", half_done)
    partition = read(made_pdf(draw))
    (table,) = [element.table for element in partition.elements if element.table is not None]
    assert [cell.content for cell in table.cells] == [text for row in ROWS for text in row]
    (note,) = partition.notes
    assert note.startswith("page 1: the head of a table could not be read (IndexError at ")


@pytest.mark.parametrize(
    ("module", "name", "part"),
    [(find, "ruled_grid", "a ruled table"), (regions, "find_tables", "the layout")],
)
def test_words_of_a_table_or_page_that_breaks_its_reader_stay(
    read: Read, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, part: str
) -> None:
    monkeypatch.setattr(module, name, breaks)
    partition = read(made_pdf(draw))
    reported = all_text(partition)
    assert all(text in reported for row in ROWS for text in row)
    assert "Crops of the year" in reported
    assert any(note.startswith(f"page 1: {part} could not be read") for note in partition.notes)


def test_a_page_that_breaks_its_reader_keeps_its_words_and_costs_no_other(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf, "_read_page", breaks_at(pdf._read_page))
    partition = read(made_pdf(draw, draw))
    assert [element.type for element in partition.elements if element.page_number == 1] == ["Text"]
    assert "Crops of the year" in (partition.elements[0].text_representation or "")
    assert any(
        element.type == "table" for element in partition.elements if element.page_number == 2
    )
    assert partition.page_count == 2
    assert any(note.startswith("page 1 could not be read") for note in partition.notes)


def test_a_pdf_without_a_readable_page_is_refused(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pdf, "_read_page", breaks)
    monkeypatch.setattr(pdf, "page_paragraphs", breaks)
    with pytest.raises(PartitionFailure, match="No page of the PDF could be read"):
        read(made_pdf(draw))


def test_a_table_of_a_web_page_that_breaks_its_reader_is_kept_as_text(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html._Reader, "_table", breaks)
    page = b"<html><body><p>Before</p><table><tr><td>Rye</td><td>12</td></tr></table><p>After</p>"
    partition = read(page, "page.html")
    assert [element.text_representation for element in partition.elements] == [
        "Before", "Rye 12", "After",
    ]  # fmt: skip
    assert "an element <table> could not be read" in partition.notes[0]


@pytest.mark.parametrize(
    ("module", "owner", "name", "data", "kept"),
    [
        (docx, "_Reader", "_table", samples.word(), "The harbour"),
        (pptx, "_Slide", "_text", samples.slides(samples._SHAPE), "The harbour, a rope"),
        (xlsx, "", "_tables", samples.sheets("<sheetData/>"), "harbour"),
        (odt, "_Reader", "_table", samples.opendocument("text", ODT), "A rope."),
        (odp, "_Page", "_shape", samples.opendocument("presentation", samples._PAGE), "harbour"),
        (eml, "", "_body", samples.mail(), "The harbour"),
    ],
)
def test_a_part_of_an_office_file_or_mail_that_breaks_its_reader_leaves_the_rest(
    read: Read,
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    owner: str,
    name: str,
    data: bytes,
    kept: str,
) -> None:
    monkeypatch.setattr(getattr(module, owner) if owner else module, name, breaks)
    partition = read(data)
    assert kept in all_text(partition)
    assert any("could not be read (IndexError at " in note for note in partition.notes)


def test_output_before_a_reader_fails_is_kept(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "_table", breaks_at(plain._table, first=2))
    partition = read(b"Monday was calm.\n\nTuesday was wet.\n", "a.txt")
    assert [e.text_representation for e in partition.elements] == ["Monday was calm."]
    assert partition.notes[0].startswith("the rest of the file could not be read")


def test_an_unreadable_file_is_refused_in_a_sentence(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(html, "_tree", breaks)
    monkeypatch.setattr(engine, "bare_paragraphs", breaks)
    with pytest.raises(
        PartitionFailure, match=r"The file could not be read \(IndexError"
    ) as caught:
        read(b"<html><body><p>Words</p></body></html>", "a.html")
    assert caught.value.status_code == 422


def test_a_file_without_anything_to_read_says_so(read: Read) -> None:
    partition = read(made_pdf(lambda canvas: None))
    assert (partition.elements, partition.notes) == (
        [],
        ["no text, table or picture was found in the file"],
    )


@pytest.mark.parametrize(
    "refusal", [PartitionFailure("Too large.", 422), MemoryError(), RuntimeError("bad_alloc")]
)
def test_refusals_and_want_of_memory_are_never_made_remarks(
    read: Read, monkeypatch: pytest.MonkeyPatch, refusal: Exception
) -> None:
    def refuse(*_: Any) -> None:
        raise refusal

    monkeypatch.setattr(html._Reader, "_table", refuse)
    with pytest.raises(type(refusal)):
        read(b"<html><body><p>Before</p><table><tr><td>1</td></tr></table>", "a.html")


def test_an_error_of_the_caller_is_not_blamed_on_the_file(tmp_path: Any) -> None:
    source = tmp_path / "a.md"
    source.write_bytes(b"# Diary\n")
    with pytest.raises(ConnectionError):
        engine.partition(
            source,
            name="a.md",
            options=engine.PartitionOptions(),
            progress=lambda *_: (_ for _ in ()).throw(ConnectionError()),
        )


def test_a_workbook_of_an_unknown_code_page_is_damaged(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_encoding(**_: Any) -> None:
        raise LookupError("unknown encoding: unknown_codepage_1")

    monkeypatch.setattr("xlrd.open_workbook", without_encoding)
    with pytest.raises(PartitionFailure, match="damaged"):
        read(old_office.xls("First", [["Name", "Cost"], ["Total", 4.0]]), "a.xls")


def test_a_page_with_damaged_content_is_named_and_the_others_are_read(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reportlab.rl_config.useA85", 0)
    pages = [partial(lines, x=60, y=760, texts=[f"Berth {p}{n}" for n in range(40)]) for p in "AB"]
    data = bytearray(made_pdf(*pages))
    first = data.index(b"FlateDecode")
    start, end = data.index(b"stream", first), data.index(b"endstream", first)
    assert not read(bytes(data)).notes
    data[(start + end) // 2 : (start + end) // 2 + 20] = b"\xff" * 20
    partition = read(bytes(data))
    assert partition.notes == ["the content of page 1 is damaged, so words may be missing or wrong"]
    assert "Berth B39" in all_text(partition) and "Berth A39" not in all_text(partition)


def test_texts_and_sheets_that_a_workbook_lacks_are_counted(read: Read) -> None:
    cells = '<row r="1"><c r="A1"><v>12</v></c><c r="B1" t="s"><v>0</v></c></row>'
    data = samples.sheets(f"<sheetData>{cells}</sheetData>")
    partition = read(data)
    assert partition.notes == ["sheet harbour: cells whose text is missing from the file: 1"]
    assert "12" in all_text(partition)
    lacking = read(data.replace(b"xl/s.xml", b"xl/t.xml"))
    assert lacking.notes[0] == "sheet harbour: its cells are missing from the file"
