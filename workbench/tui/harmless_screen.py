"""The one place where text becomes screen content: what would steer the terminal is left out.

Textual takes five control characters out of markup and none out of the text of segments, so an
escape sequence in the name of a file would reach the terminal as it is. Every line of every widget
is a strip, therefore this holds for all of them, those of Textual too. Content takes such
characters out after it has counted where its styles begin and end, which ends the app; so they are
removed before, too. Controls of our own, such as pictures, are written by the driver and do not
pass here.
"""

from collections.abc import Iterable
from typing import Any

from rich.segment import Segment
from textual.content import Content
from textual.strip import Strip

from workbench.harmless import harmless, steers

_make = Strip.__init__


def _make_harmless(
    strip: Strip, segments: Iterable[Segment], cell_length: int | None = None
) -> None:
    kept = list(segments)
    if any(steers(segment.text) for segment in kept):
        kept = [Segment(harmless(s.text), s.style, s.control) for s in kept]
        cell_length = None
    _make(strip, kept, cell_length)


_assemble = Content.assemble


def _assemble_harmless(*parts: Any, **more: Any) -> Content:
    return _assemble(*map(_harmless_part, parts), **more)


def _harmless_part(part: Any) -> Any:
    if isinstance(part, str):
        return harmless(part)
    return (harmless(part[0]), part[1]) if isinstance(part, tuple) else part


def install() -> None:
    """Filters every strip from now on; safe to be called again."""
    Content.assemble = _assemble_harmless  # type: ignore[method-assign]
    Strip.__init__ = _make_harmless  # type: ignore[method-assign,assignment]
