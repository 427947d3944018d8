"""Which rows of a table are its head, where the format does not say.

The first row is, and so is the second if the first one only groups columns or names the table: a
cell spans several columns next to one that spans both rows, or the second row has words above
numbers.
"""

import re

from workbench.contract.elements import TableCell

_NUMBER = re.compile(r"[^\w]*\d[\d.,:/\s'’-]*[^\w]*$")
_YEAR = re.compile(r"(?:1[89]|20)\d\d$")


def mark_heads(cells: list[TableCell]) -> None:
    """Marks each cell as header or body."""
    last = max([cell.rows[-1] for cell in cells], default=0)
    head = 1 if last else 0
    # Without a cell that groups columns the head is one row, as in most long sheets.
    if any([len(cell.cols) > 1 for cell in cells]):
        rows: dict[int, list[TableCell]] = {}
        for cell in cells:
            rows.setdefault(cell.rows[0], []).append(cell)
        while head and head < last and _goes_on(rows, head):
            head += 1
    for cell in cells:
        cell.is_header = cell.rows[0] < head


def _goes_on(rows: dict[int, list[TableCell]], head: int) -> bool:
    """Whether the row `head` belongs to the head as the one above it does."""
    above, here, below = (rows.get(row, []) for row in (head - 1, head, head + 1))
    if not any(len(cell.cols) > 1 for cell in above) or not here:
        return False
    if any(len(cell.rows) == 2 for cell in above):
        return True
    values = {cell.cols[0]: cell.content for cell in below}
    return all(_is_name(cell.content) for cell in here) and any(
        cell.content and _names(cell.content, values.get(cell.cols[0], "")) for cell in here
    )


def _names(text: str, value: str) -> bool:
    """Whether a text is about the number below it, not one more of its kind."""
    return _is_number(value) and (not _is_number(text) or not _is_name(value))


def _is_name(text: str) -> bool:
    """Words, or the year that a column is about."""
    return not _is_number(text) or _YEAR.match(text) is not None


def _is_number(text: str) -> bool:
    return _NUMBER.match(text) is not None
