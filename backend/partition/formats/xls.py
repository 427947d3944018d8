"""XLS: one page per sheet; each connected block of cells is a table."""

import io
import struct
from datetime import datetime, time

import xlrd
from xlrd.biffh import (
    XL_CELL_BOOLEAN,
    XL_CELL_DATE,
    XL_CELL_ERROR,
    XL_CELL_NUMBER,
    error_text_from_code,
)

from backend.partition.compound import opened
from backend.partition.document import Document, PartitionFailure, Request
from backend.partition.flow import MAX_CELLS, Flow
from backend.partition.formats.number_formats import PLAIN, NumberFormat, number_format
from backend.partition.formats.numerals import shown
from backend.partition.formats.sheets import add_block, blocks_of, left_out, sane_merges
from backend.partition.selection import selected

_DAMAGED = (
    xlrd.XLRDError,
    struct.error,
    AssertionError,
    AttributeError,
    LookupError,
    NameError,
    OverflowError,
    TypeError,
    UnicodeDecodeError,
    ValueError,
    ZeroDivisionError,
)


def read(request: Request) -> Document:
    flow = request.flow
    notes: list[str] = []
    with _opened(request) as book:
        hidden = book._sheet_visibility[: book.nsheets]
        sheets = [number for number, state in enumerate(hidden) if not state]
        sheets = sheets or list(range(book.nsheets))
        notes += left_out([name for n, name in enumerate(book.sheet_names()) if n not in sheets])
        numbers = selected(request.options.selected_pages, max(1, len(sheets)))
        for done, number in enumerate(numbers, 1):
            flow.page = number
            try:
                _sheet(flow, book, book.sheet_by_index(sheets[number - 1]), notes)
                book.unload_sheet(sheets[number - 1])
            except _DAMAGED:
                notes.append(f"sheet {number} is damaged and could not be read")
            request.progress(done, len(numbers))
    return Document(flow.elements, max(1, len(sheets)), notes)


def _opened(request: Request) -> xlrd.Book:
    with opened(request.source, "XLS") as container:
        # Not the whole file: xlrd follows the chain of a stream's sectors in circles for ever.
        stream = container.read("Workbook" if "Workbook" in container else "Book")
    try:
        # Its remarks about odd files would otherwise be printed.
        return xlrd.open_workbook(
            file_contents=stream,
            logfile=io.StringIO(),
            on_demand=True,
            # Otherwise a single cell in the far corner would fill the whole sheet with blank ones.
            ragged_rows=True,
            formatting_info=True,
        )
    except _DAMAGED as error:
        if "ncrypt" in str(error):
            raise PartitionFailure(
                "The XLS file is encrypted with a password. Save it without one.", 422
            ) from None
        raise PartitionFailure("The XLS file is damaged and could not be read.", 422) from None


def _sheet(flow: Flow, book: xlrd.Book, sheet: xlrd.sheet.Sheet, notes: list[str]) -> None:
    flow.heading(sheet.name, 1)
    texts: dict[int, dict[int, str]] = {}
    count = 0
    for row in range(sheet.nrows):
        shown = (
            " ".join(_text(book, sheet.cell(row, col)).split()) for col in range(sheet.row_len(row))
        )
        if line := {col: text for col, text in enumerate(shown) if text}:
            texts[row] = line
            count += len(line)
        if count > MAX_CELLS:
            notes.append(f"sheet {sheet.name}: only the first {row + 1} rows were read")
            break
    merges = sane_merges(
        {(top, left): (bottom - 1, right - 1) for top, bottom, left, right in sheet.merged_cells}
    )
    for block in blocks_of(texts, merges):
        add_block(flow, block, texts, merges)
    for (row, col), note in sorted(sheet.cell_note_map.items()):
        flow.comment(xlrd.cellname(row, col), note.author, note.text)


def _text(book: xlrd.Book, cell: xlrd.sheet.Cell) -> str:
    """The displayed text of a cell."""
    if cell.ctype == XL_CELL_NUMBER:
        return _style(book, cell).of(float(cell.value))
    if cell.ctype == XL_CELL_BOOLEAN:
        return "TRUE" if cell.value else "FALSE"
    if cell.ctype == XL_CELL_ERROR:
        return str(error_text_from_code.get(cell.value, "#ERROR"))
    if cell.ctype == XL_CELL_DATE:
        return _date(float(cell.value), book.datemode)
    return str(cell.value)


def _style(book: xlrd.Book, cell: xlrd.sheet.Cell) -> NumberFormat:
    try:
        return number_format(book.format_map[book.xf_list[cell.xf_index].format_key].format_str)
    except (IndexError, KeyError, TypeError):
        return PLAIN


def _date(value: float, mode: int) -> str:
    try:
        moment: datetime = xlrd.xldate.xldate_as_datetime(value, mode)
    except (ValueError, OverflowError):
        return shown(value)
    if 0 <= value < 1:
        return moment.time().isoformat("seconds")
    whole_day = moment.time() == time()
    return moment.date().isoformat() if whole_day else moment.isoformat(" ", "seconds")
