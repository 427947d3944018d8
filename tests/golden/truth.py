"""How a truth is computed: questions, and plain filters and sums over documents' values.

``Rows`` holds some documents of a kind. Its methods select documents or reduce their values; they
read nothing but ``Document.values``. A document without a value for a property is never selected
by a condition on it (not by a negated one either), and does not enter a sum, average, group or
list of values of it. Ties that would make an answer ambiguous raise an error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tests.golden.common import Document
from tests.golden.documents import documents


@dataclass(frozen=True)
class Question:
    """A question about one kind, with its truth.

    ``answer`` says what the truth is: number, share (0 to 1), text, date, groups (a dict),
    documents (a list of names) or values (a list of distinct values). ``accept`` lists other
    truths that a careful person could defend; ``truth`` is the preferred one.
    """

    kind: str
    text: str
    truth: object
    ordered: bool = False
    answer: str = "number"
    voice: str = "terse"
    accept: tuple[object, ...] = ()


class Rows:
    """Some documents of one kind, in the order of their names."""

    def __init__(self, docs: Sequence[Document]) -> None:
        self.docs = sorted(docs, key=lambda document: document.name)

    def where(self, prop: str, test: Callable[[Any], bool]) -> Rows:
        return Rows([d for d in self.docs if d.values[prop] is not None and test(d.values[prop])])

    def eq(self, prop: str, value: object) -> Rows:
        return self.where(prop, lambda v: bool(v == value))

    def ne(self, prop: str, value: object) -> Rows:
        return self.where(prop, lambda v: bool(v != value))

    def gt(self, prop: str, value: Any) -> Rows:
        return self.where(prop, lambda v: bool(v > value))

    def lt(self, prop: str, value: Any) -> Rows:
        return self.where(prop, lambda v: bool(v < value))

    def between(self, prop: str, first: Any, last: Any) -> Rows:
        return self.where(prop, lambda v: bool(first <= v <= last))

    def year(self, prop: str, number: int) -> Rows:
        return self.where(prop, lambda v: bool(v.year == number))

    def month(self, prop: str, number: int) -> Rows:
        return self.where(prop, lambda v: bool(v.month == number))

    def with_member(self, prop: str, member: str) -> Rows:
        return self.where(prop, lambda v: member in v)

    def without(self, prop: str) -> Rows:
        return Rows([d for d in self.docs if d.values[prop] is None])

    def having(self, prop: str) -> Rows:
        return self.where(prop, lambda v: True)

    def count(self) -> int:
        return len(self.docs)

    def names(self) -> list[str]:
        return [d.name for d in self.docs]

    def vals(self, prop: str) -> list[Any]:
        return [d.values[prop] for d in self.having(prop).docs]

    def sum(self, prop: str) -> float:
        return round(float(sum(self.vals(prop))), 4)

    def mean(self, prop: str) -> float:
        values = self.vals(prop)
        return round(float(sum(values)) / len(values), 4)

    def max(self, prop: str) -> Any:
        return max(self.vals(prop))

    def min(self, prop: str) -> Any:
        return min(self.vals(prop))

    def distinct(self, prop: str) -> list[Any]:
        return sorted(set(self.vals(prop)))

    def share(self, part: Rows) -> float:
        return round(part.count() / self.count(), 6)

    def groups(self, prop: str, reduce: Callable[[Rows], Any]) -> dict[Any, Any]:
        return {key: reduce(self.eq(prop, key)) for key in self.distinct(prop)}

    def sums(self, prop: str, number: str) -> dict[Any, Any]:
        """Sum of ``number`` for each value of ``prop``, of the documents that have both."""
        return self.having(number).groups(prop, lambda rows: rows.sum(number))

    def means(self, prop: str, number: str) -> dict[Any, Any]:
        return self.having(number).groups(prop, lambda rows: rows.mean(number))

    def counts(self, prop: str) -> dict[Any, int]:
        return self.groups(prop, lambda rows: rows.count())

    def by_year(self, prop: str) -> dict[int, int]:
        """How many documents have a date in each year that occurs."""
        years = sorted({value.year for value in self.vals(prop)})
        return {year: self.year(prop, year).count() for year in years}

    def by_month(self, prop: str) -> dict[str, int]:
        """How many documents have a date in each month that occurs, as '2023-01'."""
        months = sorted({(value.year, value.month) for value in self.vals(prop)})
        return {f"{y}-{m:02d}": self.year(prop, y).month(prop, m).count() for y, m in months}

    def members(self, prop: str) -> dict[str, int]:
        """How many documents name each member of an array property."""
        names = sorted({name for value in self.vals(prop) for name in value})
        return {name: self.with_member(prop, name).count() for name in names}

    def sorted(self, prop: str, largest_first: bool = False, limit: int | None = None) -> list[str]:
        """Names of the documents in the order of a property, the first ``limit`` of them."""
        docs = sorted(
            self.having(prop).docs,
            key=lambda d: d.values[prop],  # type: ignore[arg-type,return-value]
            reverse=largest_first,
        )
        claimed = docs if limit is None else docs[: limit + 1]
        values = [d.values[prop] for d in claimed]
        if len(set(values)) != len(values):
            raise ValueError(f"tie in {prop}")
        return [d.name for d in (docs if limit is None else docs[:limit])]

    def of_max(self, prop: str, wanted: str) -> Any:
        """The value of ``wanted`` in the one document with the largest ``prop``."""
        name = self.sorted(prop, largest_first=True, limit=1)[0]
        return next(d.values[wanted] for d in self.docs if d.name == name)

    def of_min(self, prop: str, wanted: str) -> Any:
        name = self.sorted(prop, limit=1)[0]
        return next(d.values[wanted] for d in self.docs if d.name == name)


def most(groups: dict[Any, Any]) -> Any:
    """The key with the largest value; a tie is an error."""
    best = max(groups.values())
    keys = [key for key, value in groups.items() if value == best]
    if len(keys) != 1:
        raise ValueError(f"tie between {keys}")
    return keys[0]


Compute = Callable[[Rows], object]


def asker(kind: str, into: list[Question]) -> Callable[..., None]:
    """A function that adds a question about ``kind`` to a list, its truth computed at once."""
    rows = Rows(documents(kind))

    def ask(
        voice: str,
        answer: str,
        text: str,
        compute: Compute,
        also: Sequence[Compute] = (),
        ordered: bool = False,
    ) -> None:
        into.append(
            Question(
                kind,
                text,
                compute(rows),
                ordered,
                answer,
                voice,
                tuple(other(rows) for other in also),
            )
        )

    return ask
