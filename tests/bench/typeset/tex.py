"""Made documents typeset by LaTeX."""

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

_SIGNS = {
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "°": r"\textdegree{}", "“": "``",
    "”": "''", "—": "---", "–": "--",
}  # fmt: skip
_FAMILIES = {"serif": r"\rmdefault", "sans": r"\sfdefault", "mono": r"\ttdefault"}


def latex(made: Made, out: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / f"{out.stem}.tex"
        source.write_text(page(made), "utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-output-directory", folder, str(source)]
        for _ in range(2):
            subprocess.run(command, capture_output=True, timeout=120, check=False)
        (Path(folder) / f"{out.stem}.pdf").rename(out)


def page(made: Made) -> str:
    look = made.look
    paper = (
        f"paperwidth={look.width}pt,paperheight=620pt,margin=14pt"
        if look.width
        else "letterpaper,margin=0.9in"
    )
    body = "\n".join(_block(block, look) for block in made.blocks)
    twocolumn = ",twocolumn" if look.columns > 1 else ""
    return "\n".join([
        rf"\documentclass[{round(look.size)}pt{twocolumn}]{{article}}",
        r"\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}\usepackage{textcomp,booktabs,longtable,array,tabularx}",
        rf"\usepackage[{paper}]{{geometry}}",
        rf"\renewcommand{{\familydefault}}{{{_FAMILIES[look.font]}}}",
        rf"\setlength{{\parindent}}{{{0 if look.spread > 1 else 12}pt}}",
        rf"\renewcommand{{\arraystretch}}{{{look.spread}}}\pagestyle{{plain}}",
        r"\begin{document}\sloppy", body, r"\end{document}",
    ])  # fmt: skip


def escaped(text: str) -> str:
    return "".join(_SIGNS.get(char, char) for char in text)


def _block(block: Block, look: Look) -> str:
    if isinstance(block, Title):
        return _title(block.text, look)
    if isinstance(block, Head):
        return _head(block.text, look)
    if isinstance(block, Para):
        return escaped(block.text) + "\n"
    if isinstance(block, Items):
        items = "\n".join(rf"\item {escaped(text)}" for text in block.texts)
        return rf"\begin{{itemize}}{items}\end{{itemize}}"
    if isinstance(block, Lines):
        first, *rest = map(escaped, block.texts)
        if block.first:
            size = block.first * look.size
            first = rf"{{\fontsize{{{size}}}{{{1.2 * size}}}\selectfont\bfseries {first}}}"
        text = r"\\ ".join([first, *rest])
        return (
            rf"\begin{{center}}{text}\end{{center}}"
            if block.centred
            else rf"\noindent {text}" + "\n\n"
        )
    if isinstance(block, Beside):
        sides = [
            rf"\begin{{minipage}}[t]{{0.48\linewidth}}{_block(side, look)}\end{{minipage}}"
            for side in block
        ]
        return r"\noindent " + r"\hfill ".join(sides) + "\n\n\\bigskip\n"
    if isinstance(block, Receipt):
        return "".join(
            rf"\noindent {escaped(a)} \hfill {escaped(b)}" + "\n\n" for a, b in block.rows
        )
    return _pairs(block, look) if isinstance(block, Pairs) else _table(block)


def _title(text: str, look: Look) -> str:
    shown = escaped(text)
    if look.title == "plain-centred":
        return rf"\begin{{center}}{shown}\end{{center}}"
    if look.title == "caps-bold":
        return rf"\begin{{center}}\textbf{{{shown.upper()}}}\end{{center}}"
    inner = rf"{{\LARGE\bfseries {shown}\par}}"
    return (
        rf"\begin{{center}}{inner}\end{{center}}"
        if look.title == "centred"
        else rf"\noindent{inner}\bigskip"
    )


def _head(text: str, look: Look) -> str:
    shown = escaped(text)
    styles = {
        "bold": rf"\noindent{{\large\bfseries {shown}}}",
        "small": rf"\noindent\textbf{{{shown}}}",
        "ruled": rf"\noindent\textbf{{{shown}}}\\[-6pt]\rule{{\linewidth}}{{0.5pt}}",
        "caps": rf"\noindent {escaped(text.upper())}",
        "plain": rf"\noindent {shown}",
        "underlined": rf"\noindent\underline{{{shown}}}",
        "centred": rf"\begin{{center}}\large\bfseries {shown}\end{{center}}",
    }
    return "\n\\medskip\n" + styles[look.heads] + "\n\n\\smallskip\n"


def _pairs(block: Pairs, look: Look) -> str:
    rows = []
    for row in block.rows:
        cells = []
        for label, value in row:
            shown = escaped(label_of(label, look))
            form = {"bold": r"\textbf{%s}", "small": r"{\footnotesize %s}", "plain": "%s"}[
                look.label
            ]
            cells += [form % shown, escaped(value)]
        rows.append(" & ".join(cells) + r" \\" + (r"\hline" if block.ruled else ""))
    shares = (0.19, 0.25) if block.table else (0.4, 0.5)
    one = "".join(rf">{{\raggedright\arraybackslash}}p{{{share}\linewidth}}" for share in shares)
    edge = "|" if block.ruled else ""
    spec = edge + edge.join([one] * len(block.rows[0])) + edge
    return (
        rf"\noindent\begin{{tabular}}{{@{{}}{spec}@{{}}}}"
        + (r"\hline" if block.ruled else "")
        + "\n".join(rows)
        + r"\end{tabular}"
        + "\n\n"
    )


def _table(block: Table) -> str:
    columns = max(len(row) for row in block.rows)
    wide = any(len(str(row[2])) > 40 for row in block.rows if len(row) > 3)
    spec = ["l"] + ["r" if _number(block, at) else "l" for at in range(1, columns)]
    if wide:
        spec[2] = r">{\raggedright\arraybackslash}p{0.4\linewidth}"
    grid = block.look == "grid"
    rows = []
    for number, row in enumerate(block.rows):
        cells = []
        for text, span in spans_of(row):
            shown = (
                rf"\textbf{{{escaped(text)}}}" if number < block.heads and text else escaped(text)
            )
            edge = "|" if grid else ""
            cells.append(rf"\multicolumn{{{span}}}{{c{edge}}}{{{shown}}}" if span > 1 else shown)
        ruled = (
            grid
            or block.look == "lines"
            or (block.look == "head" and number in (block.heads - 1, len(block.rows) - 1))
        )
        ruled |= (
            block.look == "totals"
            and number >= block.heads
            and str(row[0]).startswith(("Total", "Net"))
        )
        rows.append(" & ".join(cells) + r" \\" + (r"\hline" if ruled else ""))
    lines = "|" + "|".join(spec) + "|" if grid else "".join(spec)
    long = len(rows) > 35
    top = r"\hline" if grid or block.look == "head" else ""
    kind = "longtable" if long else "tabular"
    return (
        rf"\noindent\begin{{{kind}}}{{{lines}}}{top}"
        + "\n".join(rows)
        + rf"\end{{{kind}}}"
        + "\n\n\\medskip\n"
    )


def _number(block: Table, at: int) -> bool:
    texts = [row[at] for row in block.rows[block.heads :] if at < len(row) and row[at]]
    return sum(not any(char.isalpha() for char in str(text)) for text in texts) > 0.6 * len(texts)
