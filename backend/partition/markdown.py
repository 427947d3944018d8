"""Elements -> Markdown."""

import html
import re

from backend.partition.flow import fills_up
from workbench.contract.elements import Element, Table
from workbench.contract.partition_options import MarkdownOptions

_BULLET = re.compile(r"^\s*[•●○◦▪■□▫‣⁃∙·➢➤✓✔–—*\-]\s+|^\s*[•●○◦▪■□▫‣⁃➢➤]\s*")
_NUMBERED = re.compile(r"\d{1,9}[.)] ")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_LINK = re.compile(r"\](?=[(:])")
_FENCE = re.compile(r"(?=`{3}|~{3})")
_FENCES = re.compile(r"`{3,}")


def to_markdown(elements: list[Element], options: MarkdownOptions) -> str | list[str]:
    """One text, or one per page with `group_by_page` (pages without elements are left out)."""
    pages: dict[int, list[Element]] = {}
    for element in elements:
        pages.setdefault(element.page_number, []).append(element)
    texts = [_page(number, pages[number], options) for number in sorted(pages)]
    return texts if options.group_by_page else "\n\n".join(text for text in texts if text)


def _page(number: int, elements: list[Element], options: MarkdownOptions) -> str:
    parts: list[tuple[str, str]] = []
    for element in elements:
        if element.type == "Page-header" and not options.include_headers:
            continue
        if element.type == "Page-footer" and not options.include_footers:
            continue
        text = _element(element)
        if text:
            parts.append((text, _list_kind(element)))
    out = ""
    for index, (text, kind) in enumerate(parts):
        if index:
            # Items of one list are on consecutive lines.
            out += "\n" if kind and kind == parts[index - 1][1] else "\n\n"
        out += text
    if options.include_pagenum:
        out += f"\n\nPage {number}"
    return out.strip("\n")


def _list_kind(element: Element) -> str:
    if element.type != "List-item":
        return ""
    return "bullets" if element.properties.get("number") is None else "numbers"


def _element(element: Element) -> str:
    text = element.text_representation or ""
    if element.type == "table":
        return table_markdown(element.table) if element.table else _plain(text)
    if element.type == "Title":
        return f"# {_one_line(text)}"
    if element.type == "Section-header":
        level = min(6, 1 + int(element.properties.get("level", 1)))
        return f"{'#' * level} {_one_line(text)}"
    if element.type == "List-item":
        return _item(element)
    if element.type == "Image":
        return f"![{re.sub(r'[][]', ' ', _one_line(text))}]()" if text else ""
    if element.properties.get("verbatim"):
        fence = max(["``", *_FENCES.findall(text)], key=len) + "`"
        return f"{fence}\n{text}\n{fence}"
    return _plain(text)


def _item(element: Element) -> str:
    indent = "    " * int(element.properties.get("level", 0))
    number = element.properties.get("number")
    text = _no_tags(bare_item(element))
    if number is not None:
        text = f"{number}. {text}"
    elif not _NUMBERED.match(text):
        text = f"- {text}"
    return indent + text.replace("\n", f"\n{indent}{' ' * (1 + text.index(' '))}")


def bare_item(element: Element) -> str:
    """The text of a list item without the bullet that it may have."""
    text = element.text_representation or ""
    return text if "number" in element.properties else _BULLET.sub("", text, count=1)


def _plain(text: str) -> str:
    """A line of a paragraph must not turn into a heading or a quotation."""
    return re.sub(r"^(#{1,6} |>)", r"\\\1", _no_tags(text), flags=re.MULTILINE)


def _one_line(text: str) -> str:
    return _no_tags(" ".join(text.split()))


def _no_tags(text: str) -> str:
    """Markdown renderers pass HTML through, and fetch pictures without asking, so text that looks
    like a tag or a link is escaped. So is text that looks like a fence: an open one would invert
    the following code blocks.
    """
    return _FENCE.sub(r"\\", _LINK.sub(r"]\\", _TAG.sub("&lt;", text)))


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
        text = html.escape(" ".join(cell.content.split()), quote=False)
        rows.setdefault(cell.rows[0], []).append(f"<{tag}{across}{down}>{text}</{tag}>")
    body = "\n".join(f"<tr>{''.join(cells)}</tr>" for _, cells in sorted(rows.items()))
    return f"<table>\n{body}\n</table>"


def _pipes(table: Table) -> str:
    cols = table.num_cols
    filled = fills_up(table.num_rows, cols, len(table.cells))
    grid: list[list[str]] = [[""] * (cols if filled or not n else 0) for n in range(table.num_rows)]
    for cell in table.cells:
        row, col = grid[cell.rows[0]], cell.cols[0]
        row.extend([""] * (col + 1 - len(row)))
        row[col] = _one_line(cell.content).replace("|", "&#124;")
    lines = [f"| {' | '.join(row)} |" for row in grid]
    return "\n".join([lines[0], "|" + " --- |" * cols, *lines[1:]])
