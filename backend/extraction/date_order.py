"""The order of day and month in a collection, from the documents whose dates are unambiguous.

"03/04/2024" could be two days. A single document may have only ambiguous dates; its neighbours
often settle the order.
"""

from collections.abc import Iterable, Iterator, Sequence

from backend.extraction.dates import written_day_first
from workbench.contract.elements import Element

_AGREED = 0.9
_MOST_TEXTS = 2_000


def prevailing_order(documents: Iterable[Sequence[Element]]) -> bool | None:
    """True if days come first, False if months do, None if documents differ or none is clear."""
    orders = [order for elements in documents if (order := _order(elements)) is not None]
    first = sum(orders)
    if not orders or max(first, len(orders) - first) < _AGREED * len(orders):
        return None
    return 2 * first > len(orders)


def _order(elements: Sequence[Element]) -> bool | None:
    for number, text in enumerate(_texts(elements)):
        order = written_day_first(text)
        if order is not None:
            return order
        if number == _MOST_TEXTS:
            break
    return None


def _texts(elements: Sequence[Element]) -> Iterator[str]:
    for element in elements:
        if element.table is not None:
            yield from (cell.content for cell in element.table.cells)
        elif element.text_representation:
            yield element.text_representation
