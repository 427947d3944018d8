"""Tables and forms in plain text: columns separated by blanks or by drawn lines."""

import re
from collections.abc import Iterator, Sequence
from statistics import median_low
from typing import NamedTuple

from backend.partition.flow import cells_of_rows
from backend.partition.formats.heads import mark_heads
from workbench.contract.elements import TableCell

_RULE = re.compile(r"^[\s|+:]*[-=_─━═]{2}[-=_+|:\s─━═┼╪]*$")
_GAP = re.compile(r"\S(?:  |\t)\s*\S")
_PART = re.compile(r"\S+(?: \S+)*")
_WIDE = re.compile(r"(?<=\S)(?: {4,}| *\t\s*|  +(?=[^\W\d_][\w .'/&-]{0,30}:\s))(?=\S)")
"""A gap too wide for two words of a sentence, or one before a label."""
_COLUMNS = re.compile(r" {3,}")
_OPEN_END = re.compile(r"(?:\?|\.{3})$")
"""The end of a label whose value follows."""
_BOX = re.compile(r"[☐☒☑✓✔✗□■]|[\[(][ xX✓✔\d]?[\])]")
_AMOUNT = re.compile(r"[^\w\s]?[A-Z]{0,3}[$€£]?[ -]{0,2}\(?[\d.,]*\d\)?\W?[A-Za-z%€]{0,3}")
_ORDINAL = re.compile(r"\d{1,3}[.)]?|[a-z][.)]")
_LONGEST_LABEL, _MOST_DIGITS, _FEW_WORDS = 40, 2, 3
_BEFORE_VALUE = ":=|"
"""Between a label and its value, or two cells."""
_LEAST_GAP, _MOST_ROWS, _LEAST_COLUMNS = 3, 500, 3
_COLON = re.compile(r":(?:\s|$)")
_LEAST_ROWS = 3
_WIDEST = 1000
_FILLED = 0.6
"""The least share of rows with text in two or more columns."""


def table_of(lines: list[str]) -> list[TableCell] | None:
    """The cells of a paragraph that is a table, otherwise None."""
    rules = [number for number, line in enumerate(lines) if _RULE.match(line)]
    kept = [line.expandtabs() for line in lines if not _RULE.match(line)]
    if len(kept) + bool(rules) < _LEAST_ROWS or not kept:
        return None
    rows = _drawn(kept) or _aligned(kept, [lines[number].expandtabs() for number in rules])
    if rows is None:
        return None
    head = next((sum(not _RULE.match(line) for line in lines[:at]) for at in rules if at), 0)
    cells = cells_of_rows(rows, head if head < len(rows) else 0)
    if not head:
        mark_heads(cells)
    return cells


class Form(NamedTuple):
    """Consecutive lines that each begin with a label, with all values in one column."""

    first: int
    end: int
    rows: list[list[str]]
    """A label with its value, or a text that is neither."""

    def cells(self) -> list[TableCell]:
        """The form as a table of two columns."""
        return [
            TableCell(content=text, rows=[at], cols=[column] if len(row) > 1 else [0, 1])
            for at, row in enumerate(self.rows)
            for column, text in enumerate(row)
        ]


def forms(lines: Sequence[str]) -> Iterator[Form]:
    """The parts of a paragraph in which at least two lines have a label and a value. The values are
    in one column, or alone on their line behind the label, and may continue below.
    """
    several = [line.expandtabs() for line in lines]
    at = 0
    while at < len(several):
        form = _form_from(several, at) or _loose_from(several, at)
        if form is not None:
            yield form
        at = form.end if form is not None else at + 1


def _form_from(lines: Sequence[str], first: int) -> Form | None:
    place = _value_at(lines[first])
    if place is None:
        return None
    rows: list[list[str]] = []
    aligned, widest, wide, end = 0, 0, 0, first
    for line in lines[first : first + _MOST_ROWS]:
        label, value = line[:place].strip(), line[place:].strip()
        if not value or line[place].isspace() or not line[place - 1].isspace():
            break
        if label and not _is_label(label):
            break
        aligned += not label or _value_at(line) == place
        widest = max(widest, place - len(line[:place].rstrip()))
        if label:
            own = list(_rows(label, value))
            wide += len(own) > 2
            rows += own
        else:
            rows[-1][-1] += f" {value}"
        end += 1
    good = aligned > 1 and widest >= _LEAST_GAP and 2 * wide <= aligned
    return Form(first, end, rows) if good else None


def _loose_from(lines: Sequence[str], first: int) -> Form | None:
    """A form whose lines have only a label and a value, with values at different positions."""
    rows = []
    plain, widest = True, 0
    for line in lines[first : first + _MOST_ROWS]:
        parts = [match[0] for match in _PART.finditer(line)]
        if len(parts) != 2 or _value_at(line) is None or not _is_label(parts[0]):
            break
        widest = max(widest, len(line.strip()) - sum(map(len, parts)))
        plain = plain and not parts[0][0].islower() and len(parts[0].split()) <= _FEW_WORDS
        rows.append(parts)
    good = len(rows) > 1 and (plain or widest >= _LEAST_GAP)
    return Form(first, first + len(rows), rows) if good else None


