"""Runs: neighbouring lines, rows or cells of one structure, and the name that each of them begins
with.

Lists in documents are seldom written with commas: goods stand in lines with amounts, enclosures
behind bullets, parts in a column, segments in the head of a table. What such lines have in common
is their structure, whatever they name.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice, takewhile
from typing import NamedTuple

from backend.extraction.segments import Place, Segment

_MARK = re.compile(
    r"\s*(?:(?P<bullet>[•·▪◦‣*+]|[-–—]\s)|(?P<number>\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s))\s*"
)
_COUNT = re.compile(
    r"\s*\d{1,3}(?:[.,]\d{1,3})?\s?(?:[x×*]|pcs?\.?|st(?:k|ck|ück)?\.?)?\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
"""A quantity in front of the name of a thing."""
_MEASURE = re.compile(
    r"\s*(?:\d[\d.,/]*\s?[½¼¾⅓⅔]?|[½¼¾⅓⅔])(?:\s?[^\W\d_]{1,4}\.?)?\s+(?:(?:of|de|di)\s+)?"
    r"(?=[^\W\d_])"
)
"""How much of a thing, in front of its name."""
_MONEY = r"(?:[€$£]|[A-Z]{3})?\s?-?\d[\d.,']*[.,]\d\d(?!\d)\s?-?(?:€|[A-Z]{1,3}\b|\*)?"
_MONEY_ALONE = re.compile(rf"\s*{_MONEY}\s*")
_TOKEN = re.compile(r"[^\s.…_]+(?:\.[^\s.…_]+)*")
"""A word or figure; dots and lines may lead from a name to its amount."""
_FACTOR = re.compile(r"\d{1,4}[x×*]?|[@x×*€$£]|[A-Z]{3}")
_CODE = re.compile(r"€|[A-Z]{1,3}|\*")
"""Behind an amount: its currency, or the letter of its tax."""
_MOST_FIGURES = 8
_AMOUNT = re.compile(r"(?<![\d.,'])\d[\d.,']*[.,]\d\d(?!\d)")
_FIGURE = re.compile(r"[-−(]?\s?[€$£]?\s?\d[\d.,'\s]*\)?")
"""A number in a cell. Those of one column have equally many decimals, which sums may ignore."""
_NO_SUM = 1 << 30
_HEAD_ROWS = 2
_NAMING = 2
"""Columns that may name the rows of a table."""
_HEAD_ENDS = re.compile(r"[,;:](?!\d)|\(|\s[-–—]\s|\s[x×]\s?\d")
"""Where remarks on a thing begin, behind its name."""
_SUM = re.compile(
    r"\W*(?:(?:grand|sub)?[ -]?totals?|sum(?:me|ma)?|zwischensumme|gesamt\w*|netto|brutto|balance|"
    r"average|montant|totale|zu zahlen|amount due|to pay)\b",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[^\W\d_]{2}")
_LETTERS_ONLY = re.compile(r"[^\W\d_]+")
_AROUND = " .;,·…_"
_MOST_WORDS, _SIGN = 4, 4
"""Different words in a column that tells rows apart, and characters of a sign such as ✓."""
_LONGEST, _LONGEST_PLAIN = 160, 60
_MOST_ITEMS = 200
_MOST_NAMES = 1_500
"""The number of names in all runs of a document."""


class Run(NamedTuple):
    """The names in neighbouring lines ("lines", "priced" if amounts follow), in a column below its
    title ("column"), in one row ("row"), in a column beside one value of another column ("beside"),
    or one after the other in a sentence ("sentence"); "heads" are the names without the remarks
    behind them. `about` are the texts that may say what they are.
    """

    way: str
    parts: tuple[Place, ...]
    about: tuple[str, ...] = ()


class _Line(NamedTuple):
    """A line of text or a row of a table: its first name, and the structure around it."""

    part: Place
    mark: str
    amount: float | None
    sums: bool

    @property
    def structure(self) -> tuple[str, bool]:
        return ("", True) if self.amount is not None else (self.mark, False)


def runs(segments: Sequence[Segment]) -> list[Run]:
    """The runs of a document in reading order, with at most `_MOST_NAMES` names in all."""
    every = [*_of_lines(_rows(segments)), *_of_tables(segments)]
    ordered = sorted(every, key=lambda run: run.parts[0].segment.order)
    distinct = {(run.parts, run.about): run for run in reversed(ordered)}
    out, names = [], 0
    for run in reversed(distinct.values()):
        names += len(run.parts)
        if names > _MOST_NAMES:
            break
        out.append(run)
    return out


def _rows(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Lines as they follow each other: the cells of a row are one line, and so are texts of
    different elements beside each other.
    """
    rows: list[list[Segment]] = []
    for one in segments:
        if one.joined:
            continue
        before = rows[-1][-1] if rows else None
        if before is not None and (
            (one.element == before.element and one.grid[:1] == before.grid[:1] != ())
            or (one.left and one.left == before.text and not one.grid)
        ):
            rows[-1].append(one)
        else:
            rows.append([one])
    return rows


