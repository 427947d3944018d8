"""All tables of a page, from the surest kind to the weakest; words of tables leave the text."""

from backend.partition.page import Rect, Rule, Word
from backend.partition.tables.grid import Grid, count_header_rows


def find_tables(
    words: list[Word], rules: list[Rule], fills: list[Rect], page: Rect
) -> tuple[list[Grid], list[Word]]:
    """The grids found and the words outside of them."""
    grids: list[Grid] = []
    for grid in grids:
        grid.header_rows = count_header_rows(grid)
    taken = {id(word) for grid in grids for word in grid.words()}
    return grids, [word for word in words if id(word) not in taken]
