"""Made documents as web pages, printed by a browser or by a word processor."""

import html
import re
import subprocess
import tempfile
from pathlib import Path

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

_FONTS = {"serif": "Liberation Serif", "sans": "Liberation Sans", "mono": "Liberation Mono"}
_MONEY = re.compile(r"^(\$)?\s*(\(?[\d.,]+)(\)| ?%)?$")


def page(made: Made) -> str:
    """The whole page; tables for everything that stands side by side, as both programs know."""
    look = made.look
    width = (
        f"size: {look.width}pt 620pt; margin: 14pt;"
        if look.width
        else "size: letter; margin: 60pt;"
    )
    columns = f"columns: {look.columns}; column-gap: 24pt;" if look.columns > 1 else ""
    whole = [block for block in made.blocks if isinstance(block, Title)] if look.columns > 1 else []
    top = "".join(_block(block, look) for block in whole)
    body = "".join(_block(block, look) for block in made.blocks if block not in whole)
    head = f"<p class=margin>{html.escape(made.header)}</p>" if made.header else ""
    style = f"""@page {{ {width} }} body {{ font: {look.size}pt '{_FONTS[look.font]}'; margin: 0 }}
      td, th {{ vertical-align: top; font: inherit; text-align: left;
        padding: {1.5 * look.spread}pt 4pt }}
      .n {{ text-align: right }} .flow {{ {columns} }} table {{ border-collapse: collapse }}
      p {{ margin: 0 0 6pt }} .money td {{ padding: {look.spread}pt 1pt }}"""
    return (
        f"<html><head><meta charset=utf-8><style>{style}</style></head><body>{head}"
        f"{top}<div class=flow>{body}</div></body></html>"
    )


def browser(made: Made, out: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "page.html"
        source.write_text(page(made), "utf-8")
        command = [
            "chromium",
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-pdf-header-footer",
        ]
        subprocess.run(
            [*command, f"--print-to-pdf={out}", str(source)],
            check=True,
            capture_output=True,
            timeout=120,
        )


def writer(made: Made, out: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / f"{out.stem}.html"
        source.write_text(page(made), "utf-8")
        command = ["soffice", "--headless", f"-env:UserInstallation=file://{folder}/profile"]
        filters = ["--infilter=HTML (StarWriter)", "--convert-to", "pdf:writer_pdf_Export"]
        subprocess.run(
            [*command, *filters, "--outdir", str(out.parent), str(source)],
            check=True,
            capture_output=True,
            timeout=180,
        )


def _block(block: Block, look: Look) -> str:
    if isinstance(block, Title):
        return _title(block.text, look)
    if isinstance(block, Head):
        return _head(block.text, look)
    if isinstance(block, Para):
        return f"<p>{html.escape(block.text)}</p>"
    if isinstance(block, Items):
        return f"<ul>{''.join(f'<li>{html.escape(text)}</li>' for text in block.texts)}</ul>"
    if isinstance(block, Lines):
        align = " align=center" if block.centred else ""
        first, *rest = map(html.escape, block.texts)
        if block.first:
            first = f"<b style='font-size: {block.first * look.size}pt'>{first}</b>"
        return f"<p{align}>{'<br>'.join([first, *rest])}</p>"
    if isinstance(block, Beside):
        sides = "".join(f"<td width='50%'>{_block(side, look)}</td>" for side in block)
        return f"<table width='100%'><tr>{sides}</tr></table>"
    if isinstance(block, Receipt):
        rows = "".join(
            f"<tr><td>{html.escape(a)}</td><td class=n align=right>{html.escape(b)}</td></tr>"
            for a, b in block.rows
        )
        return f"<table width='100%'>{rows}</table>"
    return _pairs(block, look) if isinstance(block, Pairs) else _table(block)


def _title(text: str, look: Look) -> str:
    shown = html.escape(text)
    if look.title == "plain-centred":
        return f"<p align=center style='margin: 0 0 14pt'>{shown}</p>"
    if look.title == "caps-bold":
        return f"<p align=center style='margin: 0 0 12pt'><b>{shown.upper()}</b></p>"
    align = " align=center" if look.title == "centred" else ""
    return f"<p{align} style='font-size: {1.6 * look.size}pt; margin: 0 0 10pt'><b>{shown}</b></p>"


def _head(text: str, look: Look) -> str:
    shown, style, align = html.escape(text), "margin: 12pt 0 5pt", ""
    if look.heads in ("bold", "ruled", "small", "centred"):
        size = 0.95 if look.heads == "small" else 1.0 if look.heads == "ruled" else 1.2
        style += f"; font-size: {size * look.size}pt"
        shown = f"<b>{shown}</b>"
    if look.heads == "caps":
        shown = shown.upper()
    if look.heads == "ruled":
        style += "; border-bottom: 1px solid black"
    if look.heads == "underlined":
        shown = f"<u>{shown}</u>"
    if look.heads == "centred":
        align = " align=center"
    return f"<p{align} style='{style}'>{shown}</p>"


def _pairs(block: Pairs, look: Look) -> str:
    rows = []
    for row in block.rows:
        cells = []
        for label, value in row:
            shown = html.escape(label_of(label, look))
            if look.label == "bold":
                shown = f"<b>{shown}</b>"
            if look.label == "small":
                shown = f"<span style='font-size: {0.85 * look.size}pt'>{shown}</span>"
            cells.append(f"<td>{shown}</td><td>{html.escape(value)}</td>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    border = " border=1" if block.ruled else ""
    width = " width='100%'" if block.table else ""
    return f"<table{border}{width}>{''.join(rows)}</table><p></p>"


def _table(block: Table) -> str:
    rows = []
    for number, row in enumerate(block.rows):
        head = number < block.heads
        edge = ""
        if block.look == "lines" or (
            block.look == "head" and number in (0, block.heads - 1, len(block.rows) - 1)
        ):
            edge = " style='border-bottom: 0.7pt solid black'"
        if (
            block.look == "totals"
            and not head
            and str(row[0]).startswith(("Total", "Net", "Gross"))
        ):
            edge = " style='border-bottom: 0.7pt solid black'"
        cells = "".join(
            _cell(text, span, at, head, edge, block)
            for at, (text, span) in enumerate(spans_of(row))
        )
        rows.append(f"<tr>{cells}</tr>")
    border = " border=1" if block.look == "grid" else ""
    kind = " class=money" if block.money else ""
    return f"<table{border}{kind} width='100%'>{''.join(rows)}</table><p></p>"


def _cell(text: str, span: int, at: int, head: bool, edge: str, block: Table) -> str:
    shown = html.escape(text)
    if block.money and at:
        # As in filings: the sign of the currency and the bracket have columns of their own.
        if head or not (parts := _MONEY.match(text)):
            bold = f"<b>{shown}</b>" if head else shown
            align = "center" if head else "right"
            gap = "<td width=12></td>"
            return f"{gap}<td colspan={4 * span - 1} align={align}{edge}>{bold}</td>"
        sign, number, after = (html.escape(part or "") for part in parts.groups())
        return (
            f"<td width=12></td><td{edge}>{sign}</td><td align=right{edge}>{number}</td>"
            f"<td{edge}>{after}</td>"
        )
    number = at and not any(char.isalpha() for char in text)
    align = " align=center" if span > 1 else " align=right" if number else ""
    width = f" colspan={span}" if span > 1 else ""
    return f"<td{width}{align}{edge}>{f'<b>{shown}</b>' if head else shown}</td>"
