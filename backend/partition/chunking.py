"""Elements -> chunks with a maximum number of tokens, for search and for language models.

`context_rich` respects sections and repeats the heading in each chunk of a section; consecutive
headings count as one. `maximize_within_limit` fills every chunk as far as possible.
`mixed_multi_column` is context-rich and also never joins text from different columns or pages, and
drops text in the margins and single tokens. Running headers and footers are left out. A chunk of
several elements is a `Section`; one element that fits alone keeps its type. `element_indices` in
the properties refers to the elements before chunking.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from backend.partition.tokens import Counter, counter
from workbench.contract.elements import Element
from workbench.contract.partition_options import ChunkingOptions

_HEADS = ("Title", "Section-header")
_LEFT_OUT = ("Page-header", "Page-footer")
_MARGIN = 0.05
"""Of the height of a page, above and below."""
_SENTENCES = re.compile(r"(?<=[.!?…])\s+|\n+")


@dataclass(slots=True)
class _Part:
    """A piece of text from one element, never over the limit."""

    index: int
    element: Element
    text: str
    tokens: int
    whole: bool


@dataclass(slots=True)
class _Chunk:
    parts: list[_Part] = field(default_factory=list)
    tokens: int = 0
    heading: str = ""
    """Repeated before the text when the heading itself is in an earlier chunk."""

    def add(self, part: _Part) -> None:
        self.parts.append(part)
        self.tokens += part.tokens + 1


def chunked(elements: list[Element], options: ChunkingOptions) -> list[Element]:
    """New elements; those given are not changed."""
    count = counter(options)
    parts = list(_parts(elements, options.max_tokens, count))
    if options.strategy == "mixed_multi_column":
        parts = [part for part in parts if part.tokens > 1 and not _in_margin(part.element)]
    if options.strategy == "maximize_within_limit":
        chunks = _filled(parts, options)
    else:
        chunks = _by_section(parts, options, count)
    return [_element(chunk) for chunk in chunks if chunk.parts]


def text_of(element: Element) -> str:
    """The words of an element; of a table, one line per row."""
    if element.text_representation:
        return element.text_representation
    return element.table.text() if element.table is not None else ""


def _parts(elements: list[Element], limit: int, count: Counter) -> Iterator[_Part]:
    for index, element in enumerate(elements):
        text = text_of(element).strip()
        if not text or element.type in _LEFT_OUT:
            continue
        tokens = count(text)
        if tokens <= limit:
            yield _Part(index, element, text, tokens, True)
            continue
        for piece in _split(text, limit, count):
            yield _Part(index, element, piece, count(piece), False)


def _split(text: str, limit: int, count: Counter) -> Iterator[str]:
    """Pieces within the limit, cut between sentences or rows, else words, else letters."""
    for separator in (_SENTENCES, re.compile(r"\s+")):
        pieces = [piece for piece in separator.split(text) if piece]
        if len(pieces) > 1:
            break
    else:
        yield from _letters(text, limit, count)
        return
    joiner = "\n" if "\n" in text else " "
    chunk, tokens = "", 0
    for piece in pieces:
        cost = count(piece)
        if chunk and tokens + cost + 1 > limit:
            yield chunk
            chunk, tokens = "", 0
        if cost > limit:
            yield from _split(piece, limit, count)
            continue
        chunk = f"{chunk}{joiner}{piece}" if chunk else piece
        tokens += cost + 1
    if chunk:
        yield chunk


def _letters(text: str, limit: int, count: Counter) -> Iterator[str]:
    step = max(1, limit)
    while text:
        size = min(step, len(text))
        while size > 1 and count(text[:size]) > limit:
            size //= 2
        yield text[:size]
        text = text[size:]


def _filled(parts: list[_Part], options: ChunkingOptions) -> list[_Chunk]:
    chunks = [_Chunk()]
    for part in parts:
        last = chunks[-1]
        full = last.tokens + part.tokens > options.max_tokens
        if last.parts and (full or _page_break(last, part, options.merge_across_pages)):
            chunks.append(_Chunk())
        chunks[-1].add(part)
    return chunks


def _by_section(parts: list[_Part], options: ChunkingOptions, count: Counter) -> list[_Chunk]:
    mixed = options.strategy == "mixed_multi_column"
    across = options.merge_across_pages and not mixed
    chunks = [_Chunk()]
    heading = ""
    in_heading = False
    for part in parts:
        last = chunks[-1]
        head = part.element.type in _HEADS
        if head and last.parts and any(p.element.type not in _HEADS for p in last.parts):
            chunks.append(_Chunk())
        elif last.parts and (
            last.tokens + part.tokens > options.max_tokens
            or _page_break(last, part, across)
            or (mixed and _other_column(last.parts[-1].element, part.element))
        ):
            chunks.append(_continued(heading if not head else "", part, options, count))
        if head:
            heading = f"{heading}\n{part.text}" if in_heading else part.text
        in_heading = head
        chunks[-1].add(part)
    return chunks


def _continued(heading: str, part: _Part, options: ChunkingOptions, count: Counter) -> _Chunk:
    """A chunk that continues a section, with its heading repeated if there is room."""
    tokens = count(heading) + 1 if heading else 0
    if not heading or tokens + part.tokens > options.max_tokens:
        return _Chunk()
    return _Chunk(tokens=tokens, heading=heading)


def _page_break(chunk: _Chunk, part: _Part, across: bool) -> bool:
    return not across and chunk.parts[-1].element.page_number != part.element.page_number


def _in_margin(element: Element) -> bool:
    return element.bbox[3] <= _MARGIN or element.bbox[1] >= 1 - _MARGIN


def _other_column(a: Element, b: Element) -> bool:
    return min(a.bbox[2], b.bbox[2]) <= max(a.bbox[0], b.bbox[0])


def _element(chunk: _Chunk) -> Element:
    first = chunk.parts[0]
    indices = sorted({part.index for part in chunk.parts})
    if len(chunk.parts) == 1 and first.whole and not chunk.heading:
        properties = {**first.element.properties, "element_indices": indices}
        return first.element.model_copy(
            update={"properties": properties, "text_representation": first.text}
        )
    boxes = [
        p.element.bbox for p in chunk.parts if p.element.page_number == first.element.page_number
    ]
    pages = sorted({part.element.page_number for part in chunk.parts})
    text = "\n".join([chunk.heading] * bool(chunk.heading) + [part.text for part in chunk.parts])
    return Element(
        type="Section",
        bbox=[
            min(box[0] for box in boxes),
            min(box[1] for box in boxes),
            max(box[2] for box in boxes),
            max(box[3] for box in boxes),
        ],
        properties={
            "score": 1.0,
            "page_number": pages[0],
            "page_numbers": pages,
            "element_indices": indices,
        },
        text_representation=text,
    )
