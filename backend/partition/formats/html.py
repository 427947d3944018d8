"""HTML and XHTML: the block structure of the page, without scripts, styles and hidden parts."""

import base64
import binascii
import re
from collections.abc import Callable, Container, Iterator
from urllib.parse import unquote_to_bytes

from lxml import etree, html

from backend.partition.archive import check_memory
from backend.partition.document import Document, PartitionFailure, Request
from backend.partition.flow import MAX_CELLS, Flow
from backend.partition.formats import mathematics
from backend.partition.formats.html_attributes import with_few_attributes
from backend.partition.formats.numerals import span, whole
from backend.partition.text import line_starts
from workbench.contract.elements import LINE_STARTS, Element, TableCell

_SKIPPED = frozenset(
    """
    script style noscript template head iframe object svg audio video canvas select button
    datalist dialog
    """.split()  # noqa: SIM905
)
_BLOCKS = frozenset(
    """
    address article aside blockquote body caption center dd details div dl dt fieldset
    figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html li main menu nav ol p
    pre section summary table tbody td tfoot th thead tr ul img
    """.split()  # noqa: SIM905
)
_CELLS = ("td", "th")
_SECTIONS = ("table", "thead", "tbody", "tfoot")
_BLANKS = re.compile(r"\s+")
_MAX_DEPTH = 250


def read(request: Request) -> Document:
    flow = request.flow
    read_into(flow, request.text())
    flow.settle_outline()
    request.progress(1, 1)
    return Document(flow.elements)


def inline_picture(source: str) -> bytes | None:
    """The bytes of a `data:` address; nothing is ever fetched."""
    if not source.startswith("data:image/"):
        return None
    head, _, data = source.partition(",")
    try:
        return base64.b64decode(data) if head.endswith(";base64") else unquote_to_bytes(data)
    except (binascii.Error, ValueError):
        return None


def read_into(
    flow: Flow, markup: str, picture: Callable[[str], bytes | None] = inline_picture
) -> None:
    """Adds the elements of a page or fragment to `flow`; `picture` finds the file of a link."""
    root = _tree(markup)
    if root is not None:
        flow.title = flow.title or (root.findtext("head/title") or "")
        reader = _Reader(flow, picture)
        reader.holders = _holders(root)
        reader.block(root, 0)


