"""ODS: one page per sheet; each connected block of cells is a table, then charts and pictures."""

from lxml import etree

from backend.partition.document import Document, Request
from backend.partition.flow import MAX_CELLS, Flow
from backend.partition.formats.numerals import repeated, span
from backend.partition.formats.opendocument import (
    DRAW,
    OFFICE,
    STYLE,
    TABLE,
    TEXT,
    Source,
    add_frame,
    cell_words,
    source_of,
)
from backend.partition.formats.sheets import (
    Place,
    add_block,
    blocks_of,
    lacking_results,
    left_out,
    sane_merges,
)
from backend.partition.selection import selected

_ROWS = frozenset(
    f"{TABLE}{name}" for name in ("table-row-group", "table-header-rows", "table-rows")
)


def read(request: Request) -> Document:
    flow = request.flow
    notes: list[str] = []
    with source_of(request) as source:
        body = source.body("spreadsheet")
        hidden = _hidden_styles(source)
        tables = list(body.iterfind(f"{TABLE}table")) if body is not None else []
        sheets = [table for table in tables if table.get(f"{TABLE}style-name") not in hidden]
        unseen = [table for table in tables if table.get(f"{TABLE}style-name") in hidden]
        notes += left_out([table.get(f"{TABLE}name") or "" for table in unseen])
        numbers = selected(request.options.selected_pages, max(1, len(sheets)))
        for done, number in enumerate(numbers, 1):
            flow.page = number
            if sheets:
                with flow.part("a sheet", sheets[number - 1]):
                    _sheet(flow, source, sheets[number - 1], notes)
            request.progress(done, len(numbers))
    return Document(flow.elements, max(1, len(sheets)), notes)


def _hidden_styles(source: Source) -> set[str]:
    hidden: set[str] = set()
    for node in source.all_styles(f"{STYLE}style"):
        look = node.find(f"{STYLE}table-properties")
        if look is not None and look.get(f"{TABLE}display") == "false":
            hidden.add(node.get(f"{STYLE}name") or "")
    return hidden


def _sheet(flow: Flow, source: Source, table: etree._Element, notes: list[str]) -> None:
    name = table.get(f"{TABLE}name") or ""
    flow.heading(name, 1)
    texts: dict[int, dict[int, str]] = {}
    merges: dict[Place, Place] = {}
    row = count = 0
    for node in _rows(table):
        repeat = repeated(node.get(f"{TABLE}number-rows-repeated"))
        shown = _row(node)
        for number in range(row, row + (repeat if shown else 0)):
            if count >= MAX_CELLS:
                break
            texts[number] = {col: text for col, (text, _, _) in shown.items()}
            count += len(shown)
            for col, (_, down, across) in shown.items():
                if down > 1 or across > 1:
                    merges[number, col] = (number + down - 1, col + across - 1)
        row += repeat
        if count >= MAX_CELLS:
            notes.append(f"sheet {name}: only the first {MAX_CELLS} cells were read")
            break
    if pending := sum(map(_lacks_result, table.iter(f"{TABLE}table-cell"))):
        notes.append(lacking_results(name, pending))
    merges = sane_merges(merges)
    for block in blocks_of(texts, merges):
        add_block(flow, block, texts, merges)
    for frame in table.iter(f"{DRAW}frame"):
        add_frame(flow, source, frame)
    for note in table.iter(f"{OFFICE}annotation"):
        _comment(flow, note)


def _comment(flow: Flow, note: etree._Element) -> None:
    """The remark of a reviewer on a cell, which is quoted: it has no name in the file."""
    cell = next(note.iterancestors(f"{TABLE}table-cell"), None)
    quoted = "" if cell is None else cell_words(cell)
    text = " ".join(" ".join(node.itertext()) for node in note.iter(f"{TEXT}p"))
    flow.comment(f"“{quoted}”" if quoted else "Comment", _author_of(note), text)


def _author_of(note: etree._Element) -> str:
    return next(("".join(node.itertext()) for node in note.iter("{*}creator")), "")


def _rows(table: etree._Element) -> list[etree._Element]:
    """The rows of a sheet, those in groups included."""
    out: list[etree._Element] = []
    for node in table:
        if node.tag == f"{TABLE}table-row":
            out.append(node)
        elif node.tag in _ROWS:
            out += _rows(node)
    return out


def _lacks_result(cell: etree._Element) -> bool:
    """Whether a cell has a formula that no program has computed."""
    if cell.get(f"{TABLE}formula") is None or cell.get(f"{OFFICE}value-type") is not None:
        return False
    return not cell_words(cell)


def _row(node: etree._Element) -> dict[int, tuple[str, int, int]]:
    """The filled cells of a row, as many as a sheet may have: column to text and span."""
    out: dict[int, tuple[str, int, int]] = {}
    col = 0
    for cell in node:
        repeat = repeated(cell.get(f"{TABLE}number-columns-repeated"))
        text = cell_words(cell) if cell.tag == f"{TABLE}table-cell" else ""
        if text:
            down = span(cell.get(f"{TABLE}number-rows-spanned"))
            across = span(cell.get(f"{TABLE}number-columns-spanned"))
            for place in range(col, col + min(repeat, MAX_CELLS - len(out))):
                out[place] = (text, down, across)
        col += repeat
    return out
