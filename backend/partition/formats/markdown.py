"""Markdown (CommonMark with tables and footnotes): its tokens are already elements."""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from backend.partition.document import Document, Request
from backend.partition.flow import Flow
from backend.partition.formats.html import read_into
from workbench.contract.elements import Element, ElementKind, TableCell

_REFERENCE = re.compile(r"\[\^([^\[\]\s]+)\](?!:)")
_NOTE = re.compile(r"^ {0,3}\[\^([^\]\s]+)\]:[ \t]*(.*)")
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)")
_DEEPEST = 60
"""Quotations count as one level, lists as two."""
_BRACKETS = 6
"""Levels of brackets within a line that may be links. The time for brackets grows with this."""
_TOO_DEEP = "too_deep"


def _too_deep(state: StateBlock, first: int, end: int, silent: bool) -> bool:
    """A block rule that keeps deeply nested blocks as plain text. The parser itself would drop all
    text beyond its own limit, to the end of the document.
    """
    if silent or state.level < _DEEPEST:
        return False
    last = first + 1
    while last < end and (state.isEmpty(last) or state.sCount[last] >= state.blkIndent):
        last += 1
    state.push(_TOO_DEEP, "", 0).content = state.getLines(first, last, state.blkIndent, False)
    state.line = last
    return True


def _read_words(state: StateCore) -> None:
    """A core rule that reads the words of blocks with a lower limit than the blocks themselves."""
    for token in state.tokens:
        if token.type == "inline":
            token.children = []
            _WORDS.inline.parse(token.content, _WORDS, state.env, token.children)


_WORDS = MarkdownIt("commonmark", {"maxNesting": _BRACKETS})
_WORDS.enable("strikethrough")
_PARSER = MarkdownIt("commonmark", {"maxNesting": _DEEPEST + 10})
_PARSER.enable("table")
_PARSER.core.ruler.at("inline", _read_words)
_PARSER.block.ruler.before("table", _TOO_DEEP, _too_deep)


def read(request: Request) -> Document:
    flow = request.flow
    text, notes = _notes(_without_front_matter(request.text()))
    _Walk(flow, notes).walk(_PARSER.parse(text))
    for note in notes.values():
        _Walk(flow, {}, kind="Footnote").walk(_PARSER.parse(note))
    flow.settle_outline()
    request.progress(1, 1)
    return Document(flow.elements)


def _without_front_matter(text: str) -> str:
    """Removes the YAML block that many tools put before the text."""
    if text.startswith("---\n"):
        end = text.find("\n---\n", 3)
        if end > 0:
            return text[end + 5 :]
    return text


def _notes(text: str) -> tuple[str, dict[str, str]]:
    """The text without the definitions of its footnotes, and those that are referred to."""
    names = set(_REFERENCE.findall(text))
    notes: dict[str, str] = {}
    kept: list[str] = []
    fenced, open_ = False, ""
    for line in text.split("\n"):
        fenced = fenced != (_FENCE.match(line) is not None)
        match = None if fenced else _NOTE.match(line)
        if match and match[1] in names and match[1] not in notes:
            open_ = match[1]
            notes[open_] = match[2]
        elif open_ and line[:1] in (" ", "\t") and line.strip():
            notes[open_] += f" {line.strip()}"
        else:
            open_ = ""
            kept.append(line)
    return "\n".join(kept), notes


class _Walk:
    """Keeps the open lists and the open table while tokens go by."""

    def __init__(self, flow: Flow, notes: dict[str, str], kind: ElementKind = "Text") -> None:
        self.flow = flow
        self.notes = notes
        self.kind: ElementKind = kind
        self.lists: list[int | None] = []
        self.heading = 0
        self.item_pending = False
        self.item: Element | None = None
        self.cells: list[TableCell] = []
        self.row = self.col = -1
        self.in_head = False

    def walk(self, tokens: list[Token]) -> None:
        for token in tokens:
            kind = token.type
            if kind == "heading_open":
                self.heading = int(token.tag[1])
            elif kind == "heading_close":
                self.heading = 0
            elif kind in ("bullet_list_open", "ordered_list_open"):
                start = int(token.attrGet("start") or 1)
                self.lists.append(start if kind == "ordered_list_open" else None)
            elif kind in ("bullet_list_close", "ordered_list_close"):
                self.lists.pop()
            elif kind == "list_item_open":
                self.item_pending = True
            elif kind in ("fence", "code_block"):
                self.flow.verbatim(token.content)
            elif kind == _TOO_DEEP:
                self._as_written(token.content)
            elif kind == "html_block":
                read_into(self.flow, token.content)
            elif kind == "inline":
                self._inline(token)
            else:
                self._table(kind)

    def _as_written(self, text: str) -> None:
        self.flow.verbatim(text)
        note = "text nested too deeply for lists and quotations is kept as plain text"
        if note not in self.flow.notes:
            self.flow.notes.append(note)

    def _inline(self, token: Token) -> None:
        text = _REFERENCE.sub(
            lambda match: "" if match[1] in self.notes else match[0], _text(token)
        )
        if self.row >= 0:
            self.col += 1
            self.cells.append(
                TableCell(content=text, rows=[self.row], cols=[self.col], is_header=self.in_head)
            )
        elif self.heading:
            self.flow.heading(text, self.heading)
        elif self.lists:
            self._item(text)
        else:
            self.flow.add(self.kind, text)
        for child in token.children or []:
            if child.type == "image":
                self.flow.image(child.content or None)

    def _item(self, text: str) -> None:
        number = self.lists[-1]
        if not self.item_pending:
            if self.item is not None:
                self.flow.continue_item(self.item, text)
            return
        self.item_pending = False
        self.item = self.flow.item(text, len(self.lists) - 1, number)
        if number is not None:
            self.lists[-1] = number + 1

    def _table(self, kind: str) -> None:
        if kind == "thead_open":
            self.in_head = True
        elif kind == "thead_close":
            self.in_head = False
        elif kind == "tr_open":
            self.row, self.col = self.row + 1, -1
        elif kind == "table_close":
            self.flow.table(self.cells)
            self.cells, self.row = [], -1


def _text(token: Token) -> str:
    """The words of an inline token without its marks."""
    parts: list[str] = []
    for child in token.children or []:
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            parts.append("\n")
    return "".join(parts)
