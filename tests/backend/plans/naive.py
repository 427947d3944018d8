"""The steps of a plan done the slow and plain way, over lists of Python values: a second opinion.

Written from the description of the steps and not from their code; nothing here knows Polars. Dates
and moments are compared as the ISO texts they are.
"""

import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import product
from typing import Any

Record = dict[str, Any]


@dataclass(frozen=True)
class Line:
    """A document or a row with its values, and the places of the documents behind it."""

    values: Record
    behind: tuple[int, ...]


@dataclass(frozen=True)
class Table:
    """What flows: documents (`docs`), or rows; `kinds` says how values are read."""

    lines: list[Line]
    kinds: dict[str, str]
    docs: bool
    by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Gathered:
    """Lines by key; `parts` are the names of the keys, `members` how many lines have one."""

    groups: dict[tuple[Any, ...], list[Line]]
    parts: list[str]
    kinds: dict[str, str]
    members: int


@dataclass(frozen=True)
class Figure:
    """A number and the documents behind it."""

    value: Any
    behind: tuple[int, ...]


Flowing = Table | Gathered | Figure


@dataclass
class Report:
    """What a step left out of its input, and the values that it did not know."""

    dropped: int = 0
    unknown: set[tuple[str, int]] = field(default_factory=set)


def run(
    nodes: dict[str, Record], result: int, records: Sequence[Record], kinds: dict[str, str]
) -> tuple[dict[int, Flowing], dict[int, Report]]:
    """What every step gives, and what it tells."""
    given: dict[int, Flowing] = {}
    report: dict[int, Report] = {}

    def visit(node_id: int) -> Flowing:
        if node_id not in given:
            node = nodes[str(node_id)]
            inputs = [visit(i) for i in node["inputs"]]
            report[node_id] = Report()
            given[node_id] = _step(node, inputs, records, kinds, report[node_id])
        return given[node_id]

    visit(result)
    return given, report


def _step(
    node: Record,
    inputs: list[Any],
    records: Sequence[Record],
    kinds: dict[str, str],
    report: Report,
) -> Flowing:
    kind = node["node_type"]
    if kind == "QueryDatabase":
        lines = [Line(with_derived(record), (place,)) for place, record in enumerate(records)]
        return Table(lines, dict(kinds), True)
    if kind == "Math":
        return _math(node["operation"], *inputs)
    if kind == "FieldIn":
        return _joined(node, *inputs, report)
    return _STEPS[kind](node, inputs[0], report)


def known(value: Any) -> bool:
    """Whether there is a value; an array without items is none."""
    return value is not None and [item for item in _items(value) if item is not None] != []


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _distinct(values: Iterable[Any]) -> list[Any]:
    return sorted({item for value in values for item in _items(value) if item is not None})


# Filters


def passes(test: Record, values: Record, kinds: dict[str, str], fallback: str) -> bool:
    """Whether a line passes a test of its own, or one of `any_of`."""
    name = test.get("field") or fallback
    value, kind = values.get(name), kinds[name]
    fine = []
    if test.get("exists") is not None:
        fine.append(known(value) == test["exists"])
    wanted = list(test.get("values") or [])
    if test.get("query") is not None and not test.get("range_filter"):
        wanted.append(test["query"])
    if test.get("values") is not None or wanted:
        mode = test.get("match") or "contains"
        fine.append(any(_same(w, item, kind, mode) for w in wanted for item in _items(value)))
    for bound, less in (("start", False), ("end", True)):
        if test.get(bound) is not None:
            strict = bool(test.get(f"{bound}_exclusive"))
            fine.append(value is not None and _beyond(value, test[bound], kind, less, strict))
    for bound, less in (("start_field", False), ("end_field", True)):
        if test.get(bound) is not None:
            strict = bool(test.get(f"{bound.removesuffix('_field')}_exclusive"))
            fine.append(_beside(value, values.get(test[bound]), less, strict))
    if test.get("any_of"):
        fine.append(any(passes(other, values, kinds, fallback) for other in test["any_of"]))
    return all(fine) != bool(test.get("negate"))


def _same(wanted: Any, value: Any, kind: str, mode: str) -> bool:
    if value is None:
        return False
    if kind in ("date", "datetime"):
        first, last = _span(str(wanted), kind)
        return bool(first <= value <= last)
    if kind in ("int", "float", "bool"):
        return bool(wanted == value)
    text, asked = str(value).lower(), str(wanted).lower()
    return {"exact": text == asked, "prefix": text.startswith(asked)}.get(mode, asked in text)


