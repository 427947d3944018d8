"""HTML for notebooks, built so that nothing can be forgotten to be escaped.

`tag` escapes every child that is not `Markup`, and only `tag` makes `Markup`. Colours are left to
the notebook's theme; the little style there is stands in the elements, since notebooks strip style
sheets.
"""

import json
from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

_CELL = "text-align:left;vertical-align:top;max-width:40em;overflow-wrap:anywhere"
_HEAD = "text-align:left;vertical-align:top;white-space:nowrap"
_NUMBER = "text-align:right;vertical-align:top;font-variant-numeric:tabular-nums"
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


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Markup:
    """A table; numbers stand on the right, long texts are cut, nested values are JSON."""
    head = tag("tr", joined(tag("th", name, style=_HEAD) for name in columns))
    body = joined(tag("tr", joined(_cell(value) for value in row)) for row in rows)
    return tag("table", tag("thead", head), tag("tbody", body))


def preview(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[object]], total: int
) -> Markup:
    """A titled table of the first rows, with a note about those left out; no table without rows."""
    left = total - len(rows)
    note = tag("div", f"… and {left:,} more rows", style="opacity:0.7") if left > 0 else None
    shown = table(columns, rows) if rows else None
    return tag("div", tag("div", title, style="font-weight:600"), shown, note)


def facts(title: str, pairs: Iterable[tuple[str, object]]) -> Markup:
    """A titled list of names and values; values that are None are left out."""
    rows = joined(
        tag("tr", tag("th", name, style=_HEAD), _cell(value))
        for name, value in pairs
        if value is not None
    )
    return tag("div", tag("div", title, style="font-weight:600"), tag("table", rows))


def image(png: bytes, label: str, *, style: str) -> Markup:
    """A picture that stands in the page itself, with a label for those who cannot see it."""
    source = f"data:image/png;base64,{b64encode(png).decode()}"
    return Markup(tag("img", src=source, alt=label, style=style).removesuffix("</img>"))


def shown(value: object) -> str:
    """A value as a cell shows it."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, dict | list):
        text = json.dumps(_rounded(value), ensure_ascii=False, default=str)
    else:
        text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _rounded(value: Any) -> Any:
    """Numbers inside lists and objects as short as those that stand alone."""
    if isinstance(value, float):
        return float(f"{value:.4g}")
    if isinstance(value, list):
        return [_rounded(part) for part in value]
    if isinstance(value, dict):
        return {name: _rounded(part) for name, part in value.items()}
    return value


def _cell(value: Any) -> Markup:
    if isinstance(value, Markup):
        return tag("td", value, style=_CELL)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return tag("td", shown(value), style=_NUMBER if number else _CELL)
