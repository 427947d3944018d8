"""Tables of documents as frames: headers, spans, and columns of numbers and dates."""

from datetime import date

import polars as pl
import pytest

from workbench.contract.documents import Document
from workbench.contract.elements import Table
from workbench.frames.tables import TableFrame, tables_of


def cell(content: str, rows: list[int], cols: list[int], header: bool = False) -> dict[str, object]:
    return {"content": content, "rows": rows, "cols": cols, "is_header": header}


def one_column(*texts: str, name: str = "x") -> TableFrame:
    cells = [cell(name, [0], [0], True)]
    cells += [cell(text, [row], [0]) for row, text in enumerate(texts, 1)]
    shape = {"cells": cells, "num_rows": len(texts) + 1, "num_cols": 1}
    return TableFrame(Table.model_validate(shape))


def column(*texts: str, name: str = "x") -> pl.Series:
    (series,) = one_column(*texts, name=name).to_polars().get_columns()
    return series


def test_headers_become_columns_and_spans_fill_their_cells():
    cells = [
        cell("Wind", [0], [0, 1], True),
        cell("", [0], [2], True),
        cell("speed", [1], [0], True),
        cell("gusts", [1], [1], True),
        cell("", [1], [2], True),
        cell("12", [2, 3], [0]),
        cell("20", [2], [1]),
        cell("a", [2], [2]),
        cell("25.5", [3], [1]),
    ]
    originals = [
        {"type": "Text"},
        {
            "type": "table",
            "properties": {"page_number": 3},
            "table": {"cells": cells, "num_rows": 4, "num_cols": 3, "caption": None},
        },
    ]
    document = Document(id="f", properties={"_original_elements": originals})
    (table,) = tables_of(document)
    frame = table.to_polars()
    assert frame.columns == ["Wind / speed", "Wind / gusts", "column_3"]
    assert frame.dtypes == [pl.Int64, pl.Float64, pl.String]
    assert frame.rows() == [(12, 20, "a"), (12, 25.5, None)]
    assert table.as_text().to_polars().rows() == [("12", "20", "a"), ("12", "25.5", None)]
    assert table.title() == "TableFrame(2 x 3 on page 3 of f)" and len(table) == 2


def test_equal_headers_get_numbers_instead_of_losing_a_column():
    cells = [cell("n", [0], [0], True), cell("n", [0], [1], True), cell("1", [1], [0])]
    table = {"cells": cells, "num_rows": 2, "num_cols": 2}
    document = Document(id="f", properties={"_original_elements": [{"table": table}]})
    assert tables_of(document)[0].to_arrow().column_names == ["n", "n_2"]


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["1", "20", ""], [1, 20, None]),
        (["1,204", "12", "–"], [1204, 12, None]),
        (["−3", "+4", "- 5"], [-3, 4, -5]),
        (["1 204", "1'000'000"], [1204, 1_000_000]),
        (["1.5", "n/a", "20"], [1.5, None, 20.0]),
        (["1.234,50", "2.000"], [1234.5, 2000.0]),
        (["0,5", "12"], [0.5, 12.0]),
        (["(12.5)", "3.0"], [-12.5, 3.0]),
    ],
)
def test_a_column_of_numbers_becomes_numbers_in_any_notation(texts, values):
    assert column(*texts).to_list() == values


@pytest.mark.parametrize(
    "texts",
    [
        ["007", "123"],
        ["12*", "13"],
        ["1.5", "2,5"],
        ["10 mi", "12 mi"],
        ["5%", "5"],
        ["$5", "€5"],
        ["3$4", "1"],
        ["(-5)", "1"],
        ["1,23,456", "1"],
        ["١٢", "nothing else"],
        ["9223372036854775808", "1"],
        ["2026-02-30", "2026-02-01"],
        ["-", "–"],
    ],
)  # fmt: skip
def test_a_column_that_cannot_be_converted_completely_keeps_its_texts(texts):
    assert column(*texts).to_list() == texts


def test_the_common_unit_of_a_column_goes_into_its_name():
    assert column("12.5%", "3 %", name="Share").name == "Share (%)"
    assert column("$1,200", "($ 5)", name="Loss").to_list() == [1200, -5]
    assert column("€ 3", "4", "5 €", name="Price").name == "Price (€)"
    assert column("5%", name="Share in %").name == "Share in %"
    assert column("5%", name="").name == "column_1"


def test_iso_dates_become_dates():
    days = column("2026-03-01", "", "2025-12-31")
    assert days.to_list() == [date(2026, 3, 1), None, date(2025, 12, 31)]
    assert column("20260301").to_list() == [20260301]


def by_majority(*texts: str, name: str = "x") -> dict[str, list[object]]:
    table = one_column(*texts, name=name).table
    return TableFrame(table, strict=False).to_polars().to_dict(as_series=False)


@pytest.mark.parametrize(
    ("texts", "values", "odd"),
    [
        (["1", "2", "n.d."], [1, 2, None], [None, None, "n.d."]),
        (["1.5", "2", "3", "12*"], [1.5, 2, 3, None], [None, None, None, "12*"]),
        (["1.5", "2.5", "3,5"], [1.5, 2.5, None], [None, None, "3,5"]),
        (["$5", "6", "€7"], [5, 6, None], [None, None, "€7"]),
        (["2026-03-01", "2026-03-02", "spring"], [date(2026, 3, 1), date(2026, 3, 2), None],
         [None, None, "spring"]),
    ],
)  # fmt: skip
def test_a_column_can_get_the_type_of_most_cells_without_losing_text(texts, values, odd):
    name, other = by_majority(*texts)
    assert by_majority(*texts)[name] == values
    assert other == f"{name} as text" and by_majority(*texts)[other] == odd


@pytest.mark.parametrize("texts", [["1", "a", "b"], ["1", "a"], ["5%", "5", "6", "7%"], ["a", ""]])
def test_half_of_the_cells_are_not_a_majority(texts):
    assert by_majority(*texts) == {"x": texts}


def test_a_completely_converted_column_has_no_text_beside_it():
    assert by_majority("1", "2", "") == {"x": [1, 2, None]}