def _beyond(value: Any, bound: Any, kind: str, less: bool, strict: bool) -> bool:
    """Whether a value lies on the right side of a bound; a month stands for all of its days."""
    first = last = bound
    if kind in ("date", "datetime"):
        first, last = _span(str(bound), kind)
    elif kind == "string":
        value, first, last = value.lower(), bound.lower(), bound.lower()
    if less:
        return bool(value < first if strict else value <= last)
    return bool(value > last if strict else value >= first)


def _beside(value: Any, other: Any, less: bool, strict: bool) -> bool:
    """Whether a value is on the right side of another; of a day and a moment the days count."""
    if value is None or other is None:
        return False
    if isinstance(value, str):
        value, other = value.strip().lower(), other.strip().lower()
        if value[:2] == other[:2] == "20":
            value, other = value[:10], other[:10]
    if value == other:
        return not strict
    return bool((value < other) == less)


class Named(str):
    """A weekday or a month, in the order of the calendar."""

    __slots__ = ()

    def _place(self) -> int:
        return _CALENDAR.index(str(self))

    def __lt__(self, other: str) -> bool:
        return self._place() < _CALENDAR.index(str(other))

    def __gt__(self, other: str) -> bool:
        return self._place() > _CALENDAR.index(str(other))


_CALENDAR = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
]  # fmt: skip


def with_derived(record: Record) -> Record:
    """A document with what the names of fields such as `sent.weekday` stand for."""
    sent, seen, weight, pieces = (record.get(n) for n in ("sent", "seen", "weight", "pieces"))
    made: Record = {}
    if sent is not None:
        day = date.fromisoformat(sent)
        made["sent.weekday"] = Named(_CALENDAR[day.weekday()])
        made["sent.month_of_year"] = Named(_CALENDAR[6 + day.month])
        if seen is not None:
            span = datetime.fromisoformat(seen) - datetime.fromisoformat(sent)
            made["seen.days_since.sent"] = span.total_seconds() / 86400
    if seen is not None:
        made["seen.hour"] = int(seen[11:13])
    if weight is not None and pieces is not None:
        made["weight.minus.pieces"] = weight - pieces
        made["weight.share_of.pieces"] = weight / pieces if pieces else None
    return {**record, **made}


def _span(text: str, kind: str) -> tuple[str, str]:
    """The first and last value that a text names."""
    if "T" in text:
        return (text, text) if kind == "datetime" else (text[:10], text[:10])
    first = f"{text}-01-01"[:10] if len(text) == 4 else f"{text}-01"[:10]
    last = f"{text}-12-31"[:10] if len(text) == 4 else f"{text}-31"[:10]
    return (first, last) if kind == "date" else (first + "T00:00:00", last + "T23:59:59")


def _filtered(node: Record, table: Table, report: Report) -> Table:
    middle = [e.values[node["field"]] for e in table.lines if known(e.values.get(node["field"]))]
    for bound in ("start", "end"):
        if f"{bound}_at" in node:
            way = statistics.mean if node[f"{bound}_at"] == "avg" else statistics.median
            # Of nothing there is no middle, and nothing that lies beside it.
            node = {**node, bound: way(middle)} if middle else {**node, "values": []}
    kept = [e for e in table.lines if passes(node, e.values, table.kinds, node["field"])]
    report.dropped = len(table.lines) - len(kept)
    return Table(kept, table.kinds, table.docs)


# Orders and parts


def _sorted(node: Record, table: Table, report: Report) -> Table:
    name, default = node["field"], node.get("default_value")

    def of(line: Line) -> Any:
        value = line.values.get(name)
        return default if value is None else value

    def key(name: str) -> Callable[[Line], Any]:
        return of if name == node["field"] else lambda line: line.values.get(name)

    lines = list(table.lines)
    orders = [(name, bool(node.get("descending")))]
    orders += [(k["field"], bool(k.get("descending"))) for k in node.get("then") or []]
    for name, down in reversed(orders):
        value = key(name)
        have = [line for line in lines if value(line) is not None]
        # Equal ones stay in the order they came in, reversed or not.
        have.sort(key=value, reverse=down)
        lines = have + [e for e in lines if value(e) is None]
    plain = default is None
    by = tuple(name for name, _ in orders) if plain else ()
    return Table(lines, table.kinds, table.docs, by)


