"""Text with meaning: spans with a role, lines of spans, and cutting them to a width in cells.

Roles name the meaning of a piece of text; the theme decides its style. Everything the app draws
goes through these, so that pure functions can return the content of a row or a panel and tests can
read it.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from workbench.harmless import breaks, unbroken

Role = Literal[
    "", "dim", "strong", "accent", "changed", "good", "warn", "caution", "bad", "match", "added",
    "removed", "cell",
]  # fmt: skip

_STYLES: dict[str, str] = {
    "": "",
    "dim": "$dim",
    "strong": "bold",
    "accent": "$primary",
    "changed": "$secondary",
    "good": "$success",
    "warn": "$warning",
    "caution": "bold $warning",
    "bad": "$error",
    "match": "bold $match",
    "added": "$success",
    "removed": "$error",
    "cell": "reverse $primary",
}


class Span(NamedTuple):
    text: str
    role: Role = ""


Line = tuple[Span, ...]
Part = str | Span | Line


def line(*parts: Part) -> Line:
    """One line from texts, spans and lines; line breaks in them, such as in names, are spaces."""
    spans: list[Span] = []
    for part in parts:
        if isinstance(part, Span):
            spans.append(part)
        elif isinstance(part, str):
            spans.append(Span(part))
        else:
            spans.extend(part)
    return tuple(
        span._replace(text=unbroken(span.text)) if breaks(span.text) else span
        for span in spans
        if span.text
    )


def dim(text: object) -> Span:
    return Span(str(text), "dim")


def plain(spans: Line) -> str:
    """The text alone."""
    return "".join(span.text for span in spans)


def width_of(spans: Line) -> int:
    """The width in terminal cells."""
    return sum(cell_len(span.text) for span in spans)


def cut(spans: Line, width: int) -> Line:
    """At most `width` cells, with `…` where something was cut off."""
    if width <= 0:
        return ()
    if width_of(spans) <= width:
        return spans
    kept: list[Span] = []
    left = width - 1
    for span in spans:
        size = cell_len(span.text)
        if size > left:
            kept.append(Span(set_cell_size(span.text, left).rstrip() + "…", span.role))
            break
        kept.append(span)
        left -= size
    return tuple(kept)


def fit(spans: Line, width: int, align: Literal["left", "right"] = "left") -> Line:
    """Exactly `width` cells: cut or filled with blanks."""
    gap = width - width_of(spans)
    shown = spans
    if gap < 0:
        shown = cut(spans, width)
        gap = width - width_of(shown)
    if gap <= 0:
        return shown
    blank = Span(" " * gap)
    return (blank, *shown) if align == "right" else (*shown, blank)


def spread(left: Line, right: Line, width: int) -> Line:
    """`left` and `right` at the two ends; where both do not fit, the left one is cut."""
    room = width - width_of(right)
    if room < 1:
        return cut(right, width)
    return (*fit(left, room), *right)


def wrap(spans: Line, width: int, *, indent: int = 0) -> list[Line]:
    """Broken at blanks into lines of at most `width` cells, later ones indented by `indent`."""
    lines: list[Line] = []
    current: list[Span] = []
    used = 0
    for word, role in _words(spans):
        size = cell_len(word)
        if used + len(word.rstrip()) > width and used > indent:
            lines.append(tuple(current))
            current, used = ([Span(" " * indent)] if indent else []), indent
            word = word.lstrip()
            size = cell_len(word)
        while size > width - used > 0:  # a word longer than the line
            head = set_cell_size(word, width - used).rstrip()
            if not head or (size - cell_len(head) <= 1 and word.endswith(" ")):
                break
            lines.append((*current, Span(head, role)))
            word = word[len(head) :]
            current, used = ([Span(" " * indent)] if indent else []), indent
            size = cell_len(word)
        if word:
            if used + size > width:  # only its blank does not fit
                word, size = word.rstrip(), cell_len(word.rstrip())
            current.append(Span(word, role))
            used += size
    if current or not lines:
        lines.append(tuple(current))
    return lines


def wrap_within(spans: Line, width: int, rows: int) -> list[Line]:
    """Like `wrap`, with at most `rows` lines; the last one ends in `…` where words are left out."""
    lines = wrap(spans, width)
    if len(lines) <= rows:
        return lines
    *words, last = wrap(lines[rows - 1], width - 1)[0]
    return [*lines[: rows - 1], (*words, Span(last.text.rstrip() + "…", last.role))]


def _words(spans: Line) -> Iterable[tuple[str, Role]]:
    for text, role in spans:
        start = 0
        while start < len(text):
            blank = text.find(" ", start)
            end = len(text) if blank < 0 else blank + 1
            yield text[start:end], role
            start = end


def as_content(lines: Iterable[Line]) -> Content:
    """The lines for a `Static`, coloured by the theme."""
    return Content("\n").join(
        Content.assemble(*((span.text, _STYLES[span.role]) for span in spans)) for spans in lines
    )
