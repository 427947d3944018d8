"""A frame written to a file reads back unchanged."""

import io
import json
import zipfile
from datetime import UTC, date, datetime
from itertools import chain
from xml.etree import ElementTree

import polars as pl
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet
import pytest

from workbench.frames import files
from workbench.frames.files import FORMATS, write_file, write_table

TABLE = pl.DataFrame(
    {
        "state": ["WA", "=1+1", None],
        "count": [14, 2**60, 3],
        "share": [0.5, None, 1.0],
        "sure": [True, False, None],
        "day": [date(2024, 1, 2), None, None],
        "at": [datetime(2024, 1, 2, 3, 4, tzinfo=UTC), None, None],
        "tags": [["a", "b"], [], None],
    }
)


def written(form, table=TABLE):
    out = io.BytesIO()
    write_table(table, form, out)
    return out.getvalue()


def test_parquet_and_arrow_keep_every_type():
    assert pl.read_parquet(io.BytesIO(written("parquet"))).equals(TABLE)
    assert pl.read_ipc(written("arrow")).equals(TABLE)


def test_other_programs_read_parquet_and_arrow():
    parquet = pyarrow.parquet.read_table(io.BytesIO(written("parquet")))
    for table in (parquet, pa.ipc.open_file(written("arrow")).read_all()):
        assert pl.DataFrame(table).equals(TABLE)
        assert table.schema.field("at").type == pa.timestamp("us", "UTC")
        assert table.schema.field("day").type == pa.date32()


def test_json_lines_keep_nested_values_and_csv_has_them_as_text():
    rows = [json.loads(line) for line in written("jsonl").splitlines()]
    assert rows[0]["tags"] == ["a", "b"]
    read = pl.read_csv(io.BytesIO(written("csv")))
    assert read["tags"][0] == "a, b"
    assert read["count"][1] == 2**60


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_csv_and_excel_have_readable_values_and_no_structures(form):
    passage = {"doc_id": "d", "page": 2, "text": "ice on the wing", "score": 0.93}
    table = pl.DataFrame(
        {
            "address": ['{"street": "Quay 4", "year": 1999, "flat": null}', "{not closed", None],
            "owner": [{"name": "Ada", "share": 0.5}, None, None],
            "seen": [[json.dumps(passage)], [], None],
            "list": ["plain", '["a, b", "c"]', None],
        }
    )
    if form == "csv":
        cells = set(chain.from_iterable(pl.read_csv(io.BytesIO(written("csv", table))).rows()))
    else:
        sheet = zipfile.ZipFile(io.BytesIO(written("xlsx", table))).read("xl/worksheets/sheet1.xml")
        cells = {node.text for node in ElementTree.fromstring(sheet).iterfind(".//{*}t")}
    assert cells >= {
        "street: Quay 4, year: 1999",
        "name: Ada, share: 0.5",
        "0.93  p2 “ice on the wing”",
        "plain",
        "{not closed",
        "a, b; c",
    }


@pytest.mark.parametrize("form", FORMATS)
def test_a_full_disk_is_an_error_of_the_system_in_every_format(form):
    with (
        pytest.raises(OSError, match="No space left on device"),
        open("/dev/full", "wb", 0) as full,
    ):
        write_table(TABLE, form, full)


def test_excel_has_a_header_numbers_as_numbers_and_never_a_formula():
    book = zipfile.ZipFile(io.BytesIO(written("xlsx")))
    sheet = book.read("xl/worksheets/sheet1.xml").decode()
    assert sheet.count("<row ") == 4
    assert "<f>" not in sheet
    assert "<v>14</v>" in sheet
    assert "=1+1" in sheet
    assert str(2**60) in sheet


FORMULAS = [
    "=1+1",
    "+1 555 0100",
    "-2+3",
    "@SUM(A1)",
    "'=1",
    "＝1+1",
    "a;=1+1",
    "\t=1",
    "-",
]
PLAIN = ["-5", "+4.50", "-1,200.00", "-3%", "1e-5", "it's", "'tis", "a=1", "", None]