def _limited(node: Record, table: Table, report: Report) -> Table:
    most, per, skip = node["num_records"], node.get("per"), node.get("skip") or 0
    kept: list[Line] = []
    seen: dict[tuple[Any, ...], int] = {}
    for line in table.lines:
        key = tuple(line.values.get(name) for name in per or ())
        if None in key:
            continue
        seen[key] = seen.get(key, 0) + 1
        if seen[key] <= skip + most:
            kept.append(line)
    if per and skip:
        seen.clear()
        kept = [line for line in kept if _rank(line, per, seen) > skip]
    if node.get("with_ties") and 0 < len(kept) < len(table.lines):
        last = [kept[-1].values.get(name) for name in table.by]
        for line in table.lines[len(kept) :] if last and None not in last else []:
            if [line.values.get(name) for name in table.by] != last:
                break
            kept.append(line)
    kept = kept if per else kept[skip:]
    report.dropped = len(table.lines) - len(kept)
    return Table(kept, table.kinds, table.docs)


def _rank(line: Line, per: Sequence[str], seen: dict[tuple[Any, ...], int]) -> int:
    key = tuple(line.values.get(name) for name in per)
    seen[key] = seen.get(key, 0) + 1
    return seen[key]


def _unrolled(node: Record, table: Table, report: Report) -> Table:
    name = node["field"]
    kept = [line for line in table.lines if known(line.values.get(name))]
    report.dropped = len(table.lines) - len(kept)
    made = [
        Line({**line.values, name: item}, line.behind)
        for line in kept
        for item in _items(line.values[name])
        if item is not None
    ]
    kind = table.kinds[name]
    return Table(made, {**table.kinds, name: "string" if kind == "array" else kind}, table.docs)


def _joined(node: Record, first: Table, second: Table, report: Report) -> Table:
    wanted = _distinct(line.values.get(node["field_two"]) for line in second.lines)
    kept = [
        line
        for line in first.lines
        if any(item in wanted for item in _items(line.values.get(node["field_one"])))
    ]
    report.dropped = len(first.lines) - len(kept)
    return Table(kept, first.kinds, first.docs)


def _projected(node: Record, table: Table, report: Report) -> Table:
    return table


# Groups


def _grouped(node: Record, docs: Table, report: Report) -> Gathered:
    names = list(dict.fromkeys([node["field"], *(node.get("fields") or [])]))
    kept = [e for e in docs.lines if all(known(e.values.get(name)) for name in names)]
    report.dropped = len(docs.lines) - len(kept)
    groups: dict[tuple[Any, ...], list[Line]] = {}
    for line in kept:
        choices = [_distinct([line.values[name]]) for name in names]
        if node.get("bucket"):
            choices[0] = [_bucket(value, node["bucket"]) for value in choices[0]]
        for key in product(*choices):
            groups.setdefault(key, []).append(line)
    return Gathered(dict(sorted(groups.items())), names, docs.kinds, len(kept))


def _bucket(day: str, bucket: str) -> Any:
    year, month = int(day[:4]), int(day[5:7])
    if bucket == "week":
        week = date.fromisoformat(day[:10]).isocalendar()
        return f"{week.year}-W{week.week:02d}"
    return {"year": year, "quarter": f"{year}-Q{(month + 2) // 3}", "month": day[:7]}[bucket]


def _rows(
    gathered: Gathered,
    of: Callable[[list[Line]], Record],
    entering: Callable[[list[Line]], list[Line]] = lambda members: members,
) -> Table:
    lines: list[Line] = []
    for key, members in gathered.groups.items():
        named: Record = {"key": key[0]}
        if len(key) > 1:
            words = [str(k).lower() if isinstance(k, bool) else str(k) for k in key]
            named = {"key": words, **dict(zip(gathered.parts, key, strict=True))}
        lines.append(Line({**named, **of(members)}, _behind(entering(members))))
    return Table(lines, {}, False)


def _counted_groups(node: Record, gathered: Gathered, report: Report) -> Table:
    kind = "string" if len(gathered.parts) > 1 else gathered.kinds[gathered.parts[0]]
    rows = _rows(gathered, lambda members: {"count": len(members)})
    return Table(rows.lines, {"key": "string" if kind == "array" else kind, "count": "int"}, False)


def _top(node: Record, docs: Table, report: Report) -> Table:
    gathered = _grouped({"field": node["field"]}, docs, Report())
    primary = node.get("primary_field")

    def size(members: list[Line]) -> Record:
        if primary is None:
            return {"count": len(members)}
        return {"count": len(_distinct(line.values.get(primary) for line in members))}

    def counted(members: list[Line]) -> list[Line]:
        if primary is None:
            return members
        return [line for line in members if known(line.values.get(primary))]

    rows = _rows(gathered, size, counted).lines
    rows = sorted(rows, key=lambda e: e.values["count"], reverse=bool(node.get("descending")))
    kind = docs.kinds[node["field"]]
    kinds = {"key": "string" if kind == "array" else kind, "count": "int"}
    return Table(rows[: node.get("K")], kinds, False)


