"""Recognises table columns that cover another period than the current one.

In "Three months ended 30 June 2024 | 2023 | Six months … 2024 | 2023" the first column is the
default: the latest end, then the shortest length. The rules depend on dates, years and durations in
column headers, not on the kind of table.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Literal, NamedTuple

from backend.extraction.dates import moments
from workbench.contract.elements import Table

Other = Literal["", "earlier", "longer"]
"""How the period of a column differs from the present one."""
_MOST_ROWS, _MOST_COLUMNS = 5, 40
_LONGEST_HEAD = 120
_YEAR = re.compile(r"(?<![\d.,/-])(?:19|20)\d\d(?![\d,/-]|\.\d)")
_FIGURE = re.compile(r"\d")
_LENGTH = re.compile(
    r"\b(?P<number>\w+(?:-\w+)?)[- ](?:(?P<week>week)|month|monat)\w*|\b(?P<digits>\d{1,2})M\b"
    r"|(?P<half>half|halbjahr|semest)|(?P<quarter>quart|trimest)"
    r"|(?P<year>\byear|annual|jahr|exercice|\bFY)",
    re.IGNORECASE,
)
_PART = re.compile(r"\b(?P<part>[QH])(?P<number>[1-4])\b|\b(?P<first>[1-4])[QH]\b")
_NUMBERS = {"three": 3, "four": 4, "six": 6, "nine": 9, "twelve": 12, "thirteen": 13,
            "twenty-six": 26, "thirty-nine": 39, "fifty-two": 52}  # fmt: skip
_NO_FACT = re.compile(
    r"budget|\bplan|forecast|target|estimate|expected|proposed|change|varian|%", re.I
)
"""Headers of plans and of comparisons between periods, which name no actual period."""
_ASKS_ANOTHER = re.compile(
    r"\b(?:previous|prior|preceding|former|before|earlier|last year|last quarter|past year)\b"
    r"|(?:19|20)\d\d",
    re.IGNORECASE,
)
_ASKS_LONGER = re.compile(
    r"\b(?:year[ -]to[ -]date|ytd|so far|cumulat\w+|half[ -]year|(?:six|nine|twelve) months|annual"
    r"|full year|(?:financial|fiscal|business|whole) year)\b",
    re.IGNORECASE,
)


class _Period(NamedTuple):
    end: date
    months: int
    """Length in months; 0 for a single day or if the header states none."""


def other_periods(table: Table) -> Mapping[int, Other]:
    """The columns for periods before the latest one, and for longer periods that end with it. Empty
    for a table that compares no periods.
    """
    if not 3 <= table.num_cols <= _MOST_COLUMNS:
        return {}
    known = {
        column: period
        for column, head in enumerate(_heads(table))
        if column and (period := _period(head)) is not None
    }
    if len(set(known.values())) < 2:
        return {}
    latest = max(period.end for period in known.values())
    lengths = [p.months for p in known.values() if p.end == latest and p.months]
    shortest = min(lengths, default=0)
    result: dict[int, Other] = {}
    for column, period in known.items():
        if period.end < latest:
            result[column] = "earlier"
        elif period.months > shortest:
            result[column] = "longer"
    return result


@lru_cache(maxsize=5_000)
def asked_periods(described: str) -> frozenset[Other]:
    """The columns that may contain the value of a property, by its name and description."""
    if _ASKS_ANOTHER.search(described):
        return frozenset({"", "earlier", "longer"})
    longer = _ASKS_LONGER.search(described) is not None
    return frozenset({"", "longer"} if longer else {""})


def _heads(table: Table) -> Sequence[str]:
    """The headers of each column. A title also covers the columns to its right that have no title
    in the same row.
    """
    heads = [""] * table.num_cols
    for row in _rows(table)[:_MOST_ROWS]:
        if any(_FIGURE.search(text) and not _dated(text) for text in row[1:]):
            break
        if len(set(row)) == 1:
            continue  # a title over all columns
        shared = _spread(row)
        heads = [f"{head} {text}".strip() for head, text in zip(heads, shared, strict=True)]
    return heads


def _rows(table: Table) -> list[list[str]]:
    rows = [[""] * table.num_cols for _ in range(min(table.num_rows, _MOST_ROWS))]
    for cell in table.cells:
        text = " ".join(cell.content.split())
        for row in cell.rows:
            for column in cell.cols:
                if row < len(rows) and column < table.num_cols:
                    rows[row][column] = text
    return rows


def _spread(row: Sequence[str]) -> list[str]:
    """The texts of a row; empty cells repeat the text to their left, except the first column's."""
    out = [row[0]]
    for text in row[1:]:
        out.append(text or (out[-1] if len(out) > 1 else ""))
    return out


@lru_cache(maxsize=5_000)
def _dated(text: str) -> bool:
    """Whether a text with digits is a period header, because it names a year or a day."""
    return _YEAR.search(text) is not None or bool(moments(text)) or _months(text) > 0


@lru_cache(maxsize=5_000)
def _period(head: str) -> _Period | None:
    """The actual period that a header names; None if it names none."""
    if not head or len(head) > _LONGEST_HEAD or _NO_FACT.search(head):
        return None
    days = [moment.day for moment in moments(head)]
    years = [int(year[0]) for year in _YEAR.finditer(head)]
    part = _PART.search(head)
    if part is not None and years:
        months = 6 if "H" in part[0] else 3
        number = int(part["number"] or part["first"])
        return _Period(date(max(years), min(12, months * number), 28), months)
    if not days and not years:
        return None
    return _Period(max(days) if days else date(max(years), 12, 31), _months(head))


def _months(text: str) -> int:
    match = _LENGTH.search(text)
    if match is None:
        return 0
    for word, months in (("half", 6), ("quarter", 3), ("year", 12)):
        if match[word]:
            return months
    number = (match["digits"] or match["number"]).lower()
    count = int(number) if number.isdecimal() and len(number) < 3 else _NUMBERS.get(number, 0)
    return round(count * 12 / 52) if match["week"] else count
