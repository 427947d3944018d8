"""Elements -> an HTML document."""

import html

from backend.contract.elements import Element
from backend.partition.markdown import table_html

_TAGS = {
    "Title": "h1",
    "Page-header": "header",
    "Page-footer": "footer",
    "Caption": "figcaption",
    "Footnote": "aside",
}


def to_html(elements: list[Element]) -> str:
    """One document; each page is a `section` with its number, list items stand in lists."""
    parts: list[str] = []
    page = 0
    in_list = False
    for element in elements:
        starts_page = element.page_number != page
        if in_list and (starts_page or element.type != "List-item"):
            parts.append("</ul>")
            in_list = False
        if starts_page:
            if page:
                parts.append("</section>")
            page = element.page_number
            parts.append(f'<section data-page="{page}">')
        if element.type == "List-item" and not in_list:
            parts.append("<ul>")
            in_list = True
        parts.append(_element(element))
    if in_list:
        parts.append("</ul>")
    if page:
        parts.append("</section>")
    body = "\n".join(part for part in parts if part)
    head = '<!DOCTYPE html>\n<html>\n<head><meta charset="utf-8"></head>'
    return f"{head}\n<body>\n{body}\n</body>\n</html>\n"


def _element(element: Element) -> str:
    text = html.escape(element.text_representation or "", quote=False)
    if element.type == "table" and element.table is not None:
        return table_html(element.table)
    if element.type == "Image":
        return _image(element, text)
    if element.type == "List-item":
        return f"<li>{text}</li>"
    if element.type == "Section-header":
        level = min(6, 1 + int(element.properties.get("level", 1)))
        return f"<h{level}>{text}</h{level}>"
    tag = "pre" if element.properties.get("verbatim") else _TAGS.get(element.type, "p")
    return f"<{tag}>{text}</{tag}>" if text else ""


def _image(element: Element, text: str) -> str:
    kind = element.properties.get("image_format")
    if kind and element.binary_representation:
        source = f"data:image/{kind.lower()};base64,{element.binary_representation}"
        return f'<img alt="{html.escape(text)}" src="{source}">'
    return f"<figure>{text}</figure>" if text else ""
