"""The HTML and Markdown of a document show its outline, lists and tables, and run nothing of it."""

import re
from html.parser import HTMLParser

from markdown_it import MarkdownIt

from backend.partition import to_html, to_markdown
from tests.backend.partition.conftest import Read
from workbench.contract.partition_options import MarkdownOptions

LISTS = b"<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul><ol start=3><li>d</li><li>e</li></ol>"
ATTACKS = (
    b"<h1>&lt;script&gt;run()&lt;/script&gt;</h1><p>&lt;img src=x onerror=run()&gt;</p>"
    b"<ul><li>&lt;svg onload=run()&gt;</li></ul>"
    b"<table><tr><td>&lt;script&gt;run()</td></tr></table>"
    b"<pre>```\n&lt;script&gt;run()&lt;/script&gt;</pre><script>run()</script>"
    b"<img alt='\"&gt;&lt;script&gt;run()&lt;/script&gt;' src='javascript:run()'>"
    b"<a href='javascript:run()'>link</a>"
)


class Tags(HTMLParser):
    """The tags of a page with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))


def harmless(page: str) -> bool:
    return not any(
        tag in ("script", "svg", "iframe", "object")
        or any(name.startswith("on") for name in attributes)
        or "javascript:" in " ".join(value or "" for value in attributes.values())
        for tag, attributes in Tags(page).elements
    )


def test_nothing_of_a_document_runs_in_its_html(read: Read) -> None:
    page = to_html(read(ATTACKS, "a.html").elements)
    assert harmless(page)
    assert page.count("run()") == 6
    assert "default-src 'none'" in page


def test_nothing_of_a_document_runs_in_a_page_made_from_its_markdown(read: Read) -> None:
    text = str(to_markdown(read(ATTACKS, "a.html").elements, MarkdownOptions()))
    page = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    assert harmless(page)


def test_lists_of_the_html_are_nested_and_numbered(read: Read) -> None:
    page = re.sub(r"\s", "", to_html(read(LISTS).elements))
    assert "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>" in page
    assert '<olstart="3"><li>d</li><li>e</li></ol>' in page


def test_lists_of_the_markdown_are_read_back_as_they_were(read: Read) -> None:
    text = str(to_markdown(read(LISTS).elements, MarkdownOptions()))
    again = read(text.encode(), "a.md")
    assert [
        (e.text_representation, e.properties["level"], e.properties.get("number"))
        for e in again.elements
    ] == [("a", 0, None), ("b", 1, None), ("c", 0, None), ("d", 0, 3), ("e", 0, 4)]


def test_an_outline_survives_its_way_through_markdown(read: Read) -> None:
    text = "# Harbours\n\n## Ropes\n\n### Thin\n\n## Anchors"
    assert to_markdown(read(text.encode(), "a.md").elements, MarkdownOptions()) == text


def test_further_paragraphs_of_an_item_stay_in_it(read: Read) -> None:
    keep = {"remove_line_breaks": False}
    partition = read(b"<ol><li>one<p>more</p></li><li>two</li></ol>", text_extraction_options=keep)
    assert [e.text_representation for e in partition.elements] == ["one\nmore", "two"]
    assert to_markdown(partition.elements, MarkdownOptions()) == "1. one\n   more\n2. two"


def test_source_code_with_fences_stays_in_its_fence(read: Read) -> None:
    text = str(to_markdown(read(b"<pre>a\n```\nb</pre>", "a.html").elements, MarkdownOptions()))
    assert text == "````\na\n```\nb\n````"
