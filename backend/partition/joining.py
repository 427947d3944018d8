"""Tables that continue across a page break -> one table.

Two tables are one if the second opens its page right after the first has closed the page before it,
their columns are at the same positions, and the second either repeats the header of the first or
begins with a row like those of its body. The repeated header is dropped. The joined table is on its
first page; each cell from a later page names that page in its properties. Other divided tables are
handled by `continuing`.
"""

from dataclasses import replace

from backend.partition.continuing import add_lines, continues, head_depth, name_source
from backend.partition.tables.grid import is_value
from workbench.contract.elements import Element, Table, TableCell

_BETWEEN = ("Page-header", "Page-footer", "Footnote")
_SAME_PLACE = 0.02
"""Of the page width, by which the borders of columns may differ."""


def join_tables(elements: list[Element], *, merge: bool = False) -> list[Element]:
    """The elements without the later parts of tables that were divided by page breaks. Parts
    separated by short lines refer to the table they continue, or with `merge` are joined to it as
    well.
    """
    out: list[Element] = []
    open_table: Element | None = None
    end_page = 0
    between: list[Element] = []
    for element in elements:
        if element.type in _BETWEEN:
            out.append(element)
            continue
        table = element.table
        if table is None:
            between.append(element)
            out.append(element)
            continue
        if open_table is not None and open_table.table is not None:
            whole = open_table.table
            follows = element.page_number == end_page + 1 and not between
            head = _goes_on(whole, table) if follows else None
            part = head is None and continues(open_table, element, between, end_page)
            if part and merge:
                add_lines(whole, between)
                rows = set(map(id, between))
                out = [one for one in out if id(one) not in rows]
                head = 0
            elif part:
                name_source(element, open_table)
            if head is not None:
                _append(open_table, element, head)
                end_page, between = element.page_number, []
                continue
        open_table, end_page, between = element, element.page_number, []
        out.append(element)
    return out


def _goes_on(first: Table, second: Table) -> int | None:
    """How many rows of the second table repeat the head of the first; None for another table."""
    if first.num_cols != second.num_cols or not _same_columns(first, second):
        return None
    head = head_depth(first)
    if head and second.num_rows > head and _rows(first, 0, head) == _rows(second, 0, head):
        return head
    return 0 if _like_the_body(first, second, head) else None


def _same_columns(first: Table, second: Table) -> bool:
    a, b = _starts(first), _starts(second)
    shared = a.keys() & b.keys()
    return len(shared) > 1 and all(abs(a[col] - b[col]) <= _SAME_PLACE for col in shared)


def _starts(table: Table) -> dict[int, float]:
    """Where the cells of each column begin."""
    starts: dict[int, float] = {}
    for cell in table.cells:
        if cell.bbox is not None and len(cell.cols) == 1:
            col = cell.cols[0]
            starts[col] = min(cell.bbox.x1, starts.get(col, 1.0))
    return starts


def _rows(table: Table, start: int, end: int) -> list[tuple[int, int, str]]:
    return [
        (cell.rows[0], cell.cols[0], " ".join(cell.content.split()).lower())
        for cell in table.cells
        if start <= cell.rows[0] < end and cell.content.strip()
    ]


def _like_the_body(first: Table, second: Table, head: int) -> bool:
    """Whether the first row of the second table has values where the first has columns of them."""
    columns = [
        col
        for col in range(first.num_cols)
        if (texts := [c.content for c in first.cells if c.rows[0] >= head and c.cols == [col]])
        and sum(map(is_value, texts)) > 0.6 * len(texts)
    ]
    opening = {cell.cols[0]: cell.content for cell in second.cells if cell.rows[0] == 0}
    return bool(columns) and all(is_value(opening.get(col, "")) for col in columns)


def _append(first: Element, second: Element, head: int) -> None:
    whole, more = first.table, second.table
    if whole is None or more is None:
        return
    shift = whole.num_rows - head
    page = {"page_number": second.page_number} if second.page_number != first.page_number else {}
    whole.cells += [_moved(cell, shift, page) for cell in more.cells if cell.rows[0] >= head]
    whole.num_rows += more.num_rows - head
    first.properties["rows"] = whole.num_rows
    pages = first.properties.get("pages", [first.page_number])
    if second.page_number != pages[-1]:
        first.properties["pages"] = [*pages, second.page_number]


def _moved(cell: TableCell, shift: int, page: dict[str, int]) -> TableCell:
    """A cell of a later page. Its rows are below, and no head in the middle of a table."""
    return replace(
        cell,
        rows=[row + shift for row in cell.rows],
        is_header=False,
        properties={**cell.properties, **page},
    )
