"""Parts of a table that share one header: a statement divided by titles or by a page.

A part without its own header continues the previous table if its values are in the same columns and
only short lines separate the two. It refers to that table and gets its column labels.
"""

from backend.partition.tables.grid import is_value
from workbench.contract.elements import CONTINUED_FROM, Element, Table, TableCell

_MOST, _SHORT = 3, 80
"""The most lines between two parts, and their letters: titles, units, `continued`."""
_SAME_PLACE = 0.03
"""The share of the page width by which the ends of columns may differ."""
_FIRST = 2
"""The rows at the top of a part that are examined: the first may name a section."""
_VALUES = 0.6
"""The share of cells with values in a column of values."""


def head_of(table: Table) -> list[str] | None:
    """The label of each column, combined from several rows; None if no column of values has one."""
    if table.column_headers is not None:
        return table.column_headers
    depth = head_depth(table)
    labels: list[list[str]] = [[] for _ in range(table.num_cols)]
    for cell in table.cells:
        if cell.rows[0] < depth and cell.content.strip():
            for col in cell.cols:
                labels[col].append(cell.content.strip())
    return [" ".join(parts) for parts in labels] if any(labels[1:]) else None


def head_depth(table: Table) -> int:
    """The number of header rows."""
    return 1 + max((cell.rows[-1] for cell in table.cells if cell.is_header), default=-1)


def continues(before: Element, part: Element, between: list[Element], end_page: int) -> bool:
    """Whether a table is a part of the one before, which ends on `end_page`."""
    first, second = before.table, part.table
    if first is None or second is None or first.num_cols != second.num_cols or first.num_cols < 2:
        return False
    near = part.page_number in (end_page, end_page + 1)
    if not near or len(between) > _MOST or not all(map(_is_short, between)):
        return False
    return head_of(first) is not None and _has_values_below(first, second)


def _is_short(element: Element) -> bool:
    text = (element.text_representation or "").strip()
    return element.type != "Image" and len(text) <= _SHORT and not text.endswith((".", ";", ","))


def _has_values_below(first: Table, second: Table) -> bool:
    """Whether the second table begins with values where the first has its columns of values."""
    depth, columns = head_depth(first), _columns_of_values(first)
    ends, others = _ends(first), _ends(second)
    if not columns or any(
        abs(ends.get(c, 0.0) - others.get(c, 1.0)) > _SAME_PLACE for c in columns
    ):
        return False
    rows: list[dict[int, str]] = [{} for _ in range(_FIRST)]
    for cell in second.cells:
        if cell.rows[0] < _FIRST and cell.content.strip():
            rows[cell.rows[0]][cell.cols[0]] = cell.content
    filled = [row for row in rows if any(col in row for col in columns)]
    labels = [row for row in rows if row not in filled and set(row) - {0}]
    return bool(filled) and not labels and depth > 0 and _all_values(filled[0], columns)


def _all_values(row: dict[int, str], columns: list[int]) -> bool:
    texts = [row[col] for col in columns if col in row]
    return len(texts) > 0.5 * len(columns) and all(map(is_value, texts))


def _columns_of_values(table: Table) -> list[int]:
    depth = head_depth(table)
    texts: dict[int, list[str]] = {}
    for cell in table.cells:
        if cell.rows[0] >= depth and len(cell.cols) == 1 and cell.cols[0] and cell.content.strip():
            texts.setdefault(cell.cols[0], []).append(cell.content)
    return [col for col, all_ in texts.items() if sum(map(is_value, all_)) > _VALUES * len(all_)]


def _ends(table: Table) -> dict[int, float]:
    """Where each column ends."""
    ends: dict[int, float] = {}
    for cell in table.cells:
        if cell.bbox is not None and len(cell.cols) == 1:
            ends[cell.cols[0]] = max(cell.bbox.x2, ends.get(cell.cols[0], 0.0))
    return ends


def name_source(part: Element, before: Element) -> None:
    """Records in a part the position of its header and its column labels."""
    source = before.properties.get(CONTINUED_FROM)
    place = {"page_number": before.page_number, "bbox": before.bbox}
    part.properties[CONTINUED_FROM] = source or place
    if part.table is not None and before.table is not None:
        part.table.column_headers = head_of(before.table)
        for cell in part.table.cells:
            cell.is_header = False


def add_lines(table: Table, between: list[Element]) -> None:
    """The lines before a part become rows with a label alone."""
    for element in between:
        cells = [
            TableCell(
                content=(element.text_representation or "").strip() if col == 0 else "",
                rows=[table.num_rows],
                cols=[col],
            )
            for col in range(table.num_cols)
        ]
        table.cells += cells
        table.num_rows += 1
