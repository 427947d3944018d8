"""Tables as labels and values."""

from backend.extraction.tables import data_columns, full_width_texts, read_table
from workbench.contract.elements import Table, TableCell


def _table(*rows: str, header: bool = False) -> Table:
    split = [row.split("|") for row in rows]
    cells = [
        TableCell(content=text, rows=[at], cols=[col], is_header=header and at == 0)
        for at, texts in enumerate(split)
        for col, text in enumerate(texts)
    ]
    return Table(cells=cells, num_rows=len(split), num_cols=len(split[0]))


def _pairs(table: Table) -> dict[str, str]:
    return {pair.label: pair.value for pair in read_table(table)}


def test_two_columns_are_labels_and_values_even_when_the_first_row_is_flagged_as_header() -> None:
    table = _table("City|Wrenfield", "State|Calder", "Wind|12 kt", header=True)
    assert _pairs(table) == {"City": "Wrenfield", "State": "Calder", "Wind": "12 kt"}


def test_labels_and_values_may_alternate_over_four_columns() -> None:
    table = _table("Number|A-12|City|Wrenfield", "Date|2020-01-02|Cost|$5")
    assert _pairs(table) == {
        "Number": "A-12",
        "City": "Wrenfield",
        "Date": "2020-01-02",
        "Cost": "$5",
    }


def test_rows_below_a_header_are_named_by_their_first_cell() -> None:
    table = _table("Test|Result|Unit", "Hemoglobin|13.1|g/dL", "Glucose|99|mg/dL", header=True)
    pairs = _pairs(table)
    assert pairs["Hemoglobin"] == "13.1 g/dL"
    assert pairs["Glucose Result"] == "99"


def test_words_above_figures_are_a_header_without_a_flag() -> None:
    table = _table("Item|Quantity|Price", "Bolts|3|1.50", "Nuts|4|0.20")
    assert data_columns(table)[1] == ("Quantity", ("3", "4"))


def test_a_single_row_below_a_header_gives_a_value_to_each_title() -> None:
    table = _table("Order|Placed|Total", "A-7|2020-01-02|$5", header=True)
    assert _pairs(table) == {"Order": "A-7", "Placed": "2020-01-02", "Total": "$5"}


def test_cells_across_the_whole_width_are_texts_and_not_labels() -> None:
    wide = TableCell(content="All amounts in USD", rows=[0], cols=[0, 1])
    rest = [TableCell(content=t, rows=[1], cols=[i]) for i, t in enumerate(("Net", "5.00"))]
    table = Table(cells=[wide, *rest], num_rows=2, num_cols=2)
    assert full_width_texts(table) == ["All amounts in USD"]
    assert _pairs(table) == {"Net": "5.00"}


def test_a_table_without_cells_has_nothing_to_say() -> None:
    assert _pairs(Table(cells=[], num_rows=0, num_cols=0)) == {}


def test_a_last_row_without_a_name_that_adds_up_is_the_total() -> None:
    rows = ("Item|Quantity|Amount", "Kite|2|40.00", "Flyer|5|200.00")
    pairs = _pairs(_table(*rows, "||240.00", header=True))
    assert pairs["Total Amount"] == "240.00"
    assert "Total Amount" not in _pairs(_table(*rows, "||250.00", header=True))
