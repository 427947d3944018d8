"""A value under review as lines: its property, its alternatives, and the progress."""

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.contract.review import Decision, ReviewGuess, ReviewValue
from workbench.contract.schema import SchemaProperty
from workbench.formats import unit_words, value_words
from workbench.sessions.review_session import ReviewSession
from workbench.tui.document_words import kind_words
from workbench.tui.evidence_words import quoted, sure_span
from workbench.tui.formats import count
from workbench.tui.lines import Line, Span, cut, dim, line, spread, wrap_within

_MOST_DESCRIPTION = 2


@dataclass(frozen=True)
class Choice:
    """A possible value, with the key that chooses it."""

    key: str
    guess: ReviewGuess
    field: str
    chosen: bool = False
    """Whether the person chose it earlier in this session."""


def progress_words(session: ReviewSession) -> str:
    """`34 of 210 · 12 changed`."""
    place = min(session.position + 1, session.total)
    changed = f" · {count(session.changed)} changed" if session.changed else ""
    return f"{count(place)} of {count(session.total)}{changed}" if session.total else ""


def progress_line(session: ReviewSession, width: int) -> Line:
    """A progress bar of the review."""
    done = round(width * session.position / session.total) if session.total else 0
    return line(Span("━" * done, "accent"), dim("─" * (width - done)))


def question_lines(value: ReviewValue, shape: SchemaProperty | None, width: int) -> list[Line]:
    """The property and document under review, and the current values."""
    kind = (kind_words(shape.kind) if shape else "").lower()
    head = line(Span(value.field, "accent"), "  ", dim(kind))
    words = line(dim(shape.description)) if shape and shape.description else ()
    below = wrap_within(words, width, _MOST_DESCRIPTION) if words else []
    return [cut(head, width), *below, cut(line(dim(value.name)), width)]


def choice_lines(choice: Choice, width: int, height: int) -> list[Line]:
    """A value after its key, with its confidence; below, the words it was read from."""
    guess = choice.guess
    words = value_words(guess.value, choice.field)
    unit = dim(f" {unit_words(guess.value, guess.unit)}") if guess.unit else Span("")
    shown = line(Span(words, "strong"), unit) if words else line(dim("no value"))
    mark = Span("  ✓ your choice", "changed") if choice.chosen else Span("")
    sure = sure_span(guess.confidence)
    place = dim(f"  p{guess.page}") if guess.page else Span("")
    key = line(Span(f"{choice.key:>6}  ", "accent"))
    head = spread(line(key, shown, mark), line("  ", sure, place, " "), width)
    quote = quoted(guess.quote or "", guess.value, (width - 10) * (height - 1))
    if words or choice.key != "enter":
        below = wrap_within(quote, width - 10, height - 1) if quote else []
    else:
        below = [line(dim("Nothing was certain enough."))]
    return [head, *(line(" " * 8, piece) for piece in below)]


def choices(value: ReviewValue, decision: Decision | None) -> list[Choice]:
    """The document's value, its alternatives by number, and an earlier `decision` outside them."""
    guesses: Sequence[ReviewGuess] = [value, *value.alternatives]
    chosen_ones = [decision is not None and guess.value == decision.value for guess in guesses]
    rows = [
        Choice("enter" if place == 0 else str(place), guess, value.field, chosen)
        for place, (guess, chosen) in enumerate(zip(guesses, chosen_ones, strict=True))
    ]
    if decision is not None and not any(chosen_ones):
        rows.append(Choice("", ReviewGuess(value=decision.value), value.field, chosen=True))
    return rows


def end_lines(session: ReviewSession) -> list[Line]:
    """The text after the last value."""
    if not session.total:
        return [
            line(Span("Nothing to review here.", "strong")),
            line(),
            line("Every value is certain enough, or was checked by a person."),
            line("Press ", Span("c", "accent"), " to go through the certain ones too."),
        ]
    checked = f"{count(session.checked)} checked, {count(session.changed)} changed."
    skipped = session.total - session.checked
    left = f" {count(skipped)} skipped." if skipped > 0 else ""
    return [
        line(Span("That was the last value.", "good")),
        line(),
        line(checked + left),
        line("Press ", Span("r", "accent"), " to have all documents read again with these values,"),
        line(Span("b", "accent"), " to go back, ", Span("escape", "accent"), " to leave."),
    ]