def _distinct_rows(node: Record, table: Table, report: Report) -> Table:
    behind: dict[Any, tuple[int, ...]] = {}
    for line in table.lines:
        for item in _distinct([line.values.get(node["field"])]):
            behind[item] = tuple(dict.fromkeys((*behind.get(item, ()), *line.behind)))
    kind = table.kinds.get(node["field"], "string")
    lines = [Line({"key": key}, behind[key]) for key in sorted(behind)]
    return Table(lines, {"key": "string" if kind == "array" else kind}, False)


# Numbers


def _count(node: Record, table: Table, report: Report) -> Figure:
    name = node.get("distinct_field")
    value = len(table.lines)
    if name is not None:
        value = len(_distinct(line.values.get(name) for line in table.lines))
        return Figure(value, _behind([e for e in table.lines if known(e.values.get(name))]))
    return Figure(value, _behind(table.lines))


def _aggregated(node: Record, coming: Table | Gathered, report: Report) -> Table | Figure:
    items = node["aggregations"]
    groups = [coming.lines] if isinstance(coming, Table) else coming.groups.values()
    lines = [line for members in groups for line in members]
    for item in items:
        if item.get("field") and item["func"] != "share":
            asked = _asked(item, lines, coming.kinds)
            missing = {e.behind for e in asked if not known(e.values.get(item["field"]))}
            if missing:
                report.unknown.add((item["field"], len(missing)))
    if isinstance(coming, Gathered):
        return _rows(
            coming,
            lambda m: {i["name"]: _measure(i, m, coming.kinds, coming.members) for i in items},
            lambda m: _entered(items, m, coming.kinds),
        )
    made = {i["name"]: _measure(i, lines, coming.kinds, len(lines)) for i in items}
    if len(items) == 1 and not isinstance(made[items[0]["name"]], str):
        return Figure(made[items[0]["name"]], _behind(_entered(items, lines, coming.kinds)))
    return Table([Line(made, _behind(_entered(items, lines, coming.kinds)))], {}, False)


def _entered(items: list[Record], lines: list[Line], kinds: dict[str, str]) -> list[Line]:
    """The lines that entered one of the numbers; all of them behind an unknown one."""
    kept = [e for e in lines if any(_enters(item, e, kinds) for item in items)]
    nought = all(item["func"] in ("count", "distinct") for item in items)
    return kept if kept or nought else lines


def _enters(item: Record, line: Line, kinds: dict[str, str]) -> bool:
    if item["func"] == "share":
        return True
    fits = _asked(item, [line], kinds) != []
    return fits and (item.get("field") is None or known(line.values.get(item["field"])))


def _asked(item: Record, lines: list[Line], kinds: dict[str, str]) -> list[Line]:
    tests = item.get("where") or []
    return [e for e in lines if all(passes(t, e.values, kinds, t["field"]) for t in tests)]


def _measure(item: Record, lines: list[Line], kinds: dict[str, str], whole: int) -> Any:
    asked = _asked(item, lines, kinds)
    if item["func"] == "share":
        if item.get("where"):
            return len(asked) / len(lines) if lines else None
        return len(lines) / max(1, whole)
    if item.get("field") is None:
        return len(asked)
    values = [e.values[item["field"]] for e in asked if known(e.values.get(item["field"]))]
    if item["func"] in ("count", "distinct"):
        return len(values) if item["func"] == "count" else len(_distinct(values))
    made: dict[str, Callable[[list[Any]], Any]] = {
        "sum": sum, "min": min, "max": max,
        "avg": lambda v: sum(v) / len(v), "median": lambda v: float(statistics.median(v)),
    }  # fmt: skip
    return made[item["func"]](values) if values else None


def _math(operation: str, left: Figure, right: Figure) -> Figure:
    behind = tuple(dict.fromkeys((*left.behind, *right.behind)))
    a, b = left.value, right.value
    if a is None or b is None or (operation == "divide" and b == 0):
        return Figure(None, behind)
    made = {"add": a + b, "subtract": a - b, "multiply": a * b}
    return Figure(made[operation] if operation in made else a / b, behind)


def _behind(lines: list[Line]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(place for line in lines for place in line.behind))


_STEPS: dict[str, Callable[[Record, Any, Report], Flowing]] = {
    "BasicFilter": _filtered, "Sort": _sorted, "Limit": _limited, "Unroll": _unrolled,
    "Project": _projected, "GroupBy": _grouped, "AggregateCount": _counted_groups,
    "AggregateCollect": _counted_groups,
    "TopK": _top, "Distinct": _distinct_rows, "Count": _count, "Aggregate": _aggregated,
}  # fmt: skip
