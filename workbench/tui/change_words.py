"""Proposed changes as lines: the current value, the proposed one, and the reason."""

from workbench.contract.rereading import Change, Rereading
from workbench.contract.review import ReviewGuess
from workbench.formats import counted, unit_words, value_words
from workbench.tui.evidence_words import quoted, sure_span
from workbench.tui.formats import count
from workbench.tui.lines import Line, Span, dim, line, spread


def change_lines(change: Change, width: int) -> tuple[Line, Line, Line]:
    """The document and the property; the two values; the words the new one was read from."""
    head = spread(
        line(" ", Span(change.field, "accent"), "  ", dim(change.name)),
        line("  ", sure_span(change.after.confidence), _page(change.after), " "),
        width,
    )
    before, after = _words(change.before, change.field), _words(change.after, change.field)
    values = line(
        "   ",
        Span(before or "no value", "removed" if before else "dim"),
        dim(" → "),
        Span(after or "no value", "added" if after else "dim"),
    )
    return (
        head,
        values,
        line("   ", quoted(change.after.quote or "", change.after.value, width - 8)),
    )


def summary(reading: Rereading | None) -> str:
    """`12 open · 30 accepted · 2 refused`."""
    if reading is None:
        return ""
    parts = [(reading.open, "open"), (reading.accepted, "accepted"), (reading.refused, "refused")]
    return " · ".join(f"{count(number)} {word}" for number, word in parts if number)


def empty_lines(reading: Rereading | None) -> list[Line]:
    """The words for when no change is open."""
    if reading is None:
        return [
            line(Span("The documents have not been read again yet.", "strong")),
            line(),
            line("Correct some values, then press ", Span("r", "accent"), ":"),
            line("the other documents are read again with your corrections."),
        ]
    read = counted(reading.documents, "document")
    done = f"{count(reading.accepted)} accepted, {count(reading.refused)} refused."
    if not reading.accepted and not reading.refused:
        return [line(Span("Nothing would change.", "strong")), line(dim(f"{read} read again."))]
    undo = line("Press ", Span("u", "accent"), " to undo the accepted changes.")
    return [
        line(Span("Every change has been decided.", "good")),
        line(dim(done)),
        *([line(), undo] if reading.accepted else []),
    ]


def _words(guess: ReviewGuess, field: str) -> str:
    words = value_words(guess.value, field)
    return f"{words} {unit_words(guess.value, guess.unit)}" if words and guess.unit else words


def _page(guess: ReviewGuess) -> Span:
    return dim(f"  p{guess.page}") if guess.page else Span("")
