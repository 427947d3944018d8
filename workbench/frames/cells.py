"""Converts the text of table cells to numbers and dates, one column at a time.

A column only gets a type when every non-empty cell can be converted without losing anything but its
unit; so numbers with leading zeros (codes) and footnote marks keep a column text. Both decimal
notations are supported, but never both in one column. Non-strict columns get the type of most
cells, with the text of the others beside it.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any

from workbench.frames.columns import inferred, of_type

if TYPE_CHECKING:
    import polars as pl

_NOTHING = frozenset({"", "-", "–", "—", "…", "...", "n/a", "n.a.", "na", "nil"})
_CURRENCIES = "$€£¥₹₩₽₺₴₪฿¢"
_UNIT = re.compile(f"[{_CURRENCIES}%‰]")
_AMID = re.compile(rf"\d *{_UNIT.pattern} *\d")
_PLAIN = str.maketrans("\u2212–\u00a0\u2009\u202f", "--   ")
_POINT = re.compile(r"[+-]? ?(0|[1-9]\d*|[1-9]\d{0,2}(?:([,' ])\d{3})(?:\2\d{3})*)(\.\d+)?")
_COMMA = re.compile(r"[+-]? ?(0|[1-9]\d*|[1-9]\d{0,2}(?:([.' ])\d{3})(?:\2\d{3})*)(,\d+)?")


@dataclass(frozen=True)
class Column:
    """Values of one type, and the unit (`%`, `$`, …) beside each number.

    `odd` has the texts of the cells that do not fit the type, null for the others.
    """

    values: "pl.Series"
    unit: str = ""
    odd: "pl.Series | None" = None


def column_of(texts: Sequence[str | None], *, strict: bool = True) -> Column:
    """Integers, numbers, dates as `2026-03-01`, or texts; not `strict`, the type of most."""
    cells = [None if text is None or text.strip().lower() in _NOTHING else text for text in texts]
    for read in (_dates, _numbers):
        if any(cells) and (column := read(cells)) is not None:
            return column
    return (None if strict else _by_majority(cells)) or Column(inferred(texts))


def _by_majority(texts: Sequence[str | None]) -> Column | None:
    """The type and unit of most cells; None if no type fits more than half."""
    kinds = [None if text is None else _kinds(text) for text in texts]
    counts = Counter(kind for some in kinds if some for kind in some)
    for kind, count in counts.most_common():
        if 2 * count <= sum(text is not None for text in texts):
            return None
        fits = [some is not None and kind in some for some in kinds]
        plain = [text if fit else None for text, fit in zip(texts, fits, strict=True)]
        column = _dates(plain) if kind == "date" else _numbers(plain)
        if column is not None:
            odd = [None if fit else text for text, fit in zip(texts, fits, strict=True)]
            return replace(column, odd=of_type(odd, "string"))
    return None


def _kinds(text: str) -> list[str]:
    """The possible types of a cell: `date`, `point%` (a number with that decimal sign and unit)."""
    if _dates([text]) is not None:
        return ["date"]
    digits, unit = _parts(text)
    money = unit in _CURRENCIES  # tables of money have the sign on some lines only
    patterns = (("point", _POINT), ("comma", _COMMA))
    units = ["", *_CURRENCIES] if unit == "" else [unit]
    return [
        f"{name}{one}"
        for name, pattern in patterns
        if pattern.fullmatch(digits)
        for one in (units if money else [unit])
    ]


def _dates(texts: Sequence[str | None]) -> Column | None:
    try:
        days = [None if text is None else date.fromisoformat(text.strip()) for text in texts]
    except ValueError:
        return None
    written = all(text is None or "-" in text for text in texts)  # 20260301 may be a number
    return Column(of_type(days, "date")) if written else None


def _numbers(texts: Sequence[str | None]) -> Column | None:
    parts = [None if text is None else _parts(text) for text in texts]
    digits = [None if part is None else part[0] for part in parts]
    units = {part[1] for part in parts if part is not None}
    if len(units) > 1 and units <= {"", *_CURRENCIES}:
        units -= {""}  # accounts have the currency sign on their first and last lines only
    if len(units) != 1:
        return None
    for pattern, plain in ((_POINT, _point), (_COMMA, _comma)):
        if all(text is None or pattern.fullmatch(text) for text in digits):
            read = [None if text is None else plain(text) for text in digits]
            values = _typed(read)
            return None if values is None else Column(values, units.pop())
    return None


def _parts(text: str) -> tuple[str, str]:
    """Sign and digits of a number, and its unit; no digits for other text."""
    plain = text.strip().translate(_PLAIN)
    units = set(_UNIT.findall(plain))
    if len(units) > 1 or _AMID.search(plain):
        return "", ""
    core = _UNIT.sub("", plain).strip()
    if core.startswith("(") and core.endswith(")"):
        core = f"-{core[1:-1].strip()}"  # accounting notation for negative numbers
    return core, units.pop() if units else ""


def _typed(digits: Sequence[str | None]) -> "pl.Series | None":
    """Integers if all are, else floats; None if digits would be lost."""
    whole = all(text is None or "." not in text for text in digits)
    read: Callable[[str], Any] = int if whole else float
    values = [None if text is None else read(text) for text in digits]
    if whole and any(value is not None and abs(value) >= 2**63 for value in values):
        return None
    return of_type(values, "int64" if whole else "float64")


def _point(text: str) -> str:
    return re.sub(r"[,' ]", "", text)


def _comma(text: str) -> str:
    return re.sub(r"[.' ]", "", text).replace(",", ".")
