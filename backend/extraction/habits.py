"""How a document writes dates and numbers, from those that can be read in one way only."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from backend.extraction.dates import written_day_first

_LEAST_COMMAS = 2
_AMOUNT = r"(?<![\d.,])(?:\d{{1,3}}(?:{thousands}\d{{3}})+|\d+){decimal}\d\d?(?![\d.,]*\d)"
_COMMA = re.compile(_AMOUNT.format(thousands=r"\.", decimal=","))
_POINT = re.compile(_AMOUNT.format(thousands=",", decimal=r"\."))


class Habits(NamedTuple):
    """The order of day and month, None if unknown, and whether decimals stand behind a comma."""

    day_first: bool | None = None
    decimal_comma: bool = False


def habits_of(texts: Iterable[str], usual_order: bool | None) -> Habits:
    """The habits of a document with these texts; `usual_order` is that of related documents."""
    known = list(texts)
    orders = (written_day_first(text) for text in known)
    order = next((order for order in orders if order is not None), usual_order)
    commas, points = (sum(len(way.findall(text)) for text in known) for way in (_COMMA, _POINT))
    return Habits(order, commas >= _LEAST_COMMAS and commas > points)
