"""Frames as files: Parquet, Arrow, CSV, JSON lines, Excel.

CSV and Excel have no nested values, so these become text, as in tables on the screen; text that a
spreadsheet would evaluate as a formula is quoted. Parquet, Arrow and JSON lines keep the structure.
The notes of an answer are a sheet in Excel and metadata in Parquet. CSV and JSON lines have no room
for comments, and Polars writes no metadata into Arrow files, so their notes go into a text file
beside them (`notes_beside`).
"""

import json
import os
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from io import BytesIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from workbench.client.errors import Mistake
from workbench.contract.formula_texts import is_formula, quoted
from workbench.contract.numbers import plain_number
from workbench.formats import counted, structure_in, value_words
from workbench.frames.notes import METADATA
from workbench.whole_files import whole_file

if TYPE_CHECKING:
    import polars as pl

FORMATS: Mapping[str, str] = {
    "parquet": "Parquet",
    "csv": "CSV",
    "jsonl": "JSON lines",
    "xlsx": "Excel",
    "arrow": "Arrow",
}
"""The supported file extensions, with their names."""

_WITHOUT_ROOM = ("csv", "jsonl", "arrow")
"""Formats that cannot contain notes."""
NOTES_SHEET = "Notes"
_EXCEL_ROWS = 1_048_576
_EXCEL_TEXT = 32_767
_EXCEL_DAYS = (1900, 1, 2)
"""Earlier days are written as text: Excel has none before 1900, and XlsxWriter writes the first of
1900 as a time without a day.
"""
_OS_ERROR = re.compile(r"\(os error (\d+)\)")
_EXCEL_WHOLE = 10**15
"""Excel rounds larger integers, so they are written as text."""


def write_table(
    table: "pl.DataFrame", form: str, file: IO[bytes], notes: Sequence[str] = ()
) -> list[str]:
    """Writes the table in one of `FORMATS`, with the notes if the format has room for them. Returns
    a remark if values were cut, which is then also among the notes.

    ValueError for more rows than an Excel sheet allows, OSError if the file cannot be written.
    """
    if form == "parquet":
        _write_parquet(table, file, notes)
    elif form == "arrow":
        from polars import CompatLevel

        table.write_ipc(file, compat_level=CompatLevel.oldest())  # which every program reads
    elif form == "xlsx":
        return _write_excel(table, file, notes)
    elif form == "jsonl":
        table.write_ndjson(file)
    else:
        # Every text is quoted: in many countries spreadsheets split cells at semicolons.
        _inert(_flat(table)).write_csv(file, quote_style="non_numeric")
    return []


def write_file(table: "pl.DataFrame", path: str | Path, notes: Sequence[str] = ()) -> Path:
    """Writes the table to `path` in the format of its extension; notes that do not fit in go into a
    text file beside it. Mistake for an unknown extension, or something that is not a path.
    """
    if not isinstance(path, str | os.PathLike):
        raise Mistake(f"Pass the path of a file, not {path!r:.80}.")
    target = Path(path).expanduser()
    form = target.suffix.removeprefix(".").lower()
    if form not in FORMATS:
        known = ", ".join(f".{ending}" for ending in FORMATS)
        raise Mistake(f"{target.name!r} does not name a format: end it in one of {known}.")
    with whole_file(target) as file:
        write_table(table, form, file, notes)
        if beside := notes_beside(notes, form):  # both are written, or neither
            file.flush()
            with whole_file(target.with_name(f"{target.name}.notes")) as more:
                more.write(beside.encode())
    return target


def notes_beside(notes: Sequence[str], form: str) -> str:
    """The text of the file beside one of that format; empty if the format has room for notes."""
    return "".join(f"{text}\n" for text in notes) if form in _WITHOUT_ROOM else ""


def _flat(frame: "pl.DataFrame") -> "pl.DataFrame":
    """Nested values as text, including JSON in text columns; fractions without rounding noise."""
    import polars as pl

    numbers = [
        pl.Series(
            name,
            [None if one is None else plain_number(one) for one in frame[name]],
            dtype=pl.Float64,
        )
        for name, kind in frame.schema.items()
        if kind == pl.Float64
    ]
    texts = [
        pl.Series(name, [_words(value) for value in frame[name].to_list()], dtype=pl.String)
        for name, kind in frame.schema.items()
        if kind.is_nested() or (kind == pl.String and _holds_structures(frame[name]))
    ]
    return frame.with_columns(numbers + texts)


