"""The one place where text becomes screen content: what would steer the terminal is left out.

Textual removes five control characters from markup and none from the text of segments, so an escape
sequence in a file name would reach the terminal. Every line of every widget is a strip, so
filtering strips covers all of them, including Textual's own. A line break or a tab in a strip would
move the cursor, and what follows be painted over other rows. Content removes such characters after
computing the ranges of its styles, which crashes the app; so they are removed earlier, too. Our own
control sequences, such as pictures, are written by the driver and do not pass here.
"""

from collections.abc import Iterable
from typing import Any

from rich.segment import Segment
from textual.content import Content
from textual.strip import Strip

from workbench.harmless import breaks, harmless, steers, unbroken

_make = Strip.__init__


def _make_harmless(
    strip: Strip, segments: Iterable[Segment], cell_length: int | None = None
) -> None:
    kept = list(segments)
    if any(steers(segment.text) or breaks(segment.text) for segment in kept):
        kept = [Segment(unbroken(s.text), s.style, s.control) for s in kept]
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
