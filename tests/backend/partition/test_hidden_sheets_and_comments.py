"""Hidden sheets of a workbook, and reviewers' comments on its cells."""

import io

import xlsxwriter

from tests.backend.partition.conftest import Read
from tests.backend.partition.old_office import xls
from tests.backend.partition.samples import opendocument


def _workbook() -> bytes:
    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer, {"in_memory": True}) as book:
        sheet = book.add_worksheet("prices")
        for row, (name, price) in enumerate([("Item", "Price"), ("Rope", 12), ("Sail", 90)]):
            sheet.write_row(row, 0, [name, price])
        sheet.write_comment("B2", "Ask the chandler again.", {"author": "Ada"})
        sheet.write_comment("B3", "Ada:\nPaid in cash.", {"author": "Ada"})
        book.add_worksheet("costs").hide()
    return buffer.getvalue()


def test_cell_comments_follow_their_table_and_hidden_sheets_are_named(read: Read) -> None:
    result = read(_workbook(), "prices.xlsx")
    notes = [e.text_representation for e in result.elements if e.type == "Footnote"]
    assert notes == ["B2, Ada: Ask the chandler again.", "B3: Ada: Paid in cash."]
    assert result.elements[-1].type == "Footnote"
    assert result.notes == ["hidden sheets were left out: costs"]


def test_the_same_in_opendocument(read: Read) -> None:
    hidden = (
        '<style:style style:name="h" style:family="table">'
        '<style:table-properties table:display="false"/></style:style>'
    )
    cell = (
        "<table:table-row><table:table-cell><office:annotation><dc:creator"
        ' xmlns:dc="http://purl.org/dc/elements/1.1/">Ada</dc:creator><text:p>Ask again.</text:p>'
        "</office:annotation><text:p>Rope</text:p></table:table-cell></table:table-row>"
    )
    body = (
        f'<table:table table:name="prices">{cell}</table:table>'
        '<table:table table:name="costs" table:style-name="h"/>'
    )
    result = read(opendocument("spreadsheet", body, automatic=hidden), "prices.ods")
    assert result.elements[-1].text_representation == "“Rope”, Ada: Ask again."
    assert result.notes == ["hidden sheets were left out: costs"]


def test_the_same_in_old_workbooks(read: Read) -> None:
    remarks = [(2, 1, "Ada", "Ask again."), (1, 1, " ", "Paid."), (1, 0, "Ada", "Ada:\nNew.")]
    data = xls("prices", [["Item", "Price"], ["Rope", 12], ["Sail", 90], ["All", ""]], remarks)
    notes = [e.text_representation for e in read(data, "prices.xls").elements[-3:]]
    assert notes == ["A2: Ada: New.", "B2: Paid.", "B3, Ada: Ask again."]
