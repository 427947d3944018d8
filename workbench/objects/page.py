"""A page of a document: its picture and its elements."""

from collections.abc import Sequence
from typing import Self

from workbench.contract.documents import Document
from workbench.contract.elements import StoredElement
from workbench.frames.elements import Elements
from workbench.frames.html import image, joined, tag


class Page:
    """`picture` is a PNG file, empty for files without pages; `elements` is a frame."""

    def __init__(self, name: str, number: int, elements: Elements, picture: bytes = b"") -> None:
        self.name = name
        self.number = number
        self.elements = elements
        self.picture = picture

    @classmethod
    def of(cls, document: Document, number: int, file: bytes, *, width: int, boxes: bool) -> Self:
        """The page of a document whose original file is `file`."""
        part = document.model_copy(update={"elements": _on_page(document.elements, number)})
        name = str(document.properties.get("path") or document.id)
        drawn = _drawn(file, number, width, part.elements if boxes else ())
        return cls(name, number, Elements([part]), drawn)

    @property
    def text(self) -> str:
        """The text of its elements in reading order."""
        return "\n\n".join(filter(None, (one.text_representation for one in self.elements)))

    def _repr_png_(self) -> bytes | None:
        return self.picture or None

    def __repr__(self) -> str:
        return f"Page({self.number} of {self.name}, {len(self.elements):,} elements)"

    def _repr_html_(self) -> str:
        title = f"Page {self.number} of {self.name}"
        heading = tag("div", title, style="font-weight:600")
        if self.picture:
            return tag(
                "div", heading, image(self.picture, title, style="max-width:min(52em, 100%)")
            )
        words = (tag("p", one.text_representation or "") for one in self.elements)
        return tag("div", heading, tag("div", joined(words), style="max-width:46em"))


def _on_page(elements: Sequence[StoredElement], number: int) -> list[StoredElement]:
    return [one for one in elements if (one.properties.get("page_number") or 1) == number]


def _drawn(file: bytes, number: int, width: int, marked: Sequence[StoredElement]) -> bytes:
    """The picture of the page; empty if the file has no renderable pages."""
    from workbench.pages.marked import marked_page
    from workbench.pages.raster import page_count, page_picture

    if number > page_count(file):
        return b""
    return marked_page(page_picture(file, number, width), [one.bbox for one in marked if one.bbox])
