"""Plain text: paragraphs between blank lines, lines of forms, list items, tables, and headings that
are underlined or in capitals on a line of their own. A form feed ends a page.
"""

import re
from itertools import pairwise

from backend.partition.document import Document, Request
from backend.partition.flow import Flow
from backend.partition.formats.plain_tables import apart, forms, has_gap, is_row, table_of
from backend.partition.layout.blocks import is_list_start

_UNDERLINE = re.compile(r"^\s*([=\-~])\1{2,}\s*$")
_LABELLED = re.compile(r"\s*[^\W\d_][^:]{0,40}:\s")
_STRUCK = re.compile(r"[^\n\x08]\x08")
"""An overstruck letter: manual pages underline this way, and print bold letters twice."""
_FORM = 2 / 3
"""Share of labelled lines from which a paragraph is a form."""
_NUMBERED = re.compile(r"^\s*(\d{1,4})[.)]\s+(?=\S)")
_FEWEST_CAPITALS, _LONGEST_HEADING = 4, 80
_BULLET = re.compile(r"^\s*[•●○◦▪■□▫‣⁃·➢*\-–]\s+")


def read(request: Request) -> Document:
    flow = request.flow
    pages = _STRUCK.sub("", request.text()).rstrip("\f\n ").split("\f")
    for number, page in enumerate(pages, 1):
        flow.page = number
        read_into(flow, page)
        request.progress(number, len(pages))
    return Document(flow.elements, len(pages))


def read_into(flow: Flow, text: str) -> None:
    """Adds the paragraphs of a text to `flow`."""
    paragraphs = [
        [line.rstrip() for line in paragraph.split("\n") if line.strip()]
        for paragraph in re.split(r"\n\s*\n", text.replace("\f", "\n\n"))
    ]
    last = len(paragraphs) - 1
    for number, lines in enumerate(paragraphs):
        if len(lines) == 1 and number < last and _is_shouted(lines[0]):
            flow.heading(lines[0], 1)
        else:
            _paragraph(flow, lines)


def _is_shouted(line: str) -> bool:
    letters = [char for char in line if char.isalpha()]
    return (
        len(letters) >= _FEWEST_CAPITALS
        and all(char.isupper() for char in letters)
        and len(line) <= _LONGEST_HEADING
        and not has_gap(line.strip())
        and line.rstrip()[-1] not in ".,;:!?*"
    )


def _paragraph(flow: Flow, lines: list[str]) -> None:
    if len(lines) == 2 and _UNDERLINE.match(lines[1]):
        flow.heading(lines[0], 1 if "=" in lines[1] else 2)
        return
    if not _is_form(lines) and _table(flow, lines):
        return
    at = 0
    for form in [] if _is_form(lines) else forms(lines):
        _items_and_text(flow, lines[at : form.first])
        flow.table(form.cells())
        at = form.end
    _items_and_text(flow, lines[at:])


def _items_and_text(flow: Flow, lines: list[str]) -> None:
    counted = _is_counted(lines)
    group: list[str] = []
    for line in lines:
        if is_list_start(line) or (counted and _NUMBERED.match(line)):
            _flush(flow, group, numbered=counted)
            group = []
        group.append(line)
    _flush(flow, group, numbered=counted)


def _table(flow: Flow, lines: list[str]) -> bool:
    """Adds a table, the lines above it that have no gaps as text."""
    first = next((at for at, line in enumerate(lines) if has_gap(line)), 0)
    if _is_form(lines[first:]):
        return False
    for start in {0, first}:
        cells = table_of(lines[start:])
        if cells is not None and not any(is_list_start(line) for line in lines[start:]):
            _flush(flow, lines[:start])
            flow.table(cells)
            return True
    return False


def _is_counted(lines: list[str]) -> bool:
    """Whether lines begin with consecutive numbers."""
    numbers = [int(match[1]) for match in map(_NUMBERED.match, lines) if match]
    return len(numbers) > 1 and all(b == a + 1 for a, b in pairwise(numbers))


def _flush(flow: Flow, lines: list[str], *, numbered: bool = False) -> None:
    if not lines:
        return
    if is_list_start(lines[0]):
        flow.item("\n".join([_BULLET.sub("", lines[0]), *lines[1:]]))
    elif numbered and (match := _NUMBERED.match(lines[0])):
        flow.item("\n".join([lines[0][match.end() :], *lines[1:]]), number=int(match[1]))
    else:
        for piece in _pieces(lines):
            flow.text("\n".join(piece))


def _pieces(lines: list[str]) -> list[list[str]]:
    """A paragraph, or the lines of a form, each with its continuation lines; lines with wide gaps
    are divided at these.

    Line breaks and blanks are removed later; lines and columns would then run together, and the
    boundary between a value and the next label would be lost.
    """
    form = _is_form(lines)
    rows = [is_row(line) for line in lines]
    pieces: list[list[str]] = []
    ended = True
    for number, line in enumerate(lines):
        # Rows of a table whose columns cannot be detected stay together.
        row = rows[number] and sum(rows[max(0, number - 1) : number + 2]) > 1
        parts = [line] if row else apart(line)
        if ended or len(parts) > 1 or (form and _LABELLED.match(line)):
            pieces += [[part] for part in parts]
        else:
            pieces[-1].append(line)
        ended = len(parts) > 1
    return pieces


def _is_form(lines: list[str]) -> bool:
    labelled = [_LABELLED.match(line) is not None for line in lines]
    return len(lines) > 1 and labelled[0] and sum(labelled) >= _FORM * len(lines)