def _inert(frame: "pl.DataFrame") -> "pl.DataFrame":
    """Quotes texts and column names that a spreadsheet would evaluate as formulas."""
    import polars as pl

    texts = [
        pl.Series(name, [text and quoted(text) for text in frame[name]], dtype=pl.String)
        for name, kind in frame.schema.items()
        if kind == pl.String
    ]
    return frame.with_columns(texts).rename(quoted)


def _holds_structures(texts: "pl.Series") -> bool:
    return bool(texts.str.contains(r"^[\[{]").any())


def _words(value: Any) -> str | None:
    """A nested value as text; other text unchanged."""
    if value is None or (isinstance(value, str) and structure_in(value) is None):
        return value
    return value_words(value, typed=True)


def _write_parquet(table: "pl.DataFrame", file: IO[bytes], notes: Sequence[str]) -> None:
    from polars.exceptions import ComputeError

    noted = {METADATA: json.dumps(list(notes), ensure_ascii=False)} if notes else None
    try:
        table.write_parquet(file, metadata=noted)
    except ComputeError as error:
        # Polars reports a full disk as a ComputeError here, and as an OSError in other formats.
        if (number := _OS_ERROR.search(str(error))) is None:
            raise
        raise OSError(int(number[1]), os.strerror(int(number[1]))) from error


def _write_excel(table: "pl.DataFrame", file: IO[bytes], notes: Sequence[str]) -> list[str]:
    """One sheet with a frozen header. Texts stay texts: none becomes a formula or a link, not even
    when a person edits its cell. Returns a remark if texts were cut.
    """
    import xlsxwriter

    if table.height >= _EXCEL_ROWS:
        raise ValueError(
            f"An Excel sheet has at most {_EXCEL_ROWS - 1:,} rows, and these are"
            f" {table.height:,}. Nothing was written; use Parquet or CSV."
        )
    whole = BytesIO()  # on a full disk, freeing XlsxWriter's file would print a second error
    book = xlsxwriter.Workbook(whole, {"constant_memory": True, "in_memory": False})
    sheet = book.add_worksheet()
    bold = book.add_format({"bold": True})
    inert = book.add_format({"quote_prefix": True})
    days = book.add_format({"num_format": "yyyy-mm-dd"})
    moments = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
    sheet.freeze_panes(1, 0)
    for place, name in enumerate(table.columns):
        sheet.write_string(0, place, name, bold)
    cut = 0
    for row, values in enumerate(table.iter_rows(), 1):
        for place, value in enumerate(values):
            match value:
                case None:
                    continue
                case bool():
                    sheet.write_boolean(row, place, value)
                case date() if (value.year, value.month, value.day) < _EXCEL_DAYS:
                    sheet.write_string(row, place, value.isoformat())
                case datetime():
                    sheet.write_datetime(row, place, value.replace(tzinfo=None), moments)
                case date():
                    sheet.write_datetime(row, place, value, days)
                case int() | float() if abs(value) < _EXCEL_WHOLE:
                    sheet.write_number(row, place, plain_number(value))
                case _:
                    text = _cell(value)
                    cut += len(text) > _EXCEL_TEXT
                    form = inert if is_formula(text) else None
                    sheet.write_string(row, place, text[:_EXCEL_TEXT], form)
    remarks = _remarks_on_cut(cut)
    _write_notes(book, [*notes, *remarks])
    book.close()
    file.write(whole.getbuffer())
    return remarks


def _remarks_on_cut(cut: int) -> list[str]:
    if not cut:
        return []
    return [
        f"{counted(cut, 'value')} cut to {_EXCEL_TEXT:,} characters, the limit of an Excel cell;"
        " CSV and Parquet keep the whole text."
    ]


def _write_notes(book: Any, notes: Sequence[str]) -> None:
    if notes:
        sheet = book.add_worksheet(NOTES_SHEET)
        sheet.set_column(0, 0, 100)
        for row, text in enumerate(notes):
            sheet.write_string(row, 0, text)


def _cell(value: Any) -> str:
    return _words(value) or "" if isinstance(value, str | list | dict) else str(value)
