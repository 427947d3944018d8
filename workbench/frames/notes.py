"""The notes of an answer in every interface: what each step did, what was left out, how far the
answer could move, and which words of the question it ignores.

The texts come from the contract; this module decides which of them are shown and in which order.
Notes travel with a frame into files, and as metadata with its Arrow table.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.contract.coverage import (
    Bounds,
    Coverage,
    Trust,
    coverage_words,
    distinct_coverage,
    trust_of,
)
from workbench.contract.plan import Plan
from workbench.contract.query import AnswerAccount, QueryResult
from workbench.frames.shares import VALUE, percent_columns

METADATA = "workbench.notes"
"""The key of the notes, a JSON list of texts, in the metadata of Parquet files and Arrow tables."""


@dataclass(frozen=True)
class Footnote:
    """A remark on documents that a step could not use; `node_id` and `field` identify them."""

    text: str
    node_id: int
    field: str


@dataclass(frozen=True)
class AnswerNotes:
    """The basis of an answer. `sentences` say what each step did, in order, `reading` what was left
    out and assumed when the request was read. `percent` makes the number a percentage: 100 for a
    fraction, 1 for one already in percent, 0 for other numbers.
    """

    coverage: tuple[Coverage, ...] = ()
    bounds: Bounds | None = None
    sentences: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    reading: tuple[str, ...] = ()
    percent: int = 0

    @classmethod
    def of(cls, answer: QueryResult | AnswerAccount) -> "AnswerNotes":
        plan = answer.plan if isinstance(answer, QueryResult) else None
        report = plan.edit if plan is not None else None
        return cls(
            coverage=tuple(answer.coverage),
            bounds=answer.bounds,
            sentences=tuple(answer.sentences),
            unused=tuple(answer.unused or (report.unused if report is not None else ())),
            warnings=tuple(answer.warnings),
            reading=reading_of(plan),
            percent=0 if plan is None else percent_columns(plan, plan.result_node).get(VALUE, 0),
        )

    @property
    def trust(self) -> Trust:
        return trust_of(self.coverage, self.bounds)

    @property
    def story(self) -> str:
        """`413 documents · 22 of 67 have an invoice date · 1 in 2018`."""
        return " · ".join(sentence for sentence in self.sentences if sentence)

    @property
    def range(self) -> str:
        """`could be 1 to 46` if the answer is marked, to be shown beside it; else empty."""
        if self.trust != "marked" or self.bounds is None:
            return ""
        words = self.bounds.words(self.percent)
        if words:
            return f"could be {words}"
        changeable, documents = self.bounds.changeable, self.bounds.documents
        have = "has" if changeable == 1 else "have"
        those = f"{changeable:,} of {documents:,} documents"
        return f"could still change: {those} {have} no reliable value"

    @property
    def caution(self) -> str:
        """The same as a sentence: `The answer could be 1 to 46.`"""
        return f"The answer {self.range}." if self.range else ""

    @property
    def footnotes(self) -> list[Footnote]:
        return [
            Footnote(f"{coverage_words(item)}.", item.node_id, item.field)
            for item in distinct_coverage(self.coverage)
        ]

    @property
    def not_used(self) -> str:
        """`Not used: “sender”`; empty if the plan reflects the whole question."""
        return not_used(self.unused)

    def lines(self) -> list[str]:
        """All notes, one per line, for files and for `remarks()`."""
        lines = [self.story, self.caution, self.not_used, *self.reading]
        lines += [note.text for note in self.footnotes]
        return [text for text in dict.fromkeys([*lines, *self.warnings]) if text]


def reading_of(plan: Plan | None) -> tuple[str, ...]:
    """What was left out and assumed when the words behind a plan were read."""
    return tuple(plan.edit.remarks) if plan is not None and plan.edit is not None else ()


def not_used(words: Sequence[str]) -> str:
    """Words of the question that a plan does not reflect, as one remark."""
    return "Not used: " + ", ".join(f"“{word}”" for word in words) if words else ""
