"""XLSX files that Excel would not write so: every cell is read, or a remark says what is not."""

import io
import zipfile

import pytest

from backend.partition import Partition
from backend.partition.formats import xlsx_cells
from tests.backend.partition.conftest import Read, office
from tests.backend.partition.samples import opendocument, sheets


def grids(result: Partition) -> list[list[tuple[int, int, str]]]:
    """Of each table the row, the column and the text of its filled cells."""
    return [
        [(cell.rows[0], cell.cols[0], cell.content) for cell in e.table.cells if cell.content]
        for e in result.elements
        if e.table is not None
    ]


def word(text: str, reference: str | None = None) -> str:
    """A cell with a text."""
    place = "" if reference is None else f' r="{reference}"'
    return f'<c{place} t="inlineStr"><is><t>{text}</t></is></c>'


def row(*cells: str) -> str:
    return f"<row>{''.join(cells)}</row>"


def sheet(*rows: str) -> bytes:
    return sheets(f"<sheetData>{''.join(rows)}</sheetData>")


def test_rows_and_cells_without_references_follow_one_another(read: Read) -> None:
    head = row(word("port"), word("land"), word("ships"))
    (grid,) = grids(read(sheet(head, row(word("Kiel"), "<c/>", "<c><v>12</v></c>"))))
    assert grid == [(0, 0, "port"), (0, 1, "land"), (0, 2, "ships"), (1, 0, "Kiel"), (1, 2, "12")]


def test_cells_without_a_reference_follow_those_with_one(read: Read) -> None:
    rows = row(word("port", "C5"), word("ships")), row(word("12", "D6"), word("large"))
    (grid,) = grids(read(sheet(*rows, row(word("7", "D7")))))
    assert grid == [(0, 0, "port"), (0, 1, "ships"), (1, 1, "12"), (1, 2, "large"), (2, 1, "7")]


def test_characters_that_were_written_as_escapes_are_read_as_such(read: Read) -> None:
    texts = "first_x000D_second", "_x005F_x0041_", "_x0041__x0000__xD800_", "_x_y_x00_"
    (grid,) = grids(read(sheet(row(*map(word, texts)))))
    assert [text for *_, text in grid] == ["first second", "_x0041_", "A", "_x_y_x00_"]


PENDING = (
    "sheet harbour: formulas without a stored result were left out: 2; a spreadsheet program that"
    " opens and saves the file stores them"
)


def test_formulas_that_no_program_has_computed_are_counted_in_a_remark(read: Read) -> None:
    formulas = '<c r="A1"><f>1+1</f></c><c r="B1"><f>A1*2</f><v/></c>'
    computed = '<c r="C1"><f>2+3</f><v>5</v></c><c r="D1" t="str"><f>IF(C1,"")</f><v></v></c>'
    result = read(sheet(f'<row r="1">{formulas}{computed}</row>'))
    assert [e.text_representation for e in result.elements] == ["harbour", "5"]
    assert result.notes == [PENDING]


def test_formulas_of_opendocument_that_were_not_computed_are_counted_too(read: Read) -> None:
    def cell(attributes: str, text: str) -> str:
        return f'<table:table-cell table:formula="of:=1+1"{attributes}>{text}</table:table-cell>'

    computed = cell(' office:value-type="float" office:value="2"', "<text:p>2</text:p>")
    empty = cell(' office:value-type="string"', "")
    cells = computed + empty + 2 * cell("", "")
    body = f"<table:table-row>{cells}</table:table-row>"
    result = read(
        opendocument("spreadsheet", f'<table:table table:name="harbour">{body}</table:table>')
    )
    assert [e.text_representation for e in result.elements] == ["harbour", "2"]
    assert result.notes == [PENDING]


def test_text_of_cells_without_a_clear_place_follows_the_tables(read: Read) -> None:
    damaged = [word("again", "A1"), word("Lübeck", "$C$1"), word("Riga", "1A"), word("Bergen", "")]
    far = word("Oslo", "ZZZZZZ1")
    result = read(sheet(row(word("port", "A1"), word("ships", "B1"), *damaged, far)))
    assert grids(result) == [[(0, 0, "port"), (0, 1, "ships")]]
    assert result.elements[-1].text_representation == "again Lübeck Riga Bergen Oslo"
    assert result.notes == [
        "sheet harbour: cells whose reference cannot be read or occurs twice: 5; their text follows"
        " the tables"
    ]


def test_a_row_that_occurs_twice_keeps_its_first_cells_and_the_words_of_the_others(
    read: Read,
) -> None:
    result = read(sheet(row(word("port", "A1"), word("ships", "B1")), row(word("again", "A1"))))
    assert grids(result) == [[(0, 0, "port"), (0, 1, "ships")]]
    assert result.elements[-1].text_representation == "again"
    assert len(result.notes) == 1


def test_a_workbook_of_the_strict_variant_has_its_cells(read: Read) -> None:
    strict, usual = "http://purl.oclc.org/ooxml", "http://schemas.openxmlformats.org"
    with zipfile.ZipFile(io.BytesIO(sheet(row(word("port"), word("ships"))))) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    for kind in ("spreadsheetml", "officeDocument"):
        parts = {
            name: text.replace(f"{usual}/{kind}/2006", f"{strict}/{kind}")
            for name, text in parts.items()
        }
    assert grids(read(office(parts))) == [[(0, 0, "port"), (0, 1, "ships")]]


_WRITTEN = (
    '<row r="1" spans="1:4"><c r="A1" t="inlineStr"><is><t>R &amp; D&#10;costs</t></is></c>'
    '<c r="B1" s="1"><v>150</v></c><c r="C1" s="2"/><c r="D1"><v>0.30000000000000004</v></c></row>',
    '<row r="2" ht="12.8" hidden="false"/>',
    '<row r="4"><c r="B4" t="s"><v>1</v></c><c r="A4" s="2"><v>45000.5</v></c>'
    '<c r="D4" t="str"><f>IF(A1&gt;B1,"x","")</f><v></v></c><c r="E4" t="b"><v>1</v></c></row>',
    '<row r="5"><c r="A5"><f t="shared" si="0"/><v>-12.50</v></c><c r="B5" t="e"><v>#N/A</v></c>'
    '<c r="AA5" t="s"><v>0</v></c><c r="B5"><v>1E+3</v></c></row>',
)
_SHARED = (
    "<si><t>tonnes &lt; 5</t></si>",
    '<si><t xml:space="preserve"> Kiel\u2009harbour </t></si>',
)


def workbook(gap: str) -> bytes:
    """Numbers, dates, formulas, blank and misplaced cells, written tightly or with gaps."""
    formats = '<cellXfs><xf/><xf numFmtId="10"/><xf numFmtId="22"/></cellXfs>'
    data = sheets(f"<sheetData>{gap.join(_WRITTEN)}</sheetData>", formats)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    parts["xl/sharedStrings.xml"] = f'<sst xmlns="{space}">{gap.join(_SHARED)}</sst>'
    return office(parts)


@pytest.mark.parametrize("gap", ["\n", "<!-- more -->", "<extra/>"])
def test_compact_markup_does_not_change_a_sheet(read: Read, gap: str) -> None:
    tight, loose = read(workbook("")), read(workbook(gap))
    assert [e.wire() for e in tight.elements] == [e.wire() for e in loose.elements]
    assert tight.notes == loose.notes
    assert (0, 0, "R & D costs") in grids(tight)[0]


def test_the_tree_of_a_sheet_written_tightly_is_not_built(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xlsx_cells, "_cells_of_tree", lambda root: [])
    assert grids(read(workbook(""))) and not grids(read(workbook("\n")))
