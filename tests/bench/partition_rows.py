"""Which lines of a table continue the row above them, by the table in the truth of its page."""

import html
import re
from itertools import pairwise

from backend.partition.tables.continued import Row

Rows = list[list[str]]
"""The bare texts in each row of a table; a cell of several rows is in all of them."""

TABLE = re.compile(r"<table\b.*?</table>|(?:^\|.*\|[ ]*\n?)+", re.DOTALL | re.MULTILINE)
_ROW = re.compile(r"<tr\b.*?</tr>", re.DOTALL)
_CELL = re.compile(r"<t[dh]\b([^>]*)>(.*?)</t[dh]>", re.DOTALL)
_HIGH = re.compile(r'rowspan="?(\d+)')
_TAG = re.compile(r"<[^>]*>")
_LEAST = 0.5
"""Of the letters of the lines: those in one table of the truth."""


def tables_of(truth: str) -> list[Rows]:
    """The tables of a page in Markdown."""
    out = []
    for match in TABLE.finditer(truth):
        lines = match[0].splitlines()
        piped = [line.strip(" |").split("|") for line in lines if set(line) - set("|-: ")]
        out.append(_by_rows(match[0]) if match[0].startswith("<") else _bared(piped))
    return out


def _bared(rows: list[list[str]]) -> Rows:
    return [[text for text in map(bare, row) if text] for row in rows]


def _by_rows(table: str) -> Rows:
    out: Rows = []
    high: list[tuple[str, int]] = []
    for row in _ROW.findall(table):
        high = [(text, left - 1) for text, left in high if left > 1]
        above = [text for text, _ in high]
        own = [
            (bare(_TAG.sub(" ", html.unescape(text))), said) for said, text in _CELL.findall(row)
        ]
        out.append([text for text, _ in own if text] + above)
        for text, attributes in own:
            rows = _HIGH.search(attributes)
            high += [(text, int(rows[1]))] if text and rows else []
    return out


def bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


def continuing(lines: list[Row], tables: list[Rows]) -> list[bool | None]:
    """Whether each line but the first continues the row of the one above it; None if the truth has
    no row with all texts of either line."""
    texts = [[(a, b, bare(" ".join(w.text for w in words))) for a, b, words in line.spans]
             for line in lines]  # fmt: skip
    letters = sum(len(text) for line in texts for _, _, text in line)
    ways = [way for table in tables if (way := _way(texts, table)) and way[0] > _LEAST * letters]
    return max(ways, key=lambda way: way[0])[1] if ways else [None] * (len(lines) - 1)


Texts = list[tuple[int, int, str]]


def _way(lines: list[Texts], table: Rows) -> tuple[float, list[bool | None]] | None:
    """The rows of a table, in order, that have most of the texts of the lines, and how many letters
    these have."""
    found = [[_in_row(line, row) for row in table] for line in lines]
    best: list[tuple[float, list[int]] | None]
    best = [(found[0][at][0] - at / 100, [at]) for at in range(len(table))]
    for number, (upper, line) in enumerate(pairwise(lines), 1):
        after: list[tuple[float, list[int]] | None] = []
        above: tuple[float, list[int]] | None = None
        for at, row in enumerate(table):
            same, choice = best[at], above
            if same and _may_continue(upper, line, row):
                choice = max(
                    filter(None, (above, (same[0] - 0.1, same[1]))), key=lambda one: one[0]
                )
            after.append((choice[0] + found[number][at][0], [*choice[1], at]) if choice else None)
            above = max(filter(None, (above, same)), key=lambda one: one[0], default=None)
        best = after
    score, rows = max(filter(None, best), key=lambda one: one[0], default=(0.0, []))
    if not rows:
        return None
    whole = [found[number][at][1] for number, at in enumerate(rows)]
    pairs = zip(pairwise(rows), pairwise(whole), strict=True)
    return score, [a == b if all(sure) else None for (a, b), sure in pairs]


def _in_row(line: Texts, row: list[str]) -> tuple[float, bool]:
    """The letters of a line that are in cells of a row, a little more if they are whole cells, and
    whether all are."""
    texts = [text for _, _, text in line if text]
    within = [text for text in texts if any(text in cell for cell in row)]
    complete = len(within) == len(texts)
    return sum(map(len, within)) + 0.5 * (complete and all(t in row for t in texts)), complete


def _may_continue(upper: Texts, line: Texts, row: list[str]) -> bool:
    """Whether texts below each other follow each other in one cell."""
    pairs = [
        (above, text)
        for first, last, text in line
        for start, end, above in upper
        if first <= end and start <= last and above and text
    ]
    return all(any(text in cell.partition(above)[2] for cell in row) for above, text in pairs)
