"""Headings of an RTF without outline levels: short bold paragraphs before plainer ones."""

import re

from workbench.contract.elements import Element

USUAL_SIZE = 24
"""Half points."""
_LONGEST = 120
_SENTENCE_END = re.compile(r"[.,;:!?]$")


class Formatting:
    """Collects the formatting of paragraphs while they are read, and decides when all are known."""

    def __init__(self) -> None:
        self.bold = True
        self.size = 0
        self.seen: list[tuple[Element | None, bool, int]] = []

    def see(self, text: str, bold: bool, size: int) -> None:
        if text.strip():
            self.bold = self.bold and bold
            self.size = max(self.size, size)

    def end(self, element: Element | None) -> None:
        """The end of a paragraph; None for a table."""
        self.seen.append((element, self.bold and element is not None, self.size))
        self.bold, self.size = True, 0

    def settle(self) -> None:
        """Turns paragraphs formatted like headings into headings, if none is marked as one."""
        elements = [element for element, _, _ in self.seen if element is not None]
        bold = sum(is_bold for _, is_bold, _ in self.seen)
        if 2 * bold > len(self.seen) or any(e.type == "Section-header" for e in elements):
            return
        heads: list[tuple[Element, int]] = []
        follower = (True, 0)
        for element, is_bold, size in reversed(self.seen):
            below_bold, below_size = follower
            follower = (is_bold, size)
            short = element is not None and _is_heading(element)
            if element is not None and short and is_bold and (not below_bold or below_size < size):
                heads.append((element, size))
        sizes = sorted({size for _, size in heads}, reverse=True)
        for element, size in heads:
            element.type = "Section-header"
            element.properties["level"] = min(6, sizes.index(size) + 1)


def _is_heading(element: Element) -> bool:
    text = element.text_representation or ""
    worded = any(char.isalpha() for char in text)
    return (
        element.type == "Text"
        and worded
        and len(text) <= _LONGEST
        and not _SENTENCE_END.search(text)
    )
