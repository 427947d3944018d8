"""PPT (PowerPoint 97 to 2003): one page per slide, with the places of texts, tables, pictures."""

import struct
from dataclasses import dataclass

from backend.partition.compound import opened
from backend.partition.document import Document, Request
from backend.partition.flow import Flow
from backend.partition.formats.heads import mark_heads
from backend.partition.formats.office_records import Record
from backend.partition.formats.ppt_records import (
    ANCHOR,
    CHILD_ANCHOR,
    DOCUMENT_SIZE,
    DRAWING,
    GROUP,
    GROUP_FRAME,
    MORE_SHAPE_OPTIONS,
    SHAPE,
    SHAPE_OPTIONS,
    SLIDE_ATOM,
    SLIDE_LIST,
    SLIDE_PERSIST,
    TEXT_BOX,
    TEXT_KIND,
    TEXT_NARROW,
    TEXT_OUTLINE,
    TEXT_WIDE,
    Show,
    shape_options,
)
from backend.partition.selection import selected
from workbench.contract.elements import TableCell

_TITLES, _BODIES = (0, 6), (1, 7, 8)
_PICTURE, _TABLE = 0x104, 0x39F
_MAX_DEPTH = 40

Box = tuple[float, float, float, float]
"""Left, top, right, bottom, as fractions of the slide."""


@dataclass(frozen=True)
class _Text:
    kind: int
    words: str


@dataclass(frozen=True)
class _Frame:
    """Maps the coordinates of a group to the slide: `at * factor + shift`, per axis."""

    factor_x: float
    factor_y: float
    shift_x: float = 0.0
    shift_y: float = 0.0

    def box(self, left: float, top: float, right: float, bottom: float) -> Box:
        return (
            left * self.factor_x + self.shift_x,
            top * self.factor_y + self.shift_y,
            right * self.factor_x + self.shift_x,
            bottom * self.factor_y + self.shift_y,
        )


def read(request: Request) -> Document:
    flow = request.flow
    with opened(request.source, "PPT") as compound:
        show = Show(compound)
        pictures = show.pictures()
        slides = _listed(show, 0)
        notes = {number: place for place, number, _ in _listed(show, 2)}
        numbers = selected(request.options.selected_pages, max(1, len(slides)))
        for done, number in enumerate(numbers, 1):
            flow.page = number
            if slides:
                place, _, outline = slides[number - 1]
                with flow.part("a slide"):
                    _slide(flow, show, show.part(place), outline, pictures, notes)
            request.progress(done, len(numbers))
    return Document(flow.elements, max(1, len(slides)))


def _listed(show: Show, variant: int) -> list[tuple[int, int, list[_Text]]]:
    """Slides (variant 0) or notes (2) in order: directory number, identity, outline texts."""
    out: list[tuple[int, int, list[_Text]]] = []
    for chosen in (c for c in show.document.children() if c.kind == SLIDE_LIST):
        if chosen.variant != variant:
            continue
        for record in chosen.children():
            if record.kind == SLIDE_PERSIST:
                place, _, _, identity = struct.unpack_from("<IIII", record.data)
                out.append((place, identity, []))
            elif out and record.kind == TEXT_KIND:
                out[-1][2].append(_Text(_first(record), ""))
            elif out and out[-1][2] and record.kind in (TEXT_WIDE, TEXT_NARROW):
                out[-1][2][-1] = _Text(out[-1][2][-1].kind, _words(record))
    return out


def _slide(
    flow: Flow,
    show: Show,
    slide: Record | None,
    outline: list[_Text],
    pictures: list[bytes | None],
    notes: dict[int, int],
) -> None:
    if slide is None:
        return
    size = next(show.document.all(DOCUMENT_SIZE), None)
    width, height = struct.unpack_from("<ii", size.data) if size is not None else (5760, 4320)
    frame = _Frame(1 / (width or 5760), 1 / (height or 4320))
    reader = _Slide(flow, outline, pictures)
    drawing = slide.find(DRAWING)
    top = next(drawing.all(GROUP), None) if drawing is not None else None
    if top is not None:
        reader.group(top, frame, 0)
    atom = slide.find(SLIDE_ATOM)
    place = notes.get(struct.unpack_from("<I", atom.data, 16)[0]) if atom is not None else None
    page = show.part(place) if place is not None else None
    for box in page.all(TEXT_BOX) if page is not None else ():
        text = _text_of(box, [])
        if text.kind == 2:
            flow.add("Footnote", text.words)


