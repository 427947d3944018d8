"""Reports as HTML pages in two layouts: facts in a table beside the text, or as a definition list.

Pages are self-contained: style sheet and pictures are embedded.
"""

from base64 import b64encode
from html import escape

from tests.sample_reports.report import Block, Bullets, DataTable, Figure, Report
from tests.sample_reports.world import AGENCY

_STYLE = """
body { font: 16px/1.55 Georgia, serif; color: #22303c }
body { max-width: 46rem; margin: 0 auto 4rem; padding: 0 1rem }
header { border-bottom: 3px solid #1d3a56; padding: 1.2rem 0 .4rem }
header { font: 14px sans-serif; color: #5d6b78 }
h1, h2 { font-family: sans-serif; color: #1d3a56; line-height: 1.2 }
h1 { font-size: 1.9rem; margin-bottom: .2rem } h2 { font-size: 1.2rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100%; font: 14px sans-serif; margin: 1rem 0 }
th, td { border-bottom: 1px solid #b9c4ce; padding: .3rem .5rem; text-align: left }
thead th { background: #1d3a56; color: white } caption { text-align: left; font-style: italic }
dl { display: grid; grid-template-columns: 14rem 1fr; font: 14px sans-serif }
dt { font-weight: bold } dd { margin: 0 } figure { margin: 1.5rem 0 } img { max-width: 100% }
footer { margin-top: 3rem; border-top: 1px solid #b9c4ce; font: 13px sans-serif; color: #5d6b78 }
"""


def as_html(report: Report, layout: int) -> bytes:
    """The bytes of `report` as UTF-8 HTML; `layout` 0 facts as a table, 1 as a definition list."""
    sections = "\n".join(
        f"<section>\n<h2>{escape(heading)}</h2>\n{_blocks(blocks)}\n</section>"
        for heading, blocks in report.sections
    )
    page = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{escape(report.title)} {report.number}</title>
<style>{_STYLE}</style>
</head>
<body>
<header>{AGENCY}</header>
<main>
<h1>{escape(report.title)}</h1>
<p>{escape(report.subtitle)}</p>
{(_facts_table, _facts_list)[layout](report)}
<h2>Summary</h2>
<p>{escape(report.summary)}</p>
{sections}
</main>
<footer>Report {report.number}, published {report.published}</footer>
</body>
</html>
"""
    return page.encode()


def _facts_table(report: Report) -> str:
    rows = "\n".join(
        f"<tr><th>{escape(label)}</th><td>{escape(value)}</td></tr>"
        for label, value in report.facts
    )
    return f"<table>\n{rows}\n</table>"


def _facts_list(report: Report) -> str:
    items = "\n".join(
        f"<dt>{escape(label)}</dt><dd>{escape(value)}</dd>" for label, value in report.facts
    )
    return f"<dl>\n{items}\n</dl>"


def _blocks(blocks: tuple[Block, ...]) -> str:
    return "\n".join(_block(block) for block in blocks)


def _block(block: Block) -> str:
    match block:
        case str():
            return f"<p>{escape(block)}</p>"
        case Bullets(items):
            return "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in items) + "</ul>"
        case DataTable():
            head = "".join(f"<th>{escape(cell)}</th>" for cell in block.header)
            body = "\n".join(
                "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
                for row in block.rows
            )
            caption = f"<caption>{escape(block.caption)}</caption>"
            return f"<table>{caption}<thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>"
        case Figure():
            source = f"data:image/png;base64,{b64encode(block.png).decode()}"
            size = f'width="{block.width}" height="{block.height}"'
            return (
                f'<figure><img src="{source}" alt="{escape(block.caption)}" {size}>'
                f"<figcaption>{escape(block.caption)}</figcaption></figure>"
            )
