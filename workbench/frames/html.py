"""HTML for notebooks, built so that escaping cannot be forgotten.

`tag` escapes every child that is not `Markup`, and only `tag` creates `Markup`. Colours come from
the notebook's theme; the little style there is uses attributes, because notebooks strip style
sheets.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from workbench.formats import MARK, column_words, is_number, value_words
from workbench.frames.notes import AnswerNotes

_TOP = "vertical-align:top;overflow-wrap:normal;word-break:normal"
_CELL = f"text-align:left;{_TOP};white-space:nowrap"
_LONG = f"text-align:left;{_TOP};white-space:normal;min-width:24em;max-width:40em"
_HEAD = "text-align:left;vertical-align:top;white-space:nowrap"
_NUMBER = f"text-align:right;{_TOP};white-space:nowrap;font-variant-numeric:tabular-nums"
_NUMBER_HEAD = f"{_HEAD};text-align:right"
TABLE = "table-layout:auto;width:auto;max-width:none;margin:0"
_BOX = "overflow:auto;max-height:320px;max-width:100%"
MARKED = "background:#ffe58a;color:#1a1a1a"


def ink(colour: str) -> str:
    """The style of text in a colour, mixed with that of the page: readable on light and dark."""
    return f"color:color-mix(in srgb, {colour} 55%, currentColor)"


WARNING = ink("var(--jp-warn-color1, #b26a00)")
_LONGEST = 160
_ONE_LINE = 48
_ID = 14
"""Maximum length shown of a text, of a single-line text, and of an id; the tooltip has more."""
_HINT = 500
_BREAKABLE = re.compile(r"(?<!\S)([\w.,;:“”‘’'\"()]*+\S+)")
"""Words in which a browser may break lines: those with hyphens, slashes and the like."""


class Markup(str):
    """Text that is already HTML."""

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


def escaped(text: str) -> Markup:
    """Escapes text for HTML."""
    return Markup(escape(text))


def joined(parts: Iterable[Markup]) -> Markup:
    return Markup("".join(parts))


def table(
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    shares: Mapping[str, int] | None = None,
) -> Markup:
    """A table; numbers are right-aligned, long texts cut, `shares` in percent by their factors."""
    head = tag("tr", joined(_heading(name, rows, at) for at, name in enumerate(columns)))
    words = [
        column_words(name, [row[at] for row in rows], percent=(shares or {}).get(name, 0))
        for at, name in enumerate(columns)
    ]
    body = joined(
        tag(
            "tr",
            joined(
                _cell(v, write(v), name) for name, v, write in zip(columns, row, words, strict=True)
            ),
        )
        for row in rows
    )
    whole = tag("table", tag("thead", head), tag("tbody", body), style=TABLE)
    return tag("div", whole, style=_BOX)


def _heading(name: str, rows: Sequence[Sequence[object]], at: int) -> Markup:
    """The name of a column, above its values."""
    numeric = any(is_number(row[at]) for row in rows)
    return tag("th", name, style=_NUMBER_HEAD if numeric else _HEAD)


def preview(
    title: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    total: int,
    shares: Mapping[str, int] | None = None,
) -> Markup:
    """A titled table of the first rows, with a note on the rest; no table without rows."""
    left = total - len(rows)
    note = tag("div", f"… and {left:,} more rows", style="opacity:0.7") if left > 0 else None
    shown = table(columns, rows, shares) if rows else None
    return tag("div", tag("div", title, style="font-weight:600"), shown, note)


def facts(title: str, pairs: Iterable[tuple[str, object]]) -> Markup:
    """A titled list of names and values; values that are None are left out."""
    rows = joined(
        tag("tr", tag("th", name, style=_HEAD), _cell(words, words))
        for name, value in pairs
        if value is not None
        for words in [value_words(value, name)]
    )
    listed = tag("div", tag("table", rows, style=TABLE), style=_BOX)
    return tag("div", tag("div", title, style="font-weight:600"), listed)


def image(png: bytes, label: str, *, style: str) -> Markup:
    """An embedded picture, with alternative text."""
    source = f"data:image/png;base64,{b64encode(png).decode()}"
    return Markup(tag("img", src=source, alt=label, style=style).removesuffix("</img>"))


def remarks(notes: AnswerNotes) -> Markup:
    """The notes of an answer: what the steps did, and what was left out as warnings."""
    marked = [f"{MARK} {notes.caution}" if notes.caution else "", notes.not_used]
    rest = [*notes.reading, *(note.text for note in notes.footnotes), *notes.warnings]
    parts = [tag("div", notes.story, style="opacity:0.8")] if notes.story else []
    parts += [tag("div", text, style=f"{WARNING};font-weight:600") for text in marked if text]
    parts += [tag("div", text, style=WARNING) for text in rest]
    return joined(parts)


def _cell(value: object, words: str, column: str = "") -> Markup:
    """Short texts are on one line, long ones wrap between words, a tooltip has the rest."""
    if isinstance(value, Markup):
        return tag("td", value, style=_LONG)
    if is_number(value):
        return tag("td", words, style=_NUMBER)
    whole = max(map(len, words.split()), default=0) <= _ONE_LINE
    longest = _ID if column.endswith("_id") else _LONGEST if whole else _ONE_LINE
    if len(words) <= _ONE_LINE and len(words) <= longest:
        return tag("td", words, style=_CELL)
    if longest < _LONGEST:
        return tag("td", words[: longest - 1] + "…", style=_CELL, title=words[:_HINT])
    if len(words) <= longest:
        return tag("td", whole_words(words), style=_LONG)
    cut = words[: longest - 1].rpartition(" ")[0]
    return tag("td", whole_words(f"{cut}…"), style=_LONG, title=words[:_HINT])


def whole_words(text: str) -> Markup:
    """Text that only wraps at blanks; a browser would break `AFS-2020-0037` at its hyphens."""
    parts = _BREAKABLE.split(text)
    return joined(
        tag("span", part, style="white-space:nowrap") if at % 2 else escaped(part)
        for at, part in enumerate(parts)
    )
