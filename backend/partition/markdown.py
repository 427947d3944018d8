"""Elements -> Markdown."""

import html
import re

from backend.contract.elements import Element, Table
from backend.contract.partition_options import MarkdownOptions

_BULLET = re.compile(r"^\s*[•●○◦▪■□▫‣⁃∙·➢➤✓✔–—*\-]\s+|^\s*[•●○◦▪■□▫‣⁃➢➤]\s*")


def to_markdown(elements: list[Element], options: MarkdownOptions) -> str | list[str]:
    """One text, or one per page with `group_by_page` (pages without elements are left out)."""
    pages: dict[int, list[Element]] = {}
    for element in elements:
        pages.setdefault(element.page_number, []).append(element)
    texts = [_page(number, pages[number], options) for number in sorted(pages)]
    return texts if options.group_by_page else "\n\n".join(text for text in texts if text)


def _page(number: int, elements: list[Element], options: MarkdownOptions) -> str:
    parts: list[tuple[str, bool]] = []
    for element in elements:
        if element.type == "Page-header" and not options.include_headers:
            continue
        if element.type == "Page-footer" and not options.include_footers:
            continue
        text = _element(element)
        if text:
            parts.append((text, element.type == "List-item"))
    out = ""
    for index, (text, item) in enumerate(parts):
        if index:
            # Items of one list stand on neighbouring lines.
            out += "\n" if item and parts[index - 1][1] else "\n\n"
        out += text
    if options.include_pagenum:
        out += f"\n\nPage {number}"
    return out.strip("\n")


def _element(element: Element) -> str:
    text = element.text_representation or ""
    if element.type == "table":
        return table_markdown(element.table) if element.table else text
    if element.type == "Title":
        return f"# {_one_line(text)}"
    if element.type == "Section-header":
        level = min(6, 1 + int(element.properties.get("level", 1)))
        return f"{'#' * level} {_one_line(text)}"
    if element.type == "List-item":
        return _item(element, text)
    if element.type == "Image":
        return f"![{_one_line(text)}]()" if text else ""
    if element.properties.get("verbatim"):
        return f"```\n{text}\n```"
    return _plain(text)


def _item(element: Element, text: str) -> str:
    indent = "    " * int(element.properties.get("level", 0))
    number = element.properties.get("number")
    mark = "-" if number is None else f"{number}."
    body = _BULLET.sub("", text, count=1) if number is None else text
    body = body.replace("\n", "\n" + indent + " " * (len(mark) + 1))
    return f"{indent}{mark} {body}"


def _plain(text: str) -> str:
    """A line of a paragraph must not turn into a heading or a quotation."""
    return re.sub(r"^(#{1,6} |>)", r"\\\1", text, flags=re.MULTILINE)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def table_markdown(table: Table) -> str:
    """A pipe table where the cells allow it, HTML where cells span."""
    spans = any(len(cell.rows) > 1 or len(cell.cols) > 1 for cell in table.cells)
    return table_html(table) if spans else _pipes(table)


def table_html(table: Table) -> str:
    rows: dict[int, list[str]] = {row: [] for row in range(table.num_rows)}
    for cell in sorted(table.cells, key=lambda cell: (cell.rows[0], cell.cols[0])):
        tag = "th" if cell.is_header else "td"
        down = f' rowspan="{len(cell.rows)}"' if len(cell.rows) > 1 else ""
        across = f' colspan="{len(cell.cols)}"' if len(cell.cols) > 1 else ""
        text = html.escape(_one_line(cell.content), quote=False)
        rows.setdefault(cell.rows[0], []).append(f"<{tag}{across}{down}>{text}</{tag}>")
    body = "\n".join(f"<tr>{''.join(cells)}</tr>" for _, cells in sorted(rows.items()))
    return f"<table>\n{body}\n</table>"


def _pipes(table: Table) -> str:
    grid = [[""] * table.num_cols for _ in range(table.num_rows)]
    for cell in table.cells:
        grid[cell.rows[0]][cell.cols[0]] = _one_line(cell.content).replace("|", "&#124;")
    lines = [f"| {' | '.join(row)} |" for row in grid]
    return "\n".join([lines[0], "|" + " --- |" * table.num_cols, *lines[1:]])
