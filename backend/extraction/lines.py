"""The original lines of an element's or cell's text, where the partitioner kept them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from workbench.contract.elements import LINE_STARTS, Element, Table, TableCell


def lines(text: str, properties: Mapping[str, Any]) -> list[str]:
    """The stripped lines of a text; running text is one line."""
    starts = properties.get(LINE_STARTS) or ()
    ends = [at for at in starts if isinstance(at, int) and text[at - 1 : at] == " "]
    results = [text[a:b] for a, b in pairwise([0, *ends, len(text)])]
    return [whole for line in results if (whole := " ".join(line.split()))]


def lined(element: Element, most: int) -> str:
    """The text of an element with its original line breaks, cut to at most `most` characters."""
    text = (element.text_representation or "")[: max(0, most)]
    if not element.properties.get(LINE_STARTS):
        return text
    return "\n".join(lines(text, element.properties))


def lined_cells(table: Table) -> Iterator[tuple[TableCell, Sequence[str]]]:
    """The cells with several lines."""
    for cell in table.cells:
        if cell.properties.get(LINE_STARTS):
            several = lines(cell.content, cell.properties)
            if len(several) > 1:
                yield cell, several