def _tree(markup: str) -> etree._Element | None:
    """None for a page without anything in it; MemoryError for one that is too large."""
    # Otherwise what follows a script or an inline picture of ten megabytes is left out silently.
    parser = html.HTMLParser(
        no_network=True, huge_tree=True, remove_comments=True, remove_pis=True, encoding="utf-8"
    )
    try:
        # Bytes, because lxml refuses text that declares an encoding of its own.
        text = with_few_attributes(markup)
        root = html.document_fromstring(text.encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        root = None
    check_memory(parser)
    return root


class _Reader:
    """Walks the tree; text between block tags is gathered into paragraphs."""

    def __init__(self, flow: Flow, picture: Callable[[str], bytes | None]) -> None:
        self.flow = flow
        self.picture = picture
        self.pending: list[str] = []
        self.images: list[etree._Element] = []
        """Pictures within a paragraph follow it."""
        self.emit: Callable[[str], Element | None] = flow.text
        self.list_level = -1
        self.holders: set[etree._Element] = set()
        """Elements with blocks inside; collected once, from the blocks upwards."""
        self.described = False
        """Inside the description of a term; a list there has the level of its text."""

    def block(self, node: etree._Element, depth: int) -> None:
        """The content of a block; its own text becomes paragraphs."""
        self._gather(node.text)
        for child in node:
            self._child(child, depth + 1)
            self._gather(child.tail)
        self.flush()

    def flush(self) -> None:
        text = "".join(self.pending)
        self.pending = []
        if text.strip():
            self.emit(_spaced(text))
        images, self.images = self.images, []
        for image in images:
            self.flow.image(image.get("alt") or None, self.picture(image.get("src") or ""))

    def _gather(self, text: str | None) -> None:
        if text:
            self.pending.append(_BLANKS.sub(" ", text))

    def _child(self, node: etree._Element, depth: int) -> None:
        tag = node.tag.lower() if isinstance(node.tag, str) else ""
        if not tag or tag in _SKIPPED or _hidden(node):
            return
        if depth > _MAX_DEPTH:
            raise PartitionFailure("The HTML is nested too deeply to be read.", 422)
        if tag == "br":
            self.pending.append("\n")
        elif tag == "math":
            self._formula(node)
        elif tag not in _BLOCKS and node not in self.holders:
            self._gather(node.text)
            for child in node:
                self._child(child, depth + 1)
                self._gather(child.tail)
        else:
            if tag != "img":
                self.flush()
            with self.flow.part(f"an element <{tag}>", node):
                self._block_tag(tag, node, depth)

    def _block_tag(self, tag: str, node: etree._Element, depth: int) -> None:
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self.flow.heading(_text(node), int(tag[1]))
            self.images.extend(node.iter("img"))
            self.flush()
        elif tag in ("ul", "ol", "menu"):
            self._list(node, depth)
        elif tag == "dl":
            self._definitions(node, depth)
        elif tag == "table":
            self._table(node, depth)
        elif tag == "pre":
            self.flow.verbatim("".join(node.itertext()))
        elif tag in ("figcaption", "caption"):
            self.flow.add("Caption", _text(node))
        elif tag == "img":
            self.images.append(node)
        elif tag == "hr":
            return
        else:
            self.block(node, depth)

    def _list(self, node: etree._Element, depth: int) -> None:
        number = whole(node.get("start"), 1) if str(node.tag).lower() == "ol" else None
        self.list_level += 1
        self._gather(node.text)
        for child in node:
            if isinstance(child.tag, str) and child.tag.lower() == "li":
                self.flush()
                self._item(child, depth, number)
                number = None if number is None else number + 1
            else:
                self._child(child, depth + 1)
            self._gather(child.tail)
        self.flush()
        self.list_level -= 1

    def _item(self, node: etree._Element, depth: int, number: int | None) -> None:
        level = self.list_level
        made: list[Element] = []

        def emit(text: str) -> None:
            if made:
                self.flow.continue_item(made[0], text)
            elif (item := self.flow.item(text, level, number)) is not None:
                made.append(item)

        outer, self.emit = self.emit, emit
        self.block(node, depth + 1)
        self.emit = outer

    def _definitions(self, node: etree._Element, depth: int) -> None:
        """Terms are list items, their descriptions items one level deeper."""
        inside, self.described = self.described, False
        self.list_level += not inside
        terms = node.find(".//dt") is not None
        parts = list(_within(node, ("dt", "dd"), "dl"))
        self._outside(node, parts, depth)
        for child in parts:
            self.described = child.tag == "dd" and terms
            self.list_level += self.described
            self._item(child, depth, None)
            self.list_level -= self.described
        self.list_level -= not inside
        self.described = inside

    def _formula(self, node: etree._Element) -> None:
        """Displayed formulas are elements of their own, others part of their sentence."""
        text = mathematics.of_mathml(node)
        if node.get("display") == "block":
            self.flush()
            self.flow.formula(text)
        else:
            self.pending.append(text)

    def _table(self, node: etree._Element, depth: int) -> None:
        for caption in node.findall("caption"):
            self.flow.add("Caption", _text(caption))
        _gather_loose_cells(node)
        rows = list(_within(node, ("tr",), "table"))
        cells = [cell for row in rows for cell in row if cell.tag in _CELLS]
        self._outside(node, [*cells, *node.findall("caption")], depth)
        if node.find(".//table") is not None and _has_one_column(rows):
            # A one-column table that contains tables is page layout.
            for row in rows:
                for cell in row:
                    self.block(cell, depth + 1)
            return
        self.flow.table(table_cells(rows))

    def _outside(self, node: etree._Element, parts: list[etree._Element], depth: int) -> None:
        """The content of a table or list outside its parts; browsers show it, before a table."""
        own = set(parts)
        around: set[etree._Element] = {node}
        for part in parts:
            for holder in part.iterancestors():
                if holder in around:
                    break
                around.add(holder)
        waiting: list[etree._Element | str | None] = [node]
        while waiting:
            piece = waiting.pop()
            if piece is None or isinstance(piece, str):
                self._gather(piece)
            elif piece in around:
                inside = [one for child in piece for one in (child, child.tail)]
                waiting.extend(reversed([piece.text, *inside]))
            elif piece not in own:
                self._child(piece, depth + 1)
        self.flush()


def _gather_loose_cells(table: etree._Element) -> None:
    """Puts cells that are in no row into one, those side by side into the same."""
    row: etree._Element | None = None
    for cell in list(_within(table, _CELLS, "table")):
        if (parent := cell.getparent()) is None or parent.tag not in _SECTIONS:
            continue
        if row is None or cell.getprevious() is not row:
            row = etree.Element("tr")
            cell.addprevious(row)
        row.append(cell)


def _has_one_column(rows: list[etree._Element]) -> bool:
    cells = table_cells(rows, lambda cell: "")
    return bool(cells) and max(cell.cols[-1] for cell in cells) == 0


def table_cells(
    rows: list[etree._Element], text: Callable[[etree._Element], str] | None = None
) -> list[TableCell]:
    """Cells with spans placed on the grid, the way browsers do it."""
    claimed: set[tuple[int, int]] = set()
    cells: list[TableCell] = []
    for number, row in enumerate(rows):
        col = 0
        in_head = any(parent.tag == "thead" for parent in row.iterancestors("thead", "table"))
        nodes = [node for node in row if node.tag in ("td", "th")]
        all_heads = bool(nodes) and all(node.tag == "th" for node in nodes)
        for node in nodes:
            while (number, col) in claimed:
                col += 1
            # a rowspan of 0 extends to the end of the table
            whole_rest = (node.get("rowspan") or "").strip() == "0"
            down = len(rows) - number if whole_rest else span(node.get("rowspan"))
            down = min(down, len(rows) - number)
            across = span(node.get("colspan"))
            if len(claimed) + down * across > MAX_CELLS:
                down = across = 1
            claimed.update((number + i, col + j) for i in range(down) for j in range(across))
            written = (text or _text)(node)
            starts = line_starts(written)
            cells.append(
                TableCell(
                    content=written.replace("\n", " "),
                    rows=list(range(number, number + down)),
                    cols=list(range(col, col + across)),
                    is_header=in_head or all_heads,
                    properties={LINE_STARTS: starts} if starts else {},
                )
            )
            col += across
    return cells


def _text(node: etree._Element) -> str:
    """All words below a node, a line for each of the blocks inside it."""
    lines = "".join(_pieces(node)).split("\n")
    return "\n".join(filter(None, (" ".join(line.split()) for line in lines)))


def _pieces(node: etree._Element) -> Iterator[str]:
    yield _BLANKS.sub(" ", node.text or "")
    for child in node:
        if child.tag == "math":
            yield mathematics.of_mathml(child)
        elif isinstance(child.tag, str) and child.tag.lower() not in _SKIPPED:
            around = "\n" if child.tag.lower() in _BLOCKS or child.tag.lower() == "br" else ""
            yield around
            yield from _pieces(child)
            yield around
        yield _BLANKS.sub(" ", child.tail or "")


def _spaced(text: str) -> str:
    return "\n".join(" ".join(line.split()) for line in text.split("\n"))


def _holders(root: etree._Element) -> set[etree._Element]:
    holders: set[etree._Element] = set()
    for node in root.iter(etree.Element):
        if isinstance(node.tag, str) and node.tag.lower() in _BLOCKS:
            holder = node.getparent()
            while holder is not None and holder not in holders:
                holders.add(holder)
                holder = holder.getparent()
    return holders


def _within(node: etree._Element, wanted: Container[str], beyond: str) -> Iterator[etree._Element]:
    """The elements of these tags below `node`, but not those inside a further `beyond`."""
    waiting = list(reversed(node))
    while waiting:
        child = waiting.pop()
        if child.tag in wanted:
            yield child
        if child.tag != beyond:
            waiting.extend(reversed(child))


def _hidden(node: etree._Element) -> bool:
    style = (node.get("style") or "").replace(" ", "").lower()
    return "display:none" in style or node.get("hidden") is not None
