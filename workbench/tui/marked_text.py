"""Text with highlighted words, such as search terms."""

from collections.abc import Iterable

from workbench.frames.hit_words import lit
from workbench.tui.lines import Line, Role, Span


def marked(text: str, spans: Iterable[tuple[int, int]], role: Role = "") -> Line:
    """`text` with what lies between the ends of `spans` in the role of matches."""
    return tuple(Span(piece, "match" if hit else role) for piece, hit in lit(text, spans))