class _Slide:
    def __init__(self, flow: Flow, outline: list[_Text], pictures: list[bytes | None]) -> None:
        self.flow = flow
        self.outline = outline
        self.pictures = pictures

    def group(self, group: Record, frame: _Frame, depth: int) -> None:
        """The shapes of a group; its first one is the frame of the group itself."""
        if depth > _MAX_DEPTH:
            return
        head = next(group.children(), None)
        inner = frame if head is None else _inside(head, frame)
        if head is not None and shape_options(head, MORE_SHAPE_OPTIONS).get(_TABLE, 0) & 1:
            self._table(group, head, frame, inner)
            return
        for index, child in enumerate(group.children()):
            if child.kind == GROUP:
                self.group(child, inner, depth + 1)
            elif child.kind == SHAPE and index > 0:
                self._shape(child, inner)

    def _shape(self, shape: Record, frame: _Frame) -> None:
        first = len(self.flow.elements)
        picture = shape_options(shape, SHAPE_OPTIONS).get(_PICTURE, 0)
        if picture:
            known = 0 < picture <= len(self.pictures)
            self.flow.image(None, self.pictures[picture - 1] if known else None)
        box = shape.find(TEXT_BOX)
        if box is not None:
            self._text(_text_of(box, self.outline))
        corners = _corners(shape, frame)
        if corners is not None:
            self.flow.place(first, list(corners))

    def _text(self, text: _Text) -> None:
        paragraphs = [part for part in text.words.split("\r") if part.strip()]
        if text.kind in _TITLES:
            self.flow.heading("\n".join(paragraphs), 0)
            return
        for paragraph in paragraphs:
            if text.kind in _BODIES and len(paragraphs) > 1:
                self.flow.item(paragraph)
            else:
                self.flow.text(paragraph)

    def _table(self, group: Record, head: Record, frame: _Frame, inner: _Frame) -> None:
        """Tables are groups of text boxes; the edges of the boxes form the grid."""
        placed: list[tuple[Box, str]] = []
        for shape in group.children():
            box = shape.find(TEXT_BOX) if shape.kind == SHAPE else None
            corners = _corners(shape, inner) if box is not None else None
            if box is not None and corners is not None:
                placed.append((corners, _text_of(box, []).words.replace("\r", " ")))
        first = len(self.flow.elements)
        self.flow.table(_grid(placed))
        place = _corners(head, frame)
        if place is not None:
            self.flow.place(first, list(place))


def _grid(boxes: list[tuple[Box, str]]) -> list[TableCell]:
    lefts = sorted({round(box[0], 3) for box, _ in boxes})
    tops = sorted({round(box[1], 3) for box, _ in boxes})
    cells: list[TableCell] = []
    for (left, top, right, bottom), words in boxes:
        cols = [i for i, at in enumerate(lefts) if left - 0.001 <= at < right - 0.002]
        rows = [i for i, at in enumerate(tops) if top - 0.001 <= at < bottom - 0.002]
        if rows and cols:
            cells.append(TableCell(content=words.strip(), rows=rows, cols=cols))
    mark_heads(cells)
    return cells


def _inside(head: Record, outer: _Frame) -> _Frame:
    """The frame of the shapes in a group, from the place of the group and its own measure."""
    record, corners = head.find(GROUP_FRAME), _corners(head, outer)
    if record is None or corners is None:
        return outer
    left, top, right, bottom = struct.unpack_from("<4i", record.data)
    if right <= left or bottom <= top:
        return outer
    fx, fy = (corners[2] - corners[0]) / (right - left), (corners[3] - corners[1]) / (bottom - top)
    return _Frame(fx, fy, corners[0] - left * fx, corners[1] - top * fy)


def _corners(shape: Record, frame: _Frame) -> Box | None:
    child, anchor = shape.find(CHILD_ANCHOR), shape.find(ANCHOR)
    if child is not None and len(child.data) >= 16:
        return frame.box(*struct.unpack_from("<4i", child.data))
    if anchor is None or len(anchor.data) < 8:
        return None
    code = "<4i" if len(anchor.data) >= 16 else "<4h"
    top, left, right, bottom = struct.unpack_from(code, anchor.data)
    return frame.box(left, top, right, bottom)


def _text_of(box: Record, outline: list[_Text]) -> _Text:
    """The text of a shape; placeholders refer to the outline of the show."""
    kind, words = 4, ""
    for record in box.children():
        if record.kind == TEXT_KIND:
            kind = _first(record)
        elif record.kind in (TEXT_WIDE, TEXT_NARROW):
            words = _words(record)
        elif record.kind == TEXT_OUTLINE and _first(record) < len(outline):
            return outline[_first(record)]
    return _Text(kind, words)


def _first(record: Record) -> int:
    return int.from_bytes(record.data[:4], "little")


def _words(record: Record) -> str:
    wide = record.kind == TEXT_WIDE
    return record.data.decode("utf-16-le" if wide else "latin-1", "replace").replace("\x0b", "\n")