def test_csv_has_no_text_that_a_spreadsheet_computes_and_its_numbers_stay_numbers():
    numbers = [-1.5] * len(FORMULAS)
    lines = written("csv", pl.DataFrame({"=a": FORMULAS, "n": numbers})).decode().splitlines()
    assert lines[0] == '"\'=a","n"'
    for line, text in zip(lines[1:], FORMULAS, strict=True):
        assert line == f'"{"" if text.startswith("a") else chr(39)}{text}",-1.5'
    plain = pl.read_csv(io.BytesIO(written("csv", pl.DataFrame({"a": PLAIN}))), infer_schema=False)
    assert plain["a"].to_list() == PLAIN


def test_excel_keeps_a_text_in_the_form_of_a_formula_when_its_cell_is_edited():
    book = zipfile.ZipFile(io.BytesIO(written("xlsx", pl.DataFrame({"a": ["=1+1", "-5", "x"]}))))
    sheet = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))
    styles = ElementTree.fromstring(book.read("xl/styles.xml")).findall(".//{*}cellXfs/{*}xf")
    cells = sheet.findall(".//{*}c")[1:]
    quoting = [styles[int(cell.get("s", 0))].get("quotePrefix") for cell in cells]
    assert quoting == ["1", None, None]


def test_excel_has_days_from_before_its_calendar_as_text():
    days = [date(1850, 3, 4), date(1900, 1, 1), date(1900, 1, 2)]
    moments = [datetime(1850, 3, 4, 5, 6), None, datetime(1900, 1, 2, 12)]
    book = zipfile.ZipFile(io.BytesIO(written("xlsx", pl.DataFrame({"d": days, "t": moments}))))
    sheet = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))
    texts = [node.text for node in sheet.iterfind(".//{*}t")]
    assert texts == ["d", "t", "1850-03-04", "1850-03-04T05:06:00", "1900-01-01"]
    assert [float(node.text) for node in sheet.iterfind(".//{*}v")] == [2.0, 2.5]


def test_more_rows_than_excel_allows_are_refused(monkeypatch):
    monkeypatch.setattr(files, "_EXCEL_ROWS", 3)
    with pytest.raises(ValueError, match="Parquet"):
        written("xlsx")


def test_texts_too_long_for_excel_are_cut_and_this_is_reported_in_the_file_and_to_the_caller():
    out = io.BytesIO()
    long = pl.DataFrame({"text": ["y" * 40_000, "short"]})
    (remark,) = write_table(long, "xlsx", out)
    assert remark.startswith("1 value cut to 32,767 characters")
    assert remark.encode() in zipfile.ZipFile(out).read("xl/worksheets/sheet2.xml")
    assert write_table(long, "csv", io.BytesIO()) == []


def test_every_format_can_be_written_without_rows():
    for form in FORMATS:
        assert written(form, TABLE.slice(0, 0)) or form == "jsonl"


NOISE = pl.DataFrame({"mean": [4.300000000000001, 149.71187500000002, None, 0.1]})


def test_csv_and_excel_show_no_rounding_of_binary_fractions():
    assert written("csv", NOISE).decode().split() == ['"mean"', "4.3", "149.711875", "0.1"]
    sheet = zipfile.ZipFile(io.BytesIO(written("xlsx", NOISE))).read("xl/worksheets/sheet1.xml")
    assert b"<v>4.3</v>" in sheet and b"<v>149.711875</v>" in sheet


def test_formats_for_programs_keep_fractions_exact():
    rows = [json.loads(line) for line in written("jsonl", NOISE).splitlines()]
    assert rows[0]["mean"] == 4.300000000000001
    assert pl.read_parquet(io.BytesIO(written("parquet", NOISE))).equals(NOISE)


def test_a_table_is_written_with_its_notes_or_not_at_all(tmp_path):
    target = tmp_path / "a.csv"
    target.write_text("before")
    (tmp_path / "a.csv.notes").mkdir()
    with pytest.raises(IsADirectoryError):
        write_file(TABLE, target, ["2 of 3 documents have no date"])
    assert target.read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "a.csv.notes"]