def _of_lines(rows: Sequence[Sequence[Segment]]) -> Iterator[Run]:
    lines = [_line(row) for row in rows]
    at = 0
    while at < len(lines):
        first = at
        stretch, at = _stretch(lines, at)
        if len(stretch) > 1 or (stretch and stretch[0].amount is not None):
            above = rows[first - 1][0].text if first else ""
            for run in _whole_and_heads([one.part for one in stretch], above):
                yield run._replace(way="priced") if stretch[0].amount is not None else run
    for after, before in enumerate(rows, 1):
        if _announces(before) and len(rows) > after:
            yield from _whole_and_heads(_plain(rows[after : after + _MOST_ITEMS]), before[-1].text)


def _plain(rows: Sequence[Sequence[Segment]]) -> list[Place]:
    """The short lines of the element that comes first, up to the next colon."""
    first = rows[0][0].element
    short = takewhile(
        lambda row: (
            row[0].element == first
            and not row[0].grid
            and len(row[0].text) <= _LONGEST_PLAIN
            and not _announces(row)
        ),
        rows,
    )
    return [trimmed(row[0], 0, len(row[0].text)) for row in short]


def _announces(row: Sequence[Segment]) -> bool:
    return row[-1].text.rstrip().endswith(":")


def _line(row: Sequence[Segment]) -> _Line | None:
    """The first name in a row, with what stands before and behind it."""
    named = next((at for at, one in enumerate(row) if _names(one)), None)
    if named is None or len(row[named].text) > _LONGEST:
        return None
    segment = row[named]
    text, behind = segment.text, row[named + 1 :]
    mark, start = "", 0
    if (marked := _MARK.match(text)) is not None and marked.end() < len(text):
        mark, start = str(marked.lastgroup), marked.end()
    elif segment.kind == "List-item":
        mark = "item"
    counted = _COUNT.match(text, start)
    start = counted.end() if counted is not None else start
    end = len(text) if behind else _before_price(text, start)
    if not _LETTERS.search(text, start, end):
        return None
    amounts = [one.text for one in behind if _MONEY_ALONE.fullmatch(one.text)]
    amounts += [text[end:]] if end < len(text) else []
    amount = _as_number(_AMOUNT.findall(amounts[-1])[-1]) if amounts else None
    return _Line(trimmed(segment, start, end), mark, amount, _SUM.match(text) is not None)


def _before_price(text: str, start: int) -> int:
    """Where a name ends whose amount follows it, the last one with cents; else the end."""
    tokens = list(_TOKEN.finditer(text, start))
    last = len(tokens) - 1
    if last > 0 and _CODE.fullmatch(tokens[last][0]):
        last -= 1
    first = last
    while first > 0 and last - first < _MOST_FIGURES and _is_figure(tokens[first][0]):
        first -= 1
    if first == last or not _MONEY_ALONE.fullmatch(tokens[last][0]):
        return len(text)
    return tokens[first].end()


def _is_figure(token: str) -> bool:
    return _MONEY_ALONE.fullmatch(token) is not None or _FACTOR.fullmatch(token) is not None


def _stretch(lines: Sequence[_Line | None], at: int) -> tuple[list[_Line], int]:
    """The lines of one structure from a given line on, up to their sum, and where to continue. One
    line between two with amounts belongs to the first of them.
    """
    first = lines[at]
    if first is None or first.sums or first.structure == ("", False):
        return [], at + 1
    out, total = [first], first.amount or 0.0
    reached = at + 1
    while reached < len(lines) and len(out) < _MOST_ITEMS:
        one = lines[reached]
        if one is None or one.structure != first.structure:
            after = lines[reached + 1] if reached + 1 < len(lines) else None
            if first.amount is None or after is None or after.structure != first.structure:
                break
            if one is not None and one.sums:
                break
            reached += 1
            one = after
        if one.sums or (one.amount is not None and abs(one.amount - total) < 0.005):
            break
        out.append(one)
        total += one.amount or 0.0
        reached += 1
    return out, reached


def _of_tables(segments: Sequence[Segment]) -> Iterator[Run]:
    for _, members in groupby(segments, key=lambda one: one.element):
        cells: dict[tuple[int, ...], Segment] = {}
        for one in members:
            if one.grid and len(one.text) > len(cells[one.grid].text if one.grid in cells else ""):
                cells[one.grid] = one
        columns, rows = _lined_up(cells, 1), _lined_up(cells, 0)
        end = min(map(_sum_row, columns), default=_NO_SUM)
        columns = [own for column in columns if (own := [c for c in column if c.grid[0] < end])]
        for column in columns:
            yield from _of_column(column)
        for number, names in islice(_rows_names(columns), _NAMING):
            for column in [*columns[:number], *columns[number + 1 :]]:
                yield from _beside(names, column)
        for row in rows[:_HEAD_ROWS]:
            parts = tuple(trimmed(one, 0, len(one.text)) for one in row if _names(one))
            for some in (parts, parts[1:], parts[:-1], parts[1:-1]):
                if len(some) > 1:
                    yield Run("row", some, (row[0].text, row[0].heading, row[0].caption))


