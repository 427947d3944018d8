"""Elements -> an HTML document with all content escaped: no tag or script gets through."""

import html

from backend.partition.markdown import bare_item, table_html
from workbench.contract.elements import Element

_TAGS = {
    "Title": "h1",
    "Page-header": "header",
    "Page-footer": "footer",
    "Caption": "figcaption",
    "Footnote": "aside",
}
_HEAD = """<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
style-src 'unsafe-inline'">
<style>
body { font: 16px/1.5 sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em }
table { border-collapse: collapse } td, th { border: 1px solid #999; padding: .2em .6em }
th { background: #eee } header, footer, aside, figcaption { color: #555; font-size: 90% }
section + section { border-top: 1px solid #ccc } img { max-width: 100% }
</style>
</head>
<body>
"""


def to_html(elements: list[Element]) -> str:
    """One document; each page is a `section` with its number, and list items are in lists."""
    parts: list[str] = []
    lists = _Lists()
    page = 0
    for element in elements:
        if element.page_number != page:
            parts.append(lists.close())
            parts.append("</section>" if page else "")
            page = element.page_number
            parts.append(f'<section data-page="{page}">')
        if element.type == "List-item":
            parts.append(lists.item(element))
        else:
            parts.append(lists.close())
            parts.append(_element(element))
    parts += [lists.close(), "</section>" if page else ""]
    body = "\n".join(part for part in parts if part)
    return f"{_HEAD}{body}\n</body>\n</html>\n"


class _Lists:
    """The lists that are open, outermost first; the last item of each is open as well."""

    def __init__(self) -> None:
        self._open: list[str] = []

    def item(self, element: Element) -> str:
        number = element.properties.get("number")
        tag = "ul" if number is None else "ol"
        level = min(int(element.properties.get("level", 0)), len(self._open))
        out = self._close_to(level + 1)
        if len(self._open) == level + 1:
            out += "</li>" if self._open[-1] == tag else self._close_to(level)
        if len(self._open) == level:
            start = f' start="{int(number)}"' if number not in (None, 1) else ""
            out += f"<{tag}{start}>"
            self._open.append(tag)
        return f"{out}<li>{_escaped(bare_item(element))}"

    def close(self) -> str:
        return self._close_to(0)

    def _close_to(self, depth: int) -> str:
        out = ""
        while len(self._open) > depth:
            out += f"</li></{self._open.pop()}>"
        return out


def _element(element: Element) -> str:
    text = _escaped(element.text_representation or "")
    if element.type == "table" and element.table is not None:
        return table_html(element.table)
    if element.type == "Image":
        return _image(element, text)
    if element.type == "Section-header":
        level = min(6, 1 + int(element.properties.get("level", 1)))
        return f"<h{level}>{text}</h{level}>"
    tag = "pre" if element.properties.get("verbatim") else _TAGS.get(element.type, "p")
    return f"<{tag}>{text}</{tag}>" if text else ""


def _escaped(text: str) -> str:
    return html.escape(text, quote=False)


def _image(element: Element, text: str) -> str:
    kind = element.properties.get("image_format")
    if kind and element.binary_representation:
        source = f"data:image/{kind.lower()};base64,{element.binary_representation}"
        return f'<img alt="{html.escape(element.text_representation or "")}" src="{source}">'
    return f"<figure>{text}</figure>" if text else ""
