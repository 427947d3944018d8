"""An element in full: its text, its place, and its other details."""

from workbench.contract.elements import StoredElement
from workbench.formats import value_words
from workbench.tui.lines import Line, dim, line

_ELSEWHERE = {"page_number", "entity", "path", "_original_elements"}


def element_lines(element: StoredElement) -> list[Line]:
    """The words first, then the small print."""
    text = (element.text_representation or "").strip()
    lines: list[Line] = (
        [line(row) for row in text.splitlines()] if text else [line(dim("no words"))]
    )
    return [*lines, line(), *element_notes(element)]


def element_notes(element: StoredElement) -> list[Line]:
    """Its place, and its details other than the text."""
    x1, y1, x2, y2 = element.bbox
    page = element.properties.get("page_number", 1)
    lines = [line(dim(f"page {page} · {x1:.0%} {y1:.0%} to {x2:.0%} {y2:.0%}"))]
    for name, value in element.properties.items():
        if name not in _ELSEWHERE and value not in (None, ""):
            lines.append(line(dim(f"{name}  "), value_words(value, name)))
    return lines
