"""Values with their confidence and source, as lines of lists and inspectors."""

from collections.abc import Iterable, Sequence
from typing import Any

from rich.cells import cell_len

from workbench.contract.coverage import CERTAIN, field_words
from workbench.contract.written_values import find_value
from workbench.formats import confidence_words, unit_words, value_words
from workbench.frames.hit_words import moved
from workbench.sessions.evidence import EvidenceLine
from workbench.sessions.judged_words import matching_words
from workbench.sessions.readings import Reading, is_doubtful
from workbench.tui.lines import Line, Role, Span, dim, fit, line, spread, width_of, wrap
from workbench.tui.marked_text import marked

_GUESS = "  perhaps"
"""Replaces the name of the property before a withheld value."""


def sure_span(confidence: float | None, *, corrected: bool = False) -> Span:
    """A confidence: dim if certain, in the warning colour if not, bold if left out of answers."""
    if corrected:
        return Span("✎ corrected", "changed")
    certain: Role = "dim" if confidence is None or confidence >= CERTAIN else "warn"
    return Span(confidence_words(confidence), "caution" if is_doubtful(confidence) else certain)


def evidence_lines(row: EvidenceLine, width: int, question: str = "") -> tuple[Line, Line]:
    """The document, its value and the confidence; below, the words it was read from. In passages
    the words of the `question` that they were judged by are highlighted.
    """
    name = Span(row.name, "strong") if row.first else dim("")
    value = row.value
    if value is None:
        return line(" ", name), ()
    if row.why and value.value is None:
        right = line("  ", Span(row.why, "warn"), " ")
    else:
        read = field_words(value.field)
        words = value_words(value.value, value.field)
        unit = dim(f" {unit_words(value.value, value.unit)}") if value.unit else Span("")
        reading = line(dim(f"{read}  ") if words else "", Span(words, "accent"), unit)
        doubt = Span(f"  {row.why}", "warn") if row.why else Span("")
        sure = sure_span(value.confidence, corrected=value.corrected)
        right = line("  ", reading, doubt, "  ", sure, " ")
    place = f"p{value.page}  " if value.page else ""
    quote = quoted(value.quote or "", value.value, width - 12, question)
    below = line("   ", dim(place), quote) if place else ()
    return spread(line(" ", name), right, width), below


def quoted(quote: str, value: Any, width: int, question: str = "") -> Line:
    """As much of a quote as fits into `width` cells, in quotation marks; empty without a quote. The
    value is highlighted in it, or the words of a `question` that it was judged by.
    """
    text = " ".join(quote.split())
    if not text:
        return ()
    value_span = find_value(text, value)
    spans = [value_span] if value_span else matching_words(text, question)
    if spans and spans[0][1] > width:
        start = max(0, spans[0][0] - width // 3)
        start = text.rfind(" ", 0, start) + 1
        text = f"…{text[start:]}"
        spans = moved(spans, 1 - start)
    return line(dim("“"), marked(text, spans, "dim"), dim("”"))


def reading_lines(readings: Sequence[Reading], width: int) -> list[Line]:
    """Properties of a document in `width` cells: names and values in columns, with the confidence
    and page of each value at the right end. Long values wrap.
    """
    names = name_width(readings, width)
    return [part for reading in readings for part in _wrapped(reading, names, width)]


def reading_line(reading: Reading, names: int, width: int) -> Line:
    """One of them, cut to a single line; `names` is the width of the column of names."""
    return spread(line(" ", _reading(reading, names)), line(_place(reading), " "), width)


def name_width(readings: Iterable[Reading], width: int) -> int:
    """How wide the column of names is: the longest, but not more than leaves room for values."""
    written = (_GUESS if reading.guess else reading.name for reading in readings)
    longest = max(map(cell_len, written), default=0)
    return min(longest, max(8, width * 2 // 5))


def _wrapped(reading: Reading, names: int, width: int) -> list[Line]:
    place = _place(reading)
    room = max(names + 8, width - width_of(place))
    first, *rest = wrap(_reading(reading, names), room, indent=names + 2)
    return [spread(first, place, width), *rest]


def _place(reading: Reading) -> Line:
    page = dim(f"  p{reading.page}") if reading.page else Span("")
    return line("  ", sure_span(reading.confidence, corrected=reading.corrected), page)


def _reading(reading: Reading, names: int) -> Line:
    """Guesses are below the property that has no value."""
    if reading.guess:
        words = value_words(reading.value, reading.name)
        return line(fit((dim(_GUESS),), names), "  ", words)
    return line(fit((dim(reading.name),), names), "  ", _value(reading))


def _value(reading: Reading) -> Span | Line:
    words = value_words(reading.value, reading.name)
    if not words:
        return dim("—")
    unit = dim(f" {unit_words(reading.value, reading.unit)}") if reading.unit else Span("")
    return line(Span(words, "warn" if reading.doubtful else ""), unit)
