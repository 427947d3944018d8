"""Made documents drawn string by string at fixed places, as report generators do."""

from pathlib import Path

from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from tests.bench.typeset.model import (
    Beside,
    Block,
    Head,
    Items,
    Lines,
    Look,
    Made,
    Pairs,
    Para,
    Receipt,
    Table,
    Title,
    label_of,
    spans_of,
)

_FONTS = {
    "serif": ("Times-Roman", "Times-Bold"),
    "sans": ("Helvetica", "Helvetica-Bold"),
    "mono": ("Courier", "Courier-Bold"),
}
_HEIGHT = 792.0


def report(made: Made, out: Path) -> None:
    drawn = _Report(made, out)
    for block in made.blocks:
        drawn.block(block)
    drawn.canvas.save()


class _Report:
    def __init__(self, made: Made, out: Path) -> None:
        self.look: Look = made.look
        width = made.look.width or 612.0
        self.canvas = Canvas(str(out), pagesize=(width, _HEIGHT))
        self.left = 14.0 if made.look.width else 58.0
        self.right = width - self.left
        self.margin = self.left
        self.y = _HEIGHT - self.margin
        self.plain, self.bold = _FONTS[made.look.font]
        self.size = made.look.size

    def room(self, height: float) -> None:
        if self.y - height < self.margin:
            self.canvas.showPage()
            self.y = _HEIGHT - self.margin

    def put(
        self, text: str, x: float, *, size: float = 0, bold: bool = False, align: str = "l"
    ) -> None:
        font, size = self.bold if bold else self.plain, size or self.size
        self.canvas.setFont(font, size)
        width = stringWidth(text, font, size)
        self.canvas.drawString(x - {"l": 0.0, "r": width, "c": width / 2}[align], self.y, text)

    def down(self, height: float) -> None:
        self.y -= height

    def block(self, block: Block) -> None:
        if isinstance(block, Title):
            large = self.look.title in ("large", "centred")
            text = block.text.upper() if self.look.title == "caps-bold" else block.text
            size = 1.6 * self.size if large else self.size
            self.lines(
                text,
                size=size,
                bold=self.look.title != "plain-centred",
                centred=self.look.title != "large",
            )
            self.down(self.size)
        elif isinstance(block, Head):
            self.head(block.text)
        elif isinstance(block, Para):
            self.lines(block.text)
            self.down(0.6 * self.size)
        elif isinstance(block, Items):
            for text in block.texts:
                self.room(self.size)
                self.put("•", self.left + 6)
                self.lines(text, indent=18)
        elif isinstance(block, Lines):
            for at, text in enumerate(block.texts):
                first = 0.0 if at else block.first
                size = first * self.size
                self.lines(text, size=size, bold=first > 0, centred=block.centred)
            self.down(0.8 * self.size)
        elif isinstance(block, Receipt):
            for a, b in block.rows:
                self.room(self.size)
                self.put(b, self.right, align="r")
                self.put(a, self.left)
                self.down(1.3 * self.size)
            self.down(0.5 * self.size)
        elif isinstance(block, Beside):
            self.beside(block)
        elif isinstance(block, Pairs):
            self.pairs(block)
        else:
            self.table(block)

    def lines(
        self,
        text: str,
        *,
        size: float = 0,
        bold: bool = False,
        centred: bool = False,
        indent: float = 0,
    ) -> None:
        size, font = size or self.size, self.bold if bold else self.plain
        for line in simpleSplit(text, font, size, self.right - self.left - indent):
            self.room(size)
            x = (self.left + self.right) / 2 if centred else self.left + indent
            self.put(line, x, size=size, bold=bold, align="c" if centred else "l")
            self.down(1.22 * size)

    def head(self, text: str) -> None:
        heads, size = self.look.heads, self.size
        self.room(4 * size)
        self.down(0.7 * size)
        shown = text.upper() if heads == "caps" else text
        bold = heads in ("bold", "ruled", "small", "centred")
        large = (
            1.2 * size
            if heads in ("bold", "centred")
            else 0.95 * size
            if heads == "small"
            else size
        )
        self.lines(shown, size=large, bold=bold, centred=heads == "centred")
        if heads in ("ruled", "underlined"):
            width = (
                self.right - self.left if heads == "ruled" else stringWidth(shown, self.plain, size)
            )
            self.canvas.line(self.left, self.y + size, self.left + width, self.y + size)
        self.down(0.4 * size)

    def beside(self, block: Beside) -> None:
        left, right, top = self.left, self.right, self.y
        middle = (left + right) / 2
        self.right = middle - 12
        self.block(block.left)
        low, self.y, self.left, self.right = self.y, top, middle + 12, right
        self.block(block.right)
        self.y, self.left, self.right = min(self.y, low), left, right

    def pairs(self, block: Pairs) -> None:
        count = len(block.rows[0])
        step = (self.right - self.left) / count
        labels = [
            max(
                stringWidth(label_of(row[at][0], self.look), self.bold, self.size)
                for row in block.rows
            )
            + 10
            for at in range(count)
        ]
        for row in block.rows:
            wrapped = [
                simpleSplit(value, self.plain, self.size, step - labels[at] - 8)
                for at, (_, value) in enumerate(row)
            ]
            high = max(1, *map(len, wrapped))
            self.room(high * 1.2 * self.size)
            top = self.y
            for at, (label, _) in enumerate(row):
                x = self.left + at * step
                small = self.look.label == "small"
                self.put(
                    label_of(label, self.look),
                    x,
                    bold=self.look.label == "bold",
                    size=0.85 * self.size if small else 0,
                )
                for text in wrapped[at]:
                    self.put(text, x + labels[at])
                    self.down(1.15 * self.size)
                self.y = top
            self.down(high * 1.15 * self.size + 3 * self.look.spread)
            if block.ruled:
                self.canvas.line(self.left, self.y + self.size, self.right, self.y + self.size)
        self.down(self.size)

    def table(self, block: Table) -> None:
        rights, lefts, numbers = self.columns(block)
        for number, row in enumerate(block.rows):
            head = number < block.heads
            texts, at = [], 0
            for text, span in spans_of(row):
                texts.append(
                    (
                        at,
                        span,
                        simpleSplit(text, self.plain, self.size, rights[at + span - 1] - lefts[at])
                        if text
                        else [],
                    )
                )
                at += span
            high = max(1, *(len(lines) for _, _, lines in texts))
            self.room(high * 1.3 * self.size)
            top = self.y
            for at, span, lines in texts:
                for text in lines:
                    self.cell(
                        text,
                        lefts[at],
                        rights[at + span - 1],
                        head=head,
                        number=numbers[at],
                        span=span,
                        money=block.money and not head,
                    )
                    self.down(1.15 * self.size)
                self.y = top
            self.down(high * 1.15 * self.size + 2.5 * self.look.spread)
            ruled = block.look in ("grid", "lines") or (
                block.look == "head" and number in (block.heads - 1, len(block.rows) - 1)
            )
            ruled |= (
                block.look == "totals" and not head and str(row[0]).startswith(("Total", "Net"))
            )
            if ruled:
                self.canvas.line(
                    self.left, self.y + 0.95 * self.size, self.right, self.y + 0.95 * self.size
                )
        self.down(self.size)

    def cell(
        self,
        text: str,
        left: float,
        right: float,
        *,
        head: bool,
        number: bool,
        span: int,
        money: bool,
    ) -> None:
        if span > 1:
            self.put(text, (left + right) / 2, bold=head, align="c")
        elif not number:
            self.put(text, left, bold=head)
        elif money and text.startswith("$ "):
            self.put("$", left + 2)
            self.put(text[2:], right, align="r")
        else:
            self.put(text, right, bold=head, align="r")

    def columns(self, block: Table) -> tuple[list[float], list[float], list[bool]]:
        count = max(len(row) for row in block.rows)
        rows = [row for row in block.rows if None not in row]
        widths = [
            max(
                [stringWidth(str(row[at]), self.bold, self.size) for row in rows if at < len(row)]
                + [20]
            )
            for at in range(count)
        ]
        numbers = [
            at > 0 and _numeric([str(row[at]) for row in rows[block.heads :] if at < len(row)])
            for at in range(count)
        ]
        room = self.right - self.left - 10 * (count - 1)
        if sum(widths) > room:
            widest = widths.index(max(widths))
            widths[widest] -= sum(widths) - room
        gap = max(10.0, min(60.0, (self.right - self.left - sum(widths)) / max(1, count - 1)))
        lefts = [self.left + sum(widths[:at]) + at * gap for at in range(count)]
        return [x + width for x, width in zip(lefts, widths, strict=True)], lefts, numbers


def _numeric(texts: list[str]) -> bool:
    filled = [text for text in texts if text]
    return sum(not any(map(str.isalpha, text)) for text in filled) > 0.6 * len(filled)