def _lined_up(cells: Mapping[tuple[int, ...], Segment], axis: int) -> list[list[Segment]]:
    """The cells of each row (`axis` 0) or column (1), in order."""
    lines: dict[int, list[Segment]] = {}
    for at in sorted(cells):
        lines.setdefault(at[axis], []).append(cells[at])
    return [lines[at] for at in sorted(lines)]


def _sum_row(column: Sequence[Segment]) -> int:
    """The first row whose number in a column is the sum of the numbers above it."""
    total, count = 0, 0
    for one in column:
        if _FIGURE.fullmatch(one.text):
            number = int(re.sub(r"\D", "", one.text)) * (-1 if one.text[0] in "(-−" else 1)
            if count > 1 and number and abs(number - total) <= 1:
                return one.grid[0]
            total, count = total + number, count + 1
    return _NO_SUM


def _of_column(cells: Sequence[Segment]) -> Iterator[Run]:
    """The names in a column, with its first cell and without, up to its sum."""
    parts: list[Place] = []
    for one in cells:
        if parts and _SUM.match(one.text):
            break
        if _names(one):
            parts.append(_named(one))
    for some in (parts, parts[1:]):
        for run in _whole_and_heads(some, cells[0].text):
            yield run._replace(way="column" if run.way == "lines" else run.way)


def _beside(names: Sequence[Segment], column: Sequence[Segment]) -> Iterator[Run]:
    """The names of the rows that have the same word in a column with few different words."""
    title, *cells = column
    words = {one.grid[0]: _first_word(one.text) for one in cells}
    if not words or not 0 < len(set(words.values()) - {""}) <= min(_MOST_WORDS, len(words)):
        return
    for word in dict.fromkeys(words.values()):
        parts = tuple(_named(one) for one in names if words.get(one.grid[0]) == word)
        if word and parts and len(parts) < len(names):
            about = (word, f"{title.text} {word}")
            for some in dict.fromkeys((parts, tuple(map(head, parts)))):
                yield Run("beside", some, about)


def _rows_names(columns: Sequence[Sequence[Segment]]) -> Iterator[tuple[int, list[Segment]]]:
    """The columns that have a different name in each row, by their numbers."""
    for number, column in enumerate(columns):
        rows = [one for one in column[1:] if _names(one)]
        if len(rows) > 1 and len({one.text for one in rows}) == len(rows):
            yield number, rows


def _first_word(text: str) -> str:
    """The first word of a text, or the sign that it is."""
    match = _LETTERS_ONLY.search(text)
    return match[0].lower() if match is not None else text.strip() if len(text) < _SIGN else ""


def _named(cell: Segment) -> Place:
    """The name in a cell, without its quantity."""
    counted = _COUNT.match(cell.text)
    return trimmed(cell, counted.end() if counted else 0, len(cell.text))


def _whole_and_heads(parts: Sequence[Place], above: str) -> Iterator[Run]:
    if not parts:
        return
    segment = parts[0].segment
    about = (above[:_LONGEST], segment.heading, segment.caption)
    whole = tuple(parts[:_MOST_ITEMS])
    yield Run("lines", whole, about)
    for heads in dict.fromkeys((tuple(map(head, whole)), uncounted(whole))):
        if heads != whole:
            yield Run("heads", heads, about)


def head(part: Place) -> Place:
    """A name without the remarks behind it."""
    text = part.segment.text
    cut = _HEAD_ENDS.search(text, part.start, part.end)
    if cut is None or not _LETTERS.search(text, part.start, cut.start()):
        return part
    return trimmed(part.segment, part.start, cut.start())


def uncounted(parts: Sequence[Place]) -> tuple[Place, ...]:
    """Names without the quantities in front of them and the remarks behind them."""
    return tuple(map(_without_measure, map(head, parts)))


def _without_measure(part: Place) -> Place:
    measure = _MEASURE.match(part.segment.text, part.start, part.end)
    return part if measure is None else trimmed(part.segment, measure.end(), part.end)


def _names(cell: Segment) -> bool:
    """Whether a text has words and is not an amount."""
    return _LETTERS.search(cell.text) is not None and not _MONEY_ALONE.fullmatch(cell.text)


def trimmed(segment: Segment, start: int, end: int) -> Place:
    """A range without the spaces and marks around its text."""
    text = segment.text[start:end]
    lead, bare = len(text) - len(text.lstrip(_AROUND)), len(text.rstrip(_AROUND))
    return Place(segment, start + min(lead, bare), start + bare)


def _as_number(written: str) -> float:
    """An amount with cents; every sign but the last one groups its digits."""
    digits = re.sub(r"\D", "", written)
    return int(digits) / 100.0
