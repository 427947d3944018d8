"""Text with highlighted words, such as search terms."""

from collections.abc import Iterable

from workbench.frames.hit_words import lit
from workbench.tui.lines import Line, Role, Span


def marked(text: str, spans: Iterable[tuple[int, int]], role: Role = "") -> Line:
    """`text` with each of the `spans` in the role of a match."""
    return tuple(Span(piece, "match" if hit else role) for piece, hit in lit(text, spans))
