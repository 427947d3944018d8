"""What a browser or a notebook would do by itself with a text: run it, fetch from it, link away.

Read by the parsers that readers of HTML and Markdown use, not by looking for patterns.
"""

from collections.abc import Iterator

from lxml import html
from markdown_it import MarkdownIt
from markdown_it.token import Token

_NAMES = """html head meta style body section header footer figure figcaption aside h1 h2 h3 h4 h5
h6 p ul ol li pre img table tr td th"""
_TAGS = set(_NAMES.split())
_ATTRIBUTES = {"alt", "src", "start", "rowspan", "colspan", "data-page"}
_OF_HEAD = {"charset", "http-equiv", "content"}
_MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")


def in_html(text: str) -> list[str]:
    """Elements and attributes that no document of ours has, and addresses."""
    return list(_of_html(text))


def in_markdown(text: str) -> list[str]:
    """Links, pictures with an address, and HTML other than the tables that we write."""
    return list(_of_markdown(_MARKDOWN.parse(text)))


def _of_html(text: str) -> Iterator[str]:
    for node in html.document_fromstring(text).iter():
        if node.tag not in _TAGS:
            yield f"<{node.tag}>"
        allowed = _OF_HEAD if node.tag == "meta" else _ATTRIBUTES
        for name, value in node.attrib.items():
            fetched = name == "src" and not value.startswith("data:image/")
            if name not in allowed or fetched:
                yield f"{name}={value}"


def _of_markdown(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "html_block":
            yield from _of_html(token.content)
        elif token.type == "html_inline":
            yield token.content
        elif token.type == "link_open":
            yield f"link to {token.attrs['href']}"
        elif token.type == "image" and token.attrs["src"]:
            yield f"picture of {token.attrs['src']}"
        yield from _of_markdown(token.children or [])