def _is_label(text: str) -> bool:
    short = len(text) <= _LONGEST_LABEL and text[-1] not in ".,;"
    return short and sum(map(str.isdigit, text)) <= _MOST_DIGITS


def _value_at(line: str) -> int | None:
    """Where the second part of a line begins; a number in front belongs to the label."""
    parts = list(_PART.finditer(line))
    if len(parts) > 2 and _ORDINAL.fullmatch(parts[0][0]):
        del parts[0]
    if len(parts) < 2 or not any(map(str.isalpha, parts[0][0])):
        return None
    return parts[1].start()


def _rows(label: str, value: str) -> Iterator[list[str]]:
    """A label with its value, then the rest of the line: a label with its value, or a text."""
    parts = apart(value.lstrip(_BEFORE_VALUE), _COLUMNS)
    yield [" ".join(label.split()), parts[0]]
    rest = parts[1:]
    if len(rest) == 2 and rest[0][0].isalpha() and len(rest[0]) <= _LONGEST_LABEL:
        yield rest
    else:
        yield from ([part] for part in rest)


def apart(line: str, gap: re.Pattern[str] = _WIDE) -> list[str]:
    """The parts of a line between wide gaps. Not separated are a label and its value, neighbouring
    check boxes, and an amount and its unit or noun.
    """
    parts: list[str] = []
    for part in gap.split(line.strip()):
        if parts and _goes_on(parts[-1], part):
            parts[-1] += f" {part}"
        else:
            parts.append(part)
    return parts


def is_row(line: str) -> bool:
    """Whether a line has enough parts, none of them labelled, to be a row of a table."""
    return len(_PART.findall(line)) >= _LEAST_COLUMNS and _COLON.search(line) is None


def _goes_on(before: str, part: str) -> bool:
    """Whether a part of a line belongs to the one before it despite the gap."""
    if before[-1] in _BEFORE_VALUE or part[0] in _BEFORE_VALUE or _OPEN_END.search(before):
        return True
    return _BOX.match(part) is not None or _AMOUNT.fullmatch(part) is not None


def has_gap(line: str) -> bool:
    """Whether a line has parts with wide blanks between them."""
    return _GAP.search(line) is not None


def _drawn(lines: list[str]) -> list[list[str]] | None:
    """Rows whose cells have vertical lines between them, and perhaps around them."""
    bare = [line.strip().replace("│", "|") for line in lines]
    framed = all(line.startswith("|") and line.endswith("|") and len(line) > 1 for line in bare)
    if not framed and not all(" | " in line for line in bare):
        return None
    inner = [line[1:-1] for line in bare] if framed else bare
    rows = [[cell.strip() for cell in line.split("|")] for line in inner]
    width = max(map(len, rows))
    short = [at for at, row in enumerate(rows) if len(row) < width]
    if width < 2 or (framed and short) or 2 * len(short) > len(rows):
        return None
    for at in short:  # indented ones continue the last columns, as totals do
        blank = [""] * (width - len(rows[at]))
        rows[at] = [*blank, *rows[at]] if lines[at][:1].isspace() else [*rows[at], *blank]
    return rows


def _aligned(lines: list[str], rules: list[str]) -> list[list[str]] | None:
    """Rows cut where all lines are blank, at least two letters wide or below a gap in a rule."""
    width = max(len(line) for line in lines)
    if width > _WIDEST:
        return None
    inked = [any(at < len(line) and line[at] != " " for line in lines) for at in range(width)]
    cuts: list[int] = []
    at = 0
    while at < width:
        end = at
        while end < width and not inked[end]:
            end += 1
        broken = any(set(rule[at:end]) == {" "} and rule[end:].strip() for rule in rules)
        if at and end < width and (end - at >= 2 or (end > at and broken)):
            cuts.append(end)
        at = max(end, at + 1)
    starts = [0, *cuts]
    rows = [
        [line[a:b].strip() for a, b in zip(starts, [*cuts, None], strict=True)] for line in lines
    ]
    filled = sum(sum(bool(cell) for cell in row) > 1 for row in rows)
    return _divided(rows) if len(starts) > 1 and filled >= _FILLED * len(rows) else None


def _divided(rows: list[list[str]]) -> list[list[str]]:
    """Divides the columns in which most cells have wide gaps, but at no common position: their
    first part is at the left, the others are at the right.
    """
    for column in reversed(range(len(rows[0]))):
        cells = [_COLUMNS.split(row[column]) for row in rows]
        several = [len(cell) for cell in cells if len(cell) > 1]
        if len(several) < max(2, _FILLED * sum(bool(cell[0]) for cell in cells)):
            continue
        width = median_low(several)
        for row, (first, *rest) in zip(rows, cells, strict=True):
            last = [*rest[: width - 2], " ".join(rest[width - 2 :])] if rest else []
            blank = [""] * (width - 1 - len(last))
            row[column : column + 1] = [first, *blank, *last]
    return rows
