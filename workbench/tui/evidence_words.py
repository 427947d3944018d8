"""Values with how sure they are and where they stand, as lines of lists and inspectors."""

from workbench.contract.coverage import field_words
from workbench.formats import confidence_words, value_words
from workbench.sessions.evidence import EvidenceLine
from workbench.sessions.readings import Reading, is_doubtful
from workbench.tui.lines import Line, Role, Span, dim, line, spread


def sure_span(confidence: float | None, *, corrected: bool = False) -> Span:
    """How sure a value is: dim where that is enough, in the colour of warnings where it is not."""
    if corrected:
        return Span("✎ corrected", "changed")
    role: Role = "warn" if is_doubtful(confidence) else "dim"
    return Span(confidence_words(confidence), role)


def evidence_lines(row: EvidenceLine, width: int) -> tuple[Line, Line]:
    """The document, its value and how sure that is; below, the words it was read from."""
    name = Span(row.name, "strong") if row.first else dim("")
    value = row.value
    if value is None:
        return line(" ", name), ()
    if row.why and value.value is None:
        said = line("  ", Span(row.why, "warn"), " ")
    else:
        read = field_words(value.field)
        words = value_words(value.value, value.field)
        told = line(dim(f"{read}  ") if words else "", Span(words, "accent"))
        doubt = Span(f"  {row.why}", "warn") if row.why else Span("")
        sure = sure_span(value.confidence, corrected=value.corrected)
        said = line("  ", told, doubt, "  ", sure, " ")
    place = f"p{value.page}  " if value.page else ""
    quote = quote_around(value.quote or "", value_words(value.value, value.field), width - 12)
    below = line("   ", dim(place), dim(f"“{quote}”") if quote else dim("")) if place else ()
    return spread(line(" ", name), said, width), below


def quote_around(quote: str, value: str, width: int) -> str:
    """As much of a quote as `width` cells hold, with the value in it where it stands there."""
    text = " ".join(quote.split())
    at = text.lower().find(value.lower()) if value else -1
    if at + len(value) <= width:
        return text
    start = max(0, at - width // 3)
    return "…" + text[start:]


def reading_words(reading: Reading) -> Line:
    """A property of a document, its value, and behind it how sure that is."""
    sure = sure_span(reading.confidence, corrected=reading.corrected)
    return line(_reading(reading), "  ", sure)


def reading_line(reading: Reading, width: int) -> Line:
    """The same in `width` cells, with its page at the right end."""
    place = dim(f"  p{reading.page}") if reading.page else Span("")
    sure = sure_span(reading.confidence, corrected=reading.corrected)
    return spread(line(" ", _reading(reading)), line("  ", sure, place, " "), width)


def _reading(reading: Reading) -> Line:
    """Guesses are set in below the property that has none."""
    if reading.guess:
        return line(dim("  perhaps "), value_words(reading.value, reading.name))
    return line(dim(f"{reading.name}  "), _value(reading))


def _value(reading: Reading) -> Span | Line:
    words = value_words(reading.value, reading.name)
    if not words:
        return dim("—")
    unit = dim(f" {reading.unit}") if reading.unit else Span("")
    return line(Span(words, "warn" if reading.doubtful else ""), unit)
