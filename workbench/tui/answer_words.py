"""An answer and its basis as lines: number, range, steps, and what was left out."""

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.formats import MARK, unit_words, value_words
from workbench.frames.notes import AnswerNotes
from workbench.frames.shares import VALUE
from workbench.tui.lines import Line, Span, dim, line

LEFT_OUT_KEY, REVIEW_KEY = "l", "c"


def answer_lines(
    rows: Sequence[Mapping[str, Any]], notes: AnswerNotes, *, percent: int = 0, unit: str = ""
) -> list[Line]:
    """The answer itself if it is one number or one text; for a table only its range, if it has one.
    A number has its `unit`; with `percent` it is multiplied by that and shown in percent.
    """
    moves = Span(f"   {notes.range}", "warn") if notes.range else Span("")
    row = rows[0] if len(rows) == 1 else {}
    if isinstance(row.get("text"), str):
        return [line(piece) for piece in row["text"].splitlines()]
    if VALUE in row:
        value = row[VALUE]
        words = "no value" if value is None else value_words(value, percent=percent)
        words = f"{words} {unit_words(value, unit)}" if unit and value is not None else words
        if not notes.range:
            return [line(Span(words, "strong"))]
        return [line(Span(f"{MARK} {words}", "caution"), moves)]
    return [line(Span(f"{MARK} {notes.caution}", "caution"))] if notes.caution else []


def note_lines(notes: AnswerNotes, *, merges: int = 0) -> list[Line]:
    """One line with what the steps did; then, in the warning colour, what was left out. `merges`
    are proposals to count spellings as one.
    """
    lines = [line(dim(notes.story))] if notes.story else []
    if notes.not_used:
        lines.append(line(Span(notes.not_used, "warn")))
    lines += [line(Span(note.text, "warn")) for note in notes.footnotes]
    if notes.footnotes:
        keys = (Span(LEFT_OUT_KEY, "accent"), dim(" shows them  "), Span(REVIEW_KEY, "accent"))
        lines[-1] = line(lines[-1], "  ", *keys, dim(" reviews them"))
    lines += [line(Span("! ", "warn"), text) for text in notes.warnings]
    if merges:
        lines.append(line(Span("M", "accent"), dim(" merges spellings")))
    return lines


def row_words(row: Mapping[str, Any], *, percent: int = 0, unit: str = "") -> str:
    """A short name for a row as the title of its documents: its number with its `unit`, its group,
    or its document. With `percent` the number is multiplied by that and shown in percent.
    """
    if VALUE in row:
        written = value_words(row[VALUE], percent=percent)
        return f"{written} {unit_words(row[VALUE], unit)}".rstrip() if written else "no value"
    for name in ("properties.path", "properties.key", "doc_id"):
        if row.get(name) is not None:
            return value_words(row[name], "key")
    shown = [value_words(value) for name, value in row.items() if name != "doc_ids"]
    return " · ".join(filter(None, shown[:2])) or "the row"
