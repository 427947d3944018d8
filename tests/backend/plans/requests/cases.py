"""Requests with their answers: what a case is, and the questions that records answer."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Record = dict[str, Any]
Test = Callable[[Record], Any]

Kind = Literal["docs", "ordered", "cut", "table", "ranking", "number", "values", "refused", "shown"]


@dataclass(frozen=True)
class Want:
    """The answer of a request.

    docs: a set of keys. ordered: the values that documents are sorted by. cut: that many documents
    out of a set. table: key -> number. ranking: a table in order, as pairs. number. values: a set.
    shown: the fields that documents show. refused: words that the refusal names.
    """

    kind: Kind
    data: Any


@dataclass(frozen=True)
class Case:
    """A question, feedback on its plan, and the answer. `sort` names the class of request."""

    collection: str
    sort: str
    turns: tuple[str, ...]
    want: Want


def kept(records: Iterable[Record], *tests: Test) -> list[Record]:
    """Records that pass all tests; comparing with nothing passes none."""

    def passes(record: Record) -> bool:
        try:
            return all(test(record) for test in tests)
        except TypeError:
            return False

    return [record for record in records if passes(record)]


def numbers(records: Iterable[Record], field: str) -> list[float]:
    return [record[field] for record in records if record[field] is not None]


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def by(records: Iterable[Record], *fields: str) -> dict[Any, list[Record]]:
    """Records by one field or by several."""
    groups: dict[Any, list[Record]] = {}
    for record in records:
        key = tuple(record[field] for field in fields)
        if None not in key:
            groups.setdefault(key if len(key) > 1 else key[0], []).append(record)
    return groups


def by_time(records: Iterable[Record], field: str, length: int) -> dict[Any, list[Record]]:
    """Records by the year (length 4) or month (length 7) of a date; years are numbers."""
    groups: dict[Any, list[Record]] = {}
    for record in records:
        part = record[field][:length]
        groups.setdefault(int(part) if length == 4 else part, []).append(record)
    return groups


def table(groups: Mapping[Any, list[Record]], number: Callable[[list[Record]], float]) -> Want:
    return Want("table", {key: number(members) for key, members in groups.items()})


def part(text: str, share: Want) -> Want:
    """A share as the text asks for it: in percent if it says so, else as a fraction."""
    if "percent" not in text:
        return share
    data = share.data
    return Want(
        share.kind,
        {key: 100 * one for key, one in data.items()} if isinstance(data, dict) else 100 * data,
    )


def ordered(records: list[Record], field: str, *, down: bool, count: int | None = None) -> Want:
    known = sorted((r[field] for r in records if r[field] is not None), reverse=down)
    return Want("ordered", (field, known if count is None else known[:count]))


def ranking(
    groups: Mapping[Any, list[Record]],
    number: Callable[[list[Record]], float],
    *,
    down: bool = True,
    count: int | None = None,
) -> Want:
    """The numbers of the groups that come first; equal ones may come in any order."""
    pairs = sorted(((number(m), k) for k, m in groups.items()), key=lambda p: p[0], reverse=down)
    return Want("ranking", [pair[0] for pair in pairs[:count]])


def lines(text: str) -> list[str]:
    """The wordings of a block of text, one on each line."""
    return [line.strip() for line in text.strip().splitlines()]


def docs(records: list[Record], key: str, *tests: Test) -> Want:
    return Want("docs", {record[key] for record in kept(records, *tests)})


def equals(field: str, *values: object) -> Test:
    return lambda record: record[field] in values


def differs(field: str, *values: object) -> Test:
    return lambda record: record[field] not in values


def above_number(field: str, bound: float) -> Test:
    return lambda record: record[field] > bound


def below_number(field: str, bound: float) -> Test:
    return lambda record: record[field] < bound
