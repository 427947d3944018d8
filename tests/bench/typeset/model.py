"""A made document as blocks in reading order, and what a reader should make of it."""

import html
from dataclasses import dataclass, field
from typing import NamedTuple


class Title(NamedTuple):
    text: str


class Head(NamedTuple):
    text: str


class Para(NamedTuple):
    text: str


class Items(NamedTuple):
    texts: list[str]


class Pairs(NamedTuple):
    """Labels and values; each row holds one pair or more. `table` says that it reads as a table."""

    rows: list[list[tuple[str, str]]]
    ruled: bool = False

    @property
    def table(self) -> bool:
        return len(self.rows[0]) > 1


class Table(NamedTuple):
    """Rows of texts; None continues the cell on the left. `look` is grid, lines, head or none.
    `money` sets `$`, `%` and brackets apart from their numbers."""

    rows: list[list[str | None]]
    heads: int = 1
    look: str = "grid"
    money: bool = False
    sections: tuple[int, ...] = ()
    """Rows with a single label."""


class Receipt(NamedTuple):
    """Lines with an amount at the right edge."""

    rows: list[tuple[str, str]]


class Lines(NamedTuple):
    """Lines of an address or a letterhead."""

    texts: list[str]
    centred: bool = False
    first: float = 0.0
    """How much larger than the text the first line is, which is then bold; 0 sets it alike."""


class Beside(NamedTuple):
    """Two blocks next to each other."""

    left: "Block"
    right: "Block"


Block = Title | Head | Para | Items | Pairs | Table | Receipt | Lines | Beside


@dataclass(frozen=True)
class Look:
    """How a document is set: `heads` is bold, caps, plain, centred, small, ruled or underlined."""

    font: str = "serif"
    size: float = 10.5
    heads: str = "bold"
    title: str = "large"
    columns: int = 1
    colon: bool = True
    """Labels end with a colon."""
    label: str = "bold"
    """Labels are bold, plain or small."""
    width: float = 0.0
    """Of the page in points; 0 for a letter page."""
    spread: float = 1.0
    """White between rows."""


@dataclass(frozen=True)
class Made:
    kind: str
    blocks: list[Block]
    look: Look = field(default_factory=Look)
    header: str = ""


def label_of(text: str, look: Look) -> str:
    return f"{text}:" if look.colon else text


def markdown(made: Made) -> str:
    parts = [made.header] if made.header else []
    parts += [_markdown(block, made.look) for block in made.blocks]
    return "\n\n".join(parts) + "\n"


def _markdown(block: Block, look: Look) -> str:
    if isinstance(block, Title):
        return f"# {block.text.upper() if look.title == 'caps-bold' else block.text}"
    if isinstance(block, Head):
        return f"## {block.text.upper() if look.heads == 'caps' else block.text}"
    if isinstance(block, Items):
        return "\n".join(f"- {text}" for text in block.texts)
    if isinstance(block, Beside):
        return f"{_markdown(block.left, look)}\n\n{_markdown(block.right, look)}"
    if isinstance(block, Lines):
        return "\n".join(block.texts)
    if isinstance(block, Receipt):
        return "\n".join(f"{left} {right}" for left, right in block.rows)
    if isinstance(block, Pairs):
        rows: list[list[str | None]] = [
            [part for label, value in row for part in (label_of(label, look), value)]
            for row in block.rows
        ]
        if not block.table:
            return "\n".join(" ".join(filter(None, row)) for row in rows)
        return _html(Table(rows, 0))
    if isinstance(block, Table):
        return _html(block)
    return block.text


def spans_of(row: list[str | None]) -> list[tuple[str, int]]:
    out: list[tuple[str, int]] = []
    for text in row:
        if text is None:
            out[-1] = (out[-1][0], out[-1][1] + 1)
        else:
            out.append((text, 1))
    return out


def _html(table: Table) -> str:
    rows = []
    for number, row in enumerate(table.rows):
        tag = "th" if number < table.heads else "td"
        cells = [
            f'<{tag} colspan="{span}">{html.escape(text)}</{tag}>' for text, span in spans_of(row)
        ]
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>{''.join(rows)}</table>"


def pairs_of(made: Made) -> list[tuple[str, str]]:
    """Every label with a value."""
    out: list[tuple[str, str]] = []
    stack = list(reversed(made.blocks))
    while stack:
        block = stack.pop()
        if isinstance(block, Beside):
            stack += [block.right, block.left]
        elif isinstance(block, Pairs):
            out += [(label, value) for row in block.rows for label, value in row if value]
        elif isinstance(block, Receipt):
            out += [(left, right) for left, right in block.rows if right]
    return out
