"""HTML for notebooks, built so that nothing can be forgotten to be escaped.

`tag` escapes every child that is not `Markup`, and only `tag` makes `Markup`. Colours are left to
the notebook's theme; the little style there is stands in the elements, since notebooks strip style
sheets.
"""

from base64 import b64encode
from collections.abc import Collection, Iterable, Sequence
from html import escape

from workbench.formats import MARK, column_words, is_number, value_words
from workbench.frames.notes import AnswerNotes

_CELL = "text-align:left;vertical-align:top;max-width:40em;overflow-wrap:anywhere"
_HEAD = "text-align:left;vertical-align:top;white-space:nowrap"
_NUMBER = "text-align:right;vertical-align:top;font-variant-numeric:tabular-nums"
WARNING = "color:var(--jp-warn-color0, #9a5700)"
_LONGEST = 200


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def tag(name: str, *children: object, **attributes: str) -> Markup:
    """An element; children that are not Markup are escaped, and None is left out."""
    inside = "".join(
        child if isinstance(child, Markup) else escape(str(child))
        for child in children
        if child is not None
    )
    given = "".join(f' {key}="{escape(value)}"' for key, value in attributes.items())
    return Markup(f"<{name}{given}>{inside}</{name}>")


def joined(parts: Iterable[Markup]) -> Markup:
    return Markup("".join(parts))


def table(
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    shares: Collection[str] = (),
) -> Markup:
    """A table; numbers stand on the right and long texts are cut. `shares` are columns of parts of
    one.
    """
    head = tag("tr", joined(tag("th", name, style=_HEAD) for name in columns))
    words = [
        column_words(name, [row[at] for row in rows], share=name in shares)
        for at, name in enumerate(columns)
    ]
    body = joined(
        tag("tr", joined(_cell(v, write(v)) for v, write in zip(row, words, strict=True)))
        for row in rows
    )
    return tag("table", tag("thead", head), tag("tbody", body))


def preview(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    total: int,
    shares: Collection[str] = (),
) -> Markup:
    """A titled table of the first rows, with a note about those left out; no table without rows."""
    left = total - len(rows)
    note = tag("div", f"… and {left:,} more rows", style="opacity:0.7") if left > 0 else None
    shown = table(columns, rows, shares) if rows else None
    return tag("div", tag("div", title, style="font-weight:600"), shown, note)


def facts(title: str, pairs: Iterable[tuple[str, object]]) -> Markup:
    """A titled list of names and values; values that are None are left out."""
    rows = joined(
        tag("tr", tag("th", name, style=_HEAD), _cell(value, value_words(value, name)))
        for name, value in pairs
        if value is not None
    )
    return tag("div", tag("div", title, style="font-weight:600"), tag("table", rows))


def image(png: bytes, label: str, *, style: str) -> Markup:
    """A picture that stands in the page itself, with a label for those who cannot see it."""
    source = f"data:image/png;base64,{b64encode(png).decode()}"
    return Markup(tag("img", src=source, alt=label, style=style).removesuffix("</img>"))


def remarks(notes: AnswerNotes) -> Markup:
    """What stands beside an answer: what the steps did, and in the colour of warnings what was
    left out.
    """
    marked = [f"{MARK} {notes.caution}" if notes.caution else "", notes.not_used]
    rest = [*(note.text for note in notes.footnotes), *notes.warnings]
    parts = [tag("div", notes.story, style="opacity:0.8")] if notes.story else []
    parts += [tag("div", text, style=f"{WARNING};font-weight:600") for text in marked if text]
    parts += [tag("div", text, style=WARNING) for text in rest]
    return joined(parts)


def _cell(value: object, words: str) -> Markup:
    if isinstance(value, Markup):
        return tag("td", value, style=_CELL)
    text = words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"
    return tag("td", text, style=_NUMBER if is_number(value) else _CELL)
